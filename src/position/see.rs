//! Static exchange evaluation (SEE): the outcome of a series of captures on one square.

use crate::bitboard::{Bitboard, between, bishop_rays, lance_attacks, line, rook_rays};
use crate::types::{Color, Move, PieceType, Square};

use super::Position;

use PieceType::*;

/// The value of a kind in exchanges, in centipawns; the king's exceeds all others together.
///
/// The proportions are those that programs have agreed on since Bonanza's machine-tuned values (Hoki 2006), rounded.
#[inline(always)]
pub const fn exchange_value(kind: PieceType) -> i32 {
    const VALUES: [i32; PieceType::TABLE] =
        [0, 90, 315, 405, 495, 855, 990, 540, 15000, 540, 540, 540, 540, 945, 1395, 0];
    VALUES[kind.index()]
}

/// By kind: its place in the order in which pieces capture, the cheapest first.
const CAPTURE_ORDER: [u8; PieceType::TABLE] = {
    const CHEAPEST_FIRST: [PieceType; 14] =
        [Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop, Horse, Rook, Dragon, King];
    let (mut order, mut i) = ([0; PieceType::TABLE], 0);
    while i < CHEAPEST_FIRST.len() {
        order[CHEAPEST_FIRST[i].index()] = i as u8;
        i += 1;
    }
    order
};

impl Position {
    /// The [`exchange_value`] of what stands on a square; 0 where nothing does.
    #[inline(always)]
    pub fn exchange_value_on(&self, square: Square) -> i32 {
        self.piece_on(square).map_or(0, |piece| exchange_value(piece.piece_type()))
    }

    /// What the opponent would win, in centipawns, by taking the piece on a square at once: all of it if nothing defends
    /// it, or else what it is worth more than the cheapest attacker. 0 where nothing stands or it is no gain; of no
    /// meaning for a king.
    pub fn loss_on(&self, square: Square) -> i32 {
        let Some(piece) = self.piece_on(square) else {
            return 0;
        };
        let (color, value) = (piece.color(), exchange_value(piece.piece_type()));
        // Mostly nothing attacks it, which is told faster.
        if !self.is_attacked_by(!color, square, self.occupied()) {
            return 0;
        }
        let attackers = self.attackers_of(!color, square, self.occupied());
        let Some(cheapest) = attackers.into_iter().map(|from| self.exchange_value_on(from)).min() else {
            return 0;
        };
        if self.is_attacked_by(color, square, self.occupied()) { (value - cheapest).max(0) } else { value }
    }

    /// Whether a legal move wins at least `threshold` centipawns by exchanges on its destination, both sides
    /// capturing with their cheapest piece and stopping when it suits them.
    ///
    /// Promotions do not count. A pinned piece does not take off its line, while the piece that pins it stands.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let us = self.side_to_move;
        let Some(moved) = self.moved_piece(mv) else {
            return threshold <= 0;
        };
        let kind = moved.piece_type();
        let gain = self.piece_on(to).map_or(0, |captured| exchange_value(captured.piece_type()));
        if gain < threshold {
            return false;
        }
        // The opponent's balance above the threshold if it captures the moved piece and the exchange ends there. From
        // here on, the side whose turn it is must bring its balance above zero, or the other side wins the exchange.
        let mut excess = exchange_value(kind) - (gain - threshold);
        if excess <= 0 {
            return true;
        }
        let mut occupied = self.occupied() | Bitboard::from_square(to);
        if let Some(from) = mv.from() {
            occupied ^= Bitboard::from_square(from);
        }
        let wide = self.wide_attackers(to, occupied);
        let attackers_of = |side| self.forward_attackers(side, to, occupied) | wide & self.by_color(side);
        let mut attackers = attackers_of(!us);
        if !attackers.any() {
            return true;
        }
        attackers |= attackers_of(us);
        let (mut side, mut holds) = (us, true);
        loop {
            side = !side;
            attackers &= occupied;
            let own = self.unpinned(side, attackers & self.by_color(side), to, occupied);
            let Some((square, kind)) = self.cheapest(own) else {
                return holds;
            };
            // A king captures only what is no longer defended.
            if kind == King && attackers.intersects(self.by_color(!side)) {
                return holds;
            }
            holds = !holds;
            excess = exchange_value(kind) - excess;
            if excess < i32::from(holds) {
                return holds;
            }
            occupied ^= Bitboard::from_square(square);
            attackers |= self.uncovered(to, square, occupied);
        }
    }

    /// Those of a side's attackers of `to` that may take there without exposing their king.
    #[inline]
    fn unpinned(&self, side: Color, mut attackers: Bitboard, to: Square, occupied: Bitboard) -> Bitboard {
        // Only a piece on a line with its king can be pinned.
        let Some(king) = self.king(side).filter(|&king| (rook_rays(king) | bishop_rays(king)).intersects(attackers))
        else {
            return attackers;
        };
        for sniper in self.snipers(!side, king) & occupied {
            let obstacles = between(sniper, king) & occupied;
            if !obstacles.many() && (obstacles & attackers).any() && !line(king, sniper).contains(to) {
                attackers &= !obstacles;
            }
        }
        attackers
    }

    /// The piece of a set that captures first.
    #[inline]
    fn cheapest(&self, set: Bitboard) -> Option<(Square, PieceType)> {
        let pieces = set.iter().filter_map(|square| self.piece_on(square).map(|piece| (square, piece.piece_type())));
        pieces.min_by_key(|&(_, kind)| CAPTURE_ORDER[kind.index()])
    }

    /// Sliders that attack `to` after the piece on `gone` has left.
    fn uncovered(&self, to: Square, gone: Square, occupied: Bitboard) -> Bitboard {
        let line = line(to, gone);
        let sliders = [Lance, Bishop, Rook, Horse, Dragon];
        let sliders = sliders.into_iter().fold(Bitboard::EMPTY, |set, kind| set | self.by_type(kind));
        if !line.intersects(sliders & occupied) {
            return Bitboard::EMPTY;
        }
        let lances = Color::ALL
            .iter()
            .fold(Bitboard::EMPTY, |set, &color| set | lance_attacks(!color, to, occupied) & self.pieces(color, Lance));
        (self.wide_attackers(to, occupied) | lances) & line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;

    #[test]
    fn what_is_lost_is_the_piece_or_its_difference_to_the_attacker() {
        // Lances attack the rook at 1e, which is defended, and the knight at 9e, which is not. A pawn attacks the silver
        // at 5e and a knight the gold at 2e, both defended. Nothing attacks the gold at 5f.
        let sfen = "4k4/9/6n2/l3p3l/N3S2GR/4G4/9/9/4K3L b RBb2g3s2nl15p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let losses = ["1e", "9e", "5e", "2e", "5f", "5d", "8h"].map(|at| position.loss_on(at.parse().unwrap()));
        let value = exchange_value;
        let silver = value(Silver) - value(Pawn);
        assert_eq!(losses[..4], [value(Rook) - value(Lance), value(Knight), silver, value(Gold) - value(Knight)]);
        // The pawn at 5d is attacked by the silver, and nothing defends it; 8h is empty.
        assert_eq!(losses[4..], [0, value(Pawn), 0]);
    }

    /// What a side wins at most by captures on `to`, where a piece of the other stands that is worth `at_risk`; at each
    /// capture, all attackers are looked for anew, and all pins.
    fn wins(position: &Position, side: Color, to: Square, occupied: Bitboard, at_risk: i32) -> i32 {
        let attackers = position.attackers_to(to, occupied) & occupied;
        let pinned = |square: Square| {
            position.king(side).is_some_and(|king| {
                (position.snipers(!side, king) & occupied).iter().any(|sniper| {
                    between(sniper, king) & occupied == Bitboard::from_square(square)
                        && !line(king, sniper).contains(to)
                })
            })
        };
        let own = (attackers & position.by_color(side)).iter().filter(|&square| !pinned(square));
        let takers = own.map(|square| (square, position.piece_on(square).unwrap().piece_type()));
        let Some((square, kind)) = takers.min_by_key(|&(_, kind)| CAPTURE_ORDER[kind.index()]) else {
            return 0;
        };
        if kind == King && (attackers & position.by_color(!side)).any() {
            return 0;
        }
        let occupied = occupied ^ Bitboard::from_square(square);
        (at_risk - wins(position, !side, to, occupied, exchange_value(kind))).max(0)
    }

    /// What a move wins in exchanges.
    fn value(position: &Position, mv: Move) -> i32 {
        let to = mv.to();
        let mut occupied = position.occupied() | Bitboard::from_square(to);
        if let Some(from) = mv.from() {
            occupied ^= Bitboard::from_square(from);
        }
        let moved = exchange_value(position.moved_piece(mv).unwrap().piece_type());
        position.exchange_value_on(to) - wins(position, !position.side_to_move(), to, occupied, moved)
    }

    #[test]
    fn an_exchange_is_worth_what_a_plain_search_of_it_finds() {
        let mut random = Random::new(3);
        let mut outcomes = [0; 2];
        for _ in 0..12 {
            Position::startpos().play_out(150, &mut random, |position| {
                for &mv in position.legal_moves().iter() {
                    let value = value(position, mv);
                    for threshold in [-2000, -500, -100, -75, 0, 1, 90, 500] {
                        let holds = position.see_ge(mv, threshold);
                        assert_eq!(holds, value >= threshold, "{mv} {threshold} {value} {}", position.to_sfen());
                        outcomes[usize::from(holds)] += 1;
                    }
                }
            });
        }
        assert!(outcomes.iter().all(|&times| times > 10_000), "{outcomes:?}");
    }
}
