//! Levels by their numbers, and what lies between two of them.

use super::level::Level;
use super::table::LEVELS;

/// The value of the option Level that means full strength.
pub const FULL: u32 = LEVELS.len() as u32;

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
            assert!(next.taste <= level.taste && next.oversight <= level.oversight);
            assert!(next.temperature <= level.temperature && next.mate >= level.mate, "{number}");
            assert!(next.is_strong() || !level.is_strong());
            let between = Level::new(f64::from(number) + 0.5).unwrap();
            // The engine's own search does more with fewer nodes.
            if next.is_strong() == level.is_strong() {
                assert!(level.nodes <= between.nodes && between.nodes <= next.nodes, "{number}");
            }
            assert!((next.taste..=level.taste).contains(&between.taste));
        }
        assert_eq!(Level::new(f64::from(FULL)), None);
        assert_eq!(Level::new(-3.0), Level::new(0.0));
    }
}
