//! What is wrong with a network file, in words.

/// Why a network cannot be loaded. The text is one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The file is over the largest size any known architecture has.
    #[error("the file has {length} bytes, more than any network known here ({limit})")]
    TooLarge {
        /// Bytes in the file.
        length: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file ends too early.
    #[error("truncated at byte {length}, inside {part}: {missing} more bytes are needed")]
    Truncated {
        /// Length of the file: where it ends.
        length: usize,
        /// The part that is cut.
        part: String,
        /// Bytes that are not there.
        missing: usize,
    },
    /// The first word is not a known version.
    #[error("wrong version {0:08X}: a network file starts with 7AF32F16 (nn.bin) or the text HAGANENN")]
    Version(u32),
    /// An unknown version of the engine's own format.
    #[error("version {0} of the engine's own network format is not known here (this program reads version 1)")]
    OwnVersion(u32),
    /// No architecture has this many parameters.
    #[error(
        "unknown architecture: no known network has {payload} bytes of parameters (file {length} bytes, text '{text}')"
    )]
    UnknownArchitecture {
        /// Bytes between header and end.
        payload: usize,
        /// Bytes in the file.
        length: usize,
        /// The beginning of the header's description.
        text: String,
    },
    /// More bytes than the architecture has.
    #[error("{count} trailing bytes after the last parameter of {architecture}, from byte {at}")]
    Trailing {
        /// How many.
        count: usize,
        /// Where they start.
        at: usize,
        /// The architecture that ends before them.
        architecture: String,
    },
    /// A part has an impossible value.
    #[error("{part} at byte {at} is malformed: {what}")]
    Malformed {
        /// The part.
        part: &'static str,
        /// Its offset in the file.
        at: usize,
        /// What is wrong.
        what: String,
    },
    /// The checksum of the engine's own format does not match.
    #[error("checksum mismatch: the file says {stored:016X}, its bytes give {computed:016X}")]
    Checksum {
        /// In the file.
        stored: u64,
        /// Of the file.
        computed: u64,
    },
    /// The program was built without a network of its own.
    #[error("this program was built without an embedded network")]
    NotEmbedded,
}
