//! Reading books, and writing one into the file that the user names.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::bookmaker::{Collection, Fault};
use crate::platform::files::write_whole;
use crate::platform::wording::counted;

/// So many faults of a file are told one by one.
const TOLD: usize = 10;

/// What a file is to be, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputFormat {
    Db,
    Ybb,
}

/// The format that the name of a file asks for.
pub(super) fn format_of(path: &Path) -> anyhow::Result<OutputFormat> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("db") => Ok(OutputFormat::Db),
        Some("ybb") => Ok(OutputFormat::Ybb),
        _ => bail!("{}: a book is written as .db or .ybb", path.display()),
    }
}

/// The format of a file that may be written: it is new, or is to be overwritten.
pub(super) fn new_file(path: &Path, force: bool) -> anyhow::Result<OutputFormat> {
    let format = format_of(path)?;
    ensure!(force || !path.exists(), "{} exists; --force overwrites it", path.display());
    Ok(format)
}

/// Whether two paths are those of one file, however they are spelt.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// Reads a book of which another one is made. Where it is replaced, nothing of it may be left out.
pub(super) fn read_for(path: &Path, output: &Path) -> anyhow::Result<Collection> {
    if !is_same_file(path, output) {
        return read(path);
    }
    let (book, faults) = read_quietly(path)?;
    if let Some(Fault { number, what }) = faults.first() {
        bail!("{}, line {number}: {what}; name another file for the book without it", path.display());
    }
    Ok(book)
}

/// Reads a book; what is left out of it is told on stderr.
pub(super) fn read(path: &Path) -> anyhow::Result<Collection> {
    let (book, faults) = read_quietly(path)?;
    for Fault { number, what } in faults.iter().take(TOLD) {
        eprintln!("{}, line {number}: {what}", path.display());
    }
    if faults.len() > TOLD {
        let more = counted(faults.len() - TOLD, "more line", "more lines");
        eprintln!("{}: {more} left out ('hagane book check' names them all)", path.display());
    }
    Ok(book)
}

/// Reads a book, with what is left out of it.
pub(super) fn read_quietly(path: &Path) -> anyhow::Result<(Collection, Vec<Fault>)> {
    Collection::read(path).with_context(|| path.display().to_string())
}

/// Writes a book, whole; what the format cannot hold is told on stderr.
pub(super) fn write(path: &Path, book: &Collection) -> anyhow::Result<()> {
    write_whole(path, &encode(path, book)).with_context(|| path.display().to_string())
}

/// A book in the format that the name of a file asks for; what that cannot hold is told on stderr.
pub(super) fn encode(path: &Path, book: &Collection) -> Vec<u8> {
    if format_of(path).is_ok_and(|format| format == OutputFormat::Ybb) {
        let (bytes, losses) = book.to_ybb();
        losses.iter().for_each(|loss| eprintln!("{}: {loss}", path.display()));
        bytes
    } else {
        book.to_db()
    }
}

/// `5000 positions, 12345 moves`
pub(super) fn size(book: &Collection) -> String {
    let positions = counted(book.len(), "position", "positions");
    format!("{positions}, {}", counted(book.moves(), "move", "moves"))
}
