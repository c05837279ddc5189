//! Training: the record formats, shards, generation and the trainer, from end to end.

mod fitting;
mod generation;
mod labels;
mod networks;
#[cfg(unix)]
mod recipe;
mod records;
mod terms;

use std::path::{Path, PathBuf};

use hagane::hand_crafted::evaluate;
use hagane::position::Position;
use hagane::training::data::game::Game;
use hagane::training::data::manifest::{GenerateSettings, StartShares};
use hagane::training::data::shard;
use hagane::training::selfplay::generate;
use hagane::training::selfplay::play::play;
use hagane::training::selfplay::player::Player;
use hagane::types::{Move, Score};

/// Plays the move with the best hand-crafted evaluation after it.
#[derive(Default)]
struct Greedy {
    nodes: u64,
}

impl Player for Greedy {
    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)> {
        let mut position = position.clone();
        let mut best: Option<(Move, Score)> = None;
        for &mv in among {
            self.nodes += 1;
            position.do_move(mv);
            let score = -evaluate(&position);
            position.undo_move();
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((mv, score));
            }
        }
        best
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

fn settings() -> GenerateSettings {
    GenerateSettings {
        seed: 5,
        games_per_shard: 10,
        shares: StartShares { branch_off: 0.0, handicap: 0.25, entering_king: 0.35, sound: 0.2, castles: 0.1 },
        longest: 120,
        ..GenerateSettings::default()
    }
}

/// Games `0..games` on some threads; the display ends the run after `most` games.
fn generate_some(folder: &Path, games: u64, threads: usize, most: u64) {
    let players = (0..threads).map(|_| Box::<Greedy>::default() as Box<dyn Player>).collect();
    let mut finished = 0;
    generate::run(folder, games, &settings(), "greedy", players, |_| {
        finished += 1;
        finished < most
    })
    .expect("generates");
}

fn some_games() -> Vec<Game> {
    let mut player = Greedy::default();
    (0..12).map(|number| play(number, &settings(), &[], &mut player)).collect()
}

/// Whether `hagane train` succeeds in a folder, and what it says.
fn train(folder: &Path, arguments: &str) -> (bool, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hagane"))
        .current_dir(folder)
        .arg("train")
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

fn all_bytes(files: &[PathBuf]) -> Vec<u8> {
    files.iter().flat_map(|file| std::fs::read(file).unwrap()).collect()
}

/// Some games twice: in the files a.shard and b.shard of a folder.
fn two_shards(folder: &Path, games: &[Game]) -> [PathBuf; 2] {
    let bytes = shard::encode(games).unwrap();
    ["a.shard", "b.shard"].map(|name| {
        let path = folder.join(name);
        std::fs::write(&path, &bytes).unwrap();
        path
    })
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}
