//! Counting the leaves of the tree of legal moves.

use rayon::prelude::*;

use crate::types::Move;

use super::{Generate, MoveList, Position};

/// The number of legal move sequences of `depth` plies; repetitions and declarations do not end a line.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut list = MoveList::new();
            position.generate(Generate::LegalAll, &mut list);
            let mut nodes = 0;
            for &mv in &list {
                position.do_move(mv);
                nodes += perft(position, depth - 1);
                position.undo_move();
            }
            nodes
        }
    }
}

/// [`perft`] for each move of the position, in generation order, over all cores. `depth` is at least 1.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    moves
        .par_iter()
        .map_with(position.clone(), |position, &mv| {
            position.do_move(mv);
            let nodes = perft(position, depth.saturating_sub(1));
            position.undo_move();
            (mv, nodes)
        })
        .collect()
}
