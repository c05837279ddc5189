//! The configuration of one engine.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::error::ConfigError;
use super::layer::layer;
use crate::arena::setup::MatchPlayer;
use crate::arena::time_control::TimeControl;
use crate::client::{EngineSpec, split_words};

/// A value written as text, number or boolean.
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

/// The settings of one engine, or of all (`[each]`). Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct EngineConfig {
    /// The name in this match; by default the program's file name.
    pub name: Option<String>,
    /// The program; by default this one.
    pub path: Option<PathBuf>,
    /// Its arguments.
    pub args: Option<Vec<String>>,
    /// Its working directory.
    pub dir: Option<PathBuf>,
    /// Environment variables.
    pub env: BTreeMap<String, Scalar>,
    /// USI options; `option` as in the keys of flags, and `options` too.
    #[serde(alias = "option")]
    pub options: BTreeMap<String, Scalar>,
    /// Game time, optionally with an increment a move: `60`, `10+0.1`, `5:00+3`.
    pub tc: Option<Scalar>,
    /// Time a move after the game time (byoyomi).
    pub byoyomi: Option<f64>,
    /// Time a move.
    pub movetime: Option<f64>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth.
    pub depth: Option<u32>,
    /// Random spread of the limits of single moves, as a share of them: 0.2 is ±20 %.
    pub random: Option<f64>,
    /// Tolerance for late answers (0.05).
    pub margin: Option<f64>,
    /// How long to wait for an answer if there is no time limit (60).
    pub patience: Option<f64>,
    /// Ponder: think in the opponent's time.
    pub ponder: Option<bool>,
    /// Restart the engine for every game.
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

impl EngineConfig {
    /// Fills unset values from `under`. If this one has any search limit, none of the other's apply.
    pub(super) fn over(&self, under: &Self) -> Self {
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
            merged.env.entry(key.clone()).or_insert_with(|| value.clone());
        }
        for (key, value) in &under.options {
            merged.options.entry(key.clone()).or_insert_with(|| value.clone());
        }
        merged
    }

    /// Sets one key from the text of a flag: `path=engine`, `option.Threads=1`, `env.KEY=x`, `tc=10+0.1`.
    ///
    /// # Errors
    /// The key is unknown or its value is of the wrong kind.
    pub fn set(&mut self, text: &str) -> Result<(), ConfigError> {
        let fail = |reason: String| ConfigError::Value(format!("'{text}': {reason}"));
        let (key, value) =
            text.split_once('=').ok_or_else(|| fail("expected key=value, such as name=A or nodes=1000".to_owned()))?;
        let scalar = || Scalar::Text(value.to_owned());
        if let Some(option) = key.strip_prefix("option.") {
            self.options.insert(option.to_owned(), scalar());
            return Ok(());
        }
        if let Some(variable) = key.strip_prefix("env.") {
            self.env.insert(variable.to_owned(), scalar());
            return Ok(());
        }
        let number = || value.parse::<f64>().map_err(|_| fail(format!("'{value}' is no number")));
        let whole = || value.parse::<u64>().map_err(|_| fail(format!("'{value}' is no whole number")));
        let truth = || match value {
            "true" | "on" | "yes" => Ok(true),
            "false" | "off" | "no" => Ok(false),
            _ => Err(fail(format!("'{value}' is neither true nor false"))),
        };
        match key {
            "name" => {
                // A whole engine in quotes would be a name, and the program would play itself.
                if value.split_whitespace().any(|word| Self::default().set(word).is_ok()) {
                    return Err(fail(
                        "a name with keys in it; give each key as a word of its own, not in quotes".to_owned(),
                    ));
                }
                self.name = Some(value.to_owned());
            }
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

    pub(super) fn player(&self) -> Result<MatchPlayer, ConfigError> {
        let mut spec = match &self.path {
            Some(path) => EngineSpec::new(path),
            None => EngineSpec::this_executable()
                .map_err(|error| ConfigError::Value(format!("where this program is: {error}")))?,
        };
        let name = self.name.clone().unwrap_or_else(|| {
            spec.path.file_stem().map_or("engine".into(), |stem| stem.to_string_lossy().into_owned())
        });
        let culprit = |error: String| ConfigError::Value(format!("engine {name}: {error}"));
        let time = |field: &str, value: Option<f64>| {
            value.map(|seconds| duration(field, seconds).map_err(culprit)).transpose()
        };
        spec.arguments = self.args.clone().unwrap_or_default();
        spec.directory = self.dir.clone();
        // A relative path is relative to this process's directory, not to the engine's.
        if spec.directory.is_some() && spec.path.components().count() > 1 && spec.path.is_relative() {
            spec.path = std::path::absolute(&spec.path).unwrap_or(spec.path);
        }
        let pairs =
            |map: &BTreeMap<String, Scalar>| map.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
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
            return Err(culprit("no limit for its thinking (one of tc, byoyomi, movetime, nodes, depth)".to_owned()));
        }
        for (field, nothing) in [
            ("movetime", control.movetime == Some(Duration::ZERO)),
            ("nodes", control.nodes == Some(0)),
            ("depth", control.depth == Some(0)),
        ] {
            if nothing {
                return Err(culprit(format!("{field}=0 leaves nothing to think with")));
            }
        }
        if !(0.0..1.0).contains(&control.spread) {
            return Err(culprit(format!("random={} is not between 0 and 1", control.spread)));
        }
        Ok(MatchPlayer {
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
    let fail = || format!("tc '{text}' is no time control (expected SECONDS, MINUTES:SECONDS, either with +INCREMENT)");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let ms = Duration::from_millis;
        assert_eq!(parse_tc("5:30+3"), Ok((Some(ms(330_000)), ms(3000))));
        assert_eq!(parse_tc("0.5"), Ok((Some(ms(500)), ms(0))));
        assert!(parse_tc("-5").is_err() && parse_tc("5+").is_err() && parse_tc("inf").is_err());
    }
}
