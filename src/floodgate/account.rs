//! Whom a client logs in as, and for which games: what a server would misunderstand is refused before any connection.

use std::fmt;

use crate::types::Color;

/// The longest name of a player.
const LONGEST_NAME: usize = 32;

/// The form of the login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// The CSA protocol: one game a login.
    #[default]
    Csa,
    /// The extended mode of shogi-server: asks for each game, and the connection stays.
    X1,
}

/// An account on a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The player's name.
    pub name: String,
    /// The password, which is Floodgate's trip.
    password: String,
    /// The game to play (`floodgate-300-10F`); `None` where the password is sent as it is.
    pub game: Option<String>,
    /// The form of the login.
    pub mode: Mode,
    /// The colour to ask for in the extended mode.
    pub color: Option<Color>,
}

/// Never with the password.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `name@host:port`
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}:{}", self.name, self.host, self.port)
    }
}

/// Why an account cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// Nothing to log in as.
    #[error("no name is given (--name, or name = in the configuration)")]
    NoName,
    /// A name that servers refuse.
    #[error("the name '{0}' is no player's name: letters, digits and _ @ . - only, 32 at most")]
    Name(String),
    /// A game name that the server would take for another one.
    #[error(
        "the game '{0}' is no name of a game (expected NAME-SECONDS-BYOYOMI or NAME-SECONDS-INCREMENTF, such as \
         floodgate-300-10F)"
    )]
    Game(String),
    /// A Floodgate game of a form that is never paired.
    #[error("the game '{0}' is never paired: Floodgate's are named like floodgate-300-10F, without a colour")]
    FloodgateGame(String),
    /// No password where there must be one.
    #[error("no password is given: on Floodgate a player without one (the trip, any word of your own) is never paired")]
    NoTrip,
    /// No password at all.
    #[error("no password is given (--password-file, CSA_PASSWORD, or password = in the configuration)")]
    NoPassword,
    /// A password that would end the line early.
    #[error("the password has a blank or a control character in it, which ends it for the server")]
    Password,
    /// A colour where there is no place for it.
    #[error("a colour can be asked for in mode x1 only, and never for Floodgate's games")]
    Color,
    /// The extended mode needs to know what to ask for.
    #[error("mode x1 needs the name of a game")]
    NoGame,
    /// No host.
    #[error("the host '{0}' is no name of a server")]
    Host(String),
}

impl Account {
    /// Checks an account; `game` empty means that the password is sent as it is.
    ///
    /// # Errors
    /// What a server would refuse, or silently take for something else.
    pub fn new(
        server: (&str, u16),
        name: &str,
        password: &str,
        game: &str,
        mode: Mode,
        color: Option<Color>,
    ) -> Result<Self, AccountError> {
        let (host, port) = server;
        if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(AccountError::Host(host.to_owned()));
        }
        if name.is_empty() {
            return Err(AccountError::NoName);
        }
        if name.len() > LONGEST_NAME || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@.-".contains(&b)) {
            return Err(AccountError::Name(name.to_owned()));
        }
        let game = (!game.is_empty()).then(|| game.to_owned());
        if password.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(AccountError::Password);
        }
        let floodgate = game.as_deref().is_some_and(|game| game.to_ascii_lowercase().starts_with("floodgate-"));
        if let Some(game) = &game {
            check_game(game)?;
        } else if mode == Mode::X1 {
            return Err(AccountError::NoGame);
        }
        if password.is_empty() {
            return Err(if floodgate { AccountError::NoTrip } else { AccountError::NoPassword });
        }
        if color.is_some() && (mode == Mode::Csa || floodgate) {
            return Err(AccountError::Color);
        }
        Ok(Self {
            host: host.to_owned(),
            port,
            name: name.to_owned(),
            password: password.to_owned(),
            game,
            mode,
            color,
        })
    }

    /// The line that logs in, and the same for logs, without the password.
    pub fn login(&self) -> [String; 2] {
        [self.password.as_str(), "*****"].map(|password| match (self.mode, &self.game) {
            (Mode::X1, _) => format!("LOGIN {} {password} x1", self.name),
            (Mode::Csa, Some(game)) => format!("LOGIN {} {game},{password}", self.name),
            (Mode::Csa, None) => format!("LOGIN {} {password}", self.name),
        })
    }

    /// The same account under a name that no game is played with, for questions: a second login of a player throws the
    /// first one out.
    pub fn inquirer(&self) -> Self {
        let mut name = self.name.clone();
        name.truncate(LONGEST_NAME - 2);
        Self { name: name + "_q", mode: Mode::X1, ..self.clone() }
    }

    /// The line that asks for a game in the extended mode.
    pub fn ask_for_game(&self) -> Option<String> {
        let color = match self.color {
            Some(Color::Black) => '+',
            Some(Color::White) => '-',
            None => '*',
        };
        let game = self.game.as_deref().filter(|_| self.mode == Mode::X1)?;
        Some(format!("%%GAME {game} {color}"))
    }

    /// Whether a game of that name is what was asked for.
    pub fn wants(&self, game: &str) -> bool {
        let Some(wanted) = &self.game else {
            return true;
        };
        // A server that names its games otherwise cannot be judged.
        game.is_empty() || game == without_color(wanted) || game == wanted
    }

    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }
}

fn without_color(game: &str) -> &str {
    game.strip_suffix("-B").or_else(|| game.strip_suffix("-W")).unwrap_or(game)
}

/// `NAME-SECONDS-BYOYOMI`, with `F` for an increment; on other games than Floodgate's `-B` or `-W` may follow.
fn check_game(game: &str) -> Result<(), AccountError> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_game = |game: &str| {
        let mut parts = game.rsplitn(3, '-');
        let (last, total, name) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let safe = name.bytes().all(|b| b.is_ascii_graphic() && b != b',');
        digits(last.strip_suffix('F').unwrap_or(last)) && digits(total) && !name.is_empty() && safe
    };
    if game.to_ascii_lowercase().starts_with("floodgate") {
        let named = |name: &str| name.strip_prefix("floodgate-").is_some_and(|times| times.matches('-').count() == 1);
        return if is_game(game) && named(game) { Ok(()) } else { Err(AccountError::FloodgateGame(game.to_owned())) };
    }
    if is_game(without_color(game)) { Ok(()) } else { Err(AccountError::Game(game.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str, password: &str, game: &str) -> Result<Account, AccountError> {
        Account::new(("127.0.0.1", 4081), name, password, game, Mode::Csa, None)
    }

    #[test]
    fn names_and_games_are_checked_before_any_connection() {
        for (name, password, game) in [
            ("me", "trip", "floodgate-300-10F"),
            ("a@b.c-d_e", "trip,with,commas", "floodgate-900-0"),
            ("me", "trip", "test-5-1F"),
            ("me", "trip", "test-5-1F-B"),
            ("me", "trip", "buoy_a-b-1500-0"),
            ("me", "whole,password", ""),
            (&"x".repeat(32), "trip", "test-0-1"),
        ] {
            assert!(account(name, password, game).is_ok(), "{name} {password} {game}");
        }
        for (name, password, game, culprit) in [
            ("", "trip", "test-0-1", "name"),
            (&"x".repeat(33), "trip", "test-0-1", "32"),
            ("a b", "trip", "test-0-1", "'a b'"),
            ("猫", "trip", "test-0-1", "猫"),
            ("me", "", "floodgate-300-10F", "trip"),
            ("me", "", "test-0-1", "password"),
            ("me", "a b", "test-0-1", "blank"),
            ("me", "a\n", "test-0-1", "control"),
            ("me", "trip", "floodgate-300-10f", "'floodgate-300-10f'"),
            ("me", "trip", "floodgate-300-10F-B", "colour"),
            ("me", "trip", "Floodgate-300-10F", "Floodgate"),
            ("me", "trip", "floodgate-300", "floodgate-300"),
            ("me", "trip", "test", "'test'"),
            ("me", "trip", "test-0-1x", "'test-0-1x'"),
            ("me", "trip", "-0-1", "'-0-1'"),
            ("me", "trip", "a,b-0-1", "'a,b-0-1'"),
        ] {
            let error = account(name, password, game).expect_err(game).to_string();
            assert!(error.contains(culprit), "{name} {password} {game}: {error}");
        }
        let x1 = |game, color| Account::new(("h", 1), "me", "trip", game, Mode::X1, color).map(|a| a.ask_for_game());
        assert_eq!(x1("test-0-1", Some(Color::White)), Ok(Some("%%GAME test-0-1 -".to_owned())));
        assert_eq!(x1("floodgate-300-10F", None), Ok(Some("%%GAME floodgate-300-10F *".to_owned())));
        assert_eq!(x1("floodgate-300-10F", Some(Color::White)), Err(AccountError::Color));
        assert_eq!(x1("", None), Err(AccountError::NoGame));
    }

    #[test]
    fn the_password_is_in_the_login_alone() {
        let account = account("me", "secret", "floodgate-300-10F").unwrap();
        let [line, logged] = account.login();
        assert_eq!(line, "LOGIN me floodgate-300-10F,secret");
        assert_eq!(logged, "LOGIN me floodgate-300-10F,*****");
        assert!(!format!("{account} {account:?}").contains("secret"));
        assert_eq!(account.inquirer().login()[0], "LOGIN me_q secret x1");
    }

    #[test]
    fn games_that_were_not_asked_for() {
        let account = account("me", "trip", "test-5-1F-B").unwrap();
        assert!(account.wants("test-5-1F") && account.wants("") && !account.wants("default-1500-0"));
    }
}
