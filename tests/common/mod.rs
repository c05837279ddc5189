//! What several test programs share. Each includes it with `#[path = "../common/mod.rs"] mod common;`.

// Every test program uses a part of it.
#![allow(dead_code)]

pub mod client;
pub mod engines;
pub mod hosts;
pub mod kills;
pub mod play_outs;
pub mod translation;
