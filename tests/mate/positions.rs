//! Random problems and positions.

use std::collections::HashMap;

use hagane::platform::random::Random;
use hagane::position::{Board, Position};
use hagane::types::{Color, Piece, PieceType, Square};

/// A random mate problem: a lone white king near an edge, a few pieces of both sides around it, some in Black's
/// hand, and the rest in White's; with or without a black king.
pub fn problem(random: &mut Random) -> Option<Position> {
    let mut board = [const { [const { None::<String> }; 9] }; 9];
    let (rank, file) = (random.below(4), random.below(9));
    board[rank][file] = Some("k".into());
    let mut left: Vec<(PieceType, u32)> =
        PieceType::HAND.into_iter().map(|kind| (kind, u32::from(kind.count_in_set()))).collect();
    if random.below(3) == 0 {
        board[8 - random.below(3)][random.below(9)] = Some("K".into());
    }
    for white in [false, true] {
        for _ in 0..2 + random.below(4) {
            let (r, f) =
                ((rank + random.below(5)).saturating_sub(2).min(8), (file + random.below(5)).saturating_sub(2).min(8));
            let place = random.below(7);
            let (kind, count) = left[place];
            if board[r][f].is_some() || count == 0 {
                continue;
            }
            left[place].1 -= 1;
            let letter = if white { kind.letter().to_ascii_lowercase() } else { kind.letter() };
            let promoted = kind.promoted().is_some() && random.below(4) == 0;
            board[r][f] = Some(if promoted { format!("+{letter}") } else { letter.to_string() });
        }
    }
    let mut hands = String::new();
    for (kind, count) in left {
        let mine = if random.below(2) == 0 { (random.below(3) as u32).min(count) } else { 0 };
        let theirs = if random.below(4) == 0 { 0 } else { count - mine };
        for (count, letter) in [(mine, kind.letter()), (theirs, kind.letter().to_ascii_lowercase())] {
            match count {
                0 => {}
                1 => hands.push(letter),
                _ => hands.push_str(&format!("{count}{letter}")),
            }
        }
    }
    let rows: Vec<String> = board
        .iter()
        .map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for cell in row.iter().map(Some).chain([None]) {
                match cell {
                    Some(None) => empty += 1,
                    other => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        if let Some(Some(piece)) = other {
                            text.push_str(piece);
                        }
                    }
                }
            }
            text
        })
        .collect();
    let hands = if hands.is_empty() { "-".into() } else { hands };
    Position::from_sfen(&format!("{} b {hands} 1", rows.join("/"))).ok()
}

/// A position of a random game.
pub fn game(random: &mut Random) -> Position {
    loop {
        let mut position = Position::startpos();
        let plies = 60 + random.below(120);
        position.play_out(plies, random, |_| {});
        if position.has_legal_move() {
            return position;
        }
    }
}

/// A random problem with a slider of the attacker far from the king: in line with it, beside the line, or behind a piece
/// of the attacker that can discover it.
pub fn distant(random: &mut Random) -> Position {
    loop {
        if let Some(position) = try_distant(random) {
            return position;
        }
    }
}

pub fn try_distant(random: &mut Random) -> Option<Position> {
    use PieceType::{Bishop, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    let mut board = Board::EMPTY;
    let mut left: HashMap<PieceType, u32> =
        PieceType::HAND.into_iter().map(|kind| (kind, u32::from(kind.count_in_set()))).collect();
    let place = |board: &mut Board, left: &mut HashMap<_, u32>, color, kind: PieceType, at| {
        let count = left.get_mut(&kind.unpromoted()).filter(|count| **count > 0);
        if let (Some(count), Some(at)) = (count, at)
            && board.piece_on(at).is_none()
        {
            *count -= 1;
            board.set(at, Some(Piece::new(color, kind)));
        }
    };
    let square = |file: i32, rank: i32| {
        let inside = (0..9).contains(&file) && (0..9).contains(&rank);
        inside.then(|| Square::new(file as u8, rank as u8))
    };
    let (file, rank) = (random.below(9) as i32, random.below(2) as i32);
    board.set(square(file, rank)?, Some(Piece::new(Color::White, PieceType::King)));
    let (dx, dy) = [(0, 1), (1, 0), (-1, 0), (1, 1), (-1, 1)][random.below(5)];
    let distance = 3 + random.below(6) as i32;
    let kind = match (dx, dy) {
        (0, 1) if random.below(2) == 0 => Lance,
        (0, _) | (_, 0) => Rook,
        _ => Bishop,
    };
    let aside = if random.below(2) == 0 { random.below(3) as i32 - 1 } else { 0 };
    let slider = square(file + dx * distance + dy * aside, rank + dy * distance + dx * aside)?;
    place(&mut board, &mut left, Color::Black, kind, Some(slider));
    if aside == 0 {
        let step = 1 + random.below(distance as usize - 1) as i32;
        let kind = [Knight, Silver, Gold, Horse][random.below(4)];
        place(&mut board, &mut left, Color::Black, kind, square(file + dx * step, rank + dy * step));
    }
    for (color, count) in [(Color::Black, 1 + random.below(3)), (Color::White, random.below(4))] {
        for _ in 0..count {
            let near = |random: &mut Random| random.below(5) as i32 - 2;
            let at = square(file + near(random), rank + near(random));
            let kinds = [Gold, Silver, Knight, ProPawn, Horse, Lance, Pawn];
            place(&mut board, &mut left, color, kinds[random.below(kinds.len())], at);
        }
    }
    for kind in [Gold, Silver, Knight, Pawn, Rook, Bishop, Lance] {
        if random.below(4) == 0 && left[&kind] > 0 {
            board.set_hand(Color::Black, kind, 1);
            *left.get_mut(&kind)? -= 1;
        }
        if random.below(8) > 0 {
            board.set_hand(Color::White, kind, left[&kind] as u8);
        }
    }
    Position::from_board(&board, 1).ok()
}
