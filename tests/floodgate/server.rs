//! A server that says and expects what a test tells it to.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::{PATIENCE, SECRET};

/// A listening server.
pub struct Server {
    listener: TcpListener,
}

/// A connection of a client.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// Everything that was received, for messages.
    seen: Vec<String>,
}

/// How lines are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    Lines,
    Bytes,
    Crlf,
}

impl Server {
    pub fn start() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").expect("a port") }
    }

    /// A server at a port that was free a moment ago.
    pub fn start_at(port: u16) -> Self {
        Self { listener: TcpListener::bind(("127.0.0.1", port)).expect("the port is free") }
    }

    pub fn port(&self) -> u16 {
        self.listener.local_addr().expect("it listens").port()
    }

    pub fn accept(&self) -> Connection {
        // A client that never comes fails the test instead of holding it up.
        self.listener.set_nonblocking(true).expect("a listener that does not block");
        let until = Instant::now() + PATIENCE;
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("no client: {error}"),
            }
        };
        stream.set_nonblocking(false).expect("a stream that blocks");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream.set_nodelay(true).expect("no delay");
        Connection { stream, buffer: Vec::new(), seen: Vec::new() }
    }

    /// A client that has logged in.
    pub fn log_in(&self) -> Connection {
        let mut connection = self.accept();
        connection.expect(&format!("LOGIN me test-60-5F,{SECRET}"));
        connection.send("LOGIN:me OK");
        connection
    }

    /// A client in a game that has begun.
    pub fn begin(&self, us: char, position: &str) -> Connection {
        let mut connection = self.log_in();
        connection.offer(us, position);
        connection.send(&format!("START:{GAME_ID}"));
        connection
    }
}

/// The start position of an even game, as a summary has it.
pub const EVEN: &str = "PI\n+";

/// The id of the games that are offered.
pub const GAME_ID: &str = "ev+test-60-5F+me+he+20261126";

/// A game summary: a minute and five seconds a move.
pub fn summary(us: char, position: &str) -> String {
    let time = "BEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nByoyomi:0\nIncrement:5\nLeast_Time_Per_Move:1\nEND Time";
    summary_on(us, time, position)
}

/// A game summary with the lines on time that are given.
pub fn summary_on(us: char, time: &str, position: &str) -> String {
    let (black, white) = if us == '+' { ("me", "he") } else { ("he", "me") };
    format!(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nGame_ID:{GAME_ID}\n\
         Name+:{black}\nName-:{white}\nYour_Turn:{us}\nRematch_On_Draw:NO\nMax_Moves:256\n{time}\n\
         BEGIN Position\n{position}\nEND Position\nEND Game_Summary"
    )
}

impl Connection {
    pub fn send(&mut self, lines: &str) {
        self.send_as(lines, Delivery::Lines);
    }

    pub fn send_as(&mut self, lines: &str, delivery: Delivery) {
        let text = format!("{lines}\n");
        match delivery {
            Delivery::Lines => self.raw(text.as_bytes()),
            Delivery::Crlf => self.raw(text.replace('\n', "\r\n").as_bytes()),
            Delivery::Bytes => {
                for byte in text.as_bytes() {
                    self.raw(&[*byte]);
                }
            }
        }
    }

    fn last_seen(&self) -> &[String] {
        &self.seen[self.seen.len().saturating_sub(20)..]
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the client reads");
    }

    /// Offers a game and waits for it to be agreed to.
    pub fn offer(&mut self, us: char, position: &str) {
        self.send(&summary(us, position));
        self.expect(&format!("AGREE {GAME_ID}"));
    }

    /// The next line, keep-alives included; `None` at the end.
    pub fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                let line = String::from_utf8(line).expect("text");
                let line = line.strip_suffix('\n').unwrap_or(&line).to_owned();
                self.seen.push(line.clone());
                return Some(line);
            }
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return None,
                Ok(count) => self.buffer.extend(&bytes[..count]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    panic!("nothing comes after {:#?}", self.last_seen())
                }
                Err(_) => return None,
            }
        }
    }

    /// The next line that is no keep-alive, which may come at any time.
    pub fn line_of_play(&mut self) -> Option<String> {
        loop {
            match self.line() {
                Some(line) if line.is_empty() => {}
                line => return line,
            }
        }
    }

    /// Expects a line, byte for byte.
    #[track_caller]
    pub fn expect(&mut self, expected: &str) {
        let line = self.line();
        assert_eq!(line.as_deref(), Some(expected), "after {:#?}", self.last_seen());
    }

    /// Expects the client to close the connection without another line.
    #[track_caller]
    pub fn expect_end(&mut self) {
        let line = self.line();
        assert_eq!(line, None, "after {:#?}", self.last_seen());
    }

    /// Expects that nothing comes for a while.
    #[track_caller]
    pub fn expect_silence(&mut self, time: Duration) {
        assert!(self.buffer.is_empty(), "{:?}", String::from_utf8_lossy(&self.buffer));
        self.stream.set_read_timeout(Some(time)).expect("a time limit");
        let mut bytes = [0; 4096];
        if let Ok(count) = self.stream.read(&mut bytes) {
            panic!("'{}' came after {:#?}", String::from_utf8_lossy(&bytes[..count]), self.last_seen());
        }
        self.stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
    }

    pub fn close(self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
