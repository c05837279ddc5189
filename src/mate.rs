//! The mate solver (詰将棋, tsume shogi): is there a mate by consecutive checks, and which?
//!
//! Depth-first proof-number search with a transposition table of its own. A [`Solver`] keeps its table, so that the
//! proof can be walked after the answer. There are no globals: any number of solvers may run at once. Each idea has its
//! own file; `mate/df_pn.rs` lists those of the search.

mod captured_interpositions;
mod control;
mod counted;
mod decision;
mod delayed_moves;
mod df_pn;
mod estimate;
mod examiner;
mod expansion;
mod interposition;
mod key;
mod line;
mod mate_len;
mod moves;
mod one_ply;
mod path;
mod pn_dn;
mod proof_hand;
mod quick_solver;
mod repetition;
mod search_result;
mod settings;
mod solution;
mod solver;
mod table;
mod three_plies;

pub use control::MateProgress;
pub use examiner::Examiner;
pub use one_ply::one_ply;
pub use quick_solver::{QuickSolver, QuickVerdict};
pub use settings::{FutileInterpositions, MateLength, MateSettings};
pub use solution::{Mate, MateSolution, MateVerdict};
pub use solver::{Solver, attacker};
