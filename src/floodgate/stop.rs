//! Ctrl-C in stages: first no new game, then no more moves.

use std::io;
use std::net::TcpStream;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::client::{Interrupt, Trigger};
use crate::platform::sync::Mutex;

/// What wakes a client that waits.
#[derive(Debug)]
pub(super) enum Input {
    /// A connection was made, or could not be.
    Connected(u64, io::Result<TcpStream>),
    /// A line of a connection, with the time of its arrival.
    Line(u64, Instant, String),
    /// A connection has ended, with the reason.
    Closed(u64, String),
    /// The stage of [`Stop`] has changed.
    Stop,
}

/// How far the end has been asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopStage {
    /// Not at all.
    No,
    /// The game that is played is the last.
    AfterGame,
    /// At once; a game is resigned.
    Now,
}

#[derive(Debug)]
struct State {
    presses: u32,
    in_game: bool,
    /// Fires the interrupt of the engine when it is dropped.
    trigger: Option<Trigger>,
}

/// Shared by a running client and whoever may stop it.
#[derive(Debug)]
pub struct Stop {
    state: Mutex<State>,
    interrupt: Interrupt,
    sender: Sender<Input>,
    inbox: Receiver<Input>,
}

impl Default for Stop {
    fn default() -> Self {
        let (trigger, interrupt) = Interrupt::new();
        let (sender, inbox) = unbounded();
        let state = State { presses: 0, in_game: false, trigger: Some(trigger) };
        Self { state: Mutex::new(state), interrupt, sender, inbox }
    }
}

impl Stop {
    /// Asks for the end, each time one stage further.
    pub fn press(&self) {
        let mut state = self.state.lock();
        state.presses += 1;
        if state.presses > 1 || !state.in_game {
            // Whatever waits for an engine now need not wait any longer.
            state.trigger = None;
        }
        drop(state);
        // The receiver is a field of this value.
        let _ = self.sender.send(Input::Stop);
    }

    /// The stage.
    pub fn stage(&self) -> StopStage {
        match self.state.lock().presses {
            0 => StopStage::No,
            1 => StopStage::AfterGame,
            _ => StopStage::Now,
        }
    }

    /// Says whether a game is played, which the first press lets go on. Returns the stage.
    pub(super) fn set_in_game(&self, in_game: bool) -> StopStage {
        self.state.lock().in_game = in_game;
        self.stage()
    }

    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    pub(super) fn sender(&self) -> Sender<Input> {
        self.sender.clone()
    }

    pub(super) fn inbox(&self) -> Receiver<Input> {
        self.inbox.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_survives_the_first_press_only() {
        let stop = Stop::default();
        stop.set_in_game(true);
        stop.press();
        assert_eq!((stop.stage(), stop.interrupt().has_fired()), (StopStage::AfterGame, false));
        stop.press();
        assert_eq!((stop.stage(), stop.interrupt().has_fired()), (StopStage::Now, true));
        let idle = Stop::default();
        idle.press();
        assert!(idle.interrupt().has_fired());
    }
}
