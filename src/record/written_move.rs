//! Reading moves in Japanese: KIF's `７六歩(77)` and KI2's `▲５七銀右` by one grammar.

use super::notation::{candidates, digit, narrow, piece_in_japanese, piece_of_char};
use crate::position::Board;
use crate::types::{Color, Move, PieceType, Square};

/// Reads a line of play in KI2 notation (or with KIF origins), as far as it can be read.
pub fn read_japanese_line(start: &Board, text: &str, last_to: Option<Square>) -> Vec<Move> {
    let (mut diagram, mut last_to) = (start.clone(), last_to);
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while let Ok((word, tail)) = WrittenMove::read(rest) {
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

/// A move as written.
#[derive(Clone, Debug)]
pub(super) struct WrittenMove {
    /// The side's mark, if there is one.
    pub side: Option<Color>,
    to: Option<Square>,
    kind: PieceType,
    words: Vec<char>,
    promote: bool,
    drop: bool,
    from: Option<Square>,
}

impl WrittenMove {
    /// Reads one move from the start of a text; also returns the rest.
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

    /// The destination; `None` for 同.
    pub(super) fn to(&self) -> Option<Square> {
        self.to
    }

    /// Whether the origin is given: a square or the hand.
    pub(super) fn has_origin(&self) -> bool {
        self.from.is_some() || self.drop
    }

    /// The move that is meant in a position.
    pub(super) fn resolve(&self, diagram: &Board, last_to: Option<Square>) -> Result<Move, String> {
        let turn = diagram.side_to_move();
        let to = self.to.or(last_to).ok_or("同 stands where there is no move before it")?;
        let name = piece_in_japanese(self.kind);
        let found = |from: Square, promote: bool| {
            if from == to {
                return Err(format!("the move from {from} to {from} goes nowhere"));
            }
            Ok(Move::board(from, to, promote))
        };
        if let Some(from) = self.from {
            let piece = diagram.piece_on(from).ok_or_else(|| format!("there is no piece on {from}"))?;
            let kind = piece.piece_type();
            // Some old programs write `２八龍(37)` for a rook that promotes.
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
            // Writers that only consider legal moves omit the distinction.
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
    use crate::record::{line_in_japanese, move_in_japanese};

    fn diagram(sfen: &str) -> Board {
        Board::from_sfen(sfen).unwrap().0
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
                    if piece.color() != before.side_to_move() || !before.reaches(from, to) {
                        continue;
                    }
                    let mv = Move::board(from, to, false);
                    let word = move_in_japanese(&before, mv, None);
                    let (read, rest) = WrittenMove::read(&word).unwrap();
                    assert_eq!(rest, "");
                    assert_eq!(read.resolve(&before, None), Ok(mv), "{word} in {sfen}");
                    assert!(!seen.contains(&word), "{word} twice in {sfen}");
                    seen.push(word);
                }
                for kind in PieceType::HAND {
                    if before.hand(before.side_to_move(), kind) > 0 && before.piece_on(to).is_none() {
                        let mv = Move::drop(kind, to);
                        let word = move_in_japanese(&before, mv, None);
                        let (read, _) = WrittenMove::read(&word).unwrap();
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
}
