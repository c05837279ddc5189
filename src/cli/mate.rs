//! `hagane mate`

use std::collections::{BTreeMap, HashSet};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::ctrl_c::stop_on_ctrl_c;
use super::file_arguments::{ends_as_folder, expanded_among_positions};
use super::record::format_of_output;
use crate::client::EngineSpec;
use crate::mate::{FutileInterpositions, MateLength, MateProgress, MateSettings};
use crate::platform::machine;
use crate::platform::scheduling::processors;
use crate::platform::sync::Mutex;
use crate::platform::wording::counted;
use crate::record::{Document, Encoding, FileFormat, Language};
use crate::tsume::{self, BatchObserver, Problem, ProblemResult, SolveSettings};

/// Solves mate problems (詰将棋)
///
/// Input: files of SFEN or `position` lines (a name may follow after a tab), game records (KIF, KI2, CSA, JKF) whose
/// start is the problem, or a position as `hagane check` takes it: startpos, an SFEN, with the moves that lead to the
/// problem. A line is printed for each problem as it is solved: name, verdict, length ('!' where it is proven to be the
/// shortest), nodes, milliseconds, solution; a summary follows, also after Ctrl-C. Progress goes to
/// standard error.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// Files, or positions: startpos, an SFEN, `sfen ... moves ...`
    #[arg(required = true, value_name = "FILE|POSITION")]
    problems: Vec<String>,
    /// What length of mate to look for
    #[arg(long, value_enum, default_value_t = Goal::First)]
    length: Goal,
    /// Seconds for each problem
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Nodes for each problem
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Table for each problem in MiB, filled as needed [default: 1024, or less: half the memory for all together]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Problems at once; 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=512))]
    jobs: u32,
    /// Threads for each problem
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Let engines solve, any that knows `go mate`, also on other machines: "ssh host hagane". Several, each after an
    /// --engine of its own, share the problems; --jobs is then for each of them [default: 1]
    #[arg(long, value_name = "PATH|COMMAND", conflicts_with = "check")]
    engine: Vec<String>,
    /// Which interpositions may be futile, and then are no moves
    #[arg(long, value_enum, default_value_t = Futile::Drops)]
    futile: Futile,
    /// Count futile interpositions as moves: --futile none
    #[arg(long, conflicts_with = "futile")]
    interpositions: bool,
    /// Check each problem: shortest length, where the solution given is not the answer, pieces left over, other moves that
    /// mate (余詰), variations as good as the answer (変同) or mistakable for it (変別); --output then writes all variations
    #[arg(long)]
    check: bool,
    /// Keep results in this file, and reuse those that it already holds
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Language of the results: en (moves in USI) or ja (moves in KI2)
    #[arg(long, default_value = "en", conflicts_with_all = ["json", "csv"])]
    language: Language,
    /// Write problem and solution as a game record: into this file (its extension chooses the format), or one KIF for
    /// each problem into this folder
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
}

/// The largest table for a problem, in MiB, unless another is asked for.
const HASH: u32 = 1024;

/// What length of mate to look for.
#[derive(Clone, Copy, ValueEnum)]
enum Goal {
    /// The first mate found
    First,
    /// Shortened for a while
    Short,
    /// Proven shortest
    Exact,
}

/// Which interpositions may be futile.
#[derive(Clone, Copy, ValueEnum)]
enum Futile {
    /// None: every interposition is a move
    None,
    /// Drops that the checking piece captures
    Drops,
    /// Moves of pieces on the board too
    Moves,
    /// Captures by another piece too, if it gives check from there
    Any,
}

impl Arguments {
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.problems = expanded_among_positions(self.problems)?;
        let tsume::Input { problems, warnings } = tsume::read(&self.problems).map_err(|error| anyhow!(error))?;
        for warning in warnings {
            eprintln!("{warning}");
        }
        ensure!(!problems.is_empty(), "there is no problem in the input");
        if self.time.is_some_and(|time| !(time > 0.0 && time < 1e9)) {
            bail!("--time wants a positive number of seconds");
        }
        let work = self.work(problems.len());
        let records = self.records(&problems)?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let stop = interrupted.clone();
        stop_on_ctrl_c(move || stop.store(true, Ordering::Relaxed))?;
        if self.csv {
            writeln!(stdout(), "id,verdict,length,shortest,nodes,ms,solution,check")?;
        }
        let view = View {
            arguments: &self,
            names: problems.iter().map(|problem| problem.id.as_str()).collect(),
            records,
            status: StatusLine::new(problems.len()),
            stop: &interrupted,
            failure: Mutex::new(None),
        };
        let rows = view.status.while_running(|| tsume::run(&problems, &work, &interrupted, &view))?;
        if let Some(error) = view.failure.into_inner() {
            return Err(error);
        }
        let elapsed = view.status.begin.elapsed();
        if !self.json && !self.csv {
            writeln!(stdout(), "\n{}", tsume::summary_text(&rows, problems.len(), elapsed, self.language))?;
        }
        if interrupted.load(Ordering::Relaxed) {
            let resumed = if self.resume.is_some() { "; the same command goes on from here" } else { "" };
            let of = counted(problems.len(), "problem was tried", "problems were tried");
            bail!("interrupted, {} of {of}{resumed}", rows.len());
        }
        let wrong = rows.iter().filter(|row| row.verdict == "error").count();
        ensure!(wrong == 0, "{wrong} of {} cannot be read", counted(rows.len(), "problem", "problems"));
        Ok(())
    }

    fn work(&self, problems: usize) -> SolveSettings {
        let jobs = match self.jobs {
            0 if !self.engine.is_empty() => 1,
            0 => processors(),
            jobs => jobs as usize,
        };
        let jobs = jobs.min(problems);
        // Windows counts a table as used in full from the beginning.
        let share = machine::memory().map_or(u64::from(HASH), |memory| memory / 2 / jobs.max(1) as u64);
        let hash = self.hash.unwrap_or((share as u32).clamp(16, HASH));
        let mut engines: Vec<EngineSpec> = self.engine.iter().map(|command| EngineSpec::of_command(command)).collect();
        let length = match self.length {
            Goal::First => MateLength::First,
            Goal::Short => MateLength::Short,
            Goal::Exact => MateLength::Exact,
        };
        let futile = match self.futile {
            _ if self.interpositions => FutileInterpositions::None,
            Futile::None => FutileInterpositions::None,
            Futile::Drops => FutileInterpositions::Drops,
            Futile::Moves => FutileInterpositions::Moves,
            Futile::Any => FutileInterpositions::Any,
        };
        for engine in &mut engines {
            engine.prefer("Threads", self.threads.to_string());
            // How much memory other machines have is theirs to know.
            if let Some(hash) = self.hash {
                engine.prefer("USI_Hash", hash.to_string());
            }
            engine.prefer("MateLength", format!("{length:?}"));
            engine.prefer("MatePrintInterpositions", (futile == FutileInterpositions::None).to_string());
            engine.prefer("MateFutile", format!("{futile:?}"));
        }
        SolveSettings {
            settings: MateSettings {
                nodes: self.nodes,
                time: self.time.map(Duration::from_secs_f64),
                threads: self.threads as usize,
                length,
                futile,
            },
            megabytes: hash as usize,
            jobs,
            engines,
            check: self.check,
            variations: self.check && self.output.is_some(),
            journal: self.resume.clone(),
        }
    }

    /// The files of the solutions, one for each problem; none where no output is asked for.
    fn records(&self, problems: &[Problem]) -> anyhow::Result<Vec<PathBuf>> {
        let Some(output) = &self.output else {
            return Ok(Vec::new());
        };
        if problems.len() == 1 && !output.is_dir() && !ends_as_folder(output) {
            format_of_output(output)?;
            return Ok(vec![output.clone()]);
        }
        ensure!(
            !output.is_file() && FileFormat::of_path(output).is_none(),
            "{} problems have {} solutions: --output must name a folder",
            problems.len(),
            problems.len()
        );
        std::fs::create_dir_all(output).with_context(|| output.display().to_string())?;
        let mut taken = HashSet::new();
        let file = |problem: &Problem| {
            let stem: String = problem
                .id
                .chars()
                .map(|c| if c.is_control() || "/\\:*?\"<>| ".contains(c) { '_' } else { c })
                .collect();
            let numbered = |number: usize| if number == 1 { stem.clone() } else { format!("{stem}_{number}") };
            // Names that differ only in case are one file on some systems.
            let name = (1..).map(numbered).find(|name| taken.insert(name.to_lowercase())).unwrap_or_default();
            output.join(format!("{name}.kif"))
        };
        Ok(problems.iter().map(file).collect())
    }
}

/// The encoding that programs expect of a file with this name.
fn encoding_of_output(path: &Path) -> Encoding {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("kif" | "ki2" | "csa") => Encoding::ShiftJis,
        _ => Encoding::Utf8 { bom: false },
    }
}

/// Prints results, writes records, and shows how far the batch is.
struct View<'a> {
    arguments: &'a Arguments,
    names: Vec<&'a str>,
    records: Vec<PathBuf>,
    status: StatusLine,
    stop: &'a AtomicBool,
    /// Why the batch was stopped: closed standard output, or a record that cannot be written.
    failure: Mutex<Option<anyhow::Error>>,
}

impl View<'_> {
    fn show(&self, number: usize, result: &ProblemResult) -> anyhow::Result<()> {
        let text = if self.arguments.json {
            serde_json::to_string(result)?
        } else if self.arguments.csv {
            csv_line(result)?
        } else {
            tsume::result_text(result, self.arguments.language)
        };
        self.status.bar.suspend(|| writeln!(stdout().lock(), "{text}"))?;
        if let Some(path) = self.records.get(number)
            && let Some(record) = tsume::solution_record(result, self.arguments.language)
        {
            let format = format_of_output(path)?;
            let document = Document::new(record, format, encoding_of_output(path));
            for loss in document.save(path).with_context(|| path.display().to_string())? {
                self.status.bar.suspend(|| eprintln!("{}: {loss}", path.display()));
            }
        }
        Ok(())
    }
}

impl BatchObserver for View<'_> {
    fn warning(&self, text: &str) {
        self.status.bar.suspend(|| eprintln!("warning: {text}"));
    }

    fn progress(&self, number: usize, progress: &MateProgress) {
        self.status.progress(number, self.names.get(number).unwrap_or(&""), progress);
    }

    fn result(&self, number: usize, result: &ProblemResult) {
        self.status.done(number);
        if let Err(error) = self.show(number, result) {
            self.stop.store(true, Ordering::Relaxed);
            self.failure.lock().get_or_insert(error);
        }
    }
}

/// How far the batch is, on standard error: a line rewritten in place on a terminal, a line now and then elsewhere.
struct StatusLine {
    terminal: bool,
    begin: Instant,
    bar: ProgressBar,
    total: usize,
    state: Mutex<Running>,
}

/// What is being solved.
#[derive(Default)]
struct Running {
    /// What was last heard of each problem in work, by its place in the input.
    problems: BTreeMap<usize, String>,
    done: usize,
}

impl StatusLine {
    fn new(total: usize) -> Self {
        let terminal = stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(total as u64) } else { ProgressBar::hidden() };
        let template = if total == 1 { "{elapsed} {msg}" } else { "{bar:30} {pos}/{len} {elapsed} left {eta} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { terminal, begin: Instant::now(), bar, total, state: Mutex::new(Running::default()) }
    }

    /// Calls `work` while the line is kept alive.
    fn while_running<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.terminal {
            self.bar.enable_steady_tick(Duration::from_millis(250));
            let result = work();
            self.bar.finish_and_clear();
            return result;
        }
        let (finish, finished) = crossbeam_channel::bounded::<()>(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // The first line comes within a second, later ones less and less often.
                let mut next = Duration::from_millis(800);
                while finished.recv_timeout(next.saturating_sub(self.begin.elapsed()))
                    == Err(crossbeam_channel::RecvTimeoutError::Timeout)
                {
                    eprintln!("{}", self.text());
                    next = self.begin.elapsed() + self.begin.elapsed().min(Duration::from_secs(10));
                }
            });
            let result = work();
            drop(finish);
            result
        })
    }

    fn progress(&self, number: usize, name: &str, progress: &MateProgress) {
        let depth = progress.line.len();
        let best = match progress.mate {
            Some(plies) => format!("mate in {plies} so far"),
            None => format!("depth {depth}"),
        };
        let text = format!("{name}: {} nodes, {best}", HumanCount(progress.nodes));
        self.state.lock().problems.insert(number, text);
        self.bar.set_message(self.first());
    }

    fn done(&self, number: usize) {
        let mut state = self.state.lock();
        state.problems.remove(&number);
        state.done += 1;
        drop(state);
        self.bar.inc(1);
        self.bar.set_message(self.first());
    }

    /// What is known of the first problem in work.
    fn first(&self) -> String {
        self.state.lock().problems.values().next().cloned().unwrap_or_default()
    }

    fn text(&self) -> String {
        let (first, done) = (self.first(), self.state.lock().done);
        let seconds = self.begin.elapsed().as_secs_f64().round();
        let first = if first.is_empty() { "searching".to_owned() } else { first };
        if self.total == 1 {
            format!("{seconds} s: {first}")
        } else {
            format!("{seconds} s: {done} of {} solved; {first}", self.total)
        }
    }
}

/// One line of comma-separated values, without its end.
fn csv_line(row: &ProblemResult) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        &row.id,
        &row.verdict,
        &row.length.map_or(String::new(), |length| length.to_string()),
        &row.shortest.to_string(),
        &row.nodes.to_string(),
        &format!("{:.3}", row.ms),
        &row.solution,
        &row.check.as_ref().map_or(String::new(), |check| tsume::soundness_text(row, check, Language::English)),
    ])?;
    let line = String::from_utf8(writer.into_inner()?)?;
    Ok(line.trim_end().to_owned())
}
