//! A solved problem as a game record: the problem, the solution as its moves, what was found as headers and comments.

use super::result::ProblemResult;
use super::soundness_text::{branch_text, soundness_text};
use crate::platform::wording::counted;
use crate::position::Board;
use crate::record::{Action, Comment, End, Language, NodeId, Record, Start};
use crate::types::{Move, PieceType};

/// The record of a result; `None` if the problem was not decided or its position is none.
pub fn solution_record(result: &ProblemResult, language: Language) -> Option<Record> {
    let end = match result.verdict.as_str() {
        "mate" => End::Checkmate,
        "nomate" => End::NoMate,
        _ => return None,
    };
    let (diagram, move_number) = Board::from_sfen(&result.sfen).ok()?;
    let mut record = Record::new(Start { move_number, ..Start::from_diagram(diagram) });
    record.set_header("作品名", &result.id);
    if let Some(length) = result.length {
        record.set_header("手数", &format!("{length}手詰"));
    }
    let mut node = NodeId::ROOT;
    for word in result.solution.split_whitespace() {
        node = record.add(node, Action::Move(word.parse::<Move>().ok()?));
    }
    record.add(node, Action::End(end));
    if let Some(length) = result.length {
        let text = match (language, result.shortest) {
            (Language::English, true) => {
                format!("mate in {}, proven to be the shortest", counted(length, "ply", "plies"))
            }
            (Language::English, false) => format!("mate in {}", counted(length, "ply", "plies")),
            (Language::Japanese, true) => format!("{length}手詰（最短）"),
            (Language::Japanese, false) => format!("{length}手詰"),
        };
        record.node_mut(NodeId::ROOT).comments.push(Comment::Text(text));
    }
    if let Some(check) = &result.check {
        let text = soundness_text(result, check, language);
        record.node_mut(NodeId::ROOT).comments.push(Comment::Text(text));
        let line = record.main_line();
        for cook in &check.cooks {
            let other = branch_text(result, cook.ply, &cook.mv, language);
            let text = match language {
                Language::English => format!("also mates: {other}"),
                Language::Japanese => format!("余詰：{other}"),
            };
            // Below the move that it could replace.
            if let Some(&node) = line.iter().filter(|&&id| record.node(id).mv().is_some()).nth(cook.ply - 1) {
                record.node_mut(node).comments.push(Comment::Text(text));
            }
        }
        for cook in &check.cooks {
            let before = result.solution.split_whitespace().take(cook.ply - 1);
            let line = before.chain([cook.mv.as_str()]).chain(cook.line.split_whitespace());
            add_line(&mut record, line, language)?;
        }
    }
    for line in result.variations.iter().flatten() {
        add_line(&mut record, line.split_whitespace(), language)?;
    }
    if result.variations_cut {
        let text = match language {
            Language::English => "not all variations are given",
            Language::Japanese => "変化は一部のみ",
        };
        record.node_mut(NodeId::ROOT).comments.push(Comment::Text(text.to_owned()));
    }
    Some(record)
}

/// Adds a line to a mate beside those of the record, with its length as a comment; `None` if a word is no move.
fn add_line<'a>(record: &mut Record, line: impl Iterator<Item = &'a str>, language: Language) -> Option<()> {
    let (mut node, mut plies, mut new) = (NodeId::ROOT, 0, false);
    for word in line {
        let mv: Move = word.parse().ok()?;
        plies += 1;
        let known = record.node(node).children().iter().copied().find(|&child| record.node(child).mv() == Some(mv));
        new |= known.is_none();
        node = known.unwrap_or_else(|| record.add(node, Action::Move(mv)));
    }
    if new {
        let end = record.diagram_at(node);
        // The first move of a line is the attacker's, unless the problem begins with a king in check that has no opponent.
        let turn = record.turn_at(NodeId::ROOT);
        let attacker = if plies % 2 == 1 { turn } else { !turn };
        let left_over = PieceType::HAND.into_iter().any(|kind| end.hand(attacker, kind) > 0);
        let text = match (language, left_over) {
            (Language::English, false) => counted(plies, "ply", "plies"),
            (Language::English, true) => format!("{}, pieces left over", counted(plies, "ply", "plies")),
            (Language::Japanese, false) => format!("{plies}手"),
            (Language::Japanese, true) => format!("{plies}手駒余り"),
        };
        record.node_mut(node).comments.push(Comment::Text(text));
        record.add(node, Action::End(End::Checkmate));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::check::{Cook, Soundness};
    use super::*;
    use crate::record::{Document, FileFormat};

    #[test]
    fn a_record_holds_problem_solution_and_findings() {
        let result = ProblemResult {
            id: "one".into(),
            sfen: "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1".into(),
            verdict: "mate".into(),
            length: Some(3),
            shortest: true,
            solution: "1d2c 1b1a 2c2b".into(),
            check: Some(Soundness {
                cooks: vec![Cook { ply: 3, mv: "2c1b".into(), ..Cook::default() }],
                sound: true,
                ..Soundness::default()
            }),
            ..ProblemResult::default()
        };
        for format in [FileFormat::Kif, FileFormat::Ki2, FileFormat::Csa, FileFormat::Jkf] {
            let (text, _) = solution_record(&result, Language::Japanese).unwrap().write(format);
            let read = Document::read(text.as_bytes(), Some(format)).unwrap();
            assert!(read.warnings.is_empty(), "{:?} of {text}", read.warnings);
            let game = &read.games[0];
            assert_eq!(game.start.to_sfen(), result.sfen);
            let moves: Vec<String> = game.moves_to(game.main_end()).iter().map(Move::to_string).collect();
            assert_eq!(moves.join(" "), result.solution);
        }
        let (text, _) = solution_record(&result, Language::Japanese).unwrap().write(FileFormat::Kif);
        for part in ["作品名：one", "手数：3手詰", "*3手詰（最短）", "*余詰：▲１二金", "詰み"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        let none = ProblemResult { verdict: "nomate".into(), solution: String::new(), ..result.clone() };
        assert!(solution_record(&none, Language::English).unwrap().write(FileFormat::Kif).0.contains("不詰"));
        let unknown = ProblemResult { verdict: "unknown".into(), ..result };
        assert!(solution_record(&unknown, Language::English).is_none());
    }
}
