//! Hagane (鋼): a complete shogi engine.
//!
//! The layers, from the ground up: a module may use what stands below it, never what stands above or beside it.
//! `tests/layers.rs` reads this table and checks every file.
//!
//! | layer | module | |
//! |---|---|---|
//! | 0 | [`platform`] | memory on huge pages, scheduling, locks, files, random numbers, SVG, counts in sentences |
//! | 0 | [`types`] | colours, squares, pieces, hands, moves, scores |
//! | 1 | [`bitboard`] | sets of squares and the attacks of every piece |
//! | 2 | [`position`] | the rules: do and undo, move generation, legality, repetition, declaration; SFEN, packed positions |
//! | 3 | [`hand_crafted`] | a small hand-crafted evaluation (HCE), for when there is no network |
//! | 3 | [`attack_terms`] | attacked pieces and kings, which networks hardly see |
//! | 3 | [`nnue`] | evaluation by a neural network, its files and their formats |
//! | 3 | [`tt`] | the transposition table |
//! | 3 | [`clock`] | what `go` says about time becomes bounds for one move |
//! | 3 | [`book`] | opening books: their formats, what they have for a position, the choice |
//! | 3 | [`record`] | game records with comments and variations: KIF, KI2, CSA, USI, JKF |
//! | 4 | [`mate`] | the mate solver |
//! | 5 | [`search`] | alpha-beta |
//! | 6 | [`engine`] | the engine as a component, without text |
//! | 6 | [`client`] | any USI engine in another process |
//! | 7 | [`usi`] | the protocol USI, and UCI, between a client and the engine |
//! | 7 | [`arena`] | matches between engines, with honest statistics |
//! | 7 | [`analysis`] | thinking comments, judgement and reports of games |
//! | 7 | [`bookmaker`] | opening books: by own search, from records, of other books |
//! | 7 | [`floodgate`] | games on CSA servers, unattended |
//! | 7 | [`training`] | self-play games, their storage, and the trainer of networks |
//! | 7 | [`tsume`] | mate problems by the file |
//! | 7 | [`doctor`] | what is wrong: with the machine, with an engine, in a log; proof of the rules |
//! | 8 | [`cli`] | the command line |
//! | 9 | `main` | starts the command line |

pub mod analysis;
pub mod arena;
pub mod attack_terms;
pub mod bitboard;
pub mod book;
pub mod bookmaker;
pub mod cli;
pub mod client;
pub mod clock;
pub mod doctor;
pub mod engine;
pub mod floodgate;
pub mod hand_crafted;
pub mod mate;
pub mod nnue;
pub mod platform;
pub mod position;
pub mod record;
pub mod search;
pub mod training;
pub mod tsume;
pub mod tt;
pub mod types;
pub mod usi;
