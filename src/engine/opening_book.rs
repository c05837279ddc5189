//! The opening book of an engine: open what the options ask for, answer a search from it.

use super::book_files::{BookChoice, BookFile, WantedBooks};
use super::ongoing_search::OngoingSearch;
use super::options::EngineOptions;
use super::report::{BestMove, BookReport, NotFromBook};
use crate::book::choice::{self, Candidate, ChoiceLimits};
use crate::book::{Book, BookError, BookMove, Lookup};
use crate::mate;
use crate::platform::random::{Random, unpredictable};
use crate::position::{CheckInfo, Position};
use crate::search::Line;
use crate::types::{Color, Depth, MAX_DEPTH, Move, Score};

/// The name of the book in the program, for messages.
const INTERNAL_NAME: &str = "(built in)";

/// An open book and its name.
struct OpenBook {
    name: String,
    book: Book,
}

/// What the options have opened.
pub(super) struct OpeningBook {
    choice: Option<BookChoice>,
    wanted: WantedBooks,
    /// In the order in which they are asked.
    books: Vec<OpenBook>,
    /// What became of each file at the last opening.
    reports: Vec<BookReport>,
    /// Whether that has been told.
    is_told: bool,
    random: Random,
}

/// What the book says to a position.
enum Answer {
    Play { best: Move, ponder: Option<Move>, report: BookReport },
    Not(NotFromBook),
}

impl OpeningBook {
    pub(super) fn new() -> Self {
        Self {
            choice: None,
            wanted: WantedBooks::No,
            books: Vec::new(),
            reports: Vec::new(),
            is_told: true,
            random: Random::new(unpredictable()),
        }
    }

    /// Opens what the options ask for, unless it is open. Only `isready` looks whether a file has changed meanwhile.
    pub(super) fn prepare(&mut self, options: &EngineOptions, look_again: bool) {
        if !options.usi_own_book {
            return;
        }
        let choice = BookChoice::new(options);
        let same_choice = self.choice.as_ref() == Some(&choice);
        if same_choice && !look_again {
            return;
        }
        let wanted = choice.find();
        if same_choice && wanted == self.wanted {
            return;
        }
        // The old one first: two large books need not be in memory together.
        self.books.clear();
        self.reports.clear();
        self.is_told = false;
        match &wanted {
            WantedBooks::No => {}
            WantedBooks::Internal => self.open_internal(),
            WantedBooks::Files(files) => files.iter().for_each(|file| self.open(file, choice.on_the_fly)),
            WantedBooks::Missing(name) => {
                let folder = &options.book_dir;
                let reason = format!("there is no such file, neither as it is nor in {folder}");
                self.reports.push(BookReport::Failed { name: name.clone(), reason });
            }
        }
        (self.choice, self.wanted) = (Some(choice), wanted);
    }

    fn open_internal(&mut self) {
        if let Some(bytes) = internal() {
            self.add(INTERNAL_NAME.into(), Book::from_static(bytes));
        }
    }

    fn open(&mut self, file: &BookFile, on_the_fly: bool) {
        self.add(file.name(), Book::open(&file.path, on_the_fly));
    }

    fn add(&mut self, name: String, book: Result<Book, BookError>) {
        match book {
            Ok(book) => {
                let (size, faults) = (book.size(), book.faults().clone());
                self.reports.push(BookReport::Opened { name: name.clone(), size, faults });
                self.books.push(OpenBook { name, book });
            }
            Err(error) => self.reports.push(BookReport::Failed { name, reason: error.to_string() }),
        }
    }

    /// What `isready` has to say: once what was opened, and each time what was not.
    pub(super) fn reports(&mut self, options: &EngineOptions) -> Vec<BookReport> {
        if !options.usi_own_book {
            return Vec::new();
        }
        let is_told = std::mem::replace(&mut self.is_told, true);
        let is_news = |report: &&BookReport| !is_told || matches!(report, BookReport::Failed { .. });
        self.reports.iter().filter(is_news).cloned().collect()
    }

    /// The move to play, if the book has one for this search. What there is to say about it goes to `report`.
    pub(super) fn answer(&mut self, search: &OngoingSearch, mut report: impl FnMut(BookReport)) -> Option<BestMove> {
        let options = &search.options;
        if !options.usi_own_book || search.silent || self.books.is_empty() {
            return None;
        }
        if search.level().is_some() {
            // Games at a level repeat with their seed.
            self.random = Random::for_item(options.level_seed, search.position.key());
        }
        let answer = if is_analysis(search) {
            Answer::Not(NotFromBook::Analysis)
        } else if search.position.move_number() > options.book_moves {
            Answer::Not(NotFromBook::TooLate { book_moves: options.book_moves })
        } else {
            self.choose(search, &mut report)
        };
        match answer {
            Answer::Play { best, ponder, report: candidates } => {
                report(candidates);
                Some(BestMove::Move { best, ponder })
            }
            Answer::Not(why) => {
                report(BookReport::NotUsed(why));
                None
            }
        }
    }

    fn choose(&mut self, search: &OngoingSearch, report: &mut impl FnMut(BookReport)) -> Answer {
        let (options, position) = (&search.options, &search.position);
        let lookup = lookup(options);
        let moves = self.find(position, lookup, report);
        if moves.is_empty() {
            return Answer::Not(NotFromBook::Unknown);
        }
        if self.random.below(100) < options.book_ignore_rate as usize {
            return Answer::Not(NotFromBook::Ignored);
        }
        if mate::one_ply(position, &CheckInfo::new(position)).is_some() {
            return Answer::Not(NotFromBook::MateInOne);
        }
        let candidates = choice::judge(position, &moves, &choice_limits(options));
        let Some(chosen) = choice::pick(&candidates, &mut self.random).copied() else {
            return Answer::Not(NotFromBook::Rejected(candidates));
        };
        // The chosen one first: clients take the first line for the move's.
        let mut open: Vec<Candidate> =
            candidates.into_iter().filter(|candidate| candidate.rejection.is_none()).collect();
        open.sort_by_key(|candidate| candidate.entry.mv != chosen.entry.mv);
        let length = options.book_pv_moves;
        let lines: Vec<Vec<Move>> =
            open.iter().map(|candidate| self.line_of_play(position, &candidate.entry, lookup, length.max(2))).collect();
        let ponder = lines.first().and_then(|line| line.get(1)).copied();
        let valued = open.iter().zip(lines).filter(|(candidate, _)| candidate.entry.value.is_some());
        let reported = (1..).zip(valued).filter_map(|(multipv, (candidate, mut pv))| {
            pv.truncate(length);
            info_line(search, multipv, &candidate.entry, pv)
        });
        let report = BookReport::Candidates {
            shares: open.iter().map(|candidate| (candidate.entry.mv, candidate.chance)).collect(),
            // Without a value of the move that is played, that of another one would be taken for it.
            lines: if chosen.entry.value.is_some() { reported.collect() } else { Vec::new() },
        };
        Answer::Play { best: chosen.entry.mv, ponder, report }
    }

    /// The moves of the first book that has any. A book that cannot be read is closed.
    fn find(&mut self, position: &Position, lookup: Lookup, report: &mut impl FnMut(BookReport)) -> Vec<BookMove> {
        let mut found = Vec::new();
        self.books.retain(|OpenBook { name, book }| {
            if !found.is_empty() {
                return true;
            }
            match book.probe(position, lookup) {
                Ok(moves) => {
                    found = moves;
                    true
                }
                Err(error) => {
                    report(BookReport::Failed { name: name.clone(), reason: error.to_string() });
                    false
                }
            }
        });
        found
    }

    /// The line that the book expects after a move, with the move: its own answer, then the best move of each position.
    fn line_of_play(&mut self, position: &Position, entry: &BookMove, lookup: Lookup, length: usize) -> Vec<Move> {
        let mut position = position.clone();
        let (mut line, mut next) = (Vec::new(), Some((entry.mv, entry.reply)));
        while let Some((mv, reply)) = next
            && line.len() < length
        {
            line.push(mv);
            position.do_move(mv);
            if position.repetition().is_some() {
                break;
            }
            let reply = reply.filter(|&reply| position.is_legal(reply));
            let known = if line.len() < length { self.find(&position, lookup, &mut |_| {}) } else { Vec::new() };
            let mut legal = known.iter().filter(|known| position.is_legal(known.mv));
            let best = legal.clone().next().map(|known| (known.mv, known.reply));
            let expected =
                reply.map(|reply| (reply, legal.find(|known| known.mv == reply).and_then(|known| known.reply)));
            next = expected.or(best);
        }
        line
    }
}

/// Whether the search is there to look at a position rather than to play.
fn is_analysis(search: &OngoingSearch) -> bool {
    let options = &search.options;
    let is_narrowed = !search.limits.search_moves.is_empty();
    search.limits.infinite || is_narrowed || options.analyse_mode || options.consideration_mode
}

fn lookup(options: &EngineOptions) -> Lookup {
    Lookup { ignore_ply: options.ignore_book_ply, flipped: options.flipped_book }
}

fn choice_limits(options: &EngineOptions) -> ChoiceLimits {
    let mut eval_limit = [0; 2];
    eval_limit[Color::Black.index()] = options.book_eval_black_limit;
    eval_limit[Color::White.index()] = options.book_eval_white_limit;
    ChoiceLimits {
        eval_diff: options.book_eval_diff,
        eval_limit,
        depth_limit: options.book_depth_limit,
        narrow: options.narrow_book,
        by_count: options.consider_book_move_count,
    }
}

/// What a client sees of a candidate; nothing where the book does not know its value.
fn info_line(search: &OngoingSearch, multipv: usize, entry: &BookMove, pv: Vec<Move>) -> Option<Line> {
    let score = Score(entry.value?.clamp(-Score::MATE.0, Score::MATE.0));
    let depth = entry.depth.map_or(1, |depth| Depth::try_from(depth).unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH);
    Some(Line { depth, seldepth: depth as usize, multipv, ..search.line_without_search(score, pv) })
}

/// The book in the program: made by its own searches, see the folder `book`.
fn internal() -> Option<&'static [u8]> {
    #[cfg(embedded_book)]
    {
        use crate::platform::packed::PackedFile;
        static FILE: PackedFile = PackedFile::new(include_bytes!(concat!(env!("OUT_DIR"), "/hagane.ybb.deflate")), 1);
        Some(FILE.bytes())
    }
    #[cfg(not(embedded_book))]
    None
}
