//! Bytes of a book wherever they are: in the program, in memory or in a file that is read piece by piece.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use super::BookError;
use crate::platform::sync::Mutex;

/// Bytes that can be read from any place.
pub(super) enum Storage {
    Static(&'static [u8]),
    Memory(Vec<u8>),
    File { file: Mutex<File>, length: u64 },
}

impl Storage {
    pub(super) fn file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::File { file: Mutex::new(file), length })
    }

    /// The same bytes, in memory.
    pub(super) fn load(self) -> Result<Self, BookError> {
        let Self::File { file, length } = self else {
            return Ok(self);
        };
        let mut bytes = Vec::new();
        let mut file = file.into_inner();
        file.rewind()?;
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Self::Memory(bytes))
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }

    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Static(bytes) => bytes.len() as u64,
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { length, .. } => *length,
        }
    }

    /// Reads from a place as many bytes as there are, at most the length of the buffer; says how many.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, BookError> {
        let bytes: &[u8] = match self {
            Self::Static(bytes) => bytes,
            Self::Memory(bytes) => bytes,
            Self::File { file, .. } => return Ok(read_file(&mut file.lock(), offset, buffer)?),
        };
        let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    /// Fills an array from a place.
    pub(super) fn array<const N: usize>(&self, offset: u64) -> Result<[u8; N], BookError> {
        let mut bytes = [0; N];
        match self.read(offset, &mut bytes)? {
            length if length == N => Ok(bytes),
            _ => Err(io::Error::from(ErrorKind::UnexpectedEof).into()),
        }
    }
}

fn read_file(file: &mut File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
