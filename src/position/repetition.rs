//! Repetition (千日手) and perpetual check (連続王手の千日手).

use super::Position;

/// What a repeated position means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The game is drawn.
    Draw,
    /// The opponent has done nothing but give check: the side to move wins.
    Win,
    /// The side to move has done nothing but give check: it loses.
    Loss,
    /// Search only: the board is as before, and the side to move holds more than it did (優等局面).
    Superior,
    /// Search only: the board is as before, and the side to move holds less than it did (劣等局面).
    Inferior,
}

impl Position {
    /// The rule of the game: whether this position (board, hands, side to move) stands for the fourth time or more.
    ///
    /// The position set up counts. It is a perpetual check if every move of one side since the third occurrence before
    /// this one gave check. The scan goes over the whole game.
    pub fn repetition(&self) -> Option<Repetition> {
        let now = self.state();
        let mut occurrences = 1;
        for distance in (2..=usize::from(now.plies_from_null)).step_by(2) {
            let then = &self.states[self.states.len() - 1 - distance];
            if (then.board_key, then.hand_key) == (now.board_key, now.hand_key) {
                occurrences += 1;
                if occurrences == 4 {
                    return Some(self.judge(distance));
                }
            }
        }
        None
    }

    /// For the search, `ply` plies below its root: what it means that this board has occurred before with the same side
    /// to move.
    ///
    /// After the root a second occurrence is treated as if the game would go on repeating. With equal hands it is a draw
    /// or a perpetual check; if one hand dominates the other it is a superior or inferior position (the idea is
    /// YaneuraOu's), a heuristic and no rule. A position that was on the board in the game, the root among them, says
    /// less: a player who comes back with more in hand has won nothing, and one who repeated a check may still do
    /// otherwise, so that only a draw is foreseen, and the rule itself counts. Positions before a null move are not
    /// looked at.
    pub fn repetition_in_search(&self, ply: usize) -> Option<Repetition> {
        let now = self.state();
        if self.visits.is_first(now.board_key) {
            return None;
        }
        let plies = usize::from(now.plies_from_null);
        let last = self.states.len() - 1;
        for distance in (4..=plies).step_by(2) {
            let then = &self.states[last - distance];
            if then.board_key != now.board_key {
                continue;
            }
            let below_root = distance < ply;
            if then.hand_key == now.hand_key {
                return match self.judge(distance) {
                    kind if below_root || kind == Repetition::Draw => Some(kind),
                    _ => self.repetition(),
                };
            }
            // All pieces not on the board are in one of the hands, so that more in one is less in the other.
            if below_root && now.hand.dominates(then.hand) {
                return Some(Repetition::Superior);
            }
            if below_root && then.hand.dominates(now.hand) {
                return Some(Repetition::Inferior);
            }
        }
        None
    }

    /// A repetition over so many plies: perpetual check of one side, or a draw.
    fn judge(&self, distance: usize) -> Repetition {
        let us = self.side_to_move();
        let checks = self.state().continuous_checks;
        judge(usize::from(checks[us.index()]), usize::from(checks[(!us).index()]), distance)
    }
}

/// A repetition over `distance` plies, by the number of plies for which all moves of either side have been checks.
fn judge(own_checks: usize, enemy_checks: usize, distance: usize) -> Repetition {
    match (own_checks >= distance, enemy_checks >= distance) {
        (true, false) => Repetition::Loss,
        (false, true) => Repetition::Win,
        // Nobody checked all the time, or both did in turn.
        _ => Repetition::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(sfen: &str, moves: &str) -> Position {
        let mut position = Position::from_sfen(sfen).unwrap();
        for mv in moves.split_whitespace() {
            let mv = mv.parse().unwrap();
            position.check_move(mv).unwrap();
            position.do_move(mv);
        }
        position
    }

    #[test]
    fn the_fourth_occurrence_is_a_draw_and_the_start_counts() {
        let cycle = "2h3h 8b7b 3h2h 7b8b ";
        assert_eq!(play(Position::STARTPOS, &cycle.repeat(2)).repetition(), None);
        assert_eq!(play(Position::STARTPOS, &cycle.repeat(3)).repetition(), Some(Repetition::Draw));
        let twice = play(Position::STARTPOS, cycle);
        assert_eq!([0, 4, 5].map(|ply| twice.repetition_in_search(ply)), [Some(Repetition::Draw); 3]);
    }

    /// A rook that checks a king to and fro.
    const CHASE: &str = "4k4/9/9/9/9/9/9/9/R3K4 b - 1";

    #[test]
    fn perpetual_check_loses_for_the_checker_at_either_parity() {
        // The start (White not in check) comes back after the escape: the checker is to move.
        let checks = format!("9i9a {}", "5a5b 9a9b 5b5a 9b9a ".repeat(3));
        let after_check = play(CHASE, &checks);
        assert_eq!(after_check.repetition(), Some(Repetition::Win), "the king's side is to move");
        let after_escape = play(CHASE, &format!("9i9a 5a5b {}", "9a9b 5b5a 9b9a 5a5b ".repeat(3)));
        assert_eq!(after_escape.repetition(), Some(Repetition::Loss), "the checker is to move");
    }

    #[test]
    fn checks_of_both_sides_in_turn_are_a_draw() {
        assert_eq!(judge(4, 4, 4), Repetition::Draw);
        assert_eq!(judge(4, 2, 4), Repetition::Loss);
        assert_eq!(judge(2, 6, 4), Repetition::Win);
        assert_eq!(judge(0, 0, 4), Repetition::Draw);
    }

    #[test]
    fn one_quiet_move_in_the_cycle_makes_it_a_draw() {
        // The rook gives one check and one quiet move a cycle.
        let cycle = "9i9a 5a5b 9a9i 5b5a ";
        let position = play(CHASE, &cycle.repeat(3));
        assert_eq!(position.repetition(), Some(Repetition::Draw));
    }

    #[test]
    fn more_in_hand_on_the_same_board_is_superior() {
        // White drops a pawn, the rook takes it and returns, the kings lose and win tempi.
        let start = "8k/9/9/9/9/4R4/9/9/K8 b p 1";
        let cycle = "9i8i P*5e 5f5e 1a2a 5e5f 2a1b 8i9i 1b1a";
        let black_to_move = play(start, cycle);
        assert_eq!(black_to_move.repetition_in_search(9), Some(Repetition::Superior));
        let white_to_move = play(start, &format!("{cycle} 9i8i"));
        assert_eq!(white_to_move.repetition_in_search(9), Some(Repetition::Inferior));
        assert_eq!(white_to_move.repetition(), None);
        for ply in [0, 1, 8] {
            assert_eq!(black_to_move.repetition_in_search(ply), None, "the earlier position is one of the game");
            assert_eq!(white_to_move.repetition_in_search(ply), None);
        }
    }

    #[test]
    fn a_check_repeated_in_the_game_loses_by_the_rule_only() {
        let cycle = "9a9b 5b5a 9b9a 5a5b ";
        let played = |times| play(CHASE, &format!("9i9a 5a5b {}", cycle.repeat(times)));
        for times in 1..=3 {
            let (in_tree, in_game) = (played(times).repetition_in_search(5), played(times).repetition_in_search(4));
            assert_eq!(in_tree, Some(Repetition::Loss));
            assert_eq!(in_game, (times == 3).then_some(Repetition::Loss), "{times}");
        }
    }
}
