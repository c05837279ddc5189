//! KI2: moves as printed in books (▲７六歩 △３四歩), without origins and times.

use super::kif_body::{
    is_variation, keep_as_remark, lines_of_play, result_line, take_note, variation_parent, write_comments,
};
use super::kif_head::read_head;
use super::notation::move_in_japanese;
use super::written_move::WrittenMove;
use super::{Action, End, NodeId, ReadError, Record, Warning, kif_head};

const MARKS: [char; 8] = ['▲', '△', '▽', '▼', '☗', '☖', '⛊', '⛉'];

/// Reads the text of a KI2 file.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Record, ReadError> {
    let (mut record, lines) = read_head(text, |line| {
        let text = line.trim_start();
        text.starts_with(MARKS) || is_variation(text) || text.starts_with("まで")
    })?;
    let mut at = NodeId::ROOT;
    let mut diagram = record.start.diagram.clone();
    for (number, line) in lines {
        let refuse = |reason: String| ReadError::new(number, reason);
        let text = line.trim();
        if take_note(&mut record, at, line) {
            continue;
        }
        if is_variation(text) {
            at = variation_parent(&record, at, text, number)?;
            diagram = record.diagram_at(at);
        } else if text.starts_with("まで") {
            if record.node(at).end().is_none()
                && let Some(end) = End::from_result_line(text, diagram.turn())
            {
                at = record.add(at, Action::End(end));
            }
        } else if text.starts_with(MARKS) {
            let mut rest = text;
            while !rest.is_empty() {
                let (word, tail) = WrittenMove::read(rest).map_err(refuse)?;
                let shown = &rest[..rest.len() - tail.len()];
                if record.node(at).end().is_some() {
                    return Err(refuse(format!("'{shown}' follows the end of the game")));
                }
                let side = word.side.ok_or_else(|| refuse(format!("'{shown}' has no ▲ or △")))?;
                if side != diagram.turn() {
                    warnings.push(Warning {
                        line: number,
                        text: format!("'{shown}' has the mark of the side that is not to move"),
                    });
                }
                let mv = word
                    .resolve(&diagram, record.last_to(at))
                    .map_err(|reason| refuse(format!("'{shown}': {reason}")))?;
                diagram.apply(mv).map_err(|error| refuse(format!("'{shown}': {error}")))?;
                at = record.add(at, Action::Move(mv));
                rest = tail.trim_start();
            }
        } else if !text.is_empty() {
            keep_as_remark(&mut record, at, line, number, warnings);
        }
    }
    Ok(record)
}

/// The record as KI2, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut text = String::new();
    kif_head::write(record, &mut text);
    text.push('\n');
    write_comments(record, NodeId::ROOT, &mut text);
    for (index, line) in lines_of_play(record).into_iter().enumerate() {
        let Some(&first) = line.first() else { continue };
        if index > 0 {
            text.push_str(&format!("\n変化：{:>4}手\n", record.ply(first)));
        }
        write_line(record, &line, &mut text);
    }
    let losses = record.has_clocks().then(|| "clocks are left out: the format has none".to_owned());
    (text, losses.into_iter().collect())
}

fn write_line(record: &Record, line: &[NodeId], text: &mut String) {
    let Some(parent) = line.first().and_then(|&first| record.node(first).parent()) else {
        return;
    };
    let mut diagram = record.diagram_at(parent);
    let mut row: Vec<String> = Vec::new();
    let flush = |row: &mut Vec<String>, text: &mut String| {
        let padded: String = row
            .iter()
            .map(|word| format!("{word}{}", " ".repeat(12usize.saturating_sub(word.chars().count() * 2).max(1))))
            .collect();
        if !padded.is_empty() {
            text.push_str(padded.trim_end_matches(' '));
            text.push('\n');
        }
        row.clear();
    };
    for &id in line {
        let node = record.node(id);
        let parent = node.parent().unwrap_or(NodeId::ROOT);
        match node.action() {
            Action::Start => {}
            Action::Move(mv) => {
                row.push(move_in_japanese(&diagram, *mv, record.last_to(parent)));
                // Cannot fail: readers only add possible moves.
                let _ = diagram.apply(*mv);
            }
            Action::End(_) => {
                flush(&mut row, text);
                if let Some(result) = result_line(record, id) {
                    text.push_str(&result);
                    text.push('\n');
                }
            }
        }
        if row.len() == 6 || !node.comments.is_empty() || node.bookmark.is_some() {
            flush(&mut row, text);
            write_comments(record, id, text);
        }
    }
    flush(&mut row, text);
}
