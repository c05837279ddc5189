//! The book in the program.

use std::collections::BTreeSet;
use std::path::Path;

use hagane::book::{Book, Lookup};
use hagane::bookmaker::{Collection, check};
use hagane::position::Position;
use hagane::record::Handicap;

use crate::common::client::Client;

fn read() -> Collection {
    let (book, faults) = Collection::read(Path::new("book/hagane.db")).unwrap();
    assert_eq!(faults, []);
    book
}

#[test]
fn the_readable_book_is_the_built_in_one() {
    let book = read();
    assert!(book.to_ybb().0 == std::fs::read("book/hagane.ybb").unwrap(), "hagane book convert makes the .ybb anew");
    assert!(book.to_db() == std::fs::read("book/hagane.db").unwrap(), "hagane book sort changes nothing");
    assert!(book.to_db().len() < 5 << 20, "small enough to be read");
}

#[test]
fn it_is_sound_and_has_what_people_play() {
    let book = read();
    assert!(book.len() >= 5000, "{}", book.len());
    assert_eq!(check::check(&book, &[]).faults, [""; 0]);
    let open = Book::open(Path::new("book/hagane.ybb"), false).unwrap();
    use Handicap::{Bishop, Even, Four, Rook, Six, Two};
    for start in [Even, Bishop, Rook, Two, Four, Six] {
        let position = Position::from_board(&start.diagram(), 1).unwrap();
        let first = open.probe(&position, Lookup::default()).unwrap();
        assert!(!first.is_empty(), "{}", start.name());
        let mut after = position;
        after.do_move(first[0].mv);
        assert!(!open.probe(&after, Lookup::default()).unwrap().is_empty(), "the answer in {}", start.name());
    }
    let sides: BTreeSet<_> = book.positions().map(|(_, entry)| entry.board.side_to_move()).collect();
    assert_eq!(sides.len(), 2);
}

#[test]
fn it_is_used_without_any_setting_and_games_differ() {
    let mut client = Client::start_with_book(Path::new(env!("CARGO_BIN_EXE_hagane")), Path::new("."));
    client.say("setoption name Threads value 1");
    client.say("setoption name USI_Hash value 4");
    client.say("isready");
    let said = client.hear("readyok");
    assert!(said.iter().any(|line| line.starts_with("info string book (built in): ")), "{said:?}");
    client.accepted();
    let mut games = BTreeSet::new();
    for _ in 0..30 {
        let mut moves = String::new();
        for _ in 0..6 {
            client.say(&format!("position startpos moves{moves}"));
            let answer = client.go("go btime 60000 wtime 60000 nodes 1");
            moves += &format!(" {}", answer.choice());
        }
        games.insert(moves);
    }
    assert!(games.len() >= 15, "{games:?}");
    client.quit();
}
