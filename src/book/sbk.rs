//! ShogiGUI's format (.sbk): a graph of positions as a protocol buffer (version 2).
//!
//! Some positions are given as SFEN, the others by the moves that lead to them. Games and results of a position, its
//! evaluations and the marks of its moves have no place of their own in other formats: they become comments.

use std::collections::HashMap;

use prost::Message;

use super::{BookError, BookMove};
use crate::position::Board;
use crate::types::{Color, Move, PieceType, Square};

#[derive(Clone, PartialEq, Message)]
struct Graph {
    #[prost(bytes = "vec", optional, tag = "1")]
    author: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "2")]
    description: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "3")]
    states: Vec<State>,
}

#[derive(Clone, PartialEq, Message)]
struct State {
    #[prost(int32, optional, tag = "1")]
    id: Option<i32>,
    #[prost(int32, optional, tag = "4")]
    games: Option<i32>,
    #[prost(int32, optional, tag = "5")]
    won_by_black: Option<i32>,
    #[prost(int32, optional, tag = "6")]
    won_by_white: Option<i32>,
    #[prost(bytes = "vec", optional, tag = "7")]
    sfen: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "8")]
    comment: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "9")]
    moves: Vec<StateMove>,
    #[prost(message, repeated, tag = "10")]
    evaluations: Vec<Evaluation>,
}

#[derive(Clone, PartialEq, Message)]
struct StateMove {
    #[prost(int32, optional, tag = "1")]
    mv: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    mark: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    weight: Option<i32>,
    #[prost(int32, optional, tag = "4")]
    next: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct Evaluation {
    #[prost(int32, optional, tag = "1")]
    value: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    depth: Option<i32>,
    #[prost(int64, optional, tag = "4")]
    nodes: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "5")]
    variation: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "6")]
    engine: Option<Vec<u8>>,
}

/// A book of the format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SbkBook {
    /// What its author says of it.
    pub comments: Vec<String>,
    /// The positions that can be reached, each once.
    pub positions: Vec<SbkPosition>,
    /// How many others there are that say something.
    pub unreached: usize,
}

/// A position of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SbkPosition {
    /// The position.
    pub board: Board,
    /// Its move number.
    pub ply: u16,
    /// What is said of it: its comment, its games, its evaluations.
    pub comments: Vec<String>,
    /// Its moves, whose values are not known, each with what is said of it.
    pub moves: Vec<(BookMove, Option<String>)>,
    /// How many moves it has besides that are none.
    pub lost: usize,
}

/// The lines of a text that may be missing.
fn lines(text: Option<&Vec<u8>>) -> Vec<String> {
    let text = String::from_utf8_lossy(text.map_or(&[][..], Vec::as_slice)).into_owned();
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

impl State {
    fn comments(&self) -> Vec<String> {
        let mut comments = lines(self.comment.as_ref());
        if let Some(games) = self.games.filter(|&games| games > 0) {
            let (black, white) = (self.won_by_black.unwrap_or(0), self.won_by_white.unwrap_or(0));
            comments.push(format!("games {games}, won by {} {black}, by {} {white}", Color::Black, Color::White));
        }
        for evaluation in &self.evaluations {
            let engine = lines(evaluation.engine.as_ref()).pop().unwrap_or_else(|| "engine".into());
            let (value, depth) = (evaluation.value.unwrap_or(0), evaluation.depth.unwrap_or(0));
            let (nodes, line) = (evaluation.nodes.unwrap_or(0), lines(evaluation.variation.as_ref()).join(" "));
            comments.push(format!("{engine}: value {value}, depth {depth}, nodes {nodes}: {line}"));
        }
        comments
    }
}

impl StateMove {
    fn comment(&self) -> Option<String> {
        let known = ["forced", "good", "bad", "blunder"];
        let mark = self.mark.filter(|&mark| mark != 0)?;
        let word = usize::try_from(mark).ok().and_then(|mark| known.get(mark - 1));
        Some(word.map_or_else(|| format!("mark {mark}"), |&word| word.to_owned()))
    }
}

/// Reads a whole file.
///
/// # Errors
/// It is no such protocol buffer.
pub fn read(bytes: &[u8]) -> Result<SbkBook, BookError> {
    let graph = Graph::decode(bytes).map_err(|error| BookError::BrokenSbk(error.to_string()))?;
    let mut by_id: HashMap<i32, usize> = HashMap::new();
    for (at, state) in graph.states.iter().enumerate() {
        by_id.entry(state.id.unwrap_or(0)).or_insert(at);
    }
    let mut seen = vec![false; graph.states.len()];
    let mut open = Vec::new();
    for (at, state) in graph.states.iter().enumerate() {
        let sfen = state.sfen.as_deref().map(String::from_utf8_lossy);
        if let Some(Ok((board, ply))) = sfen.filter(|sfen| !sfen.is_empty()).map(|sfen| Board::from_sfen(&sfen)) {
            open.push((at, board, u16::try_from(ply).unwrap_or(u16::MAX)));
        }
    }
    let mut positions = Vec::new();
    while let Some((at, board, ply)) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let state = &graph.states[at];
        let mut position =
            SbkPosition { board: board.clone(), ply, comments: state.comments(), moves: Vec::new(), lost: 0 };
        for entry in &state.moves {
            let Some(mv) = read_move(entry.mv.unwrap_or(0)) else {
                position.lost += 1;
                continue;
            };
            let count = u64::try_from(entry.weight.unwrap_or(0)).unwrap_or(0);
            let book_move = BookMove { value: None, depth: None, count, ..BookMove::bare(mv) };
            position.moves.push((book_move, entry.comment()));
            let mut after = board.clone();
            if let Some(&next) = by_id.get(&entry.next.unwrap_or(-1))
                && !seen[next]
                && after.apply(mv).is_ok()
            {
                open.push((next, after, ply.saturating_add(1)));
            }
        }
        positions.push(position);
    }
    let comments = [&graph.author, &graph.description].into_iter().flat_map(|text| lines(text.as_ref())).collect();
    let others = graph.states.iter().zip(&seen).filter(|(_, is_seen)| !**is_seen);
    let unreached = others.filter(|(state, _)| !state.moves.is_empty() || !state.comments().is_empty()).count();
    Ok(SbkBook { comments, positions, unreached })
}

/// Kinds in ShogiGUI's numbering, from 1.
const KINDS: [PieceType; 7] = {
    use PieceType::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook]
};

/// Bits 0 to 3 rank and 4 to 7 file of the origin (0: a drop), 8 to 15 those of the destination, 19 promotion, 24 to 27
/// the piece.
fn read_move(bits: i32) -> Option<Move> {
    let field = |shift: u32| u8::try_from(bits >> shift & 15).unwrap_or(0);
    let square = |rank: u8, file: u8| {
        let fits = (1..=9).contains(&rank) && (1..=9).contains(&file);
        fits.then(|| Square::new(file - 1, rank - 1))
    };
    let to = square(field(8), field(12))?;
    if bits & 255 == 0 {
        let kind = usize::from(field(24)).checked_sub(1)?;
        return Some(Move::drop(*KINDS.get(kind)?, to));
    }
    let from = square(field(0), field(4)).filter(|&from| from != to)?;
    Some(Move::board(from, to, bits >> 19 & 1 != 0))
}
