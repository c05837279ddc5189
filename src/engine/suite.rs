//! Test suites: positions with the best move or with scores of several moves; how often the engine finds the best one,
//! and what its choices lose.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;
use serde::Deserialize;

use super::in_process::{InProcess, InProcessError};
use super::report::BestMove;
use crate::position::{IllegalMove, Position, SfenError};
use crate::search::Limits;
use crate::types::{Move, ParseMoveError, Score};

/// One position of a suite.
#[derive(Clone)]
pub struct Problem {
    /// Where the engine is to find the move.
    pub position: Position,
    /// The move to find.
    pub best: Move,
    /// Scores of moves, the best one among them, in centipawns for the side to move; empty where none are known.
    pub scores: Vec<(Move, Score)>,
}

impl Problem {
    /// What a move gives away by the scores, as a share of a win (0..1). A move without a score, a resignation and a
    /// declaration count as the worst move that has one. `None` where there are no scores.
    pub fn loss(&self, chosen: Option<Move>) -> Option<f64> {
        let score_of = |wanted| {
            let mut scores = self.scores.iter();
            scores.find_map(|&(mv, score)| (Some(mv) == wanted).then_some(score))
        };
        let worst = self.scores.iter().map(|&(_, score)| score).min()?;
        let best = score_of(Some(self.best)).unwrap_or(worst);
        let chosen = score_of(chosen).unwrap_or(worst);
        Some(best.expected_result() - chosen.expected_result())
    }
}

/// A line of the file; other fields are ignored.
#[derive(Deserialize)]
struct Line {
    sfen: String,
    bestmove: Option<String>,
    moves: Option<BTreeMap<String, i32>>,
}

/// How a suite is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteSettings {
    /// Nodes for each position.
    pub nodes: u64,
    /// How many positions are searched in parallel, each by an engine of one thread.
    pub threads: usize,
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
    #[error("line {0} is not a JSON object with sfen and bestmove or moves: {1}")]
    Json(usize, serde_json::Error),
    /// A line names no move.
    #[error("line {0} has neither bestmove nor moves")]
    NoMove(usize),
    /// A position is not valid.
    #[error("line {0}: {1}")]
    Sfen(usize, SfenError),
    /// A move cannot be read.
    #[error("line {0}: {1}")]
    Move(usize, ParseMoveError),
    /// A move is illegal.
    #[error("line {0}: {1}")]
    Illegal(usize, IllegalMove),
    /// An option is wrong, or the engine did not answer.
    #[error(transparent)]
    Engine(#[from] InProcessError),
}

/// Reads a suite: a JSON object a line with the fields `sfen` and `bestmove` (USI), or `sfen` and `moves`, an object of
/// moves with their scores as `hagane train rank` writes them; other fields, empty lines and positions whose `moves`
/// are empty are ignored. Where there are both, `bestmove` is the one to find.
///
/// # Errors
/// The first line that is wrong, and how.
pub fn parse(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let mut problems = Vec::new();
    for (number, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let line: Line = serde_json::from_str(text).map_err(|error| SuiteError::Json(number, error))?;
        let position = Position::from_sfen(&line.sfen).map_err(|error| SuiteError::Sfen(number, error))?;
        let legal = |text: &String| -> Result<Move, SuiteError> {
            let mv = text.parse().map_err(|error| SuiteError::Move(number, error))?;
            position.check_move(mv).map_err(|error| SuiteError::Illegal(number, error))?;
            Ok(mv)
        };
        let scores = line
            .moves
            .iter()
            .flatten()
            .map(|(text, &score)| Ok((legal(text)?, Score(score))))
            .collect::<Result<Vec<_>, SuiteError>>()?;
        let highest = scores.iter().max_by_key(|&&(_, score)| score);
        let best = match (&line.bestmove, highest) {
            (Some(text), _) => legal(text)?,
            (None, Some(&(mv, _))) => mv,
            (None, None) if line.moves.is_some() => continue,
            (None, None) => return Err(SuiteError::NoMove(number)),
        };
        problems.push(Problem { position, best, scores });
    }
    Ok(problems)
}

/// An engine of one thread that is ready for positions.
fn engine(options: &[(String, String)]) -> Result<InProcess, InProcessError> {
    let options = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut engine = InProcess::new([("Threads", "1")].into_iter().chain(options))?;
    engine.ready()?;
    Ok(engine)
}

/// The move chosen, table and histories empty before; `None` for a resignation or declaration.
fn choose(engine: &mut InProcess, position: &Position, nodes: u64) -> Result<Option<Move>, InProcessError> {
    engine.engine.new_game();
    let choice = engine.search(position.clone(), Limits { nodes, ..Limits::default() }, |_| {})?;
    Ok(match choice {
        BestMove::Move { best, .. } => Some(best),
        BestMove::Resign | BestMove::DeclareWin => None,
    })
}

/// Searches every position; `each` is told the number of a problem, from 0, and the move chosen there (`None` for a
/// resignation or declaration), in the order of completion. The choices do not depend on the number of threads.
///
/// # Errors
/// An option is wrong or an engine fails.
pub fn run(
    problems: &[Problem],
    settings: &SuiteSettings,
    mut each: impl FnMut(usize, Option<Move>),
) -> Result<(), SuiteError> {
    let next = AtomicUsize::new(0);
    let (sender, answers) = unbounded::<Result<_, SuiteError>>();
    thread::scope(|scope| {
        for _ in 0..settings.threads.clamp(1, problems.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let work = || -> Result<(), SuiteError> {
                    let mut engine = engine(&settings.options)?;
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        let Some(problem) = problems.get(number) else {
                            return Ok(());
                        };
                        let chosen = choose(&mut engine, &problem.position, settings.nodes)?;
                        if sender.send(Ok((number, chosen))).is_err() {
                            return Ok(());
                        }
                    }
                };
                if let Err(error) = work() {
                    // Fails if another engine has failed before and the receiver is gone.
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        for answer in answers {
            let (number, chosen) = answer?;
            each(number, chosen);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_named() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "bestmove": "G*5b", "eval": 3}"#;
        assert_eq!(parse(&format!("{line}\n\n{line}\n")).unwrap().len(), 2);
        let nothing_ranked = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "moves": {}}"#;
        assert!(parse(nothing_ranked).unwrap().is_empty());
        for (text, words) in [
            ("{}", "line 1"),
            (&line.replace("bestmove", "worstmove"), "neither bestmove"),
            (r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "moves": {"5i5g": 3}}"#, "line 1"),
            (r#"{"sfen": "9", "bestmove": "G*5b"}"#, "1 rank, not 9"),
            (&line.replace("G*5b", "G5b"), "'G5b' is not a move"),
            (&line.replace("G*5b", "S*5b"), "no silver in hand"),
        ] {
            let error = parse(text).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_mate_in_one_is_found_and_loses_nothing() {
        let position = r#""sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1""#;
        let text = format!(
            "{{{position}, \"bestmove\": \"G*5b\"}}\n{{{position}, \"moves\": {{\"5i5h\": 0, \"G*5b\": 600}}}}"
        );
        let problems = parse(&text).unwrap();
        for threads in [1, 2, 3] {
            let settings = SuiteSettings { nodes: 2000, threads, options: vec![("USI_Hash".into(), "1".into())] };
            let mut done = vec![];
            run(&problems, &settings, |number, chosen| {
                assert_eq!(chosen, Some(problems[number].best));
                done.push((number, problems[number].loss(chosen)));
            })
            .unwrap();
            done.sort_by_key(|&(number, _)| number);
            assert_eq!(done, [(0, None), (1, Some(0.0))]);
        }
    }

    #[test]
    fn a_choice_loses_what_the_scores_say() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "moves": {"5i5h": 0, "5i4h": -600, "G*5b": 600}}"#;
        let problem = &parse(line).unwrap()[0];
        let won = 1.0 / (1.0 + (-1f64).exp());
        for (chosen, loss) in [
            (Some("G*5b"), 0.0),
            (Some("5i5h"), won - 0.5),
            (Some("5i4h"), 2.0 * won - 1.0),
            // A move without a score counts as the worst.
            (Some("5i6h"), 2.0 * won - 1.0),
            (None, 2.0 * won - 1.0),
        ] {
            let chosen = chosen.map(|text| text.parse().unwrap());
            let lost = problem.loss(chosen).unwrap();
            assert!((lost - loss).abs() < 1e-9, "{chosen:?}: {lost}");
        }
    }

    #[test]
    fn an_option_that_is_wrong_is_named_by_every_number_of_threads() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "bestmove": "G*5b"}"#;
        for threads in [1, 2] {
            let settings = SuiteSettings { nodes: 2000, threads, options: vec![("NoSuch".into(), "1".into())] };
            let error = run(&parse(line).unwrap(), &settings, |_, _| {}).unwrap_err();
            assert!(error.to_string().contains("NoSuch"), "{error}");
        }
    }
}
