//! The files that networks come in.

mod detect;
pub mod hagane_nn;
pub(super) mod nn_bin;
mod reader;
