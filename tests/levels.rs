//! Playing levels: what no level does, what every level does, and that full strength knows nothing of them.

use std::time::Duration;

use hagane::bitboard::king_attacks;
use hagane::engine::{BestMove, InProcess};
use hagane::platform::random::Random;
use hagane::position::{Generate, MoveList, Position, exchange_value};
use hagane::search::{Limits, Progress};
use hagane::types::{Move, PieceType, Square};

/// A hundred positions of games on Floodgate.
const POSITIONS: &str = include_str!("data/positions.sfen");
/// The levels that look with eyes of their own.
const LOW: [u32; 6] = [0, 2, 4, 6, 8, 10];

struct Player(InProcess);

impl Player {
    fn new(options: &[(&str, &str)]) -> Self {
        let basic = [("Threads", "1"), ("USI_Hash", "16"), ("EvalFile", "<internal>"), ("HumanPace", "false")];
        let mut engine = InProcess::new(basic.into_iter().chain(options.iter().copied())).expect("options");
        engine.timeout = Duration::from_secs(60);
        engine.ready().expect("ready");
        Self(engine)
    }

    fn set(&mut self, name: &str, value: impl ToString) {
        self.0.engine.set_option(name, &value.to_string()).expect("an option");
    }

    /// The move, and the nodes of the last line.
    fn search(&mut self, position: &Position, limits: Limits) -> (Option<Move>, u64) {
        let mut nodes = 0;
        let choice = self.0.search(position.clone(), limits, |progress| {
            if let Progress::Line(line) = progress {
                nodes = line.nodes;
            }
        });
        match choice.expect("an answer") {
            BestMove::Move { best, ponder } => {
                assert!(position.is_legal(best), "{} {best}", position.to_sfen());
                let mut after = position.clone();
                after.do_move(best);
                assert!(ponder.is_none_or(|ponder| after.is_legal(ponder)), "{} {best} {ponder:?}", position.to_sfen());
                (Some(best), nodes)
            }
            _ => (None, nodes),
        }
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        self.search(position, Limits::default()).0
    }

    /// The first moves of a game against itself.
    fn game(&mut self, seed: u32, plies: usize) -> Vec<Move> {
        self.set("LevelSeed", seed);
        self.0.engine.new_game();
        let mut position = Position::startpos();
        for _ in 0..plies {
            let Some(mv) = self.play(&position) else { break };
            position.do_move(mv);
        }
        position.moves().collect()
    }
}

fn legal(position: &Position, kind: Generate) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(kind, &mut list);
    list.to_vec()
}

fn mates(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.do_move(mv);
    after.in_check() && legal(&after, Generate::LegalAll).is_empty()
}

/// Whether a move gives a silver or more away by plain exchanges on its square.
fn gives_away(position: &Position, mv: Move) -> bool {
    !position.see_ge(mv, 1 - exchange_value(PieceType::Silver)) && !mates(position, mv)
}

fn takes_back(position: &Position, mv: Move) -> bool {
    let square = position.last_captured().and(position.last_move()).map(Move::to);
    square == Some(mv.to()) && !mv.is_drop() && position.see_ge(mv, 1)
}

/// Positions of games, some moves on, so that there is something to capture and to mate.
fn sample(count: usize) -> Vec<Position> {
    let starts: Vec<Position> = POSITIONS.lines().map(|sfen| Position::from_sfen(sfen).expect("a position")).collect();
    let mut random = Random::new(51);
    let mut found = Vec::new();
    for start in starts.iter().cycle().take(count) {
        let mut position = start.clone();
        for _ in 0..random.below(5) {
            let captures = legal(&position, Generate::Captures);
            let any = position.random_move(&mut random);
            let mv = if captures.is_empty() || random.chance(0.5) {
                any
            } else {
                Some(captures[random.below(captures.len())])
            };
            let Some(mv) = mv else { break };
            position.do_move(mv);
        }
        if position.repetition().is_none() && !legal(&position, Generate::Legal).is_empty() {
            found.push(position);
        }
    }
    found
}

/// Whether the side to move mates by checks within some plies, whatever is answered.
fn mates_within(position: &Position, plies: usize) -> bool {
    legal(position, Generate::Checks).into_iter().any(|mv| {
        let mut after = position.clone();
        after.do_move(mv);
        is_mated_within(&after, plies - 1)
    })
}

/// Whether the side to move is mated by checks within some plies, whatever it answers.
fn is_mated_within(position: &Position, plies: usize) -> bool {
    legal(position, Generate::LegalAll).into_iter().all(|answer| {
        let mut next = position.clone();
        next.do_move(answer);
        plies > 0 && mates_within(&next, plies - 1)
    })
}

/// Positions with a mate in one, or only in three plies, met in games of random moves and captures.
fn mating_positions(plies: usize, count: usize) -> Vec<Position> {
    let mut random = Random::new(53);
    let mut found = Vec::new();
    for line in POSITIONS.lines().cycle() {
        let mut position = Position::from_sfen(line).expect("a position");
        for _ in 0..60 {
            let captures = legal(&position, Generate::Captures);
            let any = position.random_move(&mut random);
            let mv = if captures.is_empty() || random.chance(0.7) { any } else { captures.first().copied() };
            let Some(mv) = mv else { break };
            position.do_move(mv);
            let exact = mates_within(&position, plies) && (plies == 1 || !mates_within(&position, plies - 2));
            if exact && position.repetition().is_none() {
                found.push(position);
                break;
            }
        }
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn every_level_plays_a_mate_in_one() {
    let positions = mating_positions(1, 100);
    for level in 0..=12 {
        let mut player = Player::new(&[("LevelSeed", "7"), ("Level", &level.to_string())]);
        for position in &positions {
            let mv = player.play(position).expect("a move");
            assert!(mates(position, mv), "level {level} plays {mv} in {}", position.to_sfen());
        }
    }
}

#[test]
fn a_level_plays_the_mates_of_its_length() {
    let positions = mating_positions(3, 60);
    let begun = |level: u32| {
        let mut player = Player::new(&[("LevelSeed", "7"), ("Level", &level.to_string())]);
        let begins = |position: &&Position| {
            let mut after = (*position).clone();
            after.do_move(player.play(position).expect("a move"));
            is_mated_within(&after, 2)
        };
        positions.iter().filter(begins).count()
    };
    for level in 6..=12 {
        assert_eq!(begun(level), positions.len(), "level {level}");
    }
    assert!(begun(3) < positions.len());
}

/// What every level must keep in some positions; how often pieces were taken back, and could be.
fn judge(level: u32, positions: &[Position]) -> (u32, u32) {
    let mut player = Player::new(&[("LevelSeed", "7")]);
    player.set("Level", level);
    let (mut taken, mut takable) = (0, 0);
    for position in positions {
        let moves = legal(position, Generate::Legal);
        let Some(mv) = player.play(position) else {
            panic!("level {level} resigns in {}", position.to_sfen());
        };
        if moves.iter().any(|&mv| mates(position, mv)) {
            assert!(mates(position, mv), "level {level} plays {mv} instead of a mate in {}", position.to_sfen());
            continue;
        }
        let spared = moves.iter().any(|&mv| !gives_away(position, mv));
        let seen_mate = level >= 6 && position.gives_check(mv);
        assert!(
            !spared || !gives_away(position, mv) || seen_mate,
            "level {level} gives away {mv} in {}",
            position.to_sfen()
        );
        if moves.iter().any(|&mv| takes_back(position, mv)) {
            takable += 1;
            taken += u32::from(takes_back(position, mv));
        }
    }
    (taken, takable)
}

#[test]
fn mates_are_played_nothing_is_given_away_and_pieces_are_taken_back() {
    let positions = sample(120);
    let (mut taken, mut takable) = (0, 0);
    for level in LOW {
        let (more, of) = judge(level, &positions[..if level < 5 { 120 } else { 40 }]);
        (taken, takable) = (taken + more, takable + of);
    }
    assert!(takable > 60 && taken * 100 >= takable * 97, "{taken} of {takable}");
}

#[test]
#[ignore = "minutes: two thousand positions at every low level"]
fn two_thousand_positions() {
    let positions = sample(2000);
    for level in 0..=12 {
        let (taken, takable) = judge(level, &positions);
        println!("level {level}: {taken} of {takable} pieces taken back");
        assert!(taken * 100 >= takable * 97, "level {level}: {taken} of {takable}");
    }
}

#[test]
#[ignore = "minutes: what moves lose, by a search at full strength"]
fn the_loss_of_a_move_falls_with_the_level() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let positions = sample(number("POSITIONS", 600) as usize);
    let nodes = number("NODES", 5_000);
    let mut judge = Player::new(&[]);
    let mut value = |position: &Position| {
        judge.0.engine.new_game();
        let mut score = 0.0;
        let limits = Limits { nodes, ..Limits::default() };
        let choice = judge.0.search(position.clone(), limits, |progress| {
            if let Progress::Line(line) = progress {
                score = line.score.expected_result();
            }
        });
        choice.expect("an answer");
        score
    };
    let best: Vec<f64> = positions.iter().map(&mut value).collect();
    let mut last = 1.0;
    for level in (0..=14).step_by(2) {
        let mut player = Player::new(&[("LevelSeed", "7")]);
        player.set("Level", level);
        let mut losses: Vec<f64> = Vec::new();
        for (position, best) in positions.iter().zip(&best) {
            let Some(mv) = player.play(position) else { continue };
            let mut after = position.clone();
            after.do_move(mv);
            losses.push((best - (1.0 - value(&after))).max(0.0));
        }
        losses.sort_by(f64::total_cmp);
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        let worst = losses[losses.len() * 99 / 100];
        println!("level {level}: mean loss {:.1} points, 99th percentile {:.0}", mean * 100.0, worst * 100.0);
        assert!(mean < last, "level {level}: the mean does not fall");
        let bound = [0.8, 0.75].get(level as usize / 2).copied().unwrap_or(0.7);
        assert!(worst < bound, "level {level}: the 99th percentile is not below {bound}");
        last = mean;
    }
}

/// A game in which both kings are safe in the other camp would not end.
#[test]
fn every_level_declares_a_win() {
    let declarable = "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB4P 1";
    let position = Position::from_sfen(declarable).expect("a position");
    for level in 0..=20 {
        let mut player = Player::new(&[("LevelSeed", "7"), ("Level", &level.to_string())]);
        let choice = player.0.search(position.clone(), Limits::default(), |_| ()).expect("an answer");
        assert_eq!(choice, BestMove::DeclareWin, "level {level}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_another() {
    let mut player = Player::new(&[]);
    for level in [1, 5, 9, 12] {
        player.set("Level", level);
        let game = player.game(7, 10);
        assert_eq!(game, player.game(7, 10), "level {level}");
        assert_eq!(game, Player::new(&[("Level", &level.to_string())]).game(7, 10), "level {level}");
    }
    player.set("Level", 3);
    let mut games: Vec<Vec<Move>> = (1..=20).map(|seed| player.game(seed, 12)).collect();
    games.sort();
    games.dedup();
    assert!(games.len() >= 18, "{} of 20 games differ", games.len());
    // The upper levels too, once the book is left.
    player.set("USI_OwnBook", "false");
    for level in [13, 15] {
        player.set("Level", level);
        assert_eq!(player.game(7, 40), player.game(7, 40), "level {level}");
        let mut games: Vec<Vec<Move>> = (1..=12).map(|seed| player.game(seed, 40)).collect();
        games.sort();
        games.dedup();
        assert!(games.len() >= 6, "level {level}: {} of 12 games differ", games.len());
    }
}

#[test]
fn full_strength_after_a_limited_game_is_that_of_a_new_engine() {
    let limits = || Limits { depth: 9, ..Limits::default() };
    let position = Position::from_sfen(POSITIONS.lines().nth(3).expect("a line")).expect("a position");
    let expected = Player::new(&[]).search(&position, limits());
    let mut player = Player::new(&[]);
    for level in [2, 8, 13] {
        player.set("Level", level);
        let mut limited = position.clone();
        for _ in 0..6 {
            let Some(mv) = player.play(&limited) else { break };
            limited.do_move(mv);
        }
    }
    player.set("Level", 20);
    assert_eq!(player.search(&position, limits()), expected);
}

#[test]
fn analysis_is_never_limited() {
    let position = Position::from_sfen(POSITIONS.lines().nth(5).expect("a line")).expect("a position");
    for option in [("MultiPV", "2"), ("USI_AnalyseMode", "true")] {
        let search = |level: &str| {
            let mut player = Player::new(&[option, ("Level", level)]);
            player.search(&position, Limits { depth: 6, ..Limits::default() })
        };
        assert_eq!(search("0"), search("20"), "{option:?}");
    }
}

#[test]
fn a_strength_is_a_level_and_the_last_scale_counts() {
    let level = |settings: &[(&str, &str)]| {
        let mut player = Player::new(&[]);
        for (name, value) in settings {
            player.set(name, value);
        }
        player.0.engine.options().level_number()
    };
    assert_eq!(level(&[]), None);
    assert_eq!(level(&[("Level", "7")]), Some(7.0));
    // Remembered, and of no effect before it is switched on.
    assert_eq!(level(&[("USI_Strength", "-9")]), None);
    let ninth_kyu = level(&[("USI_Strength", "-9"), ("USI_LimitStrength", "true")]).expect("a level");
    let first_dan = level(&[("USI_LimitStrength", "true"), ("USI_Strength", "1"), ("Level", "0")]).expect("a level");
    assert!(ninth_kyu < first_dan && first_dan <= 19.0);
    let both = [("USI_LimitStrength", "true"), ("USI_Strength", "5"), ("UCI_Elo", "800")];
    assert_eq!(level(&both), level(&[("USI_LimitStrength", "true"), ("UCI_Elo", "800")]));
    assert_eq!(level(&[("USI_Strength", "0"), both[0]]), level(&[("USI_Strength", "-1"), both[0]]));
}

/// Before the pieces meet, a level follows a plan: the bishop's way is opened, and lances stay where they are.
#[test]
fn openings_look_like_openings() {
    for level in [1, 4, 7, 10, 12] {
        let mut player = Player::new(&[("Level", &level.to_string())]);
        let (mut lances, mut ways, games) = (0, 0, 12);
        for seed in 1..=games {
            let game = player.game(seed, 24);
            let mut position = Position::startpos();
            for &mv in &game {
                let is_lance = position.moved_piece(mv).is_some_and(|piece| piece.piece_type() == PieceType::Lance);
                lances += u32::from(is_lance && !mv.is_drop() && !position.is_capture(mv));
                position.do_move(mv);
            }
            ways += ["7g7f", "3c3d"].iter().filter(|way| game.iter().any(|mv| mv.to_string() == **way)).count();
        }
        assert!(lances <= games, "level {level}: {lances} lances moved in {games} games");
        assert!(ways as u32 * 4 >= 2 * games * 3, "level {level}: the bishop's way is opened {ways} times");
    }
}

/// How often, in a hundred moves, a game brings a piece back to where it stood within its player's last four moves with
/// nothing attacked, and drops one that touches nothing.
fn aimless(games: &[Vec<Move>]) -> (f64, f64) {
    let (mut moves, mut returns, mut drops) = (0, 0, 0);
    for game in games {
        let mut position = Position::startpos();
        for (ply, &mv) in game.iter().enumerate() {
            let us = position.side_to_move();
            let theirs = position.by_color(!us);
            let calm = !position.in_check() && !position.is_capture(mv) && !position.gives_check(mv);
            let attacked = |square| position.is_attacked_by(!us, square, position.occupied());
            let mut stood = mv.from();
            let is_back = game[..ply].iter().rev().skip(1).step_by(2).take(4).any(|own| {
                stood = if stood == Some(own.to()) { own.from() } else { stood };
                stood == Some(mv.to())
            });
            returns += usize::from(calm && is_back && !mv.from().is_some_and(attacked));
            let far = |a: u8, b: u8| a.abs_diff(b) > 2;
            let is_far = |square: Square| far(square.file(), mv.to().file()) || far(square.rank(), mv.to().rank());
            let king = position.king(us).is_some_and(|king| king_attacks(king).contains(mv.to()));
            drops += usize::from(calm && mv.is_drop() && !king && theirs.into_iter().all(is_far));
            moves += 1;
            position.do_move(mv);
        }
    }
    let percent = |count: usize| 100.0 * count as f64 / f64::from(moves);
    (percent(returns), percent(drops))
}

/// The squares where the side to move takes a knight's worth or more for nothing.
fn free(position: &Position) -> Vec<Square> {
    let wins = |&mv: &Move| position.is_capture(mv) && position.see_ge(mv, exchange_value(PieceType::Knight));
    legal(position, Generate::Captures).into_iter().filter(wins).map(Move::to).collect()
}

/// How often, in a hundred moves, a quiet move leaves a piece that could be taken for nothing at the move before already.
fn left_again(games: &[Vec<Move>]) -> f64 {
    let (mut moves, mut left) = (0, 0);
    for game in games {
        let mut position = Position::startpos();
        let mut before: [Vec<(Square, _)>; 2] = Default::default();
        for &mv in game {
            let stand: Vec<_> = free(&position).into_iter().map(|at| (at, position.piece_on(at))).collect();
            let earlier = &mut before[position.side_to_move().index()];
            let quiet = !position.in_check() && !position.is_capture(mv) && !position.gives_check(mv);
            left += usize::from(quiet && stand.iter().any(|piece| earlier.contains(piece)));
            *earlier = stand;
            moves += 1;
            position.do_move(mv);
        }
    }
    100.0 * left as f64 / f64::from(moves)
}

/// Where nothing calls for a move, a level puts its pieces on good squares, and neither moves them to and fro nor drops
/// them where nothing happens.
#[test]
fn pieces_do_not_wander() {
    for level in [0, 4, 8] {
        let mut player = Player::new(&[("Level", &level.to_string())]);
        let games: Vec<Vec<Move>> = (1..=12).map(|seed| player.game(seed, 120)).collect();
        let (returns, drops) = aimless(&games);
        println!("level {level}: {returns:.2} returns, {drops:.2} drops in a hundred moves");
        assert!(returns < 0.8, "level {level}: {returns:.2} moves in a hundred bring a piece back");
        assert!(drops < 1.3, "level {level}: {drops:.2} moves in a hundred are drops that touch nothing");
    }
}

/// Levels that err by as much as a piece see at a second look what stands there for nothing.
#[test]
fn pieces_are_not_left_again_and_again() {
    let mut player = Player::new(&[("Level", "1")]);
    let games: Vec<Vec<Move>> = (1..=30).map(|seed| player.game(seed, 120)).collect();
    let left = left_again(&games);
    println!("level 1: {left:.2} pieces left in a hundred moves");
    assert!(left < 2.0, "level 1: {left:.2} moves in a hundred leave a piece that stood to be taken before");
}

/// A hole that a bishop can be dropped into is not left to both sides for ten moves.
#[test]
fn holes_for_a_bishop_are_seen() {
    let mut player = Player::new(&[("Level", "8")]);
    for (sfen, hole) in [
        ("lns3snl/1rg2kg2/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1S1R1KS2/LN1G1G1NL w Bb 12", "B*2h"),
        ("ln3g1nl/2skg1rs1/ppppp2pp/5pp2/9/2P5P/PP1PPPPP1/2K1G2R1/LNSG2SNL b Bb 15", "B*8b"),
        ("ln1g1k1nl/1r1s1sg2/pppppp1pp/6p2/4P4/2P6/PPSP1PPPP/4RKS2/LN1G1G1NL w Bb 18", "B*2h"),
    ] {
        let position = Position::from_sfen(sfen).expect("a position");
        let seen = (1..=20).filter(|seed| {
            player.set("LevelSeed", seed);
            player.0.engine.new_game();
            player.play(&position).is_some_and(|mv| mv.to_string() == hole)
        });
        let seen = seen.count();
        assert!(seen >= 18, "{hole} in {sfen}: {seen} of 20");
    }
}

/// Handicap games are where levels are used most: no level may stumble over them, on either side.
#[test]
fn handicap_games_are_played() {
    const SIX_PIECES: &str = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for level in [0, 5, 11] {
        let mut player = Player::new(&[("LevelSeed", "3"), ("Level", &level.to_string())]);
        let mut position = Position::from_sfen(SIX_PIECES).expect("a position");
        for _ in 0..40 {
            match player.play(&position) {
                Some(mv) => position.do_move(mv),
                None => break,
            }
        }
        assert!(position.game_length() >= 20, "level {level}: {}", position.to_sfen());
    }
}
