//! The head of KIF and KI2: headers, drawn boards (BOD), remarks.

use super::notation::{digit, kanji_number, piece_in_japanese, piece_of_char, rank_kanji};
use super::{Diagram, Handicap, ReadError, Record, Start};
use crate::types::{Color, Piece, PieceType, Square};

/// Reads the head of a text: everything before the first comment or the first line for which `begins_moves` holds.
/// Returns the record so far and the remaining lines with their numbers.
///
/// # Errors
/// A line that cannot stand in the head, or that contradicts itself.
pub(super) fn read_head(
    text: &str,
    begins_moves: impl Fn(&str) -> bool,
) -> Result<(Record, impl Iterator<Item = (usize, &str)>), ReadError> {
    let mut head = HeaderReader::default();
    let mut lines = (1..).zip(text.lines()).peekable();
    let mut last = 1;
    while let Some(&(number, line)) = lines.peek() {
        last = number;
        if line.starts_with(['*', '&']) || begins_moves(line) {
            break;
        }
        if !head.take(number, line)? {
            return Err(ReadError::new(number, format!("'{}' is neither a header nor a move", line.trim())));
        }
        lines.next();
    }
    Ok((head.finish(last)?, lines))
}

/// Collects the lines above the moves.
#[derive(Default)]
struct HeaderReader {
    headers: Vec<(String, String)>,
    remarks: Vec<String>,
    handicap: Option<(usize, String)>,
    rows: Vec<(usize, [Option<Piece>; 9])>,
    hands: Vec<(Color, Vec<(PieceType, u8)>)>,
    turn: Option<Color>,
    number: Option<u32>,
}

impl HeaderReader {
    /// Reads a line of the head; `Ok(false)` if it does not look like one.
    fn take(&mut self, number: usize, line: &str) -> Result<bool, ReadError> {
        let text = line.trim();
        if let Some(remark) = line.strip_prefix('#') {
            let lower = remark.to_ascii_lowercase();
            if !(lower.starts_with("kif version") || lower.starts_with("ki2 version")) {
                self.remarks.push(remark.to_owned());
            }
        } else if text.is_empty() || text.starts_with("+--") || is_ruler(text) {
        } else if let Some(row) = line.trim_start().strip_prefix('|') {
            let cells = read_row(row).map_err(|reason| ReadError::new(number, reason))?;
            self.rows.push((number, cells));
        } else if let Some(turn) = read_turn(text) {
            self.turn = Some(turn);
        } else if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数=")) {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            self.number = digits.parse::<u32>().ok().map(|played| played.saturating_add(1));
        } else if let Some((key, value)) = split_header(text) {
            self.header(number, key, value)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn header(&mut self, number: usize, key: &str, value: &str) -> Result<(), ReadError> {
        let color = match key {
            "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => Some(Color::Black),
            "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => Some(Color::White),
            _ => None,
        };
        if let Some(color) = color {
            let hand = read_hand(value).map_err(|reason| ReadError::new(number, reason))?;
            self.hands.push((color, hand));
        } else if key == "手合割" {
            self.handicap = Some((number, value.to_owned()));
        } else {
            self.headers.push((key.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// The record with everything collected; `line` is where the head ends.
    fn finish(self, line: usize) -> Result<Record, ReadError> {
        let handicap = self.handicap.as_ref().and_then(|(_, name)| Handicap::from_name(name));
        let mut start = if self.rows.is_empty() {
            match (&self.handicap, handicap) {
                (_, Some(handicap)) => Start::of(handicap),
                (Some((number, name)), None) if !name.is_empty() => {
                    let reason = format!("the handicap '{name}' is not known and no board is drawn");
                    return Err(ReadError::new(*number, reason));
                }
                _ => Start::of(Handicap::Even),
            }
        } else {
            let mut diagram = Diagram::empty();
            if self.rows.len() != 9 {
                let last = self.rows.last().map_or(line, |row| row.0);
                let reason = format!("the drawn board has {} ranks, not 9", self.rows.len());
                return Err(ReadError::new(last, reason));
            }
            for (rank, (_, cells)) in (0u8..).zip(&self.rows) {
                for (column, &piece) in (0u8..).zip(cells) {
                    diagram.set(Square::new(8 - column, rank), piece);
                }
            }
            diagram.set_turn(match handicap {
                Some(handicap) if handicap != Handicap::Even => Color::White,
                _ => Color::Black,
            });
            Start::from_diagram(diagram)
        };
        for (color, hand) in self.hands {
            for (kind, count) in hand {
                start.diagram.set_hand(color, kind, count);
                start.handicap = None;
            }
        }
        if let Some(turn) = self.turn.filter(|&turn| turn != start.diagram.turn()) {
            start.diagram.set_turn(turn);
            start.handicap = Handicap::of(&start.diagram);
        }
        start.move_number = self.number.unwrap_or(1).max(1);
        let mut record = Record::new(start);
        record.headers = self.headers;
        record.remarks = self.remarks;
        Ok(record)
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
    (!key.is_empty() && !key.contains(char::is_whitespace)).then(|| (key, value.trim()))
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
pub(super) fn write(record: &Record, text: &mut String) {
    for remark in &record.remarks {
        text.push_str(&format!("#{remark}\n"));
    }
    let mut start_written = false;
    for (key, value) in &record.headers {
        if !start_written && matches!(key.as_str(), "先手" | "後手" | "下手" | "上手") {
            write_start(record, text);
            start_written = true;
        }
        let value = value.replace('\n', " ");
        text.push_str(&format!("{key}：{value}\n"));
    }
    if !start_written {
        write_start(record, text);
    }
}

fn write_start(record: &Record, text: &mut String) {
    if let Some(handicap) = record.start.handicap {
        text.push_str(&format!("手合割：{}\n", handicap.name()));
    } else {
        write_board(&record.start.diagram, text);
    }
    if record.start.move_number > 1 {
        text.push_str(&format!("手数＝{}　まで\n", record.start.move_number - 1));
    }
}

fn write_board(diagram: &Diagram, text: &mut String) {
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
            match diagram.piece(Square::new(file, rank)) {
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
    if diagram.turn() == Color::White {
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
    fn headers_split_at_the_wide_colon() {
        assert_eq!(split_header("開始日時：2014/09/13 14：59"), Some(("開始日時", "2014/09/13 14：59")));
        assert_eq!(split_header("開始日時:2014/09/13 14:59"), Some(("開始日時", "2014/09/13 14:59")));
        assert_eq!(split_header("http://example.org"), None);
    }
}
