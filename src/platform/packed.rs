//! Files that are a part of the program, compressed by `build.rs`.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;

/// A file inside of the program; it is unpacked when it is first wanted.
#[derive(Debug)]
pub struct PackedFile {
    packed: &'static [u8],
    width: usize,
    whole: OnceLock<Vec<u8>>,
}

impl PackedFile {
    /// A file from its compressed bytes, in which those at multiples of `width` come first, then those after them, and
    /// so on.
    pub const fn new(packed: &'static [u8], width: usize) -> Self {
        Self { packed, width, whole: OnceLock::new() }
    }

    /// What the file held when the program was built.
    pub fn bytes(&self) -> &[u8] {
        self.whole.get_or_init(|| {
            let mut planes = Vec::new();
            // A program whose file is damaged has a shorter one, which its reader refuses with its own words.
            let _ = DeflateDecoder::new(self.packed).read_to_end(&mut planes);
            let mut whole = vec![0; planes.len()];
            let mut rest = planes.into_iter();
            for plane in 0..self.width {
                whole.iter_mut().skip(plane).step_by(self.width).zip(&mut rest).for_each(|(place, byte)| *place = byte);
            }
            whole
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_put_back() {
        // Stored, not compressed: five bytes.
        const PACKED: [u8; 10] = [1, 5, 0, 0xfa, 0xff, b'a', b'c', b'e', b'b', b'd'];
        static FILE: PackedFile = PackedFile::new(&PACKED, 2);
        assert_eq!(FILE.bytes(), b"abcde");
        static DAMAGED: PackedFile = PackedFile::new(&[7], 1);
        assert!(DAMAGED.bytes().is_empty());
    }
}
