//! Answers for a person at the keyboard.

use super::counting::Count;
use super::fen;
use super::{Console, Dialect};
use crate::engine::Engine;
use crate::nnue::Simd;
use crate::platform::program;
use crate::search::params::{self, Tunable};

const HELP: &str = "\
The commands of USI: usi isready setoption usinewgame position go stop ponderhit gameover quit, debug register
  uci instead of usi: the same in UCI, with its moves and positions (position startpos moves c3c4)
  position startpos moves 7g7f 3c3d        position sfen SFEN moves ...
  go btime 60000 wtime 60000 byoyomi 1000  go movetime 1000  go depth 12  go nodes 100000  go infinite  go mate 5000
and for you: d  side  moves  eval  perft DEPTH  bench  getoption [NAME]  version  help
The program's other uses: hagane --help";

impl Console {
    /// What to count, for the commands that take long.
    pub(super) fn count(self) -> Option<Count> {
        match self {
            Self::Perft(depth) => Some(Count::Perft(depth)),
            Self::Bench => Some(Count::Bench),
            _ => None,
        }
    }

    /// Whether the answer is about the position.
    pub(super) fn needs_position(self) -> bool {
        matches!(self, Self::Diagram | Self::Side | Self::Moves | Self::Eval | Self::Perft(_))
    }

    /// Whether the command waits until the engine is ready.
    pub(super) fn needs_ready_engine(self) -> bool {
        self.count().is_some() || matches!(self, Self::Eval)
    }
}

/// The answer to a command that does not count anything.
pub(super) fn answer(console: Console, engine: &Engine, dialect: Dialect) -> String {
    let position = engine.position();
    match console {
        Console::Diagram => {
            let fen = match dialect {
                Dialect::Usi => String::new(),
                Dialect::Uci => format!("\nfen {}", fen::of_position(position)),
            };
            format!("{position}{fen}\nsfen {}\nkey {:016x}", position.to_sfen(), position.key())
        }
        Console::Side => position.side_to_move().to_string(),
        Console::Moves => {
            let mut moves: Vec<String> =
                position.legal_moves().iter().map(|&mv| dialect.spell(mv).to_string()).collect();
            moves.sort();
            moves.join(" ")
        }
        Console::Eval => format!("{} centipawns from the side to move's view", engine.evaluate().0),
        Console::Version => {
            format!("Hagane {}, {}", program::build(), Simd::fastest().name())
        }
        Console::Tunables if cfg!(feature = "tune") => {
            format!("info string shogiarena_tunables_json {}\nusi_tunablesok", manifest(&params::all()))
        }
        Console::Tunables => "usi_tunablesok".into(),
        Console::Help => HELP.into(),
        // `counting` answers these.
        Console::Perft(_) | Console::Bench => String::new(),
    }
}

/// The description of the tunables for ShogiArena's SPSA, by its schema `shogiarena.usi_tunables.v1`. A step is the
/// size of the perturbation at the end (`c_end`); `r_end` is the learning rate that Fishtest starts from.
fn manifest(tunables: &[Tunable]) -> serde_json::Value {
    let described: Vec<_> = tunables
        .iter()
        .map(|tunable| {
            serde_json::json!({
                "id": tunable.name,
                "option": tunable.name,
                "value_type": "int",
                "default": tunable.value,
                "min": tunable.min,
                "max": tunable.max,
                "schedule": { "c_end": tunable.step, "r_end": 0.002 },
            })
        })
        .collect();
    serde_json::json!({ "schema_version": "shogiarena.usi_tunables.v1", "tunables": described })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_every_tunable_with_its_range() {
        let manifest = manifest(&params::all());
        assert_eq!(manifest["schema_version"], "shogiarena.usi_tunables.v1");
        let described = manifest["tunables"].as_array().unwrap();
        assert_eq!(described.len(), params::all().len());
        for (entry, tunable) in described.iter().zip(params::all()) {
            assert_eq!(entry["option"], tunable.name);
            assert!(entry["min"].as_i64() < entry["max"].as_i64());
            assert!(entry["schedule"]["c_end"].as_i64() > Some(0));
        }
        assert!(!manifest.to_string().contains('\n'));
    }
}
