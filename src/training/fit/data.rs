//! Positions for the trainer: read from files, filtered, shuffled, split into training and validation by game.
//!
//! The order depends on the seed, the epoch and the list of files alone, so an interrupted run finds its place again.
//! Files are read in random order into a buffer as large as memory allows, which is shuffled and used up before the
//! next files are read. What was read is kept for later epochs as far as memory allows.

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::settings::FitSettings;
use super::td_lambda::mix_later_scores;
use crate::platform::random::Random;
use crate::position::Position;
use crate::training::data::record::{Labelled, Psv};
use crate::training::data::source::{self, Context, SourceError};
use crate::types::Move;

/// Scores above this are left out: those of mates, which are no centipawns. Large ones must be learned, or the network
/// does not tell a rook ahead from everything ahead.
const LARGEST_SCORE: u16 = 20_000;

/// Whether a position is learned. Positions in check are not, for the network is never asked there, nor those whose
/// best move captures or promotes: their value is the search's to find.
fn admits(labelled: &Labelled, context: Context) -> bool {
    let tactical = |best: Move| best.is_promotion() || labelled.position.piece_on(best.to()).is_some();
    if labelled.score.unsigned_abs() > LARGEST_SCORE || labelled.best.is_some_and(tactical) {
        return false;
    }
    // Records of other tools do not say whether there is check. Illegal positions are left out.
    let in_check = context.in_check.or_else(|| {
        let sfen = labelled.position.to_sfen(1);
        Position::from_sfen(&sfen).ok().map(|position| position.in_check())
    });
    in_check == Some(false)
}

/// The positions of a run's files.
pub struct Data<'a> {
    settings: &'a FitSettings,
    /// The training positions of files that were read, to be used again: as many as half of the buffer holds.
    kept: Vec<OnceLock<Vec<Psv>>>,
    /// How many these are.
    kept_positions: AtomicUsize,
}

/// What one filling of the buffer holds.
pub struct Filling {
    /// Shuffled training positions.
    pub records: Vec<Psv>,
    /// How many files of the epoch were read when the filling was complete.
    pub files_read: usize,
}

impl<'a> Data<'a> {
    /// The data of a run; nothing is read yet.
    pub fn new(settings: &'a FitSettings) -> Self {
        let kept = settings.files.iter().map(|_| OnceLock::new()).collect();
        Self { settings, kept, kept_positions: AtomicUsize::new(0) }
    }

    /// Whether a game is for validation: decided by its number and its file's, so that it never changes sides.
    fn validates(&self, file: usize, game: usize) -> bool {
        let item = (file as u64) << 32 | game as u64;
        let one_in = self.settings.validation;
        one_in != 0 && Random::for_item(0x7661_6c69_6461_7465, item).next_u64().is_multiple_of(one_in)
    }

    /// The files' numbers in the order of an epoch.
    fn order(&self, epoch: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.settings.files.len()).collect();
        Random::for_item(self.settings.seed, u64::from(epoch) << 32 | 1).shuffle(&mut order);
        order
    }

    /// The admitted positions of a file's games for training, or for validation.
    fn load(&self, file: usize, validation: bool) -> Result<Vec<Psv>, SourceError> {
        let mut records = Vec::new();
        let mut game = Vec::new();
        let mut admitted = Vec::new();
        let mut number = None;
        source::read(&self.settings.files[file], |labelled, context| {
            if number != Some(context.game) {
                self.finish(&mut game, &mut admitted, &mut records);
                number = Some(context.game);
            }
            if self.validates(file, context.game) == validation {
                // By the score of the search, before later ones are mixed in.
                admitted.push(admits(&labelled, context));
                game.push(labelled);
            }
        })?;
        self.finish(&mut game, &mut admitted, &mut records);
        Ok(records)
    }

    /// A file's training positions, read or kept from an earlier epoch.
    fn training(&self, file: usize) -> Result<Cow<'_, [Psv]>, SourceError> {
        if let Some(records) = self.kept[file].get() {
            return Ok(Cow::Borrowed(records));
        }
        let records = self.load(file, false)?;
        let count = records.len();
        if self.settings.epochs > 1 && self.kept_positions.fetch_add(count, Relaxed) + count <= self.settings.buffer / 2
        {
            return Ok(Cow::Borrowed(self.kept[file].get_or_init(|| records)));
        }
        Ok(Cow::Owned(records))
    }

    /// Takes the admitted positions of a game that has been read.
    fn finish(&self, game: &mut Vec<Labelled>, admitted: &mut Vec<bool>, records: &mut Vec<Psv>) {
        let FitSettings { td_lambda, scale, .. } = *self.settings;
        if td_lambda > 0.0 {
            mix_later_scores(game, td_lambda, scale);
        }
        let taken = game.drain(..).zip(admitted.drain(..)).filter(|&(_, admitted)| admitted);
        records.extend(taken.filter_map(|(labelled, _)| Psv::encode(&labelled).ok()));
    }

    /// The validation positions, up to a number: the same in every epoch.
    pub fn validation(&self, most: usize) -> Result<Vec<Psv>, SourceError> {
        let mut records = Vec::new();
        if self.settings.validation == 0 {
            return Ok(records);
        }
        for files in self.order(u32::MAX).chunks(rayon::current_num_threads().max(1)) {
            let parts: Vec<_> = files.par_iter().map(|&file| self.load(file, true)).collect();
            for part in parts {
                records.extend(part?);
            }
            if records.len() >= most {
                break;
            }
        }
        records.truncate(most);
        Ok(records)
    }

    /// Fills the buffer with an epoch's positions from its `first`-th file on; `None` after the last.
    pub fn fill(&self, epoch: u32, first: usize) -> Result<Option<Filling>, SourceError> {
        let order = self.order(epoch);
        if first >= order.len() {
            return Ok(None);
        }
        let mut records: Vec<Psv> = Vec::new();
        let mut next = first;
        while next < order.len() && records.len() < self.settings.buffer {
            // The number of files read at a time must not depend on the machine: the next filling starts behind them.
            let end = (next + 4).min(order.len());
            let parts: Vec<_> = order[next..end].par_iter().map(|&file| self.training(file)).collect();
            for part in parts {
                records.extend_from_slice(&part?);
            }
            next = end;
        }
        let mut random = Random::for_item(self.settings.seed, u64::from(epoch) << 32 | (first as u64 + 2));
        random.shuffle(&mut records);
        leave_out_duplicates(&mut records);
        Ok(Some(Filling { records, files_read: next }))
    }
}

/// Keeps the first of equal positions. Colliding positions replace each other in the table, so a few duplicates stay;
/// it takes 8 bytes per slot instead of a growing set's 40.
fn leave_out_duplicates(records: &mut Vec<Psv>) {
    let places = (2 * records.len()).next_power_of_two();
    let mut table = vec![0u64; places];
    records.retain(|record| {
        let mut hash = 0x9E37_79B9_7F4A_7C15u64;
        for word in record.packed().as_chunks::<8>().0 {
            hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            hash ^= hash >> 32;
        }
        let place = &mut table[hash as usize & (places - 1)];
        std::mem::replace(place, hash) != hash
    });
}
