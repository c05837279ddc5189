//! macOS: `sysctl`.

use std::ffi::CStr;
use std::ptr::null_mut;

use super::limits::Limits;

pub(super) fn name() -> Option<String> {
    Some(format!("macOS {}", text(c"kern.osproductversion")?))
}

pub(super) fn processor() -> Option<String> {
    text(c"machdep.cpu.brand_string")
}

fn text(name: &CStr) -> Option<String> {
    let bytes = value::<256>(name)?;
    Some(CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().trim().to_owned())
}

/// The value of a name, with zeros behind it.
fn value<const N: usize>(name: &CStr) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let mut size = N;
    // SAFETY: the name ends with a zero; at most `size` bytes are written to the buffer.
    let failure = unsafe { libc::sysctlbyname(name.as_ptr(), bytes.as_mut_ptr().cast(), &raw mut size, null_mut(), 0) };
    (failure == 0).then_some(bytes)
}

/// All of it; what is available is not told in one number here.
pub(super) fn memory() -> Option<(u64, u64)> {
    let all = u64::from_ne_bytes(value(c"hw.memsize")?) >> 20;
    Some((all, all))
}

pub(super) fn limits() -> Limits {
    Limits::default()
}

pub(super) fn huge_pages() -> String {
    "not asked for on macOS".to_owned()
}

pub(super) fn code_pages() -> Option<(u32, u32)> {
    None
}
