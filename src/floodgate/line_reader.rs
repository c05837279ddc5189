//! Bytes from a socket become lines, in whatever pieces they arrive.

/// The longest line that is kept; what stands beyond it is dropped. The longest of a server are some 100 bytes.
const LONGEST: usize = 4096;

/// Collects bytes and returns the lines they complete.
#[derive(Debug, Default)]
pub struct LineReader {
    line: Vec<u8>,
}

impl LineReader {
    /// Takes in what was read and calls `line` for each line that is complete now, without its end (LF or CRLF).
    /// Bytes that are not UTF-8 are replaced.
    pub fn take(&mut self, bytes: &[u8], mut line: impl FnMut(String)) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            let room = LONGEST - self.line.len();
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if ends {
                let whole = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
                line(String::from_utf8_lossy(whole).into_owned());
                self.line.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        let (mut reader, mut lines) = (LineReader::default(), Vec::new());
        for piece in pieces {
            reader.take(piece, |line| lines.push(line));
        }
        lines
    }

    #[test]
    fn pieces_of_any_size_give_the_same_lines() {
        let text = b"LOGIN:me OK\r\n\n+7776FU,T1\n\r\nlast\nunfinished";
        let expected = ["LOGIN:me OK", "", "+7776FU,T1", "", "last"];
        assert_eq!(lines(&[text]), expected);
        for size in 1..text.len() {
            assert_eq!(lines(&text.chunks(size).collect::<Vec<_>>()), expected, "{size}");
        }
    }

    #[test]
    fn overlong_lines_are_cut_and_odd_bytes_replaced() {
        let mut text = vec![b'x'; 1 << 20];
        text.extend(b"\n\xff\xfe#WIN\n");
        let lines = lines(&[&text]);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LONGEST, "\u{fffd}\u{fffd}#WIN"));
    }
}
