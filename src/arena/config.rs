//! A match as its file (TOML) and its flags describe it, and how that becomes a [`Match`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::client::EngineSpec;
use crate::position::EnteringKingRule;

use super::adjudication::Adjudication;
use super::openings::OpeningSource;
use super::rules::ShogiRules;
use super::schedule::Format;
use super::setup::{Match, Player, RecordFormat, Rules};
use super::statistics::Sprt;
use super::time_control::TimeControl;

/// Why a description makes no match.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// It is no such file.
    #[error("{0}: {1}")]
    Syntax(PathBuf, String),
    /// A value makes no sense.
    #[error("{0}")]
    Value(String),
}

/// A value that may be written as text, number or truth value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `true`
    Bool(bool),
    /// `64`
    Integer(i64),
    /// `0.5`
    Float(f64),
    /// `"text"`
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// An engine, or what all engines share (`[each]`). Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct EngineConfig {
    /// The name in this match; by default the program's.
    pub name: Option<String>,
    /// The program; by default this one.
    pub path: Option<PathBuf>,
    /// Its arguments.
    pub args: Option<Vec<String>>,
    /// Its working directory.
    pub dir: Option<PathBuf>,
    /// Environment variables.
    pub env: BTreeMap<String, Scalar>,
    /// USI options.
    pub options: BTreeMap<String, Scalar>,
    /// Game time, with an increment a move where one is wanted: `60`, `10+0.1`, `5:00+3`.
    pub tc: Option<Scalar>,
    /// Free time a move after the game time.
    pub byoyomi: Option<f64>,
    /// Time a move.
    pub movetime: Option<f64>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth.
    pub depth: Option<u32>,
    /// Random spread of the limits of single moves, as a share of them: 0.2 is ±20 %.
    pub random: Option<f64>,
    /// By how much an answer may be late (0.05).
    pub margin: Option<f64>,
    /// How long to wait for an answer where there is no limit of time (60).
    pub patience: Option<f64>,
    /// Think in the opponent's time.
    pub ponder: Option<bool>,
    /// Start anew for every game.
    pub restart: Option<bool>,
    /// Seconds to wait for `usiok` (10).
    pub usi_timeout: Option<f64>,
    /// Seconds to wait for `readyok` (60).
    pub ready_timeout: Option<f64>,
    /// Seconds to wait for `bestmove` after `stop` (2).
    pub stop_timeout: Option<f64>,
    /// Seconds to wait for the end after `quit` (2).
    pub quit_timeout: Option<f64>,
}

/// A match's description.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Games for each pairing (100).
    pub games: Option<u32>,
    /// Games at a time (1).
    pub concurrency: Option<usize>,
    /// `gauntlet` or `round-robin`.
    pub format: Option<Format>,
    /// `shogi`, `none` or `solo`.
    pub rules: Option<String>,
    /// The program that gives out the tokens of solo games, and its arguments.
    pub token_source: Option<Vec<String>>,
    /// The seed of all that is random (1).
    pub seed: Option<u64>,
    /// File of openings.
    pub openings: Option<PathBuf>,
    /// `sequential` or `random`.
    pub order: Option<String>,
    /// The first opening to use, from 1.
    pub start: Option<usize>,
    /// Random moves after each opening.
    pub random_plies: Option<u32>,
    /// Draw at so many moves (512 in shogi; 0: no limit).
    pub max_moves: Option<u32>,
    /// Whether a mate by the last move allowed wins (true).
    pub mate_at_limit: Option<bool>,
    /// The rule of declaration, `CSARule27` by default.
    pub declaration: Option<String>,
    /// Start failures in a row after which an engine is withdrawn (3).
    pub start_failures: Option<u32>,
    /// File of games.
    pub record: Option<PathBuf>,
    /// `usi` or `csa`; by default what the file's name says.
    pub record_format: Option<String>,
    /// State file.
    pub state: Option<PathBuf>,
    /// Go on from the state file.
    pub resume: Option<bool>,
    /// Where the result is written as JSON.
    pub json: Option<PathBuf>,
    /// Where the course of the match is drawn as SVG.
    pub chart: Option<PathBuf>,
    /// The sequential test.
    pub sprt: Option<Sprt>,
    /// Ending games early.
    pub adjudication: Option<Adjudication>,
    /// What all engines share.
    pub each: EngineConfig,
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
}

/// Takes what `over` says, and else what `under` says.
macro_rules! layer {
    ($over:expr, $under:expr; $($field:ident),+ $(,)?) => {
        $(if $over.$field.is_none() { $over.$field = $under.$field.clone(); })+
    };
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read or understood; the message says where.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Read(path.to_owned(), error))?;
        toml::from_str(&text)
            .map_err(|error| ConfigError::Syntax(path.to_owned(), error.to_string()))
    }

    /// Fills what this description leaves open with what another says. Engines of the same name become one; the others
    /// of `under` come first.
    pub fn over(mut self, under: Self) -> Self {
        layer!(self, under; games, concurrency, format, rules, token_source, seed, openings, order, start,
            random_plies, max_moves, mate_at_limit, declaration, start_failures, record, record_format, state,
            resume, json, chart, sprt, adjudication);
        self.each = self.each.over(&under.each);
        let mut engines = under.engines;
        for engine in self.engines {
            let same =
                |other: &&mut EngineConfig| other.name.is_some() && other.name == engine.name;
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
    /// A value that makes no sense, a name given twice, too few engines, no limit for an engine's thinking.
    pub fn build(&self) -> Result<Match, ConfigError> {
        let fail = |text: String| Err(ConfigError::Value(text));
        let solo = self.rules.as_deref() == Some("solo");
        let mut players = Vec::new();
        for engine in &self.engines {
            players.push(engine.over(&self.each).player()?);
        }
        name_apart(&mut players)?;
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
        let max_moves = |default| match self.max_moves.or(default) {
            Some(0) | None => None,
            limit => limit,
        };
        let rules = match self.rules.as_deref().unwrap_or("shogi") {
            "shogi" => Rules::Shogi(ShogiRules {
                max_moves: max_moves(Some(512)),
                mate_at_limit: self.mate_at_limit.unwrap_or(true),
                entering_king: match self.declaration.as_deref() {
                    None => EnteringKingRule::CSARule27,
                    Some(rule) => rule
                        .parse()
                        .map_err(|error| ConfigError::Value(format!("{error}")))?,
                },
                adjudicate_declaration: self
                    .adjudication
                    .as_ref()
                    .is_some_and(|adjudication| adjudication.declaration),
            }),
            "none" => Rules::None {
                max_moves: max_moves(None),
            },
            "solo" => match &self.token_source {
                Some(source) if !source.is_empty() => Rules::Solo {
                    source: source.clone(),
                    max_moves: max_moves(None),
                },
                _ => return fail("rules solo needs a token source (--token-source)".to_owned()),
            },
            other => return fail(format!("rules '{other}' is none of shogi, none, solo")),
        };
        let shogi = matches!(rules, Rules::Shogi(_));
        if self.random_plies.unwrap_or(0) > 0 && !shogi {
            return fail("random plies need the rules of shogi".to_owned());
        }
        let shuffle = match self.order.as_deref().unwrap_or("sequential") {
            "sequential" => false,
            "random" => true,
            other => return fail(format!("order '{other}' is none of sequential, random")),
        };
        let record = match &self.record {
            None => None,
            Some(path) => {
                let by_name = path
                    .extension()
                    .is_some_and(|e| e.eq_ignore_ascii_case("csa"));
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
                Some((path.clone(), format))
            }
        };
        let resume = self.resume.unwrap_or(false);
        if resume && self.state.is_none() {
            return fail("resume needs a state file (--state FILE)".to_owned());
        }
        let seed = self.seed.unwrap_or(1);
        Ok(Match {
            players,
            format: self.format.unwrap_or_default(),
            games: self.games.unwrap_or(100),
            concurrency: self.concurrency.unwrap_or(1).max(1),
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
            record,
            state: self.state.clone(),
            resume,
        })
    }
}

/// Names that nobody gave are told apart by numbers; names that were given must differ.
fn name_apart(players: &mut [Player]) -> Result<(), ConfigError> {
    for index in 1..players.len() {
        let taken = |name: &str, before: &[Player]| before.iter().any(|player| player.name == name);
        let (before, rest) = players.split_at_mut(index);
        let name = rest[0].name.clone();
        if taken(&name, before) {
            let number = (2..)
                .find(|n| !taken(&format!("{name} {n}"), before))
                .unwrap_or(2);
            rest[0].name = format!("{name} {number}");
        }
    }
    match players.iter().find(|player| player.name.trim().is_empty()) {
        Some(_) => Err(ConfigError::Value("an engine's name is empty".to_owned())),
        None => Ok(()),
    }
}

impl EngineConfig {
    /// Fills what this one leaves open. A limit of thinking replaces all of the other's.
    fn over(&self, under: &Self) -> Self {
        let mut merged = self.clone();
        let has_limit = self.tc.is_some()
            || self.byoyomi.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some();
        if !has_limit {
            layer!(merged, under; tc, byoyomi, movetime, nodes, depth);
        }
        layer!(merged, under; name, path, args, dir, random, margin, patience, ponder, restart, usi_timeout,
            ready_timeout, stop_timeout, quit_timeout);
        for (key, value) in &under.env {
            merged
                .env
                .entry(key.clone())
                .or_insert_with(|| value.clone());
        }
        for (key, value) in &under.options {
            merged
                .options
                .entry(key.clone())
                .or_insert_with(|| value.clone());
        }
        merged
    }

    /// Sets one key from the text of a flag: `path=engine`, `option.Threads=1`, `env.KEY=x`, `tc=10+0.1`.
    ///
    /// # Errors
    /// The key is unknown or its value is of the wrong kind.
    pub fn set(&mut self, text: &str) -> Result<(), ConfigError> {
        let fail = |reason: String| ConfigError::Value(format!("'{text}': {reason}"));
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| fail("expected key=value, such as name=A or nodes=1000".to_owned()))?;
        let scalar = || Scalar::Text(value.to_owned());
        if let Some(option) = key.strip_prefix("option.") {
            self.options.insert(option.to_owned(), scalar());
            return Ok(());
        }
        if let Some(variable) = key.strip_prefix("env.") {
            self.env.insert(variable.to_owned(), scalar());
            return Ok(());
        }
        let number = || {
            value
                .parse::<f64>()
                .map_err(|_| fail(format!("'{value}' is no number")))
        };
        let whole = || {
            value
                .parse::<u64>()
                .map_err(|_| fail(format!("'{value}' is no whole number")))
        };
        let truth = || match value {
            "true" | "on" | "yes" => Ok(true),
            "false" | "off" | "no" => Ok(false),
            _ => Err(fail(format!("'{value}' is neither true nor false"))),
        };
        match key {
            "name" => self.name = Some(value.to_owned()),
            "path" => self.path = Some(value.into()),
            "args" => self.args = Some(split_words(value)),
            "dir" => self.dir = Some(value.into()),
            "tc" => self.tc = Some(scalar()),
            "byoyomi" => self.byoyomi = Some(number()?),
            "movetime" => self.movetime = Some(number()?),
            "nodes" => self.nodes = Some(whole()?),
            "depth" => {
                let depth = u32::try_from(whole()?);
                self.depth = Some(depth.map_err(|_| fail("too large a depth".to_owned()))?);
            }
            "random" => self.random = Some(number()?),
            "margin" => self.margin = Some(number()?),
            "patience" => self.patience = Some(number()?),
            "ponder" => self.ponder = Some(truth()?),
            "restart" => self.restart = Some(truth()?),
            "usi-timeout" => self.usi_timeout = Some(number()?),
            "ready-timeout" => self.ready_timeout = Some(number()?),
            "stop-timeout" => self.stop_timeout = Some(number()?),
            "quit-timeout" => self.quit_timeout = Some(number()?),
            _ => {
                return Err(fail(format!(
                    "unknown key '{key}' (one of name, path, args, dir, option.NAME, env.NAME, tc, byoyomi, movetime, \
                     nodes, depth, random, margin, patience, ponder, restart, usi-timeout, ready-timeout, \
                     stop-timeout, quit-timeout)"
                )));
            }
        }
        Ok(())
    }

    fn player(&self) -> Result<Player, ConfigError> {
        let mut spec = match &self.path {
            Some(path) => EngineSpec::new(path),
            None => EngineSpec::this_executable()
                .map_err(|error| ConfigError::Value(format!("where this program is: {error}")))?,
        };
        let name = self.name.clone().unwrap_or_else(|| {
            spec.path
                .file_stem()
                .map_or("engine".into(), |stem| stem.to_string_lossy().into_owned())
        });
        let culprit = |error: String| ConfigError::Value(format!("engine {name}: {error}"));
        let time = |field: &str, value: Option<f64>| {
            value
                .map(|seconds| duration(field, seconds).map_err(culprit))
                .transpose()
        };
        spec.arguments = self.args.clone().unwrap_or_default();
        spec.directory = self.dir.clone();
        // A relative path is meant from here, not from the engine's directory.
        if spec.directory.is_some() && spec.path.components().count() > 1 && spec.path.is_relative()
        {
            spec.path = std::path::absolute(&spec.path).unwrap_or(spec.path);
        }
        let pairs = |map: &BTreeMap<String, Scalar>| {
            map.iter()
                .map(|(key, value)| (key.clone(), value.to_string()))
                .collect()
        };
        spec.environment = pairs(&self.env);
        spec.options = pairs(&self.options);
        let timeouts = &mut spec.timeouts;
        for (limit, field, value) in [
            (&mut timeouts.usi, "usi-timeout", self.usi_timeout),
            (&mut timeouts.ready, "ready-timeout", self.ready_timeout),
            (&mut timeouts.stop, "stop-timeout", self.stop_timeout),
            (&mut timeouts.quit, "quit-timeout", self.quit_timeout),
        ] {
            if let Some(value) = time(field, value)? {
                *limit = value;
            }
        }
        let mut control = TimeControl {
            byoyomi: time("byoyomi", self.byoyomi)?.unwrap_or_default(),
            movetime: time("movetime", self.movetime)?,
            nodes: self.nodes,
            depth: self.depth,
            spread: self.random.unwrap_or(0.0),
            ..TimeControl::default()
        };
        if let Some(tc) = &self.tc {
            (control.main, control.increment) = parse_tc(&tc.to_string()).map_err(culprit)?;
        }
        if let Some(margin) = time("margin", self.margin)? {
            control.margin = margin;
        }
        if let Some(patience) = time("patience", self.patience)? {
            control.patience = patience;
        }
        if !control.has_limit() {
            return Err(culprit(
                "no limit for its thinking (one of tc, byoyomi, movetime, nodes, depth)".to_owned(),
            ));
        }
        if !(0.0..1.0).contains(&control.spread) {
            return Err(culprit(format!(
                "random={} is not between 0 and 1",
                control.spread
            )));
        }
        Ok(Player {
            name,
            spec,
            control,
            ponder: self.ponder.unwrap_or(false),
            restart: self.restart.unwrap_or(false),
        })
    }
}

fn duration(field: &str, seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| time.as_secs() < 10_000_000)
        .ok_or_else(|| format!("{field}={seconds} is no time in seconds"))
}

/// `60`, `10+0.1`, `5:00+3`.
fn parse_tc(text: &str) -> Result<(Option<Duration>, Duration), String> {
    let fail = || {
        format!(
            "tc '{text}' is no time control (expected SECONDS, MINUTES:SECONDS, either with +INCREMENT)"
        )
    };
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = match main.split_once(':') {
        None => main.parse::<f64>().map_err(|_| fail())?,
        Some((minutes, seconds)) => {
            let minutes: u32 = minutes.parse().map_err(|_| fail())?;
            f64::from(minutes) * 60.0 + seconds.parse::<f64>().map_err(|_| fail())?
        }
    };
    let increment = increment.parse::<f64>().map_err(|_| fail())?;
    Ok((Some(duration("tc", seconds)?), duration("tc", increment)?))
}

/// Splits at blanks; double quotes hold words together.
pub fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_with(String::new);
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
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
        options = { Threads = 2 }
    "#;

    #[test]
    fn flags_override_the_file() {
        let file: Config = toml::from_str(FILE).unwrap();
        let mut engine = EngineConfig::default();
        for text in [
            "name=old",
            "option.Threads=4",
            "margin=0.2",
            "args=a \"b c\"",
        ] {
            engine.set(text).unwrap();
        }
        let flags = Config {
            games: Some(10),
            engines: vec![engine],
            ..Config::default()
        };
        let setup = flags.over(file).build().unwrap();
        assert_eq!(
            (setup.games, setup.concurrency, setup.openings.shuffle),
            (10, 2, true)
        );
        assert_eq!(setup.sprt.unwrap().elo1, 10.0);
        let [new, old] = &setup.players[..] else {
            panic!("two engines")
        };
        assert_eq!(new.control.to_string(), "10+0.1");
        assert_eq!(old.control.to_string(), "nodes 5000");
        assert_eq!(old.control.margin, Duration::from_millis(200));
        assert_eq!(old.spec.arguments, ["a", "b c"]);
        let options = |player: &Player| player.spec.options.clone();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(options(new), [pair("Threads", "1"), pair("USI_Hash", "64")]);
        assert_eq!(options(old), [pair("Threads", "4"), pair("USI_Hash", "64")]);
    }

    #[test]
    fn nonsense_is_named() {
        for (text, message) in [
            ("games = 2", "two engines, 0 given"),
            (
                "[[engine]]\nname='a'\n[[engine]]\nname='b'",
                "engine a: no limit",
            ),
            ("[each]\ntc='x'\n[[engine]]\n[[engine]]", "tc 'x'"),
            ("[each]\nbyoyomi=-1\n[[engine]]\n[[engine]]", "byoyomi=-1"),
            (
                "rules='chess'\n[each]\nnodes=1\n[[engine]]\n[[engine]]",
                "rules 'chess'",
            ),
            ("rules='solo'\n[each]\nnodes=1\n[[engine]]", "token source"),
            (
                "resume=true\n[each]\nnodes=1\n[[engine]]\n[[engine]]",
                "state file",
            ),
            (
                "[sprt]\nalpha=2\n[each]\nnodes=1\n[[engine]]\n[[engine]]",
                "alpha=2",
            ),
            (
                "[sprt]\n[each]\nnodes=1\n[[engine]]\n[[engine]]\n[[engine]]",
                "two engines, not 3",
            ),
            (
                "declaration='x'\n[each]\nnodes=1\n[[engine]]\n[[engine]]",
                "'x' is not a declaration rule",
            ),
        ] {
            let config: Config = toml::from_str(text).unwrap();
            let error = config.build().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(toml::from_str::<Config>("gamess = 3").is_err());
        let mut engine = EngineConfig::default();
        for text in ["nodes=x", "nonsense=1", "ponder=maybe", "x"] {
            assert!(
                engine.set(text).unwrap_err().to_string().contains(text),
                "{text}"
            );
        }
    }

    #[test]
    fn time_controls_and_names() {
        let ms = Duration::from_millis;
        assert_eq!(parse_tc("5:30+3"), Ok((Some(ms(330_000)), ms(3000))));
        assert_eq!(parse_tc("0.5"), Ok((Some(ms(500)), ms(0))));
        assert!(parse_tc("-5").is_err() && parse_tc("5+").is_err() && parse_tc("inf").is_err());
        let config: Config =
            toml::from_str("[each]\nnodes=1\npath='/x/engine'\n[[engine]]\n[[engine]]\n[[engine]]")
                .unwrap();
        let setup = config.build().unwrap();
        let names: Vec<_> = setup
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        assert_eq!(names, ["engine", "engine 2", "engine 3"]);
    }
}
