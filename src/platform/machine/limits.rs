//! What a control group grants.

/// The limits of a control group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Memory in MiB.
    pub memory: Option<u64>,
    /// Processors, which need not be whole ones.
    pub processors: Option<f64>,
}
