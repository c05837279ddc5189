//! Answers for a person at the keyboard.

use super::Console;
use super::counting::Count;
use crate::engine::Engine;

const HELP: &str = "\
The commands of USI: usi isready setoption usinewgame position go stop ponderhit gameover quit, debug register
  position startpos moves 7g7f 3c3d        position sfen SFEN moves ...
  go btime 60000 wtime 60000 byoyomi 1000  go movetime 1000  go depth 12  go nodes 100000  go infinite  go mate 5000
and for you: d  side  moves  eval  perft DEPTH  bench  getoption [NAME]  version  help
The program's other uses: hagane --help";

impl Console {
    /// What has to be counted, for the commands that take their time.
    pub(super) fn count(self) -> Option<Count> {
        match self {
            Self::Perft(depth) => Some(Count::Perft(depth)),
            Self::Bench => Some(Count::Bench),
            _ => None,
        }
    }

    /// Whether the command takes its time.
    pub(super) fn runs_long(self) -> bool {
        self.count().is_some()
    }
}

/// The answer to a command that is answered at once.
pub(super) fn answer(console: Console, engine: &Engine) -> String {
    let position = engine.position();
    match console {
        Console::Diagram => format!(
            "{position}\nsfen {}\nkey {:016x}",
            position.to_sfen(),
            position.key()
        ),
        Console::Side => position.side_to_move().to_string(),
        Console::Moves => {
            let mut moves: Vec<String> = position
                .legal_moves()
                .iter()
                .map(ToString::to_string)
                .collect();
            moves.sort();
            moves.join(" ")
        }
        Console::Eval => format!(
            "{} centipawns from the side to move's view",
            engine.evaluate().0
        ),
        Console::Version => format!(
            "Hagane {} for {} {}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH,
            std::env::consts::OS
        ),
        Console::Tunables => "usi_tunablesok".into(),
        Console::Help => HELP.into(),
        // These are counted beside the loop.
        Console::Perft(_) | Console::Bench => String::new(),
    }
}
