//! Writes a game of a match in USI notation.

use std::fmt::Write as _;

use super::result::{GameResult, Winner};
use super::transcript::Transcript;

/// A game in USI notation: a comment line, the arguments of `position`, times and scores in comment lines.
pub(super) fn write(names: [&str; 2], result: &GameResult, transcript: &Transcript) -> String {
    let mut text = String::new();
    let outcome = match (result.winner, result.score) {
        (_, Some(score)) => format!("score {score}"),
        (Winner::Black, None) => "black wins".to_owned(),
        (Winner::White, None) => "white wins".to_owned(),
        (Winner::Draw, None) => "draw".to_owned(),
    };
    let _ = writeln!(
        text,
        "# game {}: {} (black) - {} (white): {outcome} by {}, {} moves{}",
        result.game + 1,
        names[0],
        names[1],
        result.reason.word(),
        result.plies,
        if result.detail.is_empty() { String::new() } else { format!(" ({})", result.detail) },
    );
    match &transcript.text {
        Some(whole) => text += whole,
        None => {
            let mut game = transcript.opening.clone();
            game.moves.extend(transcript.plies.iter().map(|ply| ply.token.clone()));
            text += &game.text();
        }
    }
    text += "\n# times:";
    for ply in &transcript.plies {
        let _ = write!(text, " {:.3}", ply.evaluation.time.as_secs_f64());
    }
    text += "\n# scores:";
    for ply in &transcript.plies {
        match ply.evaluation.score {
            // One word per move; the sign tells a mate from being mated.
            Some(score) => {
                let _ = write!(text, " {}", score.to_string().replace("cp ", "").replace(' ', ":"));
            }
            None => text += " -",
        }
    }
    text += "\n\n";
    text
}
