//! Files that are a part of the program, compressed by `build.rs`.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;

/// A file inside of the program; it is unpacked when it is first wanted.
#[derive(Debug)]
pub struct PackedFile {
    packed: &'static [u8],
    whole: OnceLock<Vec<u8>>,
}

impl PackedFile {
    /// A file from its compressed bytes.
    pub const fn new(packed: &'static [u8]) -> Self {
        Self { packed, whole: OnceLock::new() }
    }

    /// What the file held when the program was built.
    pub fn bytes(&self) -> &[u8] {
        self.whole.get_or_init(|| {
            let mut whole = Vec::new();
            // A program whose file is damaged has a shorter one, which its reader refuses with its own words.
            let _ = DeflateDecoder::new(self.packed).read_to_end(&mut whole);
            whole.shrink_to_fit();
            whole
        })
    }
}
