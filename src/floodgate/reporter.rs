//! Tells everybody who wants to know: the caller, and the user's command.

use super::event::Event;
use super::hook::Hook;

/// Passes events on.
pub(super) struct Reporter<'a> {
    tell: &'a mut dyn FnMut(&Event),
    hook: Option<Hook>,
    account: String,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(tell: &'a mut dyn FnMut(&Event), hook: Option<Hook>, account: String) -> Self {
        Self { tell, hook, account }
    }

    pub(super) fn event(&mut self, event: &Event) {
        (self.tell)(event);
        let Some(hook) = &self.hook else {
            return;
        };
        if let Some(event) = event.json(&self.account)
            && !hook.tell(event.to_string())
        {
            (self.tell)(&Event::Fault("the command for events is too slow: an event was left out".to_owned()));
        }
        for fault in hook.faults() {
            (self.tell)(&Event::Fault(fault));
        }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.event(&Event::Note(text.into()));
    }

    pub(super) fn fault(&mut self, text: impl Into<String>) {
        self.event(&Event::Fault(text.into()));
    }
}
