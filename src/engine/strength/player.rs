//! A player of a level: what the leader asks instead of its workers.

use std::sync::Arc;

use crate::search::{Line, Progress, SearchRequest, Worker};
use crate::tt::TranspositionTable;
use crate::types::{Bound, Depth, Move, Score};

use super::choice::{DECIDED, choose, dice, is_pointless, is_recapture};
use super::finish::mate_within;
use super::judgement::Judgement;
use super::level::Level;
use super::shape::settle;
use super::sight::{Seen, Sight};
use super::style::opening;

/// The upper levels' table in MiB: enough for their nodes.
const MEGABYTES: usize = 16;
/// By what part of their nodes the upper levels' moves differ: by nothing else do games differ with the seed.
const UNEVEN: f64 = 0.5;

/// What a level plays.
pub(in crate::engine) struct Played {
    /// The line of the move, which begins with it.
    pub(in crate::engine) line: Line,
    /// Everybody sees it at once.
    pub(in crate::engine) obvious: bool,
}

/// What the upper levels search with; made when first needed, and as new for each search.
#[derive(Default)]
pub(in crate::engine) struct Player {
    strong: Option<(Box<Worker>, Arc<TranspositionTable>)>,
}

impl Player {
    /// Chooses a move and reports its line. The request's limits bind the level too. `None` only where the memory for a
    /// search is refused.
    pub(in crate::engine) fn play(&mut self, level: &Level, seed: u64, request: SearchRequest) -> Option<Played> {
        if level.is_strong() { self.search(level, seed, request) } else { Some(look(level, seed, &request)) }
    }

    /// The engine's own search, within the level's nodes.
    fn search(&mut self, level: &Level, seed: u64, mut request: SearchRequest) -> Option<Played> {
        let (worker, table) = match &mut self.strong {
            Some(strong) => strong,
            none => none.insert((Box::new(Worker::new(0)), Arc::new(TranspositionTable::new(MEGABYTES).ok()?))),
        };
        table.clear(1);
        table.new_search();
        worker.clear();
        request.table = Arc::clone(table);
        let uneven = 1.0 + UNEVEN * (2.0 * dice(&request.position, seed, 4) - 1.0);
        request.limits.nodes = request.limits.nodes.min((level.nodes * uneven) as u64);
        request.node_counters = SearchRequest::node_counters(1);
        let mut line = worker.search(&request).lines.into_iter().next()?;
        let pointless = |&mv: &Move| is_pointless(&request.position, mv, line.score);
        if line.pv.first().is_some_and(pointless) {
            // Checks that lose a piece each put a mate off beyond the search's sight: once more without them.
            let rest: Vec<Move> = request.root_moves.iter().copied().filter(|mv| !pointless(mv)).collect();
            if !rest.is_empty() {
                request.root_moves = rest;
                request.node_counters = SearchRequest::node_counters(1);
                worker.clear();
                line = worker.search(&request).lines.into_iter().next().unwrap_or(line);
            }
        }
        let obvious = is_obvious(&request, &line);
        Some(Played { line, obvious })
    }
}

/// The level's own look, and its choice.
fn look(level: &Level, seed: u64, request: &SearchRequest) -> Played {
    let position = &request.position;
    let level = &level.calmed(opening(position));
    let mate = |plies| {
        let line = if request.rules.mate_counts(position) { mate_within(position, plies) } else { None };
        line.filter(|line| request.root_moves.contains(&line[0]))
    };
    let judgement = Judgement::new(level, &request.evaluator, position, seed);
    let mut sight = Sight::new(level, judgement, &request.rules, &request.control, seed, position.clone());
    sight.node_limit = sight.node_limit.min(request.limits.nodes);
    let (chosen, depth) = match mate(level.mate) {
        Some(line) => (mating(&line), line.len() as Depth),
        None => {
            let (seen, reached) = sight.look(&request.root_moves, level.depth.min(request.limits.depth));
            // A won game is finished.
            let told = sight.judgement.told(seen[0].score);
            let is_won = told.0 > DECIDED;
            let finish = if is_won { mate(level.mate + 2) } else { None };
            let own = || {
                let chosen = choose(level, position, &seen, told, seed);
                seen[settle(level, &request.evaluator, position, &seen, chosen, told, seed)].clone()
            };
            let chosen = finish.map_or_else(own, |line| mating(&line));
            (chosen, reached.max(1))
        }
    };
    let line = Line {
        depth,
        seldepth: chosen.answers.len() + 1,
        multipv: 1,
        score: sight.judgement.told(chosen.score),
        bound: Bound::Exact,
        nodes: sight.nodes,
        hashfull: 0,
        time: request.control.elapsed(),
        pv: [&[chosen.mv], chosen.answers.as_slice()].concat(),
    };
    (request.listener)(Progress::Line(line.clone()));
    let obvious = is_obvious(request, &line);
    Played { line, obvious }
}

fn mating(line: &[Move]) -> Seen {
    Seen { mv: line[0], score: Score::mate_in(line.len()), answers: line[1..].to_vec() }
}

/// Whether everybody sees the move at once: the only one, a mate, a recapture.
fn is_obvious(request: &SearchRequest, line: &Line) -> bool {
    let recapture = line.pv.first().is_some_and(|&mv| is_recapture(&request.position, mv));
    request.root_moves.len() == 1 || recapture || line.score.is_win()
}
