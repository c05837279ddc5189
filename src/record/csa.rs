//! CSA: the format of the Computer Shogi Association, versions 1 to 3.0 (コンピュータ将棋協会「CSA標準棋譜ファイル形式」).

use super::csa_move::{code, csa_move, kind_of, read_move, read_square, sign};
use super::time_used::read_seconds;
use super::{Action, Comment, Diagram, End, Handicap, NodeId, ReadError, Record, Start, TimeUsed, Warning};
use crate::types::{Color, Piece, PieceType, Square};

/// CSA keywords and the KIF names of the same headers.
const HEADERS: [(&str, &str); 8] = [
    ("$EVENT", "棋戦"),
    ("$SITE", "場所"),
    ("$START_TIME", "開始日時"),
    ("$END_TIME", "終了日時"),
    ("$TIME_LIMIT", "持ち時間"),
    ("$OPENING", "戦型"),
    ("$NOTE", "備考"),
    ("$TITLE", "表題"),
];

/// Reads the games of a CSA file; a line `/` stands between games.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Vec<Record>, ReadError> {
    let mut games = Vec::new();
    let mut reader = Reader::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim() == "/" {
            games.push(std::mem::replace(&mut reader, Reader::new()).finish(number)?);
        } else {
            reader.line(number, line, warnings)?;
        }
    }
    // A `/` at the end does not begin another game.
    if games.is_empty() || reader.any {
        games.push(reader.finish(text.lines().count())?);
    }
    Ok(games)
}

struct Reader {
    record: Record,
    diagram: Diagram,
    /// Whether a line has placed or removed pieces.
    drawn: bool,
    started: bool,
    at: NodeId,
    any: bool,
}

impl Reader {
    fn new() -> Self {
        let start = Start::of(Handicap::Even);
        Self {
            diagram: start.diagram.clone(),
            record: Record::new(start),
            drawn: false,
            started: false,
            at: NodeId::ROOT,
            any: false,
        }
    }

    fn finish(mut self, line: usize) -> Result<Record, ReadError> {
        if !self.started {
            if self.drawn {
                self.begin(self.diagram.turn());
            } else if !self.any {
                return Err(ReadError::new(line, "there is no game here"));
            }
        }
        Ok(self.record)
    }

    fn begin(&mut self, turn: Color) {
        self.diagram.set_turn(turn);
        self.record.start = Start::from_diagram(self.diagram.clone());
        self.started = true;
        if matches!(self.record.start.handicap, Some(handicap) if handicap != Handicap::Even) {
            for (key, _) in &mut self.record.headers {
                match key.as_str() {
                    "先手" => "下手".clone_into(key),
                    "後手" => "上手".clone_into(key),
                    _ => {}
                }
            }
        }
    }

    fn line(&mut self, number: usize, line: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let text = line.trim_end();
        if text.is_empty() {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('\'') {
            self.comment(comment);
            return Ok(());
        }
        self.any = true;
        let refuse = |reason: String| ReadError::new(number, reason);
        if let Some(header) = text.strip_prefix('$') {
            let (key, value) = header.split_once(':').ok_or_else(|| refuse(format!("'{text}' has no colon")))?;
            let key = format!("${key}");
            let name = HEADERS.iter().find(|&&(csa, _)| csa == key).map_or(key.as_str(), |&(_, kif)| kif);
            // Keys unknown to CSA come from KIF, see `write`.
            let name = name.strip_prefix('$').filter(|name| !name.is_ascii()).unwrap_or(name);
            self.record.headers.push((name.to_owned(), value.to_owned()));
            return Ok(());
        }
        for (prefix, name) in [("N+", "先手"), ("N-", "後手")] {
            if let Some(player) = text.strip_prefix(prefix) {
                self.record.headers.push((name.to_owned(), player.to_owned()));
                return Ok(());
            }
        }
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(remark) = rest.trim_start().strip_prefix('\'') {
                self.comment(remark);
                break;
            }
            let (statement, tail) = rest.split_once(',').unwrap_or((rest, ""));
            self.statement(number, statement, warnings)?;
            rest = tail;
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("csa encoding=") || lower.starts_with("encoding=") {
            return;
        }
        let node = self.record.node_mut(self.at);
        if let Some(comment) = text.strip_prefix('*') {
            node.comments.push(Comment::Text(comment.to_owned()));
        } else if let Some(name) = text.strip_prefix('&') {
            node.bookmark = Some(name.to_owned());
        } else if self.started {
            node.comments.push(Comment::Remark(text.to_owned()));
        } else {
            self.record.remarks.push(text.to_owned());
        }
    }

    fn statement(&mut self, number: usize, statement: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let refuse = |reason: String| ReadError::new(number, reason);
        let text = statement.trim_end();
        match text.trim_start().as_bytes() {
            [] => {}
            [b'V', ..] => {
                let known = ["V1", "V2", "V2.1", "V2.2", "V3", "V3.0"];
                if !known.contains(&text) {
                    warnings
                        .push(Warning { line: number, text: format!("version '{text}' is not known; read as V2.2") });
                }
            }
            [b'P', ..] => {
                if self.started {
                    return Err(refuse(format!("'{text}' draws a board in the middle of the game")));
                }
                self.position(text).map_err(refuse)?;
            }
            [b'+'] | [b'-'] => {
                if self.started {
                    return Err(refuse(format!("'{text}' names the side to move a second time")));
                }
                self.begin(if text.starts_with('+') { Color::Black } else { Color::White });
            }
            [b'+' | b'-', ..] => {
                if !self.started {
                    let turn = if text.starts_with('+') { Color::Black } else { Color::White };
                    self.begin(turn);
                }
                if self.record.node(self.at).end().is_some() {
                    return Err(refuse(format!("'{text}' follows the end of the game")));
                }
                let mv = read_move(&self.diagram, text.trim_start()).map_err(refuse)?;
                self.diagram.apply(mv).map_err(|error| refuse(format!("'{text}': {error}")))?;
                self.at = self.record.add(self.at, Action::Move(mv));
            }
            [b'%', ..] => {
                if !self.started {
                    self.begin(self.diagram.turn());
                }
                if self.record.node(self.at).end().is_some() {
                    // Some servers write the end twice.
                    warnings.push(Warning { line: number, text: format!("'{text}' follows the end of the game") });
                    return Ok(());
                }
                let end = End::from_csa(&text.trim_start()[1..], self.diagram.turn());
                if matches!(end, End::Other(_)) {
                    warnings.push(Warning { line: number, text: format!("'{text}' is no known end; kept as it is") });
                }
                self.at = self.record.add(self.at, Action::End(end));
            }
            [b'T', seconds @ ..] => {
                let time = std::str::from_utf8(seconds)
                    .ok()
                    .and_then(|text| read_seconds(text.trim()))
                    .ok_or_else(|| refuse(format!("'{text}' is no time (expected T12)")))?;
                self.record.node_mut(self.at).clock = Some(TimeUsed { spent: time, total: None });
            }
            _ => return Err(refuse(format!("'{text}' is no statement of CSA"))),
        }
        Ok(())
    }

    fn position(&mut self, text: &str) -> Result<(), String> {
        let rest = &text[1..];
        if let Some(removed) = rest.strip_prefix('I') {
            self.diagram = Handicap::Even.diagram();
            for (square, kind) in pairs(removed)? {
                let square = square.ok_or("PI takes pieces from squares only")?;
                if self.diagram.piece(square).map(Piece::piece_type) != Some(kind) {
                    return Err(format!("there is no {} on {square} to remove", kind.name()));
                }
                self.diagram.set(square, None);
            }
        } else if let Some(rank) = rest.chars().next().and_then(|c| c.to_digit(10)).filter(|&d| d > 0) {
            self.clear_once();
            self.row(rank as u8 - 1, &rest[1..])?;
        } else if let Some(placed) = rest.strip_prefix(['+', '-']) {
            self.clear_once();
            let color = if rest.starts_with('+') { Color::Black } else { Color::White };
            self.place(color, placed)?;
        } else {
            return Err(format!("'{text}' is no position"));
        }
        self.drawn = true;
        Ok(())
    }

    /// The first line that places pieces starts from an empty board.
    fn clear_once(&mut self) {
        if !self.drawn {
            self.diagram = Diagram::empty();
        }
    }

    fn row(&mut self, rank: u8, row: &str) -> Result<(), String> {
        let refuse = || format!("rank '{row}' does not have 9 squares of three characters");
        if !row.is_ascii() {
            return Err(refuse());
        }
        for column in 0..9u8 {
            let start = usize::from(column) * 3;
            let cell = row.get(start..(start + 3).min(row.len())).ok_or_else(refuse)?;
            let color = match cell.as_bytes().first() {
                Some(b'+') => Color::Black,
                Some(b'-') => Color::White,
                _ if cell.contains('*') => continue,
                _ => return Err(refuse()),
            };
            let kind = kind_of(&cell[1..]).ok_or_else(|| format!("'{cell}' is no piece"))?;
            let square = Square::new(8 - column, rank);
            self.diagram.set(square, Some(Piece::new(color, kind)));
        }
        Ok(())
    }

    fn place(&mut self, color: Color, placed: &str) -> Result<(), String> {
        if let Some(before) = placed.strip_suffix("00AL") {
            self.place(color, before)?;
            // All pieces that are neither on the board nor in the other hand.
            for kind in PieceType::HAND {
                let used =
                    self.diagram.pieces().filter(|(_, piece)| piece.piece_type().unpromoted() == kind).count() as u8;
                let held = self.diagram.hand(!color, kind);
                let left = kind.count_in_set().saturating_sub(used).saturating_sub(held);
                self.diagram.set_hand(color, kind, left);
            }
            return Ok(());
        }
        for (square, kind) in pairs(placed)? {
            match square {
                Some(square) => self.diagram.set(square, Some(Piece::new(color, kind))),
                None if kind.is_promoted() || kind == PieceType::King => {
                    return Err(format!("a {} cannot be in hand", kind.name()));
                }
                None => {
                    let held = self.diagram.hand(color, kind);
                    self.diagram.set_hand(color, kind, held.saturating_add(1));
                }
            }
        }
        Ok(())
    }
}

/// Squares and pieces (`82HI22KA00FU`); `None` is the hand.
fn pairs(text: &str) -> Result<Vec<(Option<Square>, PieceType)>, String> {
    let text = text.trim();
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return Err(format!("'{text}' is no list of squares and pieces (expected 82HI22KA)"));
    }
    (0..text.len() / 4)
        .map(|index| {
            let item = &text[index * 4..index * 4 + 4];
            let kind = kind_of(&item[2..]).ok_or_else(|| format!("'{item}' names no piece"))?;
            match &item[..2] {
                "00" => Ok((None, kind)),
                square => read_square(square)
                    .map(|square| (Some(square), kind))
                    .ok_or_else(|| format!("'{item}' names no square")),
            }
        })
        .collect()
}

/// The main line as CSA, and what the format cannot represent. Version 3.0 if a time has fractions, else 2.2.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut losses: Vec<String> = record.variations_lost().into_iter().collect();
    let fractions = record.ids().filter_map(|id| record.node(id).clock).any(|clock| clock.spent.subsec_nanos() > 0);
    let mut text = String::from(if fractions { "V3.0\n" } else { "V2.2\n" });
    for remark in &record.remarks {
        text.push_str(&remark_line(remark));
    }
    for (key, value) in &record.headers {
        let line = match key.as_str() {
            "先手" | "下手" => format!("N+{value}"),
            "後手" | "上手" => format!("N-{value}"),
            _ => {
                let keyword = HEADERS.iter().find(|&&(_, kif)| kif == key);
                let keyword =
                    keyword.map_or_else(|| format!("${}", key.trim_start_matches('$')), |&(csa, _)| csa.to_owned());
                format!("{keyword}:{value}")
            }
        };
        text.push_str(&format!("{}\n", line.replace('\n', " ")));
    }
    write_start(&record.start, &mut text);
    let mut diagram = record.start.diagram.clone();
    for id in record.main_line() {
        let node = record.node(id);
        match node.action() {
            Action::Start => {}
            Action::Move(mv) => {
                text.push_str(&format!("{}\n", csa_move(&diagram, *mv)));
                // Cannot fail: readers only add possible moves.
                let _ = diagram.apply(*mv);
            }
            Action::End(end) => match end.csa(diagram.turn()) {
                Some(code) => text.push_str(&format!("%{code}\n")),
                None => {
                    losses.push(format!("the end '{}' becomes %CHUDAN: CSA has no word for it", end.word()));
                    text.push_str("%CHUDAN\n");
                }
            },
        }
        if let Some(clock) = node.clock {
            let seconds = clock.spent.as_secs();
            match clock.spent.subsec_millis() {
                0 => text.push_str(&format!("T{seconds}\n")),
                millis => text.push_str(&format!("T{seconds}.{millis:03}\n")),
            }
        }
        for comment in &node.comments {
            match comment {
                Comment::Text(line) => text.push_str(&format!("'*{line}\n")),
                Comment::Remark(line) => text.push_str(&remark_line(line)),
            }
        }
        if let Some(bookmark) = &node.bookmark {
            text.push_str(&format!("'&{bookmark}\n"));
        }
    }
    (text, losses)
}

/// A remark; a blank keeps one that begins with `*` or `&` from being read as a comment or a bookmark.
fn remark_line(remark: &str) -> String {
    let gap = if remark.starts_with(['*', '&']) { " " } else { "" };
    format!("'{gap}{remark}\n")
}

fn write_start(start: &Start, text: &mut String) {
    let diagram = &start.diagram;
    if start.handicap == Some(Handicap::Even) {
        text.push_str("PI\n");
    } else {
        for rank in 0..9 {
            text.push_str(&format!("P{}", rank + 1));
            for file in (0..9).rev() {
                match diagram.piece(Square::new(file, rank)) {
                    None => text.push_str(" * "),
                    Some(piece) => {
                        text.push(sign(piece.color()));
                        text.push_str(code(piece.piece_type()));
                    }
                }
            }
            text.push('\n');
        }
        for color in Color::ALL {
            let held: String = PieceType::HAND
                .into_iter()
                .rev()
                .map(|kind| format!("00{}", code(kind)).repeat(diagram.hand(color, kind).into()))
                .collect();
            if !held.is_empty() {
                text.push_str(&format!("P{}{held}\n", sign(color)));
            }
        }
    }
    text.push_str(&format!("{}\n", sign(diagram.turn())));
}
