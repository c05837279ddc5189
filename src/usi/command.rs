//! The commands of a client: one line, one [`Command`], in either [`Dialect`].
//!
//! Both the current definition (Shogidokoro's) and the original draft are understood. As the draft asks, unknown words
//! are skipped and the rest of the line still counts.

use std::str::{FromStr, SplitAsciiWhitespace};

use super::dialect::{Dialect, engine_option};
use super::go_words::GoWords;
use super::position_command::PositionCommand;
use crate::clock::Clocks;
use crate::engine::EngineOptions;
use crate::search::Limits;

/// One command. The example line of each variant is one that clients send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`: who are you, and which options do you have?
    Usi,
    /// `uci`: the same question, in the dialect to go on in.
    Uci,
    /// `debug on`: say more in `info string` lines; `debug off` ends it.
    Debug(bool),
    /// `isready`: answer `readyok` when ready for `go`.
    IsReady,
    /// `setoption name USI_Hash value 256`; the value is `None` for `setoption name Clear_Hash`.
    SetOption {
        /// The option, as the client writes it.
        name: String,
        /// Everything after `value`, blanks inside it kept.
        value: Option<String>,
    },
    /// `getoption USI_Hash` or, for all options, `getoption`: their values now.
    GetOption(Option<String>),
    /// `register later`: from the draft; accepted and ignored.
    Register,
    /// `usinewgame`: the next position belongs to another game.
    NewGame,
    /// `position startpos moves 7g7f 3c3d`.
    Position(PositionCommand),
    /// `go btime 60000 wtime 60000 byoyomi 1000`: find the best move. The text says what could not be read.
    Go(Limits, Option<String>),
    /// `go mate 60000 nodes 100000`: find a mate; without any limit until `stop`. The number is the time in
    /// milliseconds, here [`Clocks::move_time`]. (In the draft it was a length in plies; no client means that.)
    GoMate(Limits, Option<String>),
    /// `go mate 3` in UCI: find a mate in so many moves. The answer is a `bestmove`, of a search of as many plies where
    /// there is no mate; without a number it is a search as any other.
    GoMateIn(Limits, Option<String>),
    /// `go perft 5`: count.
    GoPerft(u32),
    /// `stop`: answer with the best move so far.
    Stop,
    /// `ponderhit`, or with the clocks as they are now: `ponderhit btime 59000 wtime 58000 binc 1000 winc 1000`.
    PonderHit(Option<Clocks>),
    /// `gameover win`: the game is over, and the search with it.
    GameOver,
    /// `quit`.
    Quit,
    /// What a person types: `d`, `moves`, ...
    Console(Console),
}

/// Commands for a person at the keyboard, with the names known from other engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Console {
    /// `d`: the position as a diagram, its SFEN and its key.
    Diagram,
    /// `side`: `black` or `white`, whoever is to move. Ayane asks for it in matches.
    Side,
    /// `moves`: all legal moves on one line.
    Moves,
    /// `eval`: the static evaluation of the position.
    Eval,
    /// `perft 4`: counts the lines of legal moves of that length.
    Perft(u32),
    /// `bench`: searches a fixed set of positions.
    Bench,
    /// `version` or `compiler`.
    Version,
    /// `usi_tunables`: parameters of the search that a tuner may change.
    Tunables,
    /// `help`.
    Help,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// A blank line; some clients send them to keep a connection alive.
    #[error("a blank line")]
    Blank,
    /// No word of the line is a command. Clients expect silence.
    #[error("no command in '{0}'")]
    Unknown(String),
    /// A command that lacks what it acts on.
    #[error("{0}")]
    Incomplete(&'static str),
}

impl Command {
    /// Whether the command waits until the engine is idle; a search that is still running is of no more use then.
    pub(super) fn needs_idle_engine(&self) -> bool {
        matches!(self, Self::Go(..) | Self::GoMate(..) | Self::GoMateIn(..) | Self::GoPerft(_) | Self::NewGame)
    }
}

/// Reads a line of USI.
impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Self, CommandError> {
        Self::read(line, Dialect::Usi)
    }
}

impl Command {
    /// Reads a line. The dialect decides what the same words mean: the clocks of `go`, and `go mate`.
    ///
    /// # Errors
    /// Where the line is blank, has no command, or lacks what the command acts on.
    pub fn read(line: &str, dialect: Dialect) -> Result<Self, CommandError> {
        let line = line.trim_start_matches('\u{feff}');
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else {
            return Err(CommandError::Blank);
        };
        if let Some(console) = console(first, words.clone()) {
            return Ok(console);
        }
        // The draft: "joho debug on" switches the debug mode on, given that joho is not defined.
        let mut words = line.split_ascii_whitespace();
        for word in words.by_ref() {
            return match word {
                "usi" => Ok(Self::Usi),
                "uci" => Ok(Self::Uci),
                "debug" => Ok(Self::Debug(words.next() != Some("off"))),
                "isready" => Ok(Self::IsReady),
                "setoption" => set_option(line),
                "register" => Ok(Self::Register),
                "usinewgame" | "ucinewgame" => Ok(Self::NewGame),
                "position" => Ok(Self::Position(PositionCommand::read(words))),
                "go" => Ok(go(words, dialect)),
                "stop" => Ok(Self::Stop),
                "ponderhit" => {
                    let clocks = GoWords::read(words, dialect).limits.clocks;
                    Ok(Self::PonderHit(clocks.has_clock().then_some(clocks)))
                }
                "gameover" => Ok(Self::GameOver),
                "quit" => Ok(Self::Quit),
                _ => continue,
            };
        }
        Err(CommandError::Unknown(first.to_owned()))
    }
}

fn console(first: &str, mut rest: SplitAsciiWhitespace) -> Option<Command> {
    Some(Command::Console(match first {
        "d" | "display" => Console::Diagram,
        "side" => Console::Side,
        "moves" => Console::Moves,
        "eval" => Console::Eval,
        "perft" => Console::Perft(GoWords::read(["perft"].into_iter().chain(rest), Dialect::Usi).perft.unwrap_or(1)),
        "bench" => Console::Bench,
        "version" | "compiler" => Console::Version,
        "usi_tunables" => Console::Tunables,
        "help" => Console::Help,
        "getoption" => return Some(Command::GetOption(rest.next().map(str::to_owned))),
        _ => return None,
    }))
}

/// The name of an option may contain blanks (`Clear Hash`); the value is everything after it, unchanged.
fn set_option(line: &str) -> Result<Command, CommandError> {
    const INCOMPLETE: CommandError = CommandError::Incomplete("setoption without the name of an option");
    let rest = after_word(line, "setoption").unwrap_or_default();
    let rest = after_word(rest, "name").unwrap_or(rest).trim_ascii();
    let (name, value) = match split_at_word(rest, "value") {
        Some((name, value)) => (name, Some(value.to_owned())),
        // `setoption MultiPV 3`: the first word is the name, if it is one of ours.
        None => match rest.split_once(|letter: char| letter.is_ascii_whitespace()) {
            Some((name, value)) if is_option(name) => (name, Some(value.trim_ascii().to_owned())),
            _ => (rest, None),
        },
    };
    if name.is_empty() {
        return Err(INCOMPLETE);
    }
    Ok(Command::SetOption { name: name.to_owned(), value })
}

fn is_option(name: &str) -> bool {
    let meant = engine_option(name);
    EngineOptions::specs().iter().any(|option| option.name.eq_ignore_ascii_case(meant))
}

/// The text around the first `word` that stands alone, both sides without outer blanks.
pub(super) fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let found = text.split_ascii_whitespace().find(|found| *found == word)?;
    // `found` is a part of `text`, so the distance of the two is its place.
    let at = found.as_ptr() as usize - text.as_ptr() as usize;
    Some((text[..at].trim_ascii(), text[at + word.len()..].trim_ascii()))
}

/// The text after the first `word` that stands alone.
pub(super) fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    split_at_word(text, word).map(|(_, rest)| rest)
}

fn go(words: SplitAsciiWhitespace, dialect: Dialect) -> Command {
    let words = GoWords::read(words, dialect);
    let remark = words.remark();
    match (words.mate, words.perft, dialect) {
        (true, _, Dialect::Usi) => Command::GoMate(words.bounded(), remark),
        (true, _, Dialect::Uci) => Command::GoMateIn(words.bounded(), remark),
        (false, Some(depth), _) => Command::GoPerft(depth),
        (false, None, _) => Command::Go(words.bounded(), remark),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::MAX_DEPTH;

    fn parse(line: &str) -> Command {
        line.parse().unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    fn search(line: &str) -> Limits {
        match parse(line) {
            Command::Go(limits, _) => limits,
            other => panic!("{line:?}: {other:?}"),
        }
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    #[test]
    fn plain_commands_with_any_blanks() {
        for line in ["usi", " usi ", "usi\r", "\tusi\t", "\u{feff}usi"] {
            assert_eq!(parse(line), Command::Usi);
        }
        assert_eq!(parse("isready"), Command::IsReady);
        assert_eq!(parse("usinewgame"), Command::NewGame);
        assert_eq!(parse("gameover"), Command::GameOver);
        assert_eq!(parse("gameover lose"), Command::GameOver);
        assert_eq!(parse("register name Stefan MK code 4359874324"), Command::Register);
        assert_eq!(parse("debug"), Command::Debug(true));
        assert_eq!(parse("debug off"), Command::Debug(false));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(parse("joho debug on"), Command::Debug(true));
        assert_eq!(parse("a b d quit"), Command::Quit);
        assert_eq!("a b d".parse::<Command>(), Err(CommandError::Unknown("a".into())));
        assert_eq!(" \t\r".parse::<Command>(), Err(CommandError::Blank));
        assert_eq!("\u{fffd}\0\u{1}".parse::<Command>(), Err(CommandError::Unknown("\u{fffd}\0\u{1}".into())));
    }

    #[test]
    fn options_keep_their_value_as_written() {
        let set =
            |name: &str, value: Option<&str>| Command::SetOption { name: name.into(), value: value.map(str::to_owned) };
        assert_eq!(parse("setoption name USI_Hash value 256"), set("USI_Hash", Some("256")));
        assert_eq!(
            parse("setoption  name EvalFile   value C:\\My  Files\\評価.bin \r"),
            set("EvalFile", Some("C:\\My  Files\\評価.bin"))
        );
        assert_eq!(parse("setoption name Clear_Hash"), set("Clear_Hash", None));
        assert_eq!(parse("setoption name X value"), set("X", Some("")));
        assert_eq!(parse("setoption name X value value of name"), set("X", Some("value of name")));
        assert_eq!(parse("setoption Threads value 2"), set("Threads", Some("2")));
        assert_eq!(parse("setoption MultiPV 600"), set("MultiPV", Some("600")));
        assert_eq!(parse("setoption name EvalDir  my folder "), set("EvalDir", Some("my folder")));
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
        for line in ["setoption", "setoption name", "setoption name  value 3", "setoption value 3"] {
            assert!(matches!(line.parse::<Command>(), Err(CommandError::Incomplete(_))), "{line}");
        }
    }

    #[test]
    fn positions_in_every_form() {
        let position = |sfen: Option<&str>, moves: &[&str]| {
            Command::Position(PositionCommand {
                sfen: sfen.map(str::to_owned),
                moves: moves.iter().map(|mv| mv.to_string()).collect(),
            })
        };
        assert_eq!(parse("position startpos"), position(None, &[]));
        assert_eq!(parse("position startpos moves "), position(None, &[]));
        assert_eq!(parse("position\t startpos  moves 7g7f\t3c3d\r"), position(None, &["7g7f", "3c3d"]));
        assert_eq!(parse("position sfen 9/9 b - 1 moves 1a1b"), position(Some("9/9 b - 1"), &["1a1b"]));
        assert_eq!(parse("position sfen  9/9   b  -"), position(Some("9/9 b -"), &[]));
        assert_eq!(parse("position sfen 9/9_b_-_1"), position(Some("9/9_b_-_1"), &[]));
        assert_eq!(parse("position 9/9 b - 1 moves 1a1b"), position(Some("9/9 b - 1"), &["1a1b"]));
        assert_eq!(parse("position sfen startpos"), position(None, &[]));
        assert_eq!(parse("position sfen"), position(Some(""), &[]));
        let ends = ["resign", "win", "0000", "pass", "null", "none", "(none)", "draw"];
        for end in ends.into_iter().chain(["rep_draw", "break", "timeout", "%TORYO", "%SENNICHITE", "投了"]) {
            assert_eq!(parse(&format!("position startpos moves 7g7f {end} 3c3d")), position(None, &["7g7f"]));
        }
        assert_eq!(parse("position"), position(Some(""), &[]));
        assert_eq!(parse("position moves 7g7f"), position(None, &["7g7f"]));
    }

    #[test]
    fn clocks_of_every_kind() {
        let go = search("go btime 60000 wtime 50000 byoyomi 10000");
        assert_eq!((go.clocks.time, go.clocks.byoyomi), ([ms(60000), ms(50000)], ms(10000)));
        let go = search("go ponder btime 1 wtime 2 binc 3 winc 4 movestogo 5 movetime 6 rtime 7");
        assert!(go.ponder && !go.infinite);
        assert_eq!(go.clocks.increment, [ms(3), ms(4)]);
        assert_eq!((go.clocks.moves_to_go, go.clocks.move_time, go.clocks.random_time), (Some(5), ms(6), ms(7)));
        assert_eq!(search("go"), Limits::default());
        assert_eq!(parse("ponderhit"), Command::PonderHit(None));
        let Command::PonderHit(Some(limits)) = parse("ponderhit btime 100 wtime 200 binc 3 winc 3") else { panic!() };
        assert_eq!(limits.time, [ms(100), ms(200)]);
    }

    #[test]
    fn depth_nodes_and_absurd_numbers() {
        let go = search("go depth 12 nodes 100000");
        assert_eq!((go.depth, go.nodes), (12, 100_000));
        let go = search("go btime -5 wtime 99999999999999999999999 depth 99999999999 nodes x byoyomi movetime 5");
        assert_eq!(go.clocks.time, [ms(0), ms(u64::MAX)]);
        assert_eq!((go.depth, go.nodes), (MAX_DEPTH, u64::MAX));
        assert_eq!((go.clocks.byoyomi, go.clocks.move_time), (None, ms(5)));
    }

    #[test]
    fn searchmoves_end_at_the_next_word_that_go_knows() {
        let moves = |line| search(line).search_moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(moves("go infinite searchmoves 7g7f 2g2f"), ["7g7f", "2g2f"]);
        assert_eq!(moves("go searchmoves 7g7f joho P*5e depth 3"), ["7g7f", "P*5e"]);
        assert_eq!(moves("go depth 3 7g7f"), [""; 0]);
        let go = search("go searchmoves 7g7f infinite joho depth 3");
        assert!(go.infinite && go.depth == 3);
    }

    #[test]
    fn mates_and_perft() {
        let mate = |move_time, nodes: Option<u64>| {
            let clocks = Clocks { move_time, ..Clocks::default() };
            Command::GoMate(Limits { clocks, nodes: nodes.unwrap_or(u64::MAX), ..Limits::default() }, None)
        };
        assert_eq!(parse("go mate"), mate(None, None));
        assert_eq!(parse("go mate infinite"), mate(None, None));
        assert_eq!(parse("go mate 5000"), mate(ms(5000), None));
        assert_eq!(parse("go mate infinite nodes 100"), mate(None, Some(100)));
        assert_eq!(parse("go nodes 7 mate 5"), mate(ms(5), Some(7)));
        assert_eq!(parse("go perft 3"), Command::GoPerft(3));
    }

    #[test]
    fn console_words_count_only_at_the_start() {
        assert_eq!(parse("d"), Command::Console(Console::Diagram));
        assert_eq!(parse("perft 3"), Command::Console(Console::Perft(3)));
        assert_eq!(parse("getoption"), Command::GetOption(None));
        assert_eq!(parse("getoption Threads"), Command::GetOption(Some("Threads".into())));
        assert!(matches!(parse("go depth d"), Command::Go(_, Some(_))));
    }
}
