//! Every margin and weight of the search, in one table.
//!
//! Normally each is a constant. With the feature `tune` each is a variable that [`set`] changes, so that `hagane tune`
//! can say which way it should go, and a tuner (SPSA) can reach it through a USI option of the same name. The starting
//! values are those that the field has arrived at for Stockfish and YaneuraOu (2023-2026), rounded; what was tuned here
//! is said in the commit that changed it.

/// One tunable: what a tuner needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Name, also of the USI option.
    pub name: &'static str,
    /// Value now.
    pub value: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// The size of a tuner's first steps.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])+ $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(#[allow(non_upper_case_globals)] pub static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        $(
            $(#[$doc])+
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return values::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// Every tunable with its value now.
        pub fn all() -> Vec<Tunable> {
            vec![$(Tunable {
                name: stringify!($name),
                value: $name(),
                min: $min,
                max: $max,
                step: $step,
            }),*]
        }

        /// Sets a tunable; `false` where there is none of that name or the value is out of its range. Without the
        /// feature `tune` nothing can be set.
        pub fn set(name: &str, value: i32) -> bool {
            #[cfg(feature = "tune")]
            {
                $(if name == stringify!($name) && ($min..=$max).contains(&value) {
                    values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    return true;
                })*
            }
            let _ = (name, value);
            false
        }
    };
}

/// Whether a step of the search, by its number in `negamax`, is kept. All are; with the feature `tune` the option
/// `left_out` names one to do without, so that a match can tell what it is worth.
#[inline(always)]
pub(super) fn keeps(step: i32) -> bool {
    left_out() != step
}

tunables! {
    /// No margin: the step of the search to do without, 0 for none.
    left_out = 0, 0..=26, 1;
    /// Aspiration: half the first window.
    aspiration_window = 14, 5..=40, 3;
    /// Aspiration: growth of the window at each failure, in percent.
    aspiration_growth = 40, 10..=120, 8;
    /// Razoring: margin at depth 0.
    razor_base = 270, 150..=1000, 50;
    /// Razoring: growth with the square of the depth.
    razor_square = 115, 80..=500, 25;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility = 79, 30..=180, 8;
    /// Reverse futility: what of a ply's margin is taken off where the table knows nothing of an expected cut node.
    reverse_futility_certain = 15, 0..=60, 5;
    /// Reverse futility: what of a ply's margin an improving side is spared, in 1/1024.
    reverse_futility_improving = 1530, 0..=3000, 120;
    /// Reverse futility: share of the last move's history that widens the margin (divisor).
    reverse_futility_history = 331, 100..=1000, 40;
    /// Reverse futility: share of the evaluation's correction that widens the margin (divisor, in 1000).
    reverse_futility_correction = 160, 60..=500, 25;
    /// Reverse futility: plies from which it is not tried.
    reverse_futility_depth = 15, 5..=25, 1;
    /// Reverse futility: what the value keeps of the surplus over beta, in 1/96.
    reverse_futility_trust = 36, 0..=96, 8;
    /// Null move: the static value may lie below beta by this for each ply of depth.
    null_slope = 10, 5..=45, 3;
    /// Null move: the static value must exceed beta by this less the slope.
    null_base = 250, 100..=700, 30;
    /// Null move: reduction at depth 0, in 1/16 ply.
    null_reduction = 112, 56..=160, 6;
    /// Null move: divisor of the depth that adds to the reduction, in 1/16.
    null_depth_divisor = 49, 24..=96, 4;
    /// Improving: so far above beta a static value always counts as that.
    improving_beyond = 110, 0..=300, 15;
    /// Depth in hindsight: what both sides' static values may disagree by before a reduced search needs a ply less.
    hindsight_margin = 170, 50..=400, 25;
    /// ProbCut: how far above beta a capture has to prove itself.
    probcut_margin = 118, 80..=400, 16;
    /// ProbCut: what an improving side is spared of it.
    probcut_improving = 34, 0..=150, 8;
    /// ProbCut by the table alone: margin above beta.
    probcut_table_margin = 200, 200..=800, 30;
    /// ProbCut: plies that its searches are shallower.
    probcut_reduction = 6, 2..=8, 1;
    /// Late moves: quiet moves tried at depth 0.
    late_moves_base = 2, 1..=10, 1;
    /// Late moves: growth of that with the square of the depth, in 1/64.
    late_moves_square = 64, 24..=160, 8;
    /// Futility of captures: base margin.
    capture_futility_base = 129, 80..=500, 20;
    /// Futility of captures: margin for each ply.
    capture_futility_slope = 180, 80..=400, 20;
    /// Futility of captures: history's weight, in 1/1024.
    capture_futility_history = 115, 0..=400, 20;
    /// SEE pruning of captures and checks: margin for each ply.
    capture_see_slope = 125, 50..=300, 12;
    /// SEE pruning of captures and checks: history's weight (divisor).
    capture_see_history = 29, 10..=100, 4;
    /// History pruning of quiet moves: margin for each ply.
    history_pruning = 4700, 1500..=8000, 300;
    /// Futility of quiet moves: base margin where no move has raised alpha.
    futility_base = 110, 60..=400, 16;
    /// Futility of quiet moves: base margin after a move that raised alpha.
    futility_base_best = 28, 0..=200, 10;
    /// Futility of quiet moves: margin for each ply.
    futility_slope = 66, 50..=250, 10;
    /// Futility of quiet moves: wider by this where the static value is above alpha.
    futility_above_alpha = 90, 0..=250, 15;
    /// Pruning of quiet moves: history that is worth a ply.
    futility_history = 3400, 1000..=8000, 400;
    /// SEE pruning of quiet moves: factor of the square of the reduced depth.
    quiet_see_square = 32, 8..=60, 3;
    /// Singular extension: margin for each ply of depth, in 1/64.
    singular_margin = 71, 20..=150, 6;
    /// Singular extension: more of it for nodes that were on a principal variation, in 1/64.
    singular_margin_pv = 80, 0..=200, 8;
    /// Double extension: how far below the singular bound the others must stay.
    double_margin = 5, -30..=60, 5;
    /// Double extension: more of it at nodes of the principal variation.
    double_margin_pv = 245, 50..=400, 20;
    /// Double extension: less of it where the table move is quiet.
    double_margin_quiet = 200, 50..=400, 20;
    /// Triple extension: how far below the singular bound the others must stay.
    triple_margin = 73, 30..=200, 8;
    /// Triple extension: more of it at nodes of the principal variation.
    triple_margin_pv = 280, 100..=500, 20;
    /// Triple extension: less of it where the table move is quiet.
    triple_margin_quiet = 230, 80..=450, 20;
    /// Triple extension: more of it for nodes that were on a principal variation.
    triple_margin_on_pv = 90, 0..=200, 12;
    /// Negative extension, in plies: other moves are near and the table's score is above beta.
    singular_less_beta = 3, 0..=4, 1;
    /// Negative extension, in plies: other moves are near at an expected cut node.
    singular_less_cut = 2, 0..=4, 1;
    /// Reductions: factor of each logarithm, in 1/128.
    reduction_factor = 2700, 2000..=3600, 60;
    /// Reductions: constant part, in 1/1024 ply.
    reduction_base = 920, 600..=1800, 60;
    /// Reductions: what a node that was on a principal variation adds before it takes off more, in 1/1024 ply.
    reduction_on_pv = 950, 0..=2000, 80;
    /// Reductions: added to every move.
    reduction_start = 360, -600..=1200, 80;
    /// Reductions: taken off for each move before.
    reduction_number = 66, 0..=150, 8;
    /// Reductions: what a correction takes off (divisor, in 100).
    reduction_correction = 235, 100..=900, 40;
    /// Reductions: what a wide window takes off, in 1/1024 ply of the whole root window.
    reduction_window = 620, 200..=1200, 50;
    /// Reductions: what not improving adds, in 1/512 of the scale.
    reduction_not_improving = 230, 60..=500, 20;
    /// Reductions: what a node that was on a principal variation takes off first.
    reduction_pv = 2490, 1200..=3600, 120;
    /// Reductions: taken off such a node besides if it is on one now.
    reduction_pv_node = 930, 0..=2000, 100;
    /// Reductions: taken off such a node besides if the table's score is above alpha.
    reduction_pv_score = 900, 0..=2000, 100;
    /// Reductions: taken off such a node besides if the table's depth is enough.
    reduction_pv_deep = 940, 0..=2000, 100;
    /// Reductions: taken off such a node besides if it is an expected cut node too.
    reduction_pv_cut = 1180, 0..=2400, 100;
    /// Reductions: added at an expected cut node.
    reduction_cut_node = 2860, 1500..=4000, 120;
    /// Reductions: added there besides without a table move.
    reduction_cut_no_move = 970, 0..=2000, 100;
    /// Reductions: added where the table move is a capture.
    reduction_table_capture = 1050, 400..=2000, 80;
    /// Reductions: added where the next ply has often failed high.
    reduction_cutoffs = 1000, 400..=2000, 80;
    /// Reductions: added there besides at an expected all node.
    reduction_cutoffs_all = 850, 0..=2000, 100;
    /// Reductions: taken off the table move.
    reduction_table_move = 2000, 1000..=3000, 100;
    /// Reductions: history's weight, in 1/8192 ply for each point.
    reduction_history = 740, 300..=1500, 60;
    /// Reductions: moves that give check are reduced less by this.
    reduction_check = 600, 0..=1500, 80;
    /// Searches of first moves: what is added to their reduction without a table move.
    full_search_no_move = 1100, 0..=2500, 120;
    /// Searches of first moves: the reduction from which they are a ply shallower.
    full_search_reduced = 3400, 1500..=6000, 250;
    /// Searches of first moves: the reduction from which they are two plies shallower.
    full_search_reduced_more = 4650, 2500..=9000, 300;
    /// After a reduced search: how far above the best a value must be for a deeper re-search.
    deeper_margin = 42, 10..=120, 6;
    /// After a reduced search: a value less than this above the best is searched again a ply shallower.
    shallower_margin = 13, 0..=40, 3;
    /// Quiescence: what a capture may gain besides its victim.
    quiescence_margin = 180, 120..=600, 20;
    /// Quiescence: moves after which only recaptures and checks are tried.
    quiescence_moves = 2, 1..=8, 1;
    /// Quiescence: material that a capture may lose in exchanges.
    quiescence_see = 50, 0..=250, 15;
    /// Quiescence: the record that quiet evasions after the first need.
    quiescence_evasion = 6300, -2000..=14000, 700;
    /// History bonus: growth with depth.
    bonus_slope = 150, 60..=250, 10;
    /// History bonus: constant taken off.
    bonus_offset = 92, 0..=200, 10;
    /// History bonus: largest value.
    bonus_limit = 1720, 800..=2800, 100;
    /// History malus: growth with depth.
    malus_slope = 750, 300..=1200, 50;
    /// History malus: constant taken off.
    malus_offset = 230, 0..=500, 25;
    /// History malus: largest value.
    malus_limit = 2200, 1000..=3500, 120;
    /// Move order: what a bishop or rook gains that leaves a threat by a cheaper piece, or loses that enters one.
    threat = 14200, 0..=30000, 1200;
    /// Move order: quiet moves ranked above minus this come before bad captures.
    good_quiet = 14000, 0..=30000, 1500;
    /// Move order: share of a capture's rank that it may lose and still be a good one (divisor).
    good_capture_rank = 18, 6..=60, 2;
    /// Correction: weight of the pawn structure.
    correction_pawn = 10600, 3000..=18000, 700;
    /// Correction: weight of the small pieces.
    correction_minor = 8500, 3000..=18000, 700;
    /// Correction: weight of each side's pieces other than pawns.
    correction_pieces = 8950, 3000..=18000, 700;
    /// Correction: weight of the hands.
    correction_hand = 6000, 0..=18000, 700;
    /// Correction: weight of the last two moves.
    correction_moves = 7100, 3000..=18000, 700;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_within_their_ranges_and_names_are_unique() {
        let all = all();
        for (i, tunable) in all.iter().enumerate() {
            assert!((tunable.min..=tunable.max).contains(&tunable.value) && tunable.step > 0, "{tunable:?}");
            assert!(all[..i].iter().all(|other| other.name != tunable.name));
            assert!(!set(tunable.name, tunable.max + 1));
        }
        assert!(!set("no_such_margin", 1));
        assert_eq!(set(all[0].name, all[0].value), cfg!(feature = "tune"), "only the feature makes them variable");
    }
}
