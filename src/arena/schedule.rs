//! The schedule: a pure function of the game number, so that a match can be resumed.

use serde::{Deserialize, Serialize};

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// The first engine plays every other one.
    #[default]
    Gauntlet,
    /// Every engine plays every other one.
    RoundRobin,
}

/// One game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The game's number, from 0.
    pub game: u32,
    /// The pair's number: two games of the same players and opening, or all solo games with the same tokens.
    pub pair: u32,
    /// The opening's number, from 0.
    pub opening: u32,
    /// Engine indices: Black and White, or the single player twice.
    pub players: [usize; 2],
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u32,
}

impl Schedule {
    /// A schedule of `games` games for every pairing, rounded up to pairs.
    pub fn versus(engines: usize, format: TournamentFormat, games: u32) -> Self {
        let pairings = (0..engines)
            .flat_map(|first| (first + 1..engines).map(move |second| [first, second]))
            .filter(|pairing| format == TournamentFormat::RoundRobin || pairing[0] == 0)
            .collect();
        Self { pairings, games: games.div_ceil(2) * 2 }
    }

    /// A schedule of `games` games for every engine, each playing alone.
    pub fn solo(engines: usize, games: u32) -> Self {
        Self { pairings: (0..engines).map(|engine| [engine, engine]).collect(), games }
    }

    /// The number of games.
    pub fn len(&self) -> u32 {
        self.games.saturating_mul(self.pairings.len() as u32)
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pairings, each once, the lower index first.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The game of a number below [`Schedule::len`].
    pub fn game(&self, game: u32) -> ScheduledGame {
        let pairings = self.pairings.len() as u32;
        let solo = self.pairings[0][0] == self.pairings[0][1];
        if solo {
            let round = game / pairings;
            let players = self.pairings[(game % pairings) as usize];
            return ScheduledGame { game, pair: round, opening: round, players };
        }
        let pair = game / 2;
        let [first, second] = self.pairings[(pair % pairings) as usize];
        let players = if game.is_multiple_of(2) { [first, second] } else { [second, first] };
        ScheduledGame { game, pair, opening: pair / pairings, players }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_plays_every_opening_with_both_colours() {
        for (format, engines, pairings) in [
            (TournamentFormat::Gauntlet, 4, 3),
            (TournamentFormat::RoundRobin, 4, 6),
            (TournamentFormat::RoundRobin, 2, 1),
        ] {
            let schedule = Schedule::versus(engines, format, 9);
            assert_eq!((schedule.len(), schedule.pairings().len()), (10 * pairings, pairings as usize));
            let mut seen = std::collections::HashSet::new();
            for game in 0..schedule.len() {
                let job = schedule.game(game);
                assert!(job.opening < 5);
                assert!(seen.insert((job.opening, job.players)), "{job:?}");
                let partner = schedule.game(game ^ 1);
                assert_eq!(partner.pair, job.pair);
                assert_eq!(partner.players, [job.players[1], job.players[0]]);
                assert!(format == TournamentFormat::RoundRobin || job.players.contains(&0));
            }
        }
    }

    #[test]
    fn solo_players_meet_the_same_tokens() {
        let schedule = Schedule::solo(3, 5);
        assert_eq!(schedule.len(), 15);
        assert_eq!(schedule.game(4).players, [1, 1]);
        assert_eq!((schedule.game(4).pair, schedule.game(5).pair, schedule.game(6).pair), (1, 1, 2));
    }
}
