//! The output to a client: one [`Reply`], one line.
//!
//! The forms are those that every known client accepts: `info` begins with the depth, ends with the line of play, and
//! has integers and words of the definition only; an `info string` is ASCII and cannot be mistaken for anything else.

use std::fmt::{self, Write};

use super::dialect::Dialect;
use crate::engine::{BestMove, OptionSpec};
use crate::mate;
use crate::search::{Line, Progress};
use crate::types::{Bound, Move, Score, ScoreKind};

/// One line to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name Hagane 1.0`
    IdName(String),
    /// `id author the Hagane authors`
    IdAuthor(String),
    /// `option name Threads type spin default 4 min 1 max 512`
    Option(OptionSpec),
    /// `usiok` or `uciok`, exactly.
    UsiOk,
    /// `readyok`, exactly.
    ReadyOk,
    /// An empty line: the engine is alive and still getting ready.
    KeepAlive,
    /// `info depth 12 seldepth 18 score cp 35 nodes 5000 nps 1000000 hashfull 3 time 5 pv 7g7f 3c3d`
    Info {
        /// What the search found.
        line: Line,
        /// Whether several lines are asked for; one alone carries no `multipv`.
        numbered: bool,
    },
    /// `info currmove 7g7f currmovenumber 1`, `info currline 1 7g7f 3c3d` or `info refutation 8h2b+ 3a2b`
    Progress(Progress),
    /// `info depth 15 score mate 15 nodes 5000 nps 1000000 hashfull 3 time 5 pv G*5b 5a4a`
    MateProgress(mate::MateProgress),
    /// `info string no such file: eval.bin`
    Note(String),
    /// `bestmove 7g7f ponder 3c3d`, `bestmove resign` or `bestmove win`; in UCI `bestmove (none)` without a move
    BestMove(BestMove),
    /// `checkmate G*5b 4a5b ...`, `checkmate nomate`, `checkmate timeout`
    CheckMate(CheckMate),
    /// A line for a person at the keyboard, unchanged.
    Text(String),
}

/// The answer to `go mate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckMate {
    /// There is a mate: the line of play.
    Moves(Vec<Move>),
    /// There is none.
    NoMate,
    /// Not known within the limits.
    Timeout,
}

/// The longest note in characters: a message quotes what it complains of, which may be a megabyte.
const MAX_NOTE: usize = 300;
/// Words that some clients search in any line that begins with `info`.
const RESERVED: [&str; 13] = [
    "depth", "seldepth", "time", "nodes", "nps", "score", "cp", "mate", "multipv", "pv", "hashfull", "currmove",
    "string",
];

/// The line of USI.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Dialect::Usi)
    }
}

/// A line in some dialect.
struct Spelled<'a>(&'a Reply, Dialect);

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1)
    }
}

impl Reply {
    /// The line of a dialect.
    pub fn spelled(&self, dialect: Dialect) -> impl fmt::Display {
        Spelled(self, dialect)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(f, "id name {name}"),
            Self::IdAuthor(name) => write!(f, "id author {name}"),
            Self::Option(option) => write!(f, "option name {} {}", dialect.option_name(option.name), option.kind),
            Self::UsiOk if dialect == Dialect::Uci => f.write_str("uciok"),
            Self::UsiOk => f.write_str("usiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::KeepAlive => Ok(()),
            Self::Info { line, numbered } => info(f, line, *numbered, dialect),
            Self::Progress(progress) => write_progress(f, progress, dialect),
            Self::MateProgress(progress) => mate_progress(f, progress, dialect),
            Self::Note(text) => note(f, text),
            Self::BestMove(choice) => best_move(f, choice, dialect),
            Self::CheckMate(CheckMate::Moves(moves)) => {
                f.write_str("checkmate")?;
                write_moves(f, moves, dialect)
            }
            Self::CheckMate(CheckMate::NoMate) => f.write_str("checkmate nomate"),
            Self::CheckMate(CheckMate::Timeout) => f.write_str("checkmate timeout"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn info(f: &mut fmt::Formatter<'_>, line: &Line, numbered: bool, dialect: Dialect) -> fmt::Result {
    write!(f, "info depth {} seldepth {}", line.depth, line.seldepth)?;
    if numbered {
        write!(f, " multipv {}", line.multipv)?;
    }
    f.write_str(" score ")?;
    write_score(f, line.score, dialect)?;
    f.write_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    })?;
    let (nps, time) = (line.nps(), line.time.as_millis());
    write!(f, " nodes {} nps {nps} hashfull {} time {time}", line.nodes, line.hashfull)?;
    if !line.pv.is_empty() {
        f.write_str(" pv")?;
        write_moves(f, &line.pv, dialect)?;
    }
    Ok(())
}

/// A score; in UCI a mate counts the moves of one side. Fairy-Stockfish rounds the same way, so that being mated next
/// is `mate -1` and being mated now `mate 0`.
fn write_score(f: &mut fmt::Formatter<'_>, score: Score, dialect: Dialect) -> fmt::Result {
    match (dialect, score.kind()) {
        (Dialect::Uci, ScoreKind::Mate(plies)) => write!(f, "mate {}", plies.div_ceil(2).max(1)),
        (Dialect::Uci, ScoreKind::Mated(plies)) => write!(f, "mate {}", -i64::from(plies.div_ceil(2))),
        _ => write!(f, "{score}"),
    }
}

fn write_progress(f: &mut fmt::Formatter<'_>, progress: &Progress, dialect: Dialect) -> fmt::Result {
    match progress {
        Progress::Line(line) => info(f, line, false, dialect),
        Progress::CurrentMove { depth, mv, number } => {
            write!(f, "info depth {depth} currmove {} currmovenumber {number}", dialect.spell(*mv))
        }
        Progress::CurrentLine { thread, moves } => {
            write!(f, "info currline {thread}")?;
            write_moves(f, moves, dialect)
        }
        Progress::Refutation { mv, line } => {
            write!(f, "info refutation {}", dialect.spell(*mv))?;
            write_moves(f, line, dialect)
        }
    }
}

fn mate_progress(f: &mut fmt::Formatter<'_>, progress: &mate::MateProgress, dialect: Dialect) -> fmt::Result {
    let mate::MateProgress { nodes, time, hashfull, mate, line } = progress;
    write!(f, "info depth {}", line.len())?;
    if let Some(plies) = mate {
        // An even number: the side to move is the one that is mated, which only a position with one king allows.
        let plies = *plies;
        let score = if plies.is_multiple_of(2) { Score::mated_in(plies) } else { Score::mate_in(plies) };
        f.write_str(" score ")?;
        write_score(f, score, dialect)?;
    }
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} time {}", time.as_millis())?;
    if !line.is_empty() {
        f.write_str(" pv")?;
        write_moves(f, line, dialect)?;
    }
    Ok(())
}

fn best_move(f: &mut fmt::Formatter<'_>, choice: &BestMove, dialect: Dialect) -> fmt::Result {
    match choice {
        BestMove::Move { best, ponder } => {
            write!(f, "bestmove {}", dialect.spell(*best))?;
            ponder.map_or(Ok(()), |ponder| write!(f, " ponder {}", dialect.spell(ponder)))
        }
        BestMove::Resign | BestMove::DeclareWin if dialect == Dialect::Uci => f.write_str("bestmove (none)"),
        BestMove::Resign => f.write_str("bestmove resign"),
        BestMove::DeclareWin => f.write_str("bestmove win"),
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[Move], dialect: Dialect) -> fmt::Result {
    moves.iter().try_for_each(|&mv| write!(f, " {}", dialect.spell(mv)))
}

/// `info string`, made harmless: one line of printable ASCII of bounded length, without a word that parsers look for.
fn note(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("info string")?;
    let mut length = 0;
    for (number, word) in text.split_whitespace().enumerate() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        f.write_char(' ')?;
        if number == 0 && word.to_ascii_lowercase().starts_with("error") {
            f.write_str("an ")?;
        }
        let reserved = RESERVED.iter().any(|reserved| bare.eq_ignore_ascii_case(reserved));
        let quote = if reserved { "'" } else { "" };
        write!(f, "{quote}")?;
        for (at, letter) in word.char_indices().take(MAX_NOTE - length) {
            if at == bare.len() {
                write!(f, "{quote}")?;
            }
            // Letters beyond ASCII would arrive as garbage: clients read with the code page of their system.
            f.write_char(if letter.is_ascii_graphic() { letter } else { '?' })?;
            length += 1;
        }
        if bare.len() == word.len() {
            write!(f, "{quote}")?;
        }
        length += 1;
        if length >= MAX_NOTE {
            return f.write_str(" ...");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;
    use std::time::Duration;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn an_info_line_has_the_order_that_every_client_takes() {
        let line = Line {
            depth: 12,
            seldepth: 18,
            multipv: 2,
            score: Score(-35),
            bound: Bound::Lower,
            nodes: 5000,
            hashfull: 3,
            time: Duration::from_micros(5_400),
            pv: moves("7g7f 3c3d"),
        };
        let text = Reply::Info { line: line.clone(), numbered: true }.to_string();
        assert_eq!(
            text,
            "info depth 12 seldepth 18 multipv 2 score cp -35 lowerbound nodes 5000 nps 925925 hashfull 3 time 5 pv 7g7f 3c3d"
        );
        let line = Line { score: Score::mated_in(0), bound: Bound::Exact, pv: vec![], ..line };
        let text = Reply::Info { line, numbered: false }.to_string();
        assert_eq!(text, "info depth 12 seldepth 18 score mate -1 nodes 5000 nps 925925 hashfull 3 time 5");
    }

    #[test]
    fn every_end_of_a_search_has_its_form() {
        let (best, ponder) = (moves("8h2b+")[0], moves("3a2b")[0]);
        let text = |choice| Reply::BestMove(choice).to_string();
        assert_eq!(text(BestMove::Move { best, ponder: Some(ponder) }), "bestmove 8h2b+ ponder 3a2b");
        assert_eq!(text(BestMove::Move { best, ponder: None }), "bestmove 8h2b+");
        assert_eq!(text(BestMove::Resign), "bestmove resign");
        assert_eq!(text(BestMove::DeclareWin), "bestmove win");
        let text = |mate| Reply::CheckMate(mate).to_string();
        assert_eq!(text(CheckMate::Moves(moves("G*5b 4a5b"))), "checkmate G*5b 4a5b");
        assert_eq!(text(CheckMate::NoMate), "checkmate nomate");
        assert_eq!(text(CheckMate::Timeout), "checkmate timeout");
    }

    #[test]
    fn progress_of_the_draft() {
        let text = |progress| Reply::Progress(progress).to_string();
        let mv = moves("8h2b+")[0];
        assert_eq!(
            text(Progress::CurrentMove { depth: 3, mv, number: 7 }),
            "info depth 3 currmove 8h2b+ currmovenumber 7"
        );
        assert_eq!(text(Progress::CurrentLine { thread: 2, moves: moves("8h2b+ 3a2b") }), "info currline 2 8h2b+ 3a2b");
        assert_eq!(text(Progress::Refutation { mv, line: moves("3a2b") }), "info refutation 8h2b+ 3a2b");
    }

    #[test]
    fn a_note_cannot_be_taken_for_anything_else() {
        let text = |note: &str| Reply::Note(note.into()).to_string();
        assert_eq!(text("move 3: 7g7e is illegal"), "info string move 3: 7g7e is illegal");
        assert_eq!(text("error in depth, Score\nand\tpv"), "info string an error in 'depth', 'Score' and 'pv'");
        assert_eq!(text("評価.bin\u{7}"), "info string ??.bin?");
        assert_eq!(text(&"x".repeat(1 << 20)).len(), "info string ".len() + MAX_NOTE + " ...".len());
        assert_eq!(text(&"a ".repeat(1 << 20)).len(), "info string".len() + MAX_NOTE + " ...".len());
    }
}
