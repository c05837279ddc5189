//! The kinds of options, and how the values of each kind are read and written.

use std::fmt;
use std::time::Duration;

use crate::mate;
use crate::nnue::FvScale;
use crate::position::EnteringKingRule;
use crate::types::Score;

/// What values an option takes, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
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
    pub kind: OptionKind,
    /// What it does, in one or two sentences.
    pub effect: &'static str,
}

/// The rest of a USI `option` line after `option `: `name Threads type spin default 4 min 1 max 512`.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} {}", self.name, self.kind)
    }
}

/// `type spin default 4 min 1 max 512`
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_empty = |text: &'static str| if text.is_empty() { "<empty>" } else { text };
        f.write_str("type ")?;
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Self::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Self::Button => f.write_str("button"),
            Self::Text { default } => write!(f, "string default {}", or_empty(default)),
            Self::Filename { default } => write!(f, "filename default {}", or_empty(default)),
        }
    }
}

/// Why `setoption` was refused or its value changed; except for [`OptionError::Clamped`] the old value stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has that name. A session reports it in debug mode only: clients set options of other engines too.
    #[error("there is no option {0}")]
    Unknown(String),
    /// The value does not fit the option.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value that was offered.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// The number is out of range; the nearest one in it is set.
    #[error("option {name}: {value} is out of range, {used} is set")]
    Clamped {
        /// The option.
        name: &'static str,
        /// The value that was offered.
        value: String,
        /// The value that is set.
        used: i64,
    },
}

/// The nearest allowed number, if the text is a number outside the range of a spin option.
pub(super) fn clamped(kind: &OptionKind, text: &str) -> Option<i64> {
    let OptionKind::Spin { min, max, .. } = *kind else {
        return None;
    };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let huge = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    let number = text.parse().unwrap_or(huge);
    let fits = (min..=max).contains(&number) && text.parse::<i64>().is_ok();
    (!fits).then(|| number.clamp(min, max))
}

/// How the type of an option's field is read from and written as a USI value.
pub(super) trait Value: Sized {
    fn default(kind: &OptionKind) -> Self;
    fn parse(kind: &OptionKind, text: &str) -> Result<Self, String>;
    fn show(&self) -> String;
}

impl Value for bool {
    fn default(kind: &OptionKind) -> Self {
        matches!(kind, OptionKind::Check { default: true })
    }

    fn parse(_: &OptionKind, text: &str) -> Result<Self, String> {
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

/// A value that a spin option stands for.
trait SpinValue: Sized {
    /// From a number in the range of the option, which lies within that of the type.
    fn from_number(number: i64) -> Self;
    fn number(&self) -> i64;
}

macro_rules! whole_number {
    ($($type:ty),*) => {
        $(impl SpinValue for $type {
            fn from_number(number: i64) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }

            fn number(&self) -> i64 {
                i64::try_from(*self).unwrap_or(i64::MAX)
            }
        })*
    };
}

whole_number!(u32, i32, u64, usize);

/// A limit for which 0 means that there is none.
impl<T: SpinValue> SpinValue for Option<T> {
    fn from_number(number: i64) -> Self {
        (number != 0).then(|| T::from_number(number))
    }

    fn number(&self) -> i64 {
        self.as_ref().map_or(0, T::number)
    }
}

/// Milliseconds.
impl SpinValue for Duration {
    fn from_number(number: i64) -> Self {
        Self::from_millis(u64::from_number(number))
    }

    fn number(&self) -> i64 {
        i64::try_from(self.as_millis()).unwrap_or(i64::MAX)
    }
}

/// Centipawns.
impl SpinValue for Score {
    fn from_number(number: i64) -> Self {
        Self(i32::from_number(number))
    }

    fn number(&self) -> i64 {
        self.0.into()
    }
}

impl SpinValue for FvScale {
    fn from_number(number: i64) -> Self {
        Self::from_option(u32::from_number(number))
    }

    fn number(&self) -> i64 {
        match *self {
            Self::Automatic => 0,
            Self::Fixed(divisor) => divisor.into(),
        }
    }
}

impl<T: SpinValue> Value for T {
    fn default(kind: &OptionKind) -> Self {
        Self::from_number(if let OptionKind::Spin { default, .. } = *kind { default } else { 0 })
    }

    fn parse(kind: &OptionKind, text: &str) -> Result<Self, String> {
        let OptionKind::Spin { min, max, .. } = *kind else {
            return Err("a number".into());
        };
        let number = text.parse().ok().filter(|value| (min..=max).contains(value));
        number.map(Self::from_number).ok_or_else(|| format!("a whole number from {min} to {max}"))
    }

    fn show(&self) -> String {
        self.number().to_string()
    }
}

impl Value for String {
    fn default(kind: &OptionKind) -> Self {
        match kind {
            OptionKind::Text { default } | OptionKind::Filename { default } => (*default).into(),
            _ => Self::new(),
        }
    }

    fn parse(_: &OptionKind, text: &str) -> Result<Self, String> {
        Ok(if text == "<empty>" { "" } else { text }.into())
    }

    fn show(&self) -> String {
        if self.is_empty() { "<empty>" } else { self }.into()
    }
}

macro_rules! combo_value {
    ($type:ty, $words:ident: $($word:literal => $value:expr),+) => {
        /// The words of the option, in the order in which `usi` lists them.
        pub const $words: &[&str] = &[$($word),+];

        impl Value for $type {
            fn default(kind: &OptionKind) -> Self {
                let word = if let OptionKind::Combo { default, .. } = *kind { default } else { "" };
                Self::parse(kind, word).unwrap_or_default()
            }

            fn parse(_: &OptionKind, text: &str) -> Result<Self, String> {
                $(if text.eq_ignore_ascii_case($word) {
                    return Ok($value);
                })+
                Err(format!("one of {}", $words.join(", ")))
            }

            fn show(&self) -> String {
                $(if *self == $value {
                    return $word.into();
                })+
                String::new()
            }
        }
    };
}

combo_value!(EnteringKingRule, ENTERING_KING_RULES:
    "NoEnteringKing" => Self::NoEnteringKing, "CSARule24" => Self::CSARule24, "CSARule24H" => Self::CSARule24H,
    "CSARule27" => Self::CSARule27, "CSARule27H" => Self::CSARule27H, "TryRule" => Self::TryRule);
combo_value!(mate::FutileInterpositions, FUTILE_INTERPOSITIONS:
    "None" => Self::None, "Drops" => Self::Drops, "Moves" => Self::Moves, "Any" => Self::Any);
combo_value!(mate::MateLength, MATE_LENGTHS:
    "First" => Self::First, "Short" => Self::Short, "Exact" => Self::Exact);

/// A button: how often it has been pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presses(pub u32);

impl Value for Presses {
    fn default(_: &OptionKind) -> Self {
        Self(0)
    }

    fn parse(_: &OptionKind, _: &str) -> Result<Self, String> {
        Ok(Self(1))
    }

    fn show(&self) -> String {
        String::new()
    }
}
