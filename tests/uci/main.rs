//! The dialect UCI: its own forms, and the tests of USI about positions and searches a second time, translated.

#[path = "../common/mod.rs"]
mod common;
mod dialogue;
#[path = "../usi/position.rs"]
mod position;
mod same_play;
#[path = "../usi/search.rs"]
mod search;
