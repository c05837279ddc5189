//! Windows: the registry and a few calls.

use std::ptr::null_mut;

use windows_sys::Win32::Globalization::GetACP;
use windows_sys::Win32::System::Console::GetConsoleOutputCP;
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

use super::limits::Limits;

pub(super) fn name() -> Option<String> {
    let value = |name| text(r"SOFTWARE\Microsoft\Windows NT\CurrentVersion", name);
    let product = value("ProductName")?;
    let build = value("CurrentBuild").unwrap_or_default();
    // Windows 11 still calls itself 10 here; its builds begin at 22000.
    let is_11 = build.parse::<u32>().is_ok_and(|number| number >= 22_000);
    let product = if is_11 { product.replacen("Windows 10", "Windows 11", 1) } else { product };
    let version = value("DisplayVersion").map_or_else(String::new, |version| format!("{version}, "));
    Some(format!("{product} ({version}build {build})"))
}

pub(super) fn processor() -> Option<String> {
    text(r"HARDWARE\DESCRIPTION\System\CentralProcessor\0", "ProcessorNameString").map(|name| name.trim().to_owned())
}

/// A text of the registry.
fn text(key: &str, name: &str) -> Option<String> {
    let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
    let (key, name) = (wide(key), wide(name));
    let mut buffer = [0_u16; 256];
    let mut bytes = size_of_val(&buffer) as u32;
    // SAFETY: both names end with a zero; at most `bytes` bytes are written to the buffer.
    let failure = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            name.as_ptr(),
            RRF_RT_REG_SZ,
            null_mut(),
            buffer.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    let length = buffer.iter().position(|&unit| unit == 0)?;
    (failure == 0 && length > 0).then(|| String::from_utf16_lossy(&buffer[..length]))
}

/// All of it and what is available, in MiB.
pub(super) fn memory() -> Option<(u64, u64)> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..MEMORYSTATUSEX::default() };
    // SAFETY: the structure tells its own size.
    let told = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    (told != 0).then_some((status.ullTotalPhys >> 20, status.ullAvailPhys >> 20))
}

pub(super) fn limits() -> Limits {
    Limits::default()
}

pub(super) fn huge_pages() -> String {
    "not used on Windows".to_owned()
}

/// Those of the console's output and of the system.
pub(super) fn code_pages() -> Option<(u32, u32)> {
    // SAFETY: neither takes anything.
    Some(unsafe { (GetConsoleOutputCP(), GetACP()) })
}
