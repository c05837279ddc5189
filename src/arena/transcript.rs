//! The file of games: each game is appended as it ends.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write as _};
use std::path::Path;

use super::csa_record;
use super::game::Ply;
use super::journal::is_in_use;
use super::openings::Opening;
use super::result::{GameResult, Winner};
use super::setup::RecordFormat;

/// All that is to be written of a game.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The opening.
    pub opening: Opening,
    /// The moves after it. Of solo games, tokens stand in the text only.
    pub plies: Vec<Ply>,
    /// The whole game as the engines were told it, where it is more than the opening and the moves.
    pub text: Option<String>,
}

/// An open file of games.
#[derive(Debug)]
pub struct TranscriptFile {
    file: File,
    format: RecordFormat,
    end: u64,
}

impl TranscriptFile {
    /// Opens a file and cuts it off at `end`: what stands behind belongs to no finished game.
    ///
    /// # Errors
    /// The file cannot be written, is in use by another match, or has lost finished games.
    pub fn open(path: &Path, format: RecordFormat, end: u64) -> std::io::Result<Self> {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        if is_in_use(&file) {
            return Err(std::io::Error::other("in use by another match"));
        }
        let length = file.metadata()?.len();
        if length < end {
            return Err(std::io::Error::other(format!(
                "{} bytes of finished games are missing at its end",
                end - length
            )));
        }
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, format, end })
    }

    /// Appends a game; returns the length of the file after it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, names: [&str; 2], result: &GameResult, transcript: &Transcript) -> std::io::Result<u64> {
        let text = match self.format {
            RecordFormat::Usi => usi(names, result, transcript),
            RecordFormat::Csa => csa_record::write(names, result, transcript),
        };
        self.file.write_all(text.as_bytes())?;
        self.end += text.len() as u64;
        Ok(self.end)
    }
}

/// A game in USI's own words: comments, the line that `position` would carry, times and scores in comments.
fn usi(names: [&str; 2], result: &GameResult, transcript: &Transcript) -> String {
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
        let _ = write!(text, " {:.3}", ply.thought.time.as_secs_f64());
    }
    text += "\n# scores:";
    for ply in &transcript.plies {
        match ply.thought.score {
            // One word a move: the kind of a mate is told by its sign.
            Some(score) => {
                let _ = write!(text, " {}", score.to_string().replace("cp ", "").replace(' ', ":"));
            }
            None => text += " -",
        }
    }
    text += "\n\n";
    text
}
