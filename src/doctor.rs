//! What a helper would ask of somebody whose engine does not work, answered by the program itself: the machine, the
//! files, the rules, the speed, and how this engine or any other keeps to the protocol; and what went wrong in a
//! dialogue that a GUI has logged.

mod clock;
mod dialogue;
mod exam;
mod finding;
mod log_line;
mod selftest;
mod speed;
mod survey;
mod usi_line;

pub use dialogue::read_log;
pub use exam::{Pace, examine};
pub use finding::{Finding, Findings, Grade};
pub use selftest::{Check, checks};
pub use speed::measure;
pub use survey::survey;
