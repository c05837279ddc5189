//! The command line: without arguments USI, and a subcommand for everything else; one file each, and thin.

mod analyze;
mod arena;
mod bench;
mod book;
mod check;
mod ctrl_c;
mod doctor;
mod file_arguments;
mod floodgate;
mod mate;
mod net;
mod perft;
mod printer;
mod record;
mod selftest;
mod train;
mod tune;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::nnue::Simd;
use crate::platform::program;
use crate::usi::{self, DebugLog};

/// Exit status of every failure; Windows reports 1 for a killed process.
const FAILURE: u8 = 2;

/// A shogi engine
///
/// Without a subcommand it speaks USI on its standard input and output, ready for a GUI or for typing (try `help`).
#[derive(Parser)]
#[command(name = "hagane", version = VERSION.as_str())]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Arena(Box<arena::Arguments>),
    Bench(bench::Arguments),
    Book(book::Arguments),
    Floodgate(Box<floodgate::Arguments>),
    Perft(perft::Arguments),
    Check(check::Arguments),
    Doctor(doctor::Arguments),
    Mate(mate::Arguments),
    Net(net::Arguments),
    Record(record::Arguments),
    Analyze(analyze::Arguments),
    Selftest(selftest::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
    /// Tells version, commit, target and instruction set
    Version,
}

static VERSION: LazyLock<String> = LazyLock::new(|| format!("{}, {}", program::build(), Simd::fastest().name()));

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let debug_log = DebugLog::default();
    let log = env_logger::Target::Pipe(Box::new(debug_log.clone()));
    // Errors only, unless RUST_LOG says more: some clients never read stderr, and a full pipe would block.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).target(log).init();

    let result = match arguments.command {
        None => usi::run(io::stdin(), io::stdout(), debug_log).map_err(anyhow::Error::from),
        Some(Command::Arena(arguments)) => arguments.run(),
        Some(Command::Bench(arguments)) => arguments.run(),
        Some(Command::Book(arguments)) => arguments.run(),
        Some(Command::Floodgate(arguments)) => arguments.run(),
        Some(Command::Perft(arguments)) => arguments.run(),
        Some(Command::Check(arguments)) => arguments.run(),
        Some(Command::Doctor(arguments)) => arguments.run(),
        Some(Command::Mate(arguments)) => arguments.run(),
        Some(Command::Net(arguments)) => arguments.run(),
        Some(Command::Record(arguments)) => arguments.run(),
        Some(Command::Analyze(arguments)) => arguments.run(),
        Some(Command::Selftest(arguments)) => arguments.run(),
        Some(Command::Train(arguments)) => arguments.run(),
        Some(Command::Tune(arguments)) => arguments.run(),
        Some(Command::Version) => writeln!(io::stdout(), "hagane {}", *VERSION).map_err(anyhow::Error::from),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The reader has closed the pipe (`hagane perft 3 | head`): no failure.
            if error.downcast_ref::<io::Error>().is_some_and(is_closed_pipe) {
                return ExitCode::SUCCESS;
            }
            eprintln!("hagane: {}", sentence(&error));
            ExitCode::from(FAILURE)
        }
    }
}

/// Whether the reader of a pipe has gone. Windows has two more numbers for it: no data (232), not connected (233).
fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && matches!(error.raw_os_error(), Some(232 | 233))
}

/// An error with its causes, each once: some messages contain that of their cause already.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}

/// Prints what clap returns instead of arguments: help, version, or one sentence about what is wrong.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Fails only if the reader has closed the pipe.
        let _ = write!(io::stdout(), "{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut sentence = first.trim_start_matches("error: ").to_owned();
    if sentence.ends_with(':') {
        // The arguments that are missing follow, one a line.
        for line in lines.take_while(|line| line.starts_with("  ")) {
            sentence = format!("{sentence} {}", line.trim());
        }
    }
    if let Some(values) = text.lines().map(str::trim).find(|line| line.starts_with("[possible values:")) {
        sentence = format!("{sentence} {values}");
    }
    let words = env::args_os().skip(1);
    let room = subcommand_of(words.map(|word| word.to_string_lossy().into_owned()));
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        sentence = "a subcommand is missing".to_owned();
    }
    eprintln!("hagane: {sentence} (try {room} --help)");
    ExitCode::from(FAILURE)
}

/// The program and the subcommands that the arguments begin with, for a hint at their `--help`.
fn subcommand_of(arguments: impl Iterator<Item = String>) -> String {
    let mut command = Arguments::command();
    let mut name = command.get_name().to_owned();
    for argument in arguments {
        let Some(inner) = command.find_subcommand(&argument).cloned() else {
            break;
        };
        command = inner;
        name = format!("{name} {argument}");
    }
    name
}
