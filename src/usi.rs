//! The USI protocol: what a client says ([`Command`]), what the engine answers ([`Reply`]), and the debug log.

mod command;
mod journal;
mod reply;

pub use command::{
    Command, CommandError, Console, GoOrder, MateLimits, PositionOrder, PositionOrderError,
};
pub use journal::Journal;
pub use reply::{CheckMate, Reply};
