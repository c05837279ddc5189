//! Start positions of self-play games: varied, so that no two games are alike and rare positions occur too.

use super::castles;
use super::player::Player;
use crate::platform::random::Random;
use crate::position::Board;
use crate::position::Position;
use crate::training::data::game::Game;
use crate::training::data::manifest::StartShares;
use crate::training::data::shard::start_position;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// A start position and the moves that led to it.
pub struct Opening {
    /// As [`Game::start`].
    pub start: String,
    /// The given moves.
    pub given: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// The largest score of the first search with which the start counts as playable.
    pub score_limit: i32,
}

/// Playable handicaps, White without the piece: lance, bishop, rook, rook and lance, two pieces.
const HANDICAPS: [&str; 5] = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

/// The longest sound opening, in plies.
const SOUND_PLIES: usize = 28;
/// The most sound moves after a draw of castles.
const CASTLED_PLIES: usize = 6;
/// The largest score, in centipawns, of an earlier game's position to branch off from.
const BRANCH_SCORE: u16 = 500;
/// The most sound moves after such a position.
const BRANCH_PLIES: usize = 2;
/// What a sound move may lose against the best, in centipawns.
const SOUND_LOSS: i32 = 50;

/// A kind of start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartKind {
    /// Random moves from the initial position.
    Random,
    /// An even position of an earlier game and up to two sound moves.
    BranchOff,
    /// A handicap and some random moves.
    Handicap,
    /// Both kings entered.
    EnteringKing,
    /// Sound moves from the initial position.
    Sound,
    /// Both kings castled, and sound moves.
    Castles,
}

impl StartKind {
    /// Draws a kind by the shares; without earlier games their share goes to random moves.
    pub fn draw(random: &mut Random, shares: &StartShares, earlier: &[Game]) -> Self {
        let mut at = random.unit();
        for (kind, share) in [
            (Self::EnteringKing, shares.entering_king),
            (Self::Handicap, shares.handicap),
            (Self::Sound, shares.sound),
            (Self::Castles, shares.castles),
            (Self::BranchOff, if earlier.is_empty() { 0.0 } else { shares.branch_off }),
        ] {
            if at < share {
                return kind;
            }
            at -= share;
        }
        Self::Random
    }
}

/// Draws a start position of a kind. `earlier` are the games that [`StartKind::BranchOff`] branches off from, all with
/// [`even_plies`]; `player` chooses the sound moves.
pub fn draw(random: &mut Random, kind: StartKind, earlier: &[Game], player: &mut dyn Player) -> Opening {
    // Some draws are illegal positions.
    loop {
        let opening = match kind {
            StartKind::EnteringKing => entering_king(random),
            StartKind::Handicap => {
                let start = HANDICAPS[random.below(HANDICAPS.len())];
                let plies = 2 + random.below(4);
                play_random(random, start, plies, 4000)
            }
            StartKind::Random => {
                // One more random move half of the time: each side is to move equally often.
                let plies = 7 + random.below(2);
                play_random(random, "", plies, 360)
            }
            StartKind::Sound => {
                let plies = 2 + random.below(SOUND_PLIES - 1);
                sound(random, player, String::new(), Vec::new(), plies)
            }
            StartKind::Castles => {
                let start = castles::draw(random).to_sfen(1);
                let plies = random.below(CASTLED_PLIES + 1);
                sound(random, player, start, Vec::new(), plies)
            }
            StartKind::BranchOff => {
                let game = &earlier[random.below(earlier.len())];
                let plies = random.below(BRANCH_PLIES + 1);
                let even: Vec<usize> = even_plies(game).collect();
                let given = game.moves[..even[random.below(even.len())]].to_vec();
                sound(random, player, game.start.clone(), given, plies)
                    .map(|opening| Opening { score_limit: 2 * i32::from(BRANCH_SCORE), ..opening })
            }
        };
        if let Some(opening) = opening
            && opening.position.has_legal_move()
        {
            return opening;
        }
    }
}

/// Plays random legal moves from a start; `None` where the game ends before.
fn play_random(random: &mut Random, start: &str, plies: usize, score_limit: i32) -> Option<Opening> {
    let mut position = start_position(start).ok()?;
    let mut given = Vec::new();
    for _ in 0..plies {
        let mut legal = position.legal_moves().to_vec();
        if legal.is_empty() {
            return None;
        }
        // In the order of the moves' codes, for the generator's order may change.
        legal.sort_unstable();
        let played = legal[random.below(legal.len())];
        position.do_move(played);
        given.push(played);
    }
    Some(Opening { start: start.to_owned(), given, position, score_limit })
}

/// The plies of a game that it can be branched off from: those at which its score was even.
pub fn even_plies(game: &Game) -> impl Iterator<Item = usize> + '_ {
    (game.given..).zip(&game.scores).filter(|(_, score)| score.unsigned_abs() <= BRANCH_SCORE).map(|(ply, _)| ply)
}

/// A sound opening: after a start and given moves some more, each the best of a random third of the legal moves if it
/// loses no more than [`SOUND_LOSS`], otherwise the best of all. `None` where the start is illegal.
///
/// After random moves a network sees positions that no game reaches, and hardly any that every game does.
fn sound(
    random: &mut Random,
    player: &mut dyn Player,
    start: String,
    mut given: Vec<Move>,
    plies: usize,
) -> Option<Opening> {
    let mut position = start_position(&start).ok()?;
    for &played in &given {
        position.do_move(played);
    }
    player.new_game();
    for _ in 0..plies {
        let mut legal = position.legal_moves().to_vec();
        legal.sort_unstable();
        let (best, highest) = player.choose(&position, &legal)?;
        legal.retain(|_| random.chance(1.0 / 3.0));
        let played = match player.choose(&position, &legal) {
            Some((other, score)) if score.0 >= highest.0 - SOUND_LOSS => other,
            _ => best,
        };
        position.do_move(played);
        given.push(played);
    }
    Some(Opening { start, given, position, score_limit: 360 })
}

/// A position with both kings entered, their pieces around them; `None` where the draw is illegal.
fn entering_king(random: &mut Random) -> Option<Opening> {
    let mut board = Board::EMPTY;
    // Ranks as the owner sees them: its king on the enemy's last three, most of its pieces there too.
    let place = |board: &mut Board, random: &mut Random, color: Color, kind: PieceType, ranks: usize| {
        for _ in 0..30 {
            let seen = Square::from_index(random.below(9) * 9 + random.below(ranks))?;
            let square = seen.relative_to(color);
            if board.piece_on(square).is_none() {
                board.set(square, Some(Piece::new(color, kind)));
                return Some(());
            }
        }
        None
    };
    for color in Color::ALL {
        place(&mut board, random, color, PieceType::King, 3)?;
    }
    for kind in PieceType::HAND {
        for _ in 0..kind.count_in_set() {
            let color = if random.chance(0.5) { Color::Black } else { Color::White };
            if random.chance(if kind == PieceType::Pawn { 0.45 } else { 0.3 }) {
                board.set_hand(color, kind, board.hand(color, kind) + 1);
                continue;
            }
            let promoted = kind.promoted().filter(|_| random.chance(0.8));
            match promoted {
                Some(promoted) => place(&mut board, random, color, promoted, 4)?,
                None if kind == PieceType::Gold => place(&mut board, random, color, kind, 4)?,
                None => board.set_hand(color, kind, board.hand(color, kind) + 1),
            }
        }
    }
    board.set_side_to_move(if random.chance(0.5) { Color::Black } else { Color::White });
    let start = board.to_sfen(1);
    let position = Position::from_sfen(&start).ok()?;
    Some(Opening { start, given: Vec::new(), position, score_limit: 1200 })
}
