//! The result of one problem, as it is printed and kept.

use serde::{Deserialize, Serialize};

use super::check::{REVISION, Soundness};
use super::input::Problem;
use super::settings::SolveSettings;
use crate::mate::{FutileInterpositions, MateLength};
use crate::types::Move;

/// The result of one problem.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProblemResult {
    /// Its name in the input.
    pub id: String,
    /// The position.
    pub sfen: String,
    /// `mate`, `nomate`, `unknown` or `error`.
    pub verdict: String,
    /// Plies of the mate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<usize>,
    /// Whether the length is proven to be the shortest.
    #[serde(default)]
    pub shortest: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds taken.
    pub ms: f64,
    /// The moves in USI, or the error in the input.
    #[serde(default)]
    pub solution: String,
    /// Futile interpositions count as moves of the length.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub interpositions: bool,
    /// Which interpositions may be futile, where it is not the customary drops: `Moves` or `Any`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub futile: String,
    /// What the check of soundness found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub check: Option<Soundness>,
    /// Lines to the mate in which the defender leaves the solution, or another of these lines; only where they were asked
    /// for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variations: Option<Vec<String>>,
    /// There are more variations.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub variations_cut: bool,
    /// The limits, if they were too low for what was asked: another try with the same limits would fail too.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub asked: String,
}

impl ProblemResult {
    /// The result before the problem is solved; one that cannot be read is an error.
    pub(super) fn unsolved(problem: &Problem, work: &SolveSettings) -> Self {
        let (verdict, solution) = match &problem.position {
            Ok(_) => Default::default(),
            Err(why) => ("error".to_owned(), why.clone()),
        };
        Self {
            id: problem.id.clone(),
            sfen: problem.sfen.clone(),
            interpositions: work.settings.futile == FutileInterpositions::None,
            futile: futile_text(work.settings.futile),
            verdict,
            solution,
            ..Self::default()
        }
    }

    /// The moves of the solution.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.solution.split_whitespace().map_while(|word| word.parse().ok()).collect()
    }

    /// Whether the result answers what is asked now, or is all that the same limits gave before.
    pub(super) fn answers(&self, work: &SolveSettings) -> bool {
        let reached = match self.verdict.as_str() {
            "mate" => {
                let futile = work.settings.futile;
                let counted =
                    self.interpositions == (futile == FutileInterpositions::None) && self.futile == futile_text(futile);
                let proven = self.shortest || work.settings.length != MateLength::Exact;
                let current = |check: &Soundness| check.revision == REVISION;
                let checked = !work.check || self.check.as_ref().is_some_and(current);
                counted && proven && checked && (self.variations.is_some() || !work.variations)
            }
            "unknown" => false,
            _ => true,
        };
        reached || self.asked == work.asked()
    }
}

/// What a result says of a convention that is neither the customary one nor the one that counts everything.
fn futile_text(futile: FutileInterpositions) -> String {
    match futile {
        FutileInterpositions::None | FutileInterpositions::Drops => String::new(),
        FutileInterpositions::Moves | FutileInterpositions::Any => format!("{futile:?}"),
    }
}
