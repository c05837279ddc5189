//! A record in one line, for tables of expected values.

use hagane::record::{Action, Comment, Document, NodeId, Record, WarningKind};

/// What a sketch shows besides moves and notes.
#[derive(Clone, Copy)]
pub struct Show {
    /// The starting position.
    pub start: bool,
    /// The words of ends; else `end`.
    pub end_words: bool,
}

/// The record: start, then moves in USI and ends with `[seconds]`, `{comments}` and `<bookmark>`; variations in
/// parentheses behind the move that they replace.
pub fn sketch(record: &Record) -> String {
    sketch_with(record, Show { start: true, end_words: true })
}

/// The record as [`sketch`] shows it, or less of it.
pub fn sketch_with(record: &Record, show: Show) -> String {
    let mut text = String::new();
    if show.start {
        let start = record.start.to_sfen();
        let even = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        text = if start == even { "startpos".to_owned() } else { format!("sfen {start}") };
    }
    notes(record, NodeId::ROOT, &mut text);
    line(record, NodeId::ROOT, show, &mut text);
    text
}

fn line(record: &Record, from: NodeId, show: Show, text: &mut String) {
    let mut at = from;
    while let Some(&next) = record.node(at).children().first() {
        node(record, next, show, text);
        for &variation in &record.node(at).children()[1..] {
            text.push_str(" (");
            node(record, variation, show, text);
            line(record, variation, show, text);
            text.push_str(" )");
        }
        at = next;
    }
}

fn node(record: &Record, id: NodeId, show: Show, text: &mut String) {
    match record.node(id).action() {
        Action::Start => {}
        Action::Move(mv) => text.push_str(&format!(" {mv}")),
        Action::End(end) => text.push_str(&format!(" {}", if show.end_words { end.word() } else { "end" })),
    }
    notes(record, id, text);
}

fn notes(record: &Record, id: NodeId, text: &mut String) {
    let node = record.node(id);
    if let Some(clock) = node.clock {
        text.push_str(&format!("[{}]", clock.spent.as_secs()));
    }
    for comment in &node.comments {
        let mark = match comment {
            Comment::Text(_) => "*",
            Comment::Remark(_) => "#",
            Comment::Unknown(..) => "?",
        };
        text.push_str(&format!("{{{mark}{}}}", comment.line()));
    }
    if let Some(bookmark) = &node.bookmark {
        text.push_str(&format!("<{bookmark}>"));
    }
}

/// Headers (`key=value`) and lines that were not understood (`?line`), parted by `; `.
pub fn headers(record: &Record) -> String {
    let mut parts = Vec::new();
    for at in 0..=record.headers.len() {
        parts.extend(
            record.unknown_lines.iter().filter(|unknown| unknown.headers_above == at).map(|u| format!("?{}", u.line)),
        );
        parts.extend(record.headers.get(at).map(|(key, value)| format!("{key}={value}")));
    }
    parts.join("; ")
}

/// The lines with warnings; `!` after those that were not understood.
pub fn warnings(document: &Document) -> String {
    let mark = |kind| if kind == WarningKind::NotUnderstood { "!" } else { "" };
    let lines: Vec<String> =
        document.warnings.iter().map(|warning| format!("{}{}", warning.line, mark(warning.kind))).collect();
    lines.join(" ")
}
