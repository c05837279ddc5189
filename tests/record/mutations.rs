//! Damaged records: never a panic, and never fewer moves than there seem to be without a word.

use hagane::platform::random::Random;
use hagane::record::{Document, Encoding, FileFormat, Newline};

use super::SAMPLES;
use super::trees::{FORMATS, random_record};

/// How many moves a text seems to have, by rules of its own: not those of the readers.
fn recognisable_moves(text: &str, format: FileFormat) -> usize {
    let kif = |line: &str| {
        let rest = line.trim_start();
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
        let move_text = digits.trim_start();
        digits.len() < rest.len() && move_text.len() < digits.len() && begins_with_move(move_text)
    };
    match format {
        FileFormat::Kif => text.lines().filter(|line| kif(line)).count(),
        FileFormat::Ki2 => text
            .lines()
            .filter(|line| line.trim_start().starts_with(['▲', '△']))
            .map(|line| line.split(['▲', '△']).skip(1).filter(|word| begins_with_move(word)).count())
            .sum(),
        FileFormat::Csa => text
            .lines()
            .filter(|line| !line.trim_start().starts_with(['\'', 'N', '$', 'P']))
            .flat_map(|line| line.split('\'').next().unwrap_or("").split(','))
            .filter(|statement| is_csa_move(statement.trim()))
            .count(),
        FileFormat::Usi => text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(" moves "))
            .flat_map(|(_, moves)| moves.split_whitespace())
            .filter(|word| is_usi_move(word))
            .count(),
        FileFormat::Jkf => text.matches("\"move\": {").count(),
    }
}

/// `７六歩(77)`, `同　銀`, `５五角打`: a square and a piece.
fn begins_with_move(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    let square = if chars.peek() == Some(&'同') {
        chars.next();
        while chars.peek().is_some_and(|c| c.is_whitespace()) {
            chars.next();
        }
        true
    } else {
        let file = chars.next().is_some_and(|c| "１２３４５６７８９".contains(c));
        let rank = chars.next().is_some_and(|c| "一二三四五六七八九".contains(c));
        file && rank
    };
    square && chars.next().is_some_and(|c| "歩香桂銀金角飛玉王と馬龍竜".contains(c))
}

fn is_csa_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 7
        && matches!(bytes[0], b'+' | b'-')
        && bytes[1..5].iter().all(u8::is_ascii_digit)
        && bytes[5..].iter().all(u8::is_ascii_uppercase)
}

fn is_usi_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |at: usize| matches!(bytes[at], b'1'..=b'9') && matches!(bytes[at + 1], b'a'..=b'i');
    match bytes.len() {
        4 => square(2) && (square(0) || (b"PLNSGBR".contains(&bytes[0]) && bytes[1] == b'*')),
        5 => square(0) && square(2) && bytes[4] == b'+',
        _ => false,
    }
}

/// Texts in all formats to damage.
fn originals(random: &mut Random) -> Vec<(FileFormat, String)> {
    let mut texts: Vec<(FileFormat, String)> =
        SAMPLES.iter().map(|(_, text)| (super::read(text).format, (*text).to_owned())).collect();
    for _ in 0..40 {
        let record = random_record(random);
        for format in FORMATS {
            texts.push((format, record.write(format).0));
        }
    }
    texts
}

/// Changes a text in one to three places, by characters or by lines.
fn damage(text: &str, random: &mut Random) -> String {
    const JUNK: [&str; 40] = [
        " ",
        "　",
        "\t",
        "\n",
        "*",
        "&",
        "#",
        "'",
        ",",
        "+",
        "-",
        ":",
        "：",
        "/",
        "(",
        ")",
        "０",
        "1",
        "９",
        "▲",
        "△",
        "同",
        "歩",
        "成",
        "打",
        "変化：3手\n",
        "まで",
        "手数",
        "手合割：",
        "先手",
        "%TORYO\n",
        "T-1\n",
        "resign ",
        "0000 ",
        "|",
        "\r",
        "\"",
        "}",
        "投了",
        "1. ",
    ];
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let mut chars: Vec<char> = text.chars().collect();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        if chars.is_empty() || lines.is_empty() {
            break;
        }
        let at = random.below(chars.len());
        let (line, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(10) {
            0 => {
                chars.remove(at);
                text = chars.into_iter().collect();
            }
            1 | 2 => {
                chars.splice(at..at, JUNK[random.below(JUNK.len())].chars());
                text = chars.into_iter().collect();
            }
            3 => {
                chars[at] = chars[random.below(chars.len())];
                text = chars.into_iter().collect();
            }
            4 => {
                lines.remove(line);
                text = lines.concat();
            }
            5 => {
                lines.swap(line, other);
                text = lines.concat();
            }
            6 => {
                lines.insert(other, lines[line].clone());
                text = lines.concat();
            }
            7 => {
                lines[line].insert_str(0, JUNK[random.below(JUNK.len())]);
                text = lines.concat();
            }
            8 => text = chars[..at].iter().collect(),
            // A line break lost.
            _ => {
                lines[line] = lines[line].trim_end_matches('\n').to_owned() + " ";
                text = lines.concat();
            }
        }
    }
    text
}

fn check(count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let originals = originals(&mut random);
    let (mut read, mut moves) = (0, 0);
    for round in 0..count {
        let (format, text) = &originals[random.below(originals.len())];
        let text = damage(text, &mut random);
        let encoding = [Encoding::Utf8 { bom: false }, Encoding::ShiftJis][random.below(2)];
        let (mut bytes, lost) = encoding.encode(&text);
        if random.below(8) == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
            // Whatever it says now: no panic.
            let _ = Document::read(&bytes, Some(*format)).map(|document| document.to_bytes());
            continue;
        }
        let Ok(document) = Document::read(&bytes, Some(*format)) else { continue };
        read += 1;
        let there: usize =
            document.games.iter().map(|game| game.ids().filter(|&id| game.node(id).mv().is_some()).count()).sum();
        let seen = recognisable_moves(&text.replace("\r\n", "\n").replace('\r', "\n"), document.format);
        moves += there;
        let silent = document.warnings.is_empty() && lost.is_empty();
        assert!(
            !silent || there >= seen,
            "round {round}: {there} moves read, {seen} seen in {}\n{text}",
            document.format
        );
        // What was read can be written in every format, and read again in its own.
        for other in FORMATS {
            let _ = (Document { format: other, ..document.clone() }).to_bytes();
        }
        let again = Document { newline: Newline::Lf, ..document.clone() }.to_bytes().0;
        let again = Document::read(&again, Some(document.format));
        let again = again.unwrap_or_else(|error| panic!("round {round}: {error} when read again\n{text}"));
        // What was understood is still the same; what was not cannot always be.
        if document.not_understood().is_some() || !lost.is_empty() {
            continue;
        }
        for (game, again) in document.games.iter().zip(&again.games) {
            assert_eq!(game.difference(again), None, "round {round}:\n{text}");
        }
    }
    assert!(read * 4 > count && moves > count, "{read} of {count} were read, {moves} moves");
}

#[test]
fn damaged_records_lose_no_move_silently() {
    check(2_000, 15);
}

/// Run with `cargo test --profile fast --test record -- --ignored`.
#[test]
#[ignore = "a minute"]
fn a_hundred_thousand_damaged_records_lose_no_move_silently() {
    check(100_000, 48);
}
