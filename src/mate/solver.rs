//! From a position to a verdict: the attacker, the limits, the length, the line.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::control::{Control, Reporter};
use super::df_pn::Worker;
use super::interposition;
use super::moves;
use super::number::MateLen;
use super::outcome::Outcome;
use super::table::Table;
use crate::position::Position;
use crate::types::{Color, Move};

/// How much the length of the mate matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Length {
    /// The first mate found will do.
    #[default]
    First,
    /// The first mate is shortened, with about as much work again as finding it took.
    Short,
    /// The shortest mate, proven to be the shortest.
    Exact,
}

/// What a search may use, and what it is for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most nodes to search; `None` for no limit.
    pub nodes: Option<u64>,
    /// Longest time to take; `None` for no limit.
    pub time: Option<Duration>,
    /// Workers on the one table, at least 1.
    pub threads: usize,
    /// How much the length matters.
    pub length: Length,
    /// Whether futile interpositions (無駄合い) count as moves. Problem solvers do not count them.
    pub count_interpositions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { nodes: None, time: None, threads: 1, length: Length::First, count_interpositions: false }
    }
}

/// A mate that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The moves to the mate, the defender's being the longest resistance known.
    pub line: Vec<Move>,
    /// The mate is proven to be the shortest.
    pub shortest: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A mate by checks alone.
    Mate(Mate),
    /// Proven: no mate by checks alone.
    NoMate,
    /// The limits were reached first.
    Unknown,
}

/// The answer and what it took.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The answer.
    pub verdict: Verdict,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Plies of the shortest mate so far.
    pub mate: Option<usize>,
    /// The best line so far: the mate, or else the line just searched.
    pub line: Vec<Move>,
}

/// Who attacks in a position: the side to move, or its opponent where the side to move is in check by an opponent that
/// has no king. `None` where nobody can be mated.
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

/// Solves one position with a table of `megabytes`. The progress is called a few times a second.
///
/// Raising `stop` from another thread ends the search within milliseconds.
pub fn solve(
    pos: &Position,
    megabytes: usize,
    settings: &Settings,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Solution {
    Solver::new(megabytes).solve(pos, settings, stop, progress)
}

/// A solver with its table.
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver whose table takes up to about `megabytes`.
    pub fn new(megabytes: usize) -> Self {
        Self { table: Table::new(megabytes) }
    }

    /// How full the table is, in thousandths.
    pub fn hashfull(&self) -> u32 {
        self.table.fill()
    }

    /// Solves one position. What the table holds of earlier ones is used: these must have had the same attacker, for
    /// the table knows the sides as attacker and defender, not as Black and White.
    ///
    /// # Panics
    /// Where the system refuses a single thread.
    pub fn solve(
        &mut self,
        pos: &Position,
        settings: &Settings,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Solution {
        let begin = Instant::now();
        let Some(attacker) = attacker(pos) else {
            return Solution { verdict: Verdict::NoMate, nodes: 0, time: begin.elapsed() };
        };
        let deadline = settings.time.map(|time| begin + time);
        let control = Control::new(stop, deadline, settings.nodes);
        // A mate that is known deserves its line: its extraction may overrun the limits a little, but not a stop.
        let grace = Control::new(stop, deadline.map(|deadline| deadline + GRACE), None);
        // SAFETY: where `threads` is 1 no helper is started, and the one worker's thread is all that uses the table until
        // it is joined.
        let table = unsafe { self.table.claim(settings.threads <= 1) };
        let search = Search { table: &table, pos, attacker, settings, control: &control, grace: &grace };
        let reporter = Reporter::new(progress, begin);
        let verdict = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new()
                .name("mate".into())
                .stack_size(STACK)
                .spawn_scoped(scope, || search.run(reporter));
            match thread.map(|thread| thread.join()) {
                Ok(Ok(verdict)) => verdict,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => panic!("no thread for the mate solver: {error}"),
            }
        });
        Solution { verdict, nodes: control.nodes() + grace.nodes(), time: begin.elapsed() }
    }

    /// The attacker's move in a position from which a mate within `plies` is known, and the length known after it: what
    /// the table holds as the proof. What it lost is searched again. `None` where there is no such mate.
    pub fn reply(&self, pos: &Position, plies: u16) -> Option<(Move, u16)> {
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, None, None);
        let mut worker = Worker::new(pos.clone(), pos.side_to_move(), &self.table, &control, 0);
        let outcome = worker.search(MateLen(plies));
        if !outcome.is_proven() {
            return None;
        }
        Line::attack(&mut worker, outcome).map(|(mv, after)| (mv, after.len.0))
    }

    /// Whether the side to move, which is in check, is mated within some plies; `None` where the nodes do not suffice
    /// to know.
    pub fn is_mated_within(&self, pos: &Position, plies: u16, nodes: u64) -> Option<bool> {
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, None, Some(nodes));
        let mut worker = Worker::new(pos.clone(), !pos.side_to_move(), &self.table, &control, 0);
        let outcome = worker.search(MateLen(plies));
        if outcome.is_proven() {
            Some(true)
        } else {
            (outcome.is_disproven() && !worker.too_deep && !worker.halted()).then_some(false)
        }
    }
}

/// Stack of a worker: the recursion may be thousands of plies deep.
const STACK: usize = 256 << 20;
/// How far the extraction of a line may overrun the time.
const GRACE: Duration = Duration::from_millis(100);

/// One call of [`Solver::solve`].
struct Search<'a> {
    table: &'a Table,
    pos: &'a Position,
    attacker: Color,
    settings: &'a Settings,
    control: &'a Control<'a>,
    grace: &'a Control<'a>,
}

impl<'a> Search<'a> {
    fn worker(&self, control: &'a Control<'a>, number: usize) -> Worker<'a> {
        Worker::new(self.pos.clone(), self.attacker, self.table, control, number as u64)
    }

    /// Searches with all workers for a mate within `len`: the first decision counts.
    fn decide(&self, worker: &mut Worker<'a>, len: MateLen) -> Decision {
        self.control.set_done(false);
        let helpers = self.settings.threads.saturating_sub(1);
        let mut decisions = Vec::new();
        std::thread::scope(|scope| {
            let spawn = |number: usize| {
                let work = move || {
                    let mut worker = self.worker(self.control, number);
                    let decision = Decision::of(worker.search(len), &worker);
                    worker.resume();
                    if decision.is_final() {
                        self.control.set_done(true);
                    }
                    decision
                };
                std::thread::Builder::new().name(format!("mate {number}")).stack_size(STACK).spawn_scoped(scope, work)
            };
            // Fewer threads than wanted are no reason to give up.
            let threads: Vec<_> = (1..=helpers).map_while(|number| spawn(number).ok()).collect();
            decisions.push(Decision::of(worker.search(len), worker));
            self.control.set_done(true);
            decisions.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        });
        worker.resume();
        decisions.into_iter().find(Decision::is_final).unwrap_or(Decision::Open)
    }

    /// The main line of a proven mate.
    fn line(&self, outcome: Outcome, exact: bool) -> Option<Vec<Move>> {
        // Exact lengths are part of the search, and end with it.
        let control = if exact { self.control } else { self.grace };
        let mut worker = self.worker(control, 0);
        let style = Style { count_interpositions: self.settings.count_interpositions, exact };
        let line = Line::find(&mut worker, outcome, style);
        worker.resume();
        line
    }

    fn run(&self, reporter: Reporter<'a>) -> Verdict {
        let mut worker = self.worker(self.control, 0).reporting(reporter);
        let (mut line, mut outcome) = match self.decide(&mut worker, MateLen::UNLIMITED) {
            Decision::Mate(outcome) => match self.line(outcome, false) {
                Some(line) => (line, outcome),
                None => return Verdict::Unknown,
            },
            Decision::NoMate => return Verdict::NoMate,
            Decision::Open => return Verdict::Unknown,
        };
        if self.settings.length == Length::Short {
            self.control.restrict(2 * self.control.nodes() + 100_000);
        }
        // A shorter mate than this there cannot be.
        let least = if self.pos.side_to_move() == self.attacker { 1 } else { 2 };
        let mut shortest = outcome.len.0 <= least;
        while !shortest && self.settings.length != Length::First {
            if let Some(reporter) = worker.reporter() {
                reporter.found(&line, self.control.nodes(), self.table.fill());
            }
            match self.decide(&mut worker, MateLen(outcome.len.0.saturating_sub(2))) {
                Decision::Mate(shorter) => match self.line(shorter, false) {
                    Some(better) => (line, outcome) = (better, shorter),
                    None => break,
                },
                Decision::NoMate => shortest = true,
                Decision::Open => break,
            }
            shortest |= outcome.len.0 <= least;
        }
        if shortest && self.settings.length != Length::First {
            // The defender's best is known exactly only now: lengths in the table are bounds. The line is another
            // search.
            self.control.set_done(false);
            line = self.line(outcome, true).unwrap_or(line);
        }
        if let Some(reporter) = worker.reporter() {
            reporter.found(&line, self.control.nodes(), self.table.fill());
        }
        Verdict::Mate(Mate { line, shortest })
    }
}

/// What the search for a mate within some length came to.
enum Decision {
    Mate(Outcome),
    NoMate,
    Open,
}

impl Decision {
    fn of(outcome: Outcome, worker: &Worker) -> Self {
        if outcome.is_proven() {
            Self::Mate(outcome)
        } else if outcome.is_disproven() && !worker.too_deep && !worker.halted() {
            Self::NoMate
        } else {
            Self::Open
        }
    }

    fn is_final(&self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// How a line is chosen.
#[derive(Clone, Copy)]
struct Style {
    count_interpositions: bool,
    /// The defender's moves are compared by their true lengths, each proven, instead of by what the table knows.
    exact: bool,
}

/// The line of a proven mate.
struct Line;

impl Line {
    /// The main line from the worker's position, which is proven by `outcome`: at the defender's nodes the move with
    /// the longest known mate, at the attacker's the shortest known.
    ///
    /// What the table lost is searched again, within the length that is known to suffice.
    fn find(worker: &mut Worker, outcome: Outcome, style: Style) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let result = Self::extend(worker, outcome, style, &mut line);
        for _ in 0..line.len() {
            worker.position().undo_move();
        }
        result.then_some(line)
    }

    fn extend(worker: &mut Worker, root: Outcome, style: Style, line: &mut Vec<Move>) -> bool {
        let mut outcome = root;
        loop {
            let next = if worker.attacker_to_move() {
                Self::attack(worker, outcome)
            } else {
                match Self::defence(worker, outcome.len, style) {
                    Some(None) => return true,
                    Some(Some(next)) => Some(next),
                    None => None,
                }
            };
            let Some((mv, after)) = next else {
                return false;
            };
            worker.position().do_move(mv);
            line.push(mv);
            outcome = after;
        }
    }

    /// The mating move and what is known after it.
    fn attack(worker: &mut Worker, outcome: Outcome) -> Option<(Move, Outcome)> {
        let within = outcome.len.previous();
        let first = outcome.best.filter(|&mv| worker.position().is_legal(mv));
        let list = moves::attacks(worker.position());
        for mv in first.into_iter().chain(list.iter().copied().filter(|&mv| Some(mv) != first)) {
            worker.position().do_move(mv);
            let after = worker.search(within);
            worker.position().undo_move();
            if after.is_proven() {
                return Some((mv, after));
            }
            if worker.halted() {
                return None;
            }
        }
        None
    }

    /// The longest defence and what is known after it; `Some(None)` where there is none, or none but futile
    /// interpositions where these do not count.
    #[expect(clippy::option_option)]
    fn defence(worker: &mut Worker, len: MateLen, style: Style) -> Option<Option<(Move, Outcome)>> {
        let (mut others, mut drops) = (Vec::new(), Vec::new());
        for &mv in moves::defences(worker.position()).iter() {
            worker.position().do_move(mv);
            let after = worker.search(len.previous());
            worker.position().undo_move();
            if !after.is_proven() {
                return None;
            }
            if mv.is_drop() && !style.count_interpositions {
                drops.push((mv, after));
            } else {
                others.push((mv, after));
            }
        }
        let mut longest = Self::longest(worker, &mut others, MateLen::ZERO, style)?;
        // Interpositions count where they last longer than all else and are not futile, the longest first.
        let mate = interposition::Mate {
            plies: longest.as_ref().map_or(MateLen::ZERO, |(_, known)| known.len.next()),
            held: worker.attacker_hand(),
            certain: style.exact,
        };
        while let Some((mv, after)) = Self::longest(worker, &mut drops, mate.plies, style)? {
            if !interposition::is_futile(worker, mv, mate) {
                longest = Some((mv, after));
                break;
            }
        }
        Some(longest)
    }

    /// Takes out the move that lasts longest, if it makes the defence last longer than `beyond`; `None` where the
    /// search for its true length was stopped.
    #[expect(clippy::option_option)]
    fn longest(
        worker: &mut Worker,
        candidates: &mut Vec<(Move, Outcome)>,
        beyond: MateLen,
        style: Style,
    ) -> Option<Option<(Move, Outcome)>> {
        loop {
            // Of equals the first.
            let place = (0..candidates.len()).rev().max_by_key(|&place| candidates[place].1.len);
            let Some(place) = place.filter(|&place| candidates[place].1.len.next() > beyond) else {
                return Some(None);
            };
            let (mv, after) = candidates[place];
            if style.exact && after.len.0 > 2 {
                worker.position().do_move(mv);
                let sooner = worker.search(MateLen(after.len.0 - 2));
                worker.position().undo_move();
                if sooner.is_proven() {
                    candidates[place].1 = sooner;
                    continue;
                }
                if !sooner.is_disproven() || worker.halted() {
                    return None;
                }
            }
            return Some(Some(candidates.remove(place)));
        }
    }
}
