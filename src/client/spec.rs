//! How an engine is started.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A program that speaks USI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program: a path, or a name looked up in `PATH`.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory; `None` for that of this process.
    pub directory: Option<PathBuf>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// USI options, sent after `usiok` in this order.
    pub options: Vec<(String, String)>,
    /// Options that are set before the others, only if the engine offers them.
    pub preferences: Vec<(String, String)>,
    /// Time limits.
    pub timeouts: Timeouts,
}

/// How long a client waits for its engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From `usi` (or the last line after it) to `usiok`: 10 s.
    pub usi: Duration,
    /// From `isready` (or the last line after it) to `readyok`: 60 s.
    pub ready: Duration,
    /// From `stop` to `bestmove`: 2 s.
    pub stop: Duration,
    /// From `quit` to the end of the process: 2 s.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            usi: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(2),
        }
    }
}

impl EngineSpec {
    /// A program without arguments and options.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            options: Vec::new(),
            preferences: Vec::new(),
            timeouts: Timeouts::default(),
        }
    }

    /// This executable, which speaks USI when run without arguments.
    ///
    /// # Errors
    /// The path of the executable is not known.
    pub fn this_executable() -> io::Result<Self> {
        Ok(Self::new(std::env::current_exe()?))
    }

    /// Adds an option.
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Adds an option that is set only if the engine offers it.
    pub fn with_preference(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.preferences.push((name.into(), value.into()));
        self
    }
}
