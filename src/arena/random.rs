//! Random numbers that are the same on every machine and in every version, so that a match can be repeated and resumed.

/// A SplitMix64 generator (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator for a seed and a place, such as (game pair, ply).
    pub fn at(seed: u64, place: &[u64]) -> Self {
        let mut state = Self(seed);
        for &part in place {
            state.0 ^= part.wrapping_mul(0xD6E8_FEB8_6659_FD93);
            state.0 = state.bits();
        }
        state
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A random order of 0 .. `length` (Fisher and Yates).
    pub fn permutation(&mut self, length: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..length).collect();
        for last in (1..length).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeatable_and_in_range() {
        let mut random = Random::at(7, &[]);
        let order = random.permutation(100);
        assert_eq!(order, Random::at(7, &[]).permutation(100));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..100) && order != (0..100).collect::<Vec<_>>());
        assert!((0..1000).all(|_| random.below(3) < 3 && (0.0..1.0).contains(&random.unit())));
        assert_ne!(Random::at(1, &[2, 3]).bits(), Random::at(1, &[3, 2]).bits());
    }
}
