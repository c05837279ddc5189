//! Writing a book into the file that the user names.

use std::path::Path;

use anyhow::{Context, bail};

use crate::bookmaker::Collection;
use crate::platform::files::write_whole;

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

/// Writes a book, whole.
pub(super) fn write(path: &Path, book: &Collection) -> anyhow::Result<()> {
    let bytes = match format_of(path)? {
        OutputFormat::Db => book.to_db(),
        OutputFormat::Ybb => book.to_ybb(),
    };
    write_whole(path, &bytes).with_context(|| path.display().to_string())
}
