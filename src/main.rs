//! The `hagane` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    hagane::cli::main()
}
