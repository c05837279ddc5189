//! The machine, and the files that the engine looks for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::finding::Findings;
use crate::engine::NetworkChoice;
use crate::nnue::Simd;
use crate::platform::machine::{Machine, code_pages, timer_delay};
use crate::platform::program;

/// The code page of UTF-8, and that of Japanese Windows.
const READABLE: [u32; 2] = [65_001, 932];
/// What the engine and a small table need, in MiB.
const SMALL: u64 = 512;
/// A timer that is later than this costs time in every game.
const SLOW_TIMER: Duration = Duration::from_millis(5);

/// What the program is, where it runs, and which files it finds there.
pub fn survey() -> Findings {
    let mut findings = Findings::default();
    findings.fine("version", program::build());
    machine(&mut findings, &Machine::survey());
    let delay = timer_delay();
    let text = format!("a sleep of 1 ms ends {:.1} ms late", delay.as_secs_f64() * 1000.0);
    match delay > SLOW_TIMER {
        true => findings.warn("clock", format!("{text}: leave NetworkDelay at 15 or more")),
        false => findings.fine("clock", text),
    }
    console(&mut findings);
    files(&mut findings);
    findings
}

fn machine(findings: &mut Findings, machine: &Machine) {
    findings.fine("system", machine.system.clone());
    let simd = Simd::fastest();
    let processor = format!("{}; instructions in use: {}", machine.processor, simd.name());
    match simd {
        Simd::Scalar | Simd::Sse2 => {
            findings.warn("processor", format!("{processor} (without AVX2 the engine has half its speed or less)"));
        }
        _ => findings.fine("processor", processor),
    }
    let mut threads = match machine.threads {
        1 => "1 at once".to_owned(),
        threads => format!("{threads} at once"),
    };
    if let Some(limit) = machine.limits.processors {
        threads += &format!(" (the control group grants {limit:.1} processors)");
    }
    findings.fine("threads", threads);
    match (machine.memory, machine.available) {
        (Some(all), Some(available)) => {
            let mut text = format!("{all} MiB, {available} available");
            if let Some(limit) = machine.limits.memory {
                text += &format!(" (the control group grants {limit} MiB)");
            }
            let room = machine.limits.memory.map_or(available, |limit| limit.min(available));
            match room < SMALL {
                true => findings.warn("memory", format!("{text}: set USI_Hash to 64 or less")),
                false => findings.fine("memory", text),
            }
        }
        _ => findings.warn("memory", "the system does not tell"),
    }
    findings.fine("huge pages", machine.huge_pages.clone());
}

fn console(findings: &mut Findings) {
    match code_pages() {
        Some((0, system)) => findings.fine("text", format!("no console; code page of the system: {system}")),
        Some((console, system)) => {
            let text = format!("code page of the console: {console}, of the system: {system}");
            match READABLE.contains(&console) {
                true => findings.fine("text", text),
                false => findings.warn("text", format!("{text}; chcp 65001 makes Japanese readable")),
            }
        }
        None => {
            let names = ["LC_ALL", "LC_CTYPE", "LANG"];
            let locale = names.iter().filter_map(|name| std::env::var(name).ok()).find(|value| !value.is_empty());
            match locale {
                Some(locale) => findings.fine("text", format!("locale {locale}; the program writes UTF-8")),
                None => findings.fine("text", "no locale is set; the program writes UTF-8"),
            }
        }
    }
}

/// Where files are looked for, and what there is. What the engine makes of them it says itself when it is examined.
fn files(findings: &mut Findings) {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(Path::to_owned);
    let working = std::env::current_dir().ok();
    let name = |path: &Option<PathBuf>| path.as_ref().map_or_else(|| "?".to_owned(), |path| path.display().to_string());
    findings.fine("program", name(&program));
    findings.fine(
        "folders",
        format!("eval/nn.bin and books in book/ are looked for in {}, then in {}", name(&beside), name(&working)),
    );
    let options = beside.map(|folder| folder.join("engine_options.txt"));
    match options.filter(|path| path.exists()) {
        Some(path) => findings.fine("options file", format!("{} is there", path.display())),
        None => findings.fine("options file", "no engine_options.txt beside the program: it is not needed"),
    }
    let loaded = NetworkChoice::default().load();
    match (loaded.failed, loaded.network.is_some()) {
        (false, true) => findings.fine("network", loaded.message),
        (true, true) => findings.warn("network", loaded.message),
        (_, false) => findings.fault("network", loaded.message),
    }
}
