//! The configuration of a match, from its file (TOML) and flags, and its conversion to a [`Match`].

mod engine;
mod error;
mod layer;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::position::EnteringKingRule;

use super::adjudication::Adjudication;
use super::machine::Machine;
use super::openings::OpeningSource;
use super::rules::ShogiRules;
use super::schedule::TournamentFormat;
use super::setup::{Match, MatchPlayer, RecordFormat, Rules};
use super::statistics::Sprt;

pub use engine::{EngineConfig, Scalar};
pub use error::ConfigError;

use layer::layer;

/// The configuration of a match.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct MatchConfig {
    /// Games for each pairing (100).
    pub games: Option<u32>,
    /// Games played in parallel on each machine (1).
    pub concurrency: Option<usize>,
    /// Machines that share the games: `here`, or commands such as `ssh host`.
    pub machine: Option<Vec<String>>,
    /// `gauntlet` or `round-robin`.
    pub format: Option<TournamentFormat>,
    /// `shogi`, `none` or `solo`.
    pub rules: Option<String>,
    /// The program that deals the tokens of solo games, with its arguments.
    pub token_source: Option<Vec<String>>,
    /// The random seed (1).
    pub seed: Option<u64>,
    /// File of openings.
    pub openings: Option<PathBuf>,
    /// `sequential` or `random`.
    pub order: Option<String>,
    /// The first opening to use, from 1.
    pub start: Option<usize>,
    /// Random moves after each opening.
    pub random_plies: Option<u32>,
    /// Draw after this many moves (512 in shogi; 0: no limit).
    pub max_moves: Option<u32>,
    /// Whether a mate by the last allowed move wins (true).
    pub mate_at_limit: Option<bool>,
    /// The rule of declaration, `CSARule27` by default.
    pub declaration: Option<String>,
    /// Consecutive failures to start after which an engine is withdrawn (3).
    pub start_failures: Option<u32>,
    /// File of games.
    pub record: Option<PathBuf>,
    /// `usi` or `csa`; by default by the file's name.
    pub record_format: Option<String>,
    /// State file.
    pub state: Option<PathBuf>,
    /// Resume from the state file.
    pub resume: Option<bool>,
    /// File for the result as JSON.
    pub json: Option<PathBuf>,
    /// File for the chart (SVG).
    pub chart: Option<PathBuf>,
    /// The sequential test (SPRT).
    pub sprt: Option<Sprt>,
    /// When games are ended early.
    pub adjudication: Option<Adjudication>,
    /// Settings of all engines.
    pub each: EngineConfig,
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
}

impl MatchConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read or parsed; the message says where.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Read(path.to_owned(), error))?;
        toml::from_str(&text).map_err(|error| {
            let mut words = error.to_string();
            if error.message().contains("escape") {
                words += "in TOML a path with backslashes stands in single quotes: 'C:\\engines\\engine.exe'";
            }
            ConfigError::Syntax(path.to_owned(), words)
        })
    }

    /// Fills unset values from another configuration. Engines of the same name are merged; the others of `under` come
    /// first.
    pub fn over(mut self, under: Self) -> Self {
        layer!(self, under; games, concurrency, machine, format, rules, token_source, seed, openings, order, start,
            random_plies, max_moves, mate_at_limit, declaration, start_failures, record, record_format, state,
            resume, json, chart, sprt, adjudication);
        self.each = self.each.over(&under.each);
        let mut engines = under.engines;
        for engine in self.engines {
            let same = |other: &&mut EngineConfig| other.name.is_some() && other.name == engine.name;
            match engines.iter_mut().find(same) {
                Some(other) => *other = engine.over(other),
                None => engines.push(engine),
            }
        }
        self.engines = engines;
        self
    }

    /// The match.
    ///
    /// # Errors
    /// An invalid value, an empty name, too few engines, an engine without a search limit.
    pub fn build(&self) -> Result<Match, ConfigError> {
        let fail = |text: String| Err(ConfigError::Value(text));
        let solo = self.rules.as_deref() == Some("solo");
        let mut players = Vec::new();
        for engine in &self.engines {
            players.push(engine.over(&self.each).player()?);
        }
        make_names_unique(&mut players)?;
        if players.len() < if solo { 1 } else { 2 } {
            return fail(format!(
                "a match needs two engines, {} given (--engine name=A --engine name=B)",
                players.len()
            ));
        }
        if let Some(sprt) = &self.sprt {
            sprt.validate().map_err(ConfigError::Value)?;
            if players.len() != 2 || solo {
                return fail(format!("sprt tests two engines, not {}", players.len()));
            }
        }
        let rules = self.game_rules()?;
        if solo && self.chart.is_some() {
            return fail("a chart needs sides that play each other: rules solo has none".to_owned());
        }
        let shogi = matches!(rules, Rules::Shogi(_));
        if self.random_plies.unwrap_or(0) > 0 && !shogi {
            return fail("random plies need the rules of shogi".to_owned());
        }
        let shuffle = match self.order.as_deref().unwrap_or("sequential") {
            "sequential" => false,
            "random" => true,
            other => return fail(format!("order '{other}' is none of sequential, random")),
        };
        let resume = self.resume.unwrap_or(false);
        if resume && self.state.is_none() {
            return fail("resume needs a state file (--state FILE)".to_owned());
        }
        let concurrency = self.concurrency.unwrap_or(1);
        if concurrency == 0 {
            return fail("concurrency=0: one game at a time is the least".to_owned());
        }
        let machines = self.machine.iter().flatten().map(|text| {
            let wrong =
                || ConfigError::Value(format!("machine '{text}' is neither here nor a command such as ssh host"));
            Machine::parse(text).ok_or_else(wrong)
        });
        let machines = machines.collect::<Result<Vec<Machine>, ConfigError>>()?;
        let seed = self.seed.unwrap_or(1);
        Ok(Match {
            players,
            format: self.format.unwrap_or_default(),
            games: self.games.unwrap_or(100),
            concurrency,
            machines,
            rules,
            openings: OpeningSource {
                file: self.openings.clone(),
                shuffle,
                first: self.start.unwrap_or(1),
                random_plies: self.random_plies.unwrap_or(0),
                seed,
            },
            adjudication: self.adjudication.clone().unwrap_or_default(),
            sprt: self.sprt,
            seed,
            start_failures: self.start_failures.unwrap_or(3),
            record: self.record_of(shogi)?,
            state: self.state.clone(),
            resume,
        })
    }

    /// The game and its rules.
    fn game_rules(&self) -> Result<Rules, ConfigError> {
        let fail = |text: String| Err(ConfigError::Value(text));
        let max_moves = |default| match self.max_moves.or(default) {
            Some(0) | None => None,
            limit => limit,
        };
        Ok(match self.rules.as_deref().unwrap_or("shogi") {
            "shogi" => Rules::Shogi(ShogiRules {
                max_moves: max_moves(Some(512)),
                mate_at_limit: self.mate_at_limit.unwrap_or(true),
                entering_king: match self.declaration.as_deref() {
                    None => EnteringKingRule::CSARule27,
                    Some(rule) => rule.parse().map_err(|error| ConfigError::Value(format!("{error}")))?,
                },
                adjudicate_declaration: self.adjudication.as_ref().is_some_and(|adjudication| adjudication.declaration),
            }),
            "none" => Rules::None { max_moves: max_moves(None) },
            "solo" => match &self.token_source {
                Some(source) if !source.is_empty() => {
                    Rules::Solo { source: source.clone(), max_moves: max_moves(None) }
                }
                _ => return fail("rules solo needs a token source (--token-source)".to_owned()),
            },
            other => return fail(format!("rules '{other}' is none of shogi, none, solo")),
        })
    }

    /// The file of games and its format.
    fn record_of(&self, shogi: bool) -> Result<Option<(PathBuf, RecordFormat)>, ConfigError> {
        let fail = |text: String| Err(ConfigError::Value(text));
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let by_name = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csa"));
        let format = match self.record_format.as_deref() {
            Some("csa") => RecordFormat::Csa,
            Some("usi") => RecordFormat::Usi,
            None if by_name && shogi => RecordFormat::Csa,
            None => RecordFormat::Usi,
            Some(other) => {
                return fail(format!("record format '{other}' is none of usi, csa"));
            }
        };
        if format == RecordFormat::Csa && !shogi {
            return fail("record format csa needs the rules of shogi".to_owned());
        }
        Ok(Some((path.clone(), format)))
    }
}

/// Makes names unique by numbers.
fn make_names_unique(players: &mut [MatchPlayer]) -> Result<(), ConfigError> {
    for index in 1..players.len() {
        let taken = |name: &str, before: &[MatchPlayer]| before.iter().any(|player| player.name == name);
        let (before, rest) = players.split_at_mut(index);
        let name = rest[0].name.clone();
        if taken(&name, before) {
            let number = (2..).find(|n| !taken(&format!("{name} {n}"), before)).unwrap_or(2);
            rest[0].name = format!("{name} {number}");
        }
    }
    match players.iter().find(|player| player.name.trim().is_empty()) {
        Some(_) => Err(ConfigError::Value("an engine's name is empty".to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const FILE: &str = r#"
        games = 400
        concurrency = 2
        openings = "openings.sfen"
        order = "random"
        [sprt]
        elo1 = 10
        model = "normalized"
        [each]
        tc = "10+0.1"
        options = { Threads = 1, USI_Hash = "64" }
        [[engine]]
        name = "new"
        path = "./new"
        [[engine]]
        name = "old"
        path = "./old"
        nodes = 5000
        option.Threads = 2
    "#;

    #[test]
    fn flags_override_the_file() {
        let file: MatchConfig = toml::from_str(FILE).unwrap();
        let mut engine = EngineConfig::default();
        for text in ["name=old", "option.Threads=4", "margin=0.2", "args=a \"b c\""] {
            engine.set(text).unwrap();
        }
        let flags = MatchConfig { games: Some(10), engines: vec![engine], ..MatchConfig::default() };
        let setup = flags.over(file).build().unwrap();
        assert_eq!((setup.games, setup.concurrency, setup.openings.shuffle), (10, 2, true));
        assert_eq!(setup.sprt.unwrap().elo1, 10.0);
        let [new, old] = &setup.players[..] else { panic!("two engines") };
        assert_eq!(new.control.to_string(), "10+0.1");
        assert_eq!(old.control.to_string(), "nodes 5000");
        assert_eq!(old.control.margin, Duration::from_millis(200));
        assert_eq!(old.spec.arguments, ["a", "b c"]);
        let options = |player: &MatchPlayer| player.spec.options.clone();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(options(new), [pair("Threads", "1"), pair("USI_Hash", "64")]);
        assert_eq!(options(old), [pair("Threads", "4"), pair("USI_Hash", "64")]);
    }

    #[test]
    fn nonsense_is_named() {
        for (text, message) in [
            ("games = 2", "two engines, 0 given"),
            ("[[engine]]\nname='a'\n[[engine]]\nname='b'", "engine a: no limit"),
            ("[each]\ntc='x'\n[[engine]]\n[[engine]]", "tc 'x'"),
            ("[each]\nbyoyomi=-1\n[[engine]]\n[[engine]]", "byoyomi=-1"),
            ("[each]\nmovetime=0\n[[engine]]\n[[engine]]", "movetime=0"),
            ("[each]\nnodes=0\n[[engine]]\n[[engine]]", "nodes=0"),
            ("concurrency=0\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "concurrency=0"),
            ("machine=[' ']\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "machine ' '"),
            ("rules='chess'\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "rules 'chess'"),
            ("rules='solo'\n[each]\nnodes=1\n[[engine]]", "token source"),
            ("rules='solo'\ntoken-source=['x']\nchart='x.svg'\n[each]\nnodes=1\n[[engine]]", "a chart needs sides"),
            ("resume=true\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "state file"),
            ("[sprt]\nalpha=2\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "alpha=2"),
            ("[sprt]\n[each]\nnodes=1\n[[engine]]\n[[engine]]\n[[engine]]", "two engines, not 3"),
            ("declaration='x'\n[each]\nnodes=1\n[[engine]]\n[[engine]]", "'x' is not a declaration rule"),
        ] {
            let config: MatchConfig = toml::from_str(text).unwrap();
            let error = config.build().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(toml::from_str::<MatchConfig>("gamess = 3").is_err());
        let mut engine = EngineConfig::default();
        for text in ["nodes=x", "nonsense=1", "ponder=maybe", "x"] {
            assert!(engine.set(text).unwrap_err().to_string().contains(text), "{text}");
        }
    }

    #[test]
    fn names_that_nobody_gave_are_told_apart() {
        let config: MatchConfig =
            toml::from_str("[each]\nnodes=1\npath='/x/engine'\n[[engine]]\n[[engine]]\n[[engine]]").unwrap();
        let setup = config.build().unwrap();
        let names: Vec<_> = setup.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["engine", "engine 2", "engine 3"]);
    }
}
