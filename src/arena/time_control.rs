//! Time controls, and the clock that enforces them.

use std::time::Duration;

use crate::types::Color;

/// The search limits of one engine. Several may be set: all are sent, and those of time are enforced.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeControl {
    /// Time for the whole game; `None` for no game clock.
    pub main: Option<Duration>,
    /// Added for every move, the first included (Fischer).
    pub increment: Duration,
    /// Time for every move once the main time is used up (秒読み).
    pub byoyomi: Duration,
    /// Time for every move.
    pub movetime: Option<Duration>,
    /// Nodes for every move.
    pub nodes: Option<u64>,
    /// Depth of every search.
    pub depth: Option<u32>,
    /// Spread of the limits for a single move (movetime, nodes, byoyomi): each is multiplied by a random number between
    /// 1 - spread and 1 + spread, the same for both games of a pair at the same ply.
    pub spread: f64,
    /// Tolerance for late answers.
    pub margin: Duration,
    /// How long to wait for an answer if there is no time limit.
    pub patience: Duration,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self {
            main: None,
            increment: Duration::ZERO,
            byoyomi: Duration::ZERO,
            movetime: None,
            nodes: None,
            depth: None,
            spread: 0.0,
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(60),
        }
    }
}

impl TimeControl {
    /// Whether there is a game clock.
    pub fn has_clock(&self) -> bool {
        self.main.is_some() || self.increment > Duration::ZERO || self.byoyomi > Duration::ZERO
    }

    /// Whether any limit is set.
    pub fn has_limit(&self) -> bool {
        self.has_clock() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// A short form: `10+0.1`, `60b1`, `movetime 0.05`, `nodes 20000 ±20%`; seconds.
impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if self.has_clock() {
            let mut text = format!("{}", self.main.unwrap_or_default().as_secs_f64());
            if self.increment > Duration::ZERO {
                text += &format!("+{}", self.increment.as_secs_f64());
            }
            if self.byoyomi > Duration::ZERO {
                text += &format!("b{}", self.byoyomi.as_secs_f64());
            }
            parts.push(text);
        }
        if let Some(time) = self.movetime {
            parts.push(format!("movetime {}", time.as_secs_f64()));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes {nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if self.spread > 0.0 {
            parts.push(format!("±{}%", self.spread * 100.0));
        }
        f.write_str(&parts.join(" "))
    }
}

/// The clock of one engine in one game.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    remaining: Duration,
    /// This move's random factor.
    factor: f64,
}

impl GameClock {
    /// A clock at the start of a game.
    pub fn new(control: &TimeControl) -> Self {
        Self { remaining: control.main.unwrap_or_default(), control: control.clone(), factor: 1.0 }
    }

    /// Draws this move's factor from `unit`, a random number in [0, 1).
    pub fn draw(&mut self, unit: f64) {
        self.factor = 1.0 + self.control.spread * (2.0 * unit - 1.0);
    }

    fn byoyomi(&self) -> Duration {
        self.control.byoyomi.mul_f64(self.factor)
    }

    fn movetime(&self) -> Option<Duration> {
        self.control.movetime.map(|time| time.mul_f64(self.factor))
    }

    /// The time available for this move; `None` without a time limit.
    ///
    /// In USI a player's time does not include the increment, which is available in the same move.
    pub fn allowance(&self) -> Option<Duration> {
        let clock = (self.control.has_clock()).then(|| self.remaining + self.control.increment + self.byoyomi());
        match (clock, self.movetime()) {
            (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
            (clock, movetime) => clock.or(movetime),
        }
    }

    /// The time after which an answer is late, or without a time limit, the engine has hung.
    pub fn deadline(&self) -> Duration {
        self.allowance().map_or(self.control.patience, |allowance| allowance + self.control.margin)
    }

    /// Charges the time used for a move.
    pub fn charge(&mut self, used: Duration) {
        if self.control.has_clock() {
            let available = self.remaining + self.control.increment;
            // Time beyond the main time is byoyomi or margin.
            self.remaining = available.saturating_sub(used);
        }
    }
}

/// The arguments of `go` for the side to move.
pub fn go_arguments(clocks: &[GameClock; 2], mover: Color) -> String {
    let own = &clocks[mover.index()];
    let mut text = String::new();
    if own.control.has_clock() {
        let ms = |color: Color| clocks[color.index()].remaining.as_millis();
        text += &format!("btime {} wtime {}", ms(Color::Black), ms(Color::White));
        let increments = clocks.iter().any(|clock| clock.control.increment > Duration::ZERO);
        if own.control.increment > Duration::ZERO || (increments && own.control.byoyomi == Duration::ZERO) {
            let ms = |color: Color| clocks[color.index()].control.increment.as_millis();
            text += &format!(" binc {} winc {}", ms(Color::Black), ms(Color::White));
        }
        if own.control.byoyomi > Duration::ZERO || !increments {
            text += &format!(" byoyomi {}", own.byoyomi().as_millis());
        }
    }
    if let Some(time) = own.movetime() {
        text += &format!(" movetime {}", time.as_millis());
    }
    if let Some(nodes) = own.control.nodes {
        text += &format!(" nodes {}", ((nodes as f64 * own.factor) as u64).max(1));
    }
    if let Some(depth) = own.control.depth {
        text += &format!(" depth {depth}");
    }
    text.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(control: TimeControl) -> GameClock {
        GameClock::new(&control)
    }

    #[test]
    fn fischer_adds_before_the_move() {
        let mut clock = clock(TimeControl { main: Some(ms(1000)), increment: ms(100), ..TimeControl::default() });
        assert_eq!(clock.allowance(), Some(ms(1100)));
        clock.charge(ms(300));
        assert_eq!(clock.remaining, ms(800));
        assert_eq!(clock.deadline(), ms(950));
    }

    #[test]
    fn byoyomi_is_free_every_move() {
        let mut clock = clock(TimeControl { main: Some(ms(500)), byoyomi: ms(200), ..TimeControl::default() });
        clock.charge(ms(600));
        assert_eq!((clock.remaining, clock.allowance()), (ms(0), Some(ms(200))));
        clock.charge(ms(150));
        assert_eq!(clock.allowance(), Some(ms(200)));
    }

    #[test]
    fn what_go_says() {
        let fischer = TimeControl { main: Some(ms(1000)), increment: ms(10), ..TimeControl::default() };
        let byoyomi = TimeControl { byoyomi: ms(50), ..TimeControl::default() };
        let nodes = TimeControl { nodes: Some(500), depth: Some(7), ..TimeControl::default() };
        let sudden = TimeControl { main: Some(ms(2000)), ..TimeControl::default() };
        let go = |black: &TimeControl, white: &TimeControl, mover| {
            go_arguments(&[GameClock::new(black), GameClock::new(white)], mover)
        };
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(go(&fischer, &fischer, black), "btime 1000 wtime 1000 binc 10 winc 10");
        assert_eq!(go(&byoyomi, &byoyomi, white), "btime 0 wtime 0 byoyomi 50");
        assert_eq!(go(&byoyomi, &fischer, black), "btime 0 wtime 1000 byoyomi 50");
        assert_eq!(go(&byoyomi, &fischer, white), "btime 0 wtime 1000 binc 0 winc 10");
        assert_eq!(go(&sudden, &sudden, black), "btime 2000 wtime 2000 byoyomi 0");
        assert_eq!(go(&nodes, &fischer, black), "nodes 500 depth 7");
    }

    #[test]
    fn spread_scales_single_moves_only() {
        let mut clock =
            clock(TimeControl { movetime: Some(ms(100)), nodes: Some(1000), spread: 0.2, ..TimeControl::default() });
        clock.draw(0.0);
        assert_eq!(clock.allowance(), Some(ms(80)));
        let both = [clock.clone(), clock.clone()];
        assert_eq!(go_arguments(&both, Color::Black), "movetime 80 nodes 800");
        clock.draw(0.5);
        assert_eq!(clock.allowance(), Some(ms(100)));
    }
}
