//! CSA: the format of the Computer Shogi Association, versions 1 to 3.0 (コンピュータ将棋協会「CSA標準棋譜ファイル形式」).

use std::time::Duration;

use super::csa_move::{code, csa_move, kind_of, read_move, read_square, sign};
use super::time_used::read_seconds;
use super::{Action, Comment, End, FileFormat, Handicap, NodeId, ReadError, Record, Start, TimeUsed, Warning};
use crate::position::Board;
use crate::types::{Color, Piece, PieceType, Square};

/// Length of a move, `+7776FU`.
const MOVE_LENGTH: usize = 7;

const VERSIONS: [&str; 6] = ["V1", "V2", "V2.1", "V2.2", "V3", "V3.0"];

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
    match games.last_mut() {
        // A `/` at the end does not begin another game: comments after it belong to the last one.
        Some(last) if !reader.has_statements => {
            let end = last.main_end();
            let remarks = std::mem::take(&mut reader.record.remarks).into_iter().map(Comment::Remark);
            let comments = std::mem::take(&mut reader.record.node_mut(NodeId::ROOT).comments);
            last.node_mut(end).comments.extend(remarks.chain(comments));
        }
        _ => games.push(reader.finish(text.lines().count())?),
    }
    Ok(games)
}

struct Reader {
    record: Record,
    diagram: Board,
    /// Whether a line has placed or removed pieces.
    drawn: bool,
    started: bool,
    at: NodeId,
    /// Whether there is anything but comments.
    has_statements: bool,
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
            has_statements: false,
        }
    }

    fn finish(mut self, line: usize) -> Result<Record, ReadError> {
        if !self.started {
            if self.drawn {
                self.begin(self.diagram.side_to_move());
            } else if !self.has_statements {
                return Err(ReadError::new(line, "there is no game here"));
            }
        }
        // The names stand above the position that shows a handicap, or anywhere.
        if matches!(self.record.start.handicap, Some(handicap) if handicap != Handicap::Even) {
            for (key, _) in &mut self.record.headers {
                match key.as_str() {
                    "先手" => "下手".clone_into(key),
                    "後手" => "上手".clone_into(key),
                    _ => {}
                }
            }
        }
        Ok(self.record)
    }

    fn begin(&mut self, turn: Color) {
        self.diagram.set_side_to_move(turn);
        self.record.start = Start::from_diagram(self.diagram.clone());
        self.started = true;
    }

    fn line(&mut self, number: usize, line: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let text = line.trim();
        if text.is_empty() {
            return Ok(());
        }
        if let Some(comment) = line.trim_start().strip_prefix('\'') {
            self.comment(comment, number, warnings);
            return Ok(());
        }
        self.has_statements = true;
        // Names and headers may have commas in them: they are the whole line.
        if self.header(number, text)? {
            return Ok(());
        }
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(remark) = rest.trim_start().strip_prefix('\'') {
                self.comment(remark, number, warnings);
                break;
            }
            let (statement, tail) = rest.split_once(',').unwrap_or((rest, ""));
            self.statement(number, statement, warnings)?;
            rest = tail;
        }
        Ok(())
    }

    /// Takes a player's name or a header; `false` if the text is none.
    fn header(&mut self, number: usize, text: &str) -> Result<bool, ReadError> {
        if let Some(header) = text.strip_prefix('$') {
            let (key, value) =
                header.split_once(':').ok_or_else(|| ReadError::new(number, format!("'{text}' has no colon")))?;
            let key = format!("${key}");
            let name = HEADERS.iter().find(|&&(csa, _)| csa == key).map_or(key.as_str(), |&(_, kif)| kif);
            // Keys unknown to CSA come from KIF, see `write`.
            let name = name.strip_prefix('$').filter(|name| !name.is_ascii()).unwrap_or(name);
            self.record.headers.push((name.to_owned(), value.to_owned()));
            return Ok(true);
        }
        for (prefix, name) in [("N+", "先手"), ("N-", "後手")] {
            if let Some(player) = text.strip_prefix(prefix) {
                self.record.headers.push((name.to_owned(), player.to_owned()));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn comment(&mut self, text: &str, number: usize, warnings: &mut Vec<Warning>) {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("csa encoding=") || lower.starts_with("encoding=") {
            return;
        }
        let node = self.record.node_mut(self.at);
        if let Some(comment) = text.strip_prefix('*') {
            node.comments.push(Comment::Text(comment.to_owned()));
        } else if let Some(name) = text.strip_prefix('&') {
            if let Some(earlier) = node.bookmark.replace(name.to_owned()) {
                warnings.push(Warning::second_bookmark(number, &earlier));
            }
        } else if self.started {
            node.comments.push(Comment::Remark(text.to_owned()));
        } else {
            self.record.remarks.push(text.to_owned());
        }
    }

    fn statement(&mut self, number: usize, statement: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let refuse = |reason: String| ReadError::new(number, reason);
        let text = statement.trim();
        match text.as_bytes() {
            [] => {}
            [b'V', ..] => {
                if !VERSIONS.contains(&text) {
                    warnings.push(Warning::odd(number, format!("version '{text}' is not known; read as V2.2")));
                }
                self.record.csa_version = Some(text.to_owned());
            }
            [b'P', ..] => {
                if self.started {
                    return Err(refuse(format!("'{text}' draws a board in the middle of the game")));
                }
                self.position(number, text, warnings).map_err(refuse)?;
            }
            [b'+'] | [b'-'] => {
                if self.started {
                    return Err(refuse(format!("'{text}' names the side to move a second time")));
                }
                self.begin(if text.starts_with('+') { Color::Black } else { Color::White });
            }
            [b'+' | b'-', ..] => self.move_statement(number, text, warnings)?,
            [b'%', ..] => self.end_statement(number, text, warnings),
            [b'T', ..] => self.time_statement(number, text, warnings)?,
            _ if self.header(number, text)? => {}
            _ => return Err(refuse(format!("'{text}' is no statement of CSA"))),
        }
        Ok(())
    }

    fn move_statement(&mut self, number: usize, text: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let (mv, rest) = text.split_at_checked(MOVE_LENGTH).unwrap_or((text, ""));
        self.make_move(mv).map_err(|reason| ReadError::new(number, reason))?;
        let rest = rest.trim();
        if let Some(remark) = rest.strip_prefix('\'') {
            self.comment(remark, number, warnings);
        } else if rest.starts_with('T') && read_seconds(rest[1..].trim()).is_some() {
            self.time_statement(number, rest, warnings)?;
        } else if !rest.is_empty() {
            warnings.push(Warning::not_understood(number, format!("'{rest}' follows the move; kept as a remark")));
            self.record.node_mut(self.at).comments.push(Comment::Remark(rest.to_owned()));
        }
        Ok(())
    }

    fn make_move(&mut self, text: &str) -> Result<(), String> {
        if !self.started {
            let turn = if text.starts_with('+') { Color::Black } else { Color::White };
            self.begin(turn);
        }
        if self.record.node(self.at).end().is_some() {
            return Err(format!("'{text}' follows the end of the game"));
        }
        let mv = read_move(&self.diagram, text)?;
        self.diagram.apply(mv).map_err(|error| format!("'{text}': {error}"))?;
        self.at = self.record.add(self.at, Action::Move(mv));
        Ok(())
    }

    fn end_statement(&mut self, number: usize, text: &str, warnings: &mut Vec<Warning>) {
        if !self.started {
            self.begin(self.diagram.side_to_move());
        }
        if self.record.node(self.at).end().is_some() {
            // Some servers write the end twice.
            warnings.push(Warning::odd(number, format!("'{text}' follows the end of the game")));
            self.record.node_mut(self.at).comments.push(Comment::Unknown(FileFormat::Csa, text.to_owned()));
            return;
        }
        let end = End::from_csa(&text[1..], self.diagram.side_to_move());
        if matches!(end, End::Other(_)) {
            warnings.push(match end.csa(self.diagram.side_to_move()) {
                Some(_) => Warning::odd(number, format!("'{text}' is no known end; kept as it is")),
                None => Warning::not_understood(number, format!("'{text}' is no known end; it becomes %CHUDAN")),
            });
        }
        self.at = self.record.add(self.at, Action::End(end));
    }

    fn time_statement(&mut self, number: usize, text: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let seconds = text[1..].trim();
        let spent = if seconds.is_empty() {
            warnings.push(Warning::odd(number, format!("'{text}' has no number; read as T0")));
            Duration::ZERO
        } else if let Some(time) = read_seconds(seconds) {
            time
        } else if seconds.strip_prefix('-').and_then(read_seconds).is_some() {
            // The clocks of some servers ran backwards.
            warnings.push(Warning::not_understood(number, format!("the time '{text}' is negative; read as T0")));
            Duration::ZERO
        } else {
            return Err(ReadError::new(number, format!("'{text}' is no time (expected T12)")));
        };
        let earlier = self.record.node_mut(self.at).clock.replace(TimeUsed { spent, total: None });
        if earlier.is_some_and(|earlier| earlier.spent != spent) {
            let text = format!("'{text}' is a second time for one move; the first is left out");
            warnings.push(Warning::not_understood(number, text));
        }
        Ok(())
    }

    fn position(&mut self, number: usize, text: &str, warnings: &mut Vec<Warning>) -> Result<(), String> {
        let rest = &text[1..];
        if let Some(removed) = rest.strip_prefix('I') {
            self.diagram = Handicap::Even.diagram();
            for (square, kind) in pairs(removed)? {
                let square = square.ok_or("PI takes pieces from squares only")?;
                if self.diagram.piece_on(square).map(Piece::piece_type) != Some(kind) {
                    return Err(format!("there is no {} on {square} to remove", kind.name()));
                }
                self.diagram.set(square, None);
            }
        } else if let Some(rank) = rest.chars().next().and_then(|c| c.to_digit(10)).filter(|&d| d > 0) {
            self.clear_once();
            self.row(number, rank as u8 - 1, &rest[1..], warnings)?;
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
            self.diagram = Board::EMPTY;
        }
    }

    /// Reads the nine squares of a rank. Blanks between them do not matter: mail and web pages collapse them.
    fn row(&mut self, number: usize, rank: u8, row: &str, warnings: &mut Vec<Warning>) -> Result<(), String> {
        let refuse = || format!("rank '{row}' does not have 9 squares of three characters");
        let mut cells = Vec::new();
        let mut rest = row.trim();
        while !rest.is_empty() && cells.len() < 9 {
            let color = match rest.as_bytes()[0] {
                b'+' => Some(Color::Black),
                b'-' => Some(Color::White),
                b'*' => None,
                _ => return Err(refuse()),
            };
            let length = if color.is_some() { 3 } else { 1 };
            let cell = rest.get(..length).ok_or_else(refuse)?;
            cells.push(match color {
                None => None,
                Some(color) => {
                    let kind = kind_of(&cell[1..]).ok_or_else(|| format!("'{cell}' is no piece"))?;
                    Some(Piece::new(color, kind))
                }
            });
            rest = rest[length..].trim_start();
        }
        if cells.len() != 9 || rest.starts_with(['+', '-', '*']) {
            return Err(refuse());
        }
        if !rest.is_empty() {
            warnings.push(Warning::odd(number, format!("'{rest}' follows the rank; kept as a remark")));
            self.record.remarks.push(rest.to_owned());
        }
        for (column, piece) in (0u8..).zip(cells) {
            if piece.is_some() {
                self.diagram.set(Square::new(8 - column, rank), piece);
            }
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

/// The main line as CSA, and what the format cannot represent. The version is the one that the source had, 2.2 if it
/// had none, 3.0 if a time has fractions.
pub(super) fn write(record: &Record) -> (String, Vec<String>) {
    let mut losses: Vec<String> = record.variations_lost().into_iter().collect();
    let fractions = record.ids().filter_map(|id| record.node(id).clock).any(|clock| clock.spent.subsec_nanos() > 0);
    let version = record.csa_version.as_deref().unwrap_or("V2.2");
    let mut text = format!("{}\n", if fractions && !version.starts_with("V3") { "V3.0" } else { version });
    for unknown in &record.unknown_lines {
        text.push_str(&remark_line(&unknown.line));
    }
    for remark in &record.remarks {
        text.push_str(&remark_line(remark));
    }
    for (key, value) in &record.headers {
        let line = match key.as_str() {
            "先手" | "下手" => format!("N+{value}"),
            "後手" | "上手" => format!("N-{value}"),
            _ => {
                let keyword = HEADERS.iter().find(|&&(_, kif)| kif == key);
                let keyword = keyword
                    .map_or_else(|| format!("${}", key.strip_prefix('$').unwrap_or(key)), |&(csa, _)| csa.to_owned());
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
            Action::End(end) => match end.csa(diagram.side_to_move()) {
                Some(code) => text.push_str(&format!("%{code}\n")),
                None => {
                    losses.push(format!("the end '{}' becomes %CHUDAN: CSA has no word for it", end.word()));
                    text.push_str("%CHUDAN\n");
                }
            },
        }
        if let Some(clock) = node.clock {
            let seconds = clock.spent.as_secs();
            // Milliseconds, or more digits if the source has them.
            let mut fraction = format!("{:09}", clock.spent.subsec_nanos());
            while fraction.len() > 3 && fraction.ends_with('0') {
                fraction.pop();
            }
            let fraction = if fraction == "000" { String::new() } else { format!(".{fraction}") };
            text.push_str(&format!("T{seconds}{fraction}\n"));
        }
        for comment in &node.comments {
            match comment {
                Comment::Text(line) => text.push_str(&format!("'*{line}\n")),
                Comment::Unknown(FileFormat::Csa, line) => text.push_str(&format!("{line}\n")),
                Comment::Remark(line) | Comment::Unknown(_, line) => text.push_str(&remark_line(line)),
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
                match diagram.piece_on(Square::new(file, rank)) {
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
    text.push_str(&format!("{}\n", sign(diagram.side_to_move())));
}
