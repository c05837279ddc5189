//! What KIF and KI2 share below the head: comments, variations, result lines.

use super::notation::digit;
use super::{Comment, NodeId, ReadError, Record, Warning};

/// Adds a comment, a bookmark or a remark to a node; `false` if the line is none of them.
pub(super) fn take_note(record: &mut Record, at: NodeId, line: &str) -> bool {
    let node = record.node_mut(at);
    if let Some(comment) = line.strip_prefix('*') {
        node.comments.push(Comment::Text(comment.to_owned()));
    } else if let Some(name) = line.strip_prefix('&') {
        node.bookmark = Some(name.to_owned());
    } else if let Some(remark) = line.strip_prefix('#') {
        node.comments.push(Comment::Remark(remark.to_owned()));
    } else {
        return false;
    }
    true
}

/// Whether a line begins a variation.
pub(super) fn is_variation(line: &str) -> bool {
    line.trim_start().starts_with("変化：") || line.trim_start().starts_with("変化:")
}

/// Writes the comments and the bookmark of a node.
pub(super) fn write_comments(record: &Record, id: NodeId, text: &mut String) {
    let node = record.node(id);
    for comment in &node.comments {
        let mark = match comment {
            Comment::Text(_) => '*',
            Comment::Remark(_) => '#',
        };
        text.push_str(&format!("{mark}{}\n", comment.line()));
    }
    if let Some(bookmark) = &node.bookmark {
        text.push_str(&format!("&{bookmark}\n"));
    }
}

/// The result line of an end node.
pub(super) fn result_line(record: &Record, id: NodeId) -> Option<String> {
    let end = record.node(id).end()?;
    let turn = record.turn_at(id);
    let plies = record.ply(id).saturating_sub(1);
    Some(end.result_line(plies, record.side_name(turn), record.side_name(!turn)))
}

/// The node after which a `変化：N手` variation begins: node N-1 of the line read last.
pub(super) fn variation_parent(
    record: &Record,
    latest: NodeId,
    line: &str,
    number: usize,
) -> Result<NodeId, ReadError> {
    let refuse = |reason: String| ReadError::new(number, reason);
    let digits: String = line
        .chars()
        .filter_map(|c| digit(c).or((c == '0' || c == '０').then_some(0)))
        .map(|digit| char::from(b'0' + digit))
        .collect();
    let ply: usize =
        digits.parse().map_err(|_| refuse(format!("'{}' does not say at which move it begins", line.trim())))?;
    let first = record.start.move_number as usize;
    // Numbers count from the first move in the file, whatever its number in the game.
    let path = record.path(latest);
    let on = |path: &[NodeId]| {
        ply.checked_sub(1).and_then(|before| path.get(before).copied()).filter(|&id| record.node(id).end().is_none())
    };
    // Some programs let every variation begin in the main line.
    on(&path).or_else(|| on(&record.main_line())).ok_or_else(|| {
        refuse(format!(
            "the variation begins at move {ply}, but the line before it has only {} moves (first move {first})",
            path.len() - 1
        ))
    })
}

/// Keeps a line that was not understood as a remark, with a warning.
pub(super) fn keep_as_remark(record: &mut Record, at: NodeId, line: &str, number: usize, warnings: &mut Vec<Warning>) {
    warnings
        .push(Warning { line: number, text: format!("'{}' is no line of the format; kept as a remark", line.trim()) });
    record.node_mut(at).comments.push(Comment::Remark(line.to_owned()));
}

/// The main line without the root, then every variation in KIF's order: later branches first, each followed by its own
/// variations.
pub(super) fn lines_of_play(record: &Record) -> Vec<Vec<NodeId>> {
    let mut lines = Vec::new();
    let mut stack = Vec::new();
    let follow = |first: Option<NodeId>| {
        let mut line = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            line.push(id);
            at = record.node(id).children().first().copied();
        }
        line
    };
    let main = follow(record.node(NodeId::ROOT).children().first().copied());
    let branches = |line: &[NodeId], stack: &mut Vec<NodeId>| {
        // Pushed from first to last, so that the last branch is popped first; siblings keep their order.
        for &id in line {
            if let Some(parent) = record.node(id).parent() {
                let siblings = record.node(parent).children();
                if siblings.first() == Some(&id) {
                    stack.extend(siblings.iter().skip(1).rev());
                }
            }
        }
    };
    branches(&main, &mut stack);
    lines.push(main);
    while let Some(first) = stack.pop() {
        let line = follow(Some(first));
        // The siblings of its first node are on the stack already.
        branches(&line[1..], &mut stack);
        lines.push(line);
    }
    lines
}
