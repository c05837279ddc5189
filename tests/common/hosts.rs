//! Other machines, as far as a client can tell: shells that run the program and may die.

use std::path::Path;

/// A command that runs the program elsewhere, as `ssh host hagane` does.
pub fn host() -> String {
    format!("sh -c \"exec '{}'\"", env!("CARGO_BIN_EXE_hagane"))
}

/// The same on a machine that dies after so many lines of input, and is not heard of again.
pub fn dying_host(folder: &Path, lines: usize) -> String {
    let gone = folder.join("gone");
    let program = env!("CARGO_BIN_EXE_hagane");
    format!("sh -c \"test ! -e '{0}' && touch '{0}' && sed -u {lines}q | '{program}'\"", gone.display())
}
