//! Writes a game of a match in CSA format.

use crate::position::Board;
use crate::record::{Action, Comment, End, FileFormat, NodeId, Record, Start, TimeUsed};
use crate::types::Color;

use super::result::{GameResult, Reason, Winner};
use super::transcript::Transcript;

/// The game with times, and scores in the form that Floodgate and its viewers use: `'** SCORE`, from Black's view, in
/// centipawns.
pub(super) fn write(names: [&str; 2], result: &GameResult, transcript: &Transcript) -> String {
    let mut record = Record::new(start(transcript));
    record.set_header("先手", names[0]);
    record.set_header("後手", names[1]);
    record.set_header("$EVENT", &format!("game {}", result.game + 1));
    record.remarks.push(format!("{} after {} moves", result.reason.word(), result.plies));
    if !result.detail.is_empty() {
        record.remarks.push(result.detail.clone());
    }
    let mut last = NodeId::ROOT;
    let mut mover = record.start.diagram.side_to_move();
    for token in &transcript.opening.moves {
        if let Ok(mv) = token.parse() {
            last = record.add(last, Action::Move(mv));
            mover = !mover;
        }
    }
    for ply in &transcript.plies {
        let Ok(mv) = ply.token.parse() else {
            break;
        };
        last = record.add(last, Action::Move(mv));
        let node = record.node_mut(last);
        node.clock = Some(TimeUsed { spent: ply.evaluation.time, total: None });
        if let Some(score) = ply.evaluation.score {
            let for_black = if mover == Color::Black { score } else { score.reversed() };
            node.comments.push(Comment::Text(format!("* {}", for_black.number())));
        }
        mover = !mover;
    }
    record.add(last, Action::End(end(result, mover)));
    record.write(FileFormat::Csa).0
}

fn start(transcript: &Transcript) -> Start {
    let sfen = transcript.opening.base.strip_prefix("sfen ");
    let diagram = sfen.and_then(|sfen| Board::from_sfen(sfen).ok());
    match diagram {
        Some((diagram, _)) => Start::from_diagram(diagram),
        None => Start::of(crate::record::Handicap::Even),
    }
}

/// The last entry; `mover` is the side to move at the end.
fn end(result: &GameResult, mover: Color) -> End {
    let mover_wins = result.winner.half_points(mover) == 2;
    match result.reason {
        // As Floodgate records a mate: other programs take %TSUMI for a game without a winner.
        Reason::Checkmate | Reason::Resign => End::Resign,
        Reason::AdjudicatedScore | Reason::AdjudicatedMate if result.winner.half_points(mover) == 0 => End::Resign,
        // The try rule wins by the move itself: there is nothing left to declare.
        Reason::Declaration if mover_wins => End::Declaration,
        Reason::Repetition => End::Repetition,
        Reason::MoveLimit => End::MaxMoves,
        Reason::Time => End::TimeUp,
        Reason::PerpetualCheck | Reason::IllegalMove | Reason::NoMove | Reason::FalseDeclaration => {
            if mover_wins {
                End::IllegalWin
            } else {
                End::IllegalLoss
            }
        }
        _ if result.winner == Winner::Draw => End::Draw,
        _ => End::Interrupt,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::Opening;
    use crate::arena::game::{MoveEvaluation, Ply};
    use crate::arena::result::Effort;
    use crate::client::ScoreText;
    use crate::record::Document;

    #[test]
    fn reads_back_with_times_scores_and_end() {
        let ply = |token: &str, ms, score| Ply {
            token: token.to_owned(),
            evaluation: MoveEvaluation {
                time: Duration::from_millis(ms),
                score: Some(score),
                depth: None,
                nodes: None,
            },
        };
        let transcript = Transcript {
            opening: Opening::parse("startpos moves 7g7f").unwrap(),
            plies: vec![ply("3c3d", 1500, ScoreText::Cp(35)), ply("8h2b+", 20, ScoreText::Mate(Some(3)))],
            text: None,
        };
        let result = GameResult {
            game: 4,
            pair: 2,
            players: [0, 1],
            winner: Winner::Black,
            reason: Reason::Resign,
            detail: String::new(),
            plies: 3,
            efforts: [Effort::default(); 2],
            faults: Vec::new(),
            score: None,
            seconds: 1.0,
            record_end: 0,
        };
        let text = write(["new", "old"], &result, &transcript);
        for part in
            ["N+new\nN-old\n$EVENT:game 5\n", "+7776FU\n-3334FU\nT1.500\n'** -35\n+8822UM\nT0.020\n'** 99997\n%TORYO\n"]
        {
            assert!(text.contains(part), "{text}");
        }
        let both = format!("{text}/\n{text}");
        let document = Document::read(both.as_bytes(), None).unwrap();
        assert_eq!(document.games.len(), 2);
        let game = &document.games[1];
        assert_eq!(game.moves_to(game.main_end()).len(), 3);
        assert_eq!(game.node(game.main_end()).end(), Some(&End::Resign));
    }
}
