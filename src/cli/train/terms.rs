//! `hagane train terms`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::arguments::{check_shares, pool};
use crate::cli::file_arguments::expanded;
use crate::nnue::Network;
use crate::platform::files::write_whole;
use crate::platform::scheduling::processors;
use crate::training::data::source;
use crate::training::fit::settings::FitSettings;
use crate::training::fit::shape::Shape;
use crate::training::terms::{fit, text};

/// Fits the attack terms, which are added to a network's value, to games
///
/// The text it writes replaces src/attack_terms/own.txt, or nn_bin.txt for a network of the nn.bin family; the program
/// is then built again. A network of our own wants a new lesson beside new weights.
#[derive(Args)]
pub(super) struct Terms {
    /// Files, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
    /// The network whose value they are added to [default: the built-in one]
    #[arg(long)]
    network: Option<PathBuf>,
    /// The weight of later scores of the game in a position's
    #[arg(long, default_value_t = 0.95)]
    td_lambda: f32,
    /// The scale of scores against results: a score of this much wins 73 % of the games
    #[arg(long, default_value_t = 480.0)]
    scale: f32,
    /// What a weight costs: larger values make rare terms smaller
    #[arg(long, default_value_t = 15.0)]
    ridge: f64,
    /// One game in this many tests the weights and is not learned, 0 for none
    #[arg(long, default_value_t = 12)]
    validation: u64,
    /// Threads
    #[arg(long, default_value_t = processors())]
    threads: usize,
}

impl Terms {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_shares(&[("--td-lambda", self.td_lambda)])?;
        ensure!(self.scale > 0.0, "--scale must be more than 0");
        ensure!(self.ridge > 0.0, "--ridge must be more than 0");
        ensure!(self.validation != 1, "--validation 1 leaves no game to learn from");
        let network = match &self.network {
            Some(path) => Network::load(path).with_context(|| path.display().to_string())?,
            None => Network::internal()?,
        };
        let files = source::files(&expanded(&self.sources)?)?;
        ensure!(!files.is_empty(), "no finished shard in {}", self.sources[0].display());
        let mut settings = FitSettings::new(Shape::own(256), files);
        settings.td_lambda = self.td_lambda;
        settings.scale = self.scale;
        settings.validation = self.validation;
        settings.epochs = 1;
        let fitted = pool(self.threads)?.install(|| fit(&network, &settings, self.ridge))?;
        write_whole(&self.output, text(&fitted.weights).as_bytes())
            .with_context(|| self.output.display().to_string())?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions, weights in {}", fitted.positions, self.output.display())?;
        if fitted.tested > 0 {
            writeln!(
                out,
                "mean square on {} positions of other games: {:.5} by the network, {:.5} with the terms",
                fitted.tested, fitted.network, fitted.with_terms
            )?;
        }
        Ok(())
    }
}
