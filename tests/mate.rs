//! The mate solver against a slow, obvious referee, and its proofs walked by an independent checker.

mod common;

mod positions {
    use hagane::platform::random::Random;
    use hagane::position::Position;
    use hagane::types::PieceType;

    /// A random mate problem: a lone white king near an edge, a few pieces of both sides around it, some in Black's
    /// hand, and the rest in White's; with or without a black king.
    pub fn problem(random: &mut Random) -> Option<Position> {
        let mut board = [const { [const { None::<String> }; 9] }; 9];
        let (rank, file) = (random.below(4), random.below(9));
        board[rank][file] = Some("k".into());
        let mut left: Vec<(PieceType, u32)> =
            PieceType::HAND.into_iter().map(|kind| (kind, u32::from(kind.count_in_set()))).collect();
        if random.below(3) == 0 {
            board[8 - random.below(3)][random.below(9)] = Some("K".into());
        }
        for white in [false, true] {
            for _ in 0..2 + random.below(4) {
                let (r, f) = (
                    (rank + random.below(5)).saturating_sub(2).min(8),
                    (file + random.below(5)).saturating_sub(2).min(8),
                );
                let place = random.below(7);
                let (kind, count) = left[place];
                if board[r][f].is_some() || count == 0 {
                    continue;
                }
                left[place].1 -= 1;
                let letter = if white { kind.letter().to_ascii_lowercase() } else { kind.letter() };
                let promoted = kind.promoted().is_some() && random.below(4) == 0;
                board[r][f] = Some(if promoted { format!("+{letter}") } else { letter.to_string() });
            }
        }
        let mut hands = String::new();
        for (kind, count) in left {
            let mine = if random.below(2) == 0 { (random.below(3) as u32).min(count) } else { 0 };
            let theirs = if random.below(4) == 0 { 0 } else { count - mine };
            for (count, letter) in [(mine, kind.letter()), (theirs, kind.letter().to_ascii_lowercase())] {
                match count {
                    0 => {}
                    1 => hands.push(letter),
                    _ => hands.push_str(&format!("{count}{letter}")),
                }
            }
        }
        let rows: Vec<String> = board
            .iter()
            .map(|row| {
                let mut text = String::new();
                let mut empty = 0;
                for cell in row.iter().map(Some).chain([None]) {
                    match cell {
                        Some(None) => empty += 1,
                        other => {
                            if empty > 0 {
                                text.push_str(&empty.to_string());
                            }
                            empty = 0;
                            if let Some(Some(piece)) = other {
                                text.push_str(piece);
                            }
                        }
                    }
                }
                text
            })
            .collect();
        let hands = if hands.is_empty() { "-".into() } else { hands };
        Position::from_sfen(&format!("{} b {hands} 1", rows.join("/"))).ok()
    }

    /// A position of a random game.
    pub fn game(random: &mut Random) -> Position {
        loop {
            let mut position = Position::startpos();
            let plies = 60 + random.below(120);
            position.play_out(plies, random, |_| {});
            if position.has_legal_move() {
                return position;
            }
        }
    }
}

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use common::client::Client;
use hagane::mate::{self, MateLength, MateSettings, MateVerdict, Solver};
use hagane::platform::random::Random;
use hagane::position::{Board, CheckInfo, Position};
use hagane::types::{Color, Move, Piece, PieceType, Square};
use positions::{game, problem};

/// Is there a mate by checks within some plies? Nothing but the definition, and a memory of what was asked.
struct Referee(HashMap<(String, u32), bool>);

impl Referee {
    fn attacks(&mut self, position: &mut Position, plies: u32) -> bool {
        if plies == 0 {
            return false;
        }
        let key = (Self::name(position), plies);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let mut mates = false;
        for &mv in position.legal_moves().iter() {
            position.do_move(mv);
            let mate = position.in_check() && self.defends(position, plies - 1);
            position.undo_move();
            if mate {
                mates = true;
                break;
            }
        }
        self.0.insert(key, mates);
        mates
    }

    /// Whether every answer to a check still loses.
    fn defends(&mut self, position: &mut Position, plies: u32) -> bool {
        let moves = position.legal_moves();
        if plies == 0 && !moves.is_empty() {
            return false;
        }
        moves.iter().all(|&mv| {
            position.do_move(mv);
            let mate = self.attacks(position, plies - 1);
            position.undo_move();
            mate
        })
    }

    fn name(position: &Position) -> String {
        let sfen = position.to_sfen();
        sfen.rsplit_once(' ').map_or(sfen.clone(), |(name, _)| name.to_owned())
    }

    /// The length of the shortest mate up to some plies.
    fn shortest(position: &Position, limit: u32) -> Option<u32> {
        let mut referee = Self(HashMap::new());
        let mut position = position.clone();
        (1..=limit).step_by(2).find(|&plies| referee.attacks(&mut position, plies))
    }
}

/// Positions of a proof to walk at most.
const WALK: usize = 1_000_000;

/// Walks a proof: at the attacker's nodes the move that the table knows, at the defender's every legal move. Returns
/// the number of positions walked.
fn walk(solver: &Solver, position: &mut Position, plies: u16, seen: &mut HashSet<(String, u16)>) -> usize {
    if seen.len() >= WALK || !seen.insert((Referee::name(position), plies)) {
        return 0;
    }
    let (mv, left) = solver.reply(position, plies).unwrap_or_else(|| panic!("no proof of {}", position.to_sfen()));
    assert!(left < plies, "{left} plies are left of {plies}");
    assert!(position.is_legal(mv), "{mv} in {}", position.to_sfen());
    position.do_move(mv);
    assert!(position.in_check(), "{mv} is no check in {}", position.to_sfen());
    let mut walked = 1;
    let answers = position.legal_moves();
    assert!(answers.is_empty() || left >= 2);
    for &answer in answers.iter() {
        position.do_move(answer);
        walked += walk(solver, position, left - 1, seen);
        position.undo_move();
    }
    position.undo_move();
    walked
}

/// Replays a line: legal, checks only, mate at the end.
fn replay(position: &Position, line: &[hagane::types::Move]) {
    let mut position = position.clone();
    let attacker = position.side_to_move();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_sfen());
        let attacks = position.side_to_move() == attacker;
        position.do_move(mv);
        assert!(!attacks || position.in_check());
    }
    assert!(position.in_check() && position.legal_moves().is_empty(), "no mate: {}", position.to_sfen());
}

fn solve(solver: &mut Solver, position: &Position, length: MateLength, nodes: u64) -> MateVerdict {
    let settings = MateSettings { nodes: Some(nodes), length, count_interpositions: true, ..MateSettings::default() };
    solver.solve(position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict
}

/// Compares one position; returns the length of its mate and how much of the proof was walked.
fn compare(position: &Position, limit: u32, nodes: u64) -> (Option<usize>, usize) {
    let expected = Referee::shortest(position, limit);
    assert_eq!(
        mate::one_ply(position, &CheckInfo::new(position)).is_some(),
        expected == Some(1),
        "{}",
        position.to_sfen()
    );
    let mut solver = Solver::new(16);
    match solve(&mut solver, position, MateLength::Exact, nodes) {
        MateVerdict::Mate(found) => {
            let length = found.line.len();
            replay(position, &found.line);
            match expected {
                Some(expected) if found.shortest => {
                    assert_eq!(length, expected as usize, "{}", position.to_sfen())
                }
                Some(expected) => assert!(length >= expected as usize, "{}", position.to_sfen()),
                None => assert!(length > limit as usize, "{}: {:?}", position.to_sfen(), found.line),
            }
            // The line of a mate that is not proven to be the shortest may be shorter than what the table has proven.
            let plies = if found.shortest { length as u16 } else { u16::MAX };
            let walked = walk(&solver, &mut position.clone(), plies, &mut HashSet::new());
            (Some(length), walked)
        }
        MateVerdict::NoMate => {
            assert_eq!(expected, None, "{}", position.to_sfen());
            (None, 0)
        }
        MateVerdict::Unknown => (None, 0),
    }
}

fn compare_many(count: usize, limit: u32, nodes: u64, seed: u64) {
    let mut random = Random::new(seed);
    let (mut mates, mut long, mut walked) = (0, 0, 0);
    for number in 0..count {
        let position = if number % 4 == 0 {
            game(&mut random)
        } else {
            loop {
                if let Some(position) = problem(&mut random) {
                    break position;
                }
            }
        };
        let (length, nodes) = compare(&position, limit, nodes);
        mates += usize::from(length.is_some());
        long += usize::from(length.is_some_and(|length| length > 3));
        walked += nodes;
    }
    println!("{count} positions, {mates} mates, {long} longer than 3 plies, {walked} positions of proofs walked");
    assert!(mates * 20 > count && long * 100 > count, "{mates} mates, {long} long");
}

#[test]
fn agrees_with_the_referee_and_every_proof_stands() {
    compare_many(60, 3, 30_000, 1);
}

#[test]
#[ignore = "takes minutes"]
fn agrees_with_the_referee_on_two_thousand_positions_up_to_seven_plies() {
    compare_many(2000, 7, 400_000, 2);
}

/// Lengths as composed problems count them, straight from the definition in docs/futile-interpositions.md.
struct CountedReferee {
    attacks: HashMap<(String, u32), Option<u32>>,
    defences: HashMap<(String, u32), Option<u32>>,
}

impl CountedReferee {
    /// The counted length of the attacker's shortest mate, up to `limit` plies.
    fn attack(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
        let key = (Referee::name(position), limit);
        if let Some(&known) = self.attacks.get(&key) {
            return known;
        }
        let checks: Vec<Move> = position.legal_moves().iter().copied().filter(|&mv| position.gives_check(mv)).collect();
        let length = (1..=limit).step_by(2).find(|&plies| {
            checks.iter().any(|&mv| {
                position.do_move(mv);
                let mated = self.defence(position, plies - 1).is_some();
                position.undo_move();
                mated
            })
        });
        self.attacks.insert(key, length);
        length
    }

    /// How long the longest defence that counts lasts, up to `limit` plies.
    fn defence(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
        let key = (Referee::name(position), limit);
        if let Some(&known) = self.defences.get(&key) {
            return known;
        }
        let length = self.longest(position, limit);
        self.defences.insert(key, length);
        length
    }

    fn longest(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
        let mut longest = 0;
        let mut drops = Vec::new();
        for &mv in position.legal_moves().iter() {
            position.do_move(mv);
            let length = if limit == 0 { None } else { self.attack(position, limit - 1).map(|length| length + 1) };
            position.undo_move();
            match length {
                _ if mv.is_drop() => drops.push((length.unwrap_or(u32::MAX), mv)),
                Some(length) => longest = longest.max(length),
                None => return None,
            }
        }
        drops.sort_by_key(|&(length, _)| length);
        for (length, mv) in drops {
            if length > longest && !self.is_futile(position, mv, longest) {
                longest = length;
            }
        }
        (longest <= limit).then_some(longest)
    }

    /// Whether the checker can capture the drop with check so that, the piece given back, the mate takes no more than
    /// `longest` plies.
    fn is_futile(&mut self, position: &mut Position, drop: Move, longest: u32) -> bool {
        let checkers = position.checkers();
        let (Some(checker), false) = (checkers.first(), checkers.many()) else {
            return false;
        };
        let before = Board::from(&*position);
        [true, false].into_iter().any(|promotes| {
            let capture = Move::board(checker, drop.to(), promotes);
            position.do_move(drop);
            let mut futile = false;
            if position.is_legal(capture) && position.gives_check(capture) {
                position.do_move(capture);
                let mut board = before.clone();
                Square::all().for_each(|square| board.set(square, position.piece_on(square)));
                position.undo_move();
                let mut nearer = Position::from_board(&board, 1).unwrap();
                futile = self.defence(&mut nearer, longest).is_some();
            }
            position.undo_move();
            futile
        })
    }
}

fn counted_length(position: &Position, limit: u32) -> Option<u32> {
    let mut referee = CountedReferee { attacks: HashMap::new(), defences: HashMap::new() };
    referee.attack(&mut position.clone(), limit)
}

/// The length that the solver says for a problem, futile interpositions not counted.
fn solved_length(position: &Position, nodes: Option<u64>) -> Option<(usize, bool)> {
    let settings = MateSettings { nodes, length: MateLength::Exact, ..MateSettings::default() };
    match Solver::new(64).solve(position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict {
        MateVerdict::Mate(mate) => Some((mate.line.len(), mate.shortest)),
        _ => None,
    }
}

/// A random problem with a slider of the attacker far from the king: in line with it, beside the line, or behind a piece
/// of the attacker that can discover it.
fn distant(random: &mut Random) -> Position {
    loop {
        if let Some(position) = try_distant(random) {
            return position;
        }
    }
}

fn try_distant(random: &mut Random) -> Option<Position> {
    use PieceType::{Bishop, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
    let mut board = Board::EMPTY;
    let mut left: HashMap<PieceType, u32> =
        PieceType::HAND.into_iter().map(|kind| (kind, u32::from(kind.count_in_set()))).collect();
    let place = |board: &mut Board, left: &mut HashMap<_, u32>, color, kind: PieceType, at| {
        let count = left.get_mut(&kind.unpromoted()).filter(|count| **count > 0);
        if let (Some(count), Some(at)) = (count, at)
            && board.piece_on(at).is_none()
        {
            *count -= 1;
            board.set(at, Some(Piece::new(color, kind)));
        }
    };
    let square = |file: i32, rank: i32| {
        let inside = (0..9).contains(&file) && (0..9).contains(&rank);
        inside.then(|| Square::new(file as u8, rank as u8))
    };
    let (file, rank) = (random.below(9) as i32, random.below(2) as i32);
    board.set(square(file, rank)?, Some(Piece::new(Color::White, PieceType::King)));
    let (dx, dy) = [(0, 1), (1, 0), (-1, 0), (1, 1), (-1, 1)][random.below(5)];
    let distance = 3 + random.below(6) as i32;
    let kind = match (dx, dy) {
        (0, 1) if random.below(2) == 0 => Lance,
        (0, _) | (_, 0) => Rook,
        _ => Bishop,
    };
    let aside = if random.below(2) == 0 { random.below(3) as i32 - 1 } else { 0 };
    let slider = square(file + dx * distance + dy * aside, rank + dy * distance + dx * aside)?;
    place(&mut board, &mut left, Color::Black, kind, Some(slider));
    if aside == 0 {
        let step = 1 + random.below(distance as usize - 1) as i32;
        let kind = [Knight, Silver, Gold, Horse][random.below(4)];
        place(&mut board, &mut left, Color::Black, kind, square(file + dx * step, rank + dy * step));
    }
    for (color, count) in [(Color::Black, 1 + random.below(3)), (Color::White, random.below(4))] {
        for _ in 0..count {
            let near = |random: &mut Random| random.below(5) as i32 - 2;
            let at = square(file + near(random), rank + near(random));
            let kinds = [Gold, Silver, Knight, ProPawn, Horse, Lance, Pawn];
            place(&mut board, &mut left, color, kinds[random.below(kinds.len())], at);
        }
    }
    for kind in [Gold, Silver, Knight, Pawn, Rook, Bishop, Lance] {
        if random.below(4) == 0 && left[&kind] > 0 {
            board.set_hand(Color::Black, kind, 1);
            *left.get_mut(&kind)? -= 1;
        }
        if random.below(8) > 0 {
            board.set_hand(Color::White, kind, left[&kind] as u8);
        }
    }
    Position::from_board(&board, 1).ok()
}

/// Compares counted lengths up to some plies with the referee's on random problems with distant sliders.
fn compare_counted(count: usize, limit: u32, seed: u64) {
    let mut random = Random::new(seed);
    let (mut mates, mut differ, mut undecided) = (0, 0, 0);
    for _ in 0..count {
        let position = distant(&mut random);
        let expected = counted_length(&position, limit);
        let found = solved_length(&position, Some(300_000));
        match (expected, found) {
            (Some(expected), Some((length, true))) => {
                assert_eq!(length, expected as usize, "{}", position.to_sfen());
                mates += 1;
                differ += usize::from(Referee::shortest(&position, limit) != Some(expected));
            }
            (None, Some((length, true))) => assert!(length > limit as usize, "{}", position.to_sfen()),
            (Some(_), None) => undecided += 1,
            (Some(expected), Some((length, false))) => {
                assert!(length >= expected as usize, "{}", position.to_sfen());
                undecided += 1;
            }
            _ => {}
        }
    }
    println!("{count} positions, {mates} mates, {differ} longer with futile interpositions, {undecided} undecided");
    assert!(mates * 10 > count && differ * 100 > count && undecided * 50 < count);
}

#[test]
fn lengths_without_futile_interpositions_are_the_referees() {
    compare_counted(100, 3, 11);
}

#[test]
#[ignore = "takes minutes"]
fn lengths_without_futile_interpositions_are_the_referees_on_4000_positions() {
    compare_counted(4000, 3, 12);
    compare_counted(250, 5, 13);
}

#[test]
fn drops_of_public_reports_are_judged_as_the_reporters_say() {
    // KomoringHeights, issue 8; shtsume, issues 14 to 16; tsumeshogi-solver, issue 20.
    for (sfen, plies) in [
        ("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", 11),
        ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1),
        ("3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 1),
        ("3+R3sk/8p/7P1/9/9/9/9/9/8B b rb4g3s4n4l16p 1", 1),
        ("3+R3nk/9/5p1G1/9/9/9/8p/9/8L b 16p3l3n4s3g2br 1", 1),
        ("9/9/2+R6/9/4+p2n1/7G1/6pS1/5S3/7k1 b Lr2b3g2s3n3l16p 1", 5),
        ("9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1", 3),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solved_length(&position, None), Some((plies, true)), "{sfen}");
    }
    // Drops that draw the checker away count.
    for sfen in ["4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1", "4k4/9/3+B5/1N1B5/9/9/9/9/9 b L2r4g4s3n3l18p 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        let length = solved_length(&position, Some(100_000));
        assert!(length.is_none_or(|(plies, _)| plies > 1), "{sfen}: {length:?}");
    }
}

#[test]
fn a_checker_further_off_mates_no_later() {
    // The drop beside the king counts; those further off only put the mate off.
    for (sfen, plies) in [
        ("8k/6+N2/9/9/9/9/8N/9/8L b S2r2b4g3s2n3l18p 1", 3),
        ("8k/6+N2/9/9/9/9/8N/8L/9 b S2r2b4g3s2n3l18p 1", 3),
        ("8k/R7+b/g5N2/1R7/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/R7+b/g5N2/3R5/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/R7+b/g5N2/5R3/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/6+N2/9/9/9/8L/9/9/9 w S2r2b4g3s3n3l18p 1", 2),
        ("8k/6+N2/9/9/9/9/9/9/8L w S2r2b4g3s3n3l18p 1", 2),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solved_length(&position, None), Some((plies, true)), "{sfen}");
    }
}

/// The problems of a file beside the checkout, and how many of its lines are no legal position; `None` where there is
/// no such file.
fn problem_set(name: &str) -> Option<(Vec<Position>, usize)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/tsume").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    let mut illegal = 0;
    let positions = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| {
            let sfen = line.split(['\t']).next()?.split(" moves").next()?;
            let position = Position::from_sfen(sfen.trim_start_matches("sfen ").trim()).ok();
            illegal += usize::from(position.is_none());
            position
        })
        .collect();
    Some((positions, illegal))
}

#[test]
#[ignore = "takes minutes"]
fn the_problem_sets_have_the_lengths_that_they_state() {
    for stated in [1, 3, 5, 7, 9, 11] {
        for kind in ["game", "composed"] {
            let name = format!("{kind}_mate{stated}.sfen");
            let Some((positions, illegal)) = problem_set(&name) else {
                continue;
            };
            let mut shorter = 0;
            for position in &positions {
                let verdict = solve(&mut Solver::new(256), position, MateLength::Exact, 10_000_000);
                let MateVerdict::Mate(found) = verdict else {
                    panic!("{name}: {verdict:?} of {}", position.to_sfen());
                };
                replay(position, &found.line);
                assert!(found.shortest, "{name}: {}", position.to_sfen());
                if found.line.len() != stated {
                    // Who is wrong? The referee decides.
                    let expected = Referee::shortest(position, stated as u32);
                    assert_eq!(expected, Some(found.line.len() as u32));
                    println!("{name}: mate in {} {}", found.line.len(), position.to_sfen());
                    shorter += 1;
                }
            }
            println!(
                "{name}: {} problems, {shorter} shorter than stated, {illegal} illegal positions left out",
                positions.len()
            );
        }
    }
    if let Some((positions, _)) = problem_set("no_mate1.sfen") {
        for position in &positions {
            assert_eq!(mate::one_ply(position, &CheckInfo::new(position)), None, "{}", position.to_sfen());
        }
        println!("no_mate1.sfen: {} positions", positions.len());
    }
}

#[test]
#[ignore = "takes minutes"]
fn counted_lengths_of_the_problem_sets_are_the_referees() {
    for (stated, count) in [(1, 200), (3, 200), (5, 40)] {
        for kind in ["game", "composed"] {
            let name = format!("{kind}_mate{stated}.sfen");
            let Some((positions, _)) = problem_set(&name) else {
                continue;
            };
            let mut shorter = 0;
            for position in positions.iter().take(count) {
                let expected = counted_length(position, stated as u32).map(|plies| (plies as usize, true));
                assert_eq!(solved_length(position, None), expected, "{name}: {}", position.to_sfen());
                shorter += usize::from(expected.is_some_and(|(plies, _)| plies < stated));
            }
            println!("{name}: {shorter} of {} shorter without futile interpositions", positions.len().min(count));
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_proofs_of_the_classics_stand() {
    // The walk goes as deep as the mate.
    let walks = || {
        let (mut whole, mut parts, mut total) = (0, 0, 0);
        let (positions, _) = problem_set("classics_muso_zuko_odd.tsv").unwrap_or_default();
        for position in &positions {
            let mut solver = Solver::new(256);
            let verdict = solve(&mut solver, position, MateLength::First, 500_000);
            let MateVerdict::Mate(found) = verdict else {
                continue;
            };
            replay(position, &found.line);
            let mut seen = HashSet::new();
            total += walk(&solver, &mut position.clone(), 5000, &mut seen);
            if seen.len() < WALK {
                whole += 1;
            } else {
                parts += 1;
            }
        }
        println!("{whole} proofs walked whole, {parts} in part, {total} attacker's positions");
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 30);
        thread.spawn_scoped(scope, walks).unwrap().join().unwrap();
    });
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn the_size_of_the_table_changes_no_verdict() {
    let (mut mates, mut unknown) = (0, 0);
    for name in ["classics_muso_zuko_odd.tsv", "game_mate9.sfen", "game_mate11.sfen"] {
        let Some((positions, _)) = problem_set(name) else {
            continue;
        };
        for position in positions.iter().take(100) {
            let verdicts = [16, 256, 4096].map(|megabytes| {
                match solve(&mut Solver::new(megabytes), position, MateLength::First, 1_000_000) {
                    MateVerdict::Mate(found) => {
                        replay(position, &found.line);
                        mates += 1;
                        Some(true)
                    }
                    MateVerdict::NoMate => Some(false),
                    MateVerdict::Unknown => {
                        unknown += 1;
                        None
                    }
                }
            });
            let known: HashSet<bool> = verdicts.into_iter().flatten().collect();
            assert!(known.len() < 2, "{verdicts:?} of {}", position.to_sfen());
        }
    }
    println!("{mates} mates, {unknown} unknown, over three sizes");
}

#[test]
fn no_mate_is_proven_where_there_is_none() {
    for sfen in [
        "lns3kn1/1r7/4pgs+R1/2pp1p3/pp2P4/2P1SP3/PPSP5/2GBG4/LN1K3N+l b BG3Pl3p 49",
        "9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1",
        "4k4/9/9/9/9/9/9/9/R8 b - 1",
        "4k4/9/9/4P4/9/9/9/9/9 b - 1",
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solve(&mut Solver::new(64), &position, MateLength::First, 3_000_000), MateVerdict::NoMate, "{sfen}");
    }
}

#[test]
fn who_attacks_follows_from_the_kings_and_the_check() {
    let verdict = |sfen: &str| {
        let position = Position::from_sfen(sfen).unwrap();
        solve(&mut Solver::new(16), &position, MateLength::Exact, 100_000)
    };
    // White, in check by a side without a king, defends: one move later it is mated.
    match verdict("7k1/9/7GP/9/9/9/9/9/9 b G 1") {
        MateVerdict::Mate(mate) => assert_eq!(mate.line.len(), 1),
        other => panic!("{other:?}"),
    }
    match verdict("7k1/7G1/7P1/9/9/9/9/9/9 w - 1") {
        MateVerdict::Mate(mate) => assert!(mate.line.is_empty() && mate.shortest),
        other => panic!("{other:?}"),
    }
    match verdict("8k/9/7GP/9/9/8L/9/9/9 w G 1") {
        MateVerdict::NoMate => {}
        other => panic!("nobody is in check and Black has no king: {other:?}"),
    }
    // The attacker is in check itself and must answer by a check.
    let position = Position::from_sfen("3r1k3/9/3K1G3/9/9/9/9/9/9 b G 1").unwrap();
    assert!(position.in_check());
    compare(&position, 5, 10_000);
}

#[test]
fn several_threads_find_the_same() {
    let mut random = Random::new(5);
    let mut mates = 0;
    while mates < 3 {
        let Some(position) = problem(&mut random) else {
            continue;
        };
        let one = solve(&mut Solver::new(16), &position, MateLength::Exact, 20_000);
        let settings = MateSettings {
            nodes: Some(40_000),
            length: MateLength::Exact,
            threads: 3,
            count_interpositions: true,
            ..MateSettings::default()
        };
        let three = Solver::new(16).solve(&position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict;
        match (one, three) {
            (MateVerdict::Mate(one), MateVerdict::Mate(three)) => {
                replay(&position, &three.line);
                if one.shortest && three.shortest {
                    assert_eq!(one.line.len(), three.line.len(), "{}", position.to_sfen());
                }
                mates += 1;
            }
            (MateVerdict::Mate(_), MateVerdict::NoMate) | (MateVerdict::NoMate, MateVerdict::Mate(_)) => {
                panic!("threads disagree on {}", position.to_sfen())
            }
            _ => {}
        }
    }
}

#[test]
fn a_stop_ends_the_search_within_milliseconds() {
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};
    // A problem of more than a thousand plies, far beyond the time given.
    let position = Position::from_sfen(
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
    )
    .unwrap();
    let stop = AtomicBool::new(false);
    let mut reports = 0;
    let (verdict, late) = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let solution = Solver::new(64).solve(&position, &MateSettings::default(), &stop, &mut |_| reports += 1);
            (solution.verdict, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(600));
        let asked = Instant::now();
        stop.store(true, Ordering::Relaxed);
        let (verdict, ended) = search.join().unwrap();
        (verdict, ended.saturating_duration_since(asked))
    });
    assert_eq!(verdict, MateVerdict::Unknown);
    assert!(late < Duration::from_millis(200), "{late:?}");
    assert!(reports >= 1);
}

// ---- the program

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The dialogue with `go mate`: what the program answers to some lines, up to and including the `checkmate`.
fn dialogue(lines: &[&str], stop_after: Option<std::time::Duration>) -> Vec<String> {
    let mut client = Client::start();
    client.is_ready();
    for line in lines {
        client.say(line);
    }
    if let Some(pause) = stop_after {
        std::thread::sleep(pause);
        client.say("stop");
    }
    let said = client.hear("checkmate");
    let (status, _, rest) = client.end(|client| client.say("quit"));
    assert!(!rest.iter().any(|line| line.contains("checkmate") || line.contains("bestmove")), "{rest:?}");
    assert!(status.success());
    said
}

#[test]
fn go_mate_answers_once_and_never_with_bestmove() {
    let said = dialogue(
        &[
            "setoption name MateLength value Exact",
            "setoption name USI_Hash value 16",
            "position sfen 9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1",
            "go mate 30000",
        ],
        None,
    );
    assert_eq!(said.last().unwrap(), "checkmate 1d2c 1b1a 2c2b");
    assert!(said.iter().any(|line| line.contains("score mate 3 ")), "{said:?}");
    let said = dialogue(&["position startpos", "go mate infinite"], None);
    assert_eq!(said.last().unwrap(), "checkmate nomate");
    let long =
        "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
    let said = dialogue(&["setoption name USI_Hash value 16", long, "go mate nodes 1000"], None);
    assert_eq!(said.last().unwrap(), "checkmate timeout");
    let pause = std::time::Duration::from_millis(700);
    let said = dialogue(&["setoption name USI_Hash value 16", long, "go mate"], Some(pause));
    assert_eq!(said.last().unwrap(), "checkmate timeout");
    assert!(said.iter().any(|line| line.starts_with("info depth ") && line.contains(" nodes ")), "{said:?}");
}

#[test]
fn a_batch_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let results = folder.path().join("results");
    let mut random = Random::new(9);
    let mut text = String::new();
    let mut count = 0;
    while count < 60 {
        if let Some(position) = problem(&mut random) {
            text += &format!("{}\tproblem {count}\n", position.to_sfen());
            count += 1;
        }
    }
    text += "this is no position\n";
    std::fs::write(&problems, &text).unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command
            .args(["mate", "--json", "--nodes", "20000", "--hash", "16", "--jobs", "2"])
            .arg("--resume")
            .arg(&results)
            .arg(&problems)
            .stdout(Stdio::piped());
        command
    };
    let mut child = run().spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..7 {
        output.read_line(&mut String::new()).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = std::fs::read_to_string(&results).unwrap();
    let kept = kept.matches('\n').count();
    assert!((7..61).contains(&kept), "{kept}");
    let output = run().stderr(Stdio::piped()).output().unwrap();
    // All is solved that can be; the line that is no problem is told at the end.
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("1 of 61 problems cannot be read"), "{told}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 61);
    let journal = std::fs::read_to_string(&results).unwrap();
    let ids: HashSet<&str> =
        journal.lines().map(|line| line.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap()).collect();
    assert_eq!((journal.lines().count(), ids.len()), (61, 61));
    assert!(journal.contains("\"verdict\":\"error\""));
}

#[test]
fn a_batch_as_comma_separated_values() {
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let lines = ["7k1/9/7GP/9/9/9/9/9/9 b 2G 1\tone, \"two\"", "7k1/9/9/9/9/9/9/9/9 b G 1\tnone", "no position"];
    std::fs::write(&problems, lines.join("\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hagane"))
        .args(["mate", "--csv", "--hash", "16", "--jobs", "1"])
        .arg(&problems)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    assert_eq!(
        reader.headers().unwrap(),
        vec!["id", "verdict", "length", "shortest", "nodes", "ms", "solution", "check"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let field = |row: usize, column: usize| &rows[row][column];
    assert_eq!((field(0, 0), field(0, 1), field(0, 2)), ("one, \"two\"", "mate", "1"));
    assert_eq!((field(1, 0), field(1, 1), field(1, 2)), ("none", "nomate", ""));
    assert_eq!((rows.len(), field(2, 1)), (3, "error"));
}

#[test]
fn a_check_names_what_is_wrong_with_a_problem() {
    let check = |sfen: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_hagane"))
            .args(["mate", "--check", "--hash", "16", sfen])
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    // Either gold mates, and one is left over.
    let text = check("7k1/9/7GP/9/9/9/9/9/9 b 2G 1");
    assert!(text.contains("unsound") && text.contains("left over G"), "{text}");
    let text = check("9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1");
    assert!(text.contains("\tmate\t3!\t"), "{text}");
    // Captures of futile drops leave nothing over, and are no cooks.
    let text = check("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1");
    assert!(text.contains("\tmate\t1!\t") && text.contains("\tsound"), "{text}");
}

fn mate_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.arg("mate").args(["--hash", "16"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What `hagane mate` prints.
fn printed(arguments: &[&str]) -> String {
    let output = mate_command(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A problem of more than a thousand plies.
const ENDLESS: &str = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

#[test]
#[cfg(unix)]
fn a_long_search_shows_life_and_ctrl_c_sums_it_up() {
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let results = folder.path().join("results");
    std::fs::write(&problems, format!("7k1/9/7GP/9/9/9/9/9/9 b G 1\teasy\n{ENDLESS}\tendless\n")).unwrap();
    let started = Instant::now();
    let mut child = mate_command(&["--jobs", "2", "--resume", results.to_str().unwrap(), problems.to_str().unwrap()])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let life = lines.next().unwrap();
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(life.contains("1 of 2 solved; endless: ") && life.contains(" nodes, depth "), "{life}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let told: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let last = told.last().unwrap();
    assert!(last.contains("interrupted, 2 of 2 problems were tried; the same command goes on from here"), "{last}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["easy\tmate\t1", "endless\tunknown\t-\t", "problems   2\n", "unknown    1\n", "\nnodes "] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // What was interrupted is not taken for solved.
    let kept = std::fs::read_to_string(&results).unwrap();
    assert!(kept.contains("easy") && !kept.contains("endless"), "{kept}");
}

#[test]
fn results_in_japanese() {
    let text = printed(&["--language", "ja", "--length", "exact", "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1"]);
    assert!(text.contains("詰み\t3手!\t") && text.contains("\t▲２三金△１一玉▲２二金\n"), "{text}");
    assert!(text.contains("\n問題       1\n詰み       1\n最長       3手\n"), "{text}");
    let text = printed(&["--language", "ja", "--check", "7k1/9/6GP1/9/9/9/9/9/9 b G 1"]);
    assert!(text.contains("\t▲２二歩成\t不完全；駒余り；余詰 初手▲２二金 ▲２二金打\n"), "{text}");
    let text = printed(&["--language", "ja", "startpos"]);
    assert!(text.contains("1\t不詰\t-\t"), "{text}");
}

#[test]
fn a_mate_shorter_than_the_solution_given_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.sfen");
    let problem = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1 moves";
    std::fs::write(&file, format!("{problem} 1d2c 1b1a 2c2b\n{problem} 1d1c 1b1a 2d2a+ 1a1b 2a2b\n")).unwrap();
    let text = printed(&["--check", "--jobs", "1", file.to_str().unwrap()]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[0].contains("shorter") && !lines[1].contains("\tsound"), "{text}");
    let early = lines.iter().find(|line| line.contains("problems.sfen:2")).unwrap();
    assert!(early.contains("unsound; shorter than the solution given (5 plies)"), "{text}");
    let text = printed(&["--check", "--language", "ja", file.to_str().unwrap()]);
    assert!(text.contains("早詰（作意5手）"), "{text}");
}

#[test]
fn solutions_are_written_as_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.kif");
    let problem = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1";
    printed(&["--length", "exact", "-o", file.to_str().unwrap(), problem]);
    let document = hagane::record::Document::open(&file).unwrap();
    let game = &document.games[0];
    assert_eq!(game.start.to_sfen(), problem);
    let moves: Vec<String> = game.moves_to(game.main_end()).iter().map(ToString::to_string).collect();
    assert_eq!(moves.join(" "), "1d2c 1b1a 2c2b");
    assert_eq!(game.node(game.main_end()).end(), Some(&hagane::record::End::Checkmate));
    // Several go to a folder, by their names; what has no solution has no file.
    let problems = folder.path().join("problems.sfen");
    std::fs::write(&problems, format!("{problem}\tone/two\n{problem}\tone/two\n{ENDLESS}\tendless\n")).unwrap();
    let solutions = folder.path().join("solutions");
    printed(&["--nodes", "2000", "-o", solutions.to_str().unwrap(), problems.to_str().unwrap()]);
    let mut names: Vec<String> =
        std::fs::read_dir(&solutions).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["one_two.kif", "one_two_2.kif"]);
    // A file for several is refused before anything is solved.
    let output = mate_command(&["-o", file.to_str().unwrap(), problems.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("must name a folder"));
}

#[test]
fn positions_are_taken_as_by_check() {
    for words in [
        &["7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"][..],
        &["sfen", "7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"],
        &["position", "sfen", "7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"],
        &["7k1/9/7GP/9/9/9/9/9/9 b G 1"],
    ] {
        let text = printed(words);
        assert!(text.starts_with("1\tmate\t1!\t") && text.contains("\tG*2b\n"), "{words:?}: {text}");
    }
    assert!(printed(&["startpos"]).starts_with("1\tnomate\t-\t"));
    assert!(printed(&["startpos", "moves", "7g7f", "3c3d"]).starts_with("1\tnomate\t-\t"));
    // What is odd about a record is said.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.kif");
    std::fs::write(&file, "手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\nwhat is this\n").unwrap();
    let output = mate_command(&[file.to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("odd.kif\tnomate\t"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("odd.kif: "));
    let output = mate_command(&["startpos", "moves", "7g7e"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1\terror\t"));
}
