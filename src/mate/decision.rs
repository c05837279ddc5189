//! What a search came to: a mate, none, or no decision.

use super::df_pn::DfPnWorker;
use super::search_result::SearchResult;

/// What the search for a mate within some length came to.
pub(super) enum MateDecision {
    Mate(SearchResult),
    NoMate,
    Open,
}

impl MateDecision {
    /// What a result of the worker means.
    pub(super) fn of(result: SearchResult, worker: &DfPnWorker) -> Self {
        if result.is_proven() {
            Self::Mate(result)
        } else if result.is_disproven() && !worker.too_deep && !worker.halted() {
            Self::NoMate
        } else {
            Self::Open
        }
    }

    /// Whether the position is decided.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self, Self::Open)
    }
}
