//! The configuration: a TOML file, the environment and flags, each over the one before.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::account::{Account, AccountError, Mode};
use super::account_lock::state_folder;
use super::game_record::RecordSettings;
use super::patience::Patience;
use super::retry::RetryPolicy;
use super::seat::EngineSettings;
use super::session::Settings;
use crate::client::EngineSpec;
use crate::record::{FileFormat, UnknownFileFormat};
use crate::types::Color;

/// Floodgate's server.
const HOST: &str = "wdoor.c.u-tokyo.ac.jp";
const PORT: u16 = 4081;
/// The games that are played there.
const GAME: &str = "floodgate-300-10F";
/// Servers ask for no more than two keep-alives a minute.
const LEAST_KEEPALIVE: f64 = 30.0;
/// A refused login costs the games of everybody on the server three seconds.
const LEAST_PAUSE: f64 = 5.0;

/// A value of an engine option, however it is written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true`
    Truth(bool),
    /// `64`
    Integer(i64),
    /// `0.5`
    Number(f64),
    /// `"text"`
    Text(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Truth(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// The table `[engine]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct EngineConfig {
    /// The program; by default this one.
    pub path: Option<PathBuf>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: Option<PathBuf>,
    /// USI options.
    #[serde(alias = "options")]
    pub option: BTreeMap<String, OptionValue>,
}

/// The table `[retry]`, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RetryConfig {
    /// The first pause.
    pub first: Option<f64>,
    /// The longest pause.
    pub most: Option<f64>,
    /// The pause after a refused login.
    pub refused: Option<f64>,
}

/// What a user may say. Nothing need be said but name and password.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FloodgateConfig {
    /// The server.
    pub host: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// The player's name.
    pub name: Option<String>,
    /// The password (Floodgate: the trip).
    pub password: Option<String>,
    /// A file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// The game; empty to send the password as it is.
    pub game: Option<String>,
    /// `csa` or `x1`
    pub mode: Option<String>,
    /// `black` or `white`, in mode x1.
    #[serde(alias = "color")]
    pub colour: Option<String>,
    /// The engine.
    pub engine: EngineConfig,
    /// What a move may lose on its way, in milliseconds.
    pub margin: Option<u64>,
    /// Think in the opponent's time.
    pub ponder: Option<bool>,
    /// Ponder before the server has shown the own move.
    pub early_ponder: Option<bool>,
    /// Send clocks with `ponderhit`.
    pub ponderhit_clocks: Option<bool>,
    /// Send evaluation and line with moves.
    pub comments: Option<bool>,
    /// Games to play, 0 without end.
    pub games: Option<u64>,
    /// Seconds between keep-alives.
    pub keepalive: Option<f64>,
    /// Pauses.
    pub retry: RetryConfig,
    /// Start the engine again for every game.
    pub restart_engine: Option<bool>,
    /// The folder of records; empty for none.
    pub records: Option<PathBuf>,
    /// Their format.
    pub record_format: Option<String>,
    /// Their names.
    pub record_name: Option<String>,
    /// The log of all lines.
    pub log: Option<PathBuf>,
    /// A command that is told of events.
    pub on_event: Option<String>,
}

/// What is wrong with a configuration, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The account.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The password file cannot be read.
    #[error("the password file {0}: {1}")]
    PasswordFile(String, std::io::Error),
    /// Not a format of records.
    #[error(transparent)]
    Format(#[from] UnknownFileFormat),
    /// A value that means nothing.
    #[error("{0}")]
    Value(String),
}

impl FloodgateConfig {
    /// The values of this one, and of `under` where this one has none.
    pub fn over(self, under: Self) -> Self {
        // A password of either kind hides both kinds below it.
        let has_password = self.password.is_some() || self.password_file.is_some();
        let (password, password_file) =
            if has_password { (self.password, self.password_file) } else { (under.password, under.password_file) };
        let mut option = under.engine.option;
        option.extend(self.engine.option);
        let own_engine = self.engine.path.is_some();
        Self {
            host: self.host.or(under.host),
            port: self.port.or(under.port),
            name: self.name.or(under.name),
            password,
            password_file,
            game: self.game.or(under.game),
            mode: self.mode.or(under.mode),
            colour: self.colour.or(under.colour),
            engine: EngineConfig {
                path: self.engine.path.or(under.engine.path),
                // The arguments belong to the program.
                args: if own_engine || !self.engine.args.is_empty() { self.engine.args } else { under.engine.args },
                dir: if own_engine { self.engine.dir } else { self.engine.dir.or(under.engine.dir) },
                option,
            },
            margin: self.margin.or(under.margin),
            ponder: self.ponder.or(under.ponder),
            early_ponder: self.early_ponder.or(under.early_ponder),
            ponderhit_clocks: self.ponderhit_clocks.or(under.ponderhit_clocks),
            comments: self.comments.or(under.comments),
            games: self.games.or(under.games),
            keepalive: self.keepalive.or(under.keepalive),
            retry: RetryConfig {
                first: self.retry.first.or(under.retry.first),
                most: self.retry.most.or(under.retry.most),
                refused: self.retry.refused.or(under.retry.refused),
            },
            restart_engine: self.restart_engine.or(under.restart_engine),
            records: self.records.or(under.records),
            record_format: self.record_format.or(under.record_format),
            record_name: self.record_name.or(under.record_name),
            log: self.log.or(under.log),
            on_event: self.on_event.or(under.on_event),
        }
    }

    /// The values of the environment: `CSA_HOST`, `CSA_PORT`, `CSA_ID`, `CSA_PASSWORD`.
    ///
    /// # Errors
    /// A port that is none.
    pub fn of_environment() -> Result<Self, ConfigError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let port = match variable("CSA_PORT") {
            None => None,
            Some(text) => {
                Some(text.parse().map_err(|_| ConfigError::Value(format!("CSA_PORT is '{text}', which is no port")))?)
            }
        };
        Ok(Self {
            host: variable("CSA_HOST"),
            port,
            name: variable("CSA_ID"),
            password: variable("CSA_PASSWORD"),
            ..Self::default()
        })
    }

    /// The account alone.
    ///
    /// # Errors
    /// What a server would refuse or misunderstand.
    pub fn account(&self) -> Result<Account, ConfigError> {
        let mode = match self.mode.as_deref() {
            None | Some("csa") => Mode::Csa,
            Some("x1") => Mode::X1,
            Some(other) => return Err(ConfigError::Value(format!("the mode '{other}' is neither csa nor x1"))),
        };
        let color = match self.colour.as_deref() {
            None => None,
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            Some(other) => return Err(ConfigError::Value(format!("the colour '{other}' is neither black nor white"))),
        };
        let server = (self.host.as_deref().unwrap_or(HOST), self.port.unwrap_or(PORT));
        let game = self.game.as_deref().unwrap_or(GAME);
        Ok(Account::new(server, self.name.as_deref().unwrap_or(""), &self.secret()?, game, mode, color)?)
    }

    fn secret(&self) -> Result<String, ConfigError> {
        let Some(path) = &self.password_file else {
            return Ok(self.password.clone().unwrap_or_default());
        };
        let text = read_text(path).map_err(|error| ConfigError::PasswordFile(path.display().to_string(), error))?;
        Ok(text.lines().next().unwrap_or("").trim().to_owned())
    }

    /// Everything, checked.
    ///
    /// # Errors
    /// The first value that cannot be used.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let account = self.account()?;
        let mut spec = match &self.engine.path {
            Some(path) => EngineSpec::new(path),
            None => EngineSpec::this_executable()
                .map_err(|error| ConfigError::Value(format!("where this program is: {error}")))?,
        };
        spec.arguments = self.engine.args.clone();
        spec.directory = self.engine.dir.clone();
        // A relative path is relative to this process's directory, not to the engine's.
        if spec.directory.is_some() && spec.path.components().count() > 1 && spec.path.is_relative() {
            spec.path = std::path::absolute(&spec.path).unwrap_or(spec.path);
        }
        spec.options = self.engine.option.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        // The game begins 120 s after the summary at the latest, ready or not.
        spec.timeouts.ready = Duration::from_secs(100);
        // Starting an engine again takes longer than waiting for one that the machine keeps from running.
        spec.timeouts.stop = Duration::from_secs(5);
        let least = |least: f64| if account.is_local() { 0.001 } else { least };
        let time = |key: &str, value: Option<f64>, default: f64, least: f64| {
            let seconds = value.unwrap_or(default);
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| seconds >= least && time.as_secs() <= 86_400)
                .ok_or_else(|| ConfigError::Value(format!("{key} is {seconds}, not a time from {least} s to a day")))
        };
        let keepalive = time("keepalive", self.keepalive, 40.0, least(LEAST_KEEPALIVE))?;
        let first = time("retry first", self.retry.first, 10.0, least(LEAST_PAUSE))?;
        let most = time("retry most", self.retry.most, 900.0, least(LEAST_PAUSE))?.max(first);
        let refused = time("retry refused", self.retry.refused, 300.0, least(60.0))?;
        let margin = self.margin.unwrap_or(1120);
        if margin > 10_000 {
            return Err(ConfigError::Value(format!("the margin is {margin} ms, more than 10000")));
        }
        let defaults = RecordSettings::default();
        Ok(Settings {
            account,
            engine: EngineSettings {
                spec,
                margin: Duration::from_millis(margin),
                ponder: self.ponder.unwrap_or(true),
                early_ponder: self.early_ponder.unwrap_or(true),
                ponderhit_clocks: self.ponderhit_clocks,
                restart: self.restart_engine.unwrap_or(false),
            },
            comments: self.comments.unwrap_or(true),
            games: self.games.unwrap_or(0),
            keepalive,
            retry: RetryPolicy { first, most, refused },
            patience: Patience::default(),
            records: RecordSettings {
                folder: match &self.records {
                    None => defaults.folder,
                    Some(folder) => Some(folder.clone()).filter(|folder| !folder.as_os_str().is_empty()),
                },
                format: self.record_format.as_deref().map_or(Ok(FileFormat::Csa), str::parse)?,
                name: self.record_name.clone().unwrap_or(defaults.name),
            },
            log: self.log.clone(),
            on_event: self.on_event.clone().filter(|command| !command.trim().is_empty()),
            state: state_folder(),
        })
    }
}

/// The text of a file in UTF-8, or in UTF-16 with its mark: what `echo` writes in the PowerShell of Windows.
///
/// # Errors
/// Those of the file system; a text in another encoding.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
    match encoding_rs::UTF_8.decode(&bytes) {
        (text, _, false) => Ok(text.into_owned()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> FloodgateConfig {
        toml::from_str(text).expect("good TOML")
    }

    #[test]
    fn name_and_password_are_enough() {
        let settings = config("name = 'me'\npassword = 'trip'").settings().unwrap();
        assert_eq!(settings.account.to_string(), "me@wdoor.c.u-tokyo.ac.jp:4081");
        assert_eq!(settings.account.login()[0], "LOGIN me floodgate-300-10F,trip");
        assert_eq!((settings.keepalive.as_secs(), settings.games), (40, 0));
        assert!(settings.engine.ponder && settings.engine.early_ponder && settings.comments);
        assert_eq!(settings.engine.margin.as_millis(), 1120);
    }

    #[test]
    fn flags_stand_over_the_file() {
        let file = "name = 'me'\npassword = 'file'\nhost = 'a'\nretry = { first = 20 }\n[engine]\npath = 'x'\nargs = ['y']\n\
                    option = { Threads = 2, USI_Hash = 64 }";
        let flags =
            config("host = 'b'\npassword-file = 'none'\nretry = { most = 50 }\n[engine]\noption = { Threads = '4' }");
        let merged = flags.over(config(file));
        assert_eq!((merged.host.as_deref(), merged.password.as_deref()), (Some("b"), None));
        assert_eq!((merged.retry.first, merged.retry.most), (Some(20.0), Some(50.0)));
        assert_eq!(merged.engine.args, ["y"]);
        let options: Vec<_> = merged.engine.option.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Threads=4", "USI_Hash=64"]);
        let other = config("[engine]\npath = 'z'").over(config(file));
        assert_eq!((other.engine.path, other.engine.args.len()), (Some("z".into()), 0));
    }

    #[test]
    fn what_means_nothing_is_named() {
        for (text, culprit) in [
            ("keepalive = 10", "keepalive is 10"),
            ("retry = { first = -1 }", "retry first is -1"),
            ("retry = { refused = 1 }", "retry refused is 1"),
            ("mode = 'x2'", "'x2'"),
            ("colour = 'red'", "'red'"),
            ("record-format = 'pdf'", "'pdf'"),
            ("margin = 20000", "20000"),
            ("password-file = '/no/such/file'", "/no/such/file"),
            ("game = 'floodgate-300-10F-W'", "floodgate-300-10F-W"),
        ] {
            let password = if text.starts_with("password") { "" } else { "password = 'trip'\n" };
            let error = config(&format!("name = 'me'\n{password}{text}")).settings().expect_err(text);
            assert!(error.to_string().contains(culprit), "{text}: {error}");
        }
        assert!(toml::from_str::<FloodgateConfig>("nmae = 'me'").is_err());
        // On one's own machine anything goes.
        let local =
            "name = 'me'\npassword = 'p'\nhost = '127.0.0.1'\nkeepalive = 0.5\nretry = { first = 0.1, refused = 1 }";
        assert!(config(local).settings().is_ok());
    }
}
