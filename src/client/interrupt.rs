//! A cancellation signal that wakes every waiting client at once.

use std::convert::Infallible;

use crossbeam_channel::{Receiver, Sender, bounded, never};

/// Held by whoever waits; fires when its [`Trigger`] is dropped.
#[derive(Clone, Debug)]
pub struct Interrupt(pub(super) Receiver<Infallible>);

/// Fires its [`Interrupt`]s when dropped.
#[derive(Debug)]
pub struct Trigger {
    // Nothing is ever sent: closing the channel is the signal, which every receiver gets.
    _sender: Sender<Infallible>,
}

impl Interrupt {
    /// A trigger and its interrupt, which can be cloned.
    pub fn new() -> (Trigger, Self) {
        let (sender, receiver) = bounded(0);
        (Trigger { _sender: sender }, Self(receiver))
    }

    /// An interrupt that never fires.
    pub fn never() -> Self {
        Self(never())
    }

    /// A channel that is closed when the interrupt fires, for `select!`.
    pub fn channel(&self) -> &Receiver<Infallible> {
        &self.0
    }

    /// Whether it has fired.
    pub fn has_fired(&self) -> bool {
        matches!(self.0.try_recv(), Err(crossbeam_channel::TryRecvError::Disconnected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fires_for_every_clone() {
        let (trigger, interrupt) = Interrupt::new();
        let other = interrupt.clone();
        assert!(!interrupt.has_fired() && !other.has_fired());
        drop(trigger);
        assert!(interrupt.has_fired() && other.has_fired());
        assert!(!Interrupt::never().has_fired());
    }
}
