//! The words after `position`.

use super::fen;
use super::uci_move::read_move;
use crate::position::{IllegalMove, Position, SfenError};
use crate::record::ends_moves;
use crate::types::ParseMoveError;

/// A `position` command, its moves still text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The starting position in SFEN, `None` for the usual one; a FEN has been translated.
    pub sfen: Option<String>,
    /// The moves as the client wrote them, up to a word that ends the list (`resign`, `win`, ...).
    pub moves: Vec<String>,
}

/// Why a `position` command is not followed to its end: one sentence that names the culprit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionCommandError {
    /// There is nothing to read.
    #[error("position refused: it needs startpos or sfen and a board")]
    Missing,
    /// The starting position cannot be read.
    #[error("position refused: {0}")]
    Sfen(#[from] SfenError),
    /// A word of the list of moves is no move.
    #[error("move {0} of the list: {1}")]
    NoMove(usize, ParseMoveError),
    /// A move breaks a rule.
    #[error("move {0} of the list, {1}: {2}")]
    Illegal(usize, String, IllegalMove),
}

impl PositionCommand {
    /// Reads the words of either dialect; where they name no position the SFEN is empty.
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut words = words.peekable();
        let sfen = loop {
            match words.peek() {
                None => break Some(String::new()),
                // `startpos` may be left out before `moves`.
                Some(&("startpos" | "moves")) => break None,
                Some(&"sfen") => {
                    words.next();
                    break match sfen(&mut words) {
                        sfen if sfen == "startpos" => None,
                        sfen => Some(sfen),
                    };
                }
                Some(&"fen") => {
                    words.next();
                    break Some(fen::to_sfen(&fields(&mut words)));
                }
                // Only positions have slashes: the word sfen or fen was left out.
                Some(board) if board.contains('/') => break Some(sfen(&mut words)),
                Some(_) => drop(words.next()),
            }
        };
        let moves = words.skip_while(|word| *word != "moves").skip(1);
        Self { sfen, moves: moves.take_while(|word| !ends_moves(word)).map(str::to_owned).collect() }
    }

    /// The position that the command sets up, with the game that led to it. The legal moves before a faulty one stand;
    /// without a starting position there is none.
    pub fn set_up(&self) -> (Option<Position>, Option<PositionCommandError>) {
        if self.sfen.as_ref().is_some_and(String::is_empty) {
            return (None, Some(PositionCommandError::Missing));
        }
        let mut position = match self.sfen.as_deref().map_or(Ok(Position::startpos()), Position::from_sfen) {
            Ok(position) => position,
            Err(error) => return (None, Some(error.into())),
        };
        for (number, text) in (1..).zip(&self.moves) {
            if let Err(error) = play(&mut position, number, text) {
                return (Some(position), Some(error));
            }
        }
        (Some(position), None)
    }
}

fn play(position: &mut Position, number: usize, text: &str) -> Result<(), PositionCommandError> {
    let mv = read_move(text).map_err(|error| PositionCommandError::NoMove(number, error))?;
    position.check_move(mv).map_err(|error| PositionCommandError::Illegal(number, text.to_owned(), error))?;
    position.do_move(mv);
    Ok(())
}

/// The SFEN up to `moves`; what has its hands in brackets is a FEN.
fn sfen<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> String {
    let fields = fields(words);
    if fields.first().is_some_and(|board| board.contains('[')) { fen::to_sfen(&fields) } else { fields.join(" ") }
}

/// The fields of a position up to `moves`. Word processors make a dash or minus of the hyphen that stands for empty
/// hands.
fn fields<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Vec<&'a str> {
    let mut fields = Vec::new();
    while let Some(field) = words.next_if(|word| *word != "moves") {
        let dash =
            matches!(field, "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}" | "\u{2212}" | "\u{ff0d}");
        fields.push(if dash { "-" } else { field });
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_up(line: &str) -> (Option<String>, Option<String>) {
        let command = PositionCommand::read(line.split_ascii_whitespace());
        let (position, error) = command.set_up();
        (position.map(|position| position.to_sfen()), error.map(|error| error.to_string()))
    }

    #[test]
    fn the_legal_moves_before_a_faulty_one_stand() {
        let legal = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
        for wrong in ["7g7f", "joho", "5e5d", "P*5e", "3c3e", "\u{ff17}g7f"] {
            for k in 0..legal.len() {
                let before = legal[..k].join(" ");
                let (position, error) = set_up(&format!("startpos moves {before} {wrong} {}", legal[k]));
                if k == 0 && wrong == "7g7f" {
                    continue;
                }
                assert_eq!(position, set_up(&format!("startpos moves {before}")).0, "{before} {wrong}");
                let error = error.expect("a fault");
                assert!(error.contains(&format!("move {} ", k + 1)), "{error}");
            }
        }
    }

    #[test]
    fn an_unreadable_start_leaves_no_position() {
        for sfen in ["x", "9/9 b - 1", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1"] {
            let (position, error) = set_up(&format!("sfen {sfen} moves 7g7f"));
            assert!(position.is_none() && error.is_some(), "{sfen}");
        }
        for nothing in ["", "joho", "sfen", "sfen moves 7g7f"] {
            let (position, error) = set_up(nothing);
            assert!(position.is_none() && error.is_some_and(|error| error.contains("startpos")), "{nothing}");
        }
    }

    #[test]
    fn moves_without_startpos_and_dashes_for_empty_hands() {
        assert_eq!(set_up("moves 7g7f 3c3d"), set_up("startpos moves 7g7f 3c3d"));
        for dash in ['-', '\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{ff0d}'] {
            let line = format!("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b {dash} 1 moves 7g7f");
            assert_eq!(set_up(&line), set_up("startpos moves 7g7f"), "{dash}");
        }
    }
}
