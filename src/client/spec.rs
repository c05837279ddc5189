//! How an engine is started.

use std::io;
use std::path::{Path, PathBuf};
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

    /// A program with its arguments, as one writes it at a prompt: `ssh host hagane`. What is a file is a program
    /// without arguments, whatever blanks its name has.
    pub fn of_command(command: &str) -> Self {
        let mut words = if Path::new(command).exists() { Vec::new() } else { split_words(command) };
        if words.len() < 2 {
            return Self::new(words.pop().unwrap_or_else(|| command.to_owned()));
        }
        let mut spec = Self::new(words.remove(0));
        spec.arguments = words;
        spec
    }

    /// The same engine, started by the shell at the other end of a command: `ssh host`. Paths are those of the other
    /// machine, where this executable is `hagane`.
    pub fn through(&self, command: &[String]) -> Self {
        let mut words = command.to_vec();
        if let Some(directory) = &self.directory {
            words.extend(["cd".to_owned(), shell_word(&directory.to_string_lossy()), "&&".to_owned()]);
        }
        if !self.environment.is_empty() {
            words.push("env".to_owned());
            words.extend(self.environment.iter().map(|(key, value)| shell_word(&format!("{key}={value}"))));
        }
        let own = Self::this_executable().is_ok_and(|own| own.path == self.path);
        words.push(if own { "hagane".to_owned() } else { shell_word(&self.path.to_string_lossy()) });
        words.extend(self.arguments.iter().map(|word| shell_word(word)));
        let mut spec = self.clone();
        spec.path = words.remove(0).into();
        spec.arguments = words;
        spec.directory = None;
        spec.environment.clear();
        spec
    }

    /// The program with its arguments, for messages.
    pub fn command(&self) -> String {
        let words = std::iter::once(self.path.display().to_string()).chain(self.arguments.iter().cloned());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Adds an option.
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Adds an option that is set only if the engine offers it.
    pub fn with_preference(mut self, name: &str, value: impl Into<String>) -> Self {
        self.prefer(name, value);
        self
    }

    /// Adds an option that is set only if the engine offers it.
    pub fn prefer(&mut self, name: &str, value: impl Into<String>) {
        self.preferences.push((name.to_owned(), value.into()));
    }
}

/// Splits at whitespace; double quotes keep words together.
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

/// A word as shells take it: in double quotes where it needs any, which Windows' shells understand too.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let escaped = word.chars().fold(String::new(), |mut text, c| {
        if matches!(c, '"' | '$' | '`') {
            text.push('\\');
        }
        text.push(c);
        text
    });
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_elsewhere_is_a_line_for_the_shell_there() {
        let mut spec = EngineSpec::new("/opt/my engine").with_option("Threads", "1");
        spec.arguments = ["-x".to_owned(), "$HOME \"y\"".to_owned(), String::new()].into();
        spec.directory = Some("C:\\engines".into());
        spec.environment.push(("A".to_owned(), "b c".to_owned()));
        let there = spec.through(&["ssh".to_owned(), "big".to_owned()]);
        assert_eq!(
            there.command(),
            "ssh big cd \"C:\\engines\" && env \"A=b c\" \"/opt/my engine\" -x \"\\$HOME \\\"y\\\"\" \"\""
        );
        assert_eq!((there.options, there.directory), (spec.options, None));
        let own = EngineSpec::this_executable().unwrap().through(&["ssh".to_owned(), "big".to_owned()]);
        assert_eq!(own.command(), "ssh big hagane");
    }

    #[test]
    fn commands_are_split_unless_they_are_files() {
        let spec = EngineSpec::of_command("ssh host \"C:\\my engines\\hagane.exe\"");
        assert_eq!((spec.path.to_str(), spec.arguments.len()), (Some("ssh"), 2));
        assert_eq!(spec.arguments[1], "C:\\my engines\\hagane.exe");
        assert_eq!(EngineSpec::of_command("engine").path.to_str(), Some("engine"));
        assert_eq!(EngineSpec::of_command("\"an engine\"").path.to_str(), Some("an engine"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("an engine");
        std::fs::write(&file, "").unwrap();
        let spec = EngineSpec::of_command(file.to_str().unwrap());
        assert_eq!((spec.path.as_path(), spec.arguments.len()), (file.as_path(), 0));
    }
}
