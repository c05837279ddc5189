//! The connection to a server: lines both ways, keep-alives, and the one place where a client waits.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use socket2::{SockRef, TcpKeepalive};

use super::line_reader::LineReader;
use super::stop::Input;
use super::traffic_log::TrafficLog;
use crate::client::Client;

/// How long each address of a server is tried.
const CONNECT: Duration = Duration::from_secs(20);
/// A server that does not take a line for so long is gone.
const WRITE: Duration = Duration::from_secs(20);
/// Lines that may wait to be read; a server that sends more than that at once is not one to play on.
const FLOOD: usize = 10_000;
/// Keep-alives in a row without an answer, from a server that has answered before, that mean it is gone.
const UNANSWERED: u32 = 4;

/// Why a client that waited goes on.
#[derive(Debug)]
pub(super) enum Wake {
    /// A line of the server, with the time of its arrival.
    Line(Instant, String),
    /// The connection is gone, and why.
    Closed(String),
    /// The end has been asked for, or one stage more of it.
    Stop,
    /// The engine has something to say.
    Engine,
    /// The time has come.
    Time,
}

/// A connection that stands.
#[derive(Debug)]
struct Link {
    id: u64,
    stream: TcpStream,
    last_sent: Instant,
    last_received: Instant,
    /// Whether the server has ever answered a keep-alive.
    answers: bool,
    /// Keep-alives since the last line.
    unanswered: u32,
}

/// A client's end of the line, connected or not.
#[derive(Debug)]
pub(super) struct Wire {
    inbox: Receiver<Input>,
    sender: Sender<Input>,
    log: Option<TrafficLog>,
    keepalive: Duration,
    link: Option<Link>,
    connections: u64,
}

impl Wire {
    pub(super) fn new(
        (sender, inbox): (Sender<Input>, Receiver<Input>),
        log: Option<TrafficLog>,
        keepalive: Duration,
    ) -> Self {
        Self { inbox, sender, log, keepalive, link: None, connections: 0 }
    }

    /// Begins to connect; [`Wire::wait_connected`] has the result.
    pub(super) fn connect(&mut self, host: &str, port: u16) -> io::Result<()> {
        self.connections += 1;
        let (id, sender, host) = (self.connections, self.sender.clone(), host.to_owned());
        let serve = move || match dial(&host, port) {
            Ok((stream, reading)) => {
                let _ = sender.send(Input::Connected(id, Ok(stream)));
                read(reading, id, &sender);
            }
            Err(error) => _ = sender.send(Input::Connected(id, Err(error))),
        };
        thread::Builder::new().name("server-in".into()).stack_size(256 << 10).spawn(serve)?;
        Ok(())
    }

    /// Waits for the connection that was begun; `None` where the end is asked for first.
    pub(super) fn wait_connected(&mut self) -> Option<io::Result<()>> {
        loop {
            match self.inbox.recv() {
                Ok(Input::Connected(id, result)) if id == self.connections => {
                    return Some(result.map(|stream| {
                        let now = Instant::now();
                        let fresh = (now, now);
                        self.link = Some(Link {
                            id,
                            stream,
                            last_sent: fresh.0,
                            last_received: fresh.1,
                            answers: false,
                            unanswered: 0,
                        });
                    }));
                }
                Ok(Input::Stop) | Err(_) => return None,
                // Of an earlier connection.
                Ok(_) => {}
            }
        }
    }

    /// Closes the connection, if there is one.
    pub(super) fn close(&mut self) {
        if let Some(link) = self.link.take() {
            self.note('#', "closed by us");
            let _ = link.stream.shutdown(Shutdown::Both);
        }
    }

    /// Sends a line. Where it cannot be sent the connection is gone, which the next [`Wire::wait`] reports.
    pub(super) fn send(&mut self, line: &str) {
        self.send_as(line, line);
    }

    /// Sends a line that is logged as another one.
    pub(super) fn send_as(&mut self, line: &str, logged: &str) {
        let Some(link) = &mut self.link else {
            return;
        };
        // One line is one segment: it is written with one call.
        let text = format!("{line}\n");
        link.last_sent = Instant::now();
        if link.stream.write_all(text.as_bytes()).is_err() {
            // Wakes the reading thread, which knows the reason.
            let _ = link.stream.shutdown(Shutdown::Both);
        }
        if !line.is_empty() {
            self.note('>', logged);
        }
    }

    /// Writes a line into the log.
    pub(super) fn note(&mut self, mark: char, line: &str) {
        if let Some(log) = &mut self.log {
            // A full disk must not end a game.
            let _ = log.write(mark, line);
        }
    }

    /// For how long nothing has come from a server that has answered keep-alives before.
    pub(super) fn silence(&self) -> Option<Duration> {
        self.link.as_ref().filter(|link| link.answers).map(|link| link.last_received.elapsed())
    }

    /// Waits for the server, the engine (where one is given), Ctrl-C or `until`, and sends keep-alives meanwhile.
    /// `patient`: a server that has fallen silent is for the caller to judge.
    pub(super) fn wait(&mut self, until: Option<Instant>, engine: Option<&Client>, patient: bool) -> Wake {
        loop {
            let now = Instant::now();
            if let Some(closed) = self.keep_alive(now, patient) {
                return closed;
            }
            let ping = self.link.as_ref().map(|link| link.last_sent + self.keepalive);
            let deadline = [until, ping].into_iter().flatten().min();
            if let Some(engine) = engine {
                engine.wait_for_either(&self.inbox, deadline);
            }
            let input = match (engine, deadline) {
                // What came from the server was first: the engine can wait.
                (Some(_), _) => self.inbox.try_recv().ok(),
                (None, Some(deadline)) => self.inbox.recv_deadline(deadline).ok(),
                (None, None) => self.inbox.recv().ok(),
            };
            if let Some(input) = input {
                if let Some(wake) = self.take(input) {
                    return wake;
                }
            } else if until.is_some_and(|until| Instant::now() >= until) {
                return Wake::Time;
            } else if engine.is_some() && deadline.is_none_or(|deadline| Instant::now() < deadline) {
                return Wake::Engine;
            }
        }
    }

    fn keep_alive(&mut self, now: Instant, patient: bool) -> Option<Wake> {
        let link = self.link.as_mut().filter(|link| now >= link.last_sent + self.keepalive)?;
        if link.answers && link.unanswered >= UNANSWERED && !patient {
            let why = format!("the server has not answered {} keep-alives", link.unanswered);
            self.close();
            return Some(Wake::Closed(why));
        }
        link.unanswered += 1;
        self.send("");
        None
    }

    fn take(&mut self, input: Input) -> Option<Wake> {
        let current = self.link.as_ref().map(|link| link.id);
        match input {
            Input::Stop => Some(Wake::Stop),
            Input::Line(id, at, line) if Some(id) == current => {
                if let Some(link) = &mut self.link {
                    link.last_received = at;
                    link.answers |= line.trim().is_empty() && link.unanswered > 0;
                    link.unanswered = 0;
                }
                if !line.is_empty() {
                    self.note('<', &line);
                }
                Some(Wake::Line(at, line))
            }
            Input::Closed(id, why) if Some(id) == current => {
                self.note('#', &why);
                self.link = None;
                Some(Wake::Closed(why))
            }
            // Of an earlier connection.
            Input::Connected(..) | Input::Line(..) | Input::Closed(..) => None,
        }
    }
}

/// Connects; the second stream is for reading.
fn dial(host: &str, port: u16) -> io::Result<(TcpStream, TcpStream)> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(WRITE))?;
                // Routers forget connections that are silent for some minutes.
                let keepalive =
                    TcpKeepalive::new().with_time(Duration::from_secs(10)).with_interval(Duration::from_secs(10));
                SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
                let reading = stream.try_clone()?;
                return Ok((stream, reading));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Reads to the end and says why it ended.
fn read(mut stream: TcpStream, id: u64, sender: &Sender<Input>) {
    let mut buffer = [0; 4096];
    let mut lines = LineReader::default();
    let why = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break "the server has closed the connection".to_owned(),
            Ok(count) => {
                let at = Instant::now();
                lines.take(&buffer[..count], |line| _ = sender.send(Input::Line(id, at, line)));
                if sender.len() > FLOOD {
                    let _ = stream.shutdown(Shutdown::Both);
                    break "the server floods the connection".to_owned();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break format!("the connection is broken: {error}"),
        }
    };
    let _ = sender.send(Input::Closed(id, why));
}
