//! Reversi with USI's commands (USI-X). Positions and moves are opaque to the arena; `startpos` is the usual start,
//! moves are `f5` or `pass`. The argument `greedy` takes the most discs, else the first legal square is taken.

use std::io::{BufRead, stdin};

type Board = [[i8; 8]; 8];
const START: Board = {
    let mut board = [[0; 8]; 8];
    (board[3][4], board[4][3], board[3][3], board[4][4]) = (1, 1, -1, -1);
    board
};

/// How many discs a move turns, turning them.
fn turn(board: &mut Board, row: usize, column: usize, side: i8) -> usize {
    if board[row][column] != 0 {
        return 0;
    }
    let mut total = 0;
    for (dr, dc) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let at = |n: i32| (row as i32 + dr * n, column as i32 + dc * n);
        let value = |n: i32| match at(n) {
            (r @ 0..8, c @ 0..8) => board[r as usize][c as usize],
            _ => 0,
        };
        let run = (1..8).take_while(|&n| value(n) == -side).count() as i32;
        if run > 0 && value(run + 1) == side {
            for (r, c) in (1..=run).map(at) {
                board[r as usize][c as usize] = side;
            }
            total += run as usize;
        }
    }
    if total > 0 {
        board[row][column] = side;
    }
    total
}

fn moves(board: &Board, side: i8) -> Vec<(usize, String)> {
    let mut list = Vec::new();
    for square in 0..64 {
        let gain = turn(&mut board.clone(), square / 8, square % 8, side);
        if gain > 0 {
            let file = char::from(b'a' + (square % 8) as u8);
            list.push((gain, format!("{file}{}", square / 8 + 1)));
        }
    }
    list
}

fn answer(line: &str, greedy: bool) -> String {
    let (mut board, mut side) = (START, 1);
    for token in line.split(" moves ").nth(1).unwrap_or("").split_whitespace() {
        if let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *token.as_bytes() {
            turn(&mut board, usize::from(rank - b'1'), usize::from(file - b'a'), side);
        }
        side = -side;
    }
    let own = moves(&board, side);
    if own.is_empty() {
        if !moves(&board, -side).is_empty() {
            return "pass".to_owned();
        }
        let discs: i32 = board.iter().flatten().map(|&disc| i32::from(disc * side)).sum();
        return ["resign", "draw", "win"][(discs.signum() + 1) as usize].to_owned();
    }
    let best = if greedy { own.iter().max_by_key(|(gain, _)| gain) } else { own.first() };
    best.map_or(String::new(), |(_, name)| name.clone())
}

fn main() {
    let greedy = std::env::args().any(|argument| argument == "greedy");
    let mut position = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("usi") => println!("id name Reversi\nusiok"),
            Some("isready") => println!("readyok"),
            Some("position") => position = line,
            Some("go") => println!("bestmove {}", answer(&position, greedy)),
            Some("quit") => return,
            _ => {}
        }
    }
}
