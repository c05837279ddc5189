//! `hagane analyze`

use std::collections::{HashMap, HashSet};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::ctrl_c::interrupt_on_ctrl_c;
use super::file_arguments::ends_as_folder;
use super::record::{format_of_output, records_of};
use crate::analysis::{
    AnalysisEvent, AnalysisPlan, Budget, CommentStyle, Destination, FileJob, FileOutcome, Judgement, Language,
    ReportIndex, analyze_files, html_report, summary,
};
use crate::client::{EngineSpec, split_words};
use crate::platform::files::write_whole;
use crate::platform::scheduling::processors;
use crate::platform::wording::counted;
use crate::record::{Document, FileFormat};

/// Analyses game records with an engine and writes the results as comments.
///
/// The comments are thinking comments (思考コメント), which ShogiHome and others read. What has been analysed by the same
/// engine with the same budget is skipped, so that an interrupted analysis can be resumed. Without --in-place or
/// --output only reports are written.
#[derive(Args)]
pub(super) struct Arguments {
    /// Game records (KIF, KI2, CSA, JKF, USI), or folders of them
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// Writes the comments into the files themselves
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    /// With --in-place: also overwrites files in which something was not understood
    #[arg(long, requires = "in_place")]
    force: bool,
    /// The new file, or a folder for several; its extension chooses the format
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Time for each position in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Nodes for each position
    #[arg(long, group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position in plies
    #[arg(long, group = "effort", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Time for the engine's mate solver on each position, 0 for none [default: a tenth of --time, else 100]
    #[arg(long, value_name = "MS")]
    mate: Option<u64>,
    /// Best lines for each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=593))]
    multipv: u32,
    /// The engine, any that speaks USI, also on another machine: "ssh host hagane". Several, each after an --engine of
    /// its own, share the games; all must be the same program [default: this one]
    #[arg(long, value_name = "PATH|COMMAND")]
    engine: Vec<String>,
    /// Its arguments, separated by blanks; double quotes keep words together
    #[arg(long, value_name = "WORDS", requires = "engine", allow_hyphen_values = true)]
    engine_args: Option<String>,
    /// USI options of the engine
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Games analysed in parallel, by each engine where there are several [default: the number of processors; 1 for each
    /// of several engines]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Threads of each engine [default: the processors divided by the games; what each of several engines chooses]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Hash table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: usize,
    /// Analyses variations too
    #[arg(long)]
    variations: bool,
    /// pairs: key=value lines; floodgate: '** score moves
    #[arg(long, default_value = "pairs", value_parser = parse_style)]
    style: CommentStyle,
    /// Writes a page for each game (HTML) into this folder
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    /// Language of summary and pages: en or ja [default: en, and for the pages the reader's]
    #[arg(long)]
    language: Option<Language>,
    /// Prints no summaries
    #[arg(short, long)]
    quiet: bool,
}

fn parse_style(text: &str) -> Result<CommentStyle, String> {
    match text {
        "pairs" => Ok(CommentStyle::Pairs),
        "floodgate" => Ok(CommentStyle::Floodgate),
        _ => Err(format!("'{text}' is no style (expected pairs or floodgate)")),
    }
}

/// The number of games, as far as it matters: reading stops at `enough`.
fn games_in(files: &[(PathBuf, PathBuf)], enough: usize) -> usize {
    let mut games = 0;
    for (path, _) in files {
        if games >= enough {
            break;
        }
        games += Document::open(path).map_or(0, |document| document.games.len());
    }
    games
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = records_of(&self.input)?;
        let jobs = self.goals(&files)?;
        let plan = self.plan(&files)?;
        let interrupt = interrupt_on_ctrl_c()?;
        let started = Instant::now();
        let bar = ProgressBar::new(0);
        let template = "{bar:30} {pos}/{len} positions, {elapsed}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let engine = OnceLock::new();
        let outcomes = analyze_files(&plan, jobs, &interrupt, &|event| match event {
            AnalysisEvent::Total(total) => bar.set_length(total as u64),
            AnalysisEvent::Position => bar.inc(1),
            AnalysisEvent::Engine(name) => {
                let _ = engine.set(name);
            }
            AnalysisEvent::Warning(text) => bar.suspend(|| eprintln!("warning: {text}")),
        });
        bar.finish_and_clear();
        let outcomes = outcomes.map_err(|error| anyhow!("{error}"))?;
        let mut reports = self.report.as_deref().map(|folder| Reports::open(folder, &files));
        let unwritten = outcomes.iter().filter(|outcome| !outcome.written).count();
        let mut bad = 0;
        for outcome in &outcomes {
            bad += usize::from(!self.tell(outcome, reports.as_mut())?);
        }
        if let Some(reports) = &reports {
            reports.write_index(self.language)?;
        }
        let (analyzed, skipped): (usize, usize) =
            outcomes.iter().fold((0, 0), |(a, s), outcome| (a + outcome.analyzed, s + outcome.skipped));
        let search_time: Duration = outcomes.iter().map(|outcome| outcome.search_time).sum();
        let already = match skipped {
            0 => String::new(),
            1 => ", 1 was already".to_owned(),
            _ => format!(", {skipped} were already"),
        };
        eprintln!(
            "{} analysed by {} in {:.1} s ({:.1} s of thinking){already}",
            counted(analyzed, "position", "positions"),
            engine.get().map_or("the engine", String::as_str),
            started.elapsed().as_secs_f64(),
            search_time.as_secs_f64()
        );
        let is_kept = self.in_place || self.output.is_some();
        if !is_kept && self.report.is_none() {
            eprintln!("no record was written: --in-place or --output FILE|FOLDER keeps the comments");
        }
        if interrupt.has_fired() {
            ensure!(is_kept, "interrupted; the analysis was not kept");
            bail!("interrupted; the same command resumes the analysis");
        }
        ensure!(unwritten == 0, "not written: {unwritten} of {}", counted(files.len(), "record", "records"));
        ensure!(bad == 0, "not analysed to the end: {bad} of {}", counted(files.len(), "record", "records"));
        Ok(())
    }

    fn plan(&self, files: &[(PathBuf, PathBuf)]) -> anyhow::Result<AnalysisPlan> {
        let several = self.engine.len() > 1;
        ensure!(
            !several || self.engine_args.is_none(),
            "--engine-args goes with one --engine; of several, each takes its arguments within its own: --engine 'ssh host hagane'"
        );
        let cores = processors();
        let wanted = self.jobs.unwrap_or(if several { 1 } else { cores }).max(1);
        let workers = wanted.min(games_in(files, wanted)).max(1);
        // How many processors other machines have is theirs to know.
        let threads = self.threads.or((!several).then(|| (cores / workers).max(1)));
        let mut engines = match self.engine.is_empty() {
            true => vec![EngineSpec::this_executable().context("this executable is not found")?],
            false => self.engine.iter().map(|command| EngineSpec::of_command(command)).collect(),
        };
        for engine in &mut engines {
            engine.arguments.extend(self.engine_args.as_deref().map_or(Vec::new(), split_words));
            if let Some(threads) = threads {
                engine.prefer("Threads", threads.to_string());
            }
            engine.prefer("USI_Hash", self.hash.to_string());
            engine.prefer("USI_OwnBook", "false");
            // Every iteration is shown, so that a search that is cut short ends with exact scores.
            engine.prefer("USI_AnalyseMode", "true");
            for option in &self.option {
                let (name, value) =
                    option.split_once('=').with_context(|| format!("--option {option} is not NAME=VALUE"))?;
                engine.options.push((name.to_owned(), value.to_owned()));
            }
        }
        let budget = match (self.time, self.nodes, self.depth) {
            (_, Some(nodes), _) => Budget::Nodes(nodes.max(1)),
            (_, _, Some(depth)) => Budget::Depth(depth.max(1)),
            (time, ..) => Budget::Time(Duration::from_millis(time.unwrap_or(1000).max(1))),
        };
        let mate = match (self.mate, budget) {
            (Some(millis), _) => Duration::from_millis(millis),
            (None, Budget::Time(time)) => Duration::from_millis((time.as_millis() as u64 / 10).max(1)),
            (None, _) => Duration::from_millis(100),
        };
        Ok(AnalysisPlan {
            engines,
            budget,
            mate,
            lines: self.multipv,
            style: self.style,
            variations: self.variations,
            workers,
            force: self.force,
        })
    }

    fn goals(&self, files: &[(PathBuf, PathBuf)]) -> anyhow::Result<Vec<FileJob>> {
        let folder =
            self.output.as_deref().filter(|output| files.len() > 1 || output.is_dir() || ends_as_folder(output));
        let mut jobs: Vec<FileJob> = Vec::new();
        for (source, below) in files {
            let goal = match (&self.output, folder) {
                (None, _) if self.in_place => Destination::InPlace,
                (None, _) => Destination::Nowhere,
                (Some(_), Some(folder)) => {
                    let mut target = folder.join(below);
                    if FileFormat::of_path(below) == Some(FileFormat::Usi) {
                        // USI lines have no comments; CSA holds as many games a file.
                        target.set_extension("csa");
                    }
                    Destination::File(target)
                }
                (Some(output), None) => {
                    format_of_output(output)?;
                    Destination::File(output.clone())
                }
            };
            if let Destination::File(target) = &goal
                && let Some(other) = jobs.iter().find(|job| job.goal == goal)
            {
                bail!("{} and {} would both go to {}", other.source.display(), source.display(), target.display());
            }
            jobs.push(FileJob { source: source.clone(), goal });
        }
        Ok(jobs)
    }

    /// Prints the outcome of a file and writes its reports; `false` if something is missing.
    fn tell(&self, outcome: &FileOutcome, mut reports: Option<&mut Reports>) -> anyhow::Result<bool> {
        let name = outcome.job.source.display();
        for note in &outcome.notes {
            eprintln!("{name}: {note}");
        }
        let (document, annotator) = match &outcome.result {
            Ok(result) => result,
            Err(reason) => {
                eprintln!("{name}: {reason}");
                return Ok(false);
            }
        };
        let mut out = stdout().lock();
        for (index, record) in document.games.iter().enumerate() {
            let judgement = Judgement::new(record, |id| annotator.mine(record, id));
            if judgement.moves.is_empty() {
                continue;
            }
            let game = (document.games.len() > 1).then_some(index + 1);
            if !self.quiet {
                let number = game.map_or_else(String::new, |number| format!(" ({number})"));
                let language = self.language.unwrap_or(Language::English);
                write!(out, "{name}{number}\n{}", summary(record, &judgement, language))?;
            }
            if let Some(reports) = &mut reports {
                let page = html_report(record, &judgement, &annotator.engine, &annotator.budget, self.language);
                let path = reports.path(&outcome.job.source, game);
                reports.write(&path, &page)?;
                reports.index.add(&path, record, &judgement);
            }
        }
        Ok(outcome.failures == 0)
    }
}

/// The folder of reports and its index.
struct Reports {
    folder: PathBuf,
    /// Where the reports of a source go, below the folder.
    places: HashMap<PathBuf, PathBuf>,
    index: ReportIndex,
}

impl Reports {
    const INDEX: &str = "index.html";

    /// Reads the index that is there already.
    fn open(folder: &Path, files: &[(PathBuf, PathBuf)]) -> Self {
        let old = std::fs::read_to_string(folder.join(Self::INDEX)).unwrap_or_default();
        let index = ReportIndex::read(&old, |name| folder.join(name).is_file());
        Self { folder: folder.to_owned(), places: report_places(files), index }
    }

    /// The path of a report below the folder; `game` is the number of one game of several.
    fn path(&self, source: &Path, game: Option<usize>) -> PathBuf {
        let place = self.places.get(source).map_or(Path::new("game"), PathBuf::as_path);
        let number = game.map_or_else(String::new, |number| format!("_{number:06}"));
        // Two records may differ in their extension only.
        place.with_file_name(format!("{}{number}.html", place.file_name().unwrap_or_default().to_string_lossy()))
    }

    fn write(&self, path: &Path, page: &str) -> anyhow::Result<()> {
        let target = self.folder.join(path);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        write_whole(&target, page.as_bytes()).with_context(|| target.display().to_string())
    }

    fn write_index(&self, language: Option<Language>) -> anyhow::Result<()> {
        self.write(Path::new(Self::INDEX), &self.index.html(language))
    }
}

/// Where the reports of each source go: its path below the folder that was named. If two sources would go to one place,
/// all keep the folders below the last one that they have in common.
fn report_places(files: &[(PathBuf, PathBuf)]) -> HashMap<PathBuf, PathBuf> {
    let mut seen = HashSet::new();
    if files.iter().all(|(_, below)| seen.insert(below)) {
        return files.iter().cloned().collect();
    }
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let paths: Vec<PathBuf> = files.iter().map(|(source, _)| whole(source)).collect();
    let mut common = paths[0].parent().unwrap_or(Path::new("")).to_owned();
    while !paths.iter().all(|path| path.starts_with(&common)) && common.pop() {}
    let below = |path: &PathBuf| path.strip_prefix(&common).map_or_else(|_| path.clone(), Path::to_owned);
    files.iter().map(|(source, _)| source.clone()).zip(paths.iter().map(below)).collect()
}
