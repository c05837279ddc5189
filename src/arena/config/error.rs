//! Why a configuration is rejected.

use std::path::PathBuf;

/// Why a configuration is rejected.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// The file is not valid TOML or has unknown keys.
    #[error("{0}: {1}")]
    Syntax(PathBuf, String),
    /// A value is invalid.
    #[error("{0}")]
    Value(String),
}
