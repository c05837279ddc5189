//! How long a client waits for what ought to come.

use std::time::Duration;

/// The waits of a client, apart from its engine's ([`crate::client::Timeouts`]) and from pauses
/// ([`super::RetryPolicy`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the login to its answer: 60 s, for a refused login of somebody else stops some servers for seconds.
    pub login: Duration,
    /// From the beginning of a summary to its end: 60 s.
    pub summary: Duration,
    /// From our agreement to `START`: 150 s, for shogi-server gives both players 120 s to agree.
    pub start: Duration,
    /// From the reason of an end to the verdict: 10 s.
    pub verdict: Duration,
    /// How much longer than the opponent's clock a silence may last: 120 s, for some servers notice a fallen flag a
    /// minute late.
    pub silence: Duration,
    /// From a resignation that the user has asked for to the verdict: 3 s.
    pub resignation: Duration,
    /// From a verdict to the end of the connection, and once more after `LOGOUT`: 1 s. shogi-server closes the loser's
    /// by itself, and the winner's once he says something.
    pub close: Duration,
    /// After so long without a game the user is told, for a game that nobody else plays is never refused: 2 h, four
    /// rounds of Floodgate's.
    pub pairing: Duration,
    /// A connection that stood so long was good, and the next pause is the first again: 10 min.
    pub stood: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            login: Duration::from_secs(60),
            summary: Duration::from_secs(60),
            start: Duration::from_secs(150),
            verdict: Duration::from_secs(10),
            silence: Duration::from_secs(120),
            resignation: Duration::from_secs(3),
            close: Duration::from_secs(1),
            pairing: Duration::from_secs(7200),
            stood: Duration::from_secs(600),
        }
    }
}
