//! JKF (JSON Kifu Format): <https://github.com/na2hiro/json-kifu-format>.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};

use super::csa_move::{code, kind_of};
use super::{
    Action, Comment, End, FileFormat, Handicap, NodeId, ReadError, Record, Start, TimeUsed, UnknownLine, Warning,
};
use crate::platform::wording::counted;
use crate::position::Board;
use crate::types::{Color, Move, Piece, PieceType, Square};

#[derive(Serialize, Deserialize)]
struct Jkf {
    #[serde(default, deserialize_with = "null_as_default")]
    header: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initial: Option<Initial>,
    moves: Vec<Entry>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

/// Some programs write `null` for what is missing.
fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Serialize, Deserialize)]
struct Initial {
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
    #[serde(flatten, skip_serializing)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Data {
    #[serde(default)]
    color: u8,
    /// By file, then by rank.
    board: Vec<Vec<Cell>>,
    #[serde(default)]
    hands: Vec<BTreeMap<String, u8>>,
    #[serde(flatten, skip_serializing)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize, Default)]
struct Cell {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
struct Entry {
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<JkfMove>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    special: Option<String>,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    forks: Vec<Vec<Entry>>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct JkfMove {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<Place>,
    piece: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
    #[serde(flatten, skip_serializing)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
struct Place {
    x: u8,
    y: u8,
}

#[derive(Serialize, Deserialize)]
struct Time {
    now: Hms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<Hms>,
    #[serde(flatten, skip_serializing)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Hms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    h: Option<u32>,
    #[serde(default)]
    m: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<Number>,
    #[serde(flatten, skip_serializing)]
    unknown: Map<String, Value>,
}

impl Hms {
    fn duration(self) -> Option<Duration> {
        let minutes = u64::from(self.h.unwrap_or(0)) * 60 + u64::from(self.m);
        let seconds = self.s.map_or(Some(0.0), |seconds| seconds.as_f64())?;
        // Rounded to milliseconds, the precision such files can have.
        let seconds = Duration::try_from_secs_f64((seconds * 1000.0).round() / 1000.0).ok()?;
        Duration::from_secs(minutes * 60).checked_add(seconds)
    }

    fn new(time: Duration, hours: bool) -> Self {
        let minutes = time.as_secs() / 60;
        let rest = time - Duration::from_secs(minutes * 60);
        let (h, m) = if hours || minutes >= 60 {
            (Some((minutes / 60) as u32), (minutes % 60) as u32)
        } else {
            (None, minutes as u32)
        };
        let s = match rest.subsec_millis() {
            0 => Some(rest.as_secs().into()),
            _ => Number::from_f64(rest.as_millis() as f64 / 1000.0),
        };
        Self { h, m, s, unknown: Map::new() }
    }
}

/// What an entry says besides its move or end.
struct Notes {
    comments: Vec<String>,
    time: Option<Time>,
    unknown: Map<String, Value>,
}

/// Reads the text of a JKF file.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Record, ReadError> {
    let jkf: Jkf =
        serde_json::from_str(text).map_err(|error| ReadError::new(error.line(), format!("not JKF: {error}")))?;
    // Lines are unknown after parsing; the reason names the move instead.
    let refuse = |reason: String| ReadError::new(1, reason);
    let start = read_start(jkf.initial, warnings).map_err(refuse)?;
    let mut record = Record::new(start);
    for (key, value) in jkf.header {
        let value = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        record.headers.push((key, value));
    }
    for line in unknown_fields(jkf.unknown) {
        warnings.push(unknown_field(&line, None));
        let headers_above = record.headers.len();
        record.unknown_lines.push(UnknownLine { headers_above, format: FileFormat::Jkf, line });
    }
    let mut entries = jkf.moves.into_iter();
    let mut at = NodeId::ROOT;
    // The first entry stands for the starting position unless it has a move.
    let mut rest: Vec<Entry> = Vec::new();
    if let Some(first) = entries.next() {
        if first.mv.is_none() && first.special.is_none() {
            if !first.forks.is_empty() {
                let text = "the entry of the starting position has forks; left out";
                warnings.push(Warning::not_understood(1, text));
            }
            let notes = Notes { comments: first.comments, time: first.time, unknown: first.unknown };
            annotate(&mut record, NodeId::ROOT, notes, warnings).map_err(refuse)?;
        } else {
            rest.push(first);
        }
    }
    rest.extend(entries);
    // Lines to read, with the node that they continue.
    let mut pending = vec![(at, rest)];
    let mut order: Vec<(NodeId, Vec<Entry>)> = Vec::new();
    while let Some((from, line)) = pending.pop() {
        at = from;
        let mut diagram = record.diagram_at(at);
        for entry in line {
            let place =
                |record: &Record, reason: String| ReadError::new(1, format!("move {}: {reason}", record.ply(at) + 1));
            for fork in entry.forks {
                order.push((at, fork));
            }
            let notes = Notes { comments: entry.comments, time: entry.time, unknown: entry.unknown };
            let action = match (entry.mv, entry.special) {
                (Some(mv), special) => {
                    warn_left_out(&mv.unknown, Some(record.ply(at) + 1), warnings);
                    if let Some(special) = special {
                        let text =
                            format!("move {}: the end '{special}' beside a move is left out", record.ply(at) + 1);
                        warnings.push(Warning::not_understood(1, text));
                    }
                    let mv = read_move(&mv, &diagram, record.last_to(at)).map_err(|reason| place(&record, reason))?;
                    diagram.apply(mv).map_err(|error| place(&record, format!("'{mv}': {error}")))?;
                    Action::Move(mv)
                }
                (None, Some(special)) => {
                    let end = match End::from_csa(&special, diagram.side_to_move()) {
                        End::Other(word) => {
                            End::from_any_word(&word, diagram.side_to_move()).unwrap_or(End::Other(word))
                        }
                        end => end,
                    };
                    Action::End(end)
                }
                (None, None) => {
                    let text = format!("an entry after move {} has neither a move nor an end", record.ply(at));
                    warnings.push(Warning::odd(1, text));
                    annotate(&mut record, at, notes, warnings).map_err(|reason| place(&record, reason))?;
                    continue;
                }
            };
            if record.node(at).end().is_some() {
                return Err(place(&record, "a move follows the end of the game".to_owned()));
            }
            let id = record.add(at, action);
            annotate(&mut record, id, notes, warnings).map_err(|reason| place(&record, reason))?;
            at = id;
        }
        // Forks are read after their line, so that the line is the first continuation.
        while let Some(fork) = order.pop() {
            pending.push(fork);
        }
    }
    Ok(record)
}

/// Fields that JKF does not know, one `"name":value` each.
fn unknown_fields(fields: Map<String, Value>) -> impl Iterator<Item = String> {
    fields.into_iter().map(|(key, value)| format!("{}:{value}", Value::String(key)))
}

fn unknown_field(line: &str, ply: Option<usize>) -> Warning {
    let name = line.split(':').next().unwrap_or(line);
    Warning::not_understood(1, format!("{}the field {name} is not known; kept as it is", at_move(ply)))
}

/// Warns of unknown fields inside the objects of JKF, which a record has no place for.
fn warn_left_out(unknown: &Map<String, Value>, ply: Option<usize>, warnings: &mut Vec<Warning>) {
    if let Some(name) = unknown.keys().next() {
        let text = format!("{}the field \"{name}\" is not known; left out", at_move(ply));
        warnings.push(Warning::not_understood(1, text));
    }
}

/// The start of a warning about the entry of a move.
fn at_move(ply: Option<usize>) -> String {
    ply.map_or_else(String::new, |ply| format!("move {ply}: "))
}

/// Adds what an entry says besides its move.
fn annotate(record: &mut Record, id: NodeId, notes: Notes, warnings: &mut Vec<Warning>) -> Result<(), String> {
    let ply = record.ply(id);
    if let Some(time) = &notes.time {
        let parts = [Some(&time.unknown), Some(&time.now.unknown), time.total.as_ref().map(|total| &total.unknown)];
        parts.into_iter().flatten().for_each(|unknown| warn_left_out(unknown, Some(ply), warnings));
    }
    let clock = match notes.time {
        None => None,
        Some(time) => Some(TimeUsed {
            spent: time.now.duration().ok_or("a time is negative or too large")?,
            total: match time.total {
                None => None,
                Some(total) => Some(total.duration().ok_or("a time is negative or too large")?),
            },
        }),
    };
    let node = record.node_mut(id);
    for comment in notes.comments {
        match comment.strip_prefix('&') {
            Some(name) => {
                if let Some(earlier) = node.bookmark.replace(name.replace(['\r', '\n'], " ")) {
                    warnings.push(Warning::second_bookmark(1, &earlier));
                }
            }
            None => node.comments.extend(comment.split('\n').map(|line| Comment::Text(line.replace('\r', "")))),
        }
    }
    for line in unknown_fields(notes.unknown) {
        warnings.push(unknown_field(&line, Some(ply)));
        node.comments.push(Comment::Unknown(FileFormat::Jkf, line));
    }
    node.clock = clock.or(node.clock);
    Ok(())
}

fn square(place: Place) -> Result<Square, String> {
    match (place.x, place.y) {
        (x @ 1..=9, y @ 1..=9) => Ok(Square::new(x - 1, y - 1)),
        (x, y) => Err(format!("({x}, {y}) is no square")),
    }
}

fn read_move(mv: &JkfMove, diagram: &Board, last_to: Option<Square>) -> Result<Move, String> {
    let to = match mv.to {
        Some(place) => square(place)?,
        None => last_to.ok_or("the destination is missing")?,
    };
    let kind = kind_of(&mv.piece).ok_or_else(|| format!("'{}' is no piece", mv.piece))?;
    if let Some(color) = mv.color
        && color != diagram.side_to_move().index() as u8
    {
        return Err(format!("it is {}'s move", diagram.side_to_move()));
    }
    let Some(from) = mv.from else {
        if kind.is_promoted() || kind == PieceType::King {
            return Err(format!("a {} cannot be dropped", kind.name()));
        }
        return Ok(Move::drop(kind, to));
    };
    let from = square(from)?;
    if from == to {
        return Err(format!("the move from {from} to {from} goes nowhere"));
    }
    let held = diagram.piece_on(from).ok_or_else(|| format!("there is no piece on {from}"))?.piece_type();
    if held != kind {
        return Err(format!("the piece on {from} is a {}, not a {}", held.name(), kind.name()));
    }
    Ok(Move::board(from, to, mv.promote == Some(true)))
}

fn read_start(initial: Option<Initial>, warnings: &mut Vec<Warning>) -> Result<Start, String> {
    let Some(initial) = initial else {
        return Ok(Start::of(Handicap::Even));
    };
    warn_left_out(&initial.unknown, None, warnings);
    let Some(data) = initial.data.filter(|_| initial.preset == "OTHER") else {
        return Handicap::from_jkf(&initial.preset).map(Start::of).ok_or_else(|| {
            format!("the preset '{}' is not known (known are {})", initial.preset, Handicap::known_presets())
        });
    };
    warn_left_out(&data.unknown, None, warnings);
    let mut diagram = Board::EMPTY;
    if data.board.len() != 9 || data.board.iter().any(|file| file.len() != 9) {
        return Err("the board does not have 9 files of 9 squares".to_owned());
    }
    let color = |color: u8| {
        if color == 0 { Color::Black } else { Color::White }
    };
    for (file, cells) in (0u8..).zip(data.board) {
        for (rank, cell) in (0u8..).zip(cells) {
            if let Some(name) = cell.kind {
                let kind = kind_of(&name).ok_or_else(|| format!("'{name}' is no piece"))?;
                let piece = Piece::new(color(cell.color.unwrap_or(0)), kind);
                diagram.set(Square::new(file, rank), Some(piece));
            }
        }
    }
    for (owner, hand) in Color::ALL.into_iter().zip(data.hands) {
        for (name, count) in hand {
            let kind = kind_of(&name)
                .filter(|&kind| !kind.is_promoted() && kind != PieceType::King)
                .ok_or_else(|| format!("'{name}' cannot be in hand"))?;
            diagram.set_hand(owner, kind, count);
        }
    }
    diagram.set_side_to_move(color(data.color));
    Ok(Start::from_diagram(diagram))
}

/// The record as JKF, and what the format cannot represent.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut losses = Vec::new();
    let remarks = record.remarks.len()
        + record.unknown_lines.iter().filter(|unknown| unknown.format != FileFormat::Jkf).count()
        + record
            .ids()
            .flat_map(|id| &record.node(id).comments)
            .filter(|comment| !matches!(comment, Comment::Text(_) | Comment::Unknown(FileFormat::Jkf, _)))
            .count();
    if remarks > 0 {
        losses.push(format!(
            "{} left out: JKF has comments only",
            counted(remarks, "remark becomes a comment or is", "remarks become comments or are")
        ));
    }
    let header = record.headers.iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect();
    let mut moves = vec![Entry { ..annotations(record, NodeId::ROOT) }];
    let first = record.node(NodeId::ROOT).children().first().copied();
    let mut too_deep = 0;
    moves.extend(line(record, first, MAX_DEPTH, &mut too_deep));
    if too_deep > 0 {
        losses.push(format!(
            "{} left out: JSON readers do not go as deep",
            counted(too_deep, "variation is", "variations are")
        ));
    }
    let own = |unknown: &&UnknownLine| unknown.format == FileFormat::Jkf;
    let unknown = read_fields(record.unknown_lines.iter().filter(own).map(|unknown| unknown.line.as_str()));
    let jkf = Jkf { header, initial: Some(write_start(&record.start)), moves, unknown };
    match serde_json::to_string_pretty(&jkf) {
        Ok(text) => (text + "\n", losses),
        // Cannot fail: maps with string keys and finite numbers always serialise.
        Err(error) => (String::new(), vec![format!("not written: {error}")]),
    }
}

/// How deep variations may nest: each takes three of the 128 levels that serde_json reads.
const MAX_DEPTH: usize = 30;

/// A line of play with its forks; counts the forks nested deeper than `depth`.
fn line(record: &Record, first: Option<NodeId>, depth: usize, too_deep: &mut usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut at = first;
    let mut diagram = first
        .map_or_else(|| Board::EMPTY, |first| record.diagram_at(record.node(first).parent().unwrap_or(NodeId::ROOT)));
    while let Some(id) = at {
        let node = record.node(id);
        let parent = node.parent().unwrap_or(NodeId::ROOT);
        let mut entry = annotations(record, id);
        match node.action() {
            Action::Start => {}
            Action::Move(mv) => {
                entry.mv = Some(write_move(*mv, &diagram, record.last_to(parent)));
                // Cannot fail: readers only add possible moves.
                let _ = diagram.apply(*mv);
            }
            Action::End(end) => {
                entry.special = Some(end.csa(diagram.side_to_move()).unwrap_or(end.word()).to_owned());
            }
        }
        let siblings = record.node(parent).children();
        if siblings.first() == Some(&id) {
            if depth == 0 {
                *too_deep += siblings.len() - 1;
            } else {
                entry.forks = siblings[1..].iter().map(|&fork| line(record, Some(fork), depth - 1, too_deep)).collect();
            }
        }
        entries.push(entry);
        at = node.children().first().copied();
    }
    entries
}

fn annotations(record: &Record, id: NodeId) -> Entry {
    let node = record.node(id);
    let own = |comment: &&Comment| matches!(comment, Comment::Unknown(FileFormat::Jkf, _));
    let mut comments: Vec<String> =
        node.comments.iter().filter(|comment| !own(comment)).map(|comment| comment.line().to_owned()).collect();
    comments.extend(node.bookmark.iter().map(|name| format!("&{name}")));
    Entry {
        comments,
        time: node.clock.zip(record.total_time(id)).map(|(clock, total)| Time {
            now: Hms::new(clock.spent, false),
            total: Some(Hms::new(total, true)),
            unknown: Map::new(),
        }),
        unknown: read_fields(node.comments.iter().filter(own).map(Comment::line)),
        ..Entry::default()
    }
}

/// The inverse of [`unknown_fields`].
fn read_fields<'a>(lines: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let field = |line: &str| serde_json::from_str::<Map<String, Value>>(&format!("{{{line}}}")).ok();
    lines.filter_map(field).flatten().collect()
}

fn write_move(mv: Move, before: &Board, last_to: Option<Square>) -> JkfMove {
    let place = |square: Square| Place { x: square.file() + 1, y: square.rank() + 1 };
    let moved = mv.from().and_then(|from| before.piece_on(from));
    let kind = mv.dropped().or(moved.map(Piece::piece_type)).unwrap_or(PieceType::King);
    let turn = before.side_to_move();
    let may_promote = mv.from().is_some_and(|from| {
        kind.promoted().is_some() && (from.in_promotion_zone(turn) || mv.to().in_promotion_zone(turn))
    });
    // JKF has letters for the distinguishing words of KI2, in the same order.
    let word = super::notation::move_in_japanese(before, mv, None);
    let relative: String = word
        .chars()
        .filter_map(|c| match c {
            '左' => Some('L'),
            '直' => Some('C'),
            '右' => Some('R'),
            '上' => Some('U'),
            '寄' => Some('M'),
            '引' => Some('D'),
            '打' => Some('H'),
            _ => None,
        })
        .collect();
    JkfMove {
        color: Some(turn.index() as u8),
        from: mv.from().map(place),
        to: Some(place(mv.to())),
        piece: code(kind).to_owned(),
        same: (last_to == Some(mv.to())).then_some(true),
        promote: may_promote.then_some(mv.is_promotion()),
        capture: before.piece_on(mv.to()).map(|piece| code(piece.piece_type()).to_owned()),
        relative: (!relative.is_empty()).then_some(relative),
        unknown: Map::new(),
    }
}

fn write_start(start: &Start) -> Initial {
    let handicap = start.handicap.filter(|handicap| handicap.is_known_everywhere());
    if let Some(preset) = handicap.and_then(Handicap::jkf) {
        return Initial { preset: preset.to_owned(), data: None, unknown: Map::new() };
    }
    let diagram = &start.diagram;
    let cell = |file: u8, rank: u8| match diagram.piece_on(Square::new(file, rank)) {
        None => Cell::default(),
        Some(piece) => {
            Cell { color: Some(piece.color().index() as u8), kind: Some(code(piece.piece_type()).to_owned()) }
        }
    };
    let hand =
        |color| PieceType::HAND.into_iter().map(|kind| (code(kind).to_owned(), diagram.hand(color, kind))).collect();
    Initial {
        preset: "OTHER".to_owned(),
        data: Some(Data {
            color: diagram.side_to_move().index() as u8,
            board: (0..9).map(|file| (0..9).map(|rank| cell(file, rank)).collect()).collect(),
            hands: Color::ALL.map(hand).into(),
            unknown: Map::new(),
        }),
        unknown: Map::new(),
    }
}
