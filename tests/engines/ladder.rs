//! A solo game with USI's commands: numbers from 1 to 99 are dealt one at a time and placed on the ten rungs of a
//! ladder in ascending order. The game ends when a number cannot be placed; the score is the number of those placed.
//!
//! `source SEED` is the token source; `engine middle` puts each number where it belongs by its size, `engine first` on
//! the first rung that fits.

use std::io::{BufRead, stdin};

type Ladder = [Option<u32>; 10];

fn fits(ladder: &Ladder, rung: usize, number: u32) -> bool {
    ladder[rung].is_none()
        && ladder[..rung].iter().flatten().all(|&other| other <= number)
        && ladder[rung..].iter().flatten().all(|&other| other >= number)
}

fn source(seed: u64) {
    let mut state = seed;
    let mut ladder = Ladder::default();
    let mut lines = stdin().lock().lines().map_while(Result::ok);
    loop {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 33) as u32 % 99 + 1;
        let placed = ladder.iter().flatten().count();
        if !(0..10).any(|rung| fits(&ladder, rung, number)) {
            return println!("gameover {placed}");
        }
        println!("n{number}");
        let Some(rung) = lines.next().and_then(|line| line.strip_prefix('r')?.parse().ok()) else {
            return;
        };
        if rung >= 10 || !fits(&ladder, rung, number) {
            return println!("gameover 0");
        }
        ladder[rung] = Some(number);
    }
}

fn answer(line: &str, by_size: bool) -> String {
    let mut ladder = Ladder::default();
    let mut number = 0;
    for token in line.split(" moves ").nth(1).unwrap_or("").split_whitespace() {
        match token.split_at(1) {
            ("n", value) => number = value.parse().unwrap_or(0),
            ("r", value) => ladder[value.parse().unwrap_or(0)] = Some(number),
            _ => {}
        }
    }
    let ideal = if by_size { number as i32 / 10 } else { 0 };
    (0..10)
        .filter(|&rung| fits(&ladder, rung, number))
        .min_by_key(|&rung| (rung as i32 - ideal).abs())
        .map_or("resign".to_owned(), |rung| format!("r{rung}"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments[0] == "source" {
        return source(arguments[1].parse().expect("a seed"));
    }
    let by_size = arguments[1] == "middle";
    let mut position = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("usi") => println!("id name Ladder\nusiok"),
            Some("isready") => println!("readyok"),
            Some("position") => position = line,
            Some("go") => println!("bestmove {}", answer(&position, by_size)),
            Some("quit") => return,
            _ => {}
        }
    }
}
