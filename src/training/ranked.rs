//! The ranked suite: what the moves that searches choose give away, and which way the search's margins should go.
//!
//! `hagane train rank` ([`ranking`]) searches a few thousand positions thoroughly with several lines and writes the
//! scores of their best moves, a line of JSON a position. `hagane bench --suite FILE` lets the engine choose a move in
//! each and says what its choices lose against the best, as a share of a win; this tells networks and search changes
//! apart that matches of some hundred games cannot.
//!
//! `hagane tune` ([`tuning`], builds with `--features tune`) measures by the same loss which way each margin of the
//! search should be moved. It only measures: a match decides.

pub mod ranking;
pub mod tuning;
