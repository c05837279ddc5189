//! The mate solver against slow, obvious referees, its proofs walked by an independent checker, and the program.

mod check;
#[path = "../common/mod.rs"]
mod common;
mod counted;
#[cfg(unix)]
mod hosts;
mod positions;
mod program;
mod proofs;
mod referee;
mod sets;
mod solver;
mod threads;
