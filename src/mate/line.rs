//! The main line of a proven mate.
//!
//! The attacker plays the shortest known mate, the defender the longest defence, by the lengths that are asked for.
//! Entries that the table has overwritten are searched again, within the length that is known to suffice.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::captured_interpositions::may_be_futile;
use super::df_pn::DfPnWorker;
use super::interposition::KnownFutility;
use super::key::NodeKey;
use super::mate_len::MateLen;
use super::moves;
use super::search_result::SearchResult;
use super::settings::FutileInterpositions;
use crate::types::Move;

/// How a line is chosen.
#[derive(Clone, Copy)]
pub(super) struct LineStyle {
    /// The interpositions that may be futile.
    pub(super) futile: FutileInterpositions,
    /// How long defences last.
    pub(super) lengths: DefenceLengths,
}

/// By what lengths defences are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DefenceLengths {
    /// The bounds in the table. They may be far too large, and then the line ends sooner than the defender can hold out.
    Known,
    /// Those of the lines that the table's mates lead to, as far as [`MEASURED_NODES`] go.
    Measured,
    /// Proven ones, of the defences that always count.
    Exact,
}

/// Nodes for measuring lines; then the longest so far has to do, or else the bounds in the table.
const MEASURED_NODES: u64 = 50_000;

/// A move and what is known of the position after it.
type Candidate = (Move, SearchResult);

/// The main line from the worker's position, which is proven by `root`; `None` if the search was stopped.
pub(super) fn find(worker: &mut DfPnWorker, root: SearchResult, style: LineStyle) -> Option<Vec<Move>> {
    let mut lines = Lines { worker, style, measured: HashMap::new(), measure_until: 0 };
    let line = lines.follow(root, Lines::next)?;
    if style.lengths == DefenceLengths::Measured {
        lines.measure_until = lines.worker.nodes() + MEASURED_NODES;
        // Both are mates; where the nodes were too few, the first may be the better defence.
        if lines.measure(root).is_some_and(|length| usize::from(length.0) >= line.len()) {
            return lines.follow(root, Lines::measured_next);
        }
    }
    Some(line)
}

/// The lines that the table's mates lead to.
struct Lines<'w, 'a> {
    worker: &'w mut DfPnWorker<'a>,
    style: LineStyle,
    /// By node, and the bound that its line began with: the next move, and how long the line is. A line's bounds fall
    /// with every move, so it ends.
    measured: HashMap<(NodeKey, MateLen), (Option<Candidate>, MateLen)>,
    /// The worker's nodes after which no more lines are measured.
    measure_until: u64,
}

impl Lines<'_, '_> {
    /// The line from the worker's position, by what `next` says of each; `None` if it does not say.
    fn follow(
        &mut self,
        root: SearchResult,
        next: impl Fn(&mut Self, SearchResult) -> Option<Option<Candidate>>,
    ) -> Option<Vec<Move>> {
        let (mut line, mut result) = (Vec::new(), root);
        let complete = loop {
            match next(self, result) {
                Some(Some((mv, after))) => {
                    self.worker.position().do_move(mv);
                    line.push(mv);
                    result = after;
                }
                Some(None) => break true,
                None => break false,
            }
        };
        for _ in &line {
            self.worker.position().undo_move();
        }
        complete.then_some(line)
    }

    /// The next move of the line; `Some(None)` if there is none, or only futile interpositions and these do not count,
    /// `None` if the search was stopped.
    #[expect(clippy::option_option, reason = "stopped, mated and a move are three answers")]
    fn next(&mut self, result: SearchResult) -> Option<Option<Candidate>> {
        if self.worker.attacker_to_move() { attack(self.worker, result).map(Some) } else { self.defence(result.len) }
    }

    /// The longest defence and what is known after it, with the same answers.
    #[expect(clippy::option_option, reason = "stopped, mated and a move are three answers")]
    fn defence(&mut self, len: MateLen) -> Option<Option<Candidate>> {
        let (mut others, mut interpositions) = (Vec::new(), Vec::new());
        for &mv in moves::defences(self.worker.position()).iter() {
            self.worker.position().do_move(mv);
            let after = self.worker.search(len.previous());
            self.worker.position().undo_move();
            if !after.is_proven() {
                return None;
            }
            if may_be_futile(self.worker.position(), mv, self.style.futile) {
                interpositions.push((mv, after));
            } else {
                others.push((mv, after));
            }
        }
        let measures = self.may_measure();
        let (mut longest, mut plies) = match self.style.lengths {
            DefenceLengths::Exact => self.exactly_longest(others)?,
            DefenceLengths::Known | DefenceLengths::Measured => self.longest(others, measures)?,
        };
        // They are compared with the defences that count, shorter interpositions included, so the shortest come first.
        interpositions.sort_by_key(|(_, after)| after.len);
        let mut futility = KnownFutility::new(self.style.futile, plies);
        for candidate in interpositions {
            if measures && !self.may_measure() && longest.is_some() {
                break;
            }
            if candidate.1.len.next() > plies && !futility.is_futile(self.worker, candidate.0) {
                let length = self.length(candidate, measures)?;
                if length > plies {
                    (longest, plies) = (Some(candidate), length);
                    futility = KnownFutility::new(self.style.futile, plies);
                }
            }
        }
        Some(longest)
    }

    /// The move that lasts longest, and how long.
    fn longest(&mut self, mut candidates: Vec<Candidate>, measures: bool) -> Option<(Option<Candidate>, MateLen)> {
        let (mut longest, mut plies) = (None, MateLen::ZERO);
        // The first of equals.
        candidates.sort_by_key(|(_, after)| Reverse(after.len));
        for candidate in candidates {
            if candidate.1.len.next() <= plies || (measures && !self.may_measure() && longest.is_some()) {
                break;
            }
            let length = self.length(candidate, measures)?;
            if length > plies {
                (longest, plies) = (Some(candidate), length);
            }
        }
        Some((longest, plies))
    }

    /// The move that lasts longest by proven lengths, and how long; `None` if the search for them was stopped.
    fn exactly_longest(&mut self, mut candidates: Vec<Candidate>) -> Option<(Option<Candidate>, MateLen)> {
        loop {
            // The first of equals.
            let Some(place) = (0..candidates.len()).rev().max_by_key(|&place| candidates[place].1.len) else {
                return Some((None, MateLen::ZERO));
            };
            let (mv, after) = candidates[place];
            if after.len.0 > 2 {
                self.worker.position().do_move(mv);
                let sooner = self.worker.search(MateLen(after.len.0 - 2));
                self.worker.position().undo_move();
                if sooner.is_proven() {
                    candidates[place].1 = sooner;
                    continue;
                }
                if !sooner.is_disproven() || self.worker.halted() {
                    return None;
                }
            }
            return Some((Some((mv, after)), after.len.next()));
        }
    }

    /// Whether there are nodes left for measuring lines.
    fn may_measure(&self) -> bool {
        self.worker.nodes() < self.measure_until
    }

    /// How long a defence lasts: measured, or as the table knows it.
    fn length(&mut self, candidate: Candidate, measures: bool) -> Option<MateLen> {
        if measures { self.measure_after(candidate) } else { Some(candidate.1.len.next()) }
    }

    /// The length of the line that begins with a move.
    fn measure_after(&mut self, (mv, after): Candidate) -> Option<MateLen> {
        self.worker.position().do_move(mv);
        let length = self.measure(after);
        self.worker.position().undo_move();
        length.map(MateLen::next)
    }

    /// The length of the line from the worker's position, which is proven by `result`; `None` if the search was stopped.
    fn measure(&mut self, result: SearchResult) -> Option<MateLen> {
        let key = (self.worker.key(), result.len);
        if let Some(&(_, length)) = self.measured.get(&key) {
            return Some(length);
        }
        self.worker.count_nodes(1);
        if self.worker.halted() {
            return None;
        }
        let next = self.next(result)?;
        let length = match next {
            Some(candidate) => self.measure_after(candidate)?,
            None => MateLen::ZERO,
        };
        self.measured.insert(key, (next, length));
        Some(length)
    }

    /// The next move of a line that was measured.
    #[expect(clippy::option_option, reason = "not measured, mated and a move are three answers")]
    fn measured_next(&mut self, result: SearchResult) -> Option<Option<Candidate>> {
        self.measured.get(&(self.worker.key(), result.len)).map(|&(next, _)| next)
    }
}

/// The mating move and what is known after it.
pub(super) fn attack(worker: &mut DfPnWorker, result: SearchResult) -> Option<Candidate> {
    let within = result.len.previous();
    let first = result.best.filter(|&mv| worker.position().is_legal(mv));
    let list = moves::attacks(worker.position());
    for mv in first.into_iter().chain(list.iter().copied().filter(|&mv| Some(mv) != first)) {
        worker.position().do_move(mv);
        let after = worker.search(within);
        worker.position().undo_move();
        if after.is_proven() {
            return Some((mv, after));
        }
        if worker.halted() {
            return None;
        }
    }
    None
}
