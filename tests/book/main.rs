//! Opening books: formats and their oddities, the same answers from memory and from the file, the engine's use of them,
//! damaged files.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod formats;
mod maker;
mod minimax;
mod mutations;
mod play;
mod shipped;
