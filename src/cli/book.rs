//! `hagane book`

mod look;
mod make;
mod output;
mod whole;

use clap::{Args, Subcommand};

/// Opening books: what they hold, other formats, new ones
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(look::Info),
    Probe(look::Probe),
    Check(look::Check),
    Convert(whole::Convert),
    Merge(whole::Merge),
    Sort(whole::Sort),
    Make(Box<make::Make>),
    Minimax(whole::Minimax),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Info(arguments) => arguments.run(),
            Command::Probe(arguments) => arguments.run(),
            Command::Check(arguments) => arguments.run(),
            Command::Convert(arguments) => arguments.run(),
            Command::Merge(arguments) => arguments.run(),
            Command::Sort(arguments) => arguments.run(),
            Command::Make(arguments) => arguments.run(),
            Command::Minimax(arguments) => arguments.run(),
        }
    }
}
