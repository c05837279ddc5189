//! What makes a level.

use crate::types::Depth;

use super::table::LEVELS;

/// The value of the option Level that means full strength.
pub const FULL: u32 = LEVELS.len() as u32;

/// The numbers of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Nodes that it looks at.
    pub nodes: f64,
    /// Plies that it looks ahead with all moves; 0: as far as its nodes reach, by the engine's own search.
    pub depth: Depth,
    /// Plies of captures beyond them.
    pub captures: Depth,
    /// The part of its judgement that is by hand-crafted rules, 0 to 1; the rest is the network's.
    pub simplicity: f64,
    /// Spread of its taste for squares, in centipawns.
    pub taste: f64,
    /// How much it plays by a plan, 0 to 1.
    pub plan: f64,
    /// Spread of its error about single positions, in centipawns.
    pub error: f64,
    /// How likely it does not see a quiet answer of the opponent.
    pub oversight: f64,
    /// Points of win probability by which a move may seem worse and be played a third as often as the best.
    pub temperature: f64,
    /// Plies of the mates that it sees whatever else it sees.
    pub mate: usize,
}

impl Level {
    /// The level of a number, which may lie between two levels; `None` for full strength.
    pub fn new(number: f64) -> Option<Self> {
        let number = number.max(0.0);
        let below = number.floor() as usize;
        let (lower, part) = (LEVELS.get(below)?.level, number - number.floor());
        let upper = LEVELS.get(below + 1).map_or(lower, |row| row.level);
        // Sight grows by factors.
        let nodes = lower.nodes * (upper.nodes / lower.nodes).powf(part);
        if lower.depth == 0 || upper.depth == 0 {
            return Some(Self { nodes: if upper.depth == lower.depth { nodes } else { lower.nodes }, ..lower });
        }
        let mix = |value: fn(&Self) -> f64| value(&lower) + (value(&upper) - value(&lower)) * part;
        let nearer = if part < 0.5 { lower } else { upper };
        Some(Self {
            nodes,
            simplicity: mix(|level| level.simplicity),
            taste: mix(|level| level.taste),
            plan: mix(|level| level.plan),
            error: mix(|level| level.error),
            oversight: mix(|level| level.oversight),
            temperature: mix(|level| level.temperature),
            ..nearer
        })
    }

    /// Whether it looks with the engine's own search.
    pub fn is_strong(&self) -> bool {
        self.depth == 0
    }

    /// Whether it knows the rule of declaring a win.
    pub fn declares(&self) -> bool {
        self.mate >= 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_and_have_what_lies_between_them() {
        for number in 0..FULL {
            let level = Level::new(f64::from(number)).unwrap();
            assert_eq!(level, LEVELS[number as usize].level);
            let Some(next) = Level::new(f64::from(number) + 1.0) else {
                continue;
            };
            assert!(next.nodes >= level.nodes && next.taste <= level.taste && next.oversight <= level.oversight);
            assert!(next.temperature <= level.temperature && next.mate >= level.mate, "{number}");
            assert!(next.is_strong() || !level.is_strong());
            let between = Level::new(f64::from(number) + 0.5).unwrap();
            assert!((level.nodes..=next.nodes).contains(&between.nodes));
            assert!((next.taste..=level.taste).contains(&between.taste));
        }
        assert_eq!(Level::new(f64::from(FULL)), None);
        assert_eq!(Level::new(-3.0), Level::new(0.0));
    }
}
