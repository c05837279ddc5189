//! Lengths as composed problems count them: futile interpositions are not moves.
//!
//! The df-pn search counts every interposition, so its lengths are upper bounds of these. Where it finds no mate within
//! a bound, this search looks again: interpositions that can be captured with check refute a check only if they are not
//! futile. It is a plain AND/OR search with a memory of its own, exact for every hand: lengths without futile
//! interpositions are not monotonic in the attacker's hand, so proof hands do not apply.
//!
//! Two df-pn searches decide most positions for it, because the counted length lies between theirs:
//!
//! ```text
//!   length if the defender makes       counted       length if all
//!   none that can be captured      <=  length   <=   interpositions count
//! ```

use std::collections::HashMap;

use super::captured_interpositions::{after_capture, may_be_futile};
use super::decision::MateDecision;
use super::df_pn::DfPnWorker;
use super::key::NodeKey;
use super::line::{self, DefenceLengths, LineStyle};
use super::mate_len::MateLen;
use super::moves;
use super::search_result::SearchResult;
use super::settings::FutileInterpositions;
use crate::position::Position;
use crate::types::Move;

/// What is known of the counted length of a position.
#[derive(Clone, Copy)]
struct LengthBounds {
    /// The mate is longer than this; `None` if nothing is known.
    longer_than: Option<MateLen>,
    /// The mate is no longer than this; [`MateLen::UNLIMITED`] if none is known.
    within: MateLen,
}

/// The defender's moves.
struct Defences {
    /// Those that always count.
    others: Vec<Move>,
    /// Interpositions that may be futile, near the king first.
    interpositions: Vec<Move>,
}

/// Positions remembered at most; then the memory is cleared.
const MEMORY: usize = 1 << 21;

/// The search; its methods answer `None` if the search was stopped.
pub(super) struct CountedSearch<'w, 'a> {
    worker: &'w mut DfPnWorker<'a>,
    /// Finds lower bounds of counted lengths.
    lower: DfPnWorker<'a>,
    futile: FutileInterpositions,
    known: HashMap<NodeKey, LengthBounds>,
}

impl<'w, 'a> CountedSearch<'w, 'a> {
    /// A search from the worker's position; `lower` is a worker with a table for this convention.
    pub(super) fn new(worker: &'w mut DfPnWorker<'a>, lower: DfPnWorker<'a>, futile: FutileInterpositions) -> Self {
        Self { worker, lower: lower.leaving_out(futile), futile, known: HashMap::new() }
    }

    /// The position.
    pub(super) fn position(&mut self) -> &mut Position {
        self.worker.position()
    }

    /// Goes on after a limit was reached, if there is room again.
    pub(super) fn resume(&mut self) {
        self.worker.resume();
        self.lower.resume();
        self.worker.too_deep = false;
    }

    /// Whether the position is a mate of any length.
    pub(super) fn is_mate(&mut self) -> Option<bool> {
        match MateDecision::of(self.worker.search(MateLen::UNLIMITED), self.worker) {
            MateDecision::Mate(_) => Some(true),
            MateDecision::NoMate => Some(false),
            MateDecision::Open => None,
        }
    }

    /// A line of a mate, by the mates in the table.
    pub(super) fn known_line(&mut self) -> Option<Vec<Move>> {
        let result = self.worker.search(MateLen::UNLIMITED);
        let style = LineStyle { futile: self.futile, lengths: DefenceLengths::Measured };
        if result.is_proven() { line::find(self.worker, result, style) } else { None }
    }

    /// The counted length of a mate that takes no more than `plies`, and perhaps no more than `guess`.
    pub(super) fn length(&mut self, plies: MateLen, guess: MateLen) -> Option<MateLen> {
        let mut shortest = if guess < plies && self.is_mate_within(guess)? { guess } else { plies };
        while shortest.0 >= 2 && self.is_mate_within(MateLen(shortest.0 - 2))? {
            shortest.0 -= 2;
        }
        Some(shortest)
    }

    /// Whether the position is a mate within `plies`.
    pub(super) fn is_mate_within(&mut self, plies: MateLen) -> Option<bool> {
        let key = self.worker.key();
        if let Some(known) = self.known.get(&key) {
            if plies >= known.within {
                return Some(true);
            }
            if known.longer_than.is_some_and(|longer_than| plies <= longer_than) {
                return Some(false);
            }
        }
        self.worker.count_nodes(1);
        if self.worker.halted() {
            return None;
        }
        let mut refutation = None;
        // A look at the moves is cheaper than a search that has no plies left.
        if plies > MateLen::ZERO {
            let all_counted = self.worker.search(plies);
            if all_counted.is_proven() {
                return Some(true);
            }
            if !all_counted.is_disproven() || self.worker.halted() {
                return None;
            }
            if all_counted.len == MateLen::UNLIMITED || self.futile == FutileInterpositions::None {
                return Some(false);
            }
            let fewest = self.lower_bound(plies);
            if self.lower.halted() {
                return None;
            }
            if fewest.is_disproven() {
                return Some(false);
            }
            refutation = all_counted.best;
        }
        let mates = if self.worker.attacker_to_move() {
            self.some_check_mates(plies)?
        } else {
            self.every_defence_loses(plies, refutation)?
        };
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        let known = self.known.entry(key).or_insert(LengthBounds { longer_than: None, within: MateLen::UNLIMITED });
        if mates {
            known.within = known.within.min(plies);
        } else {
            known.longer_than = known.longer_than.max(Some(plies));
        }
        Some(mates)
    }

    /// The result of a search for a mate within `plies` against a defender who makes no interposition that can be
    /// captured.
    fn lower_bound(&mut self, plies: MateLen) -> SearchResult {
        std::mem::swap(self.worker.position(), self.lower.position());
        let result = self.lower.search(plies);
        std::mem::swap(self.worker.position(), self.lower.position());
        result
    }

    /// Whether the position after a move is a mate within `plies` less 1.
    fn is_mate_after(&mut self, mv: Move, plies: MateLen) -> Option<bool> {
        if plies == MateLen::ZERO {
            return Some(false);
        }
        self.worker.position().do_move(mv);
        let mates = self.is_mate_within(plies.previous());
        self.worker.position().undo_move();
        mates
    }

    fn some_check_mates(&mut self, plies: MateLen) -> Option<bool> {
        let mut list = moves::attacks(self.worker.position());
        if self.worker.prefers_the_last() {
            list.reverse();
        }
        for &mv in list.iter() {
            if self.is_mate_after(mv, plies)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether all defences that count lose within `plies`; `first` is tried first.
    fn every_defence_loses(&mut self, plies: MateLen, first: Option<Move>) -> Option<bool> {
        let list = self.defences();
        let mut ordered: Vec<(Move, bool)> =
            list.others.iter().map(|&mv| (mv, false)).chain(list.interpositions.iter().map(|&mv| (mv, true))).collect();
        // With plies left, the lower bound says that the other moves lose: a refutation is most likely an interposition.
        let interpositions_last = plies == MateLen::ZERO;
        ordered.sort_by_key(|&(mv, interposes)| (Some(mv) != first, interposes == interpositions_last));
        let mut put_off = Vec::new();
        for (mv, interposes) in ordered {
            // One whose capture leaves a mate within `plies` is either futile or hardly longer: it waits.
            if interposes && self.is_mate_after_capture(mv, plies)? {
                put_off.push(mv);
            } else if !self.is_mate_after(mv, plies)? {
                return Some(false);
            }
        }
        if put_off.is_empty() {
            return Some(true);
        }
        let counted = self.longest_counted(plies, &list)?;
        for mv in put_off {
            if !self.is_mate_after_capture(mv, counted)? && !self.is_mate_after(mv, plies)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The defender's moves.
    fn defences(&mut self) -> Defences {
        let futile = self.futile;
        let reverse = self.worker.prefers_the_last();
        let pos = self.worker.position();
        let list = moves::defences(pos);
        let (mut interpositions, mut others): (Vec<Move>, Vec<Move>) =
            list.iter().partition(|&&mv| may_be_futile(pos, mv, futile));
        if reverse {
            others.reverse();
        }
        if let Some(king) = pos.king(pos.side_to_move()) {
            interpositions.sort_by_key(|mv| {
                let (files, ranks) = (mv.to().file().abs_diff(king.file()), mv.to().rank().abs_diff(king.rank()));
                files.max(ranks)
            });
        }
        Defences { others, interpositions }
    }

    /// Whether the position after an interposition was captured, with the piece given back, is a mate within `plies`.
    fn is_mate_after_capture(&mut self, defence: Move, plies: MateLen) -> Option<bool> {
        for position in after_capture(self.worker.position(), defence, self.futile) {
            let own = std::mem::replace(self.worker.position(), position);
            let mates = self.is_mate_within(plies);
            *self.worker.position() = own;
            if mates? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// How long the longest of the defences that count and lose within `plies` lasts. The `others` of the list must lose
    /// within `plies`.
    fn longest_counted(&mut self, mut plies: MateLen, list: &Defences) -> Option<MateLen> {
        while plies.0 >= 2 && self.longest_defence(plies, list)?.is_none() {
            plies.0 -= 2;
        }
        Some(plies)
    }

    /// A defence that counts and lasts for exactly `plies`, those that always count first. The `others` of the list must
    /// lose within `plies`.
    #[expect(clippy::option_option, reason = "stopped, no such move and a move are three answers")]
    fn longest_defence(&mut self, plies: MateLen, list: &Defences) -> Option<Option<Move>> {
        let shorter = MateLen(plies.0.saturating_sub(2));
        for &mv in &list.others {
            if !self.is_mate_after(mv, shorter)? {
                return Some(Some(mv));
            }
        }
        let mut put_off = Vec::new();
        for &mv in &list.interpositions {
            if self.is_mate_after_capture(mv, shorter)? {
                put_off.push(mv);
            } else if self.is_mate_after(mv, plies)? && !self.is_mate_after(mv, shorter)? {
                return Some(Some(mv));
            }
        }
        if put_off.is_empty() {
            return Some(None);
        }
        // These are futile unless the shorter defences end before the mate after their capture.
        let counted = self.longest_counted(shorter, list)?;
        for mv in put_off {
            if !self.is_mate_after_capture(mv, counted)?
                && self.is_mate_after(mv, plies)?
                && !self.is_mate_after(mv, shorter)?
            {
                return Some(Some(mv));
            }
        }
        Some(None)
    }

    /// All defences that count and last for exactly `plies`, which is the counted length of the position.
    pub(super) fn longest_defences(&mut self, plies: MateLen) -> Option<Vec<Move>> {
        let shorter = MateLen(plies.0.saturating_sub(2));
        let mut list = self.defences();
        let mut longest = Vec::new();
        let mut others = Vec::new();
        for mv in std::mem::take(&mut list.others) {
            if self.is_mate_after(mv, shorter)? {
                others.push(mv);
            } else {
                longest.push(mv);
            }
        }
        list.others = others;
        // Interpositions are measured against what counts beside them, except others of their own length.
        let measure = if longest.is_empty() { self.longest_counted(shorter, &list)? } else { plies };
        for mv in list.interpositions {
            if !self.is_mate_after_capture(mv, measure)?
                && self.is_mate_after(mv, plies)?
                && !self.is_mate_after(mv, shorter)?
            {
                longest.push(mv);
            }
        }
        Some(longest)
    }

    /// All defences that count, with how long they last; `plies` is the counted length of the position.
    pub(super) fn counting_defences(&mut self, plies: MateLen) -> Option<Vec<(Move, u16)>> {
        let list = self.defences();
        let mut counting = Vec::new();
        for mv in list.others {
            let length = self.length_after(mv, plies)?;
            counting.push((mv, length.0));
        }
        let mut longest = MateLen(counting.iter().map(|&(_, length)| length).max().unwrap_or(0));
        let mut interpositions = Vec::new();
        for mv in list.interpositions {
            // One that is longer than the position is futile.
            if !self.is_mate_after_capture(mv, longest)? && self.is_mate_after(mv, plies)? {
                interpositions.push((mv, self.length_after(mv, plies)?));
            }
        }
        interpositions.sort_by_key(|&(_, length)| length);
        for group in interpositions.chunk_by(|a, b| a.1 == b.1) {
            let measure = longest;
            for &(mv, length) in group {
                if !self.is_mate_after_capture(mv, measure)? {
                    counting.push((mv, length.0));
                    longest = longest.max(length);
                }
            }
        }
        Some(counting)
    }

    /// How long a defence lasts that loses within `plies`.
    fn length_after(&mut self, mv: Move, mut plies: MateLen) -> Option<MateLen> {
        while plies.0 > 2 && self.is_mate_after(mv, MateLen(plies.0 - 2))? {
            plies.0 -= 2;
        }
        Some(plies)
    }

    /// The main line of a mate whose counted length is exactly `plies`.
    pub(super) fn line(&mut self, plies: MateLen) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let complete = self.extend(plies, &mut line);
        for _ in 0..line.len() {
            self.worker.position().undo_move();
        }
        complete.map(|()| line)
    }

    /// Plays the line out and appends it to `line`.
    fn extend(&mut self, mut plies: MateLen, line: &mut Vec<Move>) -> Option<()> {
        while plies != MateLen::ZERO {
            let next = if self.worker.attacker_to_move() {
                self.mating_check(plies)?
            } else {
                let list = self.defences();
                self.longest_defence(plies, &list)?
            };
            let mv = next?;
            self.worker.position().do_move(mv);
            line.push(mv);
            plies = plies.previous();
        }
        Some(())
    }

    /// A check that mates within `plies`; the table's move first.
    #[expect(clippy::option_option, reason = "stopped, no such move and a move are three answers")]
    fn mating_check(&mut self, plies: MateLen) -> Option<Option<Move>> {
        let known = self.worker.search(plies);
        let first = known.best.filter(|&mv| known.is_proven() && self.worker.position().is_legal(mv));
        let list = moves::attacks(self.worker.position());
        for mv in first.into_iter().chain(list.iter().copied().filter(|&mv| Some(mv) != first)) {
            if self.is_mate_after(mv, plies)? {
                return Some(Some(mv));
            }
        }
        Some(None)
    }
}
