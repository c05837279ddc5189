//! Counts in sentences: `1 game`, `2 games`.

use std::fmt::Display;

/// A count with its noun in the singular or the plural.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    format!("{count} {}", if count == N::from(1) { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0_u32, 1, 2].map(|count| counted(count, "ply", "plies")), ["0 plies", "1 ply", "2 plies"]);
    }
}
