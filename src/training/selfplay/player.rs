//! Who chooses the moves of self-play: the engine's own search, or anything else in tests.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::clock::Budget;
use crate::nnue::{self, Network};
use crate::platform::sha256::sha256;
use crate::position::{EnteringKingRule, Position};
use crate::search::{Control, Evaluator, Limits, Listener, Progress, Rules, SearchOptions, SearchRequest, Worker};
use crate::tt::TranspositionTable;
use crate::types::{MAX_DEPTH, Move, Score};

/// How far over the wanted number of nodes an iteration may run.
const HARD_FACTOR: u64 = 8;

/// Why there is no player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The memory of the transposition table cannot be had.
    #[error("the transposition table cannot be allocated: {0}")]
    Table(String),
    /// A network cannot be used.
    #[error("{path}: {what}")]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// Chooses moves.
pub trait Player: Send {
    /// Forgets everything learnt in the last game.
    fn new_game(&mut self);
    /// The best of some legal moves and its score for the side to move; `None` if there are none.
    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)>;
    /// The best of all legal moves and its score for the side to move; `None` if there is no legal move.
    fn think(&mut self, position: &Position) -> Option<(Move, Score)> {
        self.choose(position, &position.legal_moves())
    }
    /// Nodes searched since it was made.
    fn nodes(&self) -> u64;
    /// The transposition table of its searches, if it has one.
    fn table(&self) -> Option<&TranspositionTable> {
        None
    }
}

/// How a [`SearchPlayer`] searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// Nodes after which no further iteration is begun.
    pub nodes: u64,
    /// The transposition table, in MB.
    pub hash: usize,
    /// A game is a draw after this many plies.
    pub longest: usize,
}

/// One search thread with its own small table.
pub struct SearchPlayer {
    evaluator: Evaluator,
    worker: Worker,
    table: Arc<TranspositionTable>,
    settings: SearchSettings,
    nodes: u64,
}

impl SearchPlayer {
    /// A player with an evaluation.
    ///
    /// # Errors
    /// The table's memory cannot be allocated.
    pub fn new(settings: SearchSettings, evaluator: Evaluator) -> Result<Self, PlayerError> {
        let table =
            TranspositionTable::new(settings.hash.max(1)).map_err(|error| PlayerError::Table(error.to_string()))?;
        Ok(Self { evaluator, worker: Worker::new(0), table: Arc::new(table), settings, nodes: 0 })
    }

    /// The best of some legal moves with their scores for the side to move, the best first: `count` of them or all.
    pub fn best(&mut self, position: &Position, among: &[Move], count: usize) -> Vec<(Move, Score)> {
        if among.is_empty() {
            return Vec::new();
        }
        let SearchSettings { nodes, longest, .. } = self.settings;
        let side = position.side_to_move();
        let control = Arc::new(Control::new(Instant::now(), Budget::UNLIMITED, false, false));
        let switch = Arc::clone(&control);
        // Every report is that of a finished iteration: the place to end at a soft limit.
        let listener: Listener = Arc::new(move |progress| {
            if let Progress::Line(line) = progress
                && line.nodes >= nodes
            {
                switch.halt();
            }
        });
        self.table.new_search();
        let request = SearchRequest {
            position: position.clone(),
            root_moves: among.to_vec(),
            limits: Limits { depth: MAX_DEPTH, nodes: nodes.saturating_mul(HARD_FACTOR), ..Limits::default() },
            options: SearchOptions { multi_pv: count, ..SearchOptions::default() },
            rules: Rules::new(EnteringKingRule::CSARule27, longest as u32, side, Score::ZERO),
            evaluator: self.evaluator.clone(),
            table: Arc::clone(&self.table),
            control,
            node_counters: SearchRequest::node_counters(1),
            listener,
        };
        let outcome = self.worker.search(&request);
        self.nodes += request.nodes();
        let best = outcome.root_moves.iter().take(count);
        best.map(|root| (root.mv, root.known_score())).collect()
    }
}

impl Player for SearchPlayer {
    fn new_game(&mut self) {
        self.worker.clear();
        self.table.clear(1);
    }

    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)> {
        self.best(position, among, 1).into_iter().next()
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn table(&self) -> Option<&TranspositionTable> {
        Some(&self.table)
    }
}

/// Which evaluation a player has.
#[derive(Clone, Copy, Debug)]
pub enum EvaluationChoice<'a> {
    /// The network built into the program, or the hand-crafted evaluation where there is none.
    BuiltIn,
    /// A network file.
    File(&'a Path),
    /// The hand-crafted evaluation, which starts the training.
    HandCrafted,
}

/// The evaluation, and its name for manifests: the built-in network has that of the file it was built from.
///
/// # Errors
/// A file that cannot be read or is no network.
pub fn evaluation(choice: EvaluationChoice<'_>) -> Result<(Evaluator, String), PlayerError> {
    let wrong = |path: &Path, error: nnue::NetworkError| PlayerError::Network {
        path: path.to_owned(),
        what: error.to_string(),
    };
    let (bytes, path) = match (choice, nnue::embedded_bytes()) {
        (EvaluationChoice::File(path), _) => {
            (Cow::Owned(Network::bytes(path).map_err(|error| wrong(path, error))?), path)
        }
        (EvaluationChoice::BuiltIn, Some(bytes)) => (Cow::Borrowed(bytes), Path::new("the built-in network")),
        _ => return Ok((Evaluator::HandCrafted, "hand-crafted".to_owned())),
    };
    let network = Network::from_bytes(&bytes).map_err(|error| wrong(path, error))?;
    Ok((Evaluator::network(network), format!("network {}", sha256(&bytes))))
}
