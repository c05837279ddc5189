//! The main line of a proven mate.
//!
//! The attacker plays the shortest known mate, the defender the longest known defence. Entries that the table has
//! overwritten are searched again, within the length that is known to suffice.

use super::captured_interpositions::may_be_futile;
use super::df_pn::DfPnWorker;
use super::interposition::KnownFutility;
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
    /// The defences that always count are compared by their exact lengths, each proven, instead of by the bounds in the
    /// table.
    pub(super) exact: bool,
}

/// A move and what is known of the position after it.
type Candidate = (Move, SearchResult);

/// The main line from the worker's position, which is proven by `root`; `None` if the search was stopped.
pub(super) fn find(worker: &mut DfPnWorker, root: SearchResult, style: LineStyle) -> Option<Vec<Move>> {
    let mut line = Vec::new();
    let complete = extend(worker, root, style, &mut line);
    for _ in 0..line.len() {
        worker.position().undo_move();
    }
    complete.then_some(line)
}

/// Plays the line out and appends it to `line`; `false` if the search was stopped.
fn extend(worker: &mut DfPnWorker, root: SearchResult, style: LineStyle, line: &mut Vec<Move>) -> bool {
    let mut result = root;
    loop {
        let next = if worker.attacker_to_move() {
            attack(worker, result)
        } else {
            match defence(worker, result.len, style) {
                Some(None) => return true,
                Some(Some(next)) => Some(next),
                None => None,
            }
        };
        let Some((mv, after)) = next else {
            return false;
        };
        worker.position().do_move(mv);
        line.push(mv);
        result = after;
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

/// The longest defence and what is known after it; `Some(None)` if there is none, or only futile interpositions and
/// these do not count.
#[expect(clippy::option_option, reason = "stopped, mated and a move are three answers")]
fn defence(worker: &mut DfPnWorker, len: MateLen, style: LineStyle) -> Option<Option<Candidate>> {
    let (mut others, mut interpositions) = (Vec::new(), Vec::new());
    for &mv in moves::defences(worker.position()).iter() {
        worker.position().do_move(mv);
        let after = worker.search(len.previous());
        worker.position().undo_move();
        if !after.is_proven() {
            return None;
        }
        if may_be_futile(worker.position(), mv, style.futile) {
            interpositions.push((mv, after));
        } else {
            others.push((mv, after));
        }
    }
    let mut longest = longest(worker, others, style)?;
    // They are compared with the defences that count, shorter interpositions included, so the shortest come first.
    interpositions.sort_by_key(|(_, after)| after.len);
    let mut plies = longest.as_ref().map_or(MateLen::ZERO, |(_, after)| after.len.next());
    let mut futility = KnownFutility::new(style.futile, plies);
    for (mv, after) in interpositions {
        if after.len.next() > plies && !futility.is_futile(worker, mv) {
            plies = after.len.next();
            futility = KnownFutility::new(style.futile, plies);
            longest = Some((mv, after));
        }
    }
    Some(longest)
}

/// The move that lasts longest; `None` if the search for its exact length was stopped.
#[expect(clippy::option_option, reason = "stopped, no move and a move are three answers")]
fn longest(worker: &mut DfPnWorker, mut candidates: Vec<Candidate>, style: LineStyle) -> Option<Option<Candidate>> {
    loop {
        // The first of equals.
        let Some(place) = (0..candidates.len()).rev().max_by_key(|&place| candidates[place].1.len) else {
            return Some(None);
        };
        let (mv, after) = candidates[place];
        if style.exact && after.len.0 > 2 {
            worker.position().do_move(mv);
            let sooner = worker.search(MateLen(after.len.0 - 2));
            worker.position().undo_move();
            if sooner.is_proven() {
                candidates[place].1 = sooner;
                continue;
            }
            if !sooner.is_disproven() || worker.halted() {
                return None;
            }
        }
        return Some(Some((mv, after)));
    }
}
