//! `hagane train`

mod arguments;
mod average;
mod convert;
mod fit;
mod generate;
mod label;
mod progress;
mod rank;
mod stats;
mod terms;

use clap::{Args, Subcommand};

use self::average::Average;
use self::convert::Convert;
use self::fit::Fit;
use self::generate::Generate;
use self::label::Label;
use self::rank::Rank;
use self::stats::Stats;
use self::terms::Terms;

/// Makes networks: generate -> label -> fit -> average
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    Label(Label),
    Fit(Fit),
    Average(Average),
    Terms(Terms),
    Convert(Convert),
    Stats(Stats),
    Rank(Rank),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Generate(arguments) => arguments.run(),
            Command::Label(arguments) => arguments.run(),
            Command::Fit(arguments) => arguments.run(),
            Command::Average(arguments) => arguments.run(),
            Command::Terms(arguments) => arguments.run(),
            Command::Convert(arguments) => arguments.run(),
            Command::Stats(arguments) => arguments.run(),
            Command::Rank(arguments) => arguments.run(),
        }
    }
}
