//! Counts of what the search does, by step and depth; they exist with the feature `tune` only.
//!
//! They show the shape of a search in half a minute, without a match: how many nodes each step settles, how often it is
//! wrong (see `verification`), how large reductions are, and how often the first move cuts off.

use crate::types::Depth;

/// What is counted, with the numbers of the steps of `negamax`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A node of the main search past the end of the game.
    Node,
    /// Such a node in check.
    InCheck,
    /// A node of quiescence; its depth is 0.
    Quiescence,
    /// 4: settled by the table.
    TtCutoff,
    /// 5: a declaration or mate in one.
    ImmediateWin,
    /// 9
    Razoring,
    /// 10
    ReverseFutility,
    /// 11
    NullMove,
    /// 13
    ProbCut,
    /// 14
    SmallProbCut,
    /// 16: a node that tries no more quiet moves.
    LateMoves,
    /// 16
    CaptureFutility,
    /// 16: captures and checks.
    CaptureSee,
    /// 16
    QuietHistory,
    /// 16
    QuietFutility,
    /// 16
    QuietSee,
    /// 16: the history by which quiet moves are pruned (mean).
    QuietHistoryMean,
    /// 17: a test whether the table's move is singular.
    SingularTest,
    /// 17
    SingularExtension,
    /// 17
    DoubleExtension,
    /// 17
    TripleExtension,
    /// 17: settled by another good move.
    MultiCut,
    /// 20: the reduction at an expected cut node (mean).
    ReductionCut,
    /// 20: the reduction at an expected all node (mean).
    ReductionAll,
    /// 20: the reduction at a node of the principal variation (mean).
    ReductionPv,
    /// 20: a reduced search that came out above alpha.
    ReducedFailHigh,
    /// 24: a fail high.
    FailHigh,
    /// 24: a fail high by the first move.
    FirstFailHigh,
}

/// One worker's counts; empty, and free, without the feature `tune`.
#[derive(Default)]
pub(super) struct Counters {
    #[cfg(feature = "tune")]
    counts: Counts,
    /// Decisions that might have been verified.
    #[cfg(feature = "tune")]
    decisions: u64,
    /// A decision is being verified; decisions below it are not.
    #[cfg(feature = "tune")]
    verifying: bool,
}

impl Counters {
    #[inline]
    pub(super) fn add(&mut self, step: Step, depth: Depth) {
        self.add_value(step, depth, 0);
    }

    /// Counts a value of which the mean is wanted.
    #[inline]
    pub(super) fn add_value(&mut self, step: Step, depth: Depth, value: i32) {
        #[cfg(feature = "tune")]
        if !self.verifying {
            self.counts.add(step, depth, value);
        }
        #[cfg(not(feature = "tune"))]
        let _ = (step, depth, value);
    }
}

#[cfg(feature = "tune")]
pub use tune::{Counts, Table, sample, take};

#[cfg(feature = "tune")]
mod tune {
    use std::fmt;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::{Counters, Step};
    use crate::platform::sync::Mutex;
    use crate::types::Depth;

    /// The first depth of each column.
    const COLUMNS: [Depth; 8] = [0, 1, 2, 3, 4, 6, 9, 13];
    const HEADINGS: [&str; 8] = ["0", "1", "2", "3", "4-5", "6-8", "9-12", "13+"];
    const ROWS: usize = Step::FirstFailHigh as usize + 1;

    /// Steps with what they are called in the table.
    const NAMES: [(Step, &str); ROWS] = [
        (Step::Node, "nodes"),
        (Step::InCheck, "in check"),
        (Step::Quiescence, "quiescence nodes"),
        (Step::TtCutoff, "table cut-off"),
        (Step::ImmediateWin, "immediate win"),
        (Step::Razoring, "razoring"),
        (Step::ReverseFutility, "reverse futility"),
        (Step::NullMove, "null move"),
        (Step::ProbCut, "ProbCut"),
        (Step::SmallProbCut, "small ProbCut"),
        (Step::LateMoves, "late-move count"),
        (Step::CaptureFutility, "captures by futility"),
        (Step::CaptureSee, "captures, checks by SEE"),
        (Step::QuietHistory, "quiet moves by history"),
        (Step::QuietFutility, "quiet moves by futility"),
        (Step::QuietSee, "quiet moves by SEE"),
        (Step::QuietHistoryMean, "history of quiet moves"),
        (Step::SingularTest, "singular tests"),
        (Step::SingularExtension, "single extensions"),
        (Step::DoubleExtension, "double extensions"),
        (Step::TripleExtension, "triple extensions"),
        (Step::MultiCut, "multi-cut"),
        (Step::ReductionCut, "reduction, cut nodes"),
        (Step::ReductionAll, "reduction, all nodes"),
        (Step::ReductionPv, "reduction, PV nodes"),
        (Step::ReducedFailHigh, "reduced, above alpha"),
        (Step::FailHigh, "fail high"),
        (Step::FirstFailHigh, "of these, first move"),
    ];

    /// One decision in this many is verified; 0 for none.
    static SAMPLING: AtomicU64 = AtomicU64::new(0);
    /// The counts of all finished searches since the last [`take`].
    static TOTALS: Mutex<Counts> = Mutex::new(Counts::NONE);

    /// A number of events, with the sum of their values.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct Cell {
        count: u64,
        sum: i64,
        /// Decisions that were verified, and those that proved wrong.
        verified: u64,
        wrong: u64,
    }

    /// Counts by step and column of depths.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Counts([[Cell; COLUMNS.len()]; ROWS]);

    impl Default for Counts {
        fn default() -> Self {
            Self::NONE
        }
    }

    impl Counts {
        const NONE: Self = Self([[Cell { count: 0, sum: 0, verified: 0, wrong: 0 }; COLUMNS.len()]; ROWS]);

        fn cell(&mut self, step: Step, depth: Depth) -> &mut Cell {
            let column = COLUMNS.iter().rposition(|&first| first <= depth).unwrap_or(0);
            &mut self.0[step as usize][column]
        }

        pub(super) fn add(&mut self, step: Step, depth: Depth, value: i32) {
            let cell = self.cell(step, depth);
            cell.count += 1;
            cell.sum += i64::from(value);
        }

        fn merge(&mut self, other: &Self) {
            for (cell, other) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
                cell.count += other.count;
                cell.sum += other.sum;
                cell.verified += other.verified;
                cell.wrong += other.wrong;
            }
        }

        /// Nodes of the main search and of quiescence that were counted.
        pub fn nodes(&self) -> [u64; 2] {
            [Step::Node, Step::Quiescence].map(|step| self.row(step).iter().map(|cell| cell.count).sum())
        }

        /// Decisions that were verified, and how many of them proved wrong.
        pub fn verified(&self) -> [u64; 2] {
            let cells = || self.0.iter().flatten();
            [cells().map(|cell| cell.verified).sum(), cells().map(|cell| cell.wrong).sum()]
        }

        fn row(&self, step: Step) -> &[Cell; COLUMNS.len()] {
            &self.0[step as usize]
        }
    }

    impl Counters {
        /// Whether a decision is to be verified; from then on until [`verified`](Self::verified), no other one is.
        pub(in super::super) fn begin_verification(&mut self) -> bool {
            let every = SAMPLING.load(Relaxed);
            if every == 0 || self.verifying {
                return false;
            }
            self.decisions += 1;
            self.verifying = self.decisions.is_multiple_of(every);
            self.verifying
        }

        /// Records what the verification of a decision has found; `None` if the search was stopped.
        pub(in super::super) fn verified(&mut self, step: Step, depth: Depth, wrong: Option<bool>) {
            self.verifying = false;
            if let Some(wrong) = wrong {
                let cell = self.counts.cell(step, depth);
                cell.verified += 1;
                cell.wrong += u64::from(wrong);
            }
        }

        /// Adds the counts of a finished search to those of all searches.
        pub(in super::super) fn publish(&mut self) {
            TOTALS.lock().merge(&std::mem::take(&mut self.counts));
        }
    }

    /// From now on, one pruning decision in `every` is verified by searching without it; 0 for none.
    pub fn sample(every: u64) {
        SAMPLING.store(every, Relaxed);
    }

    /// The counts of all searches that have finished since they were last taken.
    pub fn take() -> Counts {
        std::mem::take(&mut *TOTALS.lock())
    }

    /// Counts as a table: what a step counts in each 100 nodes of its depth, means, and wrong decisions.
    pub struct Table<'a>(pub &'a Counts);

    impl Table<'_> {
        fn line(
            formatter: &mut fmt::Formatter<'_>,
            name: &str,
            cells: &[Cell; COLUMNS.len()],
            value: impl Fn(&Cell, usize) -> Option<f64>,
            all: Option<f64>,
        ) -> fmt::Result {
            write!(formatter, "{name:26}")?;
            let columns = cells.iter().enumerate().map(|(column, cell)| value(cell, column));
            for value in [all].into_iter().chain(columns) {
                match value {
                    Some(value) => write!(formatter, " {value:9.2}")?,
                    None => write!(formatter, " {:>9}", "-")?,
                }
            }
            writeln!(formatter)
        }

        fn heading(formatter: &mut fmt::Formatter<'_>, title: &str) -> fmt::Result {
            write!(formatter, "{title:26} {:>9}", "all")?;
            HEADINGS.iter().try_for_each(|heading| write!(formatter, " {heading:>9}"))?;
            writeln!(formatter)
        }
    }

    impl fmt::Display for Table<'_> {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            let ratio = |part: u64, whole: u64| (whole > 0).then(|| 100.0 * part as f64 / whole as f64);
            let sum = |cells: &[Cell], what: fn(&Cell) -> u64| cells.iter().map(what).sum::<u64>();
            let count = |cell: &Cell| cell.count;
            let nodes = self.0.row(Step::Node);
            let all_nodes = sum(nodes, count);
            Self::heading(formatter, "depth")?;
            for (step, name) in NAMES {
                let cells = self.0.row(step);
                let total = sum(cells, count);
                match step {
                    Step::Node | Step::Quiescence => {
                        let name = format!("{name} (1000)");
                        let thousands = |cell: &Cell, _| (cell.count > 0).then_some(cell.count as f64 / 1000.0);
                        Self::line(formatter, &name, cells, thousands, Some(total as f64 / 1000.0))?;
                    }
                    Step::QuietHistoryMean | Step::ReductionCut | Step::ReductionAll | Step::ReductionPv => {
                        let mean = |count: u64, sum: i64| (count > 0).then(|| sum as f64 / count as f64);
                        let all = mean(total, cells.iter().map(|cell| cell.sum).sum());
                        Self::line(formatter, name, cells, |cell, _| mean(cell.count, cell.sum), all)?;
                    }
                    Step::FirstFailHigh => {
                        let highs = self.0.row(Step::FailHigh);
                        let part = |cell: &Cell, column: usize| ratio(cell.count, highs[column].count);
                        Self::line(formatter, name, cells, part, ratio(total, sum(highs, count)))?;
                    }
                    _ => {
                        let part = |cell: &Cell, column: usize| ratio(cell.count, nodes[column].count);
                        Self::line(formatter, name, cells, part, ratio(total, all_nodes))?;
                    }
                }
            }
            if self.0.verified()[0] > 0 {
                Self::heading(formatter, "\nwrong, in percent")?;
                for (step, name) in NAMES {
                    let cells = self.0.row(step);
                    let all = ratio(sum(cells, |cell| cell.wrong), sum(cells, |cell| cell.verified));
                    if all.is_some() {
                        Self::line(formatter, name, cells, |cell, _| ratio(cell.wrong, cell.verified), all)?;
                    }
                }
            }
            Ok(())
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_step_has_its_row() {
            for (row, (step, _)) in NAMES.iter().enumerate() {
                assert_eq!(*step as usize, row);
            }
        }

        #[test]
        fn counts_stand_in_the_column_of_their_depth() {
            let mut counters = Counters::default();
            for depth in [1, 1, 5, 30] {
                counters.add(Step::Node, depth);
            }
            counters.add(Step::Razoring, 1);
            counters.add_value(Step::ReductionCut, 5, 3);
            counters.add_value(Step::ReductionCut, 4, 2);
            counters.verified(Step::Razoring, 1, Some(true));
            counters.verified(Step::Razoring, 1, Some(false));
            counters.verified(Step::Razoring, 1, None);
            assert_eq!((counters.counts.nodes(), counters.counts.verified()), ([4, 0], [2, 1]));
            let text = Table(&counters.counts).to_string();
            let row = |name: &str| {
                let line = text.lines().rev().find(|line| line.starts_with(name)).unwrap();
                line[26..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(row("nodes"), ["0.00", "-", "0.00", "-", "-", "0.00", "-", "-", "0.00"]);
            assert_eq!(row("reduction, cut"), ["2.50", "-", "-", "-", "-", "2.50", "-", "-", "-"]);
            // The last one is that of wrong decisions.
            assert_eq!(row("razoring"), ["50.00", "-", "50.00", "-", "-", "-", "-", "-", "-"]);
        }
    }
}
