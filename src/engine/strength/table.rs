//! The levels, and what was measured of them.
//!
//! Matches between neighbours (27 November 2026, network of the repository), points of the upper level in 400 games each,
//! ± 4 % (5 - 4 and 4 - 3 in 800):
//!
//! | levels | points | | levels | points |
//! |---|---|---|---|---|
//! | 1 - 0 | 70 % | | 8 - 7 | 74 % |
//! | 2 - 1 | 70 % | | 9 - 8 | 70 % |
//! | 3 - 2 | 67 % | | 10 - 9 | 67 % |
//! | 4 - 3 | 69 % | | 11 - 10 | 68 % |
//! | 5 - 4 | 72 % | | 12 - 11 | 68 % |
//! | 6 - 5 | 68 % | | 13 - 12 | 68 % |
//! | 7 - 6 | 64 % | | 14 - 13 | 72 % |
//!
//! The ratings are even steps of what these are on average; beyond level 14 they are estimated from the nodes. The command
//! is in `tests/README.md`:
//!
//! ```text
//! hagane arena --engine name=upper option.Level=1 --engine name=lower option.Level=0 --random-plies 2 --games 400
//!     --each nodes=100000000 option.Threads=1 option.USI_Hash=1 --seed 6 --max-moves 300
//! ```
//!
//! Level 0 against a program that looks at material one ply ahead and takes mates in one: 41 of 100; against a random
//! mover: 100 of 100. `docs/measurements.md` has the levels beside Fairy-Stockfish.

use super::level::Level;

/// A level and its measured strength.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The level's numbers.
    pub level: Level,
    /// Its rating, by matches between neighbours; level 11 is 1900.
    pub elo: i32,
}

#[rustfmt::skip]
macro_rules! levels {
    ($($nodes:literal $depth:literal $captures:literal $simplicity:literal $taste:literal $plan:literal $error:literal
       $oversight:literal $temperature:literal $mate:literal $elo:literal;)*) => {
        [$(Measured {
            level: Level {
                nodes: $nodes,
                depth: $depth,
                captures: $captures,
                simplicity: $simplicity,
                taste: $taste,
                plan: $plan,
                error: $error,
                oversight: $oversight,
                temperature: $temperature,
                mate: $mate,
            },
            elo: $elo,
        }),*]
    };
}

/// The levels from 0 on.
#[rustfmt::skip]
pub const LEVELS: [Measured; 20] = levels! {
//  nodes     depth capt simple taste plan error overs temp mate elo
       120.0  1  0  1.00   250.0  1.00   550.0  0.800  0.500  1    118;
       128.0  1  0  1.00   220.4  1.00   305.0  0.761  0.176  1    280;
       145.0  1  1  1.00   168.5  1.00   225.5  0.690  0.135  1    442;
       210.0  1  1  1.00   119.0  1.00   148.0  0.590  0.098  1    604;
       400.0  1  1  1.00    80.4  1.00    90.8  0.451  0.069  1    766;
       400.0  1  2  1.00    80.4  1.00    90.8  0.451  0.069  1    928;
       540.0  2  3  0.95    70.7  1.00    76.7  0.394  0.063  3   1090;
       750.0  2  3  0.88    59.9  0.99    61.7  0.326  0.054  3   1252;
      1010.0  2  3  0.69    48.9  0.91    48.1  0.242  0.043  3   1414;
      1210.0  2  4  0.53    42.5  0.82    40.8  0.186  0.036  3   1576;
      1440.0  2  5  0.40    36.8  0.73    34.6  0.140  0.031  3   1738;
      1680.0  2  6  0.32    32.3  0.67    30.5  0.112  0.027  5   1900;
      2020.0  2  6  0.22    26.9  0.57    25.6  0.082  0.023  5   2062;
        90.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2224;
       140.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2386;
       300.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2570;
       700.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2770;
      3000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2990;
     20000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   3230;
    250000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   3480;
};
