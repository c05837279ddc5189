//! Questions about the positions of one problem, answered one after the other with one table.

use super::control::MateControl;
use super::counted::CountedSearch;
use crate::position::Position;
use crate::types::Move;

/// Answers questions about positions; made by [`Solver::examine`](super::Solver::examine). An answer is `None` if its
/// nodes do not suffice, or if the examiner was stopped. Lengths are counted lengths.
pub struct Examiner<'w, 'a> {
    search: CountedSearch<'w, 'a>,
    control: &'a MateControl<'a>,
    /// Nodes for each question.
    nodes: u64,
}

impl<'w, 'a> Examiner<'w, 'a> {
    pub(super) fn new(search: CountedSearch<'w, 'a>, control: &'a MateControl<'a>, nodes: u64) -> Self {
        Self { search, control, nodes }
    }

    fn ask<R>(&mut self, pos: &Position, question: impl FnOnce(&mut CountedSearch<'w, 'a>) -> Option<R>) -> Option<R> {
        self.control.allow(self.nodes);
        self.search.resume();
        let own = std::mem::replace(self.search.position(), pos.clone());
        let answer = question(&mut self.search);
        *self.search.position() = own;
        answer
    }

    /// Nodes searched for all answers so far.
    pub fn nodes(&self) -> u64 {
        self.control.nodes()
    }

    /// Whether the attacker mates within some plies, whoever is to move.
    pub fn is_mate_within(&mut self, pos: &Position, plies: u16) -> Option<bool> {
        self.ask(pos, |search| search.is_mate_within(plies.into()))
    }

    /// Whether the attacker mates at all.
    pub fn is_mate(&mut self, pos: &Position) -> Option<bool> {
        self.ask(pos, CountedSearch::is_mate)
    }

    /// The defences that count and last exactly `plies`, which must be the length of the position.
    pub fn longest_defences(&mut self, pos: &Position, plies: u16) -> Option<Vec<Move>> {
        self.ask(pos, |search| search.longest_defences(plies.into()))
    }

    /// All defences that count, with how long they last, in a position whose length is `plies`.
    pub fn counting_defences(&mut self, pos: &Position, plies: u16) -> Option<Vec<(Move, u16)>> {
        self.ask(pos, |search| search.counting_defences(plies.into()))
    }

    /// A line of a mate by the mates in the table, played out as far as the nodes go.
    pub fn line(&mut self, pos: &Position) -> Option<Vec<Move>> {
        self.ask(pos, CountedSearch::known_line)
    }
}
