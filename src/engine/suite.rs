//! A test suite: positions with the move that a strong player chose, and how often the engine finds it.

use std::path::PathBuf;

use crossbeam_channel::unbounded;
use serde::Deserialize;

use super::{Engine, EngineError, Go, OptionError, Report};
use crate::position::{IllegalMove, Position, SfenError};
use crate::search::Choice;
use crate::types::{Move, ParseMoveError};

/// One position of a suite.
#[derive(Clone)]
pub struct Problem {
    /// Where the engine is to find the move.
    pub position: Position,
    /// The move to find.
    pub best: Move,
}

/// A line of the file: more fields than these may stand in it.
#[derive(Deserialize)]
struct Line {
    sfen: String,
    bestmove: String,
}

/// How a suite is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Nodes for each position.
    pub nodes: u64,
    /// Options by name and value, set before the first position.
    pub options: Vec<(String, String)>,
}

/// Why a suite cannot be read or run. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A line is not what a suite consists of.
    #[error("line {0} is not a JSON object with sfen and bestmove: {1}")]
    Json(usize, serde_json::Error),
    /// A position is none.
    #[error("line {0}: {1}")]
    Sfen(usize, SfenError),
    /// A move is none.
    #[error("line {0}: {1}")]
    Move(usize, ParseMoveError),
    /// A move is not legal where it should be the best.
    #[error("line {0}: {1}")]
    Illegal(usize, IllegalMove),
    /// An option is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine did not answer.
    #[error("the search ended without an answer")]
    Silent,
}

/// Reads a suite: a JSON object a line with the fields `sfen` and `bestmove` (USI); other fields are passed over, empty
/// lines too.
///
/// # Errors
/// The first line that is wrong, and how.
pub fn parse(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let mut problems = Vec::new();
    for (number, text) in (1..)
        .zip(text.lines())
        .filter(|(_, text)| !text.trim().is_empty())
    {
        let line: Line =
            serde_json::from_str(text).map_err(|error| SuiteError::Json(number, error))?;
        let position =
            Position::from_sfen(&line.sfen).map_err(|error| SuiteError::Sfen(number, error))?;
        let best = line
            .bestmove
            .parse()
            .map_err(|error| SuiteError::Move(number, error))?;
        position
            .check_move(best)
            .map_err(|error| SuiteError::Illegal(number, error))?;
        problems.push(Problem { position, best });
    }
    Ok(problems)
}

/// Lets an engine of one thread look at every position, its table and histories empty each time; `each` hears of every
/// problem, the move chosen (`None` for a resignation or declaration) and whether it is the one to find. Returns the
/// number of moves found.
///
/// # Errors
/// Where an option is wrong or the engine fails.
pub fn run(
    problems: &[Problem],
    setup: &Setup,
    mut each: impl FnMut(&Problem, Option<Move>, bool),
) -> Result<usize, SuiteError> {
    let (sender, reports) = unbounded();
    let mut engine = Engine::new(move |report| drop(sender.send(report)));
    engine.set_option("Threads", "1")?;
    for (name, value) in &setup.options {
        engine.set_option(name, value)?;
    }
    engine.ready();
    loop {
        match reports.recv().map_err(|_| SuiteError::Silent)? {
            Report::Ready(result) => break result?,
            _ => continue,
        }
    }
    let mut found = 0;
    for problem in problems {
        engine.new_game();
        engine.set_position(problem.position.clone());
        engine.go(Go {
            nodes: Some(setup.nodes),
            ..Go::default()
        })?;
        let choice = loop {
            if let Report::BestMove(choice) = reports.recv().map_err(|_| SuiteError::Silent)? {
                break choice;
            }
        };
        let chosen = match choice {
            Choice::Move { best, .. } => Some(best),
            Choice::Resign | Choice::DeclareWin => None,
        };
        let right = chosen == Some(problem.best);
        found += usize::from(right);
        each(problem, chosen, right);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_named() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "bestmove": "G*5b", "eval": 3}"#;
        assert_eq!(parse(&format!("{line}\n\n{line}\n")).unwrap().len(), 2);
        for (text, words) in [
            ("{}", "line 1"),
            (r#"{"sfen": "9", "bestmove": "G*5b"}"#, "ranks"),
            (&line.replace("G*5b", "G5b"), "'G5b' is not a move"),
            (&line.replace("G*5b", "S*5b"), "no silver in hand"),
        ] {
            let error = parse(text)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_mate_in_one_is_found() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "bestmove": "G*5b"}"#;
        let setup = Setup {
            nodes: 2000,
            options: vec![("USI_Hash".into(), "1".into())],
        };
        let mut heard = 0;
        let found = run(&parse(line).unwrap(), &setup, |_, _, right| {
            heard += usize::from(right)
        })
        .unwrap();
        assert_eq!((found, heard), (1, 1));
    }
}
