//! The journal: finished games that are not in a shard yet, so that none is lost when the run is killed.
//!
//! Each entry is its length in bytes, a CRC-32, the game's number and the game in plain form. An entry torn by a kill
//! at the end of the file fails its CRC and is cut off at the next start.

use std::path::{Path, PathBuf};

use crate::platform::files::{AppendFile, write_whole};
use crate::training::data::game::{Ending, Game};
use crate::types::{Color, Move};

/// The journal of a data folder.
pub struct Journal {
    path: PathBuf,
    /// Closed only while the file is replaced.
    file: Option<AppendFile>,
}

impl Journal {
    /// Opens a journal and reads what it holds, by game number; what was torn is cut off.
    pub fn open(path: &Path) -> std::io::Result<(Self, Vec<(u64, Game)>)> {
        let mut file = AppendFile::open(path)?;
        let bytes = file.read()?;
        let mut games = Vec::new();
        let mut rest = &bytes[..];
        while let Some(entry) = take_entry(&mut rest) {
            games.push(entry);
        }
        file.cut((bytes.len() - rest.len()) as u64)?;
        Ok((Self { path: path.to_owned(), file: Some(file) }, games))
    }

    /// Adds a finished game.
    pub fn append(&mut self, number: u64, game: &Game) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(AppendFile::open(&self.path)?),
        };
        file.append(&entry(number, game))
    }

    /// Replaces the journal by the games that are left after others went into a shard.
    pub fn rewrite<'a>(&mut self, games: impl Iterator<Item = (u64, &'a Game)>) -> std::io::Result<()> {
        let bytes: Vec<u8> = games.flat_map(|(number, game)| entry(number, game)).collect();
        // Windows replaces no file that is open.
        self.file = None;
        write_whole(&self.path, &bytes)
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn entry(number: u64, game: &Game) -> Vec<u8> {
    let mut body = number.to_le_bytes().to_vec();
    for count in [game.start.len(), game.given, game.moves.len()] {
        body.extend_from_slice(&(count as u32).to_le_bytes());
    }
    body.push(match game.winner {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    });
    body.push(game.ending as u8);
    body.extend_from_slice(game.start.as_bytes());
    body.extend(game.moves.iter().flat_map(|played| played.bits().to_le_bytes()));
    body.extend(game.scores.iter().flat_map(|score| score.to_le_bytes()));
    let mut entry = (body.len() as u32).to_le_bytes().to_vec();
    entry.extend_from_slice(&crc(&body).to_le_bytes());
    entry.extend_from_slice(&body);
    entry
}

fn take_entry(bytes: &mut &[u8]) -> Option<(u64, Game)> {
    let word = |at: usize| {
        let word: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word) as usize)
    };
    let length = word(0)?;
    let body = bytes.get(8..)?.get(..length)?;
    if crc(body) as usize != word(4)? {
        return None;
    }
    let (number, rest) = body.split_first_chunk::<8>()?;
    let (counts, rest) = rest.split_first_chunk::<12>()?;
    let count = |i: usize| {
        let word: [u8; 4] = [counts[4 * i], counts[4 * i + 1], counts[4 * i + 2], counts[4 * i + 3]];
        u32::from_le_bytes(word) as usize
    };
    let (&[winner, ending], rest) = rest.split_first_chunk::<2>()?;
    let (start, rest) = rest.split_at_checked(count(0))?;
    let (moves, rest) = rest.split_at_checked(count(2).checked_mul(2)?)?;
    // Earlier versions kept positions of search trees behind the scores.
    let (scores, _) = rest.split_at_checked(count(2).checked_sub(count(1))?.checked_mul(2)?)?;
    let pairs = |bytes: &[u8]| bytes.as_chunks::<2>().0.to_vec();
    let game = Game {
        start: String::from_utf8(start.to_vec()).ok()?,
        given: count(1),
        moves: pairs(moves).into_iter().map(|pair| Move::from_bits(u16::from_le_bytes(pair))).collect::<Option<_>>()?,
        scores: pairs(scores).into_iter().map(i16::from_le_bytes).collect(),
        winner: [None, Some(Color::Black), Some(Color::White)].get(winner as usize).copied()?,
        ending: *Ending::ALL.get(ending as usize)?,
    };
    let number = u64::from_le_bytes(*number);
    *bytes = &bytes[8 + length..];
    Some((number, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(plies: usize) -> Game {
        let played: Move = "7g7f".parse().expect("a move");
        Game {
            start: "4k4/9/9/9/9/9/9/9/4K4 b R 1".to_owned(),
            given: 1,
            moves: vec![played; plies],
            scores: vec![-77; plies - 1],
            winner: Some(Color::White),
            ending: Ending::Score,
        }
    }

    #[test]
    fn what_was_written_is_read_and_what_was_torn_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let (mut journal, empty) = Journal::open(&path).expect("opens");
        assert!(empty.is_empty());
        journal.append(5, &game(9)).expect("writes");
        journal.append(3, &game(4)).expect("writes");
        drop(journal);
        let whole = std::fs::read(&path).expect("reads");
        let first = entry(5, &game(9)).len();
        for length in first..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("writes");
            let (_, games) = Journal::open(&path).expect("opens");
            assert_eq!(games, [(5, game(9))], "{length}");
            assert_eq!(std::fs::read(&path).expect("reads").len(), first);
        }
        std::fs::write(&path, &whole).expect("writes");
        let (mut journal, games) = Journal::open(&path).expect("opens");
        assert_eq!(games, [(5, game(9)), (3, game(4))]);
        journal.rewrite(games[1..].iter().map(|(number, game)| (*number, game))).expect("writes");
        journal.append(7, &game(2)).expect("writes");
        let (_, games) = Journal::open(&path).expect("opens");
        assert_eq!(games, [(3, game(4)), (7, game(2))]);
        drop(journal);
        std::fs::remove_dir_all(&folder).expect("removes");
    }
}
