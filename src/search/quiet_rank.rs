//! What quiet moves are worth by the histories.
//!
//! The drops of one kind lie side by side in every history, destination by destination: their sums are made for the whole
//! board at once, eight squares at a time, which is most of the work of a node with pieces in hand.

use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

use super::history::{LOW_PLIES, PIECE_TO, butterfly, drop_butterfly, piece_to};
use super::move_picker::View;

/// The histories of one node, ready to rank its quiet moves.
pub(super) struct QuietRank<'a> {
    butterfly: &'a [i16],
    structure: &'a [i16; PIECE_TO],
    continuations: [&'a [i16; PIECE_TO]; 5],
    /// Near the root, with its divisor.
    low_ply: Option<(&'a [i16], i32)>,
    /// The kind whose drops were ranked last, and their ranks by destination.
    dropped: Option<PieceType>,
    drops: [i32; Square::COUNT],
}

impl<'a> QuietRank<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let history = view.history;
        Self {
            butterfly: history.butterflies(view.position.side_to_move()),
            structure: history.structures(view.keys),
            continuations: [0, 1, 2, 3, 5].map(|i| history.continuations(view.rows[i])),
            low_ply: (view.ply < LOW_PLIES)
                .then(|| (history.low_plies(view.ply), 1 + view.ply as i32)),
            dropped: None,
            drops: [0; Square::COUNT],
        }
    }

    /// The rank of a quiet move. Drops of one kind are best asked for in a row.
    #[inline(always)]
    pub(super) fn of(&mut self, position: &Position, mv: Move) -> i32 {
        let Some(kind) = mv.dropped() else {
            return self.sum(butterfly(mv), piece_to(position, mv));
        };
        if self.dropped != Some(kind) {
            self.rank_drops(position.side_to_move(), kind);
        }
        self.drops[mv.to().index()]
    }

    fn rank_drops(&mut self, us: Color, kind: PieceType) {
        let from = drop_butterfly(kind);
        let piece = Piece::new(us, kind).index() * Square::COUNT;
        self.dropped = Some(kind);
        self.drops = self.sums(from, piece);
    }

    #[inline(always)]
    fn sum(&self, butterfly: usize, piece_to: usize) -> i32 {
        let [sum] = self.sums(butterfly, piece_to);
        sum
    }

    /// The ranks of moves that lie side by side in the histories, from these places on.
    #[inline(always)]
    fn sums<const N: usize>(&self, butterfly: usize, piece_to: usize) -> [i32; N] {
        let mut sums = [0; N];
        add(&mut sums, &self.butterfly[butterfly..], |number| 2 * number);
        add(&mut sums, &self.structure[piece_to..], |number| 2 * number);
        for row in self.continuations {
            add(&mut sums, &row[piece_to..], |number| number);
        }
        if let Some((low_ply, divisor)) = self.low_ply {
            add(&mut sums, &low_ply[butterfly..], |number| {
                8 * number / divisor
            });
        }
        sums
    }
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [i32; N], table: &[i16], worth: impl Fn(i32) -> i32) {
    for (sum, &number) in sums.iter_mut().zip(&table[..N]) {
        *sum += worth(i32::from(number));
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::History;
    use super::super::keys::Keys;
    use super::*;
    use crate::position::CheckInfo;

    #[test]
    fn drops_are_ranked_as_other_moves_are() {
        let sfen = "lnsgkg1nl/9/ppppppppp/9/9/9/PPPPPPP2/9/LNSGKG1NL b RB2S2Prb 1";
        let position = Position::from_sfen(sfen).unwrap();
        let keys = Keys::of(&position);
        let mut history = History::new();
        let rows = [1, 2, 3, 4, 5, 6].map(|i| 400 * i);
        for (i, &mv) in position.legal_moves().iter().enumerate() {
            let bonus = (i as i32 * 7919) % 5000 - 2500;
            history.update_quiet(&position, &keys, &rows, false, 2, mv, bonus);
        }
        for ply in [2, 9] {
            let view = View {
                position: &position,
                history: &history,
                keys: &keys,
                checks: &CheckInfo::new(&position),
                rows: &rows,
                ply,
                all_moves: false,
            };
            let mut rank = QuietRank::new(&view);
            let mut sums = std::collections::HashSet::new();
            for &mv in position.legal_moves().iter() {
                let sum = rank.sum(butterfly(mv), piece_to(&position, mv));
                assert_eq!(rank.of(&position, mv), sum, "{mv}");
                sums.insert(sum);
            }
            assert!(sums.len() > 50, "the histories say nothing");
        }
    }
}
