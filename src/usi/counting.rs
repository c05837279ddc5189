//! `perft` and `bench`, on a thread of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use std::{io, thread};

use crossbeam_channel::Sender;
use rayon::prelude::*;

use super::Dialect;
use super::event::Event;
use crate::engine::bench;
use crate::position::{Position, perft};
use crate::types::Move;

/// What to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Lines of legal moves of this length.
    Perft(u32),
    /// Nodes of the benchmark.
    Bench,
}

/// Counts on a thread of its own; the result arrives as events, [`Event::Counted`] last. `stop` ends a perft early.
pub(super) fn spawn(
    count: Count,
    position: &Position,
    dialect: Dialect,
    stop: Arc<AtomicBool>,
    events: Sender<Event>,
) -> io::Result<()> {
    let position = position.clone();
    let work = move || {
        // Sending fails only after the session has ended.
        let send = |text: String| drop(events.send(Event::Text(text)));
        match count {
            Count::Perft(depth) => count_moves(&position, depth, dialect, &stop, send),
            Count::Bench => {
                let result =
                    bench::run(&bench::BenchSetup::default(), |number, outcome| send(format!("{number}: {outcome}")));
                send(result.map_or_else(|error| error.to_string(), |all| format!("Bench: {}", all.nodes)));
            }
        }
        drop(events.send(Event::Counted));
    };
    thread::Builder::new().name("counting".into()).spawn(work).map(|_| ())
}

fn count_moves(position: &Position, depth: u32, dialect: Dialect, stop: &AtomicBool, send: impl Fn(String)) {
    let start = Instant::now();
    let counts: Vec<(Move, u64)> = position
        .legal_moves()
        .par_iter()
        .map_with(position.clone(), |position, &mv| {
            position.do_move(mv);
            let nodes = perft_until(position, depth.saturating_sub(1), stop);
            position.undo_move();
            (mv, nodes)
        })
        .collect();
    if stop.load(Ordering::Relaxed) {
        return send("stopped".into());
    }
    for (mv, nodes) in &counts {
        send(format!("{}: {nodes}", dialect.spell(*mv)));
    }
    let nodes: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    let nps = nodes as f64 / start.elapsed().as_secs_f64().max(1e-9);
    send(format!("{nodes} nodes, {nps:.0} a second"));
}

/// Perft that ends soon after `stop` is set; the last four plies take milliseconds.
fn perft_until(position: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    if depth <= 4 {
        return perft(position, depth);
    }
    let mut nodes = 0;
    for &mv in &position.legal_moves() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        position.do_move(mv);
        nodes += perft_until(position, depth - 1, stop);
        position.undo_move();
    }
    nodes
}
