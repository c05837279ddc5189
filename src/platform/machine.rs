//! The machine and its system: what there is, and what this process may have of it.

mod limits;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_vendor = "apple")]
mod macos;
#[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
mod unknown;
#[cfg(windows)]
mod windows;

use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_vendor = "apple")]
use macos as system;
#[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
use unknown as system;
#[cfg(windows)]
use windows as system;

pub use limits::Limits;

use super::scheduling::processors;

/// Whether the processor has AVX2, and the instructions that count and find bits.
#[cfg(target_arch = "x86_64")]
pub fn has_avx2_and_bits() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt")
}

/// What there is. Sizes are in MiB; `None` is what the system does not tell.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The operating system with its version.
    pub system: String,
    /// The processor's name.
    pub processor: String,
    /// How many threads run at once, by processors, affinity and control groups.
    pub threads: usize,
    /// The memory.
    pub memory: Option<u64>,
    /// What of it is free or can be made free.
    pub available: Option<u64>,
    /// What a control group (container) grants this process.
    pub limits: Limits,
    /// Huge pages, in words.
    pub huge_pages: String,
}

impl Machine {
    /// Asks the system.
    pub fn survey() -> Self {
        let (memory, available) = system::memory().unzip();
        let limits = system::limits();
        Self {
            system: system::name().unwrap_or_else(|| std::env::consts::OS.to_owned()),
            processor: system::processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            threads: processors(),
            memory,
            available,
            limits,
            huge_pages: system::huge_pages(),
        }
    }
}

/// Memory that a program may plan with, in MiB: the machine's, or what a control group leaves of it.
pub fn memory() -> Option<u64> {
    let memory = system::memory().map(|(memory, _)| memory);
    memory.into_iter().chain(system::limits().memory).min()
}

/// How late a sleep of a millisecond ends, at the median of some: what the system's timer can do.
pub fn timer_delay() -> Duration {
    let nap = Duration::from_millis(1);
    let mut delays: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            thread::sleep(nap);
            start.elapsed().saturating_sub(nap)
        })
        .collect();
    delays.sort_unstable();
    delays[delays.len() / 2]
}

/// The code pages of console and files, on Windows.
pub fn code_pages() -> Option<(u32, u32)> {
    system::code_pages()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_machine() {
        let machine = Machine::survey();
        assert!(machine.threads >= 1, "{machine:?}");
        assert!(!machine.system.is_empty() && !machine.processor.is_empty(), "{machine:?}");
        assert!(machine.memory.is_some_and(|memory| memory > 64) && memory() <= machine.memory, "{machine:?}");
        assert!(machine.available <= machine.memory, "{machine:?}");
        assert!(timer_delay() < Duration::from_secs(1));
        assert_eq!(code_pages().is_some(), cfg!(windows));
    }
}
