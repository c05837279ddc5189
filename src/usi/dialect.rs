//! The two dialects of the protocol: USI, and its ancestor UCI as programs for chess variants speak it.
//!
//! Both have the same commands and answers, so there is one [`Command`](super::Command) and one
//! [`Reply`](super::Reply); only their spelling differs. Input is read in either spelling whatever the dialect, where
//! it cannot be mistaken; output has the dialect's own. How shogi is written in UCI is Fairy-Stockfish's and
//! cutechess's convention.

use std::fmt;

use crate::engine::{EngineOptions, OptionKind, OptionSpec};
use crate::types::Move;

use super::uci_move::UciMove;

/// A dialect; the client's first `usi` or `uci` chooses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The protocol of shogi programs.
    #[default]
    Usi,
    /// The protocol of chess programs.
    Uci,
}

/// Options that UCI has of its own. None has an effect: there is one variant, and the opponent's name changes nothing.
const UCI_OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: "UCI_Variant",
        kind: OptionKind::Combo { default: "shogi", choices: &["shogi"] },
        effect: "The game.",
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: OptionKind::Text {
            default: concat!("Hagane ", env!("CARGO_PKG_VERSION"), ", a shogi engine, MIT license"),
        },
        effect: "What this program is.",
    },
    OptionSpec { name: "UCI_Opponent", kind: OptionKind::Text { default: "" }, effect: "Who plays against it." },
];

/// The largest number of a spin option that every UCI client can read.
const LARGEST_SPIN: i64 = i32::MAX as i64;

impl Dialect {
    /// A move as the dialect writes it.
    pub fn spell(self, mv: Move) -> impl fmt::Display {
        match self {
            Self::Usi => SpelledMove::Usi(mv),
            Self::Uci => SpelledMove::Uci(UciMove(mv)),
        }
    }

    /// The options as the dialect offers them.
    pub(super) fn options(self) -> Vec<OptionSpec> {
        let mut options = EngineOptions::specs();
        // One strength, on the scale of the dialect.
        let other_scale = if self == Self::Usi { "UCI_Elo" } else { "USI_Strength" };
        options.retain(|option| option.name != other_scale);
        if self == Self::Uci {
            options.iter_mut().for_each(|option| option.kind = uci_kind(&option.kind));
            options.extend(UCI_OPTIONS);
        }
        options
    }

    /// The name of an option of the engine as the dialect writes it.
    pub(super) fn option_name(self, name: &str) -> String {
        match self {
            Self::Usi => name.to_owned(),
            Self::Uci => uci_name(name),
        }
    }
}

enum SpelledMove {
    Usi(Move),
    Uci(UciMove),
}

impl fmt::Display for SpelledMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usi(mv) => mv.fmt(f),
            Self::Uci(mv) => mv.fmt(f),
        }
    }
}

/// UCI has five kinds of options, without file names.
fn uci_kind(kind: &OptionKind) -> OptionKind {
    match *kind {
        OptionKind::Filename { default } => OptionKind::Text { default },
        OptionKind::Spin { default, min, max } => OptionKind::Spin { default, min, max: max.min(LARGEST_SPIN) },
        ref other => other.clone(),
    }
}

/// UCI's standard options have plain names or begin with `UCI_`, and names may have blanks.
fn uci_name(name: &str) -> String {
    match name.strip_prefix("USI_") {
        Some(rest @ ("Hash" | "Ponder" | "OwnBook")) => rest.to_owned(),
        Some(rest) => format!("UCI_{rest}"),
        None if name == "Clear_Hash" => "Clear Hash".to_owned(),
        None => name.to_owned(),
    }
}

/// The engine's name of the option that a client means by either dialect's name, by `USI_MultiPV`, the draft's name for
/// the number of lines, or by a name with other blanks (`Debug Log File`); other names come back as they are.
pub(super) fn engine_option(name: &str) -> &str {
    if name.eq_ignore_ascii_case("USI_MultiPV") {
        return "MultiPV";
    }
    let known = EngineOptions::specs().into_iter().map(|option| option.name);
    let mut meant = known.filter(|known| same(known, name) || same(&uci_name(known), name));
    meant.next().unwrap_or(name)
}

/// The option of UCI's own that a client means.
pub(super) fn uci_option(name: &str) -> Option<&'static str> {
    UCI_OPTIONS.iter().map(|option| option.name).find(|known| same(known, name))
}

/// Whether two names of options are the same but for capitals and blanks.
fn same(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| {
        let letters: Vec<u8> = name.bytes().filter(|letter| !b" _".contains(letter)).collect();
        letters.to_ascii_lowercase()
    };
    letters(one) == letters(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_answers_to_both_names() {
        for option in EngineOptions::specs() {
            assert_eq!(engine_option(option.name), option.name);
            assert_eq!(engine_option(&Dialect::Uci.option_name(option.name)), option.name);
            assert_eq!(engine_option(&option.name.to_ascii_lowercase()), option.name);
        }
        for (name, meant) in [
            ("Hash", "USI_Hash"),
            ("hash", "USI_Hash"),
            ("Ponder", "USI_Ponder"),
            ("Clear Hash", "Clear_Hash"),
            ("Debug Log File", "DebugLogFile"),
            ("UCI_AnalyseMode", "USI_AnalyseMode"),
            ("UCI_ShowCurrLine", "USI_ShowCurrLine"),
            ("USI_MultiPV", "MultiPV"),
            ("NalimovPath", "NalimovPath"),
        ] {
            assert_eq!(engine_option(name), meant);
        }
    }

    #[test]
    fn uci_offers_five_kinds_and_numbers_that_fit() {
        for option in Dialect::Uci.options() {
            let line = option.to_string();
            assert!(line.len() < 500, "{line}");
            assert!(!matches!(option.kind, OptionKind::Filename { .. }), "{line}");
            if let OptionKind::Spin { max, .. } = option.kind {
                assert!(i32::try_from(max).is_ok(), "{line}");
            }
        }
    }
}
