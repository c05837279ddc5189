//! Why a description makes no match.

use std::path::PathBuf;

/// Why a description makes no match.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// It is no such file.
    #[error("{0}: {1}")]
    Syntax(PathBuf, String),
    /// A value makes no sense.
    #[error("{0}")]
    Value(String),
}
