//! The USI protocol and its ancestor UCI: a loop between a client and the [`Engine`](crate::engine::Engine).
//!
//! ```text
//! input ── reader thread ──► Line ─┐
//!                                  ├─► one channel of events ─► Session ─► calls of the engine
//! engine's threads ───────► Report ┘                               └────► Reply ─► output (flushed line by line)
//! ```
//!
//! The session blocks on its channel only, so `stop`, `ponderhit`, `isready`, `quit` and the end of input never wait
//! for a search or the allocation of a table. Only the session writes to the output. What clients expect beyond the
//! text of the protocol is documented beside the code that does it.

mod command;
mod console;
mod counting;
mod debug_log;
mod dialect;
mod event;
mod fen;
mod go_words;
mod mate_search;
mod options_file;
mod output;
mod position_command;
mod reader;
mod reply;
mod report;
mod session;
mod set_option;
mod uci_move;

use std::io::{self, Read, Write};

use crate::platform::scheduling;

pub use command::{Command, CommandError, Console};
pub use debug_log::DebugLog;
pub use dialect::Dialect;
pub use position_command::{PositionCommand, PositionCommandError};
pub use reply::{CheckMate, Reply};

/// Speaks USI, or UCI after the word `uci`, until `quit` or the end of `input`. The debug log goes to `debug_log`.
///
/// # Errors
/// Where no thread can be started to read the input.
pub fn run(input: impl Read + Send + 'static, output: impl Write, debug_log: DebugLog) -> io::Result<()> {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut session = session::Session::new(sender.clone(), output, debug_log);
    session.read_options_file(options_file::read());
    reader::spawn(input, sender)?;
    scheduling::prefer_promptness();
    session.run(&events);
    Ok(())
}
