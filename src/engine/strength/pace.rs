//! How long a level lets its opponent wait: a person who is answered in no time feels hurried, and misses the move.

use std::time::Duration;

use crate::platform::random::mix;
use crate::position::Position;
use crate::search::Limits;
use crate::types::Color;

/// The shortest thought, in milliseconds.
const SHORTEST: u64 = 600;
/// What may come on top of it.
const LONGER: u64 = 2400;
/// A `movetime` up to this is an analysis or a match between programs.
const QUICK: Duration = Duration::from_secs(1);

/// When the move may be reported, counted from the `go`; zero where nobody is waiting, or on a short clock.
///
/// A forced or an obvious move is quick. At most 1.5 % of the clock and 40 % of what every move gives are used.
pub fn pace(limits: &Limits, us: Color, position: &Position, obvious: bool, seed: u64) -> Duration {
    let counted = limits.nodes < u64::MAX || limits.depth < crate::types::MAX_DEPTH || limits.infinite;
    let clocks = &limits.clocks;
    if counted || !clocks.has_clock() || clocks.move_time.is_some_and(|time| time <= QUICK) {
        return Duration::ZERO;
    }
    let own = |both: [Option<Duration>; 2]| both[us.index()].or(both[(!us).index()]);
    let each = [own(clocks.increment), clocks.byoyomi, clocks.move_time].into_iter().flatten().max();
    let time = own(clocks.time).unwrap_or_default();
    let most = time * 3 / 200 + each.unwrap_or_default() * 2 / 5;
    let longer = if obvious { LONGER / 6 } else { LONGER };
    let thought = SHORTEST + mix(position.key() ^ seed) % longer;
    Duration::from_millis(thought).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clocks;

    fn clock(time: u64, byoyomi: u64) -> Limits {
        let time = Some(Duration::from_millis(time));
        let byoyomi = Some(Duration::from_millis(byoyomi));
        Limits { clocks: Clocks { time: [time; 2], byoyomi, ..Clocks::default() }, ..Limits::default() }
    }

    #[test]
    fn a_person_is_given_time_and_a_short_clock_is_not_endangered() {
        let position = Position::startpos();
        for seed in 0..100 {
            let paced = |limits: &Limits| pace(limits, Color::Black, &position, false, seed);
            let long = paced(&clock(600_000, 0));
            assert!((Duration::from_millis(600)..=Duration::from_secs(3)).contains(&long), "{long:?}");
            assert!(pace(&clock(600_000, 0), Color::Black, &position, true, seed) <= Duration::from_secs(1));
            assert!(paced(&clock(0, 1000)) <= Duration::from_millis(400));
            assert!(paced(&clock(5000, 0)) <= Duration::from_millis(75));
            assert_eq!(paced(&clock(0, 0)), Duration::ZERO);
            for quick in [
                Limits { nodes: 1000, ..clock(600_000, 0) },
                Limits { depth: 3, ..clock(600_000, 0) },
                Limits { clocks: Clocks { move_time: Some(QUICK), ..Clocks::default() }, ..Limits::default() },
                Limits::default(),
            ] {
                assert_eq!(paced(&quick), Duration::ZERO);
            }
        }
    }
}
