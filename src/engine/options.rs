//! Every option of the engine, declared once: its field, its USI name, kind, default, range and effect.
//!
//! The table below makes the [`EngineOptions`] structure, the list that `usi` prints, and the reader of `setoption`.
//! To add an option, add one entry; the type of its field says what a value means. The names are those that users know
//! from other engines.

use std::time::Duration;

use super::option_value::{
    ENTERING_KING_RULES, FUTILE_INTERPOSITIONS, MATE_LENGTHS, OptionError, OptionKind, OptionSpec, Presses, Value,
    clamped,
};
use super::strength::{FULL, Level, level_of_elo};
use crate::mate;
use crate::nnue::FvScale;
use crate::position::EnteringKingRule;
use crate::search::params::{self, Tunable};
use crate::types::{Depth, Score};

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty = $name:literal, $kind:expr;)*) => {
        /// The value of every option.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct EngineOptions {
            $($(#[doc = $doc])+ pub $field: $type,)*
        }

        impl EngineOptions {
            /// Every option in the order in which `usi` lists them; with the feature `tune` the search's tunables too.
            pub fn specs() -> Vec<OptionSpec> {
                let mut specs = vec![$(OptionSpec {
                    name: $name,
                    kind: $kind,
                    effect: concat!($($doc),+).trim_ascii_start(),
                }),*];
                if cfg!(feature = "tune") {
                    specs.extend(params::all().iter().map(tunable_spec));
                }
                specs
            }

            /// Sets one option from its USI name and value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
                $(if name.eq_ignore_ascii_case($name) {
                    let clamped = clamped(&$kind, value);
                    let text = clamped.map_or_else(|| value.to_owned(), |number| number.to_string());
                    self.$field = Value::parse(&$kind, &text).map_err(|expected| {
                        OptionError::Value { name: $name, value: value.to_owned(), expected }
                    })?;
                    return match clamped {
                        Some(used) => Err(OptionError::Clamped { name: $name, value: value.to_owned(), used }),
                        None => Ok(()),
                    };
                })*
                set_tunable(name, value)
            }

            /// The value of one option as USI writes it, `None` where there is no such option.
            pub fn get(&self, name: &str) -> Option<String> {
                $(if name.eq_ignore_ascii_case($name) {
                    return Some(Value::show(&self.$field));
                })*
                tunable(name).map(|tunable| tunable.value.to_string())
            }
        }

        impl Default for EngineOptions {
            fn default() -> Self {
                Self { $($field: <$type as Value>::default(&$kind)),* }
            }
        }
    };
}

/// A tunable of the search by its option's name; none without the feature `tune`.
fn tunable(name: &str) -> Option<Tunable> {
    let found = || params::all().into_iter().find(|tunable| tunable.name.eq_ignore_ascii_case(name));
    if cfg!(feature = "tune") { found() } else { None }
}

fn tunable_spec(tunable: &Tunable) -> OptionSpec {
    OptionSpec {
        name: tunable.name,
        kind: spin(tunable.value.into(), tunable.min.into(), tunable.max.into()),
        effect: "A margin or weight of the search, for tuning.",
    }
}

fn set_tunable(name: &str, value: &str) -> Result<(), OptionError> {
    let tunable = tunable(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let set = |value| params::set(tunable.name, value);
    if value.parse().is_ok_and(set) {
        return Ok(());
    }
    let expected = format!("a whole number from {} to {}", tunable.min, tunable.max);
    Err(OptionError::Value { name: tunable.name, value: value.to_owned(), expected })
}

const fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

const fn check(default: bool) -> OptionKind {
    OptionKind::Check { default }
}

/// The number of cores, at most four: more helps little at bullet speed and disturbs the rest of the machine.
fn default_threads() -> i64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4) as i64)
}

options! {
    /// Search threads. The default is the number of cores, at most 4.
    threads: usize = "Threads", spin(default_threads(), 1, 512);
    /// Size of the transposition table in MiB.
    usi_hash: usize = "USI_Hash", spin(256, 1, 1 << 20);
    /// Whether the client may let the engine think on the opponent's time; a little more time is then used per move.
    usi_ponder: bool = "USI_Ponder", check(false);
    /// Number of best lines to search and report.
    multi_pv: usize = "MultiPV", spin(1, 1, 593);
    /// Milliseconds that a move usually takes to reach the clock; subtracted from ordinary targets.
    network_delay: Duration = "NetworkDelay", spin(15, 0, 10_000);
    /// Milliseconds that a move may take to reach the clock at worst: every search ends this long before the flag
    /// falls.
    network_delay2: Duration = "NetworkDelay2", spin(30, 0, 10_000);
    /// Least time to think about a move in milliseconds, where the clock allows it.
    minimum_thinking_time: Duration = "MinimumThinkingTime", spin(0, 0, 100_000);
    /// Percentage of the usual time to spend per move: below 100 is faster, above slower.
    slow_mover: u32 = "SlowMover", spin(100, 1, 1000);
    /// Use up a second once it has begun, for clocks that round up to whole seconds.
    round_up_to_full_second: bool = "RoundUpToFullSecond", check(false);
    /// Folder that may hold a network file nn.bin; looked for beside the program, then in the working directory.
    eval_dir: String = "EvalDir", OptionKind::Text { default: "eval" };
    /// A network file, or `<internal>` for the built-in one; empty for nn.bin in EvalDir if it is there, else the
    /// built-in one.
    eval_file: String = "EvalFile", OptionKind::Filename { default: "" };
    /// What the output of an nn.bin network is divided by; 0 chooses by the file.
    fv_scale: FvScale = "FV_SCALE", spin(0, 0, 128);
    /// Number of plies after which a game is a draw; 0 means no limit.
    max_moves_to_draw: u32 = "MaxMovesToDraw", spin(0, 0, 100_000);
    /// Deepest iteration in plies; 0 means no limit.
    depth_limit: Option<Depth> = "DepthLimit", spin(0, 0, 246);
    /// Nodes to search at most per move; 0 means no limit.
    nodes_limit: Option<u64> = "NodesLimit", spin(0, 0, i64::MAX);
    /// Resign when the score is at most minus this many centipawns; 99999 means never before mate.
    resign_value: i32 = "ResignValue", spin(99_999, 0, 99_999);
    /// Score of a draw in centipawns when the engine plays Black.
    draw_value_black: Score = "DrawValueBlack", spin(-2, -30_000, 30_000);
    /// Score of a draw in centipawns when the engine plays White.
    draw_value_white: Score = "DrawValueWhite", spin(-2, -30_000, 30_000);
    /// The rule for declaring a win by entering king.
    entering_king_rule: EnteringKingRule = "EnteringKingRule",
        OptionKind::Combo { default: "CSARule27", choices: ENTERING_KING_RULES };
    /// Search pointless non-promotions too (pawn, bishop, rook; lance on the second rank).
    generate_all_legal_moves: bool = "GenerateAllLegalMoves", check(false);
    /// Milliseconds between two reports of the principal variation; 0 reports every iteration.
    pv_interval: Duration = "PvInterval", spin(300, 0, 100_000);
    /// For study: reports every iteration.
    consideration_mode: bool = "ConsiderationMode", check(false);
    /// Report also lines that left the search window (lowerbound and upperbound).
    output_fail_lh_pv: bool = "OutputFailLHPV", check(true);
    /// Think, on the opponent's time, about the opponent's position rather than about one expected answer.
    stochastic_ponder: bool = "Stochastic_Ponder", check(false);
    /// Report the line that refutes each root move.
    show_refutations: bool = "USI_ShowRefutations", check(false);
    /// Report the line each thread is in.
    show_curr_line: bool = "USI_ShowCurrLine", check(false);
    /// Analysis rather than play: never resigns and reports every iteration.
    analyse_mode: bool = "USI_AnalyseMode", check(false);
    /// Playing level, from 0 for somebody who has just learnt the rules to 20 for full strength. Analysis (`go infinite`,
    /// `go mate`, MultiPV above 1, USI_AnalyseMode) is always at full strength.
    level: u32 = "Level", spin(i64::from(FULL), 0, i64::from(FULL));
    /// Play at the strength of USI_Strength instead of Level.
    limit_strength: bool = "USI_LimitStrength", check(false);
    /// Strength for USI_LimitStrength, a rough estimate: -15 is 15 kyu, 1 is 1 dan.
    strength: i32 = "USI_Strength", spin(1, -15, 9);
    /// The same as a rating: the last of both that is set counts.
    elo: i32 = "UCI_Elo", spin(1900, 100, 3500);
    /// Games at a level repeat with the same seed; 0 draws one for each game.
    level_seed: u64 = "LevelSeed", spin(0, 0, i32::MAX as i64);
    /// Levels take some seconds over a move, as people do, where the clock allows it.
    human_pace: bool = "HumanPace", check(true);
    /// How long `go mate` works on a mate it has found: not at all, about as long again to shorten it, or until the
    /// shortest is proven.
    mate_length: mate::MateLength = "MateLength",
        OptionKind::Combo { default: "Short", choices: MATE_LENGTHS };
    /// Count futile interpositions as moves of a mate; problem solvers do not.
    mate_print_interpositions: bool = "MatePrintInterpositions", check(false);
    /// Which interpositions may be futile: none, drops that the checking piece captures, moves on the board too, or any
    /// that is captured with check.
    mate_futile: mate::FutileInterpositions = "MateFutile",
        OptionKind::Combo { default: "Drops", choices: FUTILE_INTERPOSITIONS };
    /// Play from the opening book. It is used in games and while pondering, not in analysis.
    usi_own_book: bool = "USI_OwnBook", check(true);
    /// A book of YaneuraOu (.db, .ybb) or Apery (.bin), or `no_book`; empty for the one in the program.
    book_file: String = "BookFile", OptionKind::Filename { default: "" };
    /// Folder in which BookFile is looked for first; beside the program, then in the working directory.
    book_dir: String = "BookDir", OptionKind::Text { default: "book" };
    /// The last move of the game (both sides counted) at which the book is asked.
    book_moves: u32 = "BookMoves", spin(60, 0, 10_000);
    /// Book moves that are worse than the best by more centipawns are not played.
    book_eval_diff: i32 = "BookEvalDiff", spin(30, 0, 99_999);
    /// As Black, book moves valued below this are not played.
    book_eval_black_limit: i32 = "BookEvalBlackLimit", spin(-100, -99_999, 99_999);
    /// As White, book moves valued below this are not played.
    book_eval_white_limit: i32 = "BookEvalWhiteLimit", spin(-150, -99_999, 99_999);
    /// Positions whose best move was searched less deeply are not in the book; 0 means no limit.
    book_depth_limit: u32 = "BookDepthLimit", spin(0, 0, 99_999);
    /// Search the book in its file instead of loading it; large ones always are.
    book_on_the_fly: bool = "BookOnTheFly", check(false);
    /// Choose among book moves in proportion to their counts, not evenly.
    consider_book_move_count: bool = "ConsiderBookMoveCount", check(false);
    /// Leave out book moves that have less than a tenth of their position's count.
    narrow_book: bool = "NarrowBook", check(false);
    /// Percentage of positions at which the book is ignored.
    book_ignore_rate: u32 = "BookIgnoreRate", spin(0, 0, 100);
    /// Longest line of play reported from the book.
    book_pv_moves: usize = "BookPvMoves", spin(8, 1, 246);
    /// A position of the book is the same at any move of the game.
    ignore_book_ply: bool = "IgnoreBookPly", check(true);
    /// Look positions up with the colours exchanged, too.
    flipped_book: bool = "FlippedBook", check(true);
    /// File for the USI traffic and the log; empty for none.
    debug_log_file: String = "DebugLogFile", OptionKind::Filename { default: "" };
    /// Empties the transposition table.
    clear_hash: Presses = "Clear_Hash", OptionKind::Button;
}

impl EngineOptions {
    /// The number of the level that the options ask for, which may lie between two; none at full strength.
    pub fn level_number(&self) -> Option<f64> {
        let number = if self.limit_strength { level_of_elo(self.elo) } else { f64::from(self.level) };
        (number < f64::from(FULL)).then_some(number)
    }

    /// The level to play at; none at full strength and for analysis.
    pub(super) fn playing_level(&self) -> Option<Level> {
        if self.analyse_mode || self.multi_pv > 1 { None } else { self.level_number().and_then(Level::new) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_default_and_refuses_nonsense() {
        let mut options = EngineOptions::default();
        for spec in EngineOptions::specs() {
            let before = options.get(spec.name).unwrap();
            assert!(spec.to_string().starts_with(&format!("name {} type ", spec.name)));
            assert!(!spec.name.contains(' ') && !spec.effect.is_empty(), "{}", spec.name);
            match &spec.kind {
                OptionKind::Button => {}
                OptionKind::Check { .. } | OptionKind::Combo { .. } => {
                    let error = options.set(spec.name, "perhaps").unwrap_err();
                    assert!(error.to_string().contains(spec.name), "{error}");
                }
                OptionKind::Spin { min, max, .. } => {
                    for wrong in ["", "x", "1.5", "1e3", "--3", "-"] {
                        assert!(options.set(spec.name, wrong).is_err(), "{}", spec.name);
                    }
                    let below = [min.checked_sub(1), Some(i64::MIN)].into_iter().flatten().map(|low| (low, *min));
                    let above = [max.checked_add(1), Some(i64::MAX)].into_iter().flatten().map(|high| (high, *max));
                    let beyond = ("-99999999999999999999", *min);
                    let numbers = below.chain(above).map(|(number, used)| (number.to_string(), used));
                    for (number, used) in numbers.chain([(beyond.0.to_owned(), beyond.1)]) {
                        let result = options.set(spec.name, &number);
                        assert_eq!(options.get(spec.name).unwrap(), used.to_string(), "{} {number}", spec.name);
                        if number != used.to_string() {
                            let error = result.unwrap_err().to_string();
                            assert!(error.contains(spec.name) && error.contains(&used.to_string()), "{error}");
                        }
                    }
                    options.set(spec.name, &before).unwrap();
                }
                OptionKind::Text { .. } | OptionKind::Filename { .. } => {
                    options.set(spec.name, "a b").unwrap();
                    assert_eq!(options.get(spec.name).unwrap(), "a b");
                    options.set(spec.name, &before).unwrap();
                }
            }
            assert_eq!(options.get(spec.name).unwrap(), before, "{}", spec.name);
            if !matches!(spec.kind, OptionKind::Button) {
                options.set(&spec.name.to_ascii_uppercase(), &before).unwrap();
            }
        }
        assert_eq!(options, EngineOptions::default());
        assert_eq!(options.set("Style", "1"), Err(OptionError::Unknown("Style".into())));
    }
}
