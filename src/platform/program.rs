//! Which build this program is.

/// The version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The system that it was built for, as Rust names it: `x86_64-pc-windows-gnu`.
pub const TARGET: &str = env!("HAGANE_TARGET");

/// The commit that a release was built from; none for builds of daily work, and where there was no git.
pub const COMMIT: Option<&str> = option_env!("HAGANE_COMMIT");

/// The fingerprint of play that the history of that commit promises, as `hagane bench` prints it.
pub const FINGERPRINT: Option<&str> = option_env!("HAGANE_BENCH");

/// `0.1.0, commit 1a2b3c4, x86_64-pc-windows-gnu`
pub fn build() -> String {
    let commit = COMMIT.map_or_else(String::new, |commit| format!(", commit {commit}"));
    format!("{VERSION}{commit}, {TARGET}")
}
