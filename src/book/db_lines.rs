//! The lines of a text file of whatever size and content.

use std::io::BufRead;

use super::BookError;

/// The longest line that is understood; the rest of a longer one is skipped.
pub(super) const MAX_LINE: usize = 1 << 16;

/// A reader of lines.
pub struct DbLines<R> {
    reader: R,
    bytes: Vec<u8>,
    text: String,
    number: u64,
}

impl<R: BufRead> DbLines<R> {
    /// The lines of a reader.
    pub fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), text: String::new(), number: 0 }
    }

    /// The next line with its number, from 1; without its end, and cut where it is longer than any line should be.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next_line(&mut self) -> Result<Option<(u64, &str)>, BookError> {
        self.bytes.clear();
        let mut any = false;
        loop {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                break;
            }
            any = true;
            let end = block.iter().position(|&byte| byte == b'\n');
            let part = &block[..end.unwrap_or(block.len())];
            self.bytes.extend_from_slice(&part[..part.len().min(MAX_LINE - self.bytes.len())]);
            let used = end.map_or(block.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.number += 1;
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(any.then_some((self.number, self.text.as_str())))
    }
}
