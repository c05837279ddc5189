//! Single lines of USI, judged as clients read them.

use crate::position::Position;
use crate::types::{Color, Move};

/// What is wrong with an `option` line: clients differ in what they forgive, this one forgives nothing.
pub(super) fn judge_option(line: &str) -> Result<(), String> {
    let rest = line.strip_prefix("option name ").ok_or("it does not begin with 'option name'")?;
    let (name, rest) = rest.split_once(" type ").ok_or("it has no type")?;
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("the name '{name}' has blanks: ShogiHome drops such options"));
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let after = |key: &str| words.iter().position(|word| *word == key).map(|at| words[at + 1..].join(" "));
    let first = |key: &str| after(key).and_then(|text| text.split_whitespace().next().map(str::to_owned));
    let number = |key: &str| -> Result<i64, String> {
        let text = first(key).ok_or(format!("a spin without {key}"))?;
        text.parse().map_err(|_| format!("{key} '{text}' is no whole number"))
    };
    match words.first().copied().unwrap_or_default() {
        "button" => Ok(()),
        "check" => match first("default").as_deref() {
            Some("true" | "false") => Ok(()),
            _ => Err("a check whose default is neither true nor false".into()),
        },
        "spin" => {
            let (default, min, max) = (number("default")?, number("min")?, number("max")?);
            if (min..=max).contains(&default) { Ok(()) } else { Err(format!("{default} is not in {min} to {max}")) }
        }
        "combo" => {
            let default = first("default").ok_or("a combo without default")?;
            let mut choices = words.windows(2).filter(|pair| pair[0] == "var");
            if choices.any(|pair| pair[1] == default) {
                Ok(())
            } else {
                Err(format!("the default '{default}' is none of its choices"))
            }
        }
        "string" | "filename" => match first("default") {
            Some(_) => Ok(()),
            None => Err("an empty default: it should be <empty>".into()),
        },
        kind => Err(format!("the type '{kind}' is unknown")),
    }
}

/// What is wrong with an `info` line.
pub(super) fn judge_info(line: &str, position: &Position) -> Result<(), String> {
    let mut words = line.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        match word {
            "string" => return Ok(()),
            "pv" => return judge_moves(position, words),
            "score" => {
                let kind = words.next().unwrap_or_default();
                let value = words.next().unwrap_or_default();
                let good = match kind {
                    "cp" => value.parse::<i64>().is_ok(),
                    "mate" => matches!(value, "+" | "-") || value.parse::<i64>().is_ok(),
                    _ => false,
                };
                if !good {
                    return Err(format!("'score {kind} {value}' is no score"));
                }
            }
            "lowerbound" | "upperbound" => {}
            "currmove" => {
                words.next();
            }
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "time" | "cpuload" | "currmovenumber" => {
                let value = words.next().unwrap_or_default();
                if value.parse::<u64>().is_err() {
                    return Err(format!("'{word} {value}' is no whole number"));
                }
            }
            // Anything else that some engine reports: its values cannot be told from words.
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// Whether moves can be played one after another; the words that end a line of play may stand at its end.
fn judge_moves<'a>(position: &Position, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut position = position.clone();
    for word in words {
        if ["resign", "win", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf", "mate"].contains(&word) {
            break;
        }
        match word.parse::<Move>() {
            Ok(mv) if position.is_legal(mv) => position.do_move(mv),
            _ => return Err(format!("the line of play has the illegal move {word}")),
        }
    }
    Ok(())
}

/// What is wrong with the word after `bestmove`.
pub(super) fn judge_best(word: &str, position: &Position) -> Result<(), String> {
    match word {
        "resign" => Ok(()),
        "win" => Ok(()),
        "" => Err("no move".into()),
        word => match word.parse::<Move>() {
            Ok(mv) => position.check_move(mv).map_err(|error| error.to_string()),
            Err(_) => Err(format!("'{word}' is no move")),
        },
    }
}

/// The position of a `position` command, without that word.
///
/// # Errors
/// What cannot be read or played.
pub(super) fn position(text: &str) -> Result<Position, String> {
    let (start, moves) = text.split_once("moves").unwrap_or((text, ""));
    let start = start.trim();
    let mut position = match start.strip_prefix("sfen ") {
        Some(sfen) => Position::from_sfen(sfen.trim()).map_err(|error| error.to_string())?,
        None if start == "startpos" => Position::startpos(),
        None => return Err(format!("'{start}' is neither startpos nor an SFEN")),
    };
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().map_err(|_| format!("'{word}' is no move"))?;
        position.check_move(mv).map_err(|error| format!("move {}: {word}: {error}", position.game_length() + 1))?;
        position.do_move(mv);
    }
    Ok(position)
}

/// The name of the side to move.
pub(super) fn side(position: &Position) -> &'static str {
    match position.side_to_move() {
        Color::Black => "Black",
        Color::White => "White",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_judged() {
        for line in [
            "option name USI_Hash type spin default 256 min 1 max 1024",
            "option name USI_Ponder type check default false",
            "option name Rule type combo default A var A var B",
            "option name File type string default <empty>",
            "option name Clear type button",
        ] {
            assert_eq!(judge_option(line), Ok(()), "{line}");
        }
        for (line, word) in [
            ("option name A B type check default true", "blanks"),
            ("option name A type spin default 5 min 1", "max"),
            ("option name A type spin default 5 min 1 max 4", "is not in"),
            ("option name A type spin default x min 1 max 4", "whole number"),
            ("option name A type combo default C var A var B", "none of its choices"),
            ("option name A type string default", "<empty>"),
            ("option name A type check", "neither"),
            ("option name A type colour default red", "colour"),
            ("option name A", "no type"),
            ("options", "option name"),
        ] {
            let error = judge_option(line).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
    }

    #[test]
    fn infos_and_moves_are_judged() {
        let start = Position::startpos();
        for line in [
            "info depth 5 seldepth 7 multipv 1 score cp 20 lowerbound nodes 7 nps 8 hashfull 0 time 3 pv 7g7f 3c3d",
            "info score mate + pv 7g7f resign",
            "info string anything depth x",
        ] {
            assert_eq!(judge_info(line, &start), Ok(()), "{line}");
        }
        for (line, word) in [
            ("info depth x", "depth x"),
            ("info score 20", "score 20"),
            ("info nodes 1.5", "1.5"),
            ("info depth 1 pv 7g7f 7g7f", "illegal move 7g7f"),
        ] {
            let error = judge_info(line, &start).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
        assert!(judge_best("7g7f", &start).is_ok() && judge_best("resign", &start).is_ok());
        assert!(judge_best("(none)", &start).is_err() && judge_best("7g7e", &start).is_err());
        assert_eq!(position("startpos moves 7g7f").map(|position| side(&position)), Ok("White"));
        assert!(position("startpos moves 7g7f 7g7f").is_err_and(|why| why.contains("move 2: 7g7f")));
        assert!(position("here").is_err());
    }
}
