//! From a position to a verdict: who attacks, the limits, the threads, the length, the main line.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::control::{MateControl, MateProgress, Reporter};
use super::counted::CountedSearch;
use super::decision::MateDecision;
use super::df_pn::{DfPnWorker, Team};
use super::examiner::Examiner;
use super::line::{self, DefenceLengths, LineStyle};
use super::mate_len::MateLen;
use super::search_result::SearchResult;
use super::settings::{FutileInterpositions, MateLength, MateSettings};
use super::solution::{Mate, MateSolution, MateVerdict};
use super::table::MateTable;
use crate::position::Position;
use crate::types::{Color, Move};

/// Who attacks in a position: the side to move, or its opponent if the side to move is in check and the opponent has
/// no king. `None` where nobody can be mated.
pub fn attacker(pos: &Position) -> Option<Color> {
    let us = pos.side_to_move();
    if pos.king(!us).is_some() {
        Some(us)
    } else if pos.king(us).is_some() && pos.in_check() {
        Some(!us)
    } else {
        None
    }
}

/// A solver with its table.
pub struct Solver {
    table: MateTable,
    /// For searches without capturable interpositions, which are needed only for exact lengths; one for each
    /// convention.
    lower_tables: [OnceLock<MateTable>; FutileInterpositions::Any as usize + 1],
    megabytes: usize,
}

impl Solver {
    /// A solver whose table takes up to about `megabytes`.
    pub fn new(megabytes: usize) -> Self {
        Self { table: MateTable::new(megabytes), lower_tables: Default::default(), megabytes }
    }

    /// Forgets what earlier calls have found: as a new solver, without the cost of its memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.lower_tables.iter_mut().filter_map(OnceLock::get_mut).for_each(MateTable::clear);
    }

    /// How full the table is, in per mille.
    pub fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }

    /// Solves one position. Setting `stop` from another thread ends the search within milliseconds; `progress` is
    /// called a few times a second.
    ///
    /// Results of earlier calls in the table are used. Those calls must have had the same attacker, because the table
    /// knows the sides as attacker and defender, not as Black and White.
    ///
    /// # Panics
    /// If the system cannot start a single thread.
    pub fn solve(
        &mut self,
        pos: &Position,
        settings: &MateSettings,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(&MateProgress) + Send),
    ) -> MateSolution {
        let begin = Instant::now();
        let Some(attacker) = attacker(pos) else {
            return MateSolution { verdict: MateVerdict::NoMate, nodes: 0, time: begin.elapsed() };
        };
        let deadline = settings.time.map(|time| begin + time);
        let control = MateControl::new(stop, deadline, settings.nodes);
        // The main line of a known mate may take some ten thousands of nodes and some time beyond the limits; a stop ends
        // it.
        let grace = MateControl::new(stop, deadline.map(|deadline| deadline + GRACE), None);
        let table = self.table.claim(settings.threads <= 1);
        let lower_table = &self.lower_tables[settings.futile as usize];
        let megabytes = self.megabytes;
        let lower_table = || lower_table.get_or_init(|| MateTable::new(megabytes));
        let teams = (settings.threads > 1).then(|| [0, 1].map(|_| Team::new(settings.threads)));
        let search = MateSearch {
            table: &table,
            lower_table: &lower_table,
            pos,
            attacker,
            settings,
            control: &control,
            grace: &grace,
            teams: teams.as_ref(),
        };
        let reporter = Reporter::new(progress, begin);
        let verdict = on_deep_stack(|| search.run(reporter));
        MateSolution { verdict, nodes: control.nodes() + grace.nodes(), time: begin.elapsed() }
    }

    /// The attacker's move in a position from which a mate within `plies` is known, and the length known after it, by
    /// the proof in the table. Entries that were overwritten are searched again. `None` if there is no such mate.
    pub fn reply(&self, pos: &Position, plies: u16) -> Option<(Move, u16)> {
        let stop = AtomicBool::new(false);
        let control = MateControl::new(&stop, None, None);
        let mut worker = DfPnWorker::new(pos.clone(), pos.side_to_move(), &self.table, &control, 0);
        let result = worker.search(MateLen(plies));
        if !result.is_proven() {
            return None;
        }
        line::attack(&mut worker, result).map(|(mv, after)| (mv, after.len.0))
    }

    /// Calls `work` with an examiner of positions of one problem, in which `attacker` mates; each of its answers may
    /// cost the settings' nodes.
    ///
    /// # Panics
    /// If the system cannot start a single thread.
    pub fn examine<R: Send>(
        &mut self,
        pos: &Position,
        attacker: Color,
        settings: &MateSettings,
        stop: &AtomicBool,
        work: impl FnOnce(&mut Examiner) -> R + Send,
    ) -> R {
        let futile = settings.futile;
        let control = MateControl::new(stop, None, None);
        let table = self.table.claim(true);
        let lower_table = self.lower_tables[futile as usize].get_or_init(|| MateTable::new(self.megabytes));
        on_deep_stack(|| {
            let worker = |table| DfPnWorker::new(pos.clone(), attacker, table, &control, 0);
            let mut all = worker(&table);
            let search = CountedSearch::new(&mut all, worker(lower_table), futile);
            work(&mut Examiner::new(search, &control, settings.nodes.unwrap_or(u64::MAX)))
        })
    }
}

/// Calls `work` on a thread with a stack for lines of thousands of plies.
///
/// # Panics
/// If the system cannot start a single thread.
fn on_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("mate".into()).stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("no thread for the mate solver: {error}"),
        }
    })
}

/// Stack of a worker: the recursion may be thousands of plies deep.
const STACK: usize = 256 << 20;
/// How far the extraction of a line may overrun the time limit.
const GRACE: Duration = Duration::from_millis(100);

/// Tells all workers to stop when dropped: also where one of them panics, since the others are waited for.
struct EndOfRace<'a>(&'a MateControl<'a>);

impl Drop for EndOfRace<'_> {
    fn drop(&mut self) {
        self.0.set_done(true);
    }
}

/// One call of [`Solver::solve`].
struct MateSearch<'a> {
    table: &'a MateTable,
    lower_table: &'a (dyn Fn() -> &'a MateTable + Sync),
    pos: &'a Position,
    attacker: Color,
    settings: &'a MateSettings,
    control: &'a MateControl<'a>,
    grace: &'a MateControl<'a>,
    /// What the workers show each other, if there are several: those that use the table, and those of the other one.
    teams: Option<&'a [Team; 2]>,
}

impl<'a> MateSearch<'a> {
    fn worker(&self, control: &'a MateControl<'a>, number: usize) -> DfPnWorker<'a> {
        let worker = DfPnWorker::new(self.pos.clone(), self.attacker, self.table, control, number);
        worker.in_team(self.teams.map(|teams| &teams[0]))
    }

    /// Lets all workers do the same: this thread `own`, the others `helped` with their numbers. The first answer ends
    /// the work of all.
    fn race<R: Send>(&self, own: impl FnOnce() -> Option<R>, helped: impl Fn(usize) -> Option<R> + Sync) -> Option<R> {
        self.control.set_done(false);
        let helpers = self.settings.threads.saturating_sub(1);
        std::thread::scope(|scope| {
            let spawn = |number: usize| {
                let helped = &helped;
                let work = move || {
                    let answer = helped(number);
                    if answer.is_some() {
                        self.control.set_done(true);
                    }
                    answer
                };
                std::thread::Builder::new().name(format!("mate {number}")).stack_size(STACK).spawn_scoped(scope, work)
            };
            // Fewer threads than requested are no reason to give up.
            let threads: Vec<_> = (1..=helpers).map_while(|number| spawn(number).ok()).collect();
            let end = EndOfRace(self.control);
            let answer = own();
            drop(end);
            // All are waited for.
            threads.into_iter().fold(answer, |answer, thread| answer.or(thread.join().ok().flatten()))
        })
    }

    /// Searches for a mate within `len` with all workers.
    fn decide(&self, worker: &mut DfPnWorker<'a>, len: MateLen) -> MateDecision {
        let search = |worker: &mut DfPnWorker<'a>| {
            let decision = MateDecision::of(worker.search(len), worker);
            worker.resume();
            decision.is_final().then_some(decision)
        };
        let decision = self.race(|| search(worker), |number| search(&mut self.worker(self.control, number)));
        decision.unwrap_or(MateDecision::Open)
    }

    /// The main line of a proven mate, found by one worker.
    fn line(
        &self,
        control: &'a MateControl<'a>,
        number: usize,
        result: SearchResult,
        lengths: DefenceLengths,
    ) -> Option<Vec<Move>> {
        let mut worker = self.worker(control, number);
        let style = LineStyle { futile: self.settings.futile, lengths };
        let line = line::find(&mut worker, result, style);
        worker.resume();
        line
    }

    /// The main line of a mate that is the shortest if every interposition counts, with every length in it exact, and
    /// whether it is proven to be the shortest; `known` is a line to return if the limits are too low for that.
    fn exact_line(&self, worker: &mut DfPnWorker<'a>, result: SearchResult, known: Vec<Move>) -> (Vec<Move>, bool) {
        if self.settings.futile == FutileInterpositions::None {
            // Lengths in the table are bounds: the defender's longest defence needs a search of its own.
            let line = |number| self.line(self.control, number, result, DefenceLengths::Exact);
            return (self.race(|| line(0), line).unwrap_or(known), true);
        }
        let guess = MateLen(known.len() as u16);
        let search = |worker: &mut DfPnWorker<'a>, number: usize| {
            let lower = DfPnWorker::new(self.pos.clone(), self.attacker, (self.lower_table)(), self.control, number);
            let lower = lower.in_team(self.teams.map(|teams| &teams[1]));
            let mut counted = CountedSearch::new(worker, lower, self.settings.futile);
            let line = counted.length(result.len, guess).and_then(|length| counted.line(length));
            worker.resume();
            line
        };
        let line = self.race(|| search(worker, 0), |number| search(&mut self.worker(self.control, number), number));
        line.map_or((known, false), |line| (line, true))
    }

    fn run(&self, reporter: Reporter<'a>) -> MateVerdict {
        let mut worker = self.worker(self.control, 0).reporting(reporter);
        let (mut line, mut result) = match self.decide(&mut worker, MateLen::UNLIMITED) {
            MateDecision::Mate(result) => match self.line(self.grace, 0, result, DefenceLengths::Measured) {
                Some(line) => (line, result),
                None => return MateVerdict::Unknown,
            },
            MateDecision::NoMate => return MateVerdict::NoMate,
            MateDecision::Open => return MateVerdict::Unknown,
        };
        if self.settings.length == MateLength::Short {
            self.control.lower_node_limit(2 * self.control.nodes() + 100_000);
        }
        // No mate is shorter than this.
        let least = if self.pos.side_to_move() == self.attacker { 1 } else { 2 };
        let mut shortest = result.len.0 <= least;
        while !shortest && self.settings.length != MateLength::First {
            if let Some(reporter) = worker.reporter() {
                reporter.found(&line, self.control.nodes(), self.table.hashfull());
            }
            match self.decide(&mut worker, MateLen(result.len.0.saturating_sub(2))) {
                MateDecision::Mate(shorter) => match self.line(self.grace, 0, shorter, DefenceLengths::Measured) {
                    Some(better) => (line, result) = (better, shorter),
                    None => break,
                },
                MateDecision::NoMate => shortest = true,
                MateDecision::Open => break,
            }
            shortest |= result.len.0 <= least;
        }
        if shortest && self.settings.length != MateLength::First {
            (line, shortest) = self.exact_line(&mut worker, result, line);
        }
        if let Some(reporter) = worker.reporter() {
            reporter.found(&line, self.control.nodes(), self.table.hashfull());
        }
        MateVerdict::Mate(Mate { line, shortest })
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_panic_of_one_worker_ends_the_work_of_the_others() {
        let (pos, table, stop) = (Position::startpos(), MateTable::new(0), AtomicBool::new(false));
        let deadline = Instant::now() + Duration::from_secs(10);
        let control = MateControl::new(&stop, Some(deadline), None);
        let search = MateSearch {
            table: &table,
            lower_table: &|| unreachable!("no exact length is asked for"),
            pos: &pos,
            attacker: Color::Black,
            settings: &MateSettings { threads: 2, ..MateSettings::default() },
            control: &control,
            grace: &control,
            teams: None,
        };
        let helped = |_| {
            while !control.must_stop() {
                std::thread::yield_now();
            }
            None::<()>
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| search.race(|| panic!("on purpose"), helped)));
        assert!(outcome.is_err());
        assert!(Instant::now() < deadline, "the other worker went on until its time was up");
    }
}
