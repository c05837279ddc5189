//! What the searches of self-play find out besides their results: the positions of their trees, for no search more.
//!
//! A game's search of a thousand nodes has looked some plies deep at a few positions beside the one it was asked about
//! (see [`Tree`]). Read as the game goes on, they cost a twentieth of its time; searching them again costs all of it.

use serde::{Deserialize, Serialize};

use super::game::Game;
use super::record::{Labelled, Psv};
use super::tree::Tree;
use crate::platform::random::Random;
use crate::position::Position;
use crate::tt::TranspositionTable;
use crate::types::Depth;

/// Keeps these random numbers apart from those that choose a game's start.
const STREAM: u64 = 0x7472_6565;

/// What is read of the trees; where nothing is, settings are equal whatever the share.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How many plies deep a position must have been looked at, 0 for none.
    pub least: Depth,
    /// The share of the moves whose trees are read.
    pub share: f32,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.least == other.least && (self.least == 0 || self.share == other.share)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { least: 0, share: 0.4 }
    }
}

/// A finished game, and what its searches found out besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// PackedSfenValue records, 40 bytes each. All from one search have its ply.
    pub records: Vec<u8>,
}

/// Reads the trees of one game.
pub(super) struct Harvest {
    settings: Settings,
    tree: Tree,
    random: Random,
    /// What was found so far, as in [`Played::records`].
    pub(super) records: Vec<u8>,
}

impl Harvest {
    /// For the game of this number in a run with this seed.
    pub(super) fn new(settings: Settings, seed: u64, number: u64) -> Self {
        Self { settings, tree: Tree::default(), random: Random::for_item(seed ^ STREAM, number), records: Vec::new() }
    }

    /// The game begins anew, with another start.
    pub(super) fn begin(&mut self) {
        self.tree.forget();
        self.records.clear();
    }

    /// A search of `position` has ended; the table is what it left behind.
    pub(super) fn read(&mut self, position: &Position, table: Option<&TranspositionTable>) {
        let Settings { least, share } = self.settings;
        let Some(table) = table.filter(|_| least > 0) else {
            return;
        };
        if !self.random.chance(share) {
            return;
        }
        // The ply of the game, as for variations: see there.
        let ply = u16::try_from(position.move_number()).unwrap_or(u16::MAX);
        for found in self.tree.read(table, position, least) {
            if let Ok(record) = Psv::encode(&Labelled { ply, ..found }) {
                self.records.extend_from_slice(&record.0);
            }
        }
    }
}
