//! A game of one player: a program deals tokens (the next piece, the next card), and the engine answers each with a
//! move.
//!
//! The engine gets `position startpos moves TOKEN MOVE TOKEN MOVE ... TOKEN` (or another start from the openings).
//! The source prints a line for each turn: one or more tokens, or `gameover` with the final score; `score N` reports a
//! running score. Every move is sent to it as a line. If it ends or never reports a score, the number of moves is the
//! score.

use std::path::PathBuf;
use std::time::Duration;

use crate::client::{Client, ClientError, EngineSpec, Fault, Interrupt};
use crate::types::Color;

use super::game::{Asked, Game, Played, Seat};
use super::openings::Opening;
use super::result::{Ending, Reason};
use super::rules::{Opaque, Referee};

/// Time limit of the source for a token.
const PATIENCE: Duration = Duration::from_secs(10);

/// A finished solo game.
pub(super) struct Solo {
    pub(super) played: Played,
    pub(super) score: f64,
    pub(super) text: String,
}

/// Plays a game with the tokens of one seed: `seeds` are those of the match and of the game.
pub(super) fn play(
    seat: Seat<'_>,
    source: &[String],
    start: &Opening,
    max_moves: Option<u32>,
    seeds: [u64; 2],
    interrupt: &Interrupt,
) -> Result<Solo, String> {
    let mut source = start_source(source, seeds, interrupt)?;
    let mut text = Opaque::new(start, None);
    let mut game = Game::alone(seat, seeds);
    let mut score = None;
    let mut moves = 0;
    // There is no opponent; only the score counts.
    let over = |reason| Some(Ending::draw(reason));
    let ending = loop {
        let line = match source.next_line(PATIENCE) {
            Ok(Some((_, line))) => line,
            Ok(None) => return Err(format!("the token source was silent for {PATIENCE:?}")),
            Err(ClientError::Interrupted) => break None,
            Err(ClientError::Fault(Fault::Ended(_))) => break over(Reason::SoloEnd),
            Err(error) => return Err(format!("the token source: {error}")),
        };
        let mut words = line.split_whitespace();
        match words.next() {
            None => continue,
            Some("score") => {
                score = words.next().and_then(points).or(score);
                continue;
            }
            Some("gameover") => {
                score = words.next().and_then(points).or(score);
                break over(Reason::SoloEnd);
            }
            Some(_) => {}
        }
        for token in line.split_whitespace() {
            text.append(token);
        }
        let (answer, used) = match game.ask(Color::Black, text.text(), moves) {
            Asked::Answer(answer, used) => (*answer, used),
            Asked::Over(ending) => break Some(ending),
            Asked::Interrupted => break None,
        };
        match answer.best.as_str() {
            "resign" => break over(Reason::Resign),
            "win" => break over(Reason::Claim),
            "" | "(none)" => {
                break Some(game.no_move(Color::Black, &answer.best));
            }
            _ => {}
        }
        game.record(&answer, used);
        text.append(&answer.best);
        moves += 1;
        if max_moves.is_some_and(|limit| moves >= limit) {
            break over(Reason::MoveLimit);
        }
        // If the source has ended, reading its next token reports it.
        let _ = source.send(&answer.best);
    };
    Ok(Solo { played: game.finish(ending), score: score.unwrap_or(f64::from(moves)), text: text.text().to_owned() })
}

/// A finite score.
fn points(word: &str) -> Option<f64> {
    word.parse().ok().filter(|score: &f64| score.is_finite())
}

fn start_source(source: &[String], seeds: [u64; 2], interrupt: &Interrupt) -> Result<Client, String> {
    // Independent of the engine, so that all engines get the same tokens.
    let seed = seeds[0].wrapping_add(seeds[1]).to_string();
    let Some((program, arguments)) = source.split_first() else {
        return Err("no token source is given".to_owned());
    };
    let mut spec = EngineSpec::new(PathBuf::from(program));
    spec.arguments = arguments.iter().map(|argument| argument.replace("{seed}", &seed)).collect();
    Client::start_silently(&spec, interrupt).map_err(|error| format!("the token source: {error}"))
}
