//! USI to UCI and back, line by line, so that the tests of USI can be run a second time against the other dialect. It
//! knows nothing of the program's own translation.

use hagane::position::Position;
use hagane::types::Move;

/// What a client of UCI says where a client of USI says `line`.
pub fn to_uci(line: &str) -> String {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words.as_slice() {
        ["usi"] => "uci".into(),
        ["usinewgame"] => "ucinewgame".into(),
        ["position", "sfen", rest @ ..] => {
            let at = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
            let start = fen(&rest[..at]).map_or(format!("sfen {}", rest[..at].join(" ")), |fen| format!("fen {fen}"));
            format!("position {start} {}", moves_to_uci(&rest[at..]))
        }
        ["position", ..] => moves_to_uci(&words),
        ["go" | "ponderhit", ..] if !words.contains(&"mate") => clocks_to_uci(&words),
        _ => line.to_owned(),
    }
}

/// What a program of USI would have said where one of UCI said `line`.
pub fn to_usi(line: &str) -> String {
    let line = line.replace("bestmove (none)", "bestmove resign").replace("uciok", "usiok");
    let line = if line.starts_with("info ") { mate_to_plies(&line) } else { line };
    if !["info ", "bestmove "].iter().any(|start| line.starts_with(start)) {
        return line;
    }
    line.split(' ').map(|word| move_to_usi(word).unwrap_or_else(|| word.to_owned())).collect::<Vec<_>>().join(" ")
}

/// A FEN for the fields of an SFEN that is valid, and whose move number is one that a FEN can have.
fn fen(fields: &[&str]) -> Option<String> {
    let [board, side, hands, number] = *fields else {
        return None;
    };
    Position::from_sfen(&fields.join(" ")).ok()?;
    let ply: u32 = number.parse().ok()?;
    if (ply % 2 == 1) != (side == "b") {
        return None;
    }
    let mut holdings = String::new();
    let mut count = String::new();
    for letter in hands.chars().filter(|letter| *letter != '-') {
        if letter.is_ascii_digit() {
            count.push(letter);
        } else {
            holdings += &letter.to_string().repeat(count.parse().unwrap_or(1));
            count.clear();
        }
    }
    let color = if side == "b" { "w" } else { "b" };
    Some(format!("{board}[{holdings}] {color} - - 0 {}", ply.div_ceil(2)))
}

fn moves_to_uci(words: &[&str]) -> String {
    words.iter().map(|word| move_to_uci(word).unwrap_or_else(|| (*word).to_owned())).collect::<Vec<_>>().join(" ")
}

/// The first mover's clock is White's, and the time contains the increment.
fn clocks_to_uci(words: &[&str]) -> String {
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let mut translated: Vec<String> = Vec::new();
    let mut skip = false;
    for (at, word) in words.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let (other, increment) = match *word {
            "btime" => ("wtime", after("binc")),
            "wtime" => ("btime", after("winc")),
            "binc" => ("winc", None),
            "winc" => ("binc", None),
            _ => {
                translated.push(move_to_uci(word).unwrap_or_else(|| (*word).to_owned()));
                continue;
            }
        };
        translated.push(other.into());
        if let Some(number) = words.get(at + 1).and_then(|word| word.parse::<u64>().ok()) {
            translated.push((number + increment.unwrap_or(0)).to_string());
            skip = true;
        }
    }
    translated.join(" ")
}

/// `mate 2` is a mate in three plies, `mate -1` being mated by the next move but one.
fn mate_to_plies(line: &str) -> String {
    let Some((before, after)) = line.split_once(" score mate ") else {
        return line.to_owned();
    };
    let (number, rest) = after.split_once(' ').unwrap_or((after, ""));
    let plies = match number.parse::<i64>() {
        Ok(0) => -1,
        Ok(moves @ 1..) => 2 * moves - 1,
        Ok(moves) => 2 * moves,
        Err(_) => return line.to_owned(),
    };
    format!("{before} score mate {plies} {rest}")
}

const FILES: &[u8] = b"ihgfedcba";
const RANKS: &[u8] = b"abcdefghi";

fn move_to_uci(word: &str) -> Option<String> {
    word.parse::<Move>().ok()?;
    let square = |text: &[u8]| {
        let (file, rank) = (text[0] - b'1', RANKS.iter().position(|rank| *rank == text[1]).expect("a rank"));
        format!("{}{}", char::from(FILES[usize::from(file)]), 9 - rank)
    };
    let bytes = word.as_bytes();
    Some(match bytes[1] {
        b'*' => format!("{}@{}", &word[..1], square(&bytes[2..4])),
        _ => format!("{}{}{}", square(&bytes[..2]), square(&bytes[2..4]), &word[4..]),
    })
}

fn move_to_usi(word: &str) -> Option<String> {
    // A note names a move in the middle of a sentence.
    let bare = word.trim_end_matches([',', ':', '.']);
    let bytes = bare.as_bytes();
    if !bare.is_ascii() || !(4..=5).contains(&bytes.len()) {
        return None;
    }
    let square = |text: &[u8]| {
        let file = FILES.iter().position(|file| *file == text[0])?;
        let rank = usize::from(text[1].checked_sub(b'0')?);
        (1..=9).contains(&rank).then(|| format!("{}{}", file + 1, char::from(RANKS[9 - rank])))
    };
    let to = square(&bytes[2..4])?;
    let mv = match bytes[1] {
        b'@' => format!("{}*{to}", &bare[..1]),
        _ => format!("{}{to}{}", square(&bytes[..2])?, &bare[4..]),
    };
    Some(mv + &word[bare.len()..])
}
