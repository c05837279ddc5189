//! The bounds of one move's thinking time.

use std::time::Duration;

use super::{ClockOptions, Clocks};
use crate::types::Color;

/// How long one move may take, counted from the moment `go` arrived: `floor <= soft <= hard`.
///
/// - before `floor` nothing is gained by moving early (the byoyomi would be lost, or `MinimumThinkingTime` asks for
///   it);
/// - `soft` is what an ordinary move should take; the search stretches or shrinks it with [`Budget::target`];
/// - `hard` is never overstepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Moving earlier gains nothing, unless nothing is left to search.
    pub floor: Duration,
    /// The time of an ordinary move.
    pub soft: Duration,
    /// The search ends here at the latest.
    pub hard: Duration,
    /// When our own clock started: zero, or the moment of `ponderhit`.
    origin: Duration,
    /// `Some(delay)` where the clock charges begun seconds in full: a target is moved to `delay` before a full second.
    round_up: Option<Duration>,
}

/// Moves of our own for which the main time shall last: at the start of a game, and at the least later on. Of 248 games
/// of strong engines half lasted 64 more at the start, 54 at ply 20, 34 at ply 60 and 17 at ply 100; a tenth 87, 77, 57
/// and 38. What is spent in the opening is missing where games are decided, between plies 60 and 110.
const HORIZON: (u32, u32) = (66, 22);
/// The horizon shrinks by so many moves in so many plies.
const APPROACH: (u32, u32) = (3, 8);
/// How many times its soft bound a move may take when the search is in trouble.
const STRETCH: u32 = 5;
/// The part of the main time that a single move may take at most, in percent.
const LARGEST_SHARE: u32 = 35;
/// The safety margin is 1 % of the usable time, at most this: at long time controls it costs nothing.
const LARGEST_CAUTION: Duration = Duration::from_millis(100);
const SECOND: Duration = Duration::from_secs(1);

impl Budget {
    /// No bound at all: `go infinite`, `go ponder` before its `ponderhit`, `go depth`, `go nodes`, bare `go`.
    pub const UNLIMITED: Self = Self {
        floor: Duration::ZERO,
        soft: Duration::MAX,
        hard: Duration::MAX,
        origin: Duration::ZERO,
        round_up: None,
    };

    /// The bounds for a move of `us`. `move_number` is the number of that move in the game (the first move is 1);
    /// `random` is any number, used by `rtime` only.
    ///
    /// Where several clocks are given, the smallest wins. Without any clock the budget is [`Budget::UNLIMITED`].
    /// A player whose own clock is missing while the other's is given is taken to have as much as the other.
    pub fn new(clocks: &Clocks, options: &ClockOptions, us: Color, move_number: u32, random: u64) -> Self {
        let mut budget = Self::UNLIMITED;
        if clocks.time.iter().chain(&clocks.increment).chain([&clocks.byoyomi]).any(Option::is_some) {
            budget = Self::on_the_clock(clocks, options, us, move_number);
        }
        if let Some(least) = clocks.random_time {
            let spread = u64::try_from(least.as_millis()).unwrap_or(u64::MAX).saturating_mul(2);
            let extra = random % spread.saturating_add(1).max(1);
            budget.cap(least.saturating_add(Duration::from_millis(extra)));
        }
        if let Some(exact) = clocks.move_time {
            budget.cap(exact);
        }
        budget
    }

    fn on_the_clock(clocks: &Clocks, options: &ClockOptions, us: Color, move_number: u32) -> Self {
        let time = clocks.time[us.index()].or(clocks.time[(!us).index()]).unwrap_or_default();
        let increment = clocks.increment[us.index()].or(clocks.increment[(!us).index()]).unwrap_or_default();
        let byoyomi = clocks.byoyomi.unwrap_or_default();

        let usable = time.saturating_add(increment).saturating_add(byoyomi);
        let counted = if options.round_up_to_full_second && usable >= SECOND {
            Duration::from_secs(usable.as_secs())
        } else {
            usable
        };
        let limit = less_delay(counted, options.network_delay2);
        let floor = if byoyomi.is_zero() { byoyomi } else { less_delay(byoyomi, options.network_delay).min(limit) };

        let moves = moves_left(clocks, options, move_number, time, byoyomi);
        let share = (time / moves).saturating_add(increment);
        // Every move loses the delay on its way; keep half of a share that is smaller than that.
        let share = share.saturating_sub(options.network_delay).max(share / 2);
        let share = percent(share, options.slow_mover);
        let share = if options.ponder { percent(share, 125) } else { share };
        let soft = floor.saturating_add(share);

        let part = percent(time, LARGEST_SHARE).max(time.saturating_mul(3) / moves.saturating_mul(2)).min(time);
        let most = limit.min(floor.saturating_add(increment).saturating_add(part));
        let hard = most
            .min(floor.saturating_add(share.saturating_mul(STRETCH)))
            .max(options.minimum_thinking_time.min(most))
            .max(Duration::from_millis(1));
        // A begun second that is charged in full may be used to its end.
        let hard = match options.round_up_to_full_second {
            true => Some(end_of_second(hard, options.network_delay)).filter(|&end| end <= limit).unwrap_or(hard),
            false => hard,
        };
        // The last move of a time control or of the game may take all that is left.
        let (soft, hard) = if moves == 1 { (limit, limit) } else { (soft.min(hard), hard) };

        let floor = floor.max(options.minimum_thinking_time).min(hard);
        let round_up = options.round_up_to_full_second.then_some(options.network_delay);
        Self { floor, soft: soft.max(floor), hard, origin: Duration::ZERO, round_up }
    }

    /// Nothing later than `end`; where nothing else bounds the search, exactly `end`.
    fn cap(&mut self, end: Duration) {
        if *self == Self::UNLIMITED {
            *self = Self { floor: end, soft: end, hard: end, ..Self::UNLIMITED };
        }
        self.hard = self.hard.min(end);
        self.soft = self.soft.min(end);
        self.floor = self.floor.min(end);
    }

    /// The budget after a `ponderhit` that came `pondered` after `go`: our own clock starts only now.
    ///
    /// The hard bound and the floor move by all of `pondered`. The soft bound does not: what was thought on the
    /// opponent's time need not be thought again, so where it has been reached the move can be played at once, which
    /// saves our own time for later (Stockfish). A byoyomi cannot be saved, and is still used to its end.
    pub fn after_ponder(self, pondered: Duration) -> Self {
        let hard = self.hard.saturating_add(pondered);
        let floor = self.floor.saturating_add(pondered).min(hard);
        // Where a begun second is charged in full, it is free to think on to its end: `target` sees to that.
        Self { floor, soft: self.soft, hard, origin: pondered, round_up: self.round_up }
    }

    /// The soft bound stretched or shrunk by `factor` (1.0: an ordinary move), within the floor and the hard bound.
    ///
    /// Where the clock charges begun seconds in full, the second that has begun is used to its end.
    pub fn target(&self, factor: f64) -> Duration {
        if self.soft == Duration::MAX {
            return Duration::MAX;
        }
        let scaled = Duration::try_from_secs_f64(self.soft.as_secs_f64() * factor).unwrap_or(self.soft);
        let target = scaled.max(self.floor);
        let target = match self.round_up {
            None => target,
            Some(delay) => end_of_second(target.saturating_sub(self.origin), delay).saturating_add(self.origin),
        };
        target.min(self.hard)
    }

    /// Whether time bounds the search at all.
    pub fn is_limited(&self) -> bool {
        self.hard != Duration::MAX
    }
}

/// `time` minus a delay and a margin, but at least a tenth of it, even if the delay exceeds the byoyomi. Never zero, so
/// that there is a bound to search within.
fn less_delay(time: Duration, delay: Duration) -> Duration {
    let margin = delay.saturating_add((time / 100).min(LARGEST_CAUTION));
    time.saturating_sub(margin).max(time / 10).max(Duration::from_millis(1))
}

/// How many moves of our own the main time has to last for; at least 1.
fn moves_left(clocks: &Clocks, options: &ClockOptions, move_number: u32, time: Duration, byoyomi: Duration) -> u32 {
    let ((first, last), (moves, plies)) = (HORIZON, APPROACH);
    let mut moves = first.saturating_sub(move_number.saturating_mul(moves) / plies).max(last);
    if !byoyomi.is_zero() {
        // A byoyomi remains when the main time is gone: spend the main time sooner, and the last of it at once.
        let rest = time.saturating_mul(4).as_nanos() / byoyomi.as_nanos().max(1);
        moves = (moves / 2).min(u32::try_from(rest).unwrap_or(u32::MAX));
    }
    if let Some(to_go) = clocks.moves_to_go.filter(|&to_go| to_go > 0) {
        moves = moves.min(to_go);
    }
    if options.max_moves > 0 {
        let plies = options.max_moves.saturating_sub(move_number.saturating_sub(1));
        moves = moves.min(plies.div_ceil(2));
    }
    moves.max(1)
}

/// The end of the second that has begun at `time` when an answer takes `delay` to arrive, less that delay.
fn end_of_second(time: Duration, delay: Duration) -> Duration {
    let used = time.saturating_add(delay);
    let seconds = used.as_secs() + u64::from(used.subsec_nanos() > 0);
    Duration::from_secs(seconds.max(1)).saturating_sub(delay)
}

fn percent(time: Duration, percent: u32) -> Duration {
    time.saturating_mul(percent) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = Color::Black;
    const WHITE: Color = Color::White;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn plain(clocks: Clocks) -> Budget {
        Budget::new(&clocks, &ClockOptions::default(), BLACK, 1, 0)
    }

    fn fischer(time: u64, increment: u64) -> Clocks {
        Clocks { time: [Some(ms(time)); 2], increment: [Some(ms(increment)); 2], ..Clocks::default() }
    }

    fn byoyomi(time: u64, byoyomi: u64) -> Clocks {
        Clocks { time: [Some(ms(time)); 2], byoyomi: Some(ms(byoyomi)), ..Clocks::default() }
    }

    /// Time controls and options in use, and some absurd ones.
    fn everything() -> impl Iterator<Item = (Clocks, ClockOptions, u32)> {
        let times = [0, 1, 50, 999, 1_000, 5_500, 60_000, 600_000, 36_000_000];
        let gains = [0, 1, 50, 100, 1_000, 10_000, 60_000];
        let delays = [(0, 0), (15, 30), (120, 1120), (5_000, 10_000)];
        times.into_iter().flat_map(move |time| {
            gains.into_iter().flat_map(move |gain| {
                delays.into_iter().flat_map(move |(delay, delay2)| {
                    (0..32u32).map(move |bits| {
                        let clocks = if bits & 1 == 0 { fischer(time, gain) } else { byoyomi(time, gain) };
                        let options = ClockOptions {
                            network_delay: ms(delay),
                            network_delay2: ms(delay2),
                            round_up_to_full_second: bits & 2 != 0,
                            ponder: bits & 4 != 0,
                            max_moves: if bits & 8 != 0 { 256 } else { 0 },
                            slow_mover: if bits & 16 != 0 { 300 } else { 100 },
                            ..ClockOptions::default()
                        };
                        (clocks, options, 1 + bits * 11)
                    })
                })
            })
        })
    }

    #[test]
    fn no_budget_ever_oversteps_or_is_out_of_order() {
        for (clocks, options, move_number) in everything() {
            let budget = Budget::new(&clocks, &options, BLACK, move_number, 0);
            let usable = clocks.time[0].unwrap_or_default()
                + clocks.increment[0].unwrap_or_default()
                + clocks.byoyomi.unwrap_or_default();
            let context = format!("{clocks:?} {options:?} move {move_number}: {budget:?}");
            assert!(budget.floor <= budget.soft && budget.soft <= budget.hard, "{context}");
            assert!(budget.hard > Duration::ZERO, "{context}");
            if usable > ms(10) {
                assert!(budget.hard < usable, "{context}");
            }
            // The worst delay fits in, wherever it leaves a tenth of the time.
            if options.network_delay2 < usable * 8 / 10 {
                assert!(budget.hard + options.network_delay2 <= usable, "{context}");
            }
            for factor in [0.0, 0.3, 1.0, 2.5, 1e9, f64::NAN, f64::INFINITY] {
                let target = budget.target(factor);
                assert!(budget.floor <= target && target <= budget.hard, "{context} {factor}");
            }
        }
    }

    #[test]
    fn a_byoyomi_is_never_wasted() {
        for main in [0, 3_000, 600_000] {
            for seconds in [1, 3, 10, 30, 60] {
                let budget = plain(byoyomi(main, seconds * 1000));
                assert!(budget.target(0.0) >= ms(seconds * 950), "{main} {seconds} {budget:?}");
            }
        }
        let bullet = plain(byoyomi(0, 100));
        assert_eq!((bullet.floor, bullet.soft, bullet.hard), (ms(69), ms(69), ms(69)));
    }

    #[test]
    fn main_time_with_a_byoyomi_is_spent_on_top_of_it() {
        let budget = plain(byoyomi(600_000, 10_000));
        assert!(budget.soft > ms(25_000) && budget.soft < ms(50_000), "{budget:?}");
        assert!(budget.hard < ms(300_000), "{budget:?}");
        // The last of it goes into one move.
        let budget = plain(byoyomi(2_000, 10_000));
        assert!(budget.soft > ms(11_800), "{budget:?}");
    }

    #[test]
    fn the_increment_comes_on_top_of_the_time() {
        let budget = plain(fischer(0, 1_000));
        assert!(budget.soft >= ms(900) && budget.hard < ms(1_000), "{budget:?}");
        // Ten minutes and five seconds: more than the increment, far from all.
        let budget = plain(fischer(600_000, 5_000));
        assert!(budget.soft > ms(14_000) && budget.soft < ms(25_000), "{budget:?}");
        assert!(budget.hard < ms(220_000), "{budget:?}");
    }

    #[test]
    fn a_fischer_clock_does_not_run_dry() {
        for (time, increment) in [(1_000, 50), (10_000, 100), (300_000, 10_000), (0, 500)] {
            let (mut left, increment) = (ms(time), ms(increment));
            for move_number in (1..400).step_by(2) {
                let clocks = Clocks { time: [Some(left); 2], increment: [Some(increment); 2], ..Clocks::default() };
                let budget = Budget::new(&clocks, &ClockOptions::default(), BLACK, move_number, 0);
                // The worst search uses its hard bound every time, and the way to the clock takes 15 ms.
                left = (left + increment).checked_sub(budget.hard + ms(15)).expect("lost on time");
            }
        }
    }

    #[test]
    fn sudden_death_lasts_for_a_long_game() {
        let mut left = ms(60_000);
        for move_number in (1..320).step_by(2) {
            let clocks = Clocks { time: [Some(left); 2], ..Clocks::default() };
            let budget = Budget::new(&clocks, &ClockOptions::default(), BLACK, move_number, 0);
            if move_number == 1 {
                assert!(budget.soft > ms(800) && budget.soft < ms(1_000), "{budget:?}");
            }
            left = left.checked_sub(budget.soft + ms(2)).expect("lost on time");
            // Most games are decided after this.
            if move_number == 99 {
                assert!(left > ms(18_000), "{left:?}");
            }
        }
    }

    #[test]
    fn each_colour_has_its_own_clock() {
        let clocks = Clocks {
            time: [Some(ms(100_000)), Some(ms(1_000))],
            increment: [Some(ms(2_000)), None],
            ..Clocks::default()
        };
        let white = Budget::new(&clocks, &ClockOptions::default(), WHITE, 2, 0);
        assert!(plain(clocks).soft > white.soft);
        // A clock that was not sent is taken to be like the opponent's.
        let clocks = Clocks { time: [None, Some(ms(60_000))], ..Clocks::default() };
        assert_eq!(plain(clocks), Budget::new(&clocks, &ClockOptions::default(), WHITE, 1, 0));
    }

    #[test]
    fn the_last_move_of_a_control_or_of_the_game_takes_everything() {
        let clocks = Clocks { moves_to_go: Some(1), ..fischer(30_000, 0) };
        assert_eq!(plain(clocks).soft, ms(29_870));
        let clocks = Clocks { moves_to_go: Some(10), ..fischer(30_000, 0) };
        assert!(plain(clocks).soft > ms(2_800) && plain(clocks).soft < ms(3_100));
        assert!(plain(Clocks { moves_to_go: Some(0), ..fischer(30_000, 0) }).soft < ms(1_000));

        let options = ClockOptions { max_moves: 256, ..ClockOptions::default() };
        let at = |ply| Budget::new(&fischer(30_000, 0), &options, BLACK, ply, 0).soft;
        assert!(at(255) > ms(29_000) && at(256) > ms(29_000), "{:?}", at(255));
        assert!(at(251) > ms(9_000) && at(251) < ms(11_000));
        assert!(at(1) < ms(1_000));
        assert!(at(400) > ms(29_000));
    }

    #[test]
    fn movetime_is_exact_and_the_smallest_limit_wins() {
        let exact = Clocks { move_time: Some(ms(700)), ..Clocks::default() };
        let budget = plain(exact);
        assert_eq!((budget.floor, budget.soft, budget.hard), (ms(700), ms(700), ms(700)));
        // lishoginet sends byoyomi, increment, movetime, depth and nodes together.
        let all = Clocks { move_time: Some(ms(700)), ..byoyomi(60_000, 10_000) };
        assert_eq!(plain(all).hard, ms(700));
        let all = Clocks { move_time: Some(ms(99_999_999)), ..byoyomi(0, 1_000) };
        assert!(plain(all).hard < ms(1_000));
    }

    #[test]
    fn rtime_is_random_within_its_range() {
        let clocks = Clocks { random_time: Some(ms(100)), ..Clocks::default() };
        for random in [0, 1, 77, 200, 201, u64::MAX] {
            let budget = Budget::new(&clocks, &ClockOptions::default(), BLACK, 1, random);
            assert!(budget.hard >= ms(100) && budget.hard <= ms(300) && budget.soft == budget.hard);
        }
        assert_ne!(
            Budget::new(&clocks, &ClockOptions::default(), BLACK, 1, 5),
            Budget::new(&clocks, &ClockOptions::default(), BLACK, 1, 6)
        );
    }

    #[test]
    fn without_a_clock_there_is_no_bound() {
        assert_eq!(plain(Clocks::default()), Budget::UNLIMITED);
        assert_eq!(Budget::UNLIMITED.target(0.1), Duration::MAX);
        assert!(!Budget::UNLIMITED.after_ponder(ms(5)).is_limited());
        assert!(!Clocks::default().has_clock());
        // A clock at zero without any gain asks for a move at once.
        assert_eq!(plain(byoyomi(0, 0)).hard, ms(1));
    }

    #[test]
    fn the_worst_delay_is_kept_free() {
        let with = |delay2| {
            let options = ClockOptions { network_delay2: ms(delay2), ..ClockOptions::default() };
            Budget::new(&byoyomi(0, 10_000), &options, BLACK, 1, 0)
        };
        assert_eq!(with(1_120).hard, ms(8_780));
        assert_eq!(with(0).hard, ms(9_900));
        assert_eq!(with(20_000).hard, ms(1_000));
    }

    #[test]
    fn the_minimum_is_kept_where_the_clock_allows_it() {
        let options = ClockOptions { minimum_thinking_time: ms(2_000), ..ClockOptions::default() };
        let at = |clocks| Budget::new(&clocks, &options, BLACK, 1, 0);
        assert_eq!(at(fischer(60_000, 0)).target(0.1), ms(2_000));
        assert!(at(fischer(0, 1_000)).hard < ms(1_000));
        assert_eq!(at(Clocks { move_time: Some(ms(50)), ..Clocks::default() }).hard, ms(50));
    }

    #[test]
    fn slow_mover_and_pondering_stretch_the_share() {
        let soft = |slow_mover, ponder| {
            let options = ClockOptions { slow_mover, ponder, ..ClockOptions::default() };
            Budget::new(&fischer(600_000, 0), &options, BLACK, 1, 0).soft
        };
        assert_eq!(soft(200, false), soft(100, false) * 2);
        assert_eq!(soft(50, false), soft(100, false) / 2);
        assert_eq!(soft(100, true), soft(100, false) * 5 / 4);
    }

    #[test]
    fn begun_seconds_are_used_to_their_end() {
        let options = ClockOptions { round_up_to_full_second: true, network_delay: ms(120), ..ClockOptions::default() };
        let budget = Budget::new(&fischer(600_500, 0), &options, BLACK, 1, 0);
        for factor in [0.01, 0.5, 1.0, 1.7] {
            let target = budget.target(factor) + ms(120);
            assert!(target.as_millis().is_multiple_of(1000) && target >= SECOND, "{target:?}");
        }
        // Where the hard bound stands in the way, it ends with a second too.
        for time in [5_000, 30_000, 60_000] {
            let target = Budget::new(&fischer(time, 0), &options, BLACK, 1, 0).target(9.0);
            assert!((target + ms(120)).as_millis().is_multiple_of(1000), "{target:?}");
        }
        // Half a second more than three full ones cannot be used.
        let budget = Budget::new(&fischer(0, 3_500), &options, BLACK, 1, 0);
        assert!(budget.hard < ms(3_000) && budget.hard > ms(2_800), "{budget:?}");
        // After a ponderhit the seconds are counted from there.
        let budget = Budget::new(&fischer(600_000, 0), &options, BLACK, 1, 0).after_ponder(ms(300));
        assert_eq!((budget.target(0.1) + ms(120) - ms(300)).as_millis() % 1000, 0);
    }

    #[test]
    fn pondering_is_not_charged_and_not_lost() {
        let budget = plain(fischer(60_000, 1_000));
        let hit = budget.after_ponder(ms(400));
        assert_eq!(hit.hard, budget.hard + ms(400));
        assert_eq!(hit.soft, budget.soft);
        // Having pondered for long, the move can come at once.
        for factor in [1.0, 1.5, 3.0] {
            assert!(budget.after_ponder(ms(90_000)).target(factor) <= ms(90_000));
        }
        // A byoyomi starts at the hit, and is used.
        let budget = plain(byoyomi(0, 10_000));
        let hit = budget.after_ponder(ms(90_000));
        assert_eq!(hit.floor, budget.floor + ms(90_000));
        assert_eq!(hit.target(1.0), hit.hard);
    }

    #[test]
    fn absurd_numbers_saturate() {
        let clocks = Clocks {
            time: [Some(Duration::MAX); 2],
            increment: [Some(Duration::MAX); 2],
            byoyomi: Some(Duration::MAX),
            moves_to_go: Some(u32::MAX),
            move_time: Some(Duration::MAX),
            random_time: Some(Duration::MAX),
        };
        let options = ClockOptions { slow_mover: u32::MAX, max_moves: u32::MAX, ..ClockOptions::default() };
        for move_number in [0, 1, u32::MAX] {
            let budget = Budget::new(&clocks, &options, BLACK, move_number, u64::MAX);
            let _ = (budget.target(1e300), budget.after_ponder(Duration::MAX).target(1.0));
            assert!(budget.soft <= budget.hard);
        }
    }
}
