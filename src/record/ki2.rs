//! KI2: moves as printed in books (▲７六歩 △３四歩), without origins and times.

use super::kif_body::{Cursor, MoveError, is_variation, lines_of_play, refuse_empty_game, result_line, write_comments};
use super::kif_head::{self, read_head};
use super::kif_row::mentions_move;
use super::notation::move_in_japanese;
use super::written_move::WrittenMove;
use super::{Action, Comment, End, FileFormat, NodeId, ReadError, Record, Warning};

const MARKS: [char; 8] = ['▲', '△', '▽', '▼', '☗', '☖', '⛊', '⛉'];

/// Reads the text of a KI2 file.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Record, ReadError> {
    let begins_moves = |line: &str| {
        let text = line.trim();
        let marked = text.starts_with(MARKS) && (Entry::read(text).is_ok() || !text.contains(['：', ':']));
        let is_move = |entry: &Entry<'_>| matches!(entry.action, EntryAction::Move(_));
        marked || text.starts_with("まで") || entries(text).is_ok_and(|entries| entries.iter().any(is_move))
    };
    let (head, lines) = read_head(text, FileFormat::Ki2, begins_moves, warnings)?;
    let mut cursor = Cursor::new(head.record, FileFormat::Ki2, head.turn_is_open);
    let mut unread_move = None;
    for (number, line) in lines {
        let text = line.trim();
        if cursor.take_note(line, number, warnings) {
            continue;
        }
        if is_variation(text) {
            cursor.go_to_variation(text, number, warnings)?;
        } else if text.starts_with("まで") {
            cursor.take_result(line, number, warnings);
        } else if text.starts_with(MARKS) {
            for entry in entries(text).map_err(|reason| ReadError::new(number, reason))? {
                play(&mut cursor, &entry, number, warnings).map_err(|reason| ReadError::new(number, reason))?;
            }
        } else if !text.is_empty() && !play_without_marks(&mut cursor, text, number, warnings) {
            if mentions_move(text) {
                unread_move.get_or_insert(number);
            }
            cursor.keep_unknown(line, number, warnings);
        }
    }
    refuse_empty_game(cursor.record, unread_move)
}

/// A move or an end in a line.
struct Entry<'a> {
    action: EntryAction,
    shown: &'a str,
}

enum EntryAction {
    Move(WrittenMove),
    End(End),
    /// A comment behind the moves, to the end of the line.
    Comment,
}

impl<'a> Entry<'a> {
    /// Reads a move, or a mark and a known end, from the start of a text; also returns the rest.
    fn read(text: &'a str) -> Result<(Self, &'a str), String> {
        let refusal = match WrittenMove::read(text) {
            Ok((word, rest)) => {
                let shown = &text[..text.len() - rest.len()];
                return Ok((Self { action: EntryAction::Move(word), shown }, rest));
            }
            Err(refusal) => refusal,
        };
        if let Some(comment) = text.strip_prefix('*') {
            return Ok((Self { action: EntryAction::Comment, shown: comment }, ""));
        }
        // Shogi DB2 writes the end as a move: △投了.
        let shown = text.split_whitespace().next().unwrap_or(text);
        let end = shown.strip_prefix(MARKS).and_then(End::from_japanese).ok_or(refusal)?;
        Ok((Self { action: EntryAction::End(end), shown }, &text[shown.len()..]))
    }
}

/// The moves and ends of a line that has nothing else.
fn entries(text: &str) -> Result<Vec<Entry<'_>>, String> {
    let mut entries = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (entry, tail) = Entry::read(rest)?;
        entries.push(entry);
        rest = tail.trim_start();
    }
    Ok(entries)
}

fn play(cursor: &mut Cursor, entry: &Entry<'_>, number: usize, warnings: &mut Vec<Warning>) -> Result<(), String> {
    let shown = entry.shown;
    if matches!(entry.action, EntryAction::Comment) {
        if shown.contains(MARKS) {
            warnings.push(Warning::not_understood(number, format!("'{}' is taken for a comment", shown.trim())));
        }
        cursor.record.node_mut(cursor.at).comments.push(Comment::Text(shown.to_owned()));
        return Ok(());
    }
    if cursor.record.node(cursor.at).end().is_some() {
        return Err(format!("'{shown}' follows the end of the game"));
    }
    let ply = cursor.next_number();
    match &entry.action {
        EntryAction::Comment => {}
        EntryAction::End(end) => cursor.add(Action::End(end.clone()), ply),
        EntryAction::Move(word) => {
            let mv = cursor.resolve(word, number, warnings).map_err(|error| match error {
                MoveError::Unclear(reason) => format!("'{shown}': {reason}"),
                MoveError::Impossible(reason) => format!("'{shown}': {reason}"),
            })?;
            if word.side.is_some_and(|side| side != cursor.diagram.side_to_move()) {
                let text = format!("'{shown}' has the mark of the side that is not to move");
                warnings.push(Warning::odd(number, text));
            }
            cursor.make_move(mv, ply);
        }
    }
    Ok(())
}

/// Plays a line of moves without marks. `false`, and nothing is played, if it is anything else.
fn play_without_marks(cursor: &mut Cursor, text: &str, number: usize, warnings: &mut Vec<Warning>) -> bool {
    let Ok(entries) = entries(text) else {
        return false;
    };
    let mut after = cursor.clone();
    if entries.iter().any(|entry| play(&mut after, entry, number, warnings).is_err()) {
        return false;
    }
    *cursor = after;
    true
}

/// The record as KI2, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut text = String::new();
    kif_head::write(record, FileFormat::Ki2, &mut text);
    text.push('\n');
    write_comments(record, NodeId::ROOT, FileFormat::Ki2, &mut text);
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
            write_comments(record, id, FileFormat::Ki2, text);
        }
    }
    flush(&mut row, text);
}
