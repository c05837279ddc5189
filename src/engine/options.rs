//! Every option of the engine, declared once: its field, its USI name, kind, default, range and effect.
//!
//! The table below makes the [`Settings`] structure, the list that `usi` prints, and the reader of `setoption`.
//! To add an option, add one entry; the names are those that users know from other engines.

use std::fmt;

use crate::search::params::{self, Tunable};

/// What values an option takes, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// Value before any `setoption`.
        default: bool,
    },
    /// A whole number in a range.
    Spin {
        /// Value before any `setoption`.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Value before any `setoption`.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// No value: an action.
    Button,
    /// A text; the empty text is written `<empty>`.
    Text {
        /// Value before any `setoption`.
        default: &'static str,
    },
    /// A path of a file; the empty path is written `<empty>`.
    Filename {
        /// Value before any `setoption`.
        default: &'static str,
    },
}

/// One option as a client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// USI name, compared without regard to case.
    pub name: &'static str,
    /// Kind, default and range.
    pub kind: Kind,
    /// What it does, in one or two sentences.
    pub effect: &'static str,
}

/// The rest of a USI `option` line after `option `: `name Threads type spin default 4 min 1 max 512`.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_empty = |text: &'static str| if text.is_empty() { "<empty>" } else { text };
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Kind::Button => f.write_str("button"),
            Kind::Text { default } => write!(f, "string default {}", or_empty(default)),
            Kind::Filename { default } => write!(f, "filename default {}", or_empty(default)),
        }
    }
}

/// Why `setoption` was refused; the old value stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option of that name; clients expect this to be passed over in silence.
    #[error("there is no option {0}")]
    Unknown(String),
    /// The value does not fit the option.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value that was offered.
        value: String,
        /// What would have been right.
        expected: String,
    },
}

/// Reads a value of an option and writes it as USI shows it; one implementation a kind of field.
trait Value: Sized {
    fn default(kind: &Kind) -> Self;
    fn parse(kind: &Kind, text: &str) -> Result<Self, String>;
    fn show(&self) -> String;
}

impl Value for bool {
    fn default(kind: &Kind) -> Self {
        matches!(kind, Kind::Check { default: true })
    }

    fn parse(_: &Kind, text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" | "yes" => Ok(true),
            "false" | "off" | "0" | "no" => Ok(false),
            _ => Err("true or false".into()),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for i64 {
    fn default(kind: &Kind) -> Self {
        match kind {
            Kind::Spin { default, .. } => *default,
            _ => 0,
        }
    }

    fn parse(kind: &Kind, text: &str) -> Result<Self, String> {
        let Kind::Spin { min, max, .. } = *kind else {
            return Err("a number".into());
        };
        text.parse()
            .ok()
            .filter(|value| (min..=max).contains(value))
            .ok_or_else(|| format!("a whole number from {min} to {max}"))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    fn default(kind: &Kind) -> Self {
        match kind {
            Kind::Text { default } | Kind::Filename { default } => (*default).into(),
            _ => Self::new(),
        }
    }

    fn parse(_: &Kind, text: &str) -> Result<Self, String> {
        Ok(if text == "<empty>" { "" } else { text }.into())
    }

    fn show(&self) -> String {
        if self.is_empty() { "<empty>" } else { self }.into()
    }
}

impl Value for &'static str {
    fn default(kind: &Kind) -> Self {
        match kind {
            Kind::Combo { default, .. } => default,
            _ => "",
        }
    }

    fn parse(kind: &Kind, text: &str) -> Result<Self, String> {
        let Kind::Combo { choices, .. } = *kind else {
            return Err("a word".into());
        };
        choices
            .iter()
            .find(|word| word.eq_ignore_ascii_case(text))
            .copied()
            .ok_or_else(|| format!("one of {}", choices.join(", ")))
    }

    fn show(&self) -> String {
        (*self).into()
    }
}

/// A button: how often it has been pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presses(pub u32);

impl Value for Presses {
    fn default(_: &Kind) -> Self {
        Self(0)
    }

    fn parse(_: &Kind, _: &str) -> Result<Self, String> {
        Ok(Self(1))
    }

    fn show(&self) -> String {
        String::new()
    }
}

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty = $name:literal, $kind:expr;)*) => {
        /// The value of every option.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub $field: $type,)*
        }

        impl Settings {
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
                    self.$field = Value::parse(&$kind, value).map_err(|expected| {
                        OptionError::Value { name: $name, value: value.to_owned(), expected }
                    })?;
                    return Ok(());
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

        impl Default for Settings {
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

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, min, max }
}

const fn check(default: bool) -> Kind {
    Kind::Check { default }
}

/// The number of cores, at most four: more helps little at bullet speed and disturbs the rest of the machine.
fn default_threads() -> i64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4) as i64)
}

/// The rules under which a win by entering king can be declared, by the names other engines use.
pub const ENTERING_KING_RULES: &[&str] =
    &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

options! {
    /// Search threads. The default is the number of cores, at most 4.
    threads: i64 = "Threads", spin(default_threads(), 1, 512);
    /// Size of the transposition table in MiB.
    usi_hash: i64 = "USI_Hash", spin(256, 1, 1 << 20);
    /// Tells that the client may let the engine think on the opponent's time; a little more time is then used per move.
    usi_ponder: bool = "USI_Ponder", check(false);
    /// Number of best lines to search and report.
    multi_pv: i64 = "MultiPV", spin(1, 1, 593);
    /// Milliseconds that a move usually loses on its way to the clock: ordinary targets are earlier by it.
    network_delay: i64 = "NetworkDelay", spin(15, 0, 10_000);
    /// Milliseconds that a move may lose on its way at worst: no search goes on later than this before the flag falls.
    network_delay2: i64 = "NetworkDelay2", spin(30, 0, 10_000);
    /// Milliseconds to think at least about a move, where the clock allows it.
    minimum_thinking_time: i64 = "MinimumThinkingTime", spin(0, 0, 100_000);
    /// Percentage of the usual time to spend per move: below 100 is faster, above slower.
    slow_mover: i64 = "SlowMover", spin(100, 1, 1000);
    /// Use a begun second to its end, for clocks that charge whole seconds, rounded up.
    round_up_to_full_second: bool = "RoundUpToFullSecond", check(false);
    /// Folder that may hold a network file nn.bin; looked for beside the program, then in the working directory.
    eval_dir: String = "EvalDir", Kind::Text { default: "eval" };
    /// A network file, or `<internal>` for the built-in one; empty for nn.bin in EvalDir if it is there, else the
    /// built-in one.
    eval_file: String = "EvalFile", Kind::Filename { default: "" };
    /// What the output of an nn.bin network is divided by; 0 chooses by the file.
    fv_scale: i64 = "FV_SCALE", spin(0, 0, 128);
    /// Number of plies after which a game is a draw; 0 means no limit.
    max_moves_to_draw: i64 = "MaxMovesToDraw", spin(0, 0, 100_000);
    /// Deepest iteration in plies; 0 means no limit.
    depth_limit: i64 = "DepthLimit", spin(0, 0, 246);
    /// Nodes to search at most per move; 0 means no limit.
    nodes_limit: i64 = "NodesLimit", spin(0, 0, i64::MAX);
    /// Resign when the score is at most minus this many centipawns; 99999 means never before mate.
    resign_value: i64 = "ResignValue", spin(99_999, 0, 99_999);
    /// Worth of a draw in centipawns when the engine plays Black.
    draw_value_black: i64 = "DrawValueBlack", spin(-2, -30_000, 30_000);
    /// Worth of a draw in centipawns when the engine plays White.
    draw_value_white: i64 = "DrawValueWhite", spin(-2, -30_000, 30_000);
    /// The rule for declaring a win by entering king.
    entering_king_rule: &'static str = "EnteringKingRule",
        Kind::Combo { default: "CSARule27", choices: ENTERING_KING_RULES };
    /// Search pointless non-promotions too (pawn, bishop, rook; lance on the second rank).
    generate_all_legal_moves: bool = "GenerateAllLegalMoves", check(false);
    /// Milliseconds between two reports of the principal variation; 0 reports every iteration.
    pv_interval: i64 = "PvInterval", spin(300, 0, 100_000);
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
    /// How long `go mate` works on a mate it has found: not at all, about as long again to shorten it, or until the
    /// shortest is proven.
    mate_length: &'static str = "MateLength",
        Kind::Combo { default: "Short", choices: &["First", "Short", "Exact"] };
    /// Count futile interpositions as moves of a mate; problem solvers do not.
    mate_print_interpositions: bool = "MatePrintInterpositions", check(false);
    /// File to which the dialogue and the log are written; empty for none.
    debug_log_file: String = "DebugLogFile", Kind::Filename { default: "" };
    /// Empties the transposition table.
    clear_hash: Presses = "Clear_Hash", Kind::Button;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_default_and_refuses_nonsense() {
        let mut settings = Settings::default();
        for spec in Settings::specs() {
            let before = settings.get(spec.name).unwrap();
            assert!(spec.to_string().starts_with(&format!("name {} type ", spec.name)));
            assert!(!spec.name.contains(' ') && !spec.effect.is_empty(), "{}", spec.name);
            match &spec.kind {
                Kind::Button => {}
                Kind::Check { .. } | Kind::Combo { .. } => {
                    let error = settings.set(spec.name, "perhaps").unwrap_err();
                    assert!(error.to_string().contains(spec.name), "{error}");
                }
                Kind::Spin { min, max, .. } => {
                    for wrong in ["", "x", "1.5", "99999999999999999999"] {
                        assert!(settings.set(spec.name, wrong).is_err(), "{}", spec.name);
                    }
                    for wrong in [min.checked_sub(1), max.checked_add(1)].into_iter().flatten() {
                        assert!(settings.set(spec.name, &wrong.to_string()).is_err());
                    }
                }
                Kind::Text { .. } | Kind::Filename { .. } => {
                    settings.set(spec.name, "a b").unwrap();
                    assert_eq!(settings.get(spec.name).unwrap(), "a b");
                    settings.set(spec.name, &before).unwrap();
                }
            }
            assert_eq!(settings.get(spec.name).unwrap(), before, "{}", spec.name);
            if !matches!(spec.kind, Kind::Button) {
                settings.set(&spec.name.to_ascii_uppercase(), &before).unwrap();
            }
        }
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.set("Style", "1"), Err(OptionError::Unknown("Style".into())));
    }
}
