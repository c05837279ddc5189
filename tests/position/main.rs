//! The rules, proven several ways: published perft figures, an independent referee, agreement with itself on random
//! games, and a test for every rule that engines get wrong.

mod consistency;
mod perft;
mod random_games;
mod referee;
mod rules;
