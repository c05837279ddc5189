//! A cursor over a file's bytes that knows where it is when something is missing.

use crate::nnue::error::NetworkError;

/// The magic before a block of LEB128 values.
pub(super) const LEB128_MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// Reads little-endian values from a slice; every failure names the part of the file and the byte.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub fn take(&mut self, count: usize, part: &str) -> Result<&'a [u8], NetworkError> {
        match self.rest().get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(NetworkError::Truncated {
                length: self.bytes.len(),
                part: part.to_owned(),
                missing: count - self.rest().len(),
            }),
        }
    }

    pub fn array<const N: usize>(&mut self, part: &str) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, part)?);
        Ok(array)
    }

    pub fn u32(&mut self, part: &str) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array(part)?))
    }

    pub fn i32s(&mut self, count: usize, part: &str) -> Result<Vec<i32>, NetworkError> {
        let bytes = self.take(count * 4, part)?;
        let values = bytes.chunks_exact(4);
        Ok(values.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    pub fn i8s(&mut self, count: usize, part: &str) -> Result<Vec<i8>, NetworkError> {
        Ok(self.take(count, part)?.iter().map(|&b| b as i8).collect())
    }

    /// Fills `out` with 16-bit values.
    pub fn fill_i16(&mut self, out: &mut [i16], part: &str) -> Result<(), NetworkError> {
        let bytes = self.take(out.len() * 2, part)?;
        for (value, b) in out.iter_mut().zip(bytes.chunks_exact(2)) {
            *value = i16::from_le_bytes([b[0], b[1]]);
        }
        Ok(())
    }

    /// Whether a LEB128 block starts here.
    pub fn at_leb128(&self) -> bool {
        self.rest().starts_with(LEB128_MAGIC)
    }

    /// The content of a LEB128 block: magic, byte count, then as many bytes.
    pub fn leb128_block(&mut self, part: &'static str) -> Result<Leb128<'a>, NetworkError> {
        self.take(LEB128_MAGIC.len(), part)?;
        let count = self.u32(part)? as usize;
        let start = self.at;
        Ok(Leb128 { bytes: self.take(count, part)?, start, part })
    }
}

/// Signed LEB128 values: seven bits a byte, low bits first, bit 7 for "more", sign in bit 6 of the last byte.
pub(super) struct Leb128<'a> {
    bytes: &'a [u8],
    start: usize,
    part: &'static str,
}

impl Leb128<'_> {
    /// How many values the block holds, at most its length in bytes.
    pub fn count(&self) -> usize {
        self.bytes.iter().filter(|&&byte| byte < 0x80).count()
    }

    /// Decodes the block into exactly `out.len()` values, which must be [`Leb128::count`].
    pub fn decode(&self, out: &mut [i16]) -> Result<(), NetworkError> {
        let malformed = |at: usize, what: &str| NetworkError::Malformed {
            part: self.part,
            at: self.start + at,
            what: what.to_owned(),
        };
        let mut at = 0;
        for value in out {
            // Nearly all weights are one byte.
            let (mut result, mut shift) = (0u32, 0);
            loop {
                let Some(&byte) = self.bytes.get(at) else {
                    return Err(malformed(at, "the block ends within a value"));
                };
                at += 1;
                result |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    if byte & 0x40 != 0 {
                        result |= u32::MAX << shift;
                    }
                    break;
                }
                if shift > 14 {
                    return Err(malformed(at, "a value is longer than 16 bits"));
                }
            }
            *value = i16::try_from(result as i32).map_err(|_| malformed(at, "a value is longer than 16 bits"))?;
        }
        if at == self.bytes.len() { Ok(()) } else { Err(malformed(at, "bytes are left over in the block")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends a LEB128 block, magic and length included.
    fn write_leb128(out: &mut Vec<u8>, values: &[i16]) {
        out.extend_from_slice(LEB128_MAGIC);
        let length_at = out.len();
        out.extend_from_slice(&[0; 4]);
        for &value in values {
            let mut value = i32::from(value);
            loop {
                let byte = (value & 0x7f) as u8;
                value >>= 7;
                if (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0) {
                    out.push(byte);
                    break;
                }
                out.push(byte | 0x80);
            }
        }
        let length = (out.len() - length_at - 4) as u32;
        out[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }

    #[test]
    fn every_16_bit_value_survives_leb128() {
        let values: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        write_leb128(&mut bytes, &values);
        let mut reader = Reader::new(&bytes);
        assert!(reader.at_leb128());
        let block = reader.leb128_block("values").unwrap();
        assert_eq!(block.count(), values.len());
        let mut back = vec![0; values.len()];
        block.decode(&mut back).unwrap();
        assert_eq!(back, values);
        assert!(reader.rest().is_empty());
    }

    #[test]
    fn overlong_and_cut_values_are_refused() {
        for bytes in [&[0x80u8][..], &[0x80, 0x80, 0x80, 0x00], &[0xff, 0xff, 0x7d], &[0x80, 0x80, 0x02]] {
            let block = Leb128 { bytes, start: 0, part: "block" };
            let mut out = vec![0; block.count().max(1)];
            assert!(block.decode(&mut out).is_err(), "{bytes:?}");
        }
    }
}
