//! Nodes per second of the search beside other engines: the same positions in turns, processor time (on Linux; elsewhere
//! by the clock).
//!
//! `cargo bench --bench search -- NODES ROUNDS ENGINE...`; each ENGINE is a program and its options in quotes, the first
//! is compared with the others, and `hagane` is this build:
//!
//! ```sh
//! cargo bench --bench search -- 500000 5 "hagane EvalFile=/nets/nn.bin FV_SCALE=24" \
//!     "/engines/YaneuraOu EvalDir=/nets FV_SCALE=24"
//! ```
//!
//! Eight positions of games, from the opening to the endgame, are searched from an empty table of 256 MiB by one thread.
//! Without arguments: 500,000 nodes, five rounds, this build alone with its own network. In games, where tables are full
//! and positions follow one another, `hagane arena` prints each engine's nodes a second.

mod peers;

use std::time::{Duration, Instant};

use hagane::client::{Client, ClientError};
use hagane::engine::bench::BenchSetup;

use peers::{Peer, arguments, engine_time, number, spread, turns};

/// Table in MiB.
const HASH: u32 = 256;
/// The longest that a search is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

fn main() {
    let arguments = arguments();
    let (nodes, rounds, engines) = match arguments.as_slice() {
        [] => (500_000, 5, vec!["hagane".to_owned()]),
        [nodes, rounds, engines @ ..] if !engines.is_empty() => {
            (number("NODES", nodes), number("ROUNDS", rounds) as usize, engines.to_vec())
        }
        _ => panic!("expected NODES ROUNDS ENGINE..."),
    };
    // The first five positions of the benchmark are starts and curiosities.
    let positions = &BenchSetup::default().positions[5..13];
    let peers = Peer::all(&engines, HASH);
    let mut clients: Vec<Client> =
        peers.iter().map(|peer| peer.start().unwrap_or_else(|error| panic!("{error}"))).collect();
    let mut speeds = vec![Vec::new(); peers.len()];
    for round in 0..rounds {
        let mut sums = vec![(0, Duration::ZERO); peers.len()];
        for sfen in positions {
            for at in turns(round, peers.len()) {
                let name = &peers[at].name;
                let (searched, time) =
                    search(&mut clients[at], sfen, nodes).unwrap_or_else(|error| panic!("{name}: {error}"));
                // A search that ends early is another one.
                assert!(searched >= nodes / 10 * 9, "{name}: {searched} nodes instead of {nodes} in {sfen}");
                sums[at].0 += searched;
                sums[at].1 += time;
            }
        }
        for (at, (nodes, time)) in sums.into_iter().enumerate() {
            speeds[at].push(nodes as f64 / time.as_secs_f64());
        }
        let line =
            peers.iter().zip(&speeds).map(|(peer, speeds)| format!("{}: {:.0} nodes/s", peer.name, speeds[round]));
        println!("{}", line.collect::<Vec<_>>().join("   "));
    }
    for (peer, others) in peers.iter().zip(&speeds) {
        let ratios: Vec<f64> = speeds[0].iter().zip(others).map(|(own, other)| own / other).collect();
        let (least, median, most) = spread(&ratios);
        println!(
            "{}: {:.0} nodes/s (median); the first engine makes {median:.3} of it ({least:.3} to {most:.3})",
            peer.name,
            spread(others).1
        );
    }
}

/// Nodes and time of a search from an empty table. Some engines empty it for a new game, others when they are asked
/// whether they are ready, and an answer to the latter says that it is done.
fn search(client: &mut Client, sfen: &str, nodes: u64) -> Result<(u64, Duration), ClientError> {
    client.new_game()?;
    client.ready()?;
    client.position(&format!("sfen {sfen}"))?;
    let start = Instant::now();
    let before = engine_time(client, start);
    client.go(&format!("nodes {nodes}"))?;
    let answer = client.answer(PATIENCE)?;
    let time = engine_time(client, start).saturating_sub(before);
    Ok((answer.and_then(|answer| answer.info.nodes).unwrap_or(0), time))
}
