//! `hagane arena`

use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{ArgAction, Args};

use super::ctrl_c::interrupt_on_ctrl_c;
use crate::arena::{
    self, Adjudication, EngineConfig, MatchConfig, MatchEvent, StopReason, TournamentFormat, chart, json, report,
};
use crate::client::split_words;
use crate::platform::files::write_whole;

/// The keys of an engine, for the help.
const KEYS: &str = "\
Keys of --engine and --each, and of the tables [[engine]] and [each] of a TOML file (there option and env are tables):
  name=NAME             its name in the match [default: the program's]
  path=FILE             the program [default: this one]
  args=WORDS            its arguments, quoted where a word has blanks
  dir=FOLDER            its working directory
  option.NAME=VALUE     a USI option
  env.NAME=VALUE        an environment variable
  tc=TIME               game time and increment: 60, 10+0.1, 5:00+3
  byoyomi=SECONDS       time per move after the game time
  movetime=SECONDS      time per move
  nodes=N, depth=N      nodes, depth per move
  random=SHARE          spreads the limits of single moves: 0.2 is 20 % up or down
  margin=SECONDS        by how much an answer may be late [default: 0.05]
  patience=SECONDS      how long to wait for a move without a limit of time [default: 60]
  ponder=BOOL           think in the opponent's time
  restart=BOOL          restart the engine for every game
  usi-timeout=SECONDS, ready-timeout=, stop-timeout=, quit-timeout=
                        how long to wait for usiok [10], readyok [60], bestmove after stop [2], the end after quit [2]";

/// Plays matches between USI engines and estimates their strength
///
/// Engines and settings come from flags, a TOML file, or both; flags override the file. Times are in seconds. Example:
///
///   hagane arena --engine name=new path=./new --engine name=old path=./old --each movetime=0.1 option.Threads=1
///     --openings openings.sfen --games 1000 --concurrency 2 --sprt elo0=0 elo1=5 --state match.state
#[derive(Args)]
#[command(verbatim_doc_comment, after_long_help = KEYS)]
pub(super) struct Arguments {
    /// Configuration of a match (TOML; the keys are the names of these flags, engines are `[[engine]]` tables)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    engines: Engines,
    /// Settings of all engines; the keys of --engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Game time and increment for all: 60, 10+0.1, 5:00+3
    #[arg(long)]
    tc: Option<String>,
    /// Time per move after the game time, for all
    #[arg(long, value_name = "SECONDS")]
    byoyomi: Option<f64>,
    /// Time per move, for all
    #[arg(long, value_name = "SECONDS")]
    movetime: Option<f64>,
    /// Nodes per move, for all
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth, for all
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Games per pairing, played in pairs: an odd number is rounded up [default: 100]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Games played in parallel, on each machine [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// A machine that shares the games, once for each: `here`, or the command that reaches its shell, such as `ssh host`
    #[arg(long, value_name = "COMMAND")]
    machine: Vec<String>,
    /// gauntlet (the first against each other) or round-robin
    #[arg(long)]
    format: Option<String>,
    /// shogi, none (any game: USI-X) or solo (a game of one player)
    #[arg(long)]
    rules: Option<String>,
    /// The program that deals the tokens of solo games; {seed} in it becomes the seed of the sequence
    #[arg(long, value_name = "COMMAND")]
    token_source: Option<String>,
    /// Openings, one per line: startpos moves ..., sfen ... moves ..., or a bare SFEN
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// sequential or random
    #[arg(long)]
    order: Option<String>,
    /// The first opening to use
    #[arg(long, value_name = "N")]
    start: Option<usize>,
    /// Random moves after each opening
    #[arg(long, value_name = "N")]
    random_plies: Option<u32>,
    /// Random seed [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Draw after this many moves, 0 for no limit [default: 512 in shogi]
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Whether a mate by the last allowed move wins; else it is a draw [default: true]
    #[arg(long, value_name = "BOOL")]
    mate_at_limit: Option<bool>,
    /// Rule of declaration [default: CSARule27]
    #[arg(long, value_name = "RULE")]
    declaration: Option<String>,
    /// Stop when a gain is shown or refuted: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    sprt: Option<Vec<String>>,
    /// End games early: win-score=3000 win-moves=3 draw-score=20 draw-moves=8 draw-after=200 mate=true declaration=true
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    adjudication: Option<Vec<String>>,
    /// Append every game to a file (CSA where its name ends in .csa, else USI)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// csa or usi, whatever the name of the file of games says
    #[arg(long, value_name = "FORMAT")]
    record_format: Option<String>,
    /// Withdraw an engine after this many consecutive failures to start [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    start_failures: Option<u32>,
    /// Keep the state of the match in a file, so that it can be resumed
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Resume the match of the state file
    #[arg(long)]
    resume: bool,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the course of a match of two engines, or the ratings of more (SVG)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Print the result of every game
    #[arg(long)]
    verbose: bool,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut config = self.config_of_flags()?;
        if let Some(path) = &self.config {
            config = config.over(MatchConfig::read(path)?);
        }
        let setup = config.build()?;
        // An output that cannot be written is reported before the games are played.
        for path in [&config.json, &config.chart].into_iter().flatten() {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            ensure!(
                !path.is_dir() && folder.is_none_or(Path::is_dir),
                "{}: {}",
                path.display(),
                if path.is_dir() { "this is a folder" } else { "there is no such folder" }
            );
        }
        let interrupt = interrupt_on_ctrl_c()?;
        let scheduled = setup.schedule().len();
        let mut line = StatusLine::new();
        let verbose = self.verbose;
        let summary = arena::run(&setup, &interrupt, &mut |event| match event {
            MatchEvent::Game(result, tally) => {
                if verbose {
                    let names = result.players.map(|engine| setup.players[engine].name.as_str());
                    line.say(&report::game(names, result));
                }
                line.update(|| report::progress(&setup, tally, scheduled));
            }
            MatchEvent::MachineLost(why) => line.say(&format!("{why}; its games go to the others")),
        });
        line.end();
        let summary = summary?;
        let mut out = stdout().lock();
        write!(out, "{}", report::closing(&setup, &summary))?;
        out.flush()?;
        if let Some(path) = &config.json {
            let text = format!("{:#}\n", json::report(&setup, &summary));
            write_whole(path, text.as_bytes()).with_context(|| format!("{}", path.display()))?;
        }
        if let Some(path) = &config.chart {
            match chart::svg(&setup, &summary.tally) {
                Some(text) => write_whole(path, text.as_bytes()).with_context(|| format!("{}", path.display()))?,
                None => eprintln!("no chart: no game has been played"),
            }
        }
        if let Some(cause) = report::cause_without_a_game(&setup, &summary.tally) {
            bail!("no game could start: {cause}");
        }
        if let StopReason::Withdrawn(engines) = &summary.stop {
            let names: Vec<&str> = engines.iter().map(|&engine| setup.players[engine].name.as_str()).collect();
            bail!("withdrawn after {} failures to start: {}", setup.start_failures, names.join(", "));
        }
        Ok(())
    }

    fn config_of_flags(&self) -> anyhow::Result<MatchConfig> {
        let mut each = EngineConfig::default();
        for text in &self.each {
            each.set(text)?;
        }
        if let Some(tc) = &self.tc {
            each.set(&format!("tc={tc}"))?;
        }
        each.byoyomi = self.byoyomi.or(each.byoyomi);
        each.movetime = self.movetime.or(each.movetime);
        each.nodes = self.nodes.or(each.nodes);
        each.depth = self.depth.or(each.depth);
        let mut engines = Vec::new();
        for keys in &self.engines.0 {
            let mut engine = EngineConfig::default();
            for text in keys {
                engine.set(text)?;
            }
            engines.push(engine);
        }
        let format = match self.format.as_deref() {
            None => None,
            Some("gauntlet") => Some(TournamentFormat::Gauntlet),
            Some("round-robin") => Some(TournamentFormat::RoundRobin),
            Some(other) => anyhow::bail!("format '{other}' is none of gauntlet, round-robin"),
        };
        Ok(MatchConfig {
            games: self.games,
            concurrency: self.concurrency,
            machine: (!self.machine.is_empty()).then(|| self.machine.clone()),
            format,
            rules: self.rules.clone(),
            token_source: self.token_source.as_deref().map(split_words),
            seed: self.seed,
            openings: self.openings.clone(),
            order: self.order.clone(),
            start: self.start,
            random_plies: self.random_plies,
            max_moves: self.max_moves,
            mate_at_limit: self.mate_at_limit,
            declaration: self.declaration.clone(),
            start_failures: self.start_failures,
            record: self.record.clone(),
            record_format: self.record_format.clone(),
            state: self.state.clone(),
            resume: self.resume.then_some(true),
            json: self.json.clone(),
            chart: self.chart.clone(),
            sprt: self.sprt.as_deref().map(|keys| table("sprt", keys)).transpose()?,
            adjudication: self
                .adjudication
                .as_deref()
                .map(|keys| table::<Adjudication>("adjudication", keys))
                .transpose()?,
            each,
            engines,
        })
    }
}

/// Parses the key=value pairs of a flag like a table of the configuration file.
fn table<T: serde::de::DeserializeOwned>(flag: &str, pairs: &[String]) -> anyhow::Result<T> {
    let mut text = String::new();
    for pair in pairs {
        let (key, value) = pair.split_once('=').with_context(|| format!("--{flag} '{pair}': expected key=value"))?;
        // Numbers and booleans are taken as such, everything else as text.
        if value.parse::<f64>().is_ok() || matches!(value, "true" | "false") {
            text += &format!("{key} = {value}\n");
        } else {
            text += &format!("{key} = {value:?}\n");
        }
    }
    toml::from_str(&text).map_err(|error| anyhow::anyhow!("--{flag}: {}", error.message()))
}

/// The `--engine` flags, each with its own keys (clap's derived form would merge them).
#[derive(Debug, Clone, Default)]
struct Engines(Vec<Vec<String>>);

impl Engines {
    const ID: &'static str = "engine";
}

impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<String>(Self::ID);
        Ok(Self(groups.into_iter().flatten().map(|keys| keys.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            clap::Arg::new(Self::ID)
                .long(Self::ID)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help("An engine, once for each, by its keys (below)"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// The progress line: overwritten in place on a terminal, printed now and then elsewhere.
struct StatusLine {
    terminal: bool,
    last: Option<Instant>,
    shown: usize,
}

impl StatusLine {
    fn new() -> Self {
        Self { terminal: stderr().is_terminal(), last: None, shown: 0 }
    }

    fn update(&mut self, line: impl FnOnce() -> String) {
        let pause = Duration::from_millis(if self.terminal { 100 } else { 10_000 });
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        self.show(&line());
    }

    fn show(&mut self, line: &str) {
        // If stderr is closed, the line is lost.
        let _ = if self.terminal {
            let width = line.chars().count();
            let blanks = " ".repeat(self.shown.saturating_sub(width));
            self.shown = width;
            write!(stderr(), "\r{line}{blanks}")
        } else {
            writeln!(stderr(), "{line}")
        };
    }

    /// Prints a line that stays.
    fn say(&mut self, line: &str) {
        self.end();
        let _ = writeln!(stderr(), "{line}");
    }

    fn end(&mut self) {
        if self.terminal && self.shown > 0 {
            let _ = writeln!(stderr());
        }
        self.shown = 0;
    }
}
