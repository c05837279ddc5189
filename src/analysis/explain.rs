//! Explains a mistake from the engine's lines and the rules, nothing else.

use super::engine_line::Evaluation;
use super::fact::Fact;
use super::material::swing;
use super::move_judgement::{Mark, MoveJudgement};
use crate::position::{EnteringKingRule, Position};

/// Smaller material losses are not mentioned (hundredths of a pawn).
const MATERIAL_LOSS: i32 = 300;

/// The facts about a move made in the position `before`.
pub(super) fn facts(before: &Position, judged: &MoveJudgement) -> Vec<Fact> {
    let mut facts = Vec::new();
    let wins = |evaluation: Evaluation, color| match evaluation.mate() {
        Some((winner, plies)) if winner == color => Some(plies),
        _ => None,
    };
    if before.declaration(EnteringKingRule::CSARule27H).is_some() {
        facts.push(Fact::MissedDeclaration);
    }
    if judged.best.first() == Some(&judged.mv) {
        // The engine's own choice: no mistake it knows of.
        return facts;
    }
    let had_mate = wins(judged.before, judged.color);
    let has_mate = wins(judged.after, judged.color);
    if let (Some(plies), None) = (had_mate, has_mate) {
        facts.push(Fact::MissedMate { plies });
    }
    if let (None, Some(plies)) = (wins(judged.before, !judged.color), wins(judged.after, !judged.color)) {
        facts.push(Fact::AllowedMate { plies });
    }
    if facts.is_empty() && judged.mark >= Mark::Inaccuracy {
        let mut played = vec![judged.mv];
        played.extend(&judged.reply);
        let with_move = swing(before, &played, judged.color);
        let with_best = swing(before, &judged.best, judged.color);
        let loss = with_best.gain - with_move.gain;
        if loss >= MATERIAL_LOSS
            && with_move.gain < 0
            && let Some(kind) = with_move.lost
        {
            // A capture counts twice: one side loses the piece, the other gains it.
            facts.push(Fact::LostMaterial { kind, value: loss as u32 / 2 });
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::move_judgement::Phase;
    use crate::record::NodeId;
    use crate::types::Color;

    fn judged(before: Evaluation, after: Evaluation) -> MoveJudgement {
        MoveJudgement {
            node: NodeId::ROOT,
            ply: 1,
            mv: "7g7f".parse().unwrap(),
            color: Color::Black,
            before,
            after,
            best: Vec::new(),
            reply: Vec::new(),
            loss: 0.3,
            mark: Mark::Blunder,
            phase: Phase::Opening,
            facts: Vec::new(),
        }
    }

    #[test]
    fn mates_missed_and_allowed() {
        let mate = |winner, plies| Evaluation::Mate { winner, plies };
        let position = Position::startpos();
        let found = |before, after| facts(&position, &judged(before, after));
        assert_eq!(found(mate(Color::Black, Some(5)), Evaluation::Cp(100)), [Fact::MissedMate { plies: Some(5) }]);
        assert_eq!(found(Evaluation::Cp(0), mate(Color::White, Some(6))), [Fact::AllowedMate { plies: Some(6) }]);
        assert_eq!(
            found(mate(Color::Black, Some(5)), mate(Color::White, None)),
            [Fact::MissedMate { plies: Some(5) }, Fact::AllowedMate { plies: None }]
        );
        assert_eq!(found(mate(Color::Black, Some(5)), mate(Color::Black, Some(8))), []);
        assert_eq!(found(mate(Color::White, Some(6)), mate(Color::White, Some(3))), []);
    }

    #[test]
    fn a_declaration_that_was_not_made() {
        let sfen = "+R+B+B+R1K3/GGGG1SS2/SS7/9/9/9/9/9/4k4 b 18P4L4N 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mut judged = judged(Evaluation::Cp(0), Evaluation::Cp(0));
        judged.mv = "P*5e".parse().unwrap();
        assert_eq!(facts(&position, &judged), [Fact::MissedDeclaration]);
    }
}
