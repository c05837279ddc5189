//! Which way each margin of the search should go: all are perturbed at once, and the loss of the chosen moves in a
//! ranked suite is measured.
//!
//! One round takes some positions, moves every tunable up or down by its step, searches, moves every one the other way
//! and searches the same positions again (the two-sided perturbation of SPSA: Spall 1992). In which half of the rounds
//! a tunable was up is independent of all others, so the mean difference of the losses is its own effect, and one set
//! of rounds measures every tunable as precisely as if it were spent on that one. A search scored move by move says far
//! more than the same search within a game that yields one result: some 120,000 searches of 20,000 nodes tell effects
//! of three Elo.
//!
//! Rounds only measure: whoever reads the table chooses the next values, and a match decides.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::suite::{self, Problem, SuiteError, SuiteSettings};
use crate::platform::line_journal::{LineJournal, LineJournalError};
use crate::platform::random::Random;
use crate::search::params::{self, Tunable};

/// How margins are measured.
#[derive(Clone, Debug)]
pub struct TuningSettings {
    /// How positions are searched.
    pub suite: SuiteSettings,
    /// Positions of each round.
    pub positions: usize,
    /// Rounds in the file at the end.
    pub rounds: usize,
    /// How far a tunable is moved, in its steps; one whose step is one (plies, counts, small weights) is moved by one.
    pub width: f64,
    /// Seed of positions and directions.
    pub seed: u64,
}

/// A round: a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Values of the first half by name.
    pub one: BTreeMap<String, i32>,
    /// Values of the second half.
    pub other: BTreeMap<String, i32>,
    /// What choices lost in either half, as a mean share of a win.
    pub lost: [f64; 2],
}

/// What rounds say of a tunable.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// The value in the middle.
    pub value: f64,
    /// How far it was moved to either side.
    pub width: f64,
    /// What choices lose more when it is larger by the width, as a share of a win.
    pub lost: f64,
    /// The standard error of that.
    pub error: f64,
}

/// Why margins cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// The margins are constants.
    #[error("the margins of this build are constants: build it with --features tune")]
    Constants,
    /// No position has scores of its moves.
    #[error("no position of the suite has scores of its moves")]
    NoScores,
    /// The file of rounds cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file holds something else.
    #[error("{0}: line {1} is not a round: {2}")]
    Line(PathBuf, usize, serde_json::Error),
    /// The end of the file is not a torn round.
    #[error("{0} ends with something else than a round; choose another file")]
    Foreign(PathBuf),
    /// A search failed.
    #[error(transparent)]
    Suite(#[from] SuiteError),
}

/// The values of one direction: those that `up` names are larger, the others smaller, all within their ranges.
fn moved(tunables: &[Tunable], width: f64, up: &[bool]) -> BTreeMap<String, i32> {
    let value = |(tunable, &up): (&Tunable, &bool)| {
        // Two or three whole plies are another search.
        let by = if tunable.step == 1 { 1 } else { ((width * f64::from(tunable.step)).round() as i32).max(1) };
        let value = tunable.value + if up { by } else { -by };
        (tunable.name.to_owned(), value.clamp(tunable.min, tunable.max))
    };
    tunables.iter().zip(up).map(value).collect()
}

/// Measures rounds into a file, a line a round, around the current values of the tunables. Rounds that the file holds
/// are kept, those of other values too. `each` is told how many rounds there are. Afterwards the tunables have the
/// values that they had.
///
/// # Errors
/// A build without the feature `tune`; a suite without scores; files that cannot be read or written or are no rounds;
/// searches that fail.
pub fn run(
    problems: &[Problem],
    settings: &TuningSettings,
    file: &Path,
    mut each: impl FnMut(usize),
) -> Result<Vec<Round>, TuningError> {
    if !cfg!(feature = "tune") {
        return Err(TuningError::Constants);
    }
    let scored: Vec<&Problem> = problems.iter().filter(|problem| !problem.scores.is_empty()).collect();
    if scored.is_empty() {
        return Err(TuningError::NoScores);
    }
    let io = |error| TuningError::File(file.to_owned(), error);
    let (mut rounds, mut journal) = open(file)?;
    let tunables = params::all();
    each(rounds.len());
    while rounds.len() < settings.rounds {
        // A round's random numbers depend on its number alone, so that a stopped run continues the same way.
        let mut random = Random::new(settings.seed.wrapping_add(rounds.len() as u64));
        let up: Vec<bool> = tunables.iter().map(|_| random.chance(0.5)).collect();
        let down: Vec<bool> = up.iter().map(|up| !up).collect();
        let chosen: Vec<Problem> =
            (0..settings.positions).map(|_| scored[random.below(scored.len())].clone()).collect();
        let [one, other] = [&up, &down].map(|up| moved(&tunables, settings.width, up));
        let lost = [&one, &other].map(|values| mean_loss(&chosen, &settings.suite, values));
        set(tunables.iter().map(|tunable| (tunable.name, tunable.value)));
        let [first, second] = lost;
        let lost = [first?, second?];
        let round = Round { one, other, lost };
        journal.append(&round).map_err(io)?;
        rounds.push(round);
        each(rounds.len());
    }
    Ok(rounds)
}

fn set<'a>(values: impl Iterator<Item = (&'a str, i32)>) {
    for (name, value) in values {
        params::set(name, value);
    }
}

/// The mean loss of the choices with these values.
fn mean_loss(
    problems: &[Problem],
    settings: &SuiteSettings,
    values: &BTreeMap<String, i32>,
) -> Result<f64, SuiteError> {
    set(values.iter().map(|(name, &value)| (name.as_str(), value)));
    // Summed in the order of the positions, on which sums of floats depend.
    let mut losses = vec![0.0; problems.len()];
    suite::run(problems, settings, |number, chosen| {
        losses[number] = problems[number].loss(chosen).unwrap_or_default();
    })?;
    Ok(losses.iter().sum::<f64>() / losses.len().max(1) as f64)
}

/// The rounds of a file, none where there is no file, and the file to which more are added.
fn open(file: &Path) -> Result<(Vec<Round>, LineJournal), TuningError> {
    let opened = LineJournal::open(file, &["{\"one\":{"]).and_then(|earlier| {
        let rounds = earlier.entries()?;
        Ok((rounds, earlier.resume()?))
    });
    opened.map_err(|error| match error {
        LineJournalError::Io(error) => TuningError::File(file.to_owned(), error),
        LineJournalError::Line(number, error) => TuningError::Line(file.to_owned(), number, error),
        LineJournalError::InUse => TuningError::File(file.to_owned(), io::Error::other(error)),
        LineJournalError::Foreign(_) => TuningError::Foreign(file.to_owned()),
    })
}

/// What rounds say of each tunable: least squares of the difference of the halves in the tunable's own difference, for
/// directions are independent. In the order of the effects in their standard errors, what should be larger first.
pub fn effects(rounds: &[Round]) -> Vec<Effect> {
    let Some(first) = rounds.first() else {
        return Vec::new();
    };
    let mut effects: Vec<Effect> = first.one.keys().filter_map(|name| effect(rounds, name)).collect();
    let certainty = |effect: &Effect| effect.lost / effect.error.max(f64::MIN_POSITIVE);
    effects.sort_by(|a, b| certainty(a).total_cmp(&certainty(b)));
    effects
}

/// `None` where no round has moved it.
fn effect(rounds: &[Round], name: &str) -> Option<Effect> {
    let pairs: Vec<[f64; 3]> = rounds
        .iter()
        .filter_map(|round| {
            let [one, other] = [&round.one, &round.other].map(|half| half.get(name));
            let (one, other) = (f64::from(*one?), f64::from(*other?));
            let lost = round.lost[0] - round.lost[1];
            Some([(one + other) / 2.0, one - other, lost])
        })
        .collect();
    let count = pairs.len() as f64;
    let squares: f64 = pairs.iter().map(|[_, by, _]| by * by).sum();
    if squares == 0.0 {
        return None;
    }
    let slope = pairs.iter().map(|[_, by, lost]| by * lost).sum::<f64>() / squares;
    let rest: f64 = pairs.iter().map(|[_, by, lost]| (lost - slope * by).powi(2)).sum();
    let error = (rest / count.max(2.0) / squares).sqrt();
    let width = pairs.iter().map(|[_, by, _]| by.abs()).sum::<f64>() / count / 2.0;
    Some(Effect {
        name: name.to_owned(),
        value: pairs.iter().map(|[value, ..]| value).sum::<f64>() / count,
        width,
        lost: slope * width,
        error: error * width,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NAMES: [&str; 3] = ["better", "worse", "indifferent"];

    /// Rounds of three margins: the first makes choices better when it is larger, the second worse, the third does
    /// nothing.
    fn rounds(count: u64) -> Vec<Round> {
        let mut random = Random::new(7);
        let loss = |values: &BTreeMap<String, i32>, random: &mut Random| {
            let value = |name: &str| f64::from(values[name] - 100);
            let chance = f64::from(random.unit() - 0.5) * 0.01;
            0.02 - 0.0001 * value("better") + 0.0002 * value("worse") + chance
        };
        (0..count)
            .map(|_| {
                let up = NAMES.map(|_| random.chance(0.5));
                let half = |sign: i32| {
                    let values = NAMES
                        .iter()
                        .zip(up)
                        .map(|(name, up)| ((*name).to_owned(), 100 + if up { 5 * sign } else { -5 * sign }));
                    values.collect::<BTreeMap<_, _>>()
                };
                let [one, other] = [half(1), half(-1)];
                let lost = [loss(&one, &mut random), loss(&other, &mut random)];
                Round { one, other, lost }
            })
            .collect()
    }

    #[test]
    fn the_effects_that_losses_were_made_with_are_found_again() {
        let effects = effects(&rounds(2000));
        let names: Vec<&str> = effects.iter().map(|effect| effect.name.as_str()).collect();
        assert_eq!(names, ["better", "indifferent", "worse"]);
        for (effect, lost) in effects.iter().zip([-0.0005, 0.0, 0.001]) {
            assert!((effect.lost - lost).abs() < 3.5 * effect.error, "{effect:?}");
            assert!(effect.error < 0.0001, "{effect:?}");
            assert_eq!((effect.value, effect.width), (100.0, 5.0));
        }
        assert_eq!(super::effects(&[]), []);
    }

    #[test]
    fn margins_are_moved_within_their_ranges() {
        let tunable = |name, value, step| Tunable { name, value, min: 0, max: 100, step };
        let tunables = [tunable("a", 50, 10), tunable("b", 95, 10), tunable("c", 3, 1)];
        let values = moved(&tunables, 1.5, &[false, true, true]);
        assert_eq!([values["a"], values["b"], values["c"]], [35, 100, 4]);
    }

    #[test]
    fn rounds_are_read_up_to_a_torn_end_and_other_lines_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rounds.jsonl");
        let read = |file: &Path| open(file).map(|(rounds, _)| rounds);
        assert_eq!(read(&file).unwrap(), []);
        let mut rounds = rounds(3);
        for round in &mut rounds {
            // Numbers that are read back exactly.
            round.lost = [0.25, 0.5];
        }
        let lines: Vec<String> = rounds.iter().map(|round| serde_json::to_string(round).unwrap() + "\n").collect();
        let text = lines.concat();
        fs::write(&file, format!("{text}{}", &lines[0][..20])).unwrap();
        assert_eq!(read(&file).unwrap(), rounds);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        fs::write(&file, format!("{}a note\n", lines[0])).unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.contains("line 2 is not a round"), "{error}");
        fs::write(&file, "a note of the user's").unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.contains("something else than a round"), "{error}");
    }

    #[test]
    fn constants_are_not_tuned_and_margins_are() {
        let line = r#"{"sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "moves": {"5i5h": 0, "G*5b": 600}}"#;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rounds.jsonl");
        let before = params::all();
        let settings = TuningSettings {
            suite: SuiteSettings { nodes: 100, threads: 2, options: vec![("USI_Hash".into(), "1".into())] },
            positions: 2,
            rounds: 3,
            width: 1.5,
            seed: 1,
        };
        let problems = suite::parse(line).unwrap();
        let result = run(&problems, &settings, &file, |_| {});
        if !cfg!(feature = "tune") {
            assert!(matches!(result, Err(TuningError::Constants)) && !file.exists());
            return;
        }
        let rounds = result.unwrap();
        assert_eq!(rounds.len(), 3);
        assert_eq!(rounds[0].lost, [0.0; 2], "a mate in one is always found");
        assert_eq!(open(&file).unwrap().0, rounds);
        assert_eq!(params::all(), before);
    }
}
