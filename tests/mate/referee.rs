//! Slow, obvious referees: mates by the definition, lengths by the definition of futile interpositions.

use std::collections::HashMap;

use hagane::bitboard::{attacks, between};
use hagane::mate::FutileInterpositions;
use hagane::position::{Board, Position};
use hagane::types::{Move, PieceType, Square};

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
    futile: FutileInterpositions,
    attacks: HashMap<(String, u32), Option<u32>>,
    defences: HashMap<(String, u32), Option<u32>>,
}

impl CountedReferee {
    /// A referee for one of the conventions.
    pub fn new(futile: FutileInterpositions) -> Self {
        Self { futile, ..Self::default() }
    }

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
        let mut interpositions = Vec::new();
        for &mv in position.legal_moves().iter() {
            position.do_move(mv);
            let length = if limit == 0 { None } else { self.attack(position, limit - 1).map(|length| length + 1) };
            position.undo_move();
            match length {
                _ if self.interposes(position, mv) => interpositions.push((length.unwrap_or(u32::MAX), mv)),
                Some(length) => longest = longest.max(length),
                None => return None,
            }
        }
        interpositions.sort_by_key(|&(length, _)| length);
        for (length, mv) in interpositions {
            if length > longest && !self.is_futile(position, mv, longest) {
                longest = length;
            }
        }
        (longest <= limit).then_some(longest)
    }

    /// All defences that count in a position that is mate within `limit` plies, with how long they last.
    pub fn counting(&mut self, position: &mut Position, limit: u32) -> Vec<(Move, u32)> {
        let (mut counting, mut interpositions) = (Vec::new(), Vec::new());
        for &mv in position.legal_moves().iter() {
            position.do_move(mv);
            let length = limit.checked_sub(1).and_then(|limit| self.attack(position, limit)).map(|length| length + 1);
            position.undo_move();
            match length {
                Some(length) if self.interposes(position, mv) => interpositions.push((mv, length)),
                Some(length) => counting.push((mv, length)),
                None => assert!(self.interposes(position, mv)),
            }
        }
        let moves = counting.iter().map(|&(_, length)| length).max().unwrap_or(0);
        let mut lengths: Vec<u32> = interpositions.iter().map(|&(_, length)| length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        // Each is measured against the moves, and against the interpositions that are shorter and count.
        let mut measure = moves;
        for length in lengths {
            let before = measure;
            for &(mv, _) in interpositions.iter().filter(|&&(_, other)| other == length) {
                if !self.is_futile(position, mv, before) {
                    counting.push((mv, length));
                    measure = measure.max(length);
                }
            }
        }
        counting
    }

    /// The square of the only checker, if the move ends between it and the king, and may be futile by the convention.
    fn checker_before(&self, position: &Position, mv: Move) -> Option<Square> {
        let (checkers, king) = (position.checkers(), position.king(position.side_to_move())?);
        let checker = checkers.first().filter(|_| !checkers.many())?;
        let counts = match self.futile {
            FutileInterpositions::None => true,
            FutileInterpositions::Drops => !mv.is_drop(),
            FutileInterpositions::Moves | FutileInterpositions::Any => false,
        };
        (!counts && between(king, checker).contains(mv.to())).then_some(checker)
    }

    fn interposes(&self, position: &Position, mv: Move) -> bool {
        self.checker_before(position, mv).is_some()
    }

    /// Whether the interposition can be captured with check, by the checker or by what the convention allows, so that,
    /// the captured piece in the defender's hand, the mate takes no more than `longest` plies.
    fn is_futile(&mut self, position: &mut Position, defence: Move, longest: u32) -> bool {
        let Some(checker) = self.checker_before(position, defence) else {
            return false;
        };
        let attacker = !position.side_to_move();
        let mut after = position.clone();
        after.do_move(defence);
        let captures: Vec<Move> = after
            .legal_moves()
            .iter()
            .copied()
            .filter(|mv| mv.to() == defence.to() && after.gives_check(*mv))
            .filter(|mv| {
                let by_any = self.futile == FutileInterpositions::Any;
                mv.from() == Some(checker) || by_any && Self::checks_itself(&after, *mv)
            })
            .collect();
        captures.into_iter().any(|capture| {
            let mut nearer = after.clone();
            nearer.do_move(capture);
            let mut board = Board::from(&nearer);
            for kind in PieceType::HAND {
                // What the attacker took goes to the defender's hand.
                let (before, now) = (position.hand(attacker).count(kind), nearer.hand(attacker).count(kind));
                let theirs = nearer.hand(!attacker).count(kind) + (now - before);
                board.set_hand(attacker, kind, before as u8);
                board.set_hand(!attacker, kind, theirs as u8);
            }
            let mut nearer = Position::from_board(&board, 1).unwrap();
            self.defence(&mut nearer, longest).is_some()
        })
    }

    /// Whether the piece that moves attacks the king from where it ends.
    fn checks_itself(position: &Position, mv: Move) -> bool {
        let king = position.king(!position.side_to_move()).unwrap();
        let mut after = position.clone();
        after.do_move(mv);
        let piece = after.piece_on(mv.to()).unwrap();
        attacks(piece, mv.to(), after.occupied()).contains(king)
    }
}
