//! Alpha-beta search: worker threads that share a transposition table.
//!
//! A [`SearchRequest`] describes one search. Every thread runs a [`Worker`] on it (Lazy SMP: workers share nothing but
//! the table). Worker 0 also watches the clock and reports. `docs/search-log.md` says what was tried and what it was
//! worth.
//!
//! # Flow
//!
//! `root` deepens iteratively within aspiration windows and calls `negamax`, which calls itself and, at the horizon,
//! `quiescence`. The steps of a node are numbered as in `negamax`:
//!
//! | steps | file | what |
//! |---|---|---|
//! | 1 to 4 | `negamax` | horizon, end of the game, mate distance, table cut-off |
//! | 5 | `static_eval`, `pv_mates` | immediate wins; mates that the mate solver finds on the principal variation |
//! | 6 to 8 | `static_eval` | static evaluation, eval swing, hindsight |
//! | 9 to 14 | `node_pruning` | razoring, reverse futility, null move, ProbCut: all before the move loop (12 is in `negamax`) |
//! | 15 to 24 | `negamax` | the move loop; 16, 17 and 19 (prune, extend, reduce a move) are in `move_pruning`, what the board says of a quiet move (19) in `prospects` |
//! | 25, 26 | `negamax` | the node's result; what histories learn from it is in `history_update` |
//!
//! A node's state lives in two places: its `StackEntry`, which nodes above and below read, and its `NodeInfo`, which
//! its own steps share.

mod control;
mod correction_history;
#[cfg(feature = "tune")]
pub mod counters;
#[cfg(not(feature = "tune"))]
mod counters;
mod evaluator;
mod final_lines;
mod history;
mod history_update;
mod keys;
mod lazy_sort;
mod limits;
mod mate_tests;
mod move_picker;
mod move_pruning;
mod move_stack;
mod negamax;
mod node;
mod node_pruning;
pub mod params;
mod prospects;
mod pv_mates;
mod quiescence;
mod quiet_rank;
mod report;
mod request;
mod root;
mod root_move;
mod rules;
mod sparse_table;
mod static_eval;
mod time_manager;
mod tt_data;
#[cfg(feature = "tune")]
mod verification;
mod worker;
mod worker_reports;

pub use control::Control;
pub use evaluator::{Evaluator, NetworkEvaluator};
pub use limits::{Limits, SearchOptions};
pub use report::{Line, Progress};
pub use request::{Listener, NodeCounter, SearchRequest};
pub use root_move::{RootMove, SearchOutcome};
pub use rules::Rules;
pub use worker::Worker;
