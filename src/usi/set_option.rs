//! `setoption`, the options file, and the console's words about options.

use std::io::{self, Write};
use std::path::Path;

use super::dialect::{Dialect, engine_option, uci_option};
use super::options_file;
use super::reply::Reply;
use super::session::Session;
use crate::engine::{EngineOptions, OptionError};

impl<W: Write> Session<W> {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        if self.output.dialect() == Dialect::Uci
            && let Some(known) = uci_option(name)
        {
            if known == "UCI_Variant" && !value.is_some_and(|value| value.eq_ignore_ascii_case("shogi")) {
                self.output.note(format!("UCI_Variant stays shogi: {} is not played here", value.unwrap_or_default()));
            }
            return;
        }
        let name = engine_option(name);
        if self.fixed_options.iter().any(|fixed| fixed.eq_ignore_ascii_case(name)) {
            if self.debug {
                self.output.note(format!("{name} stays as {} says", options_file::NAME));
            }
            return;
        }
        let name = match option_of_both_colors(name) {
            Some(both) => {
                self.output.note(format!("{name} sets {both}, for both colours"));
                both
            }
            None => name,
        };
        match self.apply_option(name, value.unwrap_or_default()) {
            Ok(()) => {}
            // Clients set what other engines have, whether it is offered or not.
            Err(OptionError::Unknown(_)) if !self.debug => {}
            Err(error) => self.output.note(error),
        }
    }

    fn apply_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.engine.set_option(name, value)?;
        if name.eq_ignore_ascii_case("DebugLogFile") {
            let path = self.engine.options().debug_log_file.clone();
            if let Err(error) = self.debug_log.open(Path::new(&path)) {
                self.output.note(format!("the debug log cannot be written to {path}: {error}"));
            }
        }
        Ok(())
    }

    /// Sets the options of the file beside the program; `setoption` does not change them any more, since clients send
    /// their defaults for everything. Messages about it are sent at `isready`.
    pub(super) fn read_options_file(&mut self, text: Option<io::Result<String>>) {
        let text = match text {
            None => return,
            Some(Err(error)) => {
                self.remarks.push(format!("{} cannot be read: {error}", options_file::NAME));
                return;
            }
            Some(Ok(text)) => text,
        };
        for (number, name, value) in options_file::parse(&text) {
            let name = engine_option(name);
            match self.apply_option(name, value) {
                Ok(()) => self.fixed_options.push(name.to_owned()),
                Err(error) => {
                    if let OptionError::Clamped { .. } = error {
                        self.fixed_options.push(name.to_owned());
                    }
                    self.remarks.push(format!("{}, line {number}: {error}", options_file::NAME));
                }
            }
        }
        if !self.fixed_options.is_empty() {
            self.remarks.push(format!("set by {}: {}", options_file::NAME, self.fixed_options.join(" ")));
        }
    }

    pub(super) fn show_options(&mut self, name: Option<&str>) {
        for option in EngineOptions::specs() {
            if name.is_none_or(|name| engine_option(name).eq_ignore_ascii_case(option.name)) {
                let shown = self.output.dialect().option_name(option.name);
                let text = match self.engine.options().get(option.name) {
                    Some(value) if !value.is_empty() => format!("{shown} = {value}"),
                    // Buttons have no value.
                    _ => shown,
                };
                self.output.send(&Reply::Text(text));
            }
        }
    }
}

/// The option for both colours that stands for YaneuraOu's options for each (`BOOK_OPTIONS=V2`).
fn option_of_both_colors(name: &str) -> Option<&'static str> {
    let one_of = |names: [&str; 2]| names.iter().any(|other| other.eq_ignore_ascii_case(name));
    if one_of(["BookEvalBlackDiff", "BookEvalWhiteDiff"]) {
        Some("BookEvalDiff")
    } else if one_of(["BookDepthBlackLimit", "BookDepthWhiteLimit"]) {
        Some("BookDepthLimit")
    } else {
        None
    }
}
