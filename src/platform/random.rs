//! SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"): the numbers that identify
//! positions, and random numbers for games and training.
//!
//! Written here because the same seed must give the same games, networks and keys on every machine and with every
//! version of every crate.

/// The increment of the state per number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A 64-bit mix of a number: the output that follows the state `seed`.
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(STEP);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A number that differs from run to run, for what is meant to vary.
pub fn unpredictable() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An independent stream for one item (game, epoch) of a seeded run.
    pub const fn for_item(seed: u64, item: u64) -> Self {
        let base = mix(seed);
        let mut inner = Self(base ^ item.wrapping_mul(0xd1b5_4a32_d192_ed03));
        inner.next_u64();
        inner
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// The first `N` numbers of a seed's stream, for tables that are made when the program is built.
    pub const fn table<const N: usize>(seed: u64) -> [u64; N] {
        let mut random = Self::new(seed);
        let mut numbers = [0; N];
        let mut i = 0;
        while i < N {
            numbers[i] = random.next_u64();
            i += 1;
        }
        numbers
    }

    /// A number in `0..bound`; `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // Multiply-shift (Lemire 2019) without rejection: the bias of at most bound / 2^64 does not matter here.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Shuffles a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the generator's authors give for the seed 1234567.
    #[test]
    fn it_is_splitmix64() {
        let numbers = Random::table::<3>(1_234_567);
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(mix(1_234_567), numbers[0]);
    }

    #[test]
    fn numbers_are_spread_and_repeat() {
        let mut random = Random::for_item(7, 3);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
        let first = |seed, item| Random::for_item(seed, item).next_u64();
        assert_eq!(first(7, 3), first(7, 3));
        assert_ne!(first(7, 3), first(7, 4));
        assert_ne!(first(7, 3), first(3, 7));
        let mut items: Vec<u32> = (0..100).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
