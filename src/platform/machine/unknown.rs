//! Systems that are not asked.

use super::limits::Limits;

pub(super) fn name() -> Option<String> {
    None
}

pub(super) fn processor() -> Option<String> {
    None
}

pub(super) fn memory() -> Option<(u64, u64)> {
    None
}

pub(super) fn limits() -> Limits {
    Limits::default()
}

pub(super) fn huge_pages() -> String {
    "not asked for on this system".to_owned()
}

pub(super) fn code_pages() -> Option<(u32, u32)> {
    None
}
