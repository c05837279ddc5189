//! Where self-play games begin: varied, so that no two games are alike and rare positions are seen too.

use super::camp;
use super::game::Game;
use super::generate::Thinker;
use super::shard::start_position;
use crate::platform::random::Random;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// The shares of the kinds of starts; what is left over are random moves from the even start.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Shares {
    /// Positions of earlier games with one or two random moves.
    pub own_games: f32,
    /// Handicap games (駒落ち).
    pub handicap: f32,
    /// Both kings in the enemy's camp (相入玉).
    pub entering_king: f32,
    /// Sound openings: the even start and moves that lose little.
    #[serde(default)]
    pub sound: f32,
    /// Camps with castled kings (see [`camp`]) and moves that lose little.
    #[serde(default)]
    pub castles: f32,
    /// Even positions in the midst of earlier games, and up to two moves that lose little.
    #[serde(default)]
    pub middles: f32,
}

/// A start: a position and the moves given from it.
pub struct Opening {
    /// As [`Game::start`].
    pub start: String,
    /// The given moves.
    pub given: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// The largest score that the first search may see for the start to count as playable.
    pub score_limit: i32,
}

/// Handicaps that leave a game to be played, White without the piece: lance, bishop, rook, rook and lance, two pieces.
const HANDICAPS: [&str; 5] = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

/// The longest sound opening, in plies.
const SOUND_PLIES: usize = 28;
/// The most sound moves behind a draw of camps.
const CASTLED_PLIES: usize = 6;
/// The first ply of an earlier game at which another may begin in its midst.
const MIDDLE_PLY: usize = 40;
/// The largest score, in centipawns, that such a position had.
const MIDDLE_SCORE: u16 = 500;
/// The most sound moves behind such a position.
const MIDDLE_PLIES: usize = 2;
/// What a move of a sound opening may lose against the best, in centipawns.
const SOUND_LOSS: i32 = 50;

/// A kind of start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Random moves from the even start.
    Even,
    /// A position of an earlier game and one or two random moves.
    OwnGame,
    /// A handicap and some random moves.
    Handicap,
    /// Both kings entered.
    EnteringKing,
    /// Moves from the even start that lose little.
    Sound,
    /// Camps with castled kings.
    Castles,
    /// In the midst of an earlier game.
    Middle,
}

impl Kind {
    /// Draws a kind by the shares; without earlier games their shares go to the even start.
    pub fn draw(random: &mut Random, shares: &Shares, earlier: &[Game]) -> Self {
        let branching = |share| if earlier.is_empty() { 0.0 } else { share };
        let mut at = random.unit();
        for (kind, share) in [
            (Self::EnteringKing, shares.entering_king),
            (Self::Handicap, shares.handicap),
            (Self::Sound, shares.sound),
            (Self::Castles, shares.castles),
            (Self::OwnGame, branching(shares.own_games)),
            (Self::Middle, branching(shares.middles)),
        ] {
            if at < share {
                return kind;
            }
            at -= share;
        }
        Self::Even
    }
}

/// Draws a start of a kind. `earlier` are the games that [`Kind::OwnGame`] and [`Kind::Middle`] branch off from, for
/// the latter one at least that has [`middles`]; `thinker` makes the moves of [`Kind::Sound`], [`Kind::Castles`] and
/// [`Kind::Middle`].
pub fn draw(random: &mut Random, kind: Kind, earlier: &[Game], thinker: &mut dyn Thinker) -> Opening {
    // Chance makes impossible positions now and then.
    loop {
        let opening = match kind {
            Kind::EnteringKing => entering_king(random),
            Kind::Handicap => {
                let start = HANDICAPS[random.below(HANDICAPS.len())];
                let plies = 2 + random.below(4);
                play_random(random, start, Vec::new(), plies, 4000)
            }
            Kind::OwnGame => {
                let game = &earlier[random.below(earlier.len())];
                let plies = random.below(game.moves.len().min(40) + 1);
                let extra = 1 + random.below(2);
                play_random(random, &game.start, game.moves[..plies].to_vec(), extra, 1000)
            }
            Kind::Even => {
                // One more random move half of the time: each side is to move equally often.
                let plies = 7 + random.below(2);
                play_random(random, "", Vec::new(), plies, 360)
            }
            Kind::Sound => {
                let plies = 2 + random.below(SOUND_PLIES - 1);
                sound(random, thinker, String::new(), Vec::new(), plies)
            }
            Kind::Castles => {
                let start = format!("{} 1", camp::draw(random).to_sfen());
                let plies = random.below(CASTLED_PLIES + 1);
                sound(random, thinker, start, Vec::new(), plies)
            }
            Kind::Middle => {
                let game = &earlier[random.below(earlier.len())];
                let plies = random.below(MIDDLE_PLIES + 1);
                middle(random, game).and_then(|given| {
                    let start = game.start.clone();
                    let opening = sound(random, thinker, start, given, plies)?;
                    Some(Opening { score_limit: 2 * i32::from(MIDDLE_SCORE), ..opening })
                })
            }
        };
        if let Some(opening) = opening
            && opening.position.has_legal_move()
        {
            return opening;
        }
    }
}

/// Plays random legal moves behind given ones; `None` where the game ends before.
fn play_random(
    random: &mut Random,
    start: &str,
    mut given: Vec<Move>,
    extra: usize,
    score_limit: i32,
) -> Option<Opening> {
    let mut position = start_position(start).ok()?;
    for &played in &given {
        position.do_move(played);
    }
    for _ in 0..extra {
        let mut legal = position.legal_moves().to_vec();
        if legal.is_empty() {
            return None;
        }
        // Random numbers choose by the moves' codes, not by the generator's order, which may change.
        legal.sort_unstable();
        let played = legal[random.below(legal.len())];
        position.do_move(played);
        given.push(played);
    }
    Some(Opening { start: start.to_owned(), given, position, score_limit })
}

/// The plies before which a game can be branched off from in its midst: its positions were even there.
pub fn middles(game: &Game) -> impl Iterator<Item = usize> + '_ {
    (game.given..)
        .zip(&game.scores)
        .filter(|&(ply, score)| ply >= MIDDLE_PLY && score.unsigned_abs() <= MIDDLE_SCORE)
        .map(|(ply, _)| ply)
}

/// The moves of a game up to one of its [`middles`], each as likely; `None` where it has none.
fn middle(random: &mut Random, game: &Game) -> Option<Vec<Move>> {
    let even: Vec<usize> = middles(game).collect();
    let ply = match even.len() {
        0 => return None,
        count => even[random.below(count)],
    };
    Some(game.moves[..ply].to_vec())
}

/// An opening as it comes up in games: from a start, behind given moves, some moves, each the best of a random third of
/// the legal ones if it loses no more than [`SOUND_LOSS`], otherwise the best of all. `None` where the start breaks the
/// rules.
///
/// Openings of random moves show a network positions that no game reaches, and hardly one that every game does.
fn sound(
    random: &mut Random,
    thinker: &mut dyn Thinker,
    start: String,
    mut given: Vec<Move>,
    plies: usize,
) -> Option<Opening> {
    let mut position = start_position(&start).ok()?;
    for &played in &given {
        position.do_move(played);
    }
    thinker.new_game();
    for _ in 0..plies {
        let mut legal = position.legal_moves().to_vec();
        legal.sort_unstable();
        let (best, highest) = thinker.choose(&position, &legal)?;
        legal.retain(|_| random.chance(1.0 / 3.0));
        let played = match thinker.choose(&position, &legal) {
            Some((other, score)) if score.0 >= highest.0 - SOUND_LOSS => other,
            _ => best,
        };
        position.do_move(played);
        given.push(played);
    }
    Some(Opening { start, given, position, score_limit: 360 })
}

/// A position with both kings entered, their men around them; `None` where chance made an impossible one.
fn entering_king(random: &mut Random) -> Option<Opening> {
    let mut board: [Option<Piece>; 81] = [None; 81];
    let mut hands = [crate::types::Hand::EMPTY; 2];
    // Ranks as the owner sees them: its king on the enemy's last three, its men mostly there too.
    let mut place = |random: &mut Random, color: Color, kind: PieceType, ranks: usize| {
        for _ in 0..30 {
            let seen = Square::from_index(random.below(9) * 9 + random.below(ranks))?;
            let square = seen.relative_to(color).index();
            if board[square].is_none() {
                board[square] = Some(Piece::new(color, kind));
                return Some(());
            }
        }
        None
    };
    for color in Color::ALL {
        place(random, color, PieceType::King, 3)?;
    }
    for kind in PieceType::HAND {
        for _ in 0..kind.count_in_set() {
            let color = if random.chance(0.5) { Color::Black } else { Color::White };
            if random.chance(if kind == PieceType::Pawn { 0.45 } else { 0.3 }) {
                hands[color.index()].add(kind);
                continue;
            }
            let promoted = kind.promoted().filter(|_| random.chance(0.8));
            match promoted {
                Some(promoted) => place(random, color, promoted, 4)?,
                // Golds, and pieces that stayed as they were behind the camp.
                None if kind == PieceType::Gold => place(random, color, kind, 4)?,
                None => hands[color.index()].add(kind),
            }
        }
    }
    let side = if random.chance(0.5) { Color::Black } else { Color::White };
    let placement = super::placement::Placement { board, hands, side };
    let start = format!("{} 1", placement.to_sfen());
    let position = Position::from_sfen(&start).ok()?;
    Some(Opening { start, given: Vec::new(), position, score_limit: 1200 })
}
