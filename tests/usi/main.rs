//! The program as a client meets it: every test starts the binary and speaks USI to it.
//!
//! Every line the program says in any of these tests is judged by `common::client::Client` as well: its form, its characters,
//! and that lines of play are legal to the last move.

#[path = "../common/mod.rs"]
mod common;
mod console;
mod doctor;
mod endings;
mod handshake;
mod last_line;
mod levels;
mod malformed;
mod output;
mod position;
mod readme;
mod search;
mod subcommands;
mod timing;
