//! The material balance along a line of play.

use crate::position::Position;
use crate::types::{Color, Move, PieceType};

/// The value of a piece on the board or in hand, a pawn being 100: rounded values of hand-crafted evaluations
/// (Bonanza's proportions).
fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Lance => 300,
        PieceType::Knight => 300,
        PieceType::Silver => 500,
        PieceType::Gold => 550,
        PieceType::Bishop => 750,
        PieceType::Rook => 850,
        PieceType::King => 0,
        PieceType::ProPawn => 550,
        PieceType::ProLance => 500,
        PieceType::ProKnight => 500,
        PieceType::ProSilver => 550,
        PieceType::Horse => 1050,
        PieceType::Dragon => 1200,
    }
}

/// The change of a side's material along a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Swing {
    /// The gain, in hundredths of a pawn; negative for a loss.
    pub gain: i32,
    /// The most valuable piece (as captured, unpromoted) that the side loses, net of one of the same kind that it
    /// takes.
    pub lost: Option<PieceType>,
    /// Plies until the line is quiet.
    pub plies: usize,
}

/// Follows a line until two moves in a row neither capture nor promote, over twelve plies at most.
pub(super) fn swing(start: &Position, line: &[Move], side: Color) -> Swing {
    let mut position = start.clone();
    let mut gain = 0;
    let mut quiet = 0;
    // Pieces lost minus pieces taken, by kind.
    let mut balance = [0i32; PieceType::TABLE];
    let mut plies = 0;
    for &mv in line.iter().take(12) {
        if !position.is_legal(mv) {
            break;
        }
        let color = position.side_to_move();
        let sign = if color == side { 1 } else { -1 };
        let captured = position.piece_on(mv.to()).map(|piece| piece.piece_type());
        let moved = position.moved_piece(mv).map(|piece| piece.piece_type());
        if let Some(kind) = captured {
            // The capturing side gains the value lost by the other and holds the piece unpromoted.
            gain += sign * (value(kind) + value(kind.unpromoted()));
            balance[kind.unpromoted().index()] -= sign;
        }
        if mv.is_promotion()
            && let Some(kind) = moved
            && let Some(promoted) = kind.unpromoted().promoted()
        {
            gain += sign * (value(promoted) - value(kind.unpromoted()));
        }
        position.do_move(mv);
        plies += 1;
        quiet = if captured.is_some() || mv.is_promotion() { 0 } else { quiet + 1 };
        if quiet == 2 && plies >= 2 {
            break;
        }
    }
    let lost =
        PieceType::HAND.into_iter().rev().filter(|kind| balance[kind.index()] > 0).max_by_key(|&kind| value(kind));
    Swing { gain, lost, plies }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_is_no_loss_and_a_hung_piece_is_one() {
        let line = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
        let mut position = Position::startpos();
        for mv in line("7g7f 3c3d") {
            position.do_move(mv);
        }
        let exchange = swing(&position, &line("8h2b 3a2b 2g2f 8c8d"), Color::Black);
        assert_eq!((exchange.gain, exchange.lost), (0, None));
        let hung = swing(&position, &line("8h5e 2b5e 2g2f 8c8d"), Color::Black);
        assert_eq!((hung.gain, hung.lost), (-1500, Some(PieceType::Bishop)));
    }
}
