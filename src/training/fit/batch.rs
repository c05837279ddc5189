//! Batches: positions turned into rows and targets, ordered by dense stack.

use rayon::prelude::*;

use super::inputs::Inputs;
use super::loss::{Power, expectation};
use super::shape::Shape;
use crate::attack_terms::AttackTerms;
use crate::nnue::PLAYED_CENTIPAWNS;
use crate::position::Board;
use crate::position::Position;
use crate::position::packed::PackError;
use crate::training::data::phase::phase;
use crate::training::data::record::Psv;

/// Positions ready for the network, those of the first stack first.
#[derive(Default)]
pub struct Batch {
    /// For each position both perspectives' rows, the side to move's first.
    pub rows: Vec<u32>,
    /// The expected results that are to be learned: 0 loss .. 1 win of the side to move.
    pub targets: Vec<f32>,
    /// What the attack terms add to the network's output, in units: the network need not learn it. 0 for architectures
    /// that other engines load.
    pub terms: Vec<f32>,
    /// How many positions belong to each stack.
    pub stack_sizes: Vec<usize>,
    /// Each position's number in the list that the batch was made of.
    pub origin: Vec<u32>,
    /// The power of differences in the loss.
    pub power: Power,
}

/// How targets are made of scores and results, and the power of differences from them.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// The weight of the score's expectation; the game's result has the rest.
    pub lambda: f32,
    /// The scale of scores against results.
    pub scale: f32,
    /// The power of differences.
    pub power: Power,
}

impl Blend {
    /// What the side to move should expect of a record's position, 0..=1.
    #[inline]
    pub fn target(&self, record: &Psv) -> f32 {
        let expected = expectation(record.score() as f32, self.scale);
        match record.result() {
            // A draw does not say who is better, and positions outside games have no result.
            0 => expected,
            result => {
                let result = (f32::from(result) + 1.0) / 2.0;
                self.lambda * expected + (1.0 - self.lambda) * result
            }
        }
    }
}

impl Batch {
    /// Prepares a list of records. The order of equal stacks is kept.
    pub fn new(records: &[Psv], shape: &Shape, blend: Blend) -> Result<Self, PackError> {
        let stride = 2 * shape.inputs.stride();
        let mut rows = vec![0; records.len() * stride];
        let attack_terms = matches!(shape.inputs, Inputs::PieceSquare).then(AttackTerms::own);
        let labels: Vec<(f32, f32, usize)> = records
            .par_iter()
            .zip(rows.par_chunks_exact_mut(stride))
            .with_min_len(256)
            .map(|(record, rows)| {
                let position = record.position()?;
                let (friend, enemy) = rows.split_at_mut(stride / 2);
                shape.inputs.active(&position, position.side_to_move(), friend);
                shape.inputs.active(&position, !position.side_to_move(), enemy);
                let target = blend.target(record);
                let stack = if shape.stacks == 1 { 0 } else { phase(&position).min(shape.stacks - 1) };
                let terms = attack_terms.map_or(0.0, |terms| in_units(terms, &position));
                Ok((target, terms, stack))
            })
            .collect::<Result<_, PackError>>()?;
        let mut origin: Vec<u32> = (0..records.len() as u32).collect();
        origin.sort_by_key(|&index| labels[index as usize].2);
        let mut stack_sizes = vec![0; shape.stacks];
        for &(_, _, stack) in &labels {
            stack_sizes[stack] += 1;
        }
        let mut ordered = vec![0; rows.len()];
        ordered.par_chunks_exact_mut(stride).zip(&origin).with_min_len(1024).for_each(|(to, &from)| {
            to.copy_from_slice(&rows[from as usize * stride..][..stride]);
        });
        Ok(Self {
            rows: ordered,
            targets: origin.iter().map(|&index| labels[index as usize].0).collect(),
            terms: origin.iter().map(|&index| labels[index as usize].1).collect(),
            stack_sizes,
            origin,
            power: blend.power,
        })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

/// What the attack terms add to the output for a board: nothing where the rules do not allow it.
fn in_units(terms: &AttackTerms, board: &Board) -> f32 {
    let value = Position::from_board(board, 1).map_or(0, |position| terms.value(&position));
    value as f32 / PLAYED_CENTIPAWNS as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::record::Labelled;
    use crate::types::Score;

    /// The attack terms stay with their position when the batch is put in the order of the stacks.
    #[test]
    fn every_position_has_its_own_terms() {
        let sfens = [
            "4k4/9/9/4p4/4B4/9/9/9/4K4 b RGrg 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l5k1l/2s1g1gs1/p4pnp1/3Gp1p1p/9/1pP1P2R1/PP1G1PP1P/3K5/L6NL w RBN3Pb2snp 1",
        ];
        let positions = sfens.map(|sfen| Position::from_sfen(sfen).expect("a legal position"));
        let records: Vec<Psv> = positions
            .iter()
            .map(|position| Psv::encode(&Labelled::new(position, Score(100), None)).expect("it fits"))
            .collect();
        let blend = Blend { lambda: 1.0, scale: 480.0, power: Power::Two };
        let batch = Batch::new(&records, &Shape::own(128), blend).expect("records decode");
        assert_ne!(batch.origin, [0, 1, 2]);
        for (&origin, &terms) in batch.origin.iter().zip(&batch.terms) {
            let value = AttackTerms::own().value(&positions[origin as usize]);
            assert_ne!(value, 0);
            assert_eq!(terms * PLAYED_CENTIPAWNS as f32, value as f32);
        }
        assert!(Batch::new(&records, &Shape::HALFKP, blend).expect("records decode").terms.iter().all(|&x| x == 0.0));
    }
}
