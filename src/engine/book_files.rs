//! Which books the options ask for: where a name is looked for, and what is asked before it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::options::EngineOptions;

/// The value of BookFile that means no book.
pub const NO_BOOK: &str = "no_book";

/// The options that say which book is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookChoice {
    file: String,
    folder: String,
    pub(super) on_the_fly: bool,
}

/// What a file is recognised by when it may have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookFile {
    pub(super) path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// What the options ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WantedBooks {
    /// None.
    No,
    /// The one in the program.
    Internal,
    /// Files, in the order in which they are asked.
    Files(Vec<BookFile>),
    /// A file that is nowhere.
    Missing(String),
}

impl BookChoice {
    pub(super) fn new(options: &EngineOptions) -> Self {
        Self {
            file: options.book_file.trim().to_owned(),
            folder: options.book_dir.trim().to_owned(),
            on_the_fly: options.book_on_the_fly,
        }
    }

    /// Looks for the files.
    pub(super) fn find(&self) -> WantedBooks {
        match self.file.as_str() {
            "" => WantedBooks::Internal,
            name if name.eq_ignore_ascii_case(NO_BOOK) => WantedBooks::No,
            name => match self.candidates(name).iter().find(|path| path.is_file()) {
                Some(path) => {
                    let mut files = priority_files(path);
                    files.push(path.clone());
                    WantedBooks::Files(files.into_iter().map(BookFile::new).collect())
                }
                None => WantedBooks::Missing(name.to_owned()),
            },
        }
    }

    /// The paths to try for a name: in BookDir, then as it is; beside the program, then from the working directory,
    /// since clients set that differently. A `.db` that is nowhere may be a `.ybb`, and the other way round.
    fn candidates(&self, name: &str) -> Vec<PathBuf> {
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let twin = twin(Path::new(name)).into_iter();
        let names: Vec<PathBuf> = [name.into()].into_iter().chain(twin).collect();
        let folders = [Path::new(&self.folder), Path::new("")];
        let bases = [beside, Some(Path::new(""))];
        let places = folders.iter().flat_map(|folder| bases.iter().flatten().map(move |base| base.join(folder)));
        let places: Vec<PathBuf> = places.collect();
        names.iter().flat_map(|name| places.iter().map(move |place| place.join(name))).collect()
    }
}

/// The name with the other ending of YaneuraOu's two.
fn twin(name: &Path) -> Option<PathBuf> {
    let ending = name.extension()?.to_str()?;
    match ending.to_ascii_lowercase().as_str() {
        "db" => Some(name.with_extension("ybb")),
        "ybb" => Some(name.with_extension("db")),
        _ => None,
    }
}

/// YaneuraOu's files of corrections: before `x.db` the files `x-000.db` (or `.ybb`), `x-001.db`, ... are asked, as many
/// as there are.
fn priority_files(path: &Path) -> Vec<PathBuf> {
    let Some(stem) = path.file_stem().filter(|_| twin(path).is_some()) else {
        return Vec::new();
    };
    let numbered = |number: u32| {
        let mut name = stem.to_os_string();
        name.push(format!("-{number:03}.db"));
        let path = path.with_file_name(name);
        [path.with_extension("ybb"), path].into_iter().rev().find(|path| path.is_file())
    };
    (0..1000).map_while(numbered).collect()
}

impl BookFile {
    fn new(path: PathBuf) -> Self {
        let about = fs::metadata(&path).ok();
        let length = about.as_ref().map_or(0, fs::Metadata::len);
        let modified = about.and_then(|about| about.modified().ok());
        Self { path, length, modified }
    }

    /// The name for messages.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}
