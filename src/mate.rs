//! The mate solver (詰将棋): is there a mate by checks alone, and which?
//!
//! Depth-first proof-number search on a table of its own. [`solve`] answers a position once; a [`Solver`] keeps its
//! table, so that the proof can be walked after the answer. Nothing here is global: any number of solvers may work at
//! once. One idea lives in one file: see `mate/df_pn.rs` for the list.

mod control;
mod delay;
mod df_pn;
mod estimate;
mod expansion;
mod interposition;
mod key;
mod moves;
mod number;
mod one_ply;
mod outcome;
mod path;
mod proof_hand;
mod repetition;
mod solver;
mod table;
mod three_plies;

pub use one_ply::one_ply;
pub use solver::{Length, Mate, Progress, Settings, Solution, Solver, Verdict, attacker, solve};
