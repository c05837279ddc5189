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
    stages_of_ctrl_c(1, move || {
        if let Some(stop) = stop.take() {
            stop();
        }
    })
}

/// Calls `stage` at each of the first `stages` Ctrl-Cs; the next one ends the program at once.
pub(super) fn stages_of_ctrl_c(stages: u32, mut stage: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    let mut pressed = 0;
    let mut last: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if last.is_some_and(|last| last.elapsed() < TOGETHER) {
            return;
        }
        last = Some(Instant::now());
        pressed += 1;
        if pressed > stages {
            // The engines die with this process.
            exit(130);
        }
        stage();
    })
    .context("Ctrl-C cannot be watched for")
}

/// An interrupt fired by the first Ctrl-C.
pub(super) fn interrupt_on_ctrl_c() -> anyhow::Result<Interrupt> {
    let (trigger, interrupt) = Interrupt::new();
    stop_on_ctrl_c(move || drop(trigger))?;
    Ok(interrupt)
}
