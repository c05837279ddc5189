//! What the formats hold, and every oddity of files that people have.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use hagane::book::{Book, BookFormat, BookMove, Lookup, sort};
use hagane::platform::random::Random;
use hagane::position::{Board, Position};

use crate::common::play_outs;
use crate::files::{BookFile, START, apery, db, moves, probe, ybb};

const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Positions of random games with random moves; every fourth also with the colours exchanged only.
fn random_positions(count: usize, seed: u64) -> Vec<(String, Vec<BookMove>)> {
    let mut random = Random::new(seed);
    let mut positions = BTreeMap::new();
    play_outs::visit(count, seed, |position, _| {
        let legal = position.legal_moves();
        let list: Vec<_> = legal.iter().copied().collect();
        if list.is_empty() {
            return;
        }
        let mut entries: Vec<BookMove> = Vec::new();
        for _ in 0..1 + random.below(4) {
            let mv = list[random.below(list.len())];
            if entries.iter().all(|entry| entry.mv != mv) {
                let value = random.below(200) as i32 - 100;
                entries.push(BookMove {
                    value: Some(value),
                    depth: Some(random.below(40) as u32),
                    ..BookMove::bare(mv)
                });
            }
        }
        let turned = random.below(4) == 0;
        let board = if turned { Board::from(position).turned() } else { Board::from(position) };
        let entries = if turned { entries.into_iter().map(BookMove::turned).collect() } else { entries };
        positions.insert(board.to_sfen(position.move_number()), entries);
    });
    positions.into_iter().collect()
}

#[test]
fn a_book_has_the_same_answers_in_memory_and_in_its_file() {
    let positions = random_positions(3000, 7);
    let text = BookFile::new("a.db", db(&positions));
    let binary = BookFile::new("a.ybb", ybb(&positions));
    let other = BookFile::new("book.bin", apery(&positions));
    let (memory, file) = (text.open(false), text.open(true));
    assert!(file.is_on_the_fly() && !memory.is_on_the_fly());
    for (number, (sfen, entries)) in positions.iter().enumerate() {
        let (board, ply) = Board::from_sfen(sfen).unwrap();
        for lookup in [Lookup::default(), Lookup { ignore_ply: false, flipped: false }] {
            let found = memory.probe_board(&board, ply, lookup).unwrap();
            assert_eq!(found, file.probe_board(&board, ply, lookup).unwrap(), "{sfen}");
            assert!(entries.iter().all(|entry| found.iter().any(|known| known.mv == entry.mv)), "{number}: {sfen}");
            let late = memory.probe_board(&board, ply + 1000, lookup).unwrap();
            assert_eq!(late.is_empty(), !lookup.ignore_ply);
            // The binary formats have no answers, and the values of 16 bits.
            let bare = |entry: &BookMove| (entry.mv, entry.value);
            for bytes in [&binary, &other] {
                if number % 50 == 0 {
                    let lookup = Lookup { ignore_ply: true, ..lookup };
                    let (memory, file) = (bytes.open(false), bytes.open(true));
                    let same = memory.probe_board(&board, ply, lookup).unwrap();
                    assert_eq!(same, file.probe_board(&board, ply, lookup).unwrap());
                    assert!(
                        entries.iter().all(|entry| same.iter().map(bare).any(|known| known == bare(entry))),
                        "{sfen}"
                    );
                }
            }
        }
        // The twin is found as well, with its moves turned, unless it stands there itself.
        let own = Lookup { ignore_ply: true, flipped: false };
        if !memory.probe_board(&board.turned(), ply, own).unwrap().is_empty() {
            continue;
        }
        let twin = memory.probe_board(&board.turned(), ply, Lookup::default()).unwrap();
        assert!(entries.iter().all(|entry| twin.iter().any(|known| known.mv == entry.mv.rotate())), "{sfen}");
    }
    // What is not in the book has no answer from either.
    play_outs::visit(300, 99, |position, _| {
        for flipped in [false, true] {
            let lookup = Lookup { ignore_ply: true, flipped };
            assert_eq!(memory.probe(position, lookup).unwrap(), file.probe(position, lookup).unwrap());
        }
    });
}

#[test]
fn every_way_to_write_a_text_book_is_read() {
    let plain = format!("{HEADER}\nsfen {START} 1\n7g7f 8c8d 35 18 100\n2g2f none 30 18\n");
    let expected = ["7g7f 8c8d 35 18 100", "2g2f none 30 18"];
    for text in [
        plain.clone(),
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        plain.trim_end().to_owned(),
        plain.replace(&format!("{HEADER}\n"), ""),
        plain.replace(HEADER, &format!("{HEADER}\n# NOE:1\n// a word\n\n")),
        plain.replace("\n2g2f", "\n# what the move is worth\n// more\n\n2g2f"),
        plain.replace(" b - 1", " b -"),
        plain.replace("8c8d 35", "8c8d   35").replace("18 100", "18 100 and more"),
        format!("{HEADER}\nsfen 9/9/9/9/9/9/9/9/9 b 19P 1\n1a1b\n{}", &plain[HEADER.len() + 1..]),
        format!("{HEADER}\nsfen joho\n1a1b none 3 3\n{}", &plain[HEADER.len() + 1..]),
    ] {
        let file = BookFile::new("a.db", &text);
        for on_the_fly in [false, true] {
            assert_eq!(moves(&file.path, on_the_fly, Position::STARTPOS), expected, "{text}");
        }
    }
}

#[test]
fn faults_of_a_text_book_are_counted_and_the_first_is_named() {
    let text = format!("{HEADER}\n7g7f\nsfen {START} 1\n7g7f none 30\njoho\nsfen x\n2g2f\n");
    let book = BookFile::new("a.db", text).open(false);
    let (line, what) = book.faults().first.clone().unwrap();
    assert_eq!((book.faults().count, line), (3, 2));
    assert!(what.contains("7g7f"), "{what}");
}

#[test]
fn books_without_anything_have_nothing() {
    let open = |name: &str, bytes: &[u8], on_the_fly| {
        let file = BookFile::new(name, bytes);
        Book::open(&file.path, on_the_fly).map(|book| probe(&book, Position::STARTPOS, Lookup::default()))
    };
    for on_the_fly in [false, true] {
        assert!(open("a.db", HEADER.as_bytes(), on_the_fly).unwrap().is_empty());
        assert!(open("a.db", format!("{HEADER}\nsfen {START} 1\n").as_bytes(), on_the_fly).unwrap().is_empty());
        assert!(open("a.ybb", &ybb(&[]), on_the_fly).unwrap().is_empty());
        let reason = |bytes: &[u8]| open("a.db", bytes, on_the_fly).unwrap_err().to_string();
        assert!(reason(b"").contains("empty"));
        assert!(reason(b"a letter to a friend").contains("no opening book"));
        assert!(reason(b"\x0a\x05Kubo,\x12\x04Book").contains("hagane book convert"));
        assert!(reason(&[7; 17]).contains("no opening book"), "the length of no Apery book");
    }
    assert!(Book::open("no/such/file".as_ref(), false).is_err());
    assert!(Book::open(".".as_ref(), false).is_err());
}

#[test]
fn a_position_that_stands_twice_has_the_moves_of_both() {
    let text = format!(
        "{HEADER}\nsfen {START} 3\n7g7f none 10 1\n2g2f none 5 1\nsfen {START} 1\n7g7f none 20 2\n\
         sfen {START} 1\n9g9f none 1 1\n7g7f none 99 9\n"
    );
    // On the fly such a file is loaded, since it is not sorted.
    let file = BookFile::new("a.db", text);
    for on_the_fly in [false, true] {
        let found = moves(&file.path, on_the_fly, Position::STARTPOS);
        assert_eq!(found, ["7g7f none 20 2", "2g2f none 5 1", "9g9f none 1 1"], "the smaller number first");
        let book = file.open(on_the_fly);
        let exact = Lookup { ignore_ply: false, flipped: true };
        assert_eq!(probe(&book, &format!("{START} 3"), exact), ["7g7f none 10 1", "2g2f none 5 1"]);
        assert_eq!(probe(&book, &format!("{START} 5"), exact), [""; 0]);
    }
}

#[test]
fn hands_in_any_order_are_found() {
    let canonical = "lr6l/3k2g2/p1n1p1np1/2p2sp1p/Pp1p1p1P1/3RP1P1P/1P2S1N2/1KG2G3/LN6L b GS2P2bsp 1".to_owned();
    let board = Board::from_sfen(&canonical).unwrap().0;
    let mv = Position::from_sfen(&canonical).unwrap().legal_moves()[0];
    let in_files = ["GS2P2bsp", "2PSGps2b"];
    for spelling in in_files.into_iter().chain(["S2PGp2bs", "2bGs2PSp"]) {
        let sfen = canonical.replace("GS2P2bsp", spelling);
        let file = BookFile::new("a.db", format!("{HEADER}\nsfen {sfen}\n{mv} none 5\n"));
        let found = file.open(false).probe_board(&board, 1, Lookup::default()).unwrap();
        assert_eq!(found.len(), 1, "{spelling}");
        if in_files.contains(&spelling) {
            assert_eq!(file.open(true).probe_board(&board, 1, Lookup::default()).unwrap(), found, "{spelling}");
        }
    }
}

#[test]
fn symmetric_and_turned_positions() {
    let text = format!("{HEADER}\nsfen {START} 1\n7g7f none 10 1\n");
    let file = BookFile::new("a.db", text);
    let twin = START.replace(" b -", " w - 2");
    for on_the_fly in [false, true] {
        let book = file.open(on_the_fly);
        assert_eq!(probe(&book, &twin, Lookup::default()), ["3c3d none 10 1"]);
        assert_eq!(probe(&book, &twin, Lookup { ignore_ply: true, flipped: false }), [""; 0]);
    }
}

#[test]
fn broken_binary_books_are_named() {
    let entry = vec![BookMove::bare("7g7f".parse().unwrap())];
    let whole = ybb(&[(format!("{START} 1"), entry)]);
    let open = |bytes: &[u8], on_the_fly| {
        let file = BookFile::new("a.ybb", bytes);
        let book = Book::open(&file.path, on_the_fly).map_err(|error| error.to_string())?;
        let position = Position::startpos();
        book.probe(&position, Lookup::default()).map_err(|error| error.to_string())
    };
    for on_the_fly in [false, true] {
        assert_eq!(open(&whole, on_the_fly).unwrap().len(), 1);
        let reason = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = whole.clone();
            change(&mut bytes);
            open(&bytes, on_the_fly).unwrap_err()
        };
        assert!(reason(&|bytes| bytes.truncate(bytes.len() - 1)).contains("behind the end"));
        assert!(reason(&|bytes| bytes.truncate(60)).contains("cut short"));
        assert!(reason(&|bytes| bytes[24] = 3).contains("flags 0x3"));
        assert!(reason(&|bytes| bytes[16..24].fill(0xff)).contains("18446744073709551615 positions"));
        assert!(reason(&|bytes| bytes[64..72].fill(0xff)).contains("behind the end"));
        assert!(reason(&|bytes| bytes[74..76].fill(0xff)).contains("behind the end"), "so many moves");
        // Moves that are none are left out.
        let mut bytes = whole.clone();
        bytes[76..78].fill(0xff);
        assert_eq!(open(&bytes, on_the_fly).unwrap(), []);
    }
}

#[test]
fn an_apery_book_may_repeat_a_move_and_have_no_counts() {
    let entry = |mv: &str, count, value| BookMove { count, value: Some(value), ..BookMove::bare(mv.parse().unwrap()) };
    let sfen = format!("{START} 1");
    let bytes = apery(&[(sfen.clone(), vec![entry("7g7f", 0, 5), entry("2g2f", 0, 9), entry("7g7f", 0, 7)])]);
    let file = BookFile::new("book.bin", bytes);
    for on_the_fly in [false, true] {
        assert_eq!(moves(&file.path, on_the_fly, &sfen), ["2g2f none 9 256 0", "7g7f none 5 256 0"]);
    }
    assert_eq!(BookFormat::detect(&file.path).unwrap(), BookFormat::Apery);
}

/// What cshogi gives as `book_key` of the start.
#[test]
fn the_key_of_apery_is_the_one_that_others_have() {
    let board = Board::from_sfen(Position::STARTPOS).unwrap().0;
    assert_eq!(hagane::book::apery_key(&board), 0xeebe_8ee7_e1ad_7e15);
}

#[test]
fn an_unsorted_file_is_loaded_rather_than_missed() {
    let mut positions = random_positions(600, 3);
    Random::new(1).shuffle(&mut positions);
    let file = BookFile::new("a.db", db(&positions));
    let book = file.open(true);
    assert!(!book.is_on_the_fly());
    for (sfen, entries) in positions.iter().take(100) {
        let (board, ply) = Board::from_sfen(sfen).unwrap();
        let found = book.probe_board(&board, ply, Lookup::default()).unwrap();
        assert!(entries.iter().all(|entry| found.iter().any(|known| known.mv == entry.mv)));
    }
}

/// Lines longer than any block that is read at once, in the middle of a file and within a position.
#[test]
fn long_lines_do_not_hide_what_stands_around_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.db");
    let mut file = File::create(&path).unwrap();
    let positions = random_positions(3000, 5);
    let (first, last) = positions.split_at(positions.len() / 2);
    let write = |file: &mut File, text: &str| file.write_all(text.as_bytes()).unwrap();
    write(&mut file, &db(first));
    // A comment of a million bytes.
    write(&mut file, &format!("#{}\n", "x".repeat(1 << 20)));
    let text = db(last);
    write(&mut file, text.strip_prefix(HEADER).unwrap().trim_start());
    let book = Book::open(&path, true).unwrap();
    assert!(book.is_on_the_fly());
    for (sfen, entries) in [&positions[0], &positions[positions.len() / 2], &positions[positions.len() - 1]] {
        let (board, ply) = Board::from_sfen(sfen).unwrap();
        let mut expected = entries.clone();
        sort(&mut expected);
        assert_eq!(book.probe_board(&board, ply, Lookup::default()).unwrap(), expected);
    }
}

/// Figures: a million positions.
#[test]
#[ignore = "writes 200 MB and measures time: cargo test --profile fast --test book -- --ignored --nocapture million"]
fn a_million_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("million.db");
    let mut lines = std::collections::BTreeSet::new();
    let mut random = Random::new(1);
    play_outs::visit(1_060_000, 11, |position, _| {
        let legal = position.legal_moves();
        if !legal.is_empty() {
            let mv = |random: &mut Random| legal[random.below(legal.len())];
            let (one, two) = (mv(&mut random), mv(&mut random));
            lines.insert(format!("sfen {}\n{one} none 35 18 100\n{two} none 3 18 7\n", position.to_sfen()));
        }
    });
    let mut file = BufWriter::new(File::create(&path).unwrap());
    writeln!(file, "{HEADER}").unwrap();
    lines.iter().for_each(|line| file.write_all(line.as_bytes()).unwrap());
    file.flush().unwrap();
    drop(file);
    drop(lines);
    let memory = || {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default().to_owned();
        line.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1024
    };
    let (before, begin) = (memory(), Instant::now());
    let book = Book::open(&path, false).unwrap();
    println!("{}: {:?}, {} MB more", book.size(), begin.elapsed(), memory().saturating_sub(before));
    let begin = Instant::now();
    let file = Book::open(&path, true).unwrap();
    let start = Position::startpos();
    file.probe(&start, Lookup::default()).unwrap();
    println!("on the fly, opened and asked once: {:?}", begin.elapsed());
    let (mut slowest, begin, mut count) = (Duration::ZERO, Instant::now(), 0);
    play_outs::visit(2000, 12, |position, _| {
        let begin = Instant::now();
        file.probe(position, Lookup::default()).unwrap();
        slowest = slowest.max(begin.elapsed());
        count += 1;
    });
    println!("{count} probes on the fly: {:?} each, the slowest {slowest:?}", begin.elapsed() / count);
}
