//! Lines in the form of USI's `position` command, one game a line: `startpos moves 7g7f ...`, `sfen ... moves ...`.

use super::end::is_no_move;
use super::{Action, Comment, End, Handicap, NodeId, ReadError, Record, Start, Warning};
use crate::platform::wording::counted;
use crate::position::Board;
use crate::types::Move;

/// Reads one game a line. Empty lines are skipped; lines with `#` are remarks of the next game.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Vec<Record>, ReadError> {
    let mut games: Vec<Record> = Vec::new();
    let mut remarks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(remark) = line.strip_prefix('#') {
            remarks.push(remark.to_owned());
        } else if !line.is_empty() {
            let mut record = read_line(line, number, warnings).map_err(|reason| ReadError::new(number, reason))?;
            record.remarks = std::mem::take(&mut remarks);
            games.push(record);
        }
    }
    if games.is_empty() {
        return Err(ReadError::new(1, "there is no game here"));
    }
    if let Some(last) = games.last_mut() {
        last.remarks.append(&mut remarks);
    }
    Ok(games)
}

fn read_line(line: &str, number: usize, warnings: &mut Vec<Warning>) -> Result<Record, String> {
    let line = line.strip_prefix("position").map_or(line, str::trim_start);
    let (start, rest) = if let Some(rest) = line.strip_prefix("startpos") {
        (Start::of(Handicap::Even), rest)
    } else {
        let sfen = line.strip_prefix("sfen").map_or(line, str::trim_start);
        let (position, moves) = sfen.split_once("moves").unwrap_or((sfen, ""));
        let (diagram, move_number) = Board::from_sfen(position).map_err(|error| error.to_string())?;
        let start = Start { move_number, ..Start::from_diagram(diagram) };
        (start, moves)
    };
    let mut record = Record::new(start);
    let mut diagram = record.start.diagram.clone();
    let mut at = NodeId::ROOT;
    let mut tokens = rest.split_whitespace().filter(|&token| token != "moves");
    for token in tokens.by_ref() {
        if is_no_move(token) {
            warnings.push(Warning::odd(number, format!("'{token}' ends the moves")));
            break;
        }
        if let Some(end) = End::from_any_word(token, diagram.side_to_move()) {
            record.add(at, Action::End(end));
            break;
        }
        let mv: Move = token.parse().map_err(|error| format!("{error}"))?;
        diagram.apply(mv).map_err(|error| format!("'{token}': {error}"))?;
        at = record.add(at, Action::Move(mv));
    }
    if let Some(token) = tokens.next() {
        warnings.push(Warning::not_understood(number, format!("'{token}' follows the end of the game; left out")));
    }
    Ok(record)
}

/// The game as one line, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut losses: Vec<String> = record.variations_lost().into_iter().collect();
    let mut text = String::new();
    for remark in record.remarks.iter().chain(record.unknown_lines.iter().map(|unknown| &unknown.line)) {
        text.push_str(&format!("#{remark}\n"));
    }
    text.push_str(if record.start.handicap == Some(Handicap::Even) && record.start.move_number == 1 {
        "position startpos"
    } else {
        "position sfen "
    });
    if !text.ends_with("startpos") {
        text.push_str(&record.start.to_sfen());
    }
    let line = record.main_line();
    if line.iter().any(|&id| *record.node(id).action() != Action::Start) {
        text.push_str(" moves");
    }
    let mut comments = 0;
    for id in line {
        let node = record.node(id);
        comments += node.comments.iter().filter(|c| matches!(c, Comment::Text(_))).count();
        match node.action() {
            Action::Start => {}
            Action::Move(mv) => text.push_str(&format!(" {mv}")),
            Action::End(end) => match end.usi() {
                Some(word) => text.push_str(&format!(" {word}")),
                None => losses.push(format!("the end '{}' is left out: USI has no word for it", end.word())),
            },
        }
    }
    text.push('\n');
    if comments > 0 {
        losses.push(format!(
            "{} left out: USI has none",
            counted(comments, "line of comments is", "lines of comments are")
        ));
    }
    if record.has_clocks() {
        losses.push("clocks are left out: USI lines have none".to_owned());
    }
    if !record.headers.is_empty() {
        losses.push("headers are left out: USI lines have none".to_owned());
    }
    (text, losses)
}
