//! What KIF and KI2 share below the head: moves, comments, variations, result lines.

use super::kif_row::begins_like_move;
use super::written_move::WrittenMove;
use super::{Action, Comment, End, FileFormat, NodeId, ReadError, Record, Start, Warning};
use crate::platform::wording::counted;
use crate::position::{Board, Impossible};
use crate::types::Move;

/// Result lines after which nothing says how the side to move has won.
const WINS: [&str; 4] = ["先手の勝ち", "後手の勝ち", "下手の勝ち", "上手の勝ち"];

/// Why a written move cannot be made.
pub(super) enum MoveError {
    /// It is not clear which move is meant.
    Unclear(String),
    /// It is impossible.
    Impossible(Impossible),
}

/// The place in a record at which a reader of KIF or KI2 is.
#[derive(Clone)]
pub(super) struct Cursor {
    pub record: Record,
    /// The node read last.
    pub at: NodeId,
    /// The position at that node.
    pub diagram: Board,
    /// The number of each node as the file gives it; the root has the one before the first.
    numbers: Vec<u32>,
    /// The number with which a variation begins, until its first row is read.
    variation: Option<u32>,
    format: FileFormat,
    /// Whether the file draws a board and does not say who is to move.
    turn_is_open: bool,
}

impl Cursor {
    /// A cursor at the root.
    pub(super) fn new(record: Record, format: FileFormat, turn_is_open: bool) -> Self {
        let diagram = record.start.diagram.clone();
        Self { record, at: NodeId::ROOT, diagram, numbers: vec![0], variation: None, format, turn_is_open }
    }

    /// The number that the next row should have.
    pub(super) fn next_number(&self) -> u32 {
        self.variation.unwrap_or_else(|| self.number(self.at).saturating_add(1))
    }

    fn number(&self, id: NodeId) -> u32 {
        self.numbers.get(id.index()).copied().unwrap_or(0)
    }

    /// Whether no move has been read yet.
    pub(super) fn is_at_first_move(&self) -> bool {
        self.at == NodeId::ROOT && self.record.node(NodeId::ROOT).children().is_empty()
    }

    /// Lets rows count from a number on.
    pub(super) fn count_from(&mut self, number: u32) {
        self.record.first_number = number;
        self.numbers[0] = number.saturating_sub(1);
    }

    /// Adds a move or an end after the current node and goes there.
    pub(super) fn add(&mut self, action: Action, number: u32) {
        self.at = self.record.add(self.at, action);
        self.numbers.push(number);
        self.variation = None;
    }

    /// The move that a word means here. On a drawn board without a side to move the first move decides whose turn it
    /// is.
    ///
    /// # Errors
    /// Why there is no such move.
    pub(super) fn resolve(
        &mut self,
        word: &WrittenMove,
        line: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Move, MoveError> {
        let last_to = self.record.last_to(self.at);
        let resolve = |diagram: &Board| {
            let mv = word.resolve(diagram, last_to).map_err(MoveError::Unclear)?;
            diagram.clone().apply(mv).map_err(MoveError::Impossible)?;
            Ok(mv)
        };
        let mut other = self.diagram.clone();
        other.set_side_to_move(!other.side_to_move());
        if self.turn_is_open && self.is_at_first_move() {
            let marked = word.side == Some(other.side_to_move());
            let (first, second) = (resolve(&self.diagram), resolve(&other));
            if second.is_ok() && (marked || first.is_err()) {
                warnings.push(Warning::odd(
                    line,
                    format!("nothing says who is to move; the first move is {}'s", other.side_to_move()),
                ));
                self.record.start =
                    Start { move_number: self.record.start.move_number, ..Start::from_diagram(other.clone()) };
                self.diagram = other;
                return second;
            }
            return first;
        }
        resolve(&self.diagram)
    }

    /// Makes a move that [`Cursor::resolve`] gave.
    pub(super) fn make_move(&mut self, mv: Move, number: u32) {
        // Cannot fail: it has been tried.
        let _ = self.diagram.apply(mv);
        self.add(Action::Move(mv), number);
    }

    /// Takes a comment, a bookmark or a remark; `false` if the line is none of them.
    pub(super) fn take_note(&mut self, line: &str, number: usize, warnings: &mut Vec<Warning>) -> bool {
        let node = self.record.node_mut(self.at);
        if let Some(comment) = line.strip_prefix('*') {
            node.comments.push(Comment::Text(comment.to_owned()));
        } else if let Some(name) = line.strip_prefix('&') {
            if let Some(earlier) = node.bookmark.replace(name.to_owned()) {
                warnings.push(Warning::second_bookmark(number, &earlier));
            }
        } else if let Some(remark) = line.strip_prefix('#') {
            self.add_remark(remark);
        } else {
            return false;
        }
        true
    }

    fn add_remark(&mut self, remark: &str) {
        let is_below_head = self.is_below_head();
        let remark = remark.to_owned();
        let node = self.record.node_mut(self.at);
        // As in the head of KI2, where nothing parts the remarks above the first comment from those on the start.
        if is_below_head && node.comments.is_empty() {
            self.record.remarks.push(remark);
        } else {
            node.comments.push(Comment::Remark(remark));
        }
    }

    /// Whether lines at the current node are written among those of the head: KI2 has no line between head and moves.
    fn is_below_head(&self) -> bool {
        self.at == NodeId::ROOT && self.format == FileFormat::Ki2
    }

    /// Keeps a line as it is, without a warning.
    pub(super) fn keep(&mut self, line: &str) {
        if self.is_below_head() {
            // As it is, it might be read as a header.
            self.add_remark(line);
        } else {
            self.record.node_mut(self.at).comments.push(Comment::Unknown(self.format, line.to_owned()));
        }
    }

    /// Keeps a line that was not understood, with a warning.
    pub(super) fn keep_unknown(&mut self, line: &str, number: usize, warnings: &mut Vec<Warning>) {
        warnings.push(unknown_line(line, number));
        self.keep(line);
    }

    /// Takes a result line (まで…手で…).
    pub(super) fn take_result(&mut self, line: &str, number: usize, warnings: &mut Vec<Warning>) {
        let turn = self.diagram.side_to_move();
        let end = End::from_result_line(line, turn);
        // Where the side to move has won, the line does not say by what.
        let winner = |end: &End| match end {
            End::Other(text) if WINS.contains(&text.as_str()) => Some(turn),
            end => end.winner(turn),
        };
        match (end, self.record.node(self.at).end()) {
            (Some(End::Other(word)), None) if begins_like_move(&word) => self.keep_unknown(line, number, warnings),
            (Some(end), None) => {
                if matches!(end, End::Other(_)) && winner(&end).is_none() {
                    let text = format!("'{}' is taken for the end of the game", line.trim());
                    warnings.push(Warning::not_understood(number, text));
                }
                let loses_text = says_more_than_end(line) && !matches!(end, End::Other(_));
                self.add(Action::End(end), self.next_number());
                if loses_text {
                    self.keep_result(line, number, "says more than how the game ended", warnings);
                }
            }
            (Some(end), Some(known))
                if end == *known
                    || line.contains(known.word())
                    || names_winner_only(&end) && winner(&end) == winner(known) =>
            {
                // Otherwise it is written again from the end that is known.
                if says_more_than_end(line) {
                    self.keep_result(line, number, "says more than how the game ended", warnings);
                }
            }
            (None, _) if line.trim() == "まで" => {}
            (Some(_), Some(known)) => {
                let reason = format!("contradicts the end before it ({})", known.word());
                self.keep_result(line, number, &reason, warnings);
            }
            (None, _) => self.keep_unknown(line, number, warnings),
        }
    }

    /// Keeps a result line that would not be written the same from the end of the game.
    fn keep_result(&mut self, line: &str, number: usize, reason: &str, warnings: &mut Vec<Warning>) {
        warnings.push(Warning::odd(number, format!("'{}' {reason}; kept as it is", line.trim())));
        self.keep(line);
    }

    /// Moves the cursor to where a `変化：N手` variation begins: before the move with that number on the line read last.
    pub(super) fn go_to_variation(
        &mut self,
        line: &str,
        number: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), ReadError> {
        let refuse = |reason: String| ReadError::new(number, reason);
        let (wanted, rest) = first_number(line)
            .ok_or_else(|| refuse(format!("'{}' does not say at which move it begins", line.trim())))?;
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('手').unwrap_or(rest).trim_start_matches('目').trim();
        if !rest.is_empty() {
            let text = format!("'{rest}' follows the number of the variation; left out");
            warnings.push(Warning::not_understood(number, text));
        }
        let path = self.record.path(self.at);
        let before = |path: &[NodeId]| {
            let at = path.iter().rposition(|&id| id != NodeId::ROOT && self.number(id) == wanted)?;
            Some(path[at - 1])
        };
        let last = self.at;
        self.at = if let Some(id) = before(&path) {
            id
        } else if self.next_number() == wanted && self.record.node(last).end().is_none() {
            warnings.push(Warning::odd(
                number,
                format!(
                    "the variation begins at move {wanted}, where the line before it ends; read as its continuation"
                ),
            ));
            last
        } else if let Some(id) = before(&self.record.main_line()) {
            // Some programs let every variation begin in the main line.
            warnings.push(Warning::odd(
                number,
                format!("the line before the variation has no move {wanted}; it begins in the main line"),
            ));
            id
        } else {
            return Err(refuse(format!(
                "the variation begins at move {wanted}, but the line before it has only {} (first move {})",
                counted(path.len() - 1, "move", "moves"),
                self.record.start.move_number
            )));
        };
        self.diagram = self.record.diagram_at(self.at);
        self.variation = Some(wanted);
        Ok(())
    }
}

/// Whether text follows the end in a result line: `まで2手で後手の勝ち (新記録)`.
fn says_more_than_end(line: &str) -> bool {
    let tail = line.split_once('手').map_or("", |(_, tail)| tail);
    let tail = tail.strip_prefix('で').unwrap_or(tail).trim();
    tail.contains(|c: char| c.is_whitespace() || c == '(' || c == '（')
}

/// Whether an end read from a result line says who has won, and not by what.
fn names_winner_only(end: &End) -> bool {
    match end {
        End::Resign => true,
        End::Other(text) => WINS.contains(&text.as_str()),
        _ => false,
    }
}

/// A game of no moves is refused if a line that was not understood seems to have one.
pub(super) fn refuse_empty_game(record: Record, unread_move: Option<usize>) -> Result<Record, ReadError> {
    let unread = unread_move.filter(|_| record.node(NodeId::ROOT).children().is_empty());
    unread.map_or(Ok(record), |line| Err(ReadError::new(line, "the line seems to have a move that cannot be read")))
}

/// The warning about a line that was not understood.
pub(super) fn unknown_line(line: &str, number: usize) -> Warning {
    Warning::not_understood(number, format!("'{}' is no line of the format; kept as it is", line.trim()))
}

/// The first number in a line, in half-width or full-width digits, and what follows it.
fn first_number(line: &str) -> Option<(u32, &str)> {
    let value =
        |c: char| c.to_digit(10).or_else(|| ('０'..='９').position(|digit| digit == c).map(|index| index as u32));
    let digits = &line[line.find(|c| value(c).is_some())?..];
    let (digits, rest) = digits.split_at(digits.find(|c| value(c).is_none()).unwrap_or(digits.len()));
    let ascii: String = digits.chars().filter_map(value).map(|digit| digit.to_string()).collect();
    Some((ascii.parse().ok()?, rest))
}

/// Whether a line begins a variation.
pub(super) fn is_variation(line: &str) -> bool {
    line.trim_start().starts_with("変化：") || line.trim_start().starts_with("変化:")
}

/// Writes the comments and the bookmark of a node.
pub(super) fn write_comments(record: &Record, id: NodeId, format: FileFormat, text: &mut String) {
    let node = record.node(id);
    for comment in &node.comments {
        let mark = match comment {
            Comment::Text(_) => "*",
            Comment::Unknown(own, _) if *own == format => "",
            Comment::Remark(_) | Comment::Unknown(..) => "#",
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
