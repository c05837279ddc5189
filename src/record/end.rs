//! Ends of games: KIF words, CSA codes and result lines (まで…手で…).

use crate::types::Color;

/// How a line of play ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// 投了: the side to move resigns.
    Resign,
    /// 中断
    Interrupt,
    /// 持将棋
    Impasse,
    /// 千日手
    Repetition,
    /// 詰み: the side to move is mated.
    Checkmate,
    /// 不詰: a problem without a mate.
    NoMate,
    /// 切れ負け: the side to move has lost on time.
    TimeUp,
    /// 反則勝ち: the side to move wins, the other has broken a rule.
    IllegalWin,
    /// 反則負け: the side to move loses by an illegal move.
    IllegalLoss,
    /// 入玉勝ち: the side to move wins by declaration.
    Declaration,
    /// 引き分け
    Draw,
    /// 最大手数: drawn by the move limit.
    MaxMoves,
    /// 不戦勝: the side to move wins by default.
    DefaultWin,
    /// 不戦敗: the side to move loses by default.
    DefaultLoss,
    /// 封じ手: the next move is sealed.
    Sealed,
    /// 待った
    TakeBack,
    /// エラー
    Error,
    /// Any other word, as written.
    Other(String),
}

/// What the formats call an end. The first word of each list is the one that is written, the others are those of other
/// programs.
struct EndNames {
    end: End,
    /// Words of KIF and KI2; never empty.
    japanese: &'static [&'static str],
    /// CSA's code without `%`; empty if CSA has none.
    csa: &'static str,
    /// What USI's `position` and GUIs (ShogiGUI among them) write after the moves; may be empty.
    usi: &'static [&'static str],
}

const fn names(
    end: End,
    japanese: &'static [&'static str],
    csa: &'static str,
    usi: &'static [&'static str],
) -> EndNames {
    EndNames { end, japanese, csa, usi }
}

/// The one table of words that end a game.
const NAMES: [EndNames; 17] = [
    names(End::Resign, &["投了"], "TORYO", &["resign"]),
    names(End::Interrupt, &["中断"], "CHUDAN", &["break"]),
    names(End::Impasse, &["持将棋"], "JISHOGI", &[]),
    names(End::Repetition, &["千日手"], "SENNICHITE", &["rep_draw"]),
    names(End::Checkmate, &["詰み", "詰"], "TSUMI", &[]),
    names(End::NoMate, &["不詰", "不詰み"], "FUZUMI", &[]),
    names(End::TimeUp, &["切れ負け", "時間切れ", "Time-up"], "TIME_UP", &["timeout", "timeup"]),
    names(End::IllegalWin, &["反則勝ち", "反則勝"], "", &[]),
    names(End::IllegalLoss, &["反則負け", "反則負"], "ILLEGAL_MOVE", &[]),
    names(
        End::Declaration,
        &["入玉勝ち", "入玉勝", "入玉宣言", "入玉宣言勝ち", "宣言勝ち", "勝ち宣言"],
        "KACHI",
        &["win"],
    ),
    names(End::Draw, &["引き分け", "引分け", "引分"], "HIKIWAKE", &["draw"]),
    names(End::MaxMoves, &["最大手数"], "MAX_MOVES", &[]),
    names(End::DefaultWin, &["不戦勝"], "", &[]),
    names(End::DefaultLoss, &["不戦敗"], "", &[]),
    names(End::Sealed, &["封じ手"], "", &[]),
    names(End::TakeBack, &["待った"], "MATTA", &[]),
    names(End::Error, &["エラー"], "ERROR", &[]),
];

/// Words in the place of a move that are none, and say nothing of how the game ended.
const NO_MOVES: [&str; 5] = ["0000", "pass", "null", "none", "(none)"];

/// Whether a word in a list of USI moves ends the list: any end in any format's word (`resign`, `rep_draw`, `投了`,
/// `%TORYO`), or a word that stands for no move (`0000`, `pass`).
pub fn ends_moves(word: &str) -> bool {
    is_no_move(word) || End::from_any_word(word, Color::Black).is_some()
}

/// Whether a word stands for no move.
pub(super) fn is_no_move(word: &str) -> bool {
    NO_MOVES.iter().any(|other| other.eq_ignore_ascii_case(word))
}

impl End {
    /// The end that a KIF word means; unknown words are kept as [`End::Other`].
    pub fn from_word(word: &str) -> Self {
        Self::from_japanese(word).unwrap_or_else(|| Self::Other(word.to_owned()))
    }

    /// The end that a Japanese word means, if it is known.
    pub(super) fn from_japanese(word: &str) -> Option<Self> {
        NAMES.into_iter().find(|names| names.japanese.contains(&word)).map(|names| names.end)
    }

    /// The end that a word after a list of USI moves means, if it is known.
    fn from_usi(word: &str) -> Option<Self> {
        let is_named = |names: &EndNames| names.usi.iter().any(|usi| usi.eq_ignore_ascii_case(word));
        NAMES.into_iter().find(is_named).map(|names| names.end)
    }

    /// The end that a word of any format means, if it is known: USI's, a Japanese one, or CSA's code with `%`. `turn`
    /// is the side to move.
    pub fn from_any_word(word: &str, turn: Color) -> Option<Self> {
        let csa = || match Self::from_csa(word.strip_prefix('%')?, turn) {
            Self::Other(_) => None,
            end => Some(end),
        };
        Self::from_usi(word).or_else(|| Self::from_japanese(word)).or_else(csa)
    }

    fn names(&self) -> Option<EndNames> {
        NAMES.into_iter().find(|names| names.end == *self)
    }

    /// The KIF word.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            end => end.names().map_or("中断", |names| names.japanese[0]),
        }
    }

    /// The word after a list of USI moves; `None` if there is none.
    pub fn usi(&self) -> Option<&'static str> {
        self.names()?.usi.first().copied()
    }

    /// The end that a CSA code (without `%`) means; `turn` is the side to move.
    pub fn from_csa(code: &str, turn: Color) -> Self {
        let offender = match code {
            "+ILLEGAL_ACTION" => Color::Black,
            "-ILLEGAL_ACTION" => Color::White,
            "ILLEGAL_ACTION" => !turn,
            "" => return Self::Interrupt,
            _ => {
                return NAMES
                    .into_iter()
                    .find(|names| names.csa == code)
                    .map_or_else(|| Self::Other(code.to_owned()), |names| names.end);
            }
        };
        if offender == turn { Self::IllegalLoss } else { Self::IllegalWin }
    }

    /// The CSA code without `%`; `None` if CSA has none. `turn` is the side to move.
    pub fn csa(&self, turn: Color) -> Option<&str> {
        match self {
            Self::IllegalWin => Some(match turn {
                Color::Black => "-ILLEGAL_ACTION",
                Color::White => "+ILLEGAL_ACTION",
            }),
            Self::Other(word) if !word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic()) => Some(word),
            end => end.names().map(|names| names.csa).filter(|csa| !csa.is_empty()),
        }
    }

    /// The winner, if the end decides it; `turn` is the side to move.
    pub fn winner(&self, turn: Color) -> Option<Color> {
        match self {
            Self::Resign | Self::Checkmate | Self::TimeUp | Self::IllegalLoss | Self::DefaultLoss => Some(!turn),
            Self::IllegalWin | Self::Declaration | Self::DefaultWin => Some(turn),
            _ => None,
        }
    }

    /// The result line of KIF and KI2 after `plies` moves; `side` names the side to move, `other` its opponent.
    pub(super) fn result_line(&self, plies: usize, side: &str, other: &str) -> String {
        let tail = match self {
            Self::Resign => format!("{other}の勝ち"),
            Self::TimeUp => format!("時間切れにより{other}の勝ち"),
            Self::IllegalWin => format!("{side}の反則勝ち"),
            Self::IllegalLoss => format!("{side}の反則負け"),
            Self::Declaration => format!("{side}の入玉勝ち"),
            Self::DefaultWin => format!("{side}の不戦勝"),
            Self::DefaultLoss => format!("{side}の不戦敗"),
            end => end.word().to_owned(),
        };
        format!("まで{plies}手で{tail}")
    }

    /// The end that a result line means, the inverse of [`End::result_line`]; also knows the wording of other programs.
    pub(super) fn from_result_line(line: &str, turn: Color) -> Option<Self> {
        let rest = line.trim().strip_prefix("まで")?;
        let rest = rest.trim_start_matches(|c: char| {
            c.is_ascii_digit() || "０１２３４５６７８９、，,".contains(c) || c.is_whitespace()
        });
        let rest = rest.strip_prefix('手')?;
        let rest = rest.strip_prefix('で').unwrap_or(rest).trim();
        let side = if rest.contains("先手") || rest.contains("下手") {
            Some(Color::Black)
        } else if rest.contains("後手") || rest.contains("上手") {
            Some(Color::White)
        } else {
            None
        };
        Some(match (rest, side) {
            ("", _) => return None,
            (_, Some(side)) if rest.ends_with("反則勝ち") || rest.contains("反則により") => {
                if side == turn {
                    Self::IllegalWin
                } else {
                    Self::IllegalLoss
                }
            }
            (_, Some(side)) if rest.ends_with("反則負け") => {
                if side == turn {
                    Self::IllegalLoss
                } else {
                    Self::IllegalWin
                }
            }
            _ if rest.starts_with("時間切れ") || rest.ends_with("切れ負け") => Self::TimeUp,
            _ if rest.contains("入玉") || rest.contains("宣言") => Self::Declaration,
            (_, Some(side)) if rest.ends_with("不戦勝") || rest.ends_with("不戦敗") => {
                if (side == turn) == rest.ends_with("不戦勝") { Self::DefaultWin } else { Self::DefaultLoss }
            }
            (_, Some(side)) if rest.ends_with("勝ち") => {
                if side == turn {
                    Self::Other(rest.to_owned())
                } else {
                    Self::Resign
                }
            }
            _ => Self::from_word(rest),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_reads_back_from_word_code_and_result_line() {
        for names in NAMES {
            let (end, word) = (names.end, names.japanese[0]);
            assert_eq!(End::from_word(word), end);
            assert_eq!(end.word(), word);
            for turn in Color::ALL {
                for word in names.japanese.iter().chain(names.usi) {
                    assert_eq!(End::from_any_word(word, turn).as_ref(), Some(&end), "{word}");
                    assert!(ends_moves(word), "{word}");
                }
                if !names.csa.is_empty() {
                    assert_eq!(End::from_any_word(&format!("%{}", names.csa), turn).as_ref(), Some(&end));
                }
            }
            assert_eq!(end.usi().and_then(End::from_usi).is_some(), !names.usi.is_empty());
            for turn in Color::ALL {
                if let Some(code) = end.csa(turn) {
                    assert_eq!(End::from_csa(code, turn), end, "{code}");
                }
                let (side, other) = match turn {
                    Color::Black => ("先手", "後手"),
                    Color::White => ("上手", "下手"),
                };
                let line = end.result_line(12, side, other);
                assert_eq!(End::from_result_line(&line, turn), Some(end.clone()), "{line}");
            }
        }
    }

    #[test]
    fn other_programs_result_lines() {
        let black = |line| End::from_result_line(line, Color::Black);
        assert_eq!(black("まで61手詰"), Some(End::Checkmate));
        assert_eq!(black("まで3手で詰み"), Some(End::Checkmate));
        assert_eq!(black("まで 3手で不詰"), Some(End::NoMate));
        assert_eq!(black("まで2手で先手の反則勝ち"), Some(End::IllegalWin));
        assert_eq!(black("まで2手で後手の勝ち"), Some(End::Resign));
        assert_eq!(black("まで2手で"), None);
        assert_eq!(black("まで、2手で後手の勝ち"), Some(End::Resign));
    }

    #[test]
    fn words_that_end_a_list_of_moves() {
        for word in
            ["resign", "win", "rep_draw", "break", "timeout", "draw", "0000", "pass", "(none)", "%TORYO", "投了"]
        {
            assert!(ends_moves(word), "{word}");
        }
        for word in ["7g7f", "P*5e", "8h2b+", "moves", "%", "%FOO", "", "猫"] {
            assert_eq!(ends_moves(word), word == "%", "{word}");
        }
    }
}
