//! The engine's thoughts behind its moves, as Floodgate's pages and record readers know them.

use crate::client::{Info, ScoreText};
use crate::position::{Board, Position};
use crate::record::{line_in_japanese, move_in_csa};
use crate::types::{Color, Move};

/// Moves of a line that are sent along: enough for a reader, and short of what a server may cut.
const LONGEST_LINE: usize = 30;

/// What the engine thought of a move of its own, from Black's view.
#[derive(Clone)]
pub struct Thought {
    score: ScoreText,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// The line after the move that was played.
    line: Vec<Move>,
    /// Where the line begins: after the move.
    after: Board,
}

impl Thought {
    /// The thought behind `mv`, played in `position`; `None` where the engine gave no score.
    pub fn new(info: &Info, position: &Position, mv: Move) -> Option<Self> {
        // A bound says little; the last exact score belongs to the move unless the search has changed its mind since.
        let (score, pv) = match &info.exact {
            Some((score, pv)) if is_line_of(pv, mv) => (*score, pv),
            _ => (info.score?, &info.pv),
        };
        let score = if position.side_to_move() == Color::Black { score } else { score.reversed() };
        let mut after = position.clone();
        after.do_move(mv);
        let mut pv = pv.iter().map_while(|word| word.parse::<Move>().ok());
        let mut line = Vec::new();
        // A line that begins with another move says nothing of what follows this one.
        if pv.next() == Some(mv) {
            let mut at = after.clone();
            for next in pv.take(LONGEST_LINE) {
                if !at.is_legal(next) {
                    break;
                }
                at.do_move(next);
                line.push(next);
            }
        }
        Some(Self { score, depth: info.depth, nodes: info.nodes, line, after: Board::from(&after) })
    }

    /// The score as comments have it, from Black's view.
    pub fn score(&self) -> i32 {
        self.score.number()
    }

    /// Floodgate's form: `* 30 -3334FU +2726FU`, the score in centipawns.
    pub fn floodgate(&self) -> String {
        let mut text = format!("* {}", self.score());
        let mut board = self.after.clone();
        for &mv in &self.line {
            text.push(' ');
            text += &move_in_csa(&board, mv);
            if board.apply(mv).is_err() {
                break;
            }
        }
        text
    }

    /// Thinking comments (思考コメント) of a player, one a line.
    pub fn lines(&self, engine: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let winner = |black: bool| if black { "先手勝ち" } else { "後手勝ち" };
        let mate = |black: bool, plies: Option<u32>| match plies {
            Some(plies) => format!("*詰み={}:{plies}手", winner(black)),
            None => format!("*詰み={}", winner(black)),
        };
        lines.push(match self.score {
            ScoreText::Cp(cp) => format!("*評価値={cp}"),
            ScoreText::Mate(plies) => mate(true, plies),
            ScoreText::Mated(plies) => mate(false, plies),
        });
        if !self.line.is_empty() {
            // ShogiHome reads a line without the move before it: no 同 at its head.
            lines.push(format!("*読み筋={}", line_in_japanese(&self.after, &self.line, None)));
        }
        lines.extend(self.depth.map(|depth| format!("*深さ={depth}")));
        lines.extend(self.nodes.map(|nodes| format!("*ノード数={nodes}")));
        if !engine.is_empty() {
            lines.push(format!("*エンジン={engine}"));
        }
        lines
    }
}

/// Whether a line begins with a move.
fn is_line_of(pv: &[String], mv: Move) -> bool {
    pv.first().and_then(|word| word.parse().ok()) == Some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(moves: &[&str], info: &str, mv: &str) -> Option<Thought> {
        let mut position = Position::startpos();
        for mv in moves {
            position.do_move(mv.parse().unwrap());
        }
        let mut folded = Info::default();
        info.split(" / ").for_each(|line| folded.fold(Info::parse(line)));
        Thought::new(&folded, &position, mv.parse().unwrap())
    }

    #[test]
    fn scores_are_blacks_and_lines_begin_after_the_move() {
        let black = thought(&[], "depth 9 nodes 100 score cp 30 pv 7g7f 3c3d 2g2f", "7g7f").unwrap();
        assert_eq!(black.floodgate(), "* 30 -3334FU +2726FU");
        let white = thought(&["7g7f"], "score cp 30 pv 3c3d 2g2f 9i9a", "3c3d").unwrap();
        assert_eq!(white.floodgate(), "* -30 +2726FU", "an illegal move ends the line");
        let mate = thought(&["7g7f"], "score mate 5 pv 3c3d", "3c3d").unwrap();
        assert_eq!(mate.floodgate(), "* -99995");
        let bound = "score cp 30 pv 7g7f 3c3d / score cp 90 lowerbound pv 7g7f";
        assert_eq!(thought(&[], bound, "7g7f").unwrap().floodgate(), "* 30 -3334FU");
        let changed = "score cp 30 pv 2g2f 3c3d / score cp 90 lowerbound pv 7g7f 8c8d";
        assert_eq!(thought(&[], changed, "7g7f").unwrap().floodgate(), "* 90 -8384FU");
        let other = thought(&[], "score cp -4 pv 2g2f 3c3d", "7g7f").unwrap();
        assert_eq!(other.floodgate(), "* -4", "the line of another move");
        assert!(thought(&[], "depth 3 pv 7g7f", "7g7f").is_none());
    }

    #[test]
    fn thinking_comments_of_a_player() {
        let black = thought(&[], "depth 9 nodes 100 score cp 30 pv 7g7f 3c3d 2g2f", "7g7f").unwrap();
        let expected = ["*評価値=30", "*読み筋=△３四歩▲２六歩", "*深さ=9", "*ノード数=100", "*エンジン=Hagane"];
        assert_eq!(black.lines("Hagane"), expected);
        let mated = thought(&[], "score mate -4 pv 7g7f", "7g7f").unwrap();
        assert_eq!(mated.lines(""), ["*詰み=後手勝ち:4手"]);
    }
}
