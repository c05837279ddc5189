//! Rules, fingerprint and speed, in some seconds.

use super::finding::Findings;
use super::selftest;
use crate::engine::bench::{self, BenchSetup};
use crate::nnue::Simd;
use crate::platform::program;

/// Checks the rules and runs the benchmark.
pub fn measure() -> Findings {
    let mut findings = Findings::default();
    let checks = selftest::quick_checks();
    let failed: Vec<String> =
        checks.iter().filter_map(|check| check.run().err().map(|why| format!("{}: {why}", check.name))).collect();
    match failed.first() {
        None => findings.fine("rules", format!("all {} checks passed", checks.len())),
        Some(first) => findings.fault("rules", format!("{} of {} checks failed: {first}", failed.len(), checks.len())),
    }
    let outcome = match bench::run(&BenchSetup::default(), |_, _| {}) {
        Ok(outcome) => outcome,
        Err(error) => {
            findings.fault("play", error.to_string());
            return findings;
        }
    };
    let nodes = outcome.nodes.to_string();
    match program::FINGERPRINT {
        None => findings.fine("play", format!("Bench: {nodes} (this build does not know what it should be)")),
        Some(promised) if promised == nodes => findings.fine("play", format!("Bench: {nodes}, as it should be")),
        Some(promised) => findings.fault(
            "play",
            format!("Bench: {nodes} instead of {promised}: this machine or this build computes something else"),
        ),
    }
    let nps = outcome.nps();
    let usual = usual_nps(Simd::fastest());
    let text = format!(
        "{nps} nodes a second with one thread; {} processors of today reach {usual} and more",
        Simd::fastest().name()
    );
    match nps * 2 < usual {
        true => findings.warn("speed", format!("{text}: something else runs, or the processor saves power")),
        false => findings.fine("speed", text),
    }
    findings
}

/// What the benchmark gives with one thread on a desktop computer at rest.
const fn usual_nps(simd: Simd) -> u64 {
    match simd {
        Simd::Scalar => 60_000,
        Simd::Sse2 => 250_000,
        Simd::Neon => 350_000,
        Simd::Avx2 => 450_000,
        Simd::Avx512 => 550_000,
    }
}
