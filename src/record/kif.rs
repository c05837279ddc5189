//! KIF (柿木形式): one move a line with origin and time, comments, bookmarks and variations.
//!
//! Follows the description by the author of the format (柿木義一「棋譜ファイル KIF 形式」) and what programs write.

use super::kif_body::{Cursor, MoveError, is_variation, lines_of_play, refuse_empty_game, result_line, write_comments};
use super::kif_head::{self, read_head};
use super::kif_row::{self, Row, RowAction};
use super::notation::kif_move;
use super::{Action, Comment, End, FileFormat, NodeId, ReadError, Record, Warning};

/// Reads the text of a KIF file.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Record, ReadError> {
    let begins_moves = |line: &str| is_heading(line) || is_result(line) || kif_row::is_certain(line);
    let (head, lines) = read_head(text, FileFormat::Kif, begins_moves, warnings)?;
    let mut cursor = Cursor::new(head.record, FileFormat::Kif, head.turn_is_open);
    let mut unread_move = None;
    for (number, line) in lines {
        if cursor.take_note(line, number, warnings) {
            continue;
        }
        if is_variation(line) {
            cursor.go_to_variation(line, number, warnings)?;
        } else if is_result(line) {
            cursor.take_result(line, number, warnings);
        } else if let Some(row) = kif_row::read(line) {
            let row = row.map_err(|reason| ReadError::new(number, reason))?;
            read_row(&mut cursor, row, number, line, warnings)?;
        } else if !(line.trim().is_empty() || is_heading(line)) {
            if kif_row::mentions_move(line) {
                unread_move.get_or_insert(number);
            }
            cursor.keep_unknown(line, number, warnings);
        }
    }
    refuse_empty_game(cursor.record, unread_move)
}

fn read_row(
    cursor: &mut Cursor,
    row: Row<'_>,
    number: usize,
    line: &str,
    warnings: &mut Vec<Warning>,
) -> Result<(), ReadError> {
    let refuse = |reason: String| ReadError::new(number, reason);
    if cursor.record.node(cursor.at).end().is_some() {
        return match row.action {
            // Some programs write the end twice.
            RowAction::End(end) if !matches!(end, End::Other(_)) => {
                warnings.push(Warning::odd(number, format!("'{}' follows the end of the line", line.trim())));
                cursor.keep(line);
                Ok(())
            }
            _ => Err(refuse("a move follows the end of the game".to_owned())),
        };
    }
    let mut ply = cursor.next_number();
    if let Some(written) = row.number.filter(|&written| written != ply) {
        // The rows of a game that goes on from a diagram may be numbered on from it.
        let goes_on = cursor.is_at_first_move() && written == cursor.record.start.move_number;
        if !goes_on {
            let text = format!("the move is numbered {written}, where {ply} was expected");
            warnings.push(Warning::odd(number, text));
        }
        if cursor.is_at_first_move() && written > 0 {
            cursor.count_from(written);
        }
        ply = written;
    }
    match row.action {
        RowAction::End(end) => {
            if matches!(end, End::Other(_)) {
                let text = format!("'{}' is taken for the end of the game", row.shown);
                warnings.push(Warning::not_understood(number, text));
            }
            cursor.add(Action::End(end), ply);
        }
        RowAction::Move(word) => match cursor.resolve(&word, number, warnings) {
            Ok(mv) => cursor.make_move(mv, ply),
            Err(MoveError::Unclear(reason)) if row.number.is_some() => return Err(refuse(reason)),
            Err(MoveError::Impossible(reason)) if row.number.is_some() => {
                return Err(refuse(format!("'{}': {reason}", row.shown)));
            }
            Err(_) => {
                cursor.keep_unknown(line, number, warnings);
                return Ok(());
            }
        },
    }
    let tail = row.tail;
    let node = cursor.record.node_mut(cursor.at);
    node.clock = tail.time;
    if let Some(time) = tail.odd_time {
        let text = format!("the time '{time}' is negative or a second one; it is not kept");
        warnings.push(Warning::not_understood(number, text));
    }
    if let Some(comment) = tail.comment {
        node.comments.push(Comment::Text(comment.to_owned()));
    }
    if !tail.rest.is_empty() {
        warnings.push(Warning::not_understood(number, format!("'{}' follows the move; kept as a remark", tail.rest)));
        node.comments.push(Comment::Remark(tail.rest.to_owned()));
    }
    Ok(())
}

/// The line above the moves: `手数----指手---------消費時間--`, drawn with whatever dashes or blanks.
fn is_heading(line: &str) -> bool {
    line.trim_start().strip_prefix("手数").is_some_and(|rest| rest.starts_with("--") || rest.contains("指手"))
}

fn is_result(line: &str) -> bool {
    line.trim_start().starts_with("まで")
}

/// The record as KIF, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut text = String::new();
    kif_head::write(record, FileFormat::Kif, &mut text);
    let clocks = record.has_clocks();
    text.push_str(if clocks { "手数----指手---------消費時間--\n" } else { "手数----指手--\n" });
    write_comments(record, NodeId::ROOT, FileFormat::Kif, &mut text);
    for (index, line) in lines_of_play(record).into_iter().enumerate() {
        let Some(&first) = line.first() else { continue };
        if index > 0 {
            text.push_str(&format!("\n変化：{}手\n", row_number(record, first)));
        }
        write_line(record, &line, &mut text);
    }
    let mut losses = Vec::new();
    let fraction = |id| record.node(id).clock.is_some_and(|clock| clock.spent.subsec_nanos() > 0);
    if record.ids().any(fraction) {
        losses.push("fractions of seconds are left out: the format has whole seconds".to_owned());
    }
    let unreadable = |id| record.node(id).end().is_some_and(|end| kif_row::begins_like_move(end.word()));
    if record.ids().any(unreadable) {
        losses.push("an end becomes 中断: its word would be read as a move".to_owned());
    }
    (text, losses)
}

fn write_line(record: &Record, line: &[NodeId], text: &mut String) {
    let Some(parent) = line.first().and_then(|&first| record.node(first).parent()) else {
        return;
    };
    let mut diagram = record.diagram_at(parent);
    for &id in line {
        let node = record.node(id);
        let parent = node.parent().unwrap_or(NodeId::ROOT);
        let word = match node.action() {
            Action::Start => continue,
            Action::Move(mv) => kif_move(&diagram, *mv, record.last_to(parent)),
            // A word that would be read as a move cannot be written.
            Action::End(end) if kif_row::begins_like_move(end.word()) => End::Interrupt.word().to_owned(),
            Action::End(end) => end.word().to_owned(),
        };
        let mut row = format!("{:>4} {word}", row_number(record, id));
        if let (Some(clock), Some(total)) = (node.clock, record.total_time(id)) {
            let width: usize = word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            row.push_str(&" ".repeat(13usize.saturating_sub(width).max(1)));
            let (spent, total) = (clock.spent.as_secs(), total.as_secs());
            row.push_str(&format!(
                "({:>2}:{:02}/{:02}:{:02}:{:02})",
                spent / 60,
                spent % 60,
                total / 3600,
                total / 60 % 60,
                total % 60
            ));
        }
        let siblings = record.node(parent).children();
        if siblings.last() != Some(&id) {
            row.push_str(if node.clock.is_some() { "+" } else { "   +" });
        }
        text.push_str(&row);
        text.push('\n');
        write_comments(record, id, FileFormat::Kif, text);
        if let Action::Move(mv) = node.action() {
            // Cannot fail: readers only add possible moves.
            let _ = diagram.apply(*mv);
        }
        if let Some(result) = result_line(record, id) {
            text.push_str(&result);
            text.push('\n');
        }
    }
}

fn row_number(record: &Record, id: NodeId) -> usize {
    record.ply(id) + (record.first_number.max(1) - 1) as usize
}
