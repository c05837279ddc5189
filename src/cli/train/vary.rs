//! `hagane train vary`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::super::processors;
use super::{Evaluation, bar, check_shares, files_shown, pool, say_held};
use crate::search::Evaluator;
use crate::training::correction::Correction;
use crate::training::fit::loss::CUSTOMARY_SCALE;
use crate::training::generate;
use crate::training::thinker::{self, Searcher};
use crate::training::tree::Tree;
use crate::training::variation::{self, Judge, Searched, Static, vary};
use crate::training::yardstick::Labels;
use crate::types::{Color, Piece, PieceType};

/// Larger scores say who has won, and little of what a piece is worth.
const LARGEST_LABEL: i16 = 2000;

/// Makes positions that games do not show: those of games after up to two random moves, with the static value of a
/// network or of the evaluation made by hand (for a first network: train on them with --lambda 1 --with-checks, then go
/// on with games), or with the value of a search (--nodes). May be stopped at any time; the same command goes on where
/// it stopped.
#[derive(Args)]
pub(super) struct Vary {
    /// Shards, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The folder to write to: a file (.psv) for each shard
    #[arg(long, short)]
    output: PathBuf,
    /// Share of the games' positions that are varied
    #[arg(long, default_value_t = 1.0)]
    share: f32,
    /// Variations of each of them
    #[arg(long, default_value_t = 4)]
    copies: usize,
    /// Nodes of the search that values a position, 0 for the static value
    #[arg(long, default_value_t = 0)]
    nodes: u64,
    /// Also take the positions of each search's tree that were searched at least so many plies deep; 0 for none
    #[arg(long, default_value_t = 0, requires = "nodes", value_parser = clap::value_parser!(i32).range(0..=100))]
    tree: i32,
    #[command(flatten)]
    evaluation: Evaluation,
    /// Labels that were made with --nodes and this network: static values are corrected by what these say that pieces
    /// on the board and in hand are worth beyond them (scores above 2000 are left out); may be given again
    #[arg(long, value_name = "LABELS")]
    corrected_by: Vec<PathBuf>,
    /// The correction is multiplied by this: deep searches see a part of it only, for the same static values stand at
    /// their leaves
    #[arg(long, default_value_t = 1.0, requires = "corrected_by")]
    factor: f32,
    /// Threads; the positions are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Vary {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_shares(&[("--share", self.share)])?;
        ensure!(self.tree == 0 || self.nodes > 0, "--tree needs searches: give --nodes more than 0");
        ensure!(
            self.corrected_by.is_empty() || self.nodes == 0,
            "--corrected-by is for static values: leave --nodes out"
        );
        ensure!((0.0..=100.0).contains(&self.factor), "--factor must be 0 to 100, not {}", self.factor);
        pool(self.threads)?.install(|| self.make())
    }

    fn make(&self) -> anyhow::Result<()> {
        let search = generate::Settings { nodes: self.nodes, hash: 1, ..generate::Settings::default() };
        let (evaluator, mut evaluation) = thinker::evaluation(self.evaluation.valuer())?;
        let correction = self.correction(&evaluator)?;
        if let Some(correction) = &correction {
            evaluation = format!("{evaluation}, and {} times {correction}", self.factor);
        }
        let glance = generate::Settings { nodes: 16, ..search.clone() };
        let searched = || -> Result<_, generate::GenerateError> {
            Ok(Searched {
                quick: Searcher::new(&glance, evaluator.clone())?,
                thorough: Searcher::new(&search, evaluator.clone())?,
                tree: Tree::default(),
            })
        };
        let judge = || -> Result<Box<dyn Judge>, generate::GenerateError> {
            Ok(match self.nodes {
                0 => Box::new(Static {
                    evaluator: evaluator.clone(),
                    correction: correction.clone().map(|found| (found, self.factor)),
                }),
                _ => Box::new(searched()?),
            })
        };
        let settings = variation::Settings {
            seed: self.seed,
            share: self.share,
            copies: self.copies,
            nodes: self.nodes,
            evaluation,
            tree: self.tree,
        };
        let bar = bar()?;
        let each = files_shown(&bar);
        let held = vary(&self.sources, &settings, &self.output, judge, each)?;
        say_held(&bar, held, &self.output)
    }

    /// What the labels say beyond the static values, shown as a table.
    fn correction(&self, evaluator: &Evaluator) -> anyhow::Result<Option<Correction>> {
        if self.corrected_by.is_empty() {
            return Ok(None);
        }
        let labels = Labels::read(&self.corrected_by, CUSTOMARY_SCALE, LARGEST_LABEL)?;
        ensure!(
            !labels.positions().is_empty(),
            "--corrected-by: there is no labelled position with a score up to {LARGEST_LABEL}"
        );
        let values = thinker::values(evaluator, labels.positions(), 0)?;
        let found = Correction::fit(labels.positions(), &values, labels.expectations());
        let mut out = stdout().lock();
        writeln!(out, "{} labels; beyond the static value, in centipawns:", values.len())?;
        writeln!(out, "the turn {:+.1}", found.turn())?;
        writeln!(out, "kind   board   hand")?;
        for kind in PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::King) {
            let piece = Piece::new(Color::Black, kind).to_string();
            write!(out, "{piece:<4} {:+7.1}", found.on_board(kind))?;
            match PieceType::HAND.contains(&kind) {
                true => writeln!(out, " {:+6.1}", found.in_hand(kind))?,
                false => writeln!(out)?,
            }
        }
        Ok(Some(found))
    }
}
