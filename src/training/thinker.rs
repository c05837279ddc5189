//! The engine's own search as the player of self-play games.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::prelude::*;

use super::generate::{GenerateError, Settings, Thinker};
use super::placement::Placement;
use crate::clock::Budget;
use crate::mate;
use crate::nnue::{self, Network};
use crate::position::{EnteringKingRule, Position};
use crate::search::{
    Control, Evaluator, Limits, Listener, Progress, RootMove, Rules, SearchOptions, SearchRequest, Worker,
};
use crate::tt::TranspositionTable;
use crate::types::{MAX_DEPTH, Move, Score};

/// How far over the wanted number of nodes an iteration may run.
const HARD_FACTOR: u64 = 8;

/// The table of a mate search, in MB.
const SOLVER_MB: usize = 1;

/// One search thread with its own small table.
pub struct Searcher {
    evaluator: Evaluator,
    worker: Worker,
    table: Arc<TranspositionTable>,
    /// Nodes after which no further iteration is begun.
    soft_nodes: u64,
    limits: Limits,
    nodes: u64,
    /// The principal variation of the last search.
    line: Vec<Move>,
    longest: u32,
    /// Nodes of a mate search, 0 for none.
    mates: u64,
    /// For Black and for White as attackers; what they know is of one game. None where no mates are searched.
    solvers: Option<[mate::Solver; 2]>,
}

impl Searcher {
    /// A searcher for these settings and an evaluation.
    pub fn new(settings: &Settings, evaluator: Evaluator) -> Result<Self, GenerateError> {
        let table =
            TranspositionTable::new(settings.hash.max(1)).map_err(|error| GenerateError::Setup(error.to_string()))?;
        let limits = Limits {
            depth: if settings.depth > 0 { settings.depth.min(MAX_DEPTH) } else { MAX_DEPTH },
            nodes: settings.nodes.saturating_mul(HARD_FACTOR),
            ..Limits::default()
        };
        Ok(Self {
            evaluator,
            worker: Worker::new(0),
            table: Arc::new(table),
            soft_nodes: settings.nodes,
            limits,
            nodes: 0,
            line: Vec::new(),
            longest: settings.longest as u32,
            mates: settings.mates,
            solvers: solvers(settings.mates),
        })
    }

    /// The best of some legal moves with their scores for the side to move, the very best first: `count` of them or
    /// all.
    pub fn best(&mut self, position: &Position, among: &[Move], count: usize) -> Vec<(Move, Score)> {
        if among.is_empty() {
            self.line.clear();
            return Vec::new();
        }
        let side = position.side_to_move();
        let control = Arc::new(Control::new(Instant::now(), Budget::UNLIMITED, false, false));
        let soft_nodes = self.soft_nodes;
        let switch = Arc::clone(&control);
        // Every report is that of a finished iteration: the place to end at a soft limit.
        let listener: Listener = Arc::new(move |progress| {
            if let Progress::Line(line) = progress
                && line.nodes >= soft_nodes
            {
                switch.halt();
            }
        });
        self.table.new_search();
        let request = SearchRequest {
            position: position.clone(),
            root_moves: among.to_vec(),
            limits: self.limits.clone(),
            options: SearchOptions { multi_pv: count, ..SearchOptions::default() },
            rules: Rules::new(EnteringKingRule::CSARule27, self.longest, side, Score::ZERO),
            evaluator: self.evaluator.clone(),
            table: Arc::clone(&self.table),
            control,
            counters: SearchRequest::counters(1),
            listener,
        };
        let outcome = self.worker.search(&request);
        self.nodes += request.nodes();
        self.line = outcome.root_moves.first().map_or(Vec::new(), RootMove::line);
        let best = outcome.root_moves.iter().take(count);
        best.map(|root| (root.mv, root.known_score())).collect()
    }
}

/// Who values positions.
#[derive(Clone, Copy, Debug)]
pub enum Valuer<'a> {
    /// The network built into the program, or the evaluation made by hand where there is none.
    BuiltIn,
    /// A network file.
    File(&'a Path),
    /// The evaluation made by hand, which starts the training.
    HandCrafted,
}

/// The evaluation of a valuer, with its name for manifests: the built-in network has that of the file it was built
/// from.
///
/// # Errors
/// A file that cannot be read or is no network.
pub fn evaluation(valuer: Valuer<'_>) -> Result<(Evaluator, String), GenerateError> {
    let setup = |name: &Path, error: String| GenerateError::Setup(format!("{}: {error}", name.display()));
    let (bytes, name) = match (valuer, nnue::embedded_bytes()) {
        (Valuer::File(path), _) => {
            let bytes = Network::bytes(path).map_err(|error| setup(path, error.to_string()))?;
            (Cow::Owned(bytes), path)
        }
        (Valuer::BuiltIn, Some(bytes)) => (Cow::Borrowed(bytes), Path::new("the built-in network")),
        (Valuer::BuiltIn, None) | (Valuer::HandCrafted, _) => {
            return Ok((Evaluator::HandCrafted, "made by hand".to_owned()));
        }
    };
    let network = Network::from_bytes(&bytes).map_err(|error| setup(name, error.to_string()))?;
    Ok((Evaluator::Network(Arc::new(network)), format!("network {}", nnue::sha256(&bytes))))
}

/// What an evaluation says of positions in centipawns for their side to move, by itself or, with a number of nodes, in
/// a search.
///
/// # Errors
/// Positions against the rules.
pub fn values(evaluator: &Evaluator, positions: &[Placement], nodes: u64) -> Result<Vec<i32>, GenerateError> {
    let settings = Settings { nodes, hash: 1, ..Settings::default() };
    let chunks: Vec<Vec<i32>> = positions
        .par_chunks(256)
        .map(|chunk| {
            let mut searcher = match nodes {
                0 => None,
                _ => Some(Searcher::new(&settings, evaluator.clone())?),
            };
            let value = |placement: &Placement| {
                let sfen = placement.to_sfen();
                let position =
                    Position::from_sfen(&sfen).map_err(|error| GenerateError::Setup(format!("{sfen}: {error}")))?;
                let Some(searcher) = &mut searcher else {
                    return Ok(evaluator.evaluate(&position).0);
                };
                searcher.new_game();
                let thought = searcher.think(&position);
                Ok(thought.map_or(-Score::MATE.0, |(_, score)| score.0))
            };
            chunk.iter().map(value).collect()
        })
        .collect::<Result<_, GenerateError>>()?;
    Ok(chunks.concat())
}

/// The same of a network file.
///
/// # Errors
/// A file that is no network; positions against the rules.
pub fn network_values(network: &Path, positions: &[Placement], nodes: u64) -> Result<Vec<i32>, GenerateError> {
    let (evaluator, _) = evaluation(Valuer::File(network))?;
    values(&evaluator, positions, nodes)
}

/// Solvers that know nothing yet, where they may search nodes.
fn solvers(nodes: u64) -> Option<[mate::Solver; 2]> {
    (nodes > 0).then(|| [(); 2].map(|()| mate::Solver::new(SOLVER_MB)))
}

impl Thinker for Searcher {
    fn new_game(&mut self) {
        self.worker.forget();
        self.table.clear(1);
        self.solvers = solvers(self.mates);
    }

    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)> {
        self.best(position, among, 1).into_iter().next()
    }

    fn mates(&mut self, position: &Position) -> bool {
        let Some(solvers) = &mut self.solvers else {
            return false;
        };
        let settings = mate::MateSettings { nodes: Some(self.mates), ..mate::MateSettings::default() };
        let solver = &mut solvers[position.side_to_move().index()];
        let solution = solver.solve(position, &settings, &AtomicBool::new(false), &mut |_| {});
        self.nodes += solution.nodes;
        matches!(solution.verdict, mate::MateVerdict::Mate(_))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn line(&self) -> &[Move] {
        &self.line
    }

    fn table(&self) -> Option<&TranspositionTable> {
        Some(&self.table)
    }
}
