//! The clock: what `go` said about time becomes three bounds for one move.
//!
//! Pure arithmetic: no time is read here, nothing is remembered. [`Clocks`] hold what the GUI sent, [`ClockOptions`]
//! what the options say, and [`Budget::new`] turns them into a floor, a soft and a hard bound, all counted from the
//! moment `go` arrived. After `ponderhit`, [`Budget::after_ponder`] moves them to where our own clock started.
//!
//! In USI, `btime` and `wtime` do *not* contain the increment: what may be used for this move is
//! `time + increment` or `time + byoyomi`.

mod budget;

use std::time::Duration;

pub use budget::Budget;

/// What `go` says about time. `None` means that the GUI did not send it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// `btime`, `wtime`: what each player has left, by [`Color::index`](crate::types::Color::index), without the
    /// increment.
    pub time: [Option<Duration>; 2],
    /// `binc`, `winc`: what each player gains with every move, this one included.
    pub increment: [Option<Duration>; 2],
    /// `byoyomi` (秒読み): what may be used for every move once the main time is gone; what is left of it is lost.
    pub byoyomi: Option<Duration>,
    /// `movestogo`: the player's moves until the next time control, this one included.
    pub moves_to_go: Option<u32>,
    /// `movetime`: think for just this long.
    pub move_time: Option<Duration>,
    /// `rtime`: think for a random time between one and three times this (an idea of YaneuraOu's, for varied
    /// self-play).
    pub random_time: Option<Duration>,
}

impl Clocks {
    /// Whether any clock runs at all. Without one a search is bounded by its depth, its nodes or `stop`.
    pub fn has_clock(&self) -> bool {
        let Self { time, increment, byoyomi, moves_to_go: _, move_time, random_time } = self;
        time.iter().chain(increment).chain([byoyomi, move_time, random_time]).any(Option::is_some)
    }
}

/// What the options say about time; the defaults are those of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockOptions {
    /// `NetworkDelay`: the usual delay of a move on its way to the clock; ordinary targets are earlier by it.
    pub network_delay: Duration,
    /// `NetworkDelay2`: the worst delay of a move on its way; the hard bound is earlier by it.
    pub network_delay2: Duration,
    /// `MinimumThinkingTime`: no move is played faster unless the clock demands it or nothing is left to think about.
    pub minimum_thinking_time: Duration,
    /// `SlowMover`: percent of the usual share of the main time that a move takes.
    pub slow_mover: u32,
    /// `RoundUpToFullSecond`: the clock charges whole seconds, rounded up, so a second that has begun is used up.
    pub round_up_to_full_second: bool,
    /// `MaxMovesToDraw`: the ply after which the game is a draw; 0 for none.
    pub max_moves: u32,
    /// `USI_Ponder`: the opponent's time is thinking time too, so a little more of our own may be spent.
    pub ponder: bool,
}

impl Default for ClockOptions {
    fn default() -> Self {
        Self {
            network_delay: Duration::from_millis(15),
            network_delay2: Duration::from_millis(30),
            minimum_thinking_time: Duration::ZERO,
            slow_mover: 100,
            round_up_to_full_second: false,
            max_moves: 0,
            ponder: false,
        }
    }
}
