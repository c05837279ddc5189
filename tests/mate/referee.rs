//! Slow, obvious referees: mates by the definition, lengths by the definition of futile interpositions.

use std::collections::HashMap;

use hagane::position::{Board, Position};
use hagane::types::{Move, Square};

/// Is there a mate by checks within some plies? Nothing but the definition, and a memory of what was asked.
pub struct Referee(HashMap<(String, u32), bool>);

impl Referee {
    pub fn attacks(&mut self, position: &mut Position, plies: u32) -> bool {
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
    pub fn defends(&mut self, position: &mut Position, plies: u32) -> bool {
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

    pub fn name(position: &Position) -> String {
        let sfen = position.to_sfen();
        sfen.rsplit_once(' ').map_or(sfen.clone(), |(name, _)| name.to_owned())
    }

    /// The length of the shortest mate up to some plies.
    pub fn shortest(position: &Position, limit: u32) -> Option<u32> {
        let mut referee = Self(HashMap::new());
        let mut position = position.clone();
        (1..=limit).step_by(2).find(|&plies| referee.attacks(&mut position, plies))
    }
}

/// Lengths as composed problems count them, straight from the definition in docs/futile-interpositions.md.
#[derive(Default)]
pub struct CountedReferee {
    attacks: HashMap<(String, u32), Option<u32>>,
    defences: HashMap<(String, u32), Option<u32>>,
}

impl CountedReferee {
    /// The counted length of the attacker's shortest mate, up to `limit` plies.
    pub fn attack(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
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
    pub fn defence(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
        let key = (Referee::name(position), limit);
        if let Some(&known) = self.defences.get(&key) {
            return known;
        }
        let length = self.longest(position, limit);
        self.defences.insert(key, length);
        length
    }

    pub fn longest(&mut self, position: &mut Position, limit: u32) -> Option<u32> {
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
    pub fn is_futile(&mut self, position: &mut Position, drop: Move, longest: u32) -> bool {
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
