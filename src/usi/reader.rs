//! The thread that reads what the client says.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::event::Event;
use crate::platform::scheduling;

/// Longer lines are truncated. A game of a thousand moves has about 6 KB.
const MAX_LINE: usize = 4 << 20;
/// Reading pauses while so many events are queued: a client that floods fills its pipe, not our memory.
const MAX_QUEUED: usize = 4096;

/// Reads `input` to its end on a thread of its own: an [`Event::Line`] for each line, then [`Event::End`].
pub(super) fn spawn(input: impl Read + Send + 'static, events: Sender<Event>) -> io::Result<()> {
    let read = move || {
        scheduling::prefer_promptness();
        let mut input = BufReader::new(input);
        let mut bytes = Vec::new();
        // A read error is treated as the end of the input.
        while let Ok(true) = read_line(&mut input, &mut bytes) {
            let line = Event::Line { text: decode(&bytes), at: Instant::now() };
            while events.len() >= MAX_QUEUED || events.len() * bytes.len() > MAX_LINE * 16 {
                thread::sleep(Duration::from_millis(1));
            }
            if events.send(line).is_err() {
                return;
            }
        }
        // Fails only if the session has ended already.
        let _ = events.send(Event::End(Instant::now()));
    };
    thread::Builder::new().name("reader".into()).spawn(read).map(|_| ())
}

/// Reads one line into `bytes`, without its end; `false` at the end of input.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.clear();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        bytes.extend_from_slice(&part[..part.len().min(MAX_LINE - bytes.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// UTF-8, or else the code page of Japanese Windows, in which some clients write paths. Never fails.
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        spawn(io::Cursor::new(input.to_vec()), sender).unwrap();
        let mut lines = Vec::new();
        for event in receiver {
            match event {
                Event::Line { text, .. } => lines.push(text),
                Event::End(_) => return lines,
                _ => panic!("the reader sends lines only"),
            }
        }
        panic!("no end")
    }

    #[test]
    fn lines_of_any_kind() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"usi\nisready\r\n\nquit"), ["usi", "isready\r", "", "quit"]);
        assert_eq!(lines(b"\0\xff\xfe\n").len(), 1);
        // 評価 in the code page of Japanese Windows, and in UTF-8.
        assert_eq!(lines(b"C:\\\x95\x5d\x89\xbf\n\xe8\xa9\x95\xe4\xbe\xa1"), ["C:\\評価", "評価"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut input = vec![b'x'; MAX_LINE + 100_000];
        input.extend(b"\nusi\n");
        let lines = lines(&input);
        assert_eq!((lines[0].len(), lines[1].as_str()), (MAX_LINE, "usi"));
    }

    #[test]
    fn a_flood_arrives_whole_and_in_order() {
        let input: String = (0..100_000).map(|number| format!("{number}\n")).collect();
        let lines = lines(input.as_bytes());
        assert!(lines.iter().enumerate().all(|(number, line)| *line == number.to_string()));
        assert_eq!(lines.len(), 100_000);
    }
}
