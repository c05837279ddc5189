//! Japanese notation: digits, piece names, and moves as KIF (`７六歩(77)`) and KI2 (`▲５七銀右`) write them.

use crate::position::Board;
use crate::types::{Color, Move, PieceType, Square};

const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// 1..=9 of a digit of any kind: `7`, `７`, `七`.
pub(super) fn digit(c: char) -> Option<u8> {
    let place = |digits: &[char; 9]| digits.iter().position(|&d| d == c);
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        _ => place(&FULL_WIDTH).or_else(|| place(&KANJI)).map(|index| index as u8 + 1),
    }
}

/// A number up to 99 in kanji, as hands are written (十八).
pub(super) fn kanji_number(number: u8) -> String {
    let one = |n: u8| {
        if n == 0 { String::new() } else { KANJI[n as usize - 1].to_string() }
    };
    match (number / 10, number % 10) {
        (0, ones) => one(ones),
        (1, ones) => format!("十{}", one(ones)),
        (tens, ones) => format!("{}十{}", one(tens % 10), one(ones)),
    }
}

/// The kanji digit of a 0-based rank.
pub(super) fn rank_kanji(rank: u8) -> char {
    KANJI[rank as usize % 9]
}

/// The KIF name of a piece type: 歩, 成香, 龍.
pub fn piece_in_japanese(kind: PieceType) -> &'static str {
    match kind {
        PieceType::Pawn => "歩",
        PieceType::Lance => "香",
        PieceType::Knight => "桂",
        PieceType::Silver => "銀",
        PieceType::Gold => "金",
        PieceType::Bishop => "角",
        PieceType::Rook => "飛",
        PieceType::King => "玉",
        PieceType::ProPawn => "と",
        PieceType::ProLance => "成香",
        PieceType::ProKnight => "成桂",
        PieceType::ProSilver => "成銀",
        PieceType::Horse => "馬",
        PieceType::Dragon => "龍",
    }
}

/// The piece type with a one-character name.
pub(super) fn piece_of_char(c: char) -> Option<PieceType> {
    Some(match c {
        '歩' => PieceType::Pawn,
        '香' => PieceType::Lance,
        '桂' => PieceType::Knight,
        '銀' => PieceType::Silver,
        '金' => PieceType::Gold,
        '角' => PieceType::Bishop,
        '飛' => PieceType::Rook,
        '玉' | '王' => PieceType::King,
        'と' => PieceType::ProPawn,
        '杏' => PieceType::ProLance,
        '圭' => PieceType::ProKnight,
        '全' => PieceType::ProSilver,
        '馬' => PieceType::Horse,
        '龍' | '竜' => PieceType::Dragon,
        _ => return None,
    })
}

/// A move in KIF notation without its number: `７六歩(77)`, `同　銀(31)`, `５五角打`. `before` is the position before the
/// move, `last_to` the destination of the previous move.
pub(super) fn kif_move(before: &Board, mv: Move, last_to: Option<Square>) -> String {
    let kind = moved_kind(before, mv);
    let mut text = destination(mv.to(), last_to, true);
    text.push_str(piece_in_japanese(kind));
    if mv.is_promotion() {
        text.push('成');
    }
    match mv.from() {
        None => text.push('打'),
        Some(from) => {
            text.push_str(&format!("({}{})", from.file() + 1, from.rank() + 1));
        }
    }
    text
}

/// A move in KI2 notation with its side's mark: `▲５七銀右`, `△同　歩`. 右左直上引寄打 are added if another piece of the
/// same type could go there too (日本将棋連盟「棋譜の表記方法」).
pub fn move_in_japanese(before: &Board, mv: Move, last_to: Option<Square>) -> String {
    let kind = moved_kind(before, mv);
    let mut tail = piece_in_japanese(kind).to_owned();
    tail.push_str(&distinction(before, mv, kind));
    if mv.is_promotion() {
        tail.push('成');
    } else if declines_promotion(before, mv, kind) {
        tail.push_str("不成");
    }
    let short = tail.chars().count() == 1;
    let mark = side_mark(before.side_to_move());
    format!("{mark}{}{tail}", destination(mv.to(), last_to, short))
}

/// The mark before a side's moves.
pub(super) const fn side_mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// Whether the move could promote and does not.
pub(super) fn declines_promotion(before: &Board, mv: Move, kind: PieceType) -> bool {
    let turn = before.side_to_move();
    let in_zone = |square: Square| square.in_promotion_zone(turn);
    !mv.is_promotion() && kind.promoted().is_some() && mv.from().is_some_and(|from| in_zone(from) || in_zone(mv.to()))
}

/// A line of play in KI2 notation, up to the first impossible move.
pub fn line_in_japanese(start: &Board, moves: &[Move], last_to: Option<Square>) -> String {
    words_of_line(start, moves, last_to, move_in_japanese).concat()
}

/// A line of play move by move, up to the first impossible move. `word` gets the position before the move, the move,
/// and the destination of the previous move.
pub(super) fn words_of_line(
    start: &Board,
    moves: &[Move],
    last_to: Option<Square>,
    word: impl Fn(&Board, Move, Option<Square>) -> String,
) -> Vec<String> {
    let (mut diagram, mut last_to) = (start.clone(), last_to);
    let mut words = Vec::new();
    for &mv in moves {
        let text = word(&diagram, mv, last_to);
        if diagram.apply(mv).is_err() {
            break;
        }
        words.push(text);
        last_to = Some(mv.to());
    }
    words
}

/// The type of the piece that moves (before promotion) or is dropped.
pub(super) fn moved_kind(before: &Board, mv: Move) -> PieceType {
    mv.dropped().or_else(|| Some(before.piece_on(mv.from()?)?.piece_type())).unwrap_or(PieceType::King)
}

fn destination(to: Square, last_to: Option<Square>, wide: bool) -> String {
    if last_to == Some(to) {
        return if wide { "同　" } else { "同" }.to_owned();
    }
    format!("{}{}", FULL_WIDTH[to.file() as usize], KANJI[to.rank() as usize])
}

/// The squares from which pieces of the side to move of a type reach a square.
pub(super) fn candidates(diagram: &Board, kind: PieceType, to: Square) -> Vec<Square> {
    diagram
        .pieces()
        .filter(|&(from, piece)| {
            piece.color() == diagram.side_to_move() && piece.piece_type() == kind && diagram.reaches(from, to)
        })
        .map(|(from, _)| from)
        .collect()
}

/// Where a piece stands relative to its destination, as the mover sees it: (ranks to advance, files to the right of the
/// destination).
fn offset(turn: Color, from: Square, to: Square) -> (i32, i32) {
    let advance = i32::from(from.rank()) - i32::from(to.rank());
    let right = i32::from(to.file()) - i32::from(from.file());
    match turn {
        Color::Black => (advance, right),
        Color::White => (-advance, -right),
    }
}

fn is_slider(kind: PieceType) -> bool {
    matches!(kind, PieceType::Rook | PieceType::Bishop | PieceType::Horse | PieceType::Dragon)
}

fn distinction(before: &Board, mv: Move, kind: PieceType) -> String {
    let to = mv.to();
    let all = candidates(before, kind, to);
    let Some(from) = mv.from() else {
        return if all.is_empty() { "" } else { "打" }.to_owned();
    };
    if all.iter().all(|&square| square == from) {
        return String::new();
    }
    let turn = before.side_to_move();
    let (advance, right) = offset(turn, from, to);
    let motion = match advance.signum() {
        1 => '上',
        0 => '寄',
        _ => '引',
    };
    let side = if is_slider(kind) {
        // 直 is not used for sliders: of two, one is the right one and one the left one.
        let rightmost = all.iter().all(|&other| right >= offset(turn, other, to).1);
        let leftmost = all.iter().all(|&other| right <= offset(turn, other, to).1);
        match (rightmost, leftmost) {
            (true, false) => '右',
            (false, true) => '左',
            _ => motion,
        }
    } else {
        match right.signum() {
            1 => '右',
            0 if advance > 0 => '直',
            0 => motion,
            _ => '左',
        }
    };
    for words in [vec![motion], vec![side], vec![side, motion]] {
        if narrow(turn, kind, to, all.clone(), &words) == [from] {
            return words.into_iter().collect();
        }
    }
    [side, motion].into_iter().collect()
}

/// The candidates that match the distinguishing words.
pub(super) fn narrow(turn: Color, kind: PieceType, to: Square, mut all: Vec<Square>, words: &[char]) -> Vec<Square> {
    for &word in words {
        match word {
            '上' | '行' => all.retain(|&from| offset(turn, from, to).0 > 0),
            '引' => all.retain(|&from| offset(turn, from, to).0 < 0),
            '寄' => all.retain(|&from| offset(turn, from, to).0 == 0),
            '直' => all.retain(|&from| offset(turn, from, to) == (1, 0)),
            _ => {}
        }
    }
    for &word in words {
        let sign = match word {
            '右' => 1,
            '左' => -1,
            _ => continue,
        };
        let side: Vec<Square> = all.iter().copied().filter(|&from| offset(turn, from, to).1 * sign > 0).collect();
        if side.is_empty() || is_slider(kind) {
            let outermost = all.iter().map(|&from| offset(turn, from, to).1 * sign).max();
            all.retain(|&from| Some(offset(turn, from, to).1 * sign) == outermost);
        } else {
            all = side;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_hands() {
        let names: Vec<String> = [1, 2, 9, 10, 11, 18].into_iter().map(kanji_number).collect();
        assert_eq!(names, ["一", "二", "九", "十", "十一", "十八"]);
    }
}
