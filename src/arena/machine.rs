//! The machines that games are played on.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::client::{EngineSpec, split_words};
use crate::platform::child::ChildTree;

use super::result::{FaultKind, GameResult, Reason};

/// How long a machine may take to answer; a connection over a telephone line takes some seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// A machine; both engines of a game run on the same one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Machine {
    /// This one.
    #[default]
    Here,
    /// Another one, by the words of a command that hands what follows them to its shell: `ssh host`.
    Remote(Vec<String>),
}

impl Machine {
    /// Reads `here` or a command.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "" => None,
            "here" => Some(Self::Here),
            command => Some(Self::Remote(split_words(command))),
        }
    }

    /// How an engine is started there.
    pub(super) fn spec(&self, spec: &EngineSpec) -> EngineSpec {
        match self {
            Self::Here => spec.clone(),
            Self::Remote(words) => spec.through(words),
        }
    }

    /// Why a game that was played there does not count, as the machine failed in it and not an engine: an engine
    /// that has never `started` there, or a fault after which the machine does not answer.
    pub(super) fn failure(&self, result: &GameResult, started: bool) -> Option<String> {
        let Self::Remote(words) = self else {
            return None;
        };
        if result.reason == Reason::NoStart && !started {
            return Some(format!("{}: an engine does not start there: {}", words.join(" "), result.detail));
        }
        let doubtful = |fault: &super::EngineFault| {
            use FaultKind as F;
            matches!(fault.kind, F::CannotStart | F::NoUsiok | F::NoReadyok | F::Crash | F::Hang | F::Deaf)
        };
        result.faults.iter().any(doubtful).then(|| self.no_answer()).flatten()
    }

    /// Asks the machine for a word that every shell can say; why it does not come.
    pub(super) fn no_answer(&self) -> Option<String> {
        let Self::Remote(words) = self else {
            return None;
        };
        let fail = |why: String| Some(format!("{}: {why}", words.join(" ")));
        let mut command = Command::new(&words[0]);
        // What ssh says of its own goes to the user.
        command.args(&words[1..]).args(["echo", "hagane"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = match ChildTree::spawn(command) {
            Ok(child) => child,
            Err(error) => return fail(error.to_string()),
        };
        let ended = child.ends_within(PATIENCE);
        let status = child.kill();
        let mut said = String::new();
        let heard =
            child.take_stdout().is_some_and(|mut pipe| std::io::Read::read_to_string(&mut pipe, &mut said).is_ok());
        match status {
            _ if !ended => fail(format!("no answer within {PATIENCE:?}")),
            Ok(_) if heard && said.contains("hagane") => None,
            Ok(status) => fail(format!("no answer ({status})")),
            Err(error) => fail(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_read() {
        assert_eq!(Machine::parse(" here "), Some(Machine::Here));
        assert_eq!(Machine::parse("ssh \"a b\""), Some(Machine::Remote(vec!["ssh".into(), "a b".into()])));
        assert_eq!(Machine::parse(" "), None);
    }
}
