//! `hagane doctor`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::ctrl_c::interrupt_on_ctrl_c;
use super::selftest;
use crate::client::{EngineSpec, split_words};
use crate::doctor::{self, Findings, Grade, Pace};

/// Tells what is wrong: with this machine, with an engine, or in a GUI's log
///
/// Without arguments: the program, the machine, the files that it finds, the rules, the speed, and whether it answers
/// as GUIs want it. What is marked with ! could be better, what is marked with X does not work; the exit status is then
/// 2.
#[derive(Args)]
pub(super) struct Arguments {
    /// Examines another engine: does it answer in time, are its options well-formed, does it keep the clock?
    #[arg(long, value_name = "PATH|COMMAND")]
    engine: Option<String>,
    /// Its arguments, separated by blanks; double quotes keep words together
    #[arg(long, value_name = "WORDS", requires = "engine", allow_hyphen_values = true)]
    engine_args: Option<String>,
    /// Reads the log of a dialogue, a GUI's or that of the option DebugLogFile, and names what went wrong first
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    log: Option<PathBuf>,
    /// Checks the rules alone, one check a line
    #[arg(long, conflicts_with_all = ["engine", "log", "json"])]
    rules: bool,
    /// With --rules: also the deeper figures, several minutes
    #[arg(long, requires = "rules")]
    long: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.rules {
            return selftest::print_checks(self.long);
        }
        if let Some(path) = &self.log {
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            return self.finish(&[doctor::read_log(&bytes)]);
        }
        let interrupt = interrupt_on_ctrl_c()?;
        if let Some(command) = &self.engine {
            let mut spec = EngineSpec::of_command(command);
            spec.arguments.extend(self.engine_args.as_deref().map_or(Vec::new(), split_words));
            return self.finish(&[doctor::examine(&spec, Pace::Thorough, &interrupt)]);
        }
        let mut parts = Vec::new();
        for part in
            [&(|| Ok(doctor::survey())) as &dyn Fn() -> anyhow::Result<Findings>, &|| Ok(doctor::measure()), &|| {
                let this = EngineSpec::this_executable().context("this executable is not found")?;
                Ok(doctor::examine(&this, Pace::Quick, &interrupt))
            }]
        {
            let findings = part()?;
            if interrupt.has_fired() {
                bail!("interrupted");
            }
            self.print(&findings)?;
            parts.push(findings);
        }
        self.conclude(parts)
    }

    fn finish(&self, parts: &[Findings]) -> anyhow::Result<()> {
        for findings in parts {
            self.print(findings)?;
        }
        self.conclude(parts.to_vec())
    }

    /// Prints findings as soon as they are there; JSON comes as a whole.
    fn print(&self, findings: &Findings) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let mut out = stdout().lock();
        for finding in findings.iter() {
            let mark = match finding.grade {
                Grade::Fine => ' ',
                Grade::Warning => '!',
                Grade::Fault => 'X',
            };
            writeln!(out, "{mark} {:12} {}", finding.topic, finding.text)?;
        }
        out.flush()?;
        Ok(())
    }

    fn conclude(&self, parts: Vec<Findings>) -> anyhow::Result<()> {
        let mut all = Findings::default();
        for part in parts {
            all.extend(part);
        }
        let worst = all.worst();
        if self.json {
            let value = serde_json::json!({ "worst": worst, "findings": all });
            writeln!(stdout(), "{value:#}")?;
        } else {
            let words = match worst {
                Grade::Fine => "all is well",
                Grade::Warning => "it works; what could be better is marked with !",
                Grade::Fault => "what does not work is marked with X",
            };
            writeln!(stdout(), "{words}")?;
        }
        if worst == Grade::Fault {
            let faults = all.iter().filter(|finding| finding.grade == Grade::Fault);
            let first = all.iter().find(|finding| finding.grade == Grade::Fault);
            let text = first.map_or_else(String::new, |finding| format!("{}: {}", finding.topic, finding.text));
            bail!("{} found, first: {text}", crate::platform::wording::counted(faults.count(), "fault", "faults"));
        }
        Ok(())
    }
}
