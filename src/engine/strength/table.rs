//! The levels, and what was measured of them.
//!
//! Matches between neighbours (26 November 2026, network of the repository), points of the upper level of games played:
//!
//! | levels | points | | levels | points |
//! |---|---|---|---|---|
//! | 1 - 0 | 63.6 % of 400 | | 8 - 7 | 66.0 % of 53 |
//! | 2 - 1 | 58.3 % of 400 | | 9 - 8 | 56.6 % of 145 |
//! | 3 - 2 | 69.4 % of 400 | | 11 - 10 | 72.5 % of 60 |
//! | 4 - 3 | 67.7 % of 283 | | 12 - 11 | 66.7 % of 60 |
//! | 5 - 4 | 78.0 % of 100 | | 10 - 9 | 70.5 % of 100 |
//! | 6 - 5 | 68.8 % of 40 | | 13 - 12 | 71.7 % of 60 |
//! | 7 - 6 | 66.7 % of 60 | | 14 - 13 | 57.5 % of 60 |
//!
//! Ratings beyond level 14 are estimated from their nodes. The command is in `tests/README.md`:
//!
//! ```text
//! hagane arena --engine name=upper option.Level=1 --engine name=lower option.Level=0 --random-plies 2 --games 400
//!     --each nodes=100000000 option.Threads=1 option.USI_Hash=1 --seed 0 --max-moves 300
//! ```
//!
//! Level 0 against a random mover: 95.5 of 100; against a program that looks at material one ply ahead: 8.5 of 30.
//!
//! What a move loses by a full search of 20,000 nodes, in points of win probability over 150 positions: level 0 18.0, 2
//! 17.5, 4 11.2, 6 8.3, 8 6.7, 10 5.7, 12 4.6, 14 4.2.

use super::level::Level;

/// A level and its measured strength.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The level's numbers.
    pub level: Level,
    /// Its rating, by matches between neighbours; level 11 is 1550.
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
        120.0  1  0   1.0  250.0   1.0  350.0   0.80   0.20  1    143;
        150.0  1  1   1.0  145.0   1.0  190.0   0.66  0.115  1    240;
        200.0  1  1   1.0  110.0   1.0  130.0   0.60   0.09  1    298;
        400.0  1  2   1.0   80.0   1.0   90.0   0.45   0.07  1    440;
        800.0  2  3   0.9   58.0   1.0   58.0   0.32  0.054  1    567;
       1000.0  2  4  0.75   50.0  0.95   50.0  0.255  0.045  3    717;
       1200.0  2  4   0.5   42.0   0.8   40.0   0.18  0.035  3    857;
       1400.0  2  5  0.41   37.5  0.75   35.0  0.142  0.031  3    977;
       1650.0  2  6  0.33   33.0   0.7   31.0  0.112  0.027  3   1092;
       1900.0  2  6 0.275   29.5  0.62   28.0  0.096  0.025  3   1202;
       2200.0  2  6  0.17   24.0   0.5   23.0  0.068  0.021  5   1382;
       2600.0  3  6  0.08   18.6  0.36   16.6  0.046  0.017  5   1550;
       3000.0  3  8   0.0   13.0   0.2   11.0  0.032  0.013  5   1670;
        250.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   1831;
        500.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   1884;
       1000.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   1984;
       2500.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   2114;
      10000.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   2314;
      60000.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   2564;
     600000.0  0  0   0.0    0.0   0.0    0.0    0.0    0.0  5   2864;
};
