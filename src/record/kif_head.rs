//! The head of KIF and KI2: headers, drawn boards (BOD), remarks.

use super::kif_body::{is_variation, unknown_line};
use super::kif_row::begins_like_move;
use super::notation::{digit, kanji_number, piece_in_japanese, piece_of_char, rank_kanji};
use super::written_move::WrittenMove;
use super::{Comment, FileFormat, Handicap, NodeId, PreviousMove, ReadError, Record, Start, UnknownLine, Warning};
use crate::position::Board;
use crate::types::{Color, Piece, PieceType, Square};

/// The head of a text, read.
pub(super) struct Head {
    /// The record so far.
    pub record: Record,
    /// Whether a board is drawn and nothing says who is to move.
    pub turn_is_open: bool,
}

/// Reads the head of a text: everything before the first line for which `begins_moves` holds. Returns it with the
/// remaining lines and their numbers. Comments and bookmarks in the head belong to the starting position; lines that
/// are not understood are kept.
///
/// # Errors
/// A board, a hand or a handicap that makes no sense.
pub(super) fn read_head<'a, F: Fn(&str) -> bool>(
    text: &'a str,
    format: FileFormat,
    begins_moves: F,
    warnings: &mut Vec<Warning>,
) -> Result<(Head, impl Iterator<Item = (usize, &'a str)> + use<'a, F>), ReadError> {
    let mut head = HeaderReader::default();
    let mut lines = (1..).zip(text.lines()).peekable();
    let mut last = 1;
    while let Some(&(number, line)) = lines.peek() {
        last = number;
        if begins_moves(line) {
            break;
        }
        if !head.take(number, line, warnings)? {
            warnings.push(unknown_line(line, number));
            head.keep_unknown(format, line);
        }
        lines.next();
    }
    Ok((head.finish(last, format, warnings)?, lines))
}

/// Collects the lines above the moves.
#[derive(Default)]
struct HeaderReader {
    headers: Vec<(String, String)>,
    remarks: Vec<String>,
    unknown_lines: Vec<UnknownLine>,
    handicap: Option<(usize, String)>,
    rows: Vec<(usize, [Option<Piece>; 9])>,
    hands: Vec<(Color, Vec<(PieceType, u8)>)>,
    turn: Option<Color>,
    number: Option<u32>,
    previous_move: Option<PreviousMove>,
    /// Comments on the starting position.
    comments: Vec<Comment>,
    bookmark: Option<String>,
}

impl HeaderReader {
    /// Reads a line of the head; `Ok(false)` if it does not look like one.
    fn take(&mut self, number: usize, line: &str, warnings: &mut Vec<Warning>) -> Result<bool, ReadError> {
        let text = line.trim();
        if let Some(remark) = line.strip_prefix('#') {
            let lower = remark.to_ascii_lowercase();
            if lower.starts_with("kif version") || lower.starts_with("ki2 version") {
                // The document says it again when it is written.
            } else if self.comments.is_empty() {
                self.remarks.push(remark.to_owned());
            } else {
                self.comments.push(Comment::Remark(remark.to_owned()));
            }
        } else if let Some(comment) = line.strip_prefix('*') {
            self.comments.push(Comment::Text(comment.to_owned()));
        } else if let Some(name) = line.strip_prefix('&') {
            if let Some(earlier) = self.bookmark.replace(name.to_owned()) {
                warnings.push(Warning::second_bookmark(number, &earlier));
            }
        } else if text.is_empty() || text.starts_with("+--") || is_ruler(text) {
        } else if let Some(row) = line.trim_start().strip_prefix('|') {
            let cells = read_row(row).map_err(|reason| ReadError::new(number, reason))?;
            self.rows.push((number, cells));
        } else if let Some(turn) = read_turn(text) {
            self.turn = Some(turn);
        } else if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数=")) {
            return Ok(self.moves_played(rest));
        } else if let Some((key, value)) = split_header(text).filter(|_| !is_variation(text)) {
            self.header(number, key, value, warnings)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads what follows 手数＝: the number of moves played, and the last of them. `false` if there is no number.
    fn moves_played(&mut self, text: &str) -> bool {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        self.number = text[..digits].parse::<u32>().ok().map(|played| played.saturating_add(1));
        let text = text[digits..].trim();
        let text = text.strip_suffix("まで").unwrap_or(text).trim();
        if self.number.is_some() && !text.is_empty() {
            let to = WrittenMove::read(text).ok().and_then(|(word, _)| word.to());
            self.previous_move = Some(PreviousMove { text: text.to_owned(), to });
        }
        self.number.is_some()
    }

    fn keep_unknown(&mut self, format: FileFormat, line: &str) {
        let headers_above = self.headers.len();
        self.unknown_lines.push(UnknownLine { headers_above, format, line: line.to_owned() });
    }

    fn header(&mut self, number: usize, key: &str, value: &str, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
        let color = match key {
            "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => Some(Color::Black),
            "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => Some(Color::White),
            _ => None,
        };
        if let Some(color) = color {
            let hand = read_hand(value).map_err(|reason| ReadError::new(number, reason))?;
            self.hands.push((color, hand));
        } else if key == "手合割" {
            let earlier = self.handicap.replace((number, value.to_owned()));
            if let Some((_, earlier)) = earlier.filter(|(_, earlier)| !earlier.is_empty() && earlier != value) {
                let text = format!("a second handicap; the first, '{earlier}', is left out");
                warnings.push(Warning::not_understood(number, text));
            }
        } else if let Some((black, white_key, white)) = two_names(key, value) {
            self.headers.push((key.to_owned(), black.to_owned()));
            self.headers.push((white_key.to_owned(), white.to_owned()));
        } else {
            self.headers.push((key.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// The record with everything collected; `line` is where the head ends.
    fn finish(mut self, line: usize, format: FileFormat, warnings: &mut Vec<Warning>) -> Result<Head, ReadError> {
        let handicap = self.handicap.as_ref().and_then(|(_, name)| Handicap::from_name(name));
        let drawn = !self.rows.is_empty();
        let mut start = if drawn { self.drawn_start(handicap, line)? } else { self.named_start(handicap, warnings)? };
        for (color, hand) in std::mem::take(&mut self.hands) {
            for (kind, count) in hand {
                start.diagram.set_hand(color, kind, count);
            }
        }
        if let Some(turn) = self.turn {
            start.diagram.set_side_to_move(turn);
        }
        start.handicap = Handicap::of(&start.diagram);
        if drawn {
            self.keep_handicap_beside_board(handicap, &start, format, warnings);
        }
        start.move_number = self.number.unwrap_or(1).max(1);
        let mut record = Record::new(start);
        record.headers = self.headers;
        record.remarks = self.remarks;
        record.unknown_lines = self.unknown_lines;
        record.previous_move = self.previous_move;
        let root = record.node_mut(NodeId::ROOT);
        root.comments = self.comments;
        root.bookmark = self.bookmark;
        Ok(Head { record, turn_is_open: drawn && self.turn.is_none() })
    }

    /// Says where the name of a handicap does not go with the drawn board, which counts, and keeps an unknown name.
    fn keep_handicap_beside_board(
        &mut self,
        handicap: Option<Handicap>,
        start: &Start,
        format: FileFormat,
        warnings: &mut Vec<Warning>,
    ) {
        let Some((number, name)) = &self.handicap else { return };
        match handicap {
            None if matches!(name.as_str(), "" | "その他") => {}
            None if start.handicap.is_some() => {
                let text =
                    format!("the handicap '{name}' is not known; the board is that of another one, which counts");
                warnings.push(Warning::not_understood(*number, text));
            }
            None => {
                warnings.push(Warning::odd(*number, format!("the handicap '{name}' is not known; the board counts")));
                let line = format!("手合割：{name}");
                self.unknown_lines.push(UnknownLine { headers_above: 0, format, line });
            }
            Some(handicap) if handicap != Handicap::Even && start.handicap != Some(handicap) => {
                let text = format!("the drawn board is not the start of '{name}'; the board counts");
                warnings.push(Warning::odd(*number, text));
            }
            _ => {}
        }
    }

    /// The start of a handicap without a drawn board.
    fn named_start(&self, handicap: Option<Handicap>, warnings: &mut Vec<Warning>) -> Result<Start, ReadError> {
        match (&self.handicap, handicap) {
            (Some((number, name)), Some(handicap)) => {
                match Handicap::ambiguity(name) {
                    Some((text, true)) => warnings.push(Warning::not_understood(*number, text)),
                    Some((text, false)) => warnings.push(Warning::odd(*number, text)),
                    None => {}
                }
                Ok(Start::of(handicap))
            }
            (Some((number, name)), None) if !name.is_empty() => Err(ReadError::new(
                *number,
                format!(
                    "the handicap '{name}' is not known and no board is drawn (known are {})",
                    Handicap::known_names()
                ),
            )),
            _ => Ok(Start::of(Handicap::Even)),
        }
    }

    /// The start with the drawn board, White to move where a handicap is named.
    fn drawn_start(&self, handicap: Option<Handicap>, line: usize) -> Result<Start, ReadError> {
        if self.rows.len() != 9 {
            let last = self.rows.last().map_or(line, |row| row.0);
            let reason = format!("the drawn board has {} ranks, not 9", self.rows.len());
            return Err(ReadError::new(last, reason));
        }
        let mut diagram = Board::EMPTY;
        for (rank, (_, cells)) in (0u8..).zip(&self.rows) {
            for (column, &piece) in (0u8..).zip(cells) {
                diagram.set(Square::new(8 - column, rank), piece);
            }
        }
        diagram.set_side_to_move(match handicap {
            Some(handicap) if handicap != Handicap::Even => Color::White,
            _ => Color::Black,
        });
        Ok(Start::from_diagram(diagram))
    }
}

fn is_ruler(text: &str) -> bool {
    text.starts_with('９') && text.ends_with('１') && text.contains('５')
}

fn read_turn(text: &str) -> Option<Color> {
    match text {
        "先手番" | "下手番" => Some(Color::Black),
        "後手番" | "上手番" => Some(Color::White),
        _ => None,
    }
}

/// `key：value`. A half-width colon counts only after a Japanese key, so that times and URLs are not split.
fn split_header(text: &str) -> Option<(&str, &str)> {
    let wide = text.split_once('：');
    let narrow = text.split_once(':').filter(|(key, _)| !key.is_ascii() && !key.contains('：'));
    let (key, value) = wide.filter(|(key, _)| !key.contains(':')).or(narrow).or(wide)?;
    let key = key.trim();
    let is_note_or_move = key.starts_with(['*', '&', '#']) || begins_like_move(key);
    (!key.is_empty() && !key.contains(char::is_whitespace) && !is_note_or_move).then(|| (key, value.trim()))
}

/// Both players' names, where a program writes them in one line: `先手：甲 / 後手：乙`.
fn two_names<'a>(key: &str, value: &'a str) -> Option<(&'a str, &'static str, &'a str)> {
    let other = match key {
        "先手" => "後手",
        "下手" => "上手",
        _ => return None,
    };
    let is_gap = |c: char| c.is_whitespace() || c == '/';
    value.match_indices(other).find_map(|(at, _)| {
        let black = value[..at].strip_suffix(is_gap)?;
        let white = value[at + other.len()..].strip_prefix(['：', ':'])?;
        Some((black.trim_end_matches(is_gap), other, white.trim()))
    })
}

fn read_row(row: &str) -> Result<[Option<Piece>; 9], String> {
    let inside = row.split('|').next().unwrap_or(row);
    let mut cells = Vec::new();
    let mut white = false;
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '　' | '^' | '+' | '▲' | '☗' => {}
            'v' | 'V' | 'ｖ' | '-' | '△' | '▽' | '☖' => white = true,
            '・' | '･' | '.' | '．' | '口' | '*' => {
                cells.push(None);
                white = false;
            }
            _ => {
                let kind = if c == '成' {
                    chars.next().and_then(piece_of_char).and_then(PieceType::promoted)
                } else {
                    piece_of_char(c)
                };
                let kind = kind.ok_or_else(|| format!("'{c}' on the drawn board is no piece"))?;
                let color = if white { Color::White } else { Color::Black };
                cells.push(Some(Piece::new(color, kind)));
                white = false;
            }
        }
    }
    let count = cells.len();
    cells.try_into().map_err(|_| format!("the drawn rank '{}' has {count} squares, not 9", inside.trim()))
}

fn read_hand(text: &str) -> Result<Vec<(PieceType, u8)>, String> {
    let mut hand: Vec<(PieceType, u8)> = Vec::new();
    if text.trim() == "なし" {
        return Ok(hand);
    }
    let mut chars = text.chars().filter(|c| !c.is_whitespace()).peekable();
    while let Some(c) = chars.next() {
        let kind = piece_of_char(c)
            .filter(|&kind| !kind.is_promoted() && kind != PieceType::King)
            .ok_or_else(|| format!("'{c}' in the hand '{text}' is no piece"))?;
        let (mut tens, mut ones) = (None, None);
        while let Some(&c) = chars.peek() {
            if c == '十' {
                tens = Some(ones.take().unwrap_or(1));
            } else if let Some(value) = digit(c).or((c == '0' || c == '０').then_some(0)) {
                // Two digits in a row form a number.
                if let Some(before) = ones.replace(value) {
                    tens = Some(before);
                }
            } else {
                break;
            }
            chars.next();
        }
        let count = match (tens, ones) {
            (None, None) => 1,
            (tens, ones) => tens.unwrap_or(0) * 10 + ones.unwrap_or(0),
        };
        match hand.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => hand.push((kind, count)),
        }
    }
    Ok(hand)
}

/// Writes the lines above the moves, without the first one, which declares the encoding.
pub(super) fn write(record: &Record, format: FileFormat, text: &mut String) {
    for remark in &record.remarks {
        text.push_str(&format!("#{remark}\n"));
    }
    let write_unknown = |headers_above: std::ops::RangeInclusive<usize>, text: &mut String| {
        for unknown in record.unknown_lines.iter().filter(|unknown| headers_above.contains(&unknown.headers_above)) {
            let mark = if unknown.format == format { "" } else { "#" };
            text.push_str(&format!("{mark}{}\n", unknown.line));
        }
    };
    let mut start_written = false;
    for (index, (key, value)) in record.headers.iter().enumerate() {
        write_unknown(index..=index, text);
        if !start_written && matches!(key.as_str(), "先手" | "後手" | "下手" | "上手") {
            write_start(record, text);
            start_written = true;
        }
        let value = value.replace('\n', " ");
        text.push_str(&format!("{key}：{value}\n"));
    }
    write_unknown(record.headers.len()..=usize::MAX, text);
    if !start_written {
        write_start(record, text);
    }
}

fn write_start(record: &Record, text: &mut String) {
    let handicap = record.start.handicap;
    if let Some(handicap) = handicap {
        text.push_str(&format!("手合割：{}\n", handicap.name()));
    }
    // Not every program knows every handicap.
    if !handicap.is_some_and(Handicap::is_known_everywhere) {
        write_board(&record.start.diagram, text);
    }
    let previous_move = record.previous_move.as_ref();
    if record.start.move_number > 1 || previous_move.is_some() {
        let last = previous_move.map_or_else(String::new, |last| format!("　{}", last.text));
        text.push_str(&format!("手数＝{}{last}　まで\n", record.start.move_number - 1));
    }
}

fn write_board(diagram: &Board, text: &mut String) {
    let hand = |color| {
        let mut held = String::new();
        for kind in [
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Gold,
            PieceType::Silver,
            PieceType::Knight,
            PieceType::Lance,
            PieceType::Pawn,
        ] {
            let name = piece_in_japanese(kind);
            match diagram.hand(color, kind) {
                0 => {}
                1 => held.push_str(&format!("{name}　")),
                count => held.push_str(&format!("{name}{}　", kanji_number(count))),
            }
        }
        if held.is_empty() { "なし".to_owned() } else { held }
    };
    text.push_str(&format!("後手の持駒：{}\n", hand(Color::White)));
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            match diagram.piece_on(Square::new(file, rank)) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push(match piece.piece_type() {
                        PieceType::ProLance => '杏',
                        PieceType::ProKnight => '圭',
                        PieceType::ProSilver => '全',
                        kind => piece_in_japanese(kind).chars().next().unwrap_or('・'),
                    });
                }
            }
        }
        text.push_str(&format!("|{}\n", rank_kanji(rank)));
    }
    text.push_str("+---------------------------+\n");
    text.push_str(&format!("先手の持駒：{}\n", hand(Color::Black)));
    if diagram.side_to_move() == Color::White {
        text.push_str("後手番\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_of_all_spellings() {
        let hand = |text| read_hand(text).unwrap();
        assert_eq!(hand("なし"), []);
        assert_eq!(hand(""), []);
        assert_eq!(hand("飛二 角 歩十七 "), [(PieceType::Rook, 2), (PieceType::Bishop, 1), (PieceType::Pawn, 17)]);
        assert_eq!(hand("歩18"), [(PieceType::Pawn, 18)]);
        assert_eq!(hand("歩十　香"), [(PieceType::Pawn, 10), (PieceType::Lance, 1)]);
        assert_eq!(hand("歩二十"), [(PieceType::Pawn, 20)]);
        assert!(read_hand("歩二枚").is_err());
    }

    #[test]
    fn rows_of_all_spellings() {
        let row = |text: &str| read_row(text).map(|cells| cells.iter().flatten().count());
        assert_eq!(row("v香v桂v銀v金v玉v金v銀v桂v香|一"), Ok(9));
        assert_eq!(row(" ・ ・ ・ ・ 馬 ・ ・v桂 ・|一"), Ok(2));
        assert_eq!(row(" ・ ・|一"), Err("the drawn rank '・ ・' has 2 squares, not 9".to_owned()));
        assert_eq!(row(" ・ 猫"), Err("'猫' on the drawn board is no piece".to_owned()));
    }

    #[test]
    fn two_names_in_one_line() {
        assert_eq!(two_names("先手", "甲 / 後手：乙"), Some(("甲", "後手", "乙")));
        assert_eq!(two_names("先手", "甲　後手:乙 二段"), Some(("甲", "後手", "乙 二段")));
        assert_eq!(two_names("下手", "甲 上手：乙"), Some(("甲", "上手", "乙")));
        for (key, value) in
            [("先手", "甲"), ("先手", "後手：乙"), ("後手", "a 先手：b"), ("先手", "甲後手：乙"), ("先手", "甲 後手")]
        {
            assert_eq!(two_names(key, value), None, "{key} {value}");
        }
    }

    #[test]
    fn headers_split_at_the_wide_colon() {
        assert_eq!(split_header("開始日時：2014/09/13 14：59"), Some(("開始日時", "2014/09/13 14：59")));
        assert_eq!(split_header("開始日時:2014/09/13 14:59"), Some(("開始日時", "2014/09/13 14:59")));
        assert_eq!(split_header("http://example.org"), None);
    }
}
