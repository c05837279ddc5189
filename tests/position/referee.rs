//! An independent referee: the crate haitaka generates the same moves on every position of random games.
//!
//! The differences met, and who was wrong by the rules: haitaka 0.3.2, always about pawn drops near the enemy king.
//!
//! - It allows some that mate (uchifuzume), as `P*9h` in
//!   `3p4b/1+P3s2+N/1pk2pp1n/2NP2g2/l1P2S1GL/4gP2P/N+r3+bSp1/4S1R1p/K7L w L5Pg2p 138`: the dragon on 8g covers 9h, 8h
//!   and 8i, and nothing takes the pawn.
//! - It forbids some that do not even check, as `P*4b` in
//!   `6k2/7L1/1LS2S2S/L8/3S5/5B1PP/1L1GN1N2/3R1B1NN/4K1P2 b 3G15Pr 50`, where the king stands on 3a.
//!
//! Therefore every difference must be a pawn drop, and is judged by the definition: the drop is made on the referee's
//! board, and is mate if the referee sees a check and no reply. Every other move must be the same.

use std::collections::BTreeSet;

use haitaka::Board;

use hagane::position::Position;
use hagane::types::{Move, Piece, PieceType, Square};

use crate::common::play_outs::visit;

const POSITIONS: usize = 200_000;

fn square(square: haitaka::Square) -> Square {
    Square::from_index(square as usize).unwrap()
}

fn convert(mv: haitaka::Move) -> Move {
    match mv {
        haitaka::Move::Drop { piece, to } => Move::drop(PieceType::from_index(piece as usize + 1).unwrap(), square(to)),
        haitaka::Move::BoardMove { from, to, promotion } => Move::board(square(from), square(to), promotion),
    }
}

fn referee_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(convert));
        false
    });
    moves
}

/// Whether a drop gives check and leaves no reply, as the referee sees it.
fn mates(board: &Board, mv: Move) -> bool {
    let mut after = board.clone();
    after.play_unchecked(mv.to_string().parse().unwrap());
    !after.checkers().is_empty() && !after.generate_moves(|moves| !moves.is_empty())
}

/// Whether a pawn may be dropped on a square but for the rules about kings.
fn pawn_fits(position: &Position, to: Square) -> bool {
    let us = position.side_to_move();
    let own_pawn = Piece::new(us, PieceType::Pawn);
    position.hand(us).has(PieceType::Pawn)
        && position.piece_on(to).is_none()
        && to.relative_rank(us) > 0
        && (0..9).all(|rank| position.piece_on(Square::new(to.file(), rank)) != Some(own_pawn))
}

#[test]
fn the_referee_generates_the_same_moves() {
    let mut settled = 0;
    visit(POSITIONS, 1, |position, _| {
        let board: Board = position.to_sfen().parse().unwrap();
        let ours: BTreeSet<Move> = position.legal_moves().iter().copied().collect();
        let theirs: BTreeSet<Move> = referee_moves(&board).into_iter().collect();
        for &mv in ours.symmetric_difference(&theirs) {
            let text = || format!("{mv} in {}", position.to_sfen());
            assert_eq!(mv.dropped(), Some(PieceType::Pawn), "{}", text());
            assert!(pawn_fits(position, mv.to()) && !position.in_check(), "{}", text());
            assert_eq!(ours.contains(&mv), !mates(&board, mv), "{}", text());
            settled += 1;
        }
    });
    println!("{settled} differences settled on {POSITIONS} positions");
    assert!(settled < POSITIONS / 100);
}
