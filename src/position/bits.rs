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
    bytes: [u8; 32],
    cursor: usize,
}

impl BitWriter {
    /// Appends the lowest `count` bits of a value, the lowest first; bits past the 256th are counted but lost.
    pub fn bits(&mut self, value: u32, count: u32) {
        for shift in 0..count {
            if let Some(byte) = self.bytes.get_mut(self.cursor / 8) {
                *byte |= ((value >> shift & 1) as u8) << (self.cursor % 8);
            }
            self.cursor += 1;
        }
    }

    /// The bytes, if exactly 256 bits were written.
    pub fn finish(self) -> Option<[u8; 32]> {
        (self.cursor == 256).then_some(self.bytes)
    }
}
