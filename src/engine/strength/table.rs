//! The levels, and what was measured of them.
//!
//! Matches between neighbours (27 November 2026, network of the repository), points of the upper level in 400 games
//! each, ± 5 % (1 - 0 in 2512, 2 - 1, 3 - 2 and 13 - 12 in 600, 14 - 13 in 200):
//!
//! | levels | points | | levels | points |
//! |---|---|---|---|---|
//! | 1 - 0 | 73 % | | 8 - 7 | 68 % |
//! | 2 - 1 | 73 % | | 9 - 8 | 71 % |
//! | 3 - 2 | 74 % | | 10 - 9 | 66 % |
//! | 4 - 3 | 69 % | | 11 - 10 | 68 % |
//! | 5 - 4 | 71 % | | 12 - 11 | 63 % |
//! | 6 - 5 | 71 % | | 13 - 12 | 64 % |
//! | 7 - 6 | 63 % | | 14 - 13 | 66 % |
//!
//! The ratings are even steps of 140 (the mean of these is 135); beyond level 14 they are estimated from the nodes. The
//! command is in `tests/README.md`:
//!
//! ```text
//! hagane arena --engine name=upper option.Level=1 --engine name=lower option.Level=0 --random-plies 2 --games 400
//!     --each nodes=100000000 option.Threads=1 option.USI_Hash=1 --seed 0 --max-moves 300
//! ```
//!
//! Level 0 against a program that looks at material one ply ahead and takes mates in one: of 4800 games 2101 won,
//! 2484 lost; against a random mover: 100 of 100. `docs/measurements.md` has the commands, and the levels beside
//! Fairy-Stockfish.

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
       120.0  1  0  1.00   255.0  1.00   745.0  0.850  0.560  1    360;
       127.0  1  0  1.00   222.5  1.00   520.0  0.764  0.290  1    500;
       135.0  1  1  1.00   199.6  1.00   320.0  0.733  0.155  1    640;
       200.0  1  1  1.00   122.5  1.00   153.4  0.597  0.101  1    780;
       400.0  1  1  1.00    80.4  1.00    90.8  0.451  0.069  1    920;
       400.0  1  2  1.00    80.4  1.00   126.0  0.451  0.069  1   1060;
       520.0  2  3  0.96    72.0  1.00    78.5  0.401  0.064  3   1200;
       740.0  2  3  0.88    60.3  0.99    62.3  0.329  0.054  3   1340;
       930.0  2  3  0.75    52.1  0.93    52.0  0.266  0.046  3   1480;
      1130.0  2  4  0.59    44.8  0.85    43.4  0.206  0.039  3   1620;
      1320.0  2  4  0.47    39.7  0.78    37.8  0.163  0.034  3   1760;
      1530.0  2  5  0.37    35.1  0.71    33.0  0.129  0.029  5   1900;
      1820.0  2  6  0.28    29.9  0.63    28.3  0.099  0.025  5   2040;
        98.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2180;
       140.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2320;
       300.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2504;
       700.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2704;
      3000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   2924;
     20000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   3164;
    250000.0  0  0  0.00     0.0  0.00     0.0  0.000  0.000  5   3414;
};
