//! Reading and writing 256 bits, least significant bit of each byte first, as both packed position formats do.

/// Reads 32 bytes bit by bit.
pub struct BitReader<'a> {
    bytes: &'a [u8; 32],
    cursor: usize,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit.
    pub fn new(bytes: &'a [u8; 32]) -> Self {
        Self { bytes, cursor: 0 }
    }

    /// The number of bits read.
    pub fn position(&self) -> usize {
        self.cursor
    }

    /// Whether all 256 bits are read.
    pub fn at_end(&self) -> bool {
        self.cursor >= 256
    }

    /// The next bit; `None` past the end.
    pub fn bit(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.cursor / 8)?;
        let bit = byte >> (self.cursor % 8) & 1 != 0;
        self.cursor += 1;
        Some(bit)
    }

    /// The next `count` bits, least significant first.
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for shift in 0..count {
            value |= (self.bit()? as u32) << shift;
        }
        Some(value)
    }
}

/// Writes 32 bytes bit by bit.
#[derive(Default)]
pub struct BitWriter {
    words: [u64; 4],
    cursor: usize,
}

impl BitWriter {
    /// Appends the lowest `count` bits (at most 32) of a value, the lowest first; bits past the 256th are counted but
    /// lost.
    pub fn bits(&mut self, value: u32, count: u32) {
        let value = u64::from(value) & ((1 << count) - 1);
        let (word, shift) = (self.cursor / 64, self.cursor % 64);
        if let Some(word) = self.words.get_mut(word) {
            *word |= value << shift;
        }
        // What the first word has no room for; a shift by 64 leaves nothing.
        if let Some(next) = self.words.get_mut(word + 1) {
            *next |= value.checked_shr(64 - shift as u32).unwrap_or(0);
        }
        self.cursor += count as usize;
    }

    /// The bytes, if exactly 256 bits were written.
    pub fn finish(self) -> Option<[u8; 32]> {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        (self.cursor == 256).then_some(bytes)
    }
}
