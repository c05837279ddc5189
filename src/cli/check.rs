//! `hagane check`

use std::io::{Write, stdout};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::usi::Command;

/// Checks whether a position and the moves from it are legal
///
/// Names what is wrong with them; and mate, repetition, perpetual check and declaration.
#[derive(Args)]
pub(super) struct Arguments {
    /// An SFEN, or what follows `position` in USI: `startpos moves 7g7f`, `sfen ... moves ...`
    #[arg(required = true)]
    position: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let position = read_position(&self.position)?;
        let mut out = stdout().lock();
        writeln!(out, "{position}")?;
        writeln!(out, "sfen {}", position.to_sfen())?;
        let check = if position.in_check() { ", in check" } else { "" };
        let moves = match position.legal_moves().len() {
            0 => "no legal move".to_owned(),
            1 => "1 legal move".to_owned(),
            count => format!("{count} legal moves"),
        };
        writeln!(out, "legal: {} to move{check}, {moves}", position.side_to_move())?;
        for fact in facts(&position) {
            writeln!(out, "{fact}")?;
        }
        Ok(())
    }
}

/// What the rules say of a game that has come to this position, beyond the legal moves.
fn facts(position: &Position) -> Vec<String> {
    let side = position.side_to_move();
    let mut facts = Vec::new();
    if position.legal_moves().is_empty() {
        let why = if position.in_check() { "mate" } else { "no move is left" };
        facts.push(format!("{why}: {side} has lost"));
    }
    match position.repetition() {
        Some(Repetition::Win) => facts.push(format!("perpetual check by {}: {side} has won", !side)),
        Some(Repetition::Loss) => facts.push(format!("perpetual check by {side}: {} has won", !side)),
        Some(_) => facts.push("repetition (sennichite): the game is drawn".to_owned()),
        None => {}
    }
    if position.declaration(EnteringKingRule::default()).is_some() {
        facts.push(format!("declaration: {side} may declare a win by entering king ({})", EnteringKingRule::default()));
    }
    facts
}

/// The position that the words of a command line mean; without words the usual starting position.
pub(super) fn read_position(words: &[String]) -> anyhow::Result<Position> {
    if words.is_empty() {
        return Ok(Position::startpos());
    }
    let text = words.join(" ");
    let text = text.trim().trim_start_matches("position ");
    // USI skips unknown words; on the command line one is a typo.
    let mut rest = text.split_whitespace();
    if rest.next() == Some("startpos")
        && let Some(word) = rest.next().filter(|word| *word != "moves")
    {
        bail!("'{word}' after startpos: expected moves and a list of moves");
    }
    let line = if text.starts_with("startpos") || text.starts_with("sfen") {
        format!("position {text}")
    } else {
        format!("position sfen {text}")
    };
    match line.parse().context("no position")? {
        Command::Position(command) => match command.set_up() {
            (Some(position), None) => Ok(position),
            (_, error) => Err(error.map_or_else(|| anyhow::anyhow!("no position"), Into::into)),
        },
        _ => Err(anyhow!("'{text}' is no position")),
    }
}
