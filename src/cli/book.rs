//! `hagane book`

mod make;
mod output;

use clap::{Args, Subcommand};

use self::make::Make;

/// Opening books: what they hold, other formats, new ones
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Make(Make),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Make(arguments) => arguments.run(),
        }
    }
}
