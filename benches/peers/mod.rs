//! Engines in turns on one machine, each timed by the processor time of its process.
//!
//! An engine is one argument, a program and its options: `"/engines/YaneuraOu EvalDir=/nets FV_SCALE=24"`. `hagane` as
//! the program is this build. The program must be the engine itself: of a script that starts one, or of `ssh`, the
//! script's time would be measured. Cargo runs benchmarks in the folder of Cargo.toml, engines run in their own: give
//! whole paths.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hagane::client::{Client, ClientError, EngineSpec, Interrupt, split_words};

/// How long an engine may take to get ready.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine that takes part.
pub struct Peer {
    /// Its name in what is printed: its number and its program.
    pub name: String,
    /// How it is started.
    spec: EngineSpec,
    /// Whether what it says of itself has been printed.
    introduced: Cell<bool>,
}

impl Peer {
    /// The engines that arguments name, with a table of `hash` MiB, and, unless their options say otherwise, one thread
    /// and no opening book.
    pub fn all(arguments: &[String], hash: u32) -> Vec<Self> {
        let peers = arguments.iter().enumerate().map(|(at, argument)| Self::new(at + 1, argument, hash));
        peers.collect()
    }

    fn new(number: usize, argument: &str, hash: u32) -> Self {
        let mut words = split_words(argument).into_iter();
        let program = words.next().expect("an engine's argument begins with its program");
        let path = if program == "hagane" { PathBuf::from(env!("CARGO_BIN_EXE_hagane")) } else { program.into() };
        let program = path.file_name().unwrap_or(path.as_os_str());
        let name = format!("{number} {}", program.to_string_lossy());
        let is_file = path.components().count() > 1;
        let mut spec = EngineSpec::new(if is_file { std::path::absolute(&path).unwrap_or(path) } else { path });
        // Some engines look for their files in the working directory.
        spec.directory = spec.path.parent().filter(|_| is_file).map(Path::to_path_buf);
        for (option, value) in [("Threads", "1"), ("USI_OwnBook", "false")] {
            spec.prefer(option, value);
        }
        spec = spec.with_option("USI_Hash", hash.to_string());
        for word in words {
            let Some((option, value)) = word.split_once('=') else {
                panic!("{argument}: '{word}' is not NAME=VALUE");
            };
            spec = spec.with_option(option, value);
        }
        Self { name, spec, introduced: Cell::new(false) }
    }

    /// Starts it and waits until it is ready. What it says meanwhile, such as which network it could not read, is
    /// printed the first time.
    ///
    /// # Errors
    /// It does not start, does not get ready, or does not take an option as it is given.
    pub fn start(&self) -> Result<Client, String> {
        let failed = |error: ClientError| format!("{}: {error}", self.name);
        let mut client = Client::start(&self.spec, &Interrupt::never()).map_err(failed)?;
        if let Some(objection) = client.refused_options().first() {
            return Err(format!("{}: {objection}", self.name));
        }
        let first = !self.introduced.replace(true);
        if first {
            println!("{}: {}", self.name, self.spec.command());
        }
        if first && !client.offers("Threads") {
            println!("{}: has no option Threads", self.name);
        }
        client.follow(true);
        client.send("isready").map_err(failed)?;
        loop {
            let Some((_, line)) = client.next_line(PATIENCE).map_err(failed)? else {
                return Err(format!("{}: not ready within {} s", self.name, PATIENCE.as_secs()));
            };
            match line.strip_prefix("info string ") {
                Some(remark) if first => println!("{}: {remark}", self.name),
                _ if line == "readyok" => break,
                _ => {}
            }
        }
        client.follow(false);
        Ok(client)
    }
}

/// Whose turn it is, in a round: in odd rounds the last begins.
pub fn turns(round: usize, peers: usize) -> impl Iterator<Item = usize> {
    (0..peers).map(move |turn| if round.is_multiple_of(2) { turn } else { peers - 1 - turn })
}

/// The processor time that a running engine has taken so far, that of threads which have ended included; where the
/// system does not tell (all but Linux) the time since `start`.
pub fn engine_time(client: &Client, start: Instant) -> Duration {
    processor_time(client.process_id()).unwrap_or_else(|| start.elapsed())
}

#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Option<Duration> {
    let mut clock = 0;
    // SAFETY: a `timespec` is numbers only, for which zero is a value. Both calls write to the variables that they are
    // given, which live longer, and keep no pointer to them.
    let (time, failed) = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        let failed = libc::clock_getcpuclockid(process as libc::pid_t, &raw mut clock) != 0
            || libc::clock_gettime(clock, &raw mut time) != 0;
        (time, failed)
    };
    assert!(!failed, "the system does not tell the processor time of process {process}");
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_: u32) -> Option<Duration> {
    None
}

/// Least, median and greatest of some values.
pub fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    (values[0], f64::midpoint(values[last / 2], values[last.div_ceil(2)]), values[last])
}

/// The arguments of a benchmark, without what cargo adds.
pub fn arguments() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect()
}

/// A number above zero among the arguments.
pub fn number(name: &str, text: &str) -> u64 {
    match text.parse() {
        Ok(number) if number > 0 => number,
        _ => panic!("{name}: '{text}' is not a number above 0"),
    }
}
