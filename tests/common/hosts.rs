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

/// A command that runs a shell script of this text.
pub fn script_of(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a script can be written");
    format!("sh {}", file.display())
}

/// A machine whose shell takes what follows as a line, as that behind `ssh host` does.
pub fn machine(folder: &Path) -> String {
    script_of(folder, "sound", "exec sh -c \"$*\"")
}

/// The same, and dead as soon as one of its programs has read so many lines.
pub fn dying_machine(folder: &Path, lines: usize) -> String {
    let text =
        "test -e GONE && exit 255\ncase $1 in echo) exec \"$@\";; esac\n(sed -u LINESq; touch GONE) | sh -c \"$*\"";
    let gone = folder.join("machine-gone").display().to_string();
    script_of(folder, "dying", &text.replace("GONE", &gone).replace("LINES", &lines.to_string()))
}
