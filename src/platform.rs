//! What the rest of the program needs of the machine and the operating system, and nothing about shogi.

pub mod child;
pub mod files;
pub mod line_journal;
pub mod machine;
pub(crate) mod memory;
pub mod packed;
pub mod program;
pub mod random;
pub mod scheduling;
pub mod sha256;
pub mod svg;
pub mod sync;
pub mod wording;
pub mod work_queue;
