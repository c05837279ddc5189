//! One client an account: a second login throws the first one out.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::account::Account;
use super::event::GameReport;
use crate::platform::files::AppendFile;

/// No game is on for longer.
const LONGEST_GAME: Duration = Duration::from_secs(86_400);

/// Held as long as a client runs. Its file remembers the game that is on, for the client after one that was killed: the
/// game's id, and from its start on a report after each move.
#[derive(Debug)]
pub(super) struct AccountLock {
    file: AppendFile,
    /// Since when the client before this one was in the game that it did not see the end of.
    left_behind: Option<SystemTime>,
    /// The report of that game up to its last move.
    unfinished: Option<GameReport>,
}

impl AccountLock {
    /// Takes the lock; `None` where another process has it.
    pub(super) fn take(account: &Account, folder: &Path) -> io::Result<Option<Self>> {
        std::fs::create_dir_all(folder)?;
        let name = format!("floodgate-{}@{}-{}.lock", account.name, account.host.to_ascii_lowercase(), account.port);
        let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"_@.-".contains(c), "_");
        let path = folder.join(name);
        let Some(mut file) = AppendFile::open_exclusive(&path)? else {
            return Ok(None);
        };
        let earlier = std::fs::metadata(&path)?;
        let left_behind = if earlier.len() > 0 { Some(earlier.modified()?) } else { None };
        // A kill may leave the beginning of a report at the end.
        let text = String::from_utf8_lossy(&file.read()?).into_owned();
        let unfinished = text.lines().rev().find_map(|line| serde_json::from_str(line).ok());
        Ok(Some(Self { file, left_behind, unfinished }))
    }

    /// The report of the game that the client before this one was ended in, if it had begun.
    pub(super) fn take_unfinished(&mut self) -> Option<GameReport> {
        self.unfinished.take()
    }

    /// Whether the client before this one was ended in a game that may still run on the server.
    pub(super) fn was_in_game(&self) -> bool {
        // A clock that was set back tells nothing.
        self.left_behind.is_some_and(|since| since.elapsed().is_ok_and(|time| time < LONGEST_GAME))
    }

    /// Remembers a game, or that there is none.
    pub(super) fn set_game(&mut self, game: Option<&str>) {
        // Without it only the first refusal after a kill is taken for a wrong password.
        let _ = self.file.cut(0);
        if let Some(game) = game {
            let _ = self.file.append(format!("{game}\n").as_bytes());
        }
    }

    /// Remembers a game as it stands.
    pub(super) fn remember(&mut self, report: &GameReport) {
        // Without it a kill costs the line of the game in the journal.
        let _ = serde_json::to_string(report).map(|line| self.file.append(format!("{line}\n").as_bytes()));
    }
}

/// Where programs keep what they remember of the last run.
pub(super) fn state_folder() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))
    };
    base.unwrap_or_else(std::env::temp_dir).join("hagane")
}
