//! Evaluation by an efficiently updatable neural network (NNUE, Yu Nasu 2018).
//!
//! A [`Network`] is read from a file of the nn.bin family or from one of the engine's own format ([`hagane_nn`]); both go
//! through the same code, told apart by data. [`Accumulators`] follow a search's moves as the position's observer,
//! and [`Network::evaluate`] gives the value of a position from the side to move's view.
//!
//! ```
//! use hagane::nnue::{Accumulators, Network};
//! use hagane::position::Position;
//!
//! fn value(network: &Network, position: &mut Position) -> i32 {
//!     let mut accumulators = Accumulators::new(network);
//!     accumulators.reset(position);
//!     let mv = position.legal_moves()[0];
//!     position.do_move_observed(mv, &mut accumulators);
//!     let value = network.evaluate(position, &mut accumulators);
//!     position.undo_move();
//!     accumulators.pop();
//!     value
//! }
//! ```

mod accumulator;
mod aligned;
mod architecture;
mod buckets;
mod dispatch;
mod error;
mod explanation;
mod features;
mod format;
mod items;
mod layers;
mod model;
mod network;
mod scale;
mod simd;
pub mod zoned;

pub use accumulator::Accumulators;
pub use architecture::{Architecture, Family, FeatureKind};
pub use dispatch::Simd;
pub use error::NetworkError;
pub use explanation::{Contribution, Explanation};
pub use format::hagane_nn;
pub use items::phase;
pub use network::{Network, embedded_bytes};
pub use scale::{FvScale, PLAYED_CENTIPAWNS};
