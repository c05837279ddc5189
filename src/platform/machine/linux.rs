//! Linux: `/proc`, `/sys` and `/etc/os-release`.

use std::fs::read_to_string;

use super::limits::Limits;

pub(super) fn name() -> Option<String> {
    let release = read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = read_to_string("/proc/sys/kernel/osrelease").ok()?;
    Some(format!("{} (Linux {})", pretty.unwrap_or("Linux").trim_matches('"'), kernel.trim()))
}

pub(super) fn processor() -> Option<String> {
    let text = read_to_string("/proc/cpuinfo").ok()?;
    // 64-bit Arm names the parts of a processor only by number.
    let line = text.lines().find(|line| line.starts_with("model name") || line.starts_with("Model"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// All of it and what is available, in MiB.
pub(super) fn memory() -> Option<(u64, u64)> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let all = field("MemTotal:")?;
    Some((all >> 10, field("MemAvailable:").unwrap_or(all) >> 10))
}

/// The limits of control groups of the second version, this process's own and those above it.
pub(super) fn limits() -> Limits {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    let mut folder = std::path::Path::new("/sys/fs/cgroup").join(own.trim_start_matches('/'));
    let mut limits = Limits::default();
    while folder.starts_with("/sys/fs/cgroup") {
        let memory = read_to_string(folder.join("memory.max")).ok().and_then(|text| memory_limit(&text));
        let processors = read_to_string(folder.join("cpu.max")).ok().and_then(|text| processor_limit(&text));
        limits.memory = limits.memory.into_iter().chain(memory).min();
        limits.processors = limits.processors.into_iter().chain(processors).reduce(f64::min);
        folder.pop();
    }
    limits
}

/// `max` or bytes.
fn memory_limit(text: &str) -> Option<u64> {
    text.trim().parse::<u64>().ok().map(|bytes| bytes >> 20)
}

/// `max 100000` or microseconds of processor time in so many of the clock.
fn processor_limit(text: &str) -> Option<f64> {
    let (time, period) = text.trim().split_once(' ')?;
    Some(time.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

pub(super) fn huge_pages() -> String {
    // `always [madvise] never`
    let setting = read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    match setting.split(['[', ']']).nth(1) {
        Some("never") => "switched off (transparent_hugepage is never): large tables are slower".to_owned(),
        Some(word) => format!("used (transparent_hugepage is {word})"),
        None => "this kernel has none".to_owned(),
    }
}

pub(super) fn code_pages() -> Option<(u32, u32)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        assert_eq!((memory_limit("max\n"), memory_limit("536870912\n")), (None, Some(512)));
        assert_eq!((processor_limit("max 100000\n"), processor_limit("150000 100000\n")), (None, Some(1.5)));
    }
}
