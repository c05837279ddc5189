//! What is wrong with a book.

use std::collections::HashSet;

use super::collection::{Collection, Fault, position};
use crate::book;

/// What a book holds, and its faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Faults, one sentence each, of positions in the order of the book.
    pub faults: Vec<String>,
    /// Positions whose moves are all fine.
    pub sound: usize,
}

/// Judges every position and every move by the rules.
pub fn check(collection: &Collection, left_out: &[Fault]) -> Findings {
    let mut findings = Findings::default();
    let line = |fault: &Fault| format!("line {}: {}", fault.number, fault.what);
    findings.faults.extend(left_out.iter().map(line));
    let mut seen = HashSet::new();
    for (ply, entry) in collection.positions() {
        let before = findings.faults.len();
        let sfen = entry.board.to_sfen(ply.into());
        let mut fault = |what: String| findings.faults.push(format!("sfen {sfen}: {what}"));
        if !seen.insert(book::key(&entry.board)) {
            fault("the position stands at another move number, too".into());
        }
        if entry.moves.is_empty() {
            fault("it has no moves".into());
        }
        match position(entry, ply) {
            None => fault("no game can come to this position".into()),
            Some(mut position) => {
                for entry in entry.moves() {
                    if let Err(error) = position.check_move(entry.mv) {
                        fault(format!("{} is illegal: {error}", entry.mv));
                        continue;
                    }
                    position.do_move(entry.mv);
                    if let Some(reply) = entry.reply
                        && let Err(error) = position.check_move(reply)
                    {
                        fault(format!("the answer {reply} to {} is illegal: {error}", entry.mv));
                    }
                    position.undo_move();
                }
            }
        }
        findings.sound += usize::from(findings.faults.len() == before);
    }
    findings
}
