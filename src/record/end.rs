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

/// The end, its KIF word, its CSA code without `%` ("" if there is none).
const WORDS: [(End, &str, &str); 17] = [
    (End::Resign, "投了", "TORYO"),
    (End::Interrupt, "中断", "CHUDAN"),
    (End::Impasse, "持将棋", "JISHOGI"),
    (End::Repetition, "千日手", "SENNICHITE"),
    (End::Checkmate, "詰み", "TSUMI"),
    (End::NoMate, "不詰", "FUZUMI"),
    (End::TimeUp, "切れ負け", "TIME_UP"),
    (End::IllegalWin, "反則勝ち", ""),
    (End::IllegalLoss, "反則負け", "ILLEGAL_MOVE"),
    (End::Declaration, "入玉勝ち", "KACHI"),
    (End::Draw, "引き分け", "HIKIWAKE"),
    (End::MaxMoves, "最大手数", "MAX_MOVES"),
    (End::DefaultWin, "不戦勝", ""),
    (End::DefaultLoss, "不戦敗", ""),
    (End::Sealed, "封じ手", ""),
    (End::TakeBack, "待った", "MATTA"),
    (End::Error, "エラー", "ERROR"),
];

impl End {
    /// The end that a KIF word means; unknown words are kept as [`End::Other`].
    pub fn from_word(word: &str) -> Self {
        match word {
            "詰" => Self::Checkmate,
            "不詰み" => Self::NoMate,
            "Time-up" | "時間切れ" => Self::TimeUp,
            "引分け" | "引分" => Self::Draw,
            "入玉宣言" | "入玉宣言勝ち" | "宣言勝ち" => Self::Declaration,
            _ => WORDS
                .into_iter()
                .find(|&(_, kif, _)| kif == word)
                .map_or_else(|| Self::Other(word.to_owned()), |(end, ..)| end),
        }
    }

    /// The KIF word.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            end => WORDS.iter().find(|(other, ..)| other == end).map_or("中断", |&(_, kif, _)| kif),
        }
    }

    /// The end that a CSA code (without `%`) means; `turn` is the side to move.
    pub fn from_csa(code: &str, turn: Color) -> Self {
        let fouled = match code {
            "+ILLEGAL_ACTION" => Color::Black,
            "-ILLEGAL_ACTION" => Color::White,
            "ILLEGAL_ACTION" => !turn,
            "" => return Self::Interrupt,
            _ => {
                return WORDS
                    .into_iter()
                    .find(|&(_, _, csa)| csa == code)
                    .map_or_else(|| Self::Other(code.to_owned()), |(end, ..)| end);
            }
        };
        if fouled == turn { Self::IllegalLoss } else { Self::IllegalWin }
    }

    /// The CSA code without `%`; `None` if CSA has none. `turn` is the side to move.
    pub fn csa(&self, turn: Color) -> Option<&str> {
        match self {
            Self::IllegalWin => Some(match turn {
                Color::Black => "-ILLEGAL_ACTION",
                Color::White => "+ILLEGAL_ACTION",
            }),
            Self::Other(word) if !word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic()) => Some(word),
            end => WORDS.iter().find(|(other, _, csa)| other == end && !csa.is_empty()).map(|&(.., csa)| csa),
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
            c.is_ascii_digit() || "０１２３４５６７８９".contains(c) || c.is_whitespace()
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
        for (end, word, _) in WORDS {
            assert_eq!(End::from_word(word), end);
            assert_eq!(end.word(), word);
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
    }
}
