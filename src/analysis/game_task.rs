//! One game of a file on one engine; a failing engine is restarted.

use std::time::{Duration, Instant};

use super::Analyser;
use super::input_file::InputFile;
use super::plan::AnalysisEvent;
use crate::client::ClientError;
use crate::position::Position;
use crate::record::{NodeId, Record};

/// Interval at which a file under analysis is saved with what is done so far.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Engine failures after which a game is given up.
const FAILURES: usize = 3;

/// Why a game was not analysed to its end.
pub(super) enum Failure {
    /// The interrupt fired.
    Interrupted,
    /// The engine failed and could not be started again.
    Engine(String),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Interrupted => Self::Interrupted,
            error => Self::Engine(error.to_string()),
        }
    }
}

/// A game to analyse.
pub(super) struct GameTask<'a> {
    file: &'a InputFile,
    game: usize,
    nodes: &'a [NodeId],
    /// The game before the analysis, once it has begun.
    base: Option<Record>,
    /// How many of the nodes have been counted as analysed.
    counted: usize,
}

impl<'a> GameTask<'a> {
    /// The games of a file that have positions to analyse.
    pub(super) fn all_of(file: &'a InputFile) -> impl Iterator<Item = Self> {
        file.todo.iter().map(move |(game, nodes)| Self { file, game: *game, nodes, base: None, counted: 0 })
    }

    /// Analyses the game and returns the engine if it still works. An engine that fails is restarted, and the position
    /// that it failed at is skipped. One that cannot be restarted leaves the game to another, which begins it anew: its
    /// results are then those that a single engine would have had.
    pub(super) fn run(
        &mut self,
        mut analyser: Analyser,
        restart: &dyn Fn() -> Result<Analyser, Failure>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Result<Analyser, Failure> {
        let begin = Instant::now();
        // Only comments change, so the engine can work on a copy while other games of the file go on.
        if self.base.is_none() {
            let state = self.file.state.lock();
            self.base = state.document.as_ref().and_then(|document| document.games.get(self.game).cloned());
        }
        let Some(record) = self.base.take() else {
            return Ok(analyser);
        };
        let mut nodes = self.nodes.iter();
        let mut notes = Vec::new();
        let outcome = loop {
            let before = analyser.search_time();
            let result = self.analyse_nodes(&mut analyser, &record, &mut nodes, progress);
            self.file.state.lock().search_time += analyser.search_time() - before;
            let error = match result {
                Ok(()) => break Ok(analyser),
                Err(ClientError::Interrupted) => break Err(Failure::Interrupted),
                Err(error) => error,
            };
            analyser = match restart() {
                Ok(analyser) => analyser,
                Err(Failure::Interrupted) => break Err(Failure::Interrupted),
                // What made it fail first tells more than that it is gone.
                Err(_) => break Err(error.into()),
            };
            let gives_up = notes.len() + 1 == FAILURES;
            let reached = self.nodes.len() - nodes.len();
            let ply = reached.checked_sub(1).map_or(0, |at| record.ply(self.nodes[at]));
            let game = match self.file.todo.len() {
                0 | 1 => String::new(),
                _ => format!(" of game {}", self.game + 1),
            };
            let rest = match gives_up {
                true => "; the rest of the game is left out",
                false => "",
            };
            notes.push(format!("failed at move {ply}{game}: {error}{rest}"));
            if gives_up {
                break Ok(analyser);
            }
        };
        self.base = Some(record);
        let mut state = self.file.state.lock();
        state.elapsed += begin.elapsed();
        if !matches!(outcome, Err(Failure::Engine(_))) {
            state.failures += notes.len();
            state.notes.append(&mut notes);
            state.games_left -= 1;
            if state.games_left == 0 && state.unsaved_since.is_some() {
                state.save(&self.file.job);
            }
        }
        drop(state);
        outcome
    }

    /// Analyses the remaining nodes.
    fn analyse_nodes(
        &mut self,
        analyser: &mut Analyser,
        record: &Record,
        nodes: &mut std::slice::Iter<NodeId>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Result<(), ClientError> {
        let Ok(annotator) = &self.file.annotator else {
            return Ok(());
        };
        analyser.new_game()?;
        while let Some(&id) = nodes.next() {
            let Some(position) = position_at(record, id) else {
                continue;
            };
            let lines = analyser.analyse(&record.start.to_sfen(), &position)?;
            let mut state = self.file.state.lock();
            if let Some(document) = &mut state.document {
                let game = &mut document.games[self.game];
                // Where another engine has been before, its lines go.
                game.node_mut(id).comments.clone_from(&record.node(id).comments);
                annotator.write(game, id, &lines);
            }
            let reached = self.nodes.len() - nodes.len();
            let is_new = reached > self.counted;
            self.counted = self.counted.max(reached);
            state.analyzed += usize::from(is_new);
            let unsaved_since = *state.unsaved_since.get_or_insert_with(Instant::now);
            if unsaved_since.elapsed() > SAVE_EVERY {
                state.save(&self.file.job);
            }
            drop(state);
            if is_new {
                progress(AnalysisEvent::Position);
            }
        }
        Ok(())
    }
}

/// The position at a node, with its history.
pub(super) fn position_at(record: &Record, id: NodeId) -> Option<Position> {
    let mut position = record.start_position().ok()?;
    for mv in record.moves_to(id) {
        if !position.is_legal(mv) {
            return None;
        }
        position.do_move(mv);
    }
    Some(position)
}
