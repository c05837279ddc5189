//! How long to pause before the next connection: a server is not to be hammered, least of all one that has refused a
//! login (shogi-server stops for three seconds at each refusal, with all its games).

use std::time::Duration;

/// The pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// After the first failure; every further one doubles it.
    pub first: Duration,
    /// At most.
    pub most: Duration,
    /// After a refused login, at the least.
    pub refused: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { first: Duration::from_secs(10), most: Duration::from_secs(900), refused: Duration::from_secs(300) }
    }
}

/// Counts failures.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    policy: RetryPolicy,
    failures: u32,
}

impl Retry {
    /// No failure yet.
    pub fn new(policy: RetryPolicy) -> Self {
        Self { policy, failures: 0 }
    }

    /// Something has worked: the next pause is the first again.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// The pause after one more failure.
    pub fn pause(&mut self) -> Duration {
        let factor = 1_u32.checked_shl(self.failures).unwrap_or(u32::MAX);
        self.failures = (self.failures + 1).min(31);
        self.policy.first.saturating_mul(factor).min(self.policy.most)
    }

    /// The pause after a refused login; a game that still runs under this name may take `game`.
    pub fn pause_after_refusal(&mut self, game: Option<Duration>) -> Duration {
        self.pause().max(self.policy.refused).max(game.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_their_limit_and_start_again() {
        let mut retry = Retry::new(RetryPolicy::default());
        let pauses: Vec<u64> = (0..9).map(|_| retry.pause().as_secs()).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 900, 900]);
        for _ in 0..100 {
            assert_eq!(retry.pause().as_secs(), 900);
        }
        retry.reset();
        assert_eq!(retry.pause_after_refusal(None).as_secs(), 300);
        assert_eq!(retry.pause_after_refusal(Some(Duration::from_secs(620))).as_secs(), 620);
        assert_eq!(retry.pause().as_secs(), 40);
    }
}
