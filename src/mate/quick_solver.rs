//! Small searches for mates beside the main search: a bounded number of nodes, in the caller's thread.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::control::MateControl;
use super::decision::MateDecision;
use super::df_pn::DfPnWorker;
use super::line::{self, DefenceLengths, LineStyle};
use super::mate_len::MateLen;
use super::settings::FutileInterpositions;
use super::table::MateTable;
use crate::position::Position;
use crate::types::{Color, Move};

/// Size of one attacker's table in MiB, mapped page by page as it fills.
const MEGABYTES: usize = 8;
/// Nodes for reading a proven mate's line out of the table.
const LINE_NODES: u64 = 2000;

/// What a small search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuickVerdict {
    /// A mate within `plies`, every interposition counted. The line begins with the mating side's move, or with the
    /// defender's longest defence; it may be shorter than the mate, or empty, where the table has forgotten it.
    Mate {
        /// An upper bound of the length.
        plies: u16,
        /// The main line.
        line: Vec<Move>,
    },
    /// There is no mate by consecutive checks.
    NoMate,
    /// The limits were reached first.
    Unknown,
}

/// A solver that remembers what it has searched, for each side as the attacker.
#[derive(Default)]
pub struct QuickSolver {
    /// The tables know the sides as attacker and defender; created when first needed.
    tables: [Option<MateTable>; 2],
}

impl QuickSolver {
    /// Looks for a mate by `attacker`, who need not be to move, with at most about `nodes`. Setting `stop`, or the
    /// deadline, ends it early. Returns the verdict and the nodes it took.
    ///
    /// The recursion may be some thousand plies deep in theory, some hundred in practice.
    pub fn solve(
        &mut self,
        pos: &Position,
        attacker: Color,
        nodes: u64,
        stop: &AtomicBool,
        deadline: Option<Instant>,
    ) -> (QuickVerdict, u64) {
        let table = self.tables[attacker.index()].get_or_insert_with(|| MateTable::new(MEGABYTES)).claim(true);
        let control = MateControl::new(stop, deadline, Some(nodes));
        let mut worker = DfPnWorker::new(pos.clone(), attacker, &table, &control, 0);
        let result = worker.search(MateLen::UNLIMITED);
        let decision = MateDecision::of(result, &worker);
        worker.resume();
        let verdict = match decision {
            MateDecision::Mate(result) => {
                let grace = MateControl::new(stop, deadline, Some(LINE_NODES));
                let mut reader = DfPnWorker::new(pos.clone(), attacker, &table, &grace, 0);
                let style = LineStyle { futile: FutileInterpositions::None, lengths: DefenceLengths::Known };
                let line = line::find(&mut reader, result, style).unwrap_or_else(|| result.best.into_iter().collect());
                QuickVerdict::Mate { plies: result.len.0, line }
            }
            MateDecision::NoMate => QuickVerdict::NoMate,
            MateDecision::Open => QuickVerdict::Unknown,
        };
        (verdict, control.nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn solve(solver: &mut QuickSolver, sfen: &str, attacker: Color, nodes: u64) -> QuickVerdict {
        let position = Position::from_sfen(sfen).unwrap();
        solver.solve(&position, attacker, nodes, &AtomicBool::new(false), None).0
    }

    #[test]
    fn mates_are_found_for_either_side_and_its_absence_proven() {
        let mut solver = QuickSolver::default();
        let one = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        match solve(&mut solver, one, Color::Black, 1000) {
            QuickVerdict::Mate { plies, line } => assert_eq!((plies, line.len()), (1, 1)),
            other => panic!("{other:?}"),
        }
        // White to move, in check by a gold that a pawn protects.
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w G 1";
        match solve(&mut solver, mated, Color::Black, 1000) {
            QuickVerdict::Mate { plies, line } => assert_eq!((plies, line.len()), (0, 0)),
            other => panic!("{other:?}"),
        }
        assert_eq!(solve(&mut solver, one, Color::White, 1000), QuickVerdict::NoMate);
        assert_eq!(solve(&mut solver, Position::STARTPOS, Color::Black, 1000), QuickVerdict::NoMate);
    }

    #[test]
    fn too_few_nodes_decide_nothing_and_what_was_searched_is_remembered() {
        let eleven = "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1";
        let mut solver = QuickSolver::default();
        assert_eq!(solve(&mut solver, eleven, Color::Black, 3), QuickVerdict::Unknown);
        let QuickVerdict::Mate { plies, line } = solve(&mut solver, eleven, Color::Black, 100_000) else {
            panic!("a mate in eleven plies");
        };
        assert!(plies >= 11 && line.len() == usize::from(plies), "{plies} {line:?}");
        // The second time it is read out of the table.
        let again = solve(&mut solver, eleven, Color::Black, 200);
        assert_eq!(again, QuickVerdict::Mate { plies, line });
    }
}
