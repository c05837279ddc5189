//! `hagane book`: the commands, run as a user runs them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use hagane::book::{Book, BookMove, Lookup, move_line};
use hagane::bookmaker::Collection;
use hagane::position::{Board, Position};
use hagane::types::Color;

use crate::files::{BookFile, START, apery, db, moves};

const HEADER: &str = "#YANEURAOU-DB2016 1.00";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hagane")).arg("book").args(arguments).current_dir(folder).output().unwrap()
}

/// What a command that succeeds prints.
#[track_caller]
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that fails says: one sentence.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

/// Two positions, with comments wherever they may stand.
fn commented() -> String {
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
    format!(
        "{HEADER}\n# of mine\nsfen {START} 1\n// the start\n2g2f none 30 18\n7g7f 8c8d 35 18\n# best\nsfen {after} 2\n8c8d none none none 7\n"
    )
}

#[test]
fn a_book_sorted_and_converted_keeps_what_its_owner_wrote() {
    let file = BookFile::new("a.db", commented());
    let folder = file.folder.path();
    said(folder, &["sort", "a.db"]);
    let sorted = fs::read_to_string(&file.path).unwrap();
    let after = sorted.find("w - 2").unwrap();
    assert!(after < sorted.find("b - 1").unwrap(), "sorted by the text of the positions: {sorted}");
    assert!(
        sorted.contains("# of mine") && sorted.contains("b - 1\n// the start\n7g7f 8c8d 35 18\n# best\n2g2f"),
        "{sorted}"
    );
    said(folder, &["sort", "a.db"]);
    assert_eq!(fs::read_to_string(&file.path).unwrap(), sorted, "once more changes nothing");
    let losses = run(folder, &["convert", "a.db", "a.ybb"]);
    let losses = String::from_utf8(losses.stderr).unwrap();
    for loss in ["1 expected answer lost", "1 count lost", "1 unknown value", "3 lines of comment lost"] {
        assert!(losses.contains(loss), "{losses}");
    }
    assert_eq!(moves(&folder.join("a.ybb"), false, Position::STARTPOS), ["7g7f none 35 18 0", "2g2f none 30 18 0"]);
    said(folder, &["convert", "a.ybb", "b.db"]);
    assert_eq!(moves(&folder.join("b.db"), true, Position::STARTPOS), ["7g7f none 35 18 0", "2g2f none 30 18 0"]);
    assert!(refused(folder, &["convert", "a.ybb", "b.db"]).contains("--force"));
    assert!(refused(folder, &["convert", "a.db", "b.bin"]).contains(".ybb"));
    // A file in which something is not understood is not replaced.
    fs::write(&file.path, format!("{sorted}joho\n")).unwrap();
    assert!(refused(folder, &["sort", "a.db"]).contains("'joho'"));
    assert!(fs::read_to_string(&file.path).unwrap().ends_with("joho\n"));
    // Nor is one that says two things of a move, here or where the position stands again.
    for more in ["7g7f none 99 9\n".to_owned(), format!("sfen {START} 1\n7g7f none 99 9\n")] {
        let text = format!("{HEADER}\nsfen {START} 1\n7g7f 8c8d 35 18\n{more}");
        fs::write(&file.path, &text).unwrap();
        assert!(refused(folder, &["sort", "a.db"]).contains("7g7f stands there already"));
        assert_eq!(fs::read_to_string(&file.path).unwrap(), text);
        fs::write(&file.path, text.replace(" none 99 9", " 8c8d 35 18")).unwrap();
        said(folder, &["sort", "a.db"]);
    }
}

#[test]
fn a_book_of_apery_is_found_by_playing() {
    let mut position = Position::startpos();
    let mut positions = Vec::new();
    for mv in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"] {
        let mv = mv.parse().unwrap();
        // The book has Black's moves only.
        if position.side_to_move() == Color::Black {
            positions
                .push((position.to_sfen(), vec![BookMove { value: Some(9), depth: Some(256), ..BookMove::bare(mv) }]));
        }
        position.do_move(mv);
    }
    positions.push(("4k4/9/9/9/9/9/9/9/4K4 b 2R 1".into(), vec![BookMove::bare("R*5b".parse().unwrap())]));
    let file = BookFile::new("book.bin", apery(&positions));
    let folder = file.folder.path();
    let output = run(folder, &["convert", "book.bin", "a.db"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 position cannot be reached"));
    let (book, faults) = Collection::read(&folder.join("a.db")).unwrap();
    assert_eq!((book.len(), faults.len()), (3, 0));
    for (sfen, entries) in &positions[..3] {
        assert_eq!(moves(&folder.join("a.db"), false, sfen), [move_line(&entries[0])]);
    }
}

#[test]
fn a_book_that_is_replaced_by_one_made_of_it_loses_nothing() {
    let text = format!("{HEADER}\nsfen {START} 1\n7g7f none 35 18\njoho\n");
    let file = BookFile::new("a.db", &text);
    let folder = file.folder.path();
    let path = file.path.to_str().unwrap();
    for arguments in [
        &["sort", "a.db", "./a.db"] as &[&str],
        &["sort", path, "a.db", "--force"],
        &["convert", "a.db", "./a.db", "--force"],
        &["merge", "a.db", "-o", path, "--force"],
        &["minimax", "a.db", "./a.db", "--force"],
    ] {
        assert!(refused(folder, arguments).contains("'joho'"), "{arguments:?}");
        assert_eq!(fs::read_to_string(&file.path).unwrap(), text);
    }
}

#[test]
fn what_a_setting_would_not_change_is_refused() {
    let file = BookFile::new("a.db", commented());
    for arguments in [
        &["--within", "9"] as &[&str],
        &["--least", "2"],
        &["--winners"],
        &["--ends-of", "a.db", "--own-loss", "9"],
        &["--ends-of", "a.db", "--plies", "9"],
    ] {
        let told = refused(file.folder.path(), &[&["make", "-o", "b.db"], arguments].concat());
        assert!(told.contains("--"), "{told}");
    }
}

/// A field of a protocol buffer: a number, or bytes.
fn number(tag: u8, value: i64) -> Vec<u8> {
    let (mut bytes, mut rest) = (vec![tag << 3], value as u64);
    while rest > 127 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

fn part(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag << 3 | 2], &number(0, content.len() as i64)[1..], content].concat()
}

/// A book of ShogiGUI.
pub fn shogigui() -> Vec<u8> {
    // 7g7f, then 3c3d with White's bit; 2g2f leads nowhere; the last is no move.
    let (first, second, third) = (0x0100_7677, 0x8100_3433_u32 as i32, 0x0100_2627);
    let mv = |bits: i32, mark: i64, weight: i64, next: i64| {
        let fields = [number(1, bits.into()), number(2, mark), number(3, weight), number(4, next)];
        part(9, &fields.concat())
    };
    let evaluation =
        [number(1, -52), number(2, 20), number(3, 31), number(4, 5_000_000), part(5, "△３四歩".as_bytes())];
    let evaluation = part(10, &[evaluation.concat(), part(6, b"GPS")].concat());
    let root = format!("{START} 1");
    let states = [
        [
            number(1, 0),
            number(4, 30),
            number(5, 17),
            number(6, 12),
            part(7, root.as_bytes()),
            part(8, "相掛かり\nor not".as_bytes()),
            mv(first, 2, 9, 1),
            mv(third, -2, 4, -1),
            mv(0, 0, 1, -1),
        ]
        .concat(),
        [number(1, 1), mv(second, 7, 8, 2), evaluation].concat(),
        number(1, 2),
        [number(1, 3), mv(first, -2, 1, -1)].concat(),
    ];
    let book = states.iter().map(|state| part(3, state)).collect::<Vec<_>>().concat();
    [part(1, "久保".as_bytes()), part(2, b""), book].concat()
}

#[test]
fn a_book_of_shogigui_is_played_through() {
    let file = BookFile::new("a.sbk", shogigui());
    let folder = file.folder.path();
    let output = run(folder, &["convert", "a.sbk", "a.db"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("1 move that no piece can make"), "{told}");
    assert!(told.contains("1 position that no line leads to"), "{told}");
    let text = fs::read_to_string(folder.join("a.db")).unwrap();
    let root = format!("{START} 1");
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let last = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    let expected = format!(
        "{HEADER}\n# 久保\nsfen {last}\nsfen {after}\n# GPS: value -52, depth 20, nodes 5000000: △３四歩\n\
         3c3d none none none 8\n# mark 7\nsfen {root}\n# 相掛かり\n# or not\n# games 30, won by black 17, by white 12\n\
         7g7f none none none 9\n# good\n2g2f none none none 4\n# mark -2\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn books_are_merged_by_depth_and_counts_may_be_added() {
    let one = db(&[(
        format!("{START} 1"),
        vec![BookMove { depth: Some(9), value: Some(1), count: 3, ..BookMove::bare("7g7f".parse().unwrap()) }],
    )]);
    let two = db(&[(
        format!("{START} 1"),
        vec![
            BookMove { depth: Some(12), value: Some(2), count: 4, ..BookMove::bare("7g7f".parse().unwrap()) },
            BookMove::bare("2g2f".parse().unwrap()),
        ],
    )]);
    let file = BookFile::new("one.db", one);
    let folder = file.folder.path();
    fs::write(folder.join("two.db"), two).unwrap();
    said(folder, &["merge", "one.db", "two.db", "-o", "a.db"]);
    assert_eq!(moves(&folder.join("a.db"), false, Position::STARTPOS), ["7g7f none 2 12 4", "2g2f none 0 0"]);
    said(folder, &["merge", "one.db", "two.db", "-o", "a.db", "--counts", "add", "--force"]);
    assert_eq!(moves(&folder.join("a.db"), false, Position::STARTPOS), ["7g7f none 2 12 7", "2g2f none 0 0"]);
}

#[test]
fn a_book_is_described_probed_and_checked() {
    let file = BookFile::new("a.db", commented());
    let folder = file.folder.path();
    let info = said(folder, &["info", "a.db"]);
    for part in ["YaneuraOu .db", "positions   2", "moves       3", "black 1, white 1", "# of mine"] {
        assert!(info.contains(part), "{info}");
    }
    fs::write(folder.join("b.db"), format!("{HEADER}\nsfen 4k4/9/9/9/9/9/9/9/4K4 b 19P 1\nP*5e\n")).unwrap();
    let info = said(folder, &["info", "b.db"]);
    assert!(info.contains("positions   0") && info.contains("1 fault, the first: line 2"), "{info}");
    let probe = said(folder, &["probe", "a.db", "--diff", "3"]);
    assert!(probe.contains("7g7f 8c8d 35 18\tcount 50.00%\tplayed 100%"), "{probe}");
    assert!(probe.contains("2g2f none 30 18\tcount 50.00%\tno: BookEvalDiff"), "{probe}");
    assert!(said(folder, &["probe", "a.db", "startpos", "moves", "9g9f"]).contains("not in the book"));
    assert!(said(folder, &["check", "a.db"]).contains("2 of them sound"));
    let broken = format!(
        "{HEADER}\nsfen {START} 1\n7g7e none\n2g2f 2g2f\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\nsfen {START} 3\n7g7f\njoho\n"
    );
    fs::write(&file.path, broken).unwrap();
    let output = run(folder, &["check", "a.db"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in
        ["7g7e is illegal", "the answer 2g2f", "no moves", "another move number", "'joho'", "3 positions, 0 of them"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn values_are_backed_up_through_the_book() {
    // 7g7f is said to be better, but the position after it is worth less; 2g2f transposes into nothing.
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
    let text = format!(
        "{HEADER}\nsfen {after} 2\n8c8d none 60 20\n3c3d none 10 20\nsfen {START} 1\n7g7f none 50 9\n2g2f none 20 9\n"
    );
    let file = BookFile::new("a.db", text);
    let folder = file.folder.path();
    said(folder, &["minimax", "a.db", "b.db"]);
    assert_eq!(moves(&folder.join("b.db"), false, Position::STARTPOS), ["2g2f none 20 9", "7g7f 8c8d -60 21"]);
    said(folder, &["minimax", "b.db", "c.db"]);
    assert_eq!(
        fs::read(folder.join("b.db")).unwrap(),
        fs::read(folder.join("c.db")).unwrap(),
        "once more changes nothing"
    );
    for (within, left) in [("79", &["2g2f none 20 9"] as &[&str]), ("80", &["2g2f none 20 9", "7g7f 8c8d -60 21"])] {
        said(folder, &["minimax", "a.db", "d.db", "--within", within, "--force"]);
        assert_eq!(moves(&folder.join("d.db"), false, Position::STARTPOS), left);
    }
    // The twin of a position counts, and a move that is not listed but leads into the book.
    let twin = Board::from_sfen(after).unwrap().0.turned().to_sfen(1);
    let text = format!("{HEADER}\nsfen {twin}\n2g2f none -70 20\nsfen {START} 1\n2g2f none 20 9\n");
    fs::write(&file.path, text).unwrap();
    said(folder, &["minimax", "a.db", "b.db", "--force"]);
    assert_eq!(moves(&folder.join("b.db"), false, Position::STARTPOS), ["7g7f 8c8d 70 21", "2g2f none 20 9"]);
}

#[test]
fn a_position_without_values_keeps_its_moves() {
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
    // And a depth as large as can be.
    let text = format!(
        "{HEADER}\nsfen {after} 2\n8c8d none 60 4294967294\nsfen {START} 1\n7g7f none 50 9\n\
         sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1\nP*5e none none none 7\nP*4e none none none 2\n"
    );
    let file = BookFile::new("a.db", text);
    let folder = file.folder.path();
    said(folder, &["minimax", "a.db", "b.db", "--within", "0"]);
    let kept = moves(&folder.join("b.db"), false, "4k4/9/9/9/9/9/9/9/4K4 b 2P 1");
    assert_eq!(kept, ["P*5e none none none 7", "P*4e none none none 2"]);
    assert_eq!(moves(&folder.join("b.db"), false, Position::STARTPOS), ["7g7f 8c8d -60 9999"]);
}

#[test]
fn records_make_a_book_of_counts() {
    let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d 2g2f\nstartpos moves 2g2f 8c8d\nstartpos moves 7g7f 8c8d\n";
    let file = BookFile::new("games.usi", games);
    let folder = file.folder.path();
    let text = said(folder, &["make", "--records", "games.usi", "-o", "a.db"]);
    assert!(text.contains("of 4 games"), "{text}");
    assert_eq!(
        moves(&folder.join("a.db"), false, Position::STARTPOS),
        ["7g7f 8c8d none none 3", "2g2f 8c8d none none"]
    );
    assert!(refused(folder, &["make", "--records", "games.usi", "-o", "a.db"]).contains("--force"));
    said(folder, &["make", "--records", "games.usi", "-o", "b.db", "--least", "2", "--plies", "1"]);
    let (book, _) = Collection::read(&folder.join("b.db")).unwrap();
    assert_eq!((book.len(), book.moves()), (1, 1));
}

#[test]
fn a_book_made_by_searches_survives_a_kill_and_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, positions: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command.args(["book", "make", "--nodes", "300", "--multipv", "3", "--positions", positions, "-o", name]);
        command.args(["--option", "USI_Hash=1", "--handicap", "二枚落ち", "--handicap-cost", "20"]);
        command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let whole = make("whole.db", "60").status().unwrap();
    assert!(whole.success());
    // Killed in the middle, with half a line at the end, then gone on with.
    let mut child = make("killed.db", "60").spawn().unwrap();
    let journal = folder.path().join("killed.searches");
    let begin = Instant::now();
    while fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count()) < 15 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no searches");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut bytes = fs::read(&journal).unwrap();
    bytes.extend(b"{\"sfen\":\"lnsg");
    fs::write(&journal, bytes).unwrap();
    assert!(make("killed.db", "60").status().unwrap().success());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("killed.db"), read("whole.db"));
    // A larger book goes on with the searches of the smaller one.
    assert!(make("whole.db", "80").status().unwrap().success());
    let book = Book::open(&folder.path().join("whole.db"), false).unwrap();
    assert!(!book.probe(&Position::startpos(), Lookup::default()).unwrap().is_empty());
    let (book, _) = Collection::read(&folder.path().join("whole.db")).unwrap();
    assert_eq!(book.len(), 80);
    assert!(hagane::bookmaker::check::check(&book, &[]).faults.is_empty());
    let held =
        |board: &Board| Color::ALL.iter().flat_map(|&color| board.held(color)).map(|(_, count)| count).sum::<u8>();
    let pieces = |board: &Board| board.pieces().count() + usize::from(held(board));
    let handicaps = book.positions().filter(|(_, entry)| pieces(&entry.board) == 38).count();
    assert!((4..70).contains(&handicaps), "{handicaps}");
    // Nor is one that was edited meanwhile, if only in a comment, and nothing of the edit is lost.
    let edited = read("whole.db").replacen("\nsfen ", "\n# mine\nsfen ", 1);
    fs::write(folder.path().join("whole.db"), &edited).unwrap();
    let mut larger = make("whole.db", "81");
    let output = larger.stderr(Stdio::piped()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("whole.db") && told.contains("--force"), "{told}");
    assert_eq!(read("whole.db"), edited);
    assert!(make("whole.db", "81").arg("--force").status().unwrap().success());
    assert!(!read("whole.db").contains("# mine"));
    // A book of other origin is not overwritten, one with its journal is.
    fs::copy(folder.path().join("whole.db"), folder.path().join("mine.db")).unwrap();
    assert!(refused(folder.path(), &["make", "-o", "mine.db", "--nodes", "1"]).contains("--force"));
    // The journal belongs to its settings.
    let other = refused(folder.path(), &["make", "-o", "whole.db", "--nodes", "301", "--positions", "80"]);
    assert!(other.contains("300 nodes") && other.contains("another --state"), "{other}");
}

#[test]
fn the_ends_of_a_book_are_searched_until_no_good_move_leads_to_another() {
    // 1g1f is not good enough; of the others each leads to an end.
    let text =
        format!("{HEADER}\n# mine\nsfen {START} 1\n7g7f none 50 9\n2g2f none 49 9\n9g9f none 45 9\n1g1f none 20 9\n");
    let file = BookFile::new("a.db", text);
    let folder = file.folder.path();
    let make = |name: &str, state: &str, positions: &str| {
        let settings = ["--nodes", "400", "--multipv", "1", "--option", "USI_Hash=1", "--positions", positions];
        let book = ["make", "-o", name, "--state", state, "--ends-of", "a.db", "--within", "12"];
        said(folder, &[&book[..], &settings].concat());
        fs::read_to_string(folder.join(name)).unwrap()
    };
    let first = make("first.db", "killed", "2");
    assert_eq!(first.matches("\nsfen ").count(), 3, "{first}");
    let whole = make("whole.db", "state", "100");
    assert!(whole.starts_with(&format!("{HEADER}\n# mine\n")), "{whole}");
    assert_eq!(make("again.db", "state", "100"), whole, "nothing is left to search");
    assert_eq!(make("killed.db", "killed", "100"), whole, "what the first run has searched is not lost");
    // Values of searches stand where there were others; every move that is still good has been searched.
    said(folder, &["minimax", "whole.db", "backed.db", "--within", "12"]);
    let mut position = Position::startpos();
    let book = Book::open(&folder.join("backed.db"), false).unwrap();
    let good = book.probe(&position, Lookup::default()).unwrap();
    for entry in &good {
        position.do_move(entry.mv);
        assert!(!book.probe(&position, Lookup::default()).unwrap().is_empty(), "{} was not searched", entry.mv);
        position.undo_move();
    }
    assert!(good.iter().any(|entry| entry.value.unwrap() < 45), "{good:?}");
    assert!(refused(folder, &["make", "-o", "b.db", "--ends-of", "no.db"]).contains("no.db"));
    assert!(refused(folder, &["make", "-o", "a.db", "--ends-of", "./a.db", "--force"]).contains("another name"));
}
