//! Positions in UCI's notation: FEN with holdings.
//!
//! `lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[B] b - - 0 2`: the board is SFEN's, the pieces in hand
//! follow it in brackets, the first mover is White (`w`), and the moves are counted in pairs. Programs disagree about
//! the fields between the side to move and the move number, which mean nothing in shogi; any of them may be missing.

use crate::position::Position;

/// The SFEN for the fields of a FEN. What cannot be read stays as it is, for the reader of the SFEN to complain of.
pub(super) fn to_sfen(fields: &[&str]) -> String {
    let Some((&first, rest)) = fields.split_first() else {
        return String::new();
    };
    let (board, holdings) = match first.split_once('[') {
        // Without the closing bracket they cannot be read.
        Some((board, holdings)) => (board, Some(holdings.strip_suffix(']').unwrap_or(&first[board.len()..]))),
        None => (first, None),
    };
    let Some((&side, rest)) = rest.split_first() else {
        return board.to_owned();
    };
    let (holdings, rest) = match (holdings, rest.split_first()) {
        (Some(holdings), _) => (holdings, rest),
        // Without brackets the hands are a field of their own, as in an SFEN.
        (None, Some((&holdings, rest))) => (holdings, rest),
        (None, None) => ("-", rest),
    };
    let second = side == "b";
    let side = match side {
        "w" => "b",
        "b" => "w",
        other => other,
    };
    let number = match rest.last() {
        None | Some(&"-") => first_ply(1, second).to_string(),
        Some(text) => text.parse().map_or_else(|_| (*text).to_owned(), |number| first_ply(number, second).to_string()),
    };
    let holdings = if holdings.is_empty() { "-" } else { holdings };
    format!("{board} {side} {holdings} {number}")
}

/// The number of a move within the game, by the number of its pair.
fn first_ply(pair: u32, second: bool) -> u32 {
    pair.saturating_sub(1).saturating_mul(2).saturating_add(1 + u32::from(second))
}

/// A position as FEN, in the form that Fairy-Stockfish writes.
pub(super) fn of_position(position: &Position) -> String {
    let sfen = position.to_sfen();
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().unwrap_or_default();
    let (board, side, hands) = (next(), next(), next());
    let side = if side == "b" { "w" } else { "b" };
    let mut holdings = String::new();
    let mut count = 0;
    for letter in hands.chars() {
        match letter.to_digit(10) {
            Some(digit) => count = count * 10 + digit as usize,
            None if letter == '-' => {}
            None => {
                holdings.extend(std::iter::repeat_n(letter, count.max(1)));
                count = 0;
            }
        }
    }
    format!("{board}[{holdings}] {side} - - 0 {}", position.move_number().div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn sfen(fen: &str) -> String {
        to_sfen(&fen.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn every_form_of_a_fen() {
        const BOARD: &str = "8k/9/8P/9/9/9/9/9/4K4";
        for (rest, expected) in [
            ("[G] w - 1", "b G 1"),
            ("[] w", "b - 1"),
            ("[-] w 0 1", "b - 1"),
            ("[-] b 0 1", "w - 2"),
            ("[-] w - - 0 7", "b - 13"),
            ("[RPPp] b - - 0 2", "w RPPp 4"),
            ("[2Pp] w - - 3 -", "b 2Pp 1"),
            ("[-] w - - 0 0", "b - 1"),
            (" w G2p 3", "b G2p 5"),
            (" b", "w - 2"),
            ("[-] x - 1", "x - 1"),
            ("[-] w - - 0 joho", "b - joho"),
            ("[P w - - 0 1", "b [P 1"),
            ("[P]p w - - 0 1", "b [P]p 1"),
        ] {
            assert_eq!(sfen(&format!("{BOARD}{rest}")), format!("{BOARD} {expected}"), "{rest}");
        }
        assert_eq!(sfen(BOARD), BOARD);
        assert_eq!(to_sfen(&[]), "");
    }

    #[test]
    fn a_position_is_written_as_fairy_stockfish_does() {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            position.do_move(mv.parse().unwrap());
        }
        let fen = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[B] b - - 0 2";
        assert_eq!(of_position(&position), fen);
        assert_eq!(sfen(fen), position.to_sfen());
        let full = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w R2B4G4S4N4L18Pr 5").unwrap();
        assert_eq!(sfen(&of_position(&full)), "4k4/9/9/9/9/9/9/9/4K4 w RBBGGGGSSSSNNNNLLLLPPPPPPPPPPPPPPPPPPr 6");
    }
}
