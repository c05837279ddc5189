//! The rules, proven several ways: published perft figures, an independent referee, agreement with itself on random
//! games, and a test for every rule that engines get wrong.

#[path = "../common/mod.rs"]
mod common;
mod consistency;
mod perft;
mod referee;
mod rules;
