//! A book that is open: what it has for a position.

use std::fs::File;
use std::io::{BufReader, Cursor, Seek};
use std::path::Path;

use super::apery::{self, Apery};
use super::book_move::{merge, sort};
use super::db_file::DbFile;
use super::db_table::{DbTable, Faults};
use super::db_text::{self, DbLine, HEADER_START};
use super::storage::Storage;
use super::ybb::{self, Ybb};
use super::{BookError, BookMove};
use crate::position::{Board, Position};

/// Files up to this size are loaded; larger ones are searched where they lie.
const MEMORY_LIMIT: u64 = 256 << 20;
/// How much of a text is looked at to tell what it is.
const HEAD: usize = 1 << 16;

/// The formats of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// YaneuraOu's text.
    Db,
    /// YaneuraOu's binary format.
    Ybb,
    /// Apery's.
    Apery,
    /// ShogiGUI's, which can only be converted.
    Sbk,
}

impl BookFormat {
    /// What a file is, by its content.
    ///
    /// # Errors
    /// It is none of them, or cannot be read.
    pub fn detect(path: &Path) -> Result<Self, BookError> {
        detect(&Storage::file(File::open(path)?)?)
    }

    /// The ending of its files' names, with its owner.
    pub fn name(self) -> &'static str {
        match self {
            Self::Db => "YaneuraOu .db",
            Self::Ybb => "YaneuraOu .ybb",
            Self::Apery => "Apery .bin",
            Self::Sbk => "ShogiGUI .sbk",
        }
    }
}

fn detect(storage: &Storage) -> Result<BookFormat, BookError> {
    let mut head = vec![0; HEAD];
    let length = storage.read(0, &mut head)?;
    head.truncate(length);
    if head.is_empty() {
        return Err(BookError::Empty);
    }
    if head.starts_with(ybb::MAGIC) {
        return Ok(BookFormat::Ybb);
    }
    let text = String::from_utf8_lossy(&head);
    let text = text.trim_start_matches('\u{feff}');
    let mut content =
        text.lines().map(DbLine::read).skip_while(|line| matches!(line, DbLine::Blank | DbLine::Comment(_)));
    match content.next() {
        Some(DbLine::Position(_)) => return Ok(BookFormat::Db),
        _ if text.starts_with(HEADER_START) => return Ok(BookFormat::Db),
        _ => {}
    }
    if Apery::recognises(storage)? {
        return Ok(BookFormat::Apery);
    }
    // The tag of a text or a message in field 1, 2 or 3: the author, the description or the first position.
    if matches!(head[0], 0x0a | 0x12 | 0x1a) && length > 1 {
        return Ok(BookFormat::Sbk);
    }
    Err(BookError::Unknown)
}

/// How a position is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The move number is no part of the position.
    pub ignore_ply: bool,
    /// Where the position is not in the book, it is looked up with the colours exchanged.
    pub flipped: bool,
}

impl Default for Lookup {
    fn default() -> Self {
        Self { ignore_ply: true, flipped: true }
    }
}

/// How much a book has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookSize {
    /// Positions.
    Positions(u64),
    /// Positions, about.
    About(u64),
    /// Moves; the format does not say of how many positions.
    Moves(u64),
}

/// `5000 positions`
impl std::fmt::Display for BookSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Positions(1) => f.write_str("1 position"),
            Self::Positions(count) => write!(f, "{count} positions"),
            Self::About(count) => write!(f, "about {count} positions"),
            Self::Moves(1) => f.write_str("1 move"),
            Self::Moves(count) => write!(f, "{count} moves"),
        }
    }
}

enum Source {
    Table(DbTable),
    DbFile(DbFile),
    Ybb(Ybb),
    Apery(Apery),
}

/// A book.
pub struct Book {
    source: Source,
    size: BookSize,
    faults: Faults,
}

impl Book {
    /// Opens a file of any format. One of moderate size is loaded, unless it is to be searched on the fly.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Self, BookError> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(BookError::Io(std::io::ErrorKind::IsADirectory.into()));
        }
        let storage = Storage::file(file)?;
        let on_the_fly = on_the_fly || storage.length() > MEMORY_LIMIT;
        Self::from_storage(storage, on_the_fly)
    }

    /// A book in memory, such as the one in the program.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, BookError> {
        Self::from_storage(Storage::Static(bytes), false)
    }

    fn from_storage(storage: Storage, on_the_fly: bool) -> Result<Self, BookError> {
        match detect(&storage)? {
            BookFormat::Db if on_the_fly => match DbFile::open(storage) {
                Ok(file) => {
                    let size = BookSize::About(file.estimate()?);
                    Ok(Self { source: Source::DbFile(file), size, faults: Faults::default() })
                }
                Err((storage, BookError::Unsorted)) if storage.length() <= MEMORY_LIMIT => Self::load_db(storage),
                Err((_, error)) => Err(error),
            },
            BookFormat::Db => Self::load_db(storage),
            BookFormat::Ybb => {
                let book = Ybb::open(if on_the_fly { storage } else { storage.load()? })?;
                let size = BookSize::Positions(book.positions());
                Ok(Self { source: Source::Ybb(book), size, faults: Faults::default() })
            }
            BookFormat::Apery => {
                let book = Apery::new(if on_the_fly { storage } else { storage.load()? });
                let size = BookSize::Moves(book.moves());
                Ok(Self { source: Source::Apery(book), size, faults: Faults::default() })
            }
            BookFormat::Sbk => Err(BookError::Sbk),
        }
    }

    fn load_db(storage: Storage) -> Result<Self, BookError> {
        let (table, faults) = match storage {
            Storage::Static(bytes) => DbTable::load(&mut Cursor::new(bytes))?,
            Storage::Memory(bytes) => DbTable::load(&mut Cursor::new(bytes))?,
            Storage::File { file, .. } => {
                let mut file = file.into_inner();
                file.rewind()?;
                DbTable::load(&mut BufReader::with_capacity(1 << 18, file))?
            }
        };
        let size = BookSize::Positions(table.positions());
        Ok(Self { source: Source::Table(table), size, faults })
    }

    /// How much it has.
    pub fn size(&self) -> BookSize {
        self.size
    }

    /// Lines of the file that were left out when it was loaded.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Whether it is searched in its file.
    pub fn is_on_the_fly(&self) -> bool {
        match &self.source {
            Source::Table(_) => false,
            Source::DbFile(_) => true,
            Source::Ybb(book) => book.is_file(),
            Source::Apery(book) => book.is_file(),
        }
    }

    /// The moves for a position, the best first ([`sort`]); they need not be legal. Empty where the book has none.
    ///
    /// # Errors
    /// The file cannot be read, or shows that it is broken.
    pub fn probe(&self, position: &Position, lookup: Lookup) -> Result<Vec<BookMove>, BookError> {
        self.probe_board(&Board::from(position), position.move_number(), lookup)
    }

    /// The same for a position without a game, and the number of its move.
    ///
    /// # Errors
    /// As [`Self::probe`].
    pub fn probe_board(&self, board: &Board, ply: u32, lookup: Lookup) -> Result<Vec<BookMove>, BookError> {
        let mut moves = self.find(board, ply, lookup.ignore_ply)?;
        if moves.is_empty() && lookup.flipped {
            let turned = self.find(&board.turned(), ply, lookup.ignore_ply)?;
            moves = turned.into_iter().map(BookMove::turned).collect();
        }
        sort(&mut moves);
        Ok(moves)
    }

    fn find(&self, board: &Board, ply: u32, ignore_ply: bool) -> Result<Vec<BookMove>, BookError> {
        let by_ply = match &self.source {
            Source::Apery(book) => return book.find(apery::key(board)),
            Source::DbFile(file) => file.find(board)?,
            Source::Table(table) => db_text::key(board).map(|key| table.find(&key)).unwrap_or_default(),
            Source::Ybb(book) => db_text::key(board).map(|key| book.find(&key)).transpose()?.unwrap_or_default(),
        };
        let mut moves = Vec::new();
        for (number, more) in by_ply {
            // 0: the file gives no number.
            if ignore_ply || number == 0 || u32::from(number) == ply {
                merge(&mut moves, more);
            }
        }
        Ok(moves)
    }
}
