//! Labels: positions of games, as they are or varied by random moves, with the value of a search.
//!
//! Unvaried positions keep their game's result and the order of its moves: a pile of shards is relabelled by a newer
//! network that way. Varied ones show positions that games do not reach: a search looks mostly at bad moves, and games
//! contain good ones only. Both can bring along the positions of the searches' trees ([`tree_strap`]).

pub mod output;
pub mod tree_strap;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use self::output::{LabelError, LabelSettings};
use self::tree_strap::TreeStrap;
use super::data::record::{Labelled, Psv};
use super::data::shard::Shard;
use super::selfplay::player::{Player, PlayerError};
use crate::platform::random::Random;
use crate::position::Position;
use crate::types::{Move, Score};

/// After this many captures, promotions and evasions in a row a position is given up as not quiet.
const FORCED_MOVES: usize = 4;

/// Values positions by searches.
pub struct Labeller<P> {
    quick: P,
    thorough: P,
    tree_strap: TreeStrap,
}

impl<P: Player> Labeller<P> {
    /// A labeller whose `thorough` player gives the values; `quick` only finds the moves that are forced.
    pub fn new(quick: P, thorough: P) -> Self {
        Self { quick, thorough, tree_strap: TreeStrap::default() }
    }

    fn new_game(&mut self) {
        self.quick.new_game();
        self.thorough.new_game();
        self.tree_strap.forget();
    }

    /// The value of a position and its best move, after the moves that the position forces: while the best move
    /// captures, promotes or answers a check it is made. A network is asked about quiet positions only, and what hangs
    /// after a random move is gone then. `None` where the line ends before it is quiet.
    fn quiet(&mut self, position: &mut Position) -> Option<(Move, Score)> {
        for _ in 0..=FORCED_MOVES {
            let (mut best, _) = self.quick.think(position)?;
            if is_quiet(position, best) {
                let (mv, score) = self.thorough.think(position)?;
                if is_quiet(position, mv) {
                    return Some((mv, score));
                }
                best = mv;
            }
            position.do_move(best);
        }
        None
    }

    /// The positions of the last search's tree; see [`TreeStrap::read`].
    fn tree(&mut self, position: &Position, settings: &LabelSettings) -> Vec<Labelled> {
        match self.thorough.table().filter(|_| settings.tree_strap > 0) {
            Some(table) => self.tree_strap.read(table, position, settings.tree_strap),
            None => Vec::new(),
        }
    }
}

/// Whether a position with this best move is one whose static value a search relies on.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_capture(best) && !best.is_promotion()
}

/// Labels the positions of shards: a file of records in `folder` for each shard (see [`output`]). `each` is told how
/// many of how many files are done, and the records of this run. Returns how many records there are of these shards.
///
/// # Errors
/// Damaged shards, a player that cannot be had, a folder that cannot be written or that holds labels of other settings
/// or shards.
pub fn label<P: Player>(
    sources: &[PathBuf],
    settings: &LabelSettings,
    folder: &Path,
    labeller: impl Fn() -> Result<Labeller<P>, PlayerError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, LabelError> {
    let make = |number: usize, path: &Path| {
        let mut random = Random::for_item(settings.seed, number as u64);
        label_file(path, settings, &mut labeller()?, &mut random)
    };
    output::write(sources, settings, folder, make, each)
}

/// The labels of one game.
#[derive(Default)]
struct GameLabels {
    /// Its own positions in their order, or their variations.
    positions: Vec<Labelled>,
    /// What their searches found out about other positions.
    trees: Vec<Labelled>,
}

fn label_file<P: Player>(
    path: &Path,
    settings: &LabelSettings,
    labeller: &mut Labeller<P>,
    random: &mut Random,
) -> Result<Vec<u8>, LabelError> {
    let mut shard = Shard::open(path)?;
    let mut games = Vec::new();
    loop {
        labeller.new_game();
        let mut labels = GameLabels::default();
        let next = shard.next_game(|position, _, score| {
            if score.is_some() && random.chance(settings.share) {
                let mut position = position.clone();
                if settings.random_moves > 0 {
                    labels.add_variation(&mut position, settings, labeller, random);
                } else if let Some((best, score)) = labeller.thorough.think(&position) {
                    labels.positions.push(Labelled::new(&position, score, Some(best)));
                    labels.trees.extend(labeller.tree(&position, settings));
                }
            }
        });
        let Some(game) = next else { break };
        let game = game?;
        if settings.random_moves == 0 {
            for labelled in &mut labels.positions {
                labelled.result = game.result_for(labelled.position.side_to_move());
            }
        }
        games.push(labels.into_records(settings.random_moves > 0));
    }
    // Records tell a new game by a falling ply, and the games of a shard begin at any ply.
    games.sort_by_key(|game| Reverse(game.first().map(|record| record.ply)));
    let records = games.iter().flatten();
    Ok(records.filter_map(|record| Psv::encode(record).ok()).flat_map(|psv| psv.0).collect())
}

impl GameLabels {
    /// Makes up to so many random moves and labels the quiet position that follows.
    fn add_variation<P: Player>(
        &mut self,
        position: &mut Position,
        settings: &LabelSettings,
        labeller: &mut Labeller<P>,
        random: &mut Random,
    ) {
        let ply = u16::try_from(position.move_number()).unwrap_or(u16::MAX);
        for _ in 0..random.below(settings.random_moves + 1) {
            let mut legal = position.legal_moves().to_vec();
            if legal.is_empty() {
                return;
            }
            legal.sort_unstable();
            position.do_move(legal[random.below(legal.len())]);
        }
        if let Some((best, score)) = labeller.quiet(position) {
            self.positions.push(Labelled { ply, ..Labelled::new(position, score, Some(best)) });
            self.trees.extend(labeller.tree(position, settings));
        }
    }

    /// The records, with plies that tell readers which of them follow one another in a game: only unvaried positions
    /// do. The others have one ply, so that none is taken for the successor of another.
    fn into_records(mut self, varied: bool) -> Vec<Labelled> {
        let ends = [self.positions.first(), self.positions.last()].map(|end| end.map_or(0, |labelled| labelled.ply));
        if varied {
            self.positions.iter_mut().for_each(|labelled| labelled.ply = ends[0]);
        }
        let ply = if varied { ends[0] } else { ends[1] };
        self.trees.iter_mut().for_each(|labelled| labelled.ply = ply);
        self.positions.append(&mut self.trees);
        self.positions
    }
}
