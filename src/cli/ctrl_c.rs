//! Ctrl-C (or SIGTERM): the first ends the work in good order, the second the program at once.

use std::process::exit;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::client::Interrupt;

/// Signals that come together are one: `timeout` sends its signal to the program, and again to its process group.
const TOGETHER: Duration = Duration::from_millis(300);

/// Calls `stop` at the first Ctrl-C.
pub(super) fn stop_on_ctrl_c(stop: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    let mut stop = Some(stop);
    let mut first = None;
    ctrlc::set_handler(move || match stop.take() {
        Some(stop) => {
            first = Some(Instant::now());
            stop();
        }
        None if first.is_some_and(|first| first.elapsed() < TOGETHER) => {}
        // The engines die with this process.
        None => exit(130),
    })
    .context("Ctrl-C cannot be watched for")
}

/// An interrupt fired by the first Ctrl-C.
pub(super) fn interrupt_on_ctrl_c() -> anyhow::Result<Interrupt> {
    let (trigger, interrupt) = Interrupt::new();
    stop_on_ctrl_c(move || drop(trigger))?;
    Ok(interrupt)
}
