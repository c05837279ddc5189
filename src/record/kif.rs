//! KIF (柿木形式): one move a line with origin and time, comments, bookmarks and variations.
//!
//! Follows the description by the author of the format (柿木義一「棋譜ファイル KIF 形式」) and what programs write.

use super::kif_body::{
    is_variation, keep_as_remark, lines_of_play, result_line, take_note, variation_parent, write_comments,
};
use super::kif_head::read_head;
use super::notation::kif_move;
use super::time_used::read_time;
use super::written_move::WrittenMove;
use super::{Action, End, NodeId, ReadError, Record, TimeUsed, Warning, kif_head};

/// Reads the text of a KIF file.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Record, ReadError> {
    let (mut record, lines) =
        read_head(text, |line| is_row(line) || is_variation(line) || is_result(line) || is_heading(line))?;
    let mut at = NodeId::ROOT;
    let mut diagram = record.start.diagram.clone();
    for (number, line) in lines {
        let refuse = |reason: String| ReadError::new(number, reason);
        if take_note(&mut record, at, line) {
            continue;
        }
        if is_variation(line) {
            at = variation_parent(&record, at, line, number)?;
            diagram = record.diagram_at(at);
        } else if is_result(line) {
            if record.node(at).end().is_none()
                && let Some(end) = End::from_result_line(line, diagram.turn())
            {
                at = record.add(at, Action::End(end));
            }
        } else if is_row(line) {
            let row = Row::read(line).map_err(refuse)?;
            if record.node(at).end().is_some() {
                // Some programs write the end twice.
                warnings.push(Warning { line: number, text: format!("'{}' follows the end of the line", line.trim()) });
                match End::from_word(row.body) {
                    End::Other(_) => {
                        return Err(refuse("a move follows the end of the game".to_owned()));
                    }
                    _ => continue,
                }
            }
            let ply = record.ply(at) + 1;
            if row.number != ply {
                warnings.push(Warning {
                    line: number,
                    text: format!("the move is numbered {}, where {ply} was expected", row.number),
                });
            }
            let action = if row.is_end() {
                let end = End::from_word(row.body);
                if matches!(&end, End::Other(word) if word.contains("パス") || word.eq_ignore_ascii_case("pass")) {
                    return Err(refuse("a pass is no move".to_owned()));
                }
                if matches!(end, End::Other(_)) {
                    warnings.push(Warning {
                        line: number,
                        text: format!("'{}' is taken for the end of the game", row.body),
                    });
                }
                Action::End(end)
            } else {
                let (word, rest) = WrittenMove::read(row.body).map_err(refuse)?;
                if !rest.trim().is_empty() {
                    return Err(refuse(format!("'{}' follows the move", rest.trim())));
                }
                let mv = word.resolve(&diagram, record.last_to(at)).map_err(refuse)?;
                diagram.apply(mv).map_err(|error| refuse(format!("'{}': {error}", row.body)))?;
                Action::Move(mv)
            };
            at = record.add(at, action);
            record.node_mut(at).clock = row.clock;
        } else if !(line.trim().is_empty() || is_heading(line)) {
            keep_as_remark(&mut record, at, line, number, warnings);
        }
    }
    Ok(record)
}

/// The line above the moves: `手数----指手---------消費時間--`.
fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with("手数--")
}

fn is_result(line: &str) -> bool {
    line.starts_with("まで")
}

fn is_row(line: &str) -> bool {
    let text = line.trim_start();
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    digits > 0 && text[digits..].starts_with(char::is_whitespace)
}

/// The parts of a line with a move.
struct Row<'a> {
    number: usize,
    /// The move or the word for the end.
    body: &'a str,
    clock: Option<TimeUsed>,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Result<Self, String> {
        let text = line.trim();
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let number = text[..digits].parse().map_err(|_| format!("'{}' is no move number", &text[..digits]))?;
        let text = text[digits..].trim();
        let text = text.strip_suffix('+').unwrap_or(text).trim_end();
        // The time is the last parenthesis, and the only one with a colon or a slash.
        let (body, clock) = match text.rfind('(').map(|open| text.split_at(open)) {
            Some((body, clock)) if clock.contains([':', '/']) => {
                let clock =
                    read_clock(clock).ok_or_else(|| format!("'{clock}' is no clock (expected ( 0:12/00:01:30))"))?;
                (body.trim_end(), Some(clock))
            }
            _ => (text, None),
        };
        if body.is_empty() {
            return Err(format!("move {number} is missing"));
        }
        Ok(Self { number, body, clock })
    }

    fn is_end(&self) -> bool {
        let first = self.body.chars().next();
        first.is_none_or(|c| super::notation::digit(c).is_none() && !"同▲△☗☖▼▽".contains(c))
    }
}

/// `( 0:12/00:01:30)`, `(00:12 / 00:01:30)`, `( 0:7/)`.
fn read_clock(text: &str) -> Option<TimeUsed> {
    let inside = text.strip_prefix('(')?.split(')').next()?;
    let (spent, total) = inside.split_once('/').unwrap_or((inside, ""));
    Some(TimeUsed {
        spent: read_time(spent)?,
        total: if total.trim().is_empty() { None } else { Some(read_time(total)?) },
    })
}

/// The record as KIF, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut text = String::new();
    kif_head::write(record, &mut text);
    let clocks = record.has_clocks();
    text.push_str(if clocks { "手数----指手---------消費時間--\n" } else { "手数----指手--\n" });
    write_comments(record, NodeId::ROOT, &mut text);
    for (index, line) in lines_of_play(record).into_iter().enumerate() {
        let Some(&first) = line.first() else { continue };
        if index > 0 {
            text.push_str(&format!("\n変化：{}手\n", record.ply(first)));
        }
        write_line(record, &line, &mut text);
    }
    let mut losses = Vec::new();
    let fraction = |id| record.node(id).clock.is_some_and(|clock| clock.spent.subsec_nanos() > 0);
    if record.ids().any(fraction) {
        losses.push("fractions of seconds are left out: the format has whole seconds".to_owned());
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
            Action::End(end) => end.word().to_owned(),
        };
        let mut row = format!("{:>4} {word}", record.ply(id));
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
        write_comments(record, id, text);
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
