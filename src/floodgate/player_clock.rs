//! The clocks of a game as the server keeps them: what is left follows from the times that the server charges, never
//! from a clock of our own.

use std::fmt::Write as _;
use std::time::Duration;

use crate::types::Color;

/// What a summary says about a player's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRules {
    /// `Total_Time`
    pub total: Duration,
    /// `Byoyomi`
    pub byoyomi: Duration,
    /// `Increment`
    pub increment: Duration,
    /// `Time_Unit`: times are charged in whole units.
    pub unit: Duration,
    /// `Time_Roundup:YES`: a begun unit is charged in full.
    pub round_up: bool,
}

impl Default for TimeRules {
    fn default() -> Self {
        Self {
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            increment: Duration::ZERO,
            unit: Duration::from_secs(1),
            round_up: false,
        }
    }
}

impl TimeRules {
    /// Whether no time is given at all, which means that none is counted.
    pub fn is_untimed(&self) -> bool {
        self.total.is_zero() && self.byoyomi.is_zero() && self.increment.is_zero()
    }
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    rules: TimeRules,
    remaining: Duration,
}

impl PlayerClock {
    /// A clock at the start of a game. `earlier` are the times of the player's moves that the summary lists: some
    /// servers have charged them and some have not, so what is left is the smaller of both.
    pub fn new(rules: TimeRules, earlier: &[Duration]) -> Self {
        let gained = rules.increment.saturating_mul(earlier.len() as u32);
        let used = earlier.iter().fold(Duration::ZERO, |sum, &time| sum.saturating_add(time));
        let remaining = rules.total.saturating_add(gained).saturating_sub(used).min(rules.total);
        Self { rules, remaining }
    }

    /// What is left without the increment of the coming move.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The rules that it follows.
    pub fn rules(&self) -> &TimeRules {
        &self.rules
    }

    /// Charges a move, and returns what was left of all its time. The main time is used before the byoyomi; a server may
    /// charge more than was left.
    pub fn charge(&mut self, spent: Duration) -> Duration {
        let left = self.all().saturating_sub(spent);
        self.remaining = self.remaining.saturating_add(self.rules.increment).saturating_sub(spent);
        left
    }

    /// Everything that the coming move has.
    fn all(&self) -> Duration {
        self.remaining.saturating_add(self.rules.byoyomi).saturating_add(self.rules.increment)
    }

    /// What may be used for the coming move; its answer must arrive strictly before. A clock that rounds up charges a
    /// unit that has only begun, so there the last one is lost.
    pub fn allowance(&self) -> Duration {
        if self.rules.round_up { self.all().saturating_sub(self.rules.unit) } else { self.all() }
    }
}

/// The clocks in the words of USI's `go`, for a move of `us`. `cut` is what is not to be used of our own time: what has
/// passed of the turn already, and the margin for engines that keep none themselves.
///
/// `btime` and `wtime` do not contain the increment of the coming move, which `binc` and `winc` give.
pub fn go_arguments(clocks: &[PlayerClock; 2], us: Color, cut: Duration) -> String {
    let own = &clocks[us.index()];
    let mut cut = cut;
    if own.rules.round_up {
        cut = cut.saturating_add(own.rules.unit);
    }
    // Something must be left to think with, however small the clock.
    let all = own.all();
    cut = cut.min(all - all / 10);
    let mut take = |time: Duration| {
        let taken = cut.min(time);
        cut -= taken;
        time - taken
    };
    // The parts are added up by the engine: it does not matter which of them is cut.
    let (remaining, byoyomi, increment) = (take(own.remaining), take(own.rules.byoyomi), take(own.rules.increment));
    let by_color = |ours: Duration, theirs: fn(&PlayerClock) -> Duration| {
        let mut both = [theirs(&clocks[0]), theirs(&clocks[1])];
        both[us.index()] = ours;
        both.map(|time| time.as_millis())
    };
    let [black, white] = by_color(remaining, |clock| clock.remaining);
    let mut text = format!("btime {black} wtime {white}");
    // USI has one or the other: whoever has byoyomi need not know that the opponent gets increments.
    let byoyomi_counts = !own.rules.byoyomi.is_zero();
    let increments = match byoyomi_counts {
        true => !own.rules.increment.is_zero(),
        false => clocks.iter().any(|clock| !clock.rules.increment.is_zero()),
    };
    if byoyomi_counts || !increments {
        let _ = write!(text, " byoyomi {}", byoyomi.as_millis());
    }
    if increments {
        let [black, white] = by_color(increment, |clock| clock.rules.increment);
        let _ = write!(text, " binc {black} winc {white}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Budget, ClockOptions, Clocks};
    use crate::platform::random::Random;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn rules(total: u64, byoyomi: u64, increment: u64) -> TimeRules {
        TimeRules {
            total: seconds(total),
            byoyomi: seconds(byoyomi),
            increment: seconds(increment),
            ..TimeRules::default()
        }
    }

    fn go(clocks: [PlayerClock; 2], us: Color) -> String {
        go_arguments(&clocks, us, Duration::ZERO)
    }

    #[test]
    fn arguments_of_go() {
        // The dialogue of another client: Black has used 2 s.
        let mut black = PlayerClock::new(rules(30, 0, 5), &[]);
        let white = black;
        black.charge(seconds(2));
        assert_eq!(go([black, white], Color::White), "btime 33000 wtime 30000 binc 5000 winc 5000");
        let clock = PlayerClock::new(rules(600, 10, 0), &[]);
        assert_eq!(go([clock; 2], Color::Black), "btime 600000 wtime 600000 byoyomi 10000");
        let clock = PlayerClock::new(rules(600, 0, 0), &[]);
        assert_eq!(go([clock; 2], Color::Black), "btime 600000 wtime 600000 byoyomi 0");
        // Clocks of their own for each side.
        let clocks = [PlayerClock::new(rules(60, 10, 0), &[]), PlayerClock::new(rules(0, 0, 5), &[])];
        assert_eq!(go(clocks, Color::Black), "btime 60000 wtime 0 byoyomi 10000");
        assert_eq!(go(clocks, Color::White), "btime 60000 wtime 0 binc 0 winc 5000");
    }

    #[test]
    fn what_is_cut_comes_from_every_part_and_leaves_a_tenth() {
        let go = |total, byoyomi, increment, cut| {
            let clock = PlayerClock::new(rules(total, byoyomi, increment), &[]);
            go_arguments(&[clock; 2], Color::White, Duration::from_millis(cut))
        };
        assert_eq!(go(10, 5, 0, 2500), "btime 10000 wtime 7500 byoyomi 5000");
        assert_eq!(go(1, 5, 0, 2500), "btime 1000 wtime 0 byoyomi 3500");
        assert_eq!(go(0, 0, 5, 2500), "btime 0 wtime 0 binc 5000 winc 2500");
        assert_eq!(go(0, 1, 0, 2500), "btime 0 wtime 0 byoyomi 100");
    }

    #[test]
    fn times_of_earlier_moves() {
        let left = |rules, earlier: &[u64]| {
            let earlier: Vec<_> = earlier.iter().map(|&s| seconds(s)).collect();
            PlayerClock::new(rules, &earlier).remaining().as_secs()
        };
        assert_eq!(left(rules(60, 0, 0), &[10, 5]), 45);
        assert_eq!(left(rules(60, 0, 10), &[12, 5]), 60, "never more than the total");
        assert_eq!(left(rules(60, 10, 0), &[100]), 0);
        assert_eq!(left(rules(60, 0, 10), &[]), 60);
    }

    #[test]
    fn charges_clamp_at_zero_and_increments_add_up() {
        let mut clock = PlayerClock::new(rules(5, 0, 1), &[]);
        assert_eq!(clock.charge(seconds(1)), seconds(5));
        assert_eq!((clock.remaining(), clock.allowance()), (seconds(5), seconds(6)));
        clock.charge(Duration::from_millis(1500));
        assert_eq!(clock.remaining(), Duration::from_millis(4500));
        assert_eq!(clock.charge(seconds(99)), seconds(0));
        assert_eq!(clock.allowance(), seconds(1));
        // In byoyomi what is left is not the whole of it.
        let mut clock = PlayerClock::new(rules(2, 10, 0), &[]);
        assert_eq!([8, 9, 1].map(|spent| clock.charge(seconds(spent))), [4, 1, 9].map(seconds));
    }

    /// The clock of a server: floor or ceiling of the units used, but at least `least`.
    struct ServerClock {
        rules: TimeRules,
        least: Duration,
        remaining: Duration,
    }

    impl ServerClock {
        /// Charges a move; `None` where the flag falls.
        fn charge(&mut self, elapsed: Duration) -> Option<Duration> {
            let unit = self.rules.unit.as_nanos();
            let elapsed = elapsed.as_nanos();
            let units = if self.rules.round_up { elapsed.div_ceil(unit) } else { elapsed / unit };
            let spent = (self.rules.unit * units as u32).max(self.least);
            let TimeRules { byoyomi, increment, .. } = self.rules;
            if self.remaining + byoyomi + increment <= spent {
                return None;
            }
            self.remaining = (self.remaining + increment).saturating_sub(spent);
            Some(spent)
        }
    }

    /// The engine's own reading of `go`, in milliseconds.
    fn clocks_of(arguments: &str) -> Clocks {
        let words: Vec<&str> = arguments.split(' ').collect();
        let value = |key: &str| {
            let pair = words.chunks(2).find(|pair| pair[0] == key)?;
            Some(Duration::from_millis(pair[1].parse().expect("a number")))
        };
        Clocks {
            time: [value("btime"), value("wtime")],
            increment: [value("binc"), value("winc")],
            byoyomi: value("byoyomi"),
            ..Clocks::default()
        }
    }

    #[test]
    fn a_thousand_random_clocks_never_flag() {
        const MARGIN: Duration = Duration::from_millis(1120);
        let mut random = Random::for_item(49, 0);
        let mut below = |n: u64| random.below(n as usize) as u64;
        let mut played = 0;
        for game in 0.. {
            if played == 1000 {
                break;
            }
            let unit = [Duration::from_millis(100), seconds(1), seconds(1), seconds(1)][below(4) as usize];
            let rules = TimeRules {
                total: seconds([0, below(10), below(60), below(900)][below(4) as usize]),
                byoyomi: seconds([0, 0, below(5), below(31)][below(4) as usize]),
                increment: seconds([0, 0, 1 + below(3), below(16)][below(4) as usize]),
                unit,
                round_up: below(4) == 0,
            };
            // What each move has at least: no client can play in less than a unit where the clock rounds up.
            let lost = if rules.round_up { unit } else { Duration::ZERO };
            let each = (rules.byoyomi + rules.increment).saturating_sub(lost);
            // Sudden death is lost by the number of moves alone where each costs something, and so is a clock that counts
            // parts of a second.
            let least = if each < seconds(2) { Duration::ZERO } else { unit * below(2) as u32 };
            if each.is_zero() && (rules.round_up || unit < seconds(1) || rules.total < seconds(2)) {
                continue;
            }
            // An engine that keeps no margin and uses all that it is given, which is the end of sudden death.
            let reckless = below(4) == 0 && !each.is_zero() && rules.byoyomi.is_zero() != rules.increment.is_zero();
            let us = Color::ALL[below(2) as usize];
            let mut server = ServerClock { rules, least, remaining: rules.total };
            let mut clocks = [PlayerClock::new(rules, &[]); 2];
            let options = ClockOptions {
                network_delay: Duration::from_millis(120),
                network_delay2: MARGIN,
                round_up_to_full_second: unit >= seconds(1),
                max_moves: 320,
                ..ClockOptions::default()
            };
            for number in (1..320).step_by(2) {
                let own = &clocks[us.index()];
                let arguments = go_arguments(&clocks, us, if reckless { MARGIN } else { Duration::ZERO });
                let given = clocks_of(&arguments);
                let thought = if reckless {
                    given.time[us.index()].unwrap_or_default()
                        + given.increment[us.index()].or(given.byoyomi).unwrap_or_default()
                } else {
                    let budget = Budget::new(&given, &options, us, number, 0);
                    // An ordinary move, a long one, or the longest that the search may take.
                    [budget.target(0.4), budget.target(1.0), budget.hard][below(3) as usize]
                };
                let delay = Duration::from_millis(below(801));
                let context = format!("game {game}, move {number}: {rules:?}, {arguments}, {thought:?} and {delay:?}");
                let unused = own.allowance().saturating_sub(thought);
                let in_byoyomi = own.remaining().is_zero() && rules.increment.is_zero();
                let Some(spent) = server.charge(thought + delay) else { panic!("flag: {context}") };
                clocks[us.index()].charge(spent);
                assert_eq!(clocks[us.index()].remaining(), server.remaining, "{context}");
                assert!(!in_byoyomi || unused < seconds(1) + MARGIN, "wasted: {context}");
            }
            played += 1;
        }
    }
}
