//! The search budget of a position.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The search budget for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Search time.
    Time(Duration),
    /// Number of nodes.
    Nodes(u64),
    /// Depth in plies.
    Depth(u32),
}

/// A text that is not a budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no budget (expected time 100ms, nodes 10000 or depth 12)")]
pub struct ParseBudgetError(pub String);

/// `time 100ms`, `nodes 10000`, `depth 12`; also written into comments, to recognise them.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "time {}ms", time.as_millis()),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

impl FromStr for Budget {
    type Err = ParseBudgetError;

    fn from_str(text: &str) -> Result<Self, ParseBudgetError> {
        let error = || ParseBudgetError(text.to_owned());
        let (kind, value) = text.trim().split_once(' ').ok_or_else(error)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| error());
        Ok(match kind {
            "time" => {
                let millis = value.strip_suffix("ms").ok_or_else(error)?;
                Self::Time(Duration::from_millis(number(millis)?))
            }
            "nodes" => Self::Nodes(number(value)?),
            "depth" => Self::Depth(value.parse().map_err(|_| error())?),
            _ => return Err(error()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_read_back() {
        for text in ["time 100ms", "nodes 20000", "depth 12"] {
            assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
        }
        for text in ["", "time", "time 100", "depth x", "moves 3"] {
            assert!(text.parse::<Budget>().is_err());
        }
    }
}
