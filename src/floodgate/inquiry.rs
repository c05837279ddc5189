//! Questions to a server in the extended mode: who is there, which games are on.

use std::time::{Duration, Instant};

use super::account::Account;
use super::server_line::ServerLine;
use super::session::FloodgateError;
use super::stop::Stop;
use super::wire::{Wake, Wire};

/// From a question to the end of its answer.
const ANSWER: Duration = Duration::from_secs(30);

/// Asks one question (`WHO`, `LIST`) and returns the lines of the answer.
///
/// # Errors
/// No connection, a refused login, or no answer.
pub fn inquire(account: &Account, question: &str, stop: &Stop) -> Result<Vec<String>, FloodgateError> {
    let account = account.inquirer();
    let mut wire = Wire::new((stop.sender(), stop.inbox()), None, ANSWER * 2);
    let server = format!("{}:{}", account.host, account.port);
    let failed = |error| FloodgateError::File(server.clone(), error);
    wire.connect(&account.host, account.port).map_err(failed)?;
    match wire.wait_connected() {
        None => return Ok(Vec::new()),
        Some(result) => result.map_err(failed)?,
    }
    let [line, logged] = account.login();
    wire.send_as(&line, &logged);
    let until = Instant::now() + ANSWER;
    let mark = format!("##[{question}]");
    let mut lines = Vec::new();
    loop {
        match wire.wait(Some(until), None, false) {
            Wake::Line(_, line) => match ServerLine::parse(&line) {
                ServerLine::LoginRefused => return Err(FloodgateError::Refused(account)),
                ServerLine::LoggedIn => wire.send(&format!("%%{question}")),
                ServerLine::Extended(text) => {
                    if let Some(rest) = text.strip_prefix(&mark).map(str::trim) {
                        if rest == "+OK" {
                            wire.send("LOGOUT");
                            wire.close();
                            return Ok(lines);
                        }
                        lines.push(rest.to_owned());
                    } else if let Some(error) = text.strip_prefix("##[ERROR]") {
                        return Err(FloodgateError::Server(error.trim().to_owned()));
                    }
                }
                _ => {}
            },
            Wake::Closed(why) => return Err(failed(std::io::Error::other(why))),
            Wake::Time => return Err(failed(std::io::ErrorKind::TimedOut.into())),
            Wake::Stop => return Ok(lines),
            Wake::Engine => {}
        }
    }
}
