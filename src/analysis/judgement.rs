//! The judgement of a game's moves by an engine's evaluations.
//!
//! The win probability of an evaluation is `1 / (1 + exp(-cp / 600))`, see [`Score::expected_result`]. A move's loss is
//! the drop of the mover's win probability. Accuracy is Lichess' function of the loss in percent
//! (lichess.org/page/accuracy); a game's accuracy is the mean of the arithmetic and the harmonic mean over its moves,
//! so that single blunders count.

use super::engine_line::{EngineLine, Evaluation};
use super::explain::facts;
use super::fact::Fact;
use super::move_judgement::{Mark, MoveJudgement, Phase};
use crate::position::Position;
use crate::record::{NodeId, Record};
use crate::types::{Color, Move, PieceType, Score};

/// The probability that Black wins, 0..=1.
pub fn win_probability(evaluation: Evaluation) -> f64 {
    match evaluation {
        Evaluation::Cp(cp) => Score(cp).expected_result(),
        Evaluation::Mate { winner: Color::Black, .. } => 1.0,
        Evaluation::Mate { winner: Color::White, .. } => 0.0,
    }
}

fn for_side(probability: f64, color: Color) -> f64 {
    if color == Color::Black { probability } else { 1.0 - probability }
}

/// The statistics of a player's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// Judged moves.
    pub moves: usize,
    /// 0..=100, `None` without moves.
    pub accuracy: Option<f64>,
    /// Accuracy in opening, middle game and endgame.
    pub by_phase: [Option<f64>; 3],
    /// Mean loss in percent of win probability.
    pub mean_loss: f64,
    /// Best moves, inaccuracies, mistakes, blunders.
    pub marks: [usize; 4],
}

/// A judged game.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Evaluations by ply from the start (0), where there are any.
    pub evaluations: Vec<Option<Evaluation>>,
    /// Moves with an evaluation before and after.
    pub moves: Vec<MoveJudgement>,
    /// Black's and White's statistics.
    pub players: [PlayerSummary; 2],
    /// The ply of the move that lost the game for good.
    pub turning_point: Option<usize>,
    /// The first ply of the middle game and of the endgame.
    pub phases: [Option<usize>; 2],
}

impl Judgement {
    /// Judges the main line. `lines` gives the engine's lines at a node, best first.
    pub fn new(record: &Record, lines: impl Fn(NodeId) -> Vec<EngineLine>) -> Self {
        let nodes = record.main_line();
        let mut judgement = Self {
            evaluations: Vec::new(),
            moves: Vec::new(),
            players: Default::default(),
            turning_point: None,
            phases: [None; 2],
        };
        let Ok(mut position) = record.start_position() else {
            return judgement;
        };
        let mut phase = Phase::Opening;
        let mut before = lines(NodeId::ROOT);
        judgement.evaluations.push(before.first().and_then(|line| line.evaluation));
        for (ply, pair) in nodes.windows(2).enumerate().map(|(index, pair)| (index + 1, pair)) {
            let Some(mv) = record.node(pair[1]).mv().filter(|&mv| position.is_legal(mv)) else {
                break;
            };
            let next = next_phase(phase, &position, mv, ply);
            if next != phase {
                let index = if next == Phase::Middle { 0 } else { 1 };
                judgement.phases[index] = Some(ply);
                phase = next;
            }
            let color = position.side_to_move();
            let previous = position.clone();
            position.do_move(mv);
            let mut after = lines(pair[1]);
            carry_mate_on(&before, mv, &mut after);
            let after_evaluation = after.first().and_then(|line| line.evaluation);
            judgement.evaluations.push(after_evaluation);
            let before_evaluation = before.first().and_then(|line| line.evaluation);
            if let (Some(worth), Some(result)) = (before_evaluation, after_evaluation) {
                let best = before[0].pv.clone();
                let is_best = best.first() == Some(&mv);
                // If the move begins a further line of the same search, that line is the fairer comparison.
                let same_search =
                    before.iter().find(|line| line.pv.first() == Some(&mv)).and_then(|line| line.evaluation);
                let had = for_side(win_probability(worth), color);
                let has = for_side(win_probability(same_search.unwrap_or(result)), color);
                let loss = if is_best { 0.0 } else { (had - has).max(0.0) };
                let mut mark = if is_best { Mark::Best } else { Mark::of_loss(loss) };
                let reply = after[0].pv.clone();
                let mut judged = MoveJudgement {
                    node: pair[1],
                    ply,
                    mv,
                    color,
                    before: worth,
                    after: result,
                    best,
                    reply,
                    loss,
                    mark,
                    phase,
                    facts: Vec::new(),
                };
                judged.facts = facts(&previous, &judged);
                let let_go = judged.facts.iter().any(|fact| match fact {
                    Fact::MissedMate { plies } => plies.is_some_and(|plies| plies <= 9),
                    Fact::MissedDeclaration => true,
                    _ => false,
                });
                if let_go && mark == Mark::Good {
                    mark = Mark::Inaccuracy;
                }
                judged.mark = mark;
                judgement.moves.push(judged);
            }
            before = after;
        }
        for color in Color::ALL {
            judgement.players[color.index()] = judgement.summarize(color);
        }
        judgement.turning_point = judgement.find_turning_point();
        judgement
    }

    fn summarize(&self, color: Color) -> PlayerSummary {
        let moves: Vec<&MoveJudgement> = self.moves.iter().filter(|mv| mv.color == color).collect();
        let accuracy = |phase: Option<Phase>| {
            let values: Vec<f64> = moves
                .iter()
                .filter(|mv| phase.is_none_or(|phase| mv.phase == phase))
                .map(|mv| accuracy(mv.loss))
                .collect();
            let count = values.len() as f64;
            (count > 0.0).then(|| {
                let arithmetic = values.iter().sum::<f64>() / count;
                let harmonic = count / values.iter().map(|value| 1.0 / value.max(1.0)).sum::<f64>();
                (arithmetic + harmonic) / 2.0
            })
        };
        let count = |mark| moves.iter().filter(|mv| mv.mark == mark).count();
        let losses: f64 = moves.iter().map(|mv| mv.loss * 100.0).sum();
        PlayerSummary {
            moves: moves.len(),
            accuracy: accuracy(None),
            by_phase: [Phase::Opening, Phase::Middle, Phase::End].map(|phase| accuracy(Some(phase))),
            mean_loss: if moves.is_empty() { 0.0 } else { losses / moves.len() as f64 },
            marks: [Mark::Best, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(count),
        }
    }

    /// The move that lost the game for good, if one did: the loser's costliest mistake between the last position in
    /// which he had half the chances and the first after which he never had more than a quarter. A game that is lost
    /// little by little has none, nor has one that is not lost.
    fn find_turning_point(&self) -> Option<usize> {
        let last = self.evaluations.iter().rev().find_map(|evaluation| *evaluation)?;
        let loser = if win_probability(last) >= 0.5 { Color::White } else { Color::Black };
        let last_above = |limit: f64| {
            let chances = |evaluation| for_side(win_probability(evaluation), loser);
            self.evaluations.iter().rposition(|evaluation| evaluation.is_some_and(|it| chances(it) >= limit))
        };
        if for_side(win_probability(last), loser) >= 0.25 {
            return None;
        }
        let (even, alive) = (last_above(0.5).unwrap_or(0), last_above(0.25)?);
        self.moves
            .iter()
            .filter(|mv| mv.color == loser && (even + 1..=alive + 1).contains(&mv.ply) && mv.loss >= 0.10)
            .max_by(|a, b| a.loss.total_cmp(&b.loss))
            .map(|mv| mv.ply)
    }
}

/// Carries a mate over its first move: the search after the move may be too short to find it again.
fn carry_mate_on(before: &[EngineLine], mv: Move, after: &mut [EngineLine]) {
    let (Some(before), Some(after)) = (before.first(), after.first_mut()) else {
        return;
    };
    if let Some(Evaluation::Mate { winner, plies: Some(plies @ 2..) }) = before.evaluation
        && before.pv.first() == Some(&mv)
        && after.evaluation.and_then(Evaluation::mate).is_none()
    {
        after.evaluation = Some(Evaluation::Mate { winner, plies: Some(plies - 1) });
        after.pv = before.pv[1..].to_vec();
    }
}

/// Lichess' function: 100 without loss, 0 for a loss of 79 % and more.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss * 100.0).exp() - 3.1669).clamp(0.0, 100.0)
}

fn next_phase(phase: Phase, before: &Position, mv: Move, ply: usize) -> Phase {
    let active = Color::ALL
        .into_iter()
        .map(|color| {
            let camp = before
                .by_color(color)
                .iter()
                .filter(|square| square.in_promotion_zone(color))
                .filter(|&square| before.piece_on(square).is_some_and(|piece| piece.piece_type() != PieceType::Pawn))
                .count() as u32;
            let held: u32 = Color::ALL
                .into_iter()
                .flat_map(|color| before.hand(color).iter())
                .filter(|&(kind, _)| kind != PieceType::Pawn)
                .map(|(_, count)| count)
                .sum();
            camp + held
        })
        .max()
        .unwrap_or(0);
    let captures = before.piece_on(mv.to()).is_some_and(|piece| piece.piece_type() != PieceType::Pawn);
    match phase {
        _ if active >= 8 => Phase::End,
        Phase::Opening if ply >= 60 || (ply > 16 && captures) => Phase::Middle,
        phase => phase,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Action, Handicap, Start};

    #[test]
    fn probabilities_and_accuracy() {
        assert!((win_probability(Evaluation::Cp(0)) - 0.5).abs() < 1e-9);
        assert!((win_probability(Evaluation::Cp(600)) - 0.731).abs() < 1e-3);
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        assert_eq!(accuracy(0.9), 0.0);
        assert_eq!(Mark::of_loss(0.0499), Mark::Good);
        assert_eq!(Mark::of_loss(0.05), Mark::Inaccuracy);
        assert_eq!(Mark::of_loss(0.10), Mark::Mistake);
        assert_eq!(Mark::of_loss(0.20), Mark::Blunder);
    }

    #[test]
    fn a_mate_that_is_carried_out_is_not_missed() {
        let mut record = Record::new(Start::of(Handicap::Even));
        let mut at = NodeId::ROOT;
        for mv in ["7g7f", "3c3d", "2g2f"] {
            at = record.add(at, Action::Move(mv.parse().unwrap()));
        }
        // The first line announces a mate (there is none, but the judgement trusts the engine); the others see nothing.
        let judgement = Judgement::new(&record, |id| {
            let announced = Evaluation::Mate { winner: Color::Black, plies: Some(5) };
            let line = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"];
            let first = id == NodeId::ROOT;
            vec![EngineLine {
                evaluation: Some(if first { announced } else { Evaluation::Cp(100) }),
                pv: line[..if first { 5 } else { 0 }].iter().map(|mv| mv.parse().unwrap()).collect(),
                ..EngineLine::default()
            }]
        });
        let plies: Vec<_> =
            judgement.evaluations.iter().map(|evaluation| evaluation.and_then(Evaluation::mate)).collect();
        let black = |plies| Some((Color::Black, Some(plies)));
        assert_eq!(plies, [black(5), black(4), black(3), black(2)]);
        assert!(judgement.moves.iter().all(|mv| mv.facts.is_empty()));
    }

    /// The turning point of a game with these scores from Black's view, before the first move and after each.
    fn turning_point(scores: &[i32]) -> Option<usize> {
        let mut record = Record::new(Start::of(Handicap::Even));
        let mut nodes = vec![NodeId::ROOT];
        let mut position = record.start_position().unwrap();
        for _ in 1..scores.len() {
            let mv = position.legal_moves()[0];
            position.do_move(mv);
            nodes.push(record.add(nodes[nodes.len() - 1], Action::Move(mv)));
        }
        let judgement = Judgement::new(&record, |id| {
            let ply = nodes.iter().position(|&node| node == id).unwrap();
            vec![EngineLine { evaluation: Some(Evaluation::Cp(scores[ply])), ..EngineLine::default() }]
        });
        judgement.turning_point
    }

    #[test]
    fn the_turning_point_is_where_the_game_was_lost_for_good() {
        // Ply 2 crosses 50 % by a hair, ply 5 (Black's) loses the game.
        assert_eq!(turning_point(&[30, 20, -20, -30, -60, -800, -820, -900, -1500]), Some(5));
        // A mistake that the opponent gives back does not count, the last one does.
        assert_eq!(turning_point(&[0, -800, 50, -900, -1000]), Some(3));
        // Two mistakes on the way down: the costlier one, here the first.
        assert_eq!(turning_point(&[0, -500, -480, -800, -900]), Some(1));
        // White's loss.
        assert_eq!(turning_point(&[0, 10, 700, 720, 800]), Some(2));
        // Little by little; never decided; decided from the start.
        assert_eq!(
            turning_point(&[0, -90, -90, -180, -180, -270, -270, -360, -360, -450, -450, -540, -540, -700]),
            None
        );
        assert_eq!(turning_point(&[0, -500, -400, -500, -500]), None);
        assert_eq!(turning_point(&[-900, -950, -1000]), None);
        assert_eq!(turning_point(&[0]), None);
    }

    #[test]
    fn a_game_is_judged_from_its_lines() {
        let mut record = Record::new(Start::of(Handicap::Even));
        let mut at = NodeId::ROOT;
        let mut nodes = vec![at];
        for mv in ["7g7f", "3c3d", "8h5e", "2b5e"] {
            at = record.add(at, Action::Move(mv.parse().unwrap()));
            nodes.push(at);
        }
        let scores = [50, 50, 40, -900, -900];
        let best = ["7g7f", "3c3d", "2g2f", "2b5e", "5i5h"];
        let judgement = Judgement::new(&record, |id| {
            let index = nodes.iter().position(|&node| node == id).unwrap();
            vec![EngineLine {
                evaluation: Some(Evaluation::Cp(scores[index])),
                pv: vec![best[index].parse().unwrap()],
                ..EngineLine::default()
            }]
        });
        let marks: Vec<Mark> = judgement.moves.iter().map(|mv| mv.mark).collect();
        assert_eq!(marks, [Mark::Best, Mark::Best, Mark::Blunder, Mark::Best]);
        assert_eq!(judgement.turning_point, Some(3));
        assert_eq!(judgement.players[0].marks, [1, 0, 0, 1]);
        assert_eq!(judgement.players[1].accuracy.map(f64::round), Some(100.0));
        assert!(judgement.players[0].accuracy.unwrap() < 70.0);
        assert!(matches!(judgement.moves[2].facts[..], [Fact::LostMaterial { kind: PieceType::Bishop, .. }]));
    }
}
