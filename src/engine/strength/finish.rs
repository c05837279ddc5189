//! Mates by checks that a level sees whatever else it sees.

use crate::position::{Generate, MoveList, Position};
use crate::types::Move;

/// Positions that a search for a mate visits at most.
const VISITS: u32 = 3_000;

/// The line of a mate within some plies, each of the attacker's moves a check.
pub(super) fn mate_within(position: &Position, plies: usize) -> Option<Vec<Move>> {
    let mut visits = 0;
    let mut position = position.clone();
    (1..=plies).step_by(2).find_map(|plies| attack(&mut position, plies, &mut visits))
}

fn attack(position: &mut Position, plies: usize, visits: &mut u32) -> Option<Vec<Move>> {
    for mv in moves(position, Generate::Checks) {
        *visits += 1;
        if *visits > VISITS {
            return None;
        }
        position.do_move(mv);
        let rest = if position.repetition().is_none() { defend(position, plies - 1, visits) } else { None };
        position.undo_move();
        if let Some(rest) = rest {
            return Some([vec![mv], rest].concat());
        }
    }
    None
}

/// The longest defence, if all are mated in time.
fn defend(position: &mut Position, plies: usize, visits: &mut u32) -> Option<Vec<Move>> {
    let answers = moves(position, Generate::LegalAll);
    let mut longest = Vec::new();
    if plies == 0 {
        return answers.is_empty().then_some(longest);
    }
    for mv in answers {
        position.do_move(mv);
        let rest = attack(position, plies - 1, visits);
        position.undo_move();
        let line = [vec![mv], rest?].concat();
        if line.len() > longest.len() {
            longest = line;
        }
    }
    Some(longest)
}

fn moves(position: &Position, kind: Generate) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(kind, &mut list);
    list.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_found_to_their_length_and_no_further() {
        for (sfen, plies) in [
            ("8k/9/8P/9/9/9/9/9/4K4 b G 1", 1),
            ("9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1", 3),
            ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let line = mate_within(&position, plies).expect("a mate");
            assert_eq!(line.len(), plies, "{sfen}: {line:?}");
            assert!(plies == 1 || mate_within(&position, plies - 2).is_none());
        }
        assert_eq!(mate_within(&Position::startpos(), 5), None);
    }
}
