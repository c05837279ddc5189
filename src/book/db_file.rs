//! A book of the text format that stays in its file: binary search over its bytes.
//!
//! The lines of the positions are sorted by their bytes, so the line at or after any offset tells in which half the
//! sought one is. Nothing is kept in memory.

use std::cmp::Ordering;

use super::book_move::merge;
use super::db_lines::MAX_LINE;
use super::db_text::DbLine;
use super::storage::Storage;
use super::{BookError, BookMove};
use crate::position::Board;
use crate::types::{Color, Piece, PieceType};

/// The search ends in a scan of this many bytes.
const SCAN: u64 = 4096;
/// How much is read at once.
const BLOCK: usize = 4096;
/// Places at which the order of the file is looked at when it is opened.
const SAMPLES: u64 = 64;

/// A file of the text format.
pub(super) struct DbFile(Storage);

/// A line with a position.
struct PositionLine {
    /// Where the line begins and the next one.
    begin: u64,
    end: u64,
    /// Board, side and hands as the file spells them.
    text: Vec<u8>,
    ply: u16,
}

impl DbFile {
    /// Looks at some places of the file.
    ///
    /// # Errors
    /// Where they show that it is not sorted; with the bytes, which can still be loaded.
    pub(super) fn open(storage: Storage) -> Result<Self, (Storage, BookError)> {
        let file = Self(storage);
        match file.check_order() {
            Ok(()) => Ok(file),
            Err(error) => Err((file.0, error)),
        }
    }

    fn check_order(&self) -> Result<(), BookError> {
        let mut last: Option<PositionLine> = None;
        for sample in 0..SAMPLES {
            let offset = (u128::from(self.0.length()) * u128::from(sample) / u128::from(SAMPLES)) as u64;
            if last.as_ref().is_some_and(|last| offset < last.end) {
                continue;
            }
            let next = self.position_at(offset, self.0.length())?;
            if let (Some(last), Some(next)) = (&last, &next)
                && next.text < last.text
            {
                return Err(BookError::Unsorted);
            }
            last = next.or(last);
        }
        Ok(())
    }

    /// The move numbers at which a position stands in the file, ascending, with the moves.
    pub(super) fn find(&self, board: &Board) -> Result<Vec<(u16, Vec<BookMove>)>, BookError> {
        for spelling in spellings(board) {
            let found = self.find_text(spelling.as_bytes())?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    fn find_text(&self, target: &[u8]) -> Result<Vec<(u16, Vec<BookMove>)>, BookError> {
        // Every position that begins before `low` is smaller than the target, every one at or after `high` is not.
        let (mut low, mut high) = (0, self.0.length());
        let (mut below, mut above) = (Vec::new(), None::<Vec<u8>>);
        while high - low > SCAN {
            let middle = low + (high - low) / 2;
            let Some(line) = self.position_at(middle, high)? else {
                high = middle;
                continue;
            };
            if line.text < below || above.as_ref().is_some_and(|above| line.text > *above) {
                return Err(BookError::Unsorted);
            }
            if line.text.as_slice() < target {
                (low, below) = (line.end, line.text);
            } else {
                (high, above) = (middle, Some(line.text));
            }
        }
        let mut found: Vec<(u16, Vec<BookMove>)> = Vec::new();
        let mut lines = Lines::new(&self.0, low);
        let mut is_target = false;
        while let Some((_, line)) = lines.next()? {
            match DbLine::read(&String::from_utf8_lossy(&line)) {
                DbLine::Position(sfen) => {
                    let (text, ply) = split(sfen);
                    match text.as_slice().cmp(target) {
                        Ordering::Less => is_target = false,
                        Ordering::Equal => {
                            is_target = true;
                            found.push((ply, Vec::new()));
                        }
                        Ordering::Greater => break,
                    }
                }
                DbLine::Move(entry) if is_target => {
                    if let Some((_, moves)) = found.last_mut() {
                        merge(moves, [entry]);
                    }
                }
                _ => {}
            }
        }
        found.sort_by_key(|(ply, _)| *ply);
        Ok(found)
    }

    /// The first line with a position that begins at an offset or after it, but before `limit`.
    fn position_at(&self, offset: u64, limit: u64) -> Result<Option<PositionLine>, BookError> {
        let mut lines = Lines::new(&self.0, offset.saturating_sub(1));
        if offset > 0 {
            // The rest of the line that the byte before belongs to.
            lines.next()?;
        }
        while let Some((begin, line)) = lines.next()? {
            if begin >= limit {
                break;
            }
            if let DbLine::Position(sfen) = DbLine::read(&String::from_utf8_lossy(&line)) {
                let (text, ply) = split(sfen);
                return Ok(Some(PositionLine { begin, end: lines.offset(), text, ply }));
            }
        }
        Ok(None)
    }

    /// The number of positions, estimated from the length of the first ones.
    pub(super) fn estimate(&self) -> Result<u64, BookError> {
        let (mut count, mut begin, mut end) = (0u64, None, 0);
        let mut at = 0;
        while count < SAMPLES
            && let Some(line) = self.position_at(at, self.0.length())?
        {
            begin.get_or_insert(line.begin);
            (at, end) = (line.end, line.begin);
            count += u64::from(line.ply < u16::MAX);
        }
        let length = end.saturating_sub(begin.unwrap_or(0));
        Ok(if count < SAMPLES || length == 0 { count } else { self.0.length() * (count - 1) / length })
    }
}

/// Board, side and hands of an SFEN, and the move number, 0 where there is none.
fn split(sfen: &str) -> (Vec<u8>, u16) {
    let mut words = sfen.split_ascii_whitespace();
    let text: Vec<&str> = words.by_ref().take(3).collect();
    let ply = words.next().map_or(0, |word| word.parse().unwrap_or(u16::MAX));
    (text.join(" ").into_bytes(), ply)
}

/// How files spell a board, its side and hands: as it should be, and with hands in the orders that programs have
/// written.
fn spellings(board: &Board) -> Vec<String> {
    let sfen = board.to_sfen(1);
    let canonical = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(text, _)| text);
    let mut all = vec![canonical.to_owned()];
    let Some((before, _)) = canonical.rsplit_once(' ') else {
        return all;
    };
    use PieceType::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    for order in [PieceType::HAND, [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold]] {
        let mut hands = String::new();
        for color in Color::ALL {
            for kind in order {
                let count = board.hand(color, kind);
                let letter = Piece::new(color, kind).to_string();
                match count {
                    0 => {}
                    1 => hands += &letter,
                    _ => hands += &format!("{count}{letter}"),
                }
            }
        }
        let spelling = format!("{before} {}", if hands.is_empty() { "-" } else { &hands });
        if !all.contains(&spelling) {
            all.push(spelling);
        }
    }
    all
}

/// The lines of a file from an offset on.
struct Lines<'a> {
    storage: &'a Storage,
    /// Where the next block begins.
    next_block: u64,
    block: Vec<u8>,
    used: usize,
}

impl<'a> Lines<'a> {
    fn new(storage: &'a Storage, offset: u64) -> Self {
        Self { storage, next_block: offset, block: Vec::new(), used: 0 }
    }

    /// Where the next line begins.
    fn offset(&self) -> u64 {
        self.next_block - (self.block.len() - self.used) as u64
    }

    /// The next line with its offset, cut to [`MAX_LINE`] bytes.
    fn next(&mut self) -> Result<Option<(u64, Vec<u8>)>, BookError> {
        let begin = self.offset();
        let mut line = Vec::new();
        loop {
            if self.used == self.block.len() {
                self.block.resize(BLOCK, 0);
                let read = self.storage.read(self.next_block, &mut self.block)?;
                self.block.truncate(read);
                (self.used, self.next_block) = (0, self.next_block + read as u64);
                if read == 0 {
                    return Ok((self.offset() > begin).then_some((begin, line)));
                }
            }
            let rest = &self.block[self.used..];
            let end = rest.iter().position(|&byte| byte == b'\n');
            let part = &rest[..end.unwrap_or(rest.len())];
            line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
            self.used += end.map_or(rest.len(), |end| end + 1);
            if end.is_some() {
                return Ok(Some((begin, line)));
            }
        }
    }
}
