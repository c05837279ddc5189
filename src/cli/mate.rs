//! `hagane mate`

use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::mate::{MateLength, MateSettings};
use crate::platform::scheduling::processors;
use crate::platform::sync::Mutex;
use crate::tsume::{self, ProblemResult, SolveSettings};

/// Solves mate problems (詰将棋).
///
/// Input: files of SFEN or `position` lines (a name may follow after a tab), game records (KIF, KI2, CSA, JKF) whose
/// start is the problem, or an SFEN in quotes. A line is printed for each problem as it is solved: name, verdict,
/// length ('!' where it is proven to be the shortest), nodes, milliseconds, solution; a summary follows.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// Files, or positions in SFEN
    #[arg(required = true, value_name = "FILE|SFEN")]
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
    /// Table for each problem in MiB, filled as needed
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Problems at once; 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=512))]
    jobs: u32,
    /// Threads for each problem
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Count futile interpositions as moves
    #[arg(long)]
    interpositions: bool,
    /// Check each problem: shortest length, pieces left over, other first moves, cooks
    #[arg(long)]
    check: bool,
    /// Keep results in this file and take over those that it already holds
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

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

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        for argument in &self.problems {
            problems.extend(tsume::read(argument).map_err(|error| anyhow!(error))?);
        }
        ensure!(!problems.is_empty(), "there is no problem in the input");
        if self.time.is_some_and(|time| !(time > 0.0 && time < 1e9)) {
            bail!("--time wants a positive number of seconds");
        }
        let jobs = match self.jobs {
            0 => processors(),
            jobs => jobs as usize,
        };
        let work = SolveSettings {
            settings: MateSettings {
                nodes: self.nodes,
                time: self.time.map(Duration::from_secs_f64),
                threads: self.threads as usize,
                length: match self.length {
                    Goal::First => MateLength::First,
                    Goal::Short => MateLength::Short,
                    Goal::Exact => MateLength::Exact,
                },
                count_interpositions: self.interpositions,
            },
            megabytes: self.hash as usize,
            jobs: jobs.min(problems.len()),
            check: self.check,
            journal: self.resume.clone(),
        };
        let bar = if stderr().is_terminal() { ProgressBar::new(problems.len() as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} left {eta} {msg}") {
            bar.set_style(style);
        }
        let begin = Instant::now();
        if self.csv {
            writeln!(stdout(), "id,verdict,length,shortest,nodes,ms,solution,check")?;
        }
        // A closed pipe ends the run.
        let (stop, closed) = (AtomicBool::new(false), Mutex::new(None));
        let rows = tsume::run(&problems, &work, &stop, |row| {
            let text = if self.json {
                serde_json::to_string(row).unwrap_or_default()
            } else if self.csv {
                csv_line(row).unwrap_or_default()
            } else {
                plain(row)
            };
            let written = bar.suspend(|| writeln!(stdout().lock(), "{text}"));
            bar.inc(1);
            if let Err(error) = written {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
                *closed.lock() = Some(error);
            }
        })?;
        bar.finish_and_clear();
        if let Some(error) = closed.into_inner() {
            return Err(error.into());
        }
        if !self.json && !self.csv {
            summary(&rows, begin.elapsed())?;
        }
        let wrong = rows.iter().filter(|row| row.verdict == "error").count();
        ensure!(wrong == 0, "{wrong} of {} problems cannot be read", rows.len());
        Ok(())
    }
}

fn plain(row: &ProblemResult) -> String {
    let mut text = format!("{}\t{}", row.id, row.verdict);
    if row.verdict == "error" {
        return format!("{text}\t{}", row.solution);
    }
    if let Some(length) = row.length {
        text += &format!("\t{length}{}", if row.shortest { "!" } else { "" });
    } else {
        text += "\t-";
    }
    text += &format!("\t{}\t{:.1}\t{}", row.nodes, row.ms, row.solution);
    if let Some(check) = &row.check {
        text += &format!("\t{}", describe(check));
    }
    text
}

/// The soundness of a problem in words.
fn describe(check: &tsume::Soundness) -> String {
    if check.sound && check.cooks.is_empty() {
        return "sound".into();
    }
    let mut parts = vec![if check.sound { "sound" } else { "unsound" }.to_owned()];
    if !check.left_over.is_empty() {
        parts.push(format!("left over {}", check.left_over));
    }
    if !check.first_moves.is_empty() {
        parts.push(format!("other first moves {}", check.first_moves.join(" ")));
    }
    for cook in &check.cooks {
        parts.push(format!("ply {} also {}", cook.ply, cook.mv));
    }
    if check.undecided > 0 {
        parts.push(format!("{} moves undecided", check.undecided));
    }
    parts.join("; ")
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
        &row.check.as_ref().map_or(String::new(), describe),
    ])?;
    let line = String::from_utf8(writer.into_inner()?)?;
    Ok(line.trim_end().to_owned())
}

fn summary(rows: &[ProblemResult], elapsed: Duration) -> std::io::Result<()> {
    let mut out = stdout().lock();
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let mut times: Vec<f64> = rows.iter().filter(|row| row.verdict != "error").map(|row| row.ms).collect();
    times.sort_by(f64::total_cmp);
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let longest = rows.iter().filter_map(|row| row.length).max();
    writeln!(out)?;
    writeln!(out, "problems   {}", rows.len())?;
    for (name, verdict) in [("mate", "mate"), ("no mate", "nomate"), ("unknown", "unknown"), ("errors", "error")] {
        if count(verdict) > 0 {
            writeln!(out, "{name:<10} {}", count(verdict))?;
        }
    }
    if let Some(longest) = longest {
        writeln!(out, "longest    {longest} plies")?;
    }
    writeln!(out, "nodes      {nodes}")?;
    if let (Some(median), Some(slowest)) = (times.get(times.len() / 2), times.last()) {
        writeln!(out, "median     {median:.1} ms, slowest {slowest:.1} ms")?;
    }
    writeln!(out, "time       {:.2} s", elapsed.as_secs_f64())
}
