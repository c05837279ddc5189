//! The trainer's random numbers: SplitMix64, written here because "the same seed gives the same bytes" must not
//! depend on the version of a crate.

/// A stream of random numbers (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An independent stream for one item (game, epoch) of a seeded run.
    pub fn for_item(seed: u64, item: u64) -> Self {
        let mut outer = Self(seed);
        let base = outer.next_u64();
        let mut inner = Self(base ^ item.wrapping_mul(0xD1B5_4A32_D192_ED03));
        inner.next_u64();
        inner
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number in `0..bound`; `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // Multiply-shift (Lemire 2019) without rejection: the bias of at most bound / 2^64 does not matter here.
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Puts a slice in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_and_repeat() {
        let mut random = Random::for_item(7, 3);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(
            counts.iter().all(|&count| (850..1150).contains(&count)),
            "{counts:?}"
        );
        assert_eq!(
            Random::for_item(7, 3).next_u64(),
            Random::for_item(7, 3).next_u64()
        );
        assert_ne!(
            Random::for_item(7, 3).next_u64(),
            Random::for_item(7, 4).next_u64()
        );
        let mut items: Vec<u32> = (0..100).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
