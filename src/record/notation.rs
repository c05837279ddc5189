//! Moves in Japanese: KIF's `７六歩(77)` and KI2's `▲５七銀右`, read by one grammar.

use super::Diagram;
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

/// A kanji digit of a rank, 0-based.
pub(super) fn rank_kanji(rank: u8) -> char {
    KANJI[rank as usize % 9]
}

/// KIF's name of a kind: 歩, 成香, 龍.
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

/// The kind of a one-character name.
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

/// KIF's form of a move, without its number: `７六歩(77)`, `同　銀(31)`, `５五角打`. `before` is the diagram before the
/// move, `last_to` the destination of the move before it.
pub(super) fn kif_move(before: &Diagram, mv: Move, last_to: Option<Square>) -> String {
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

/// KI2's form of a move with its side's mark: `▲５七銀右`, `△同　歩`. The words 右左直上引寄打 stand where a piece of the
/// same kind could go there too (the federation's rules, 日本将棋連盟「棋譜の表記方法」).
pub fn move_in_japanese(before: &Diagram, mv: Move, last_to: Option<Square>) -> String {
    let kind = moved_kind(before, mv);
    let mut tail = piece_in_japanese(kind).to_owned();
    tail.push_str(&distinction(before, mv, kind));
    if mv.is_promotion() {
        tail.push('成');
    } else if declines_promotion(before, mv, kind) {
        tail.push_str("不成");
    }
    let short = tail.chars().count() == 1;
    let mark = side_mark(before.turn());
    format!("{mark}{}{tail}", destination(mv.to(), last_to, short))
}

/// The mark before a side's moves.
pub(super) const fn side_mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// Whether a move of a kind of piece could promote it and does not.
pub(super) fn declines_promotion(before: &Diagram, mv: Move, kind: PieceType) -> bool {
    let turn = before.turn();
    let in_zone = |square: Square| square.in_promotion_zone(turn);
    !mv.is_promotion() && kind.promoted().is_some() && mv.from().is_some_and(|from| in_zone(from) || in_zone(mv.to()))
}

/// A line of play in KI2's form, ending before the first move that cannot be carried out.
pub fn line_in_japanese(start: &Diagram, moves: &[Move], last_to: Option<Square>) -> String {
    words_of_line(start, moves, last_to, move_in_japanese).concat()
}

/// A line of play move by move, ending before the first move that cannot be carried out; a word is made of the diagram
/// before the move, the move, and the destination of the move before it.
pub(super) fn words_of_line(
    start: &Diagram,
    moves: &[Move],
    last_to: Option<Square>,
    word: impl Fn(&Diagram, Move, Option<Square>) -> String,
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

/// Reads a line of play in KI2's form (or with KIF's origins) from a diagram, as far as it can be read.
pub fn read_japanese_line(start: &Diagram, text: &str, last_to: Option<Square>) -> Vec<Move> {
    let (mut diagram, mut last_to) = (start.clone(), last_to);
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while let Ok((word, tail)) = Word::read(rest) {
        let Ok(mv) = word.resolve(&diagram, last_to) else {
            break;
        };
        if diagram.apply(mv).is_err() {
            break;
        }
        last_to = Some(mv.to());
        moves.push(mv);
        rest = tail.trim_start();
    }
    moves
}

/// The kind that moves or is dropped, unpromoted where it promotes only now.
pub(super) fn moved_kind(before: &Diagram, mv: Move) -> PieceType {
    mv.dropped().or_else(|| Some(before.piece(mv.from()?)?.piece_type())).unwrap_or(PieceType::King)
}

fn destination(to: Square, last_to: Option<Square>, wide: bool) -> String {
    if last_to == Some(to) {
        return if wide { "同　" } else { "同" }.to_owned();
    }
    format!("{}{}", FULL_WIDTH[to.file() as usize], KANJI[to.rank() as usize])
}

/// The squares of the side to move's pieces of a kind that reach a square.
pub(super) fn candidates(diagram: &Diagram, kind: PieceType, to: Square) -> Vec<Square> {
    diagram
        .pieces()
        .filter(|&(from, piece)| {
            piece.color() == diagram.turn() && piece.piece_type() == kind && diagram.reaches(from, to)
        })
        .map(|(from, _)| from)
        .collect()
}

/// Ranks forward and files to the right that a piece stands from its destination, as the mover sees it: a piece on
/// the destination's right has a positive `right`, one that has to advance a positive `advance`.
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

fn distinction(before: &Diagram, mv: Move, kind: PieceType) -> String {
    let to = mv.to();
    let all = candidates(before, kind, to);
    let Some(from) = mv.from() else {
        return if all.is_empty() { "" } else { "打" }.to_owned();
    };
    if all.iter().all(|&square| square == from) {
        return String::new();
    }
    let turn = before.turn();
    let (advance, right) = offset(turn, from, to);
    let motion = match advance.signum() {
        1 => '上',
        0 => '寄',
        _ => '引',
    };
    let side = if is_slider(kind) {
        // Never 直: of two such pieces one is the right one and one the left one.
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

/// The candidates that the words of distinction leave.
fn narrow(turn: Color, kind: PieceType, to: Square, mut all: Vec<Square>, words: &[char]) -> Vec<Square> {
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

/// A move as written.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// The side's mark, where there is one.
    pub side: Option<Color>,
    to: Option<Square>,
    kind: PieceType,
    words: Vec<char>,
    promote: bool,
    drop: bool,
    from: Option<Square>,
}

impl Word {
    /// Reads one move from the beginning of a text; gives what follows it.
    pub(super) fn read(text: &str) -> Result<(Self, &str), String> {
        let mut rest = text;
        let shown = || text.split_whitespace().next().unwrap_or("").to_owned();
        let side = match rest.chars().next() {
            Some('▲' | '☗' | '▼' | '⛊') => Some(Color::Black),
            Some('△' | '☖' | '▽' | '⛉') => Some(Color::White),
            _ => None,
        };
        if side.is_some() {
            rest = skip_char(rest).trim_start();
        }
        let mut to = None;
        if let Some(tail) = rest.strip_prefix('同') {
            rest = tail.trim_start();
            // Some programs write the square after 同 as well.
            if let Some((square, tail)) = read_square(rest) {
                (to, rest) = (Some(square), tail);
            }
        } else {
            let (square, tail) = read_square(rest).ok_or_else(|| format!("'{}' is not a move", shown()))?;
            (to, rest) = (Some(square), tail.trim_start());
        }
        let (kind, tail) = read_piece(rest).ok_or_else(|| format!("'{}' names no piece", shown()))?;
        rest = tail;
        let mut word = Self { side, to, kind, words: Vec::new(), promote: false, drop: false, from: None };
        loop {
            if let Some(tail) = rest.strip_prefix("不成") {
                rest = tail;
                continue;
            }
            match rest.chars().next() {
                Some('成') => word.promote = true,
                Some('生') => {}
                Some('打' | '合') => word.drop = true,
                Some(c @ ('右' | '左' | '直' | '上' | '行' | '引' | '寄')) => word.words.push(c),
                Some('入') => word.words.push('上'),
                _ => break,
            }
            rest = skip_char(rest);
        }
        let origin = rest.trim_start();
        if let Some(tail) = origin.strip_prefix('(').or_else(|| origin.strip_prefix('（'))
            && let Some((square, tail)) = read_square(tail)
            && let Some(tail) = tail.strip_prefix(')').or_else(|| tail.strip_prefix('）'))
        {
            word.from = Some(square);
            rest = tail;
        } else if let Some(tail) = origin.strip_prefix("(00)") {
            word.drop = true;
            rest = tail;
        }
        Ok((word, rest))
    }

    /// The move that the words mean on a diagram.
    pub(super) fn resolve(&self, diagram: &Diagram, last_to: Option<Square>) -> Result<Move, String> {
        let turn = diagram.turn();
        let to = self.to.or(last_to).ok_or("同 stands where there is no move before it")?;
        let name = piece_in_japanese(self.kind);
        let found = |from: Square, promote: bool| {
            if from == to {
                return Err(format!("a move from {from} to {from} is none"));
            }
            Ok(Move::board(from, to, promote))
        };
        if let Some(from) = self.from {
            let piece = diagram.piece(from).ok_or_else(|| format!("there is no piece on {from}"))?;
            let kind = piece.piece_type();
            // `２八龍(37)` for a rook that promotes is written by some old programs.
            let promote = self.promote || (kind != self.kind && kind.promoted() == Some(self.kind));
            if kind != self.kind && !(promote && kind.promoted() == Some(self.kind)) {
                return Err(format!("the piece on {from} is {}, not {name}", piece_in_japanese(kind)));
            }
            return found(from, promote);
        }
        let in_hand = diagram.hand(turn, self.kind) > 0;
        let mut all = candidates(diagram, self.kind, to);
        if self.drop || (all.is_empty() && in_hand && self.words.is_empty()) {
            if self.kind.is_promoted() || self.kind == PieceType::King {
                return Err(format!("a {} cannot be dropped", self.kind.name()));
            }
            return Ok(Move::drop(self.kind, to));
        }
        if all.len() > 1 {
            all = narrow(turn, self.kind, to, all, &self.words);
        }
        if all.len() > 1 {
            // Writers that count only legal moves leave the distinction away.
            let legal: Vec<Square> = all
                .iter()
                .copied()
                .filter(|&from| !diagram.exposes_king(Move::board(from, to, self.promote)))
                .collect();
            if !legal.is_empty() {
                all = legal;
            }
        }
        match all[..] {
            [from] => found(from, self.promote),
            [] => Err(format!("no {name} can go to {to}")),
            _ => Err(format!(
                "{} pieces {name} can go to {to}: {}",
                all.len(),
                all.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
            )),
        }
    }
}

fn skip_char(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

fn read_square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = digit(chars.next()?)?;
    let rank = digit(chars.next()?)?;
    Some((Square::new(file - 1, rank - 1), chars.as_str()))
}

fn read_piece(text: &str) -> Option<(PieceType, &str)> {
    if let Some(tail) = text.strip_prefix('成') {
        let kind = piece_of_char(tail.chars().next()?)?.promoted()?;
        return Some((kind, skip_char(tail)));
    }
    Some((piece_of_char(text.chars().next()?)?, skip_char(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(sfen: &str) -> Diagram {
        Diagram::from_sfen(sfen).unwrap().0
    }

    /// Every move of every piece that ends on one square, written and read back.
    #[test]
    fn distinctions_name_one_move() {
        for sfen in [
            "4k4/9/3G1G3/3GGG3/3GGG3/9/9/9/4K4 b G 1",
            "4k4/9/3S1S3/9/3SSS3/9/9/9/4K4 b S 1",
            "4k4/9/9/9/1+R5+R1/9/9/9/4K4 b - 1",
            "4k4/4+R4/9/9/9/9/9/4+R4/K8 b - 1",
            "9/1+B7/9/9/5k3/9/7+B1/9/K8 b - 1",
            "k8/9/4+P4/3+P1+P3/3+P+P+P3/9/9/9/K8 w - 1",
            "k8/4n4/3gg4/4gg3/3g1g3/2n1n4/9/9/K8 w g 1",
            "9/9/3N1N3/9/9/k8/9/9/K8 b N 1",
        ] {
            let before = diagram(sfen);
            for to in Square::all() {
                let mut seen = Vec::new();
                for (from, piece) in before.pieces() {
                    if piece.color() != before.turn() || !before.reaches(from, to) {
                        continue;
                    }
                    let mv = Move::board(from, to, false);
                    let word = move_in_japanese(&before, mv, None);
                    let (read, rest) = Word::read(&word).unwrap();
                    assert_eq!(rest, "");
                    assert_eq!(read.resolve(&before, None), Ok(mv), "{word} in {sfen}");
                    assert!(!seen.contains(&word), "{word} twice in {sfen}");
                    seen.push(word);
                }
                for kind in PieceType::HAND {
                    if before.hand(before.turn(), kind) > 0 && before.piece(to).is_none() {
                        let mv = Move::drop(kind, to);
                        let word = move_in_japanese(&before, mv, None);
                        let (read, _) = Word::read(&word).unwrap();
                        assert_eq!(read.resolve(&before, None), Ok(mv), "{word} in {sfen}");
                    }
                }
            }
        }
    }

    /// The examples of the federation's page on notation.
    #[test]
    fn distinctions_are_the_usual_ones() {
        let word = |sfen: &str, mv: &str| move_in_japanese(&diagram(sfen), mv.parse().unwrap(), None);
        let golds = "k8/2G6/G8/9/9/9/9/9/K8 b - 1";
        assert_eq!(word(golds, "9c8b"), "▲８二金上");
        assert_eq!(word(golds, "7b8b"), "▲８二金寄");
        let golds = "9/3G5/4G4/9/5G3/4G4/9/9/k1K6 b - 1";
        assert_eq!(word(golds, "4e5e"), "▲５五金寄");
        assert_eq!(word(golds, "5f5e"), "▲５五金上");
        let golds = "k8/9/9/9/9/9/9/1G5G1/K2GGG3 b - 1";
        assert_eq!(word(golds, "6i5h"), "▲５八金左");
        assert_eq!(word(golds, "5i5h"), "▲５八金直");
        assert_eq!(word(golds, "4i5h"), "▲５八金右");
        let dragons = "k8/+R8/9/9/9/9/9/4+R4/K8 b - 1";
        assert_eq!(word(dragons, "9b8b"), "▲８二龍");
        let dragons = "k8/9/9/9/9/9/9/9/K3+R3+R b - 1";
        assert_eq!(word(dragons, "5i3i"), "▲３九龍左");
        assert_eq!(word(dragons, "1i3i"), "▲３九龍右");
        let silvers = "k8/9/9/9/9/9/9/3S1S3/K8 w - 1";
        assert_eq!(word(silvers, "9a9b"), "△９二玉");
    }

    #[test]
    fn lines_of_play() {
        let start = crate::record::Handicap::Even.diagram();
        let moves: Vec<Move> = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"].map(|mv| mv.parse().unwrap()).to_vec();
        let text = line_in_japanese(&start, &moves, None);
        assert_eq!(text, "▲７六歩△３四歩▲２二角成△同　銀▲４五角");
        assert_eq!(read_japanese_line(&start, &text, None), moves);
        let kif = "▲７六歩(77)△３四歩(33) ▲２二角成(88) △同 銀(31) ▲４五角打 ▲９九玉";
        assert_eq!(read_japanese_line(&start, kif, None), moves);
    }

    #[test]
    fn numbers_of_hands() {
        let names: Vec<String> = [1, 2, 9, 10, 11, 18].into_iter().map(kanji_number).collect();
        assert_eq!(names, ["一", "二", "九", "十", "十一", "十八"]);
    }
}
