//! Damaged books: no panic, memory in proportion to the file, one sentence.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;

use hagane::book::{Book, BookMove, Lookup};
use hagane::bookmaker::{Collection, check, minimax};
use hagane::platform::random::Random;
use hagane::position::Position;

use crate::common::play_outs;
use crate::files::{START, apery, db, ybb};
use crate::maker::shogigui;

/// Counts what each thread has allocated, and the most that it ever had.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    MOST.set(MOST.get().max(HELD.get()));
}

// SAFETY: everything is the system's allocator's work; the counters are plain cells that allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the pointer is of `alloc`, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the buffers take in which a file is read, however small it is.
const BUFFERS: isize = 1 << 20;

/// Books of all formats, small.
fn seeds() -> Vec<Vec<u8>> {
    let mut positions = vec![(format!("{START} 1"), vec![BookMove::bare("7g7f".parse().unwrap())])];
    play_outs::visit(12, 5, |position, mv| {
        positions.extend(mv.map(|mv| (position.to_sfen(), vec![BookMove::bare(mv)])))
    });
    positions.sort_by(|a, b| a.0.cmp(&b.0));
    positions.dedup_by(|a, b| a.0 == b.0);
    vec![db(&positions).into_bytes(), ybb(&positions), apery(&positions)]
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len().max(1));
        match random.below(7) {
            _ if bytes.is_empty() => bytes.push(random.next_u64() as u8),
            0 => bytes[at] = random.next_u64() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + random.below(40)).min(bytes.len()))),
            4 => bytes.insert(at, b"\n #/0sfen"[random.below(9)]),
            5 => {
                let part = bytes[at..(at + random.below(60)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            _ => {
                let end = (at + 8).min(bytes.len());
                bytes[at..end].fill(if random.below(2) == 0 { 0xff } else { 0 });
            }
        }
    }
}

fn run(count: usize, seed: u64) {
    let (seeds, mut random) = (seeds(), Random::new(seed));
    let folder = tempfile::tempdir().unwrap();
    let start = Position::startpos();
    let mut opened = 0;
    for number in 0..count {
        let mut bytes = seeds[number % seeds.len()].clone();
        mutate(&mut bytes, &mut random);
        // A new file each time: to cut an old one makes some file systems wait for the disk.
        let path = folder.path().join(number.to_string());
        fs::write(&path, &bytes).unwrap();
        for on_the_fly in [false, true] {
            MOST.set(HELD.get());
            let before = HELD.get();
            let said = match Book::open(&path, on_the_fly) {
                Ok(book) => {
                    opened += 1;
                    book.probe(&start, Lookup::default()).map_or_else(|error| error.to_string(), |_| String::new())
                }
                Err(error) => error.to_string(),
            };
            let most = MOST.get() - before;
            assert!(most < BUFFERS + 64 * bytes.len() as isize, "{most} bytes for a file of {}", bytes.len());
            assert!(said.len() < 300 && !said.contains('\n'), "{said}");
        }
        fs::remove_file(&path).unwrap();
    }
    assert!(opened > count / 2, "most are still books");
}

#[test]
fn damaged_books_are_made_into_others_or_refused() {
    let mut random = Random::new(3);
    let valued = format!("{START} 1\n7g7f 3c3d 35 18\n2g2f none 30 18\nsfen ").repeat(2);
    let text = format!("#YANEURAOU-DB2016 1.00\n# mine\nsfen {valued}{} 2\n8c8d\n", START.replace(" b", " w"));
    let seeds = [text.into_bytes(), seeds().swap_remove(1), shogigui()];
    let folder = tempfile::tempdir().unwrap();
    for number in 0..1500 {
        let mut bytes = seeds[number % seeds.len()].clone();
        mutate(&mut bytes, &mut random);
        let path = folder.path().join(number.to_string());
        fs::write(&path, &bytes).unwrap();
        match Collection::read(&path) {
            Ok((book, faults)) => {
                check::check(&book, &faults);
                let backed = minimax::back_up(&book, Some(10));
                assert_eq!(backed.len(), book.len());
                drop((book.to_db(), backed.to_ybb()));
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn damaged_books_are_read_or_refused() {
    run(5000, 1);
}

#[test]
#[ignore = "half a minute: cargo test --profile fast --test book -- --ignored hundred_thousand"]
fn a_hundred_thousand_damaged_books() {
    run(100_000, 2);
}
