//! Every margin and weight of the search, in one table.
//!
//! Normally each is a constant. With the feature `tune` each is a variable that [`set`] changes, so that `hagane tune`
//! can measure it and a tuner (SPSA) can set it through a USI option of the same name. The first values were those of
//! Stockfish and YaneuraOu (2023-2026), rounded; commits that changed them say how they were measured. Margins are
//! centipawns and depths plies unless said otherwise.

/// One parameter as a tuner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Name, also of the USI option.
    pub name: &'static str,
    /// Current value.
    pub value: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// The size of a tuner's first steps.
    pub step: i32,
}

/// An amount that counts where a condition holds, 0 elsewhere.
#[inline(always)]
pub(super) const fn when(condition: bool, amount: i32) -> i32 {
    if condition { amount } else { 0 }
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
            #[inline]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return values::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// Every parameter with its current value.
        pub fn all() -> Vec<Tunable> {
            vec![$(Tunable {
                name: stringify!($name),
                value: $name(),
                min: $min,
                max: $max,
                step: $step,
            }),*]
        }

        /// Sets a parameter; `false` where there is none of that name or the value is out of its range. Without the
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

tunables! {
    // Root.
    /// Aspiration: half the first window.
    aspiration_window = 5, 5..=40, 3;
    /// Aspiration: iteration from which the window is not open.
    aspiration_depth = 4, 2..=10, 1;
    /// Aspiration: the mean square of the scores widens the window (divisor).
    aspiration_average = 9000, 4000..=40000, 1500;
    /// Aspiration: growth of the window at each failure, in percent.
    aspiration_growth = 33, 10..=120, 8;
    /// Aspiration: half the window beyond which it is opened on the side where it failed.
    aspiration_widest = 1200, 400..=3000, 150;

    // Table cut-offs (step 4).
    /// Table cut-offs: up to this depth the result must agree with what is expected of the node.
    tt_cutoff_depth = 5, 0..=12, 1;
    /// Table cut-offs: largest bonus of the table's quiet move.
    tt_cutoff_bonus_limit = 1000, 300..=2500, 120;
    /// Table cut-offs: number of the opponent's previous move up to which it gets a malus.
    tt_cutoff_early_moves = 3, 1..=8, 1;
    /// Table cut-offs: malus of the opponent's previous move.
    tt_cutoff_malus = 2100, 500..=4000, 200;

    // Before the moves (steps 5 to 14).
    /// Mate tests: depth from which a node of the principal variation is tested.
    mate_test_depth = 2, 1..=12, 1;
    /// Mate tests: their share of all nodes (divisor).
    mate_test_share = 16, 8..=500, 4;
    /// Mate tests: the part of what is left of it for one position (divisor).
    mate_test_part = 4, 1..=32, 1;
    /// Mate tests: the least nodes for one position.
    mate_test_nodes = 300, 50..=5000, 50;
    /// Mate in one: how much deeper than the node its table entry is.
    mate_entry_depth = 6, 0..=12, 1;
    /// Eval swing: weight of the swing in the last move's bonus.
    swing_factor = 10, 2..=20, 1;
    /// Eval swing: lower limit of the weighted swing (negative).
    swing_min = 1900, 800..=3500, 150;
    /// Eval swing: upper limit of the weighted swing.
    swing_max = 1500, 800..=3500, 150;
    /// Eval swing: added to the weighted swing.
    swing_offset = 600, 0..=1500, 80;
    /// Eval swing: weight in butterfly history, in 1/240.
    swing_butterfly = 225, 60..=500, 30;
    /// Eval swing: weight in pawn history, in 1/240.
    swing_pawn = 220, 60..=700, 40;
    /// Hindsight: prior reduction from which the ply is given back.
    hindsight_deeper = 3, 1..=6, 1;
    /// Hindsight: prior reduction from which a ply may be taken off.
    hindsight_shallower = 2, 1..=6, 1;
    /// Hindsight: disagreement of both sides' static evaluations that takes a ply off.
    hindsight_margin = 170, 50..=400, 25;
    /// Razoring: margin at depth 0.
    razor_base = 502, 150..=1000, 50;
    /// Razoring: growth with the square of the depth.
    razor_square = 306, 80..=500, 25;
    /// Reverse futility: margin at depth 0.
    reverse_futility_base = 200, 0..=500, 20;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility = 65, 20..=180, 5;
    /// Reverse futility: how far below beta the evaluation may lie where the outlook makes up for it.
    reverse_futility_below = 100, 0..=300, 20;
    /// Reverse futility: depth from which it is not tried.
    reverse_futility_depth = 15, 5..=25, 1;
    /// Reverse futility: part of the surplus over beta in the value returned, in 1/96.
    reverse_futility_trust = 32, 0..=96, 8;
    /// Outlook: added for an improving side.
    outlook_improving = 76, 0..=200, 10;
    /// Outlook: taken off where the opponent is worsening.
    outlook_worsening = 37, -100..=150, 10;
    /// Outlook: added at an expected cut node.
    outlook_cut_node = 181, 0..=400, 15;
    /// Outlook: taken off where the table knows the position.
    outlook_known = 80, -50..=200, 10;
    /// Outlook: added where the table's move is a capture.
    outlook_table_capture = 228, 0..=400, 20;
    /// Outlook: part of the evaluation's correction added once more, in percent.
    outlook_correction = 85, 0..=200, 10;
    /// Outlook: part of the size of the evaluation's correction taken off, in percent.
    outlook_uncertainty = 51, 0..=200, 10;
    /// Outlook: taken off for each 8192 points of the last move's history.
    outlook_last_history = 48, 0..=150, 6;
    /// Outlook: added for the last move's number.
    outlook_last_number = 7, 0..=20, 1;
    /// Outlook: numbers of the last move beyond this say no more.
    outlook_number_limit = 30, 5..=80, 5;
    /// Outlook: added for each ply of the last move's reduction.
    outlook_last_reduction = 9, 0..=40, 2;
    /// Outlook: taken off after a capture.
    outlook_captured = 27, -50..=150, 8;
    /// Outlook: taken off after an evasion.
    outlook_evasion = 63, 0..=200, 10;
    /// Null move: the static evaluation may lie below beta by this for each ply of depth.
    null_slope = 16, 5..=45, 3;
    /// Null move: the static evaluation must exceed beta by this less the slope.
    null_base = 378, 100..=700, 30;
    /// Null move: the same for an improving side, besides.
    null_improving = 53, 0..=200, 10;
    /// Null move: reduction at depth 0, in 1/16 ply.
    null_reduction = 112, 56..=160, 6;
    /// Null move: divisor of the depth that adds to the reduction, in 1/16.
    null_depth_divisor = 48, 24..=96, 4;
    /// Null move: depth from which its result is verified.
    null_verify_depth = 16, 8..=30, 1;
    /// Null move: part of the reduced depth in which a verification allows no null move, in quarters.
    null_verify_plies = 3, 0..=4, 1;
    /// Internal iterative reduction: depth from which it applies.
    iir_depth = 6, 2..=12, 1;
    /// Internal iterative reduction: prior reduction up to which it applies.
    iir_reduction = 3, 0..=8, 1;
    /// ProbCut: margin above beta.
    probcut_margin = 224, 80..=400, 16;
    /// ProbCut: taken off the margin for an improving side.
    probcut_improving = 61, 0..=150, 8;
    /// ProbCut: depth from which captures are tried.
    probcut_depth = 3, 2..=8, 1;
    /// ProbCut: how many plies shallower its searches are.
    probcut_reduction = 4, 2..=8, 1;
    /// Small ProbCut: margin above beta.
    probcut_table_margin = 416, 200..=800, 30;
    /// Small ProbCut: how many plies shallower the entry may be.
    probcut_table_depth = 4, 1..=8, 1;

    // Pruning of a move (step 16).
    /// Late moves: number of moves tried at depth 0.
    late_moves_base = 3, 1..=10, 1;
    /// Late moves: growth of that with the square of the depth, in 1/64.
    late_moves_square = 64, 24..=160, 8;
    /// Late moves: depth up to which quiet checks are tried nevertheless.
    late_check_depth = 2, 0..=8, 1;
    /// Futility of captures: base margin.
    capture_futility_base = 218, 80..=500, 20;
    /// Futility of captures: margin for each ply.
    capture_futility_slope = 223, 80..=400, 20;
    /// Futility of captures: weight of history, in 1/1024.
    capture_futility_history = 131, 0..=400, 20;
    /// Futility of captures: reduced depth from which it is not tried.
    capture_futility_depth = 7, 2..=12, 1;
    /// SEE pruning of captures and checks: margin for each ply.
    capture_see_slope = 167, 50..=300, 12;
    /// SEE pruning of captures and checks: part of history added to the margin (divisor).
    capture_see_history = 30, 10..=100, 4;
    /// History pruning of quiet moves: margin for each ply.
    history_pruning = 4097, 1500..=8000, 300;
    /// Futility of quiet moves: base margin where no move has raised alpha.
    futility_base = 193, 60..=400, 16;
    /// Futility of quiet moves: base margin after a move that raised alpha.
    futility_base_best = 42, 0..=200, 10;
    /// Futility of quiet moves: margin for each ply.
    futility_slope = 120, 50..=250, 10;
    /// Futility of quiet moves: added to the margin where the static evaluation is above alpha.
    futility_above_alpha = 86, 0..=250, 15;
    /// Futility of quiet moves: weight of butterfly history beside the others.
    futility_butterfly = 1, 0..=6, 1;
    /// Futility of quiet moves: history that is worth a ply.
    futility_history = 4220, 1000..=8000, 400;
    /// Futility of quiet moves: reduced depth from which it is not tried.
    futility_depth = 13, 4..=18, 1;
    /// SEE pruning of quiet moves: factor of the square of the reduced depth.
    quiet_see_square = 25, 8..=60, 3;

    // Extensions (step 17).
    /// Singular extension: depth from which it is tested.
    singular_depth = 7, 3..=12, 1;
    /// Singular extension: finished iteration beyond which it is tested a ply earlier.
    singular_late = 27, 10..=60, 3;
    /// Singular extension: how many plies shallower the table's entry may be.
    singular_tt_depth = 3, 1..=6, 1;
    /// Singular extension: margin for each ply of depth, in 1/64.
    singular_margin = 70, 20..=150, 6;
    /// Singular extension: added to that for nodes that were on a principal variation, in 1/64.
    singular_margin_pv = 77, 0..=200, 8;
    /// Double and triple extension: part of the evaluation's correction taken off both margins (divisor, in 1000).
    singular_correction = 211, 80..=800, 30;
    /// Double extension: how far below the singular bound the other moves must stay.
    double_margin = -4, -30..=60, 5;
    /// Double extension: added at nodes of the principal variation.
    double_margin_pv = 212, 50..=400, 20;
    /// Double extension: taken off where the table's move is quiet.
    double_margin_quiet = 182, 50..=400, 20;
    /// Triple extension: how far below the singular bound the other moves must stay.
    triple_margin = 73, 30..=200, 8;
    /// Triple extension: added at nodes of the principal variation.
    triple_margin_pv = 320, 100..=500, 20;
    /// Triple extension: taken off where the table's move is quiet.
    triple_margin_quiet = 218, 80..=450, 20;
    /// Triple extension: added for nodes that are or were on a principal variation.
    triple_margin_tt_pv = 92, 0..=200, 12;
    /// Double extension: part of the record of table moves taken off (divisor).
    double_margin_record = 139, 50..=1000, 20;
    /// Double and triple extension: taken off both margins beyond the depth of the iteration.
    multi_extension_deep = 44, 0..=150, 8;
    /// Record of table moves: gain where the best move is the table's.
    table_record_gain = 805, 200..=2000, 80;
    /// Record of table moves: loss where it is another.
    table_record_loss = 787, 200..=2000, 80;
    /// Record of table moves: loss at a multi-cut.
    table_record_cut = 400, 0..=2000, 80;
    /// Record of table moves: growth of that loss with depth.
    table_record_cut_slope = 100, 0..=400, 20;
    /// Negative extension, in plies: not singular, and the table's score is above beta.
    singular_less_beta = 3, 0..=4, 1;
    /// Negative extension, in plies: not singular at an expected cut node.
    singular_less_cut = 2, 0..=4, 1;

    // Reductions (step 19), in 1/1024 ply unless said otherwise.
    /// Reductions: factor of each logarithm, in 1/128.
    reduction_factor = 2913, 2000..=3600, 60;
    /// Reductions: constant part.
    reduction_base = 1133, 600..=1800, 60;
    /// Reductions: added for a node that is or was on a principal variation, before more is taken off.
    reduction_tt_pv = 1013, 0..=2000, 80;
    /// Reductions: added to every move that is not pruned.
    reduction_start = 691, -600..=1200, 80;
    /// Reductions: taken off for each move before.
    reduction_number = 46, 0..=150, 8;
    /// Reductions: part of the evaluation's correction taken off (divisor, in 100).
    reduction_correction = 256, 100..=900, 40;
    /// Reductions: taken off for a window as wide as the root's.
    reduction_window = 585, 200..=1200, 50;
    /// Reductions: added where the side to move is not improving, in 1/512 of the logarithms' product.
    reduction_not_improving = 206, 60..=500, 20;
    /// Reductions: taken off at a node that is or was on a principal variation.
    reduction_pv = 2819, 1200..=3600, 120;
    /// Reductions: taken off such a node besides if it is on one now.
    reduction_pv_node = 973, 0..=2000, 100;
    /// Reductions: taken off such a node besides if the table's score is above alpha.
    reduction_pv_score = 905, 0..=2000, 100;
    /// Reductions: taken off such a node besides if the table's depth is enough.
    reduction_pv_deep = 935, 0..=2000, 100;
    /// Reductions: taken off such a node besides if it is an expected cut node too.
    reduction_pv_cut = 959, 0..=2400, 100;
    /// Reductions: added at an expected cut node.
    reduction_cut_node = 3611, 1500..=4000, 120;
    /// Reductions: added there besides without a table move.
    reduction_cut_no_move = 985, 0..=2000, 100;
    /// Reductions: added where the table's move is a capture.
    reduction_table_capture = 1054, 400..=2000, 80;
    /// Reductions: added where the next ply has failed high more than once.
    reduction_cutoffs = 251, 251..=2000, 80;
    /// Reductions: added besides where it has failed high more than twice.
    reduction_cutoffs_many = 1124, 0..=2000, 80;
    /// Reductions: added in both cases at an expected all node.
    reduction_cutoffs_all = 1042, 0..=2000, 100;
    /// Reductions: taken off the table's move.
    reduction_table_move = 2239, 1000..=3000, 100;
    /// Reductions: weight of history, in 1/8192 for each point.
    reduction_history = 856, 300..=1500, 60;
    /// Reductions: growth at an expected all node, divided by its depth, in 1/256 of themselves.
    reduction_all_node = 273, 0..=600, 20;
    /// Reductions: taken off a quiet check.
    reduction_check = 1200, 0..=3000, 100;
    /// Reductions: added to a quiet move that loses material.
    reduction_losing = 800, 0..=3000, 100;
    /// Reductions: taken off a quiet move that threatens to win material.
    reduction_threat = 500, 0..=3000, 100;
    /// Reductions: what it must threaten to win.
    threat_gain = 200, 0..=500, 20;
    /// Reductions: taken off a piece that leaves a square where it is lost.
    reduction_escape = 600, 0..=3000, 100;
    /// Reductions: taken off a quiet move to within two squares of the enemy king.
    reduction_near_king = 300, 0..=3000, 100;
    /// Reductions: added to quiet moves after a capture.
    reduction_captured = 450, 0..=3000, 100;
    /// Reductions: added to quiet evasions after a capture.
    reduction_captured_check = 1000, 0..=3000, 100;
    /// Reductions: history of a capture: weight of what it gains, in 1/128.
    stat_capture_gain = 863, 0..=1294, 80;
    /// Reductions: history of a quiet move: weight of butterfly history.
    stat_butterfly = 1, 0..=6, 1;

    // Searching a move (steps 20 to 24).
    /// Re-search: how far above the best score a reduced search must come out to be repeated deeper.
    deeper_margin = 48, 10..=120, 6;
    /// Re-search: a score less than this above the best one is verified a ply shallower.
    shallower_margin = 9, 0..=40, 3;
    /// Re-search: continuation history's bonus for a move whose reduced search raised alpha.
    reduced_success_bonus = 1400, 300..=3000, 150;
    /// Unreduced searches: added to the reduction without a table move, in 1/1024 ply.
    full_search_no_move = 1100, 0..=2500, 120;
    /// Unreduced searches: reduction beyond which they are a ply shallower, in 1/1024 ply.
    full_search_reduced = 4628, 1500..=6000, 250;
    /// Unreduced searches: reduction beyond which they are two plies shallower, in 1/1024 ply.
    full_search_reduced_more = 5772, 2500..=9000, 300;
    /// Raised alpha: depth above which the moves after it are searched less deep.
    raised_alpha_min_depth = 2, 2..=6, 1;
    /// Raised alpha: depth from which they are not.
    raised_alpha_max_depth = 14, 6..=30, 1;
    /// Raised alpha: plies taken off, at most `raised_alpha_min_depth`, or no depth would be left.
    raised_alpha_reduction = 2, 0..=2, 1;

    // Quiescence.
    /// Quiescence: what a capture may gain besides its victim.
    quiescence_margin = 328, 120..=600, 20;
    /// Quiescence: number of moves after which only recaptures and checks are tried.
    quiescence_moves = 2, 1..=8, 1;
    /// Quiescence: material that a capture may lose in exchanges.
    quiescence_see = 73, 0..=250, 15;

    // Histories: limits of their entries, and weights of bonuses there, in 1/1024.
    /// Butterfly and low-ply history: limit of an entry.
    butterfly_limit = 5700, 3000..=16000, 600;
    /// Capture history: limit of an entry.
    capture_limit = 10700, 4000..=20000, 800;
    /// Continuation history: limit of an entry.
    continuation_limit = 30000, 12000..=32000, 1500;
    /// Pawn history: limit of an entry.
    pawn_limit = 8192, 3000..=16000, 600;
    /// Continuation history, 1 ply back: weight of a bonus.
    continuation_weight_1 = 1108, 300..=2000, 80;
    /// Continuation history, 2 plies back: weight of a bonus.
    continuation_weight_2 = 652, 100..=1500, 60;
    /// Continuation history, 3 plies back: weight of a bonus.
    continuation_weight_3 = 273, 0..=1000, 50;
    /// Continuation history, 4 plies back: weight of a bonus.
    continuation_weight_4 = 572, 100..=1500, 60;
    /// Continuation history, 5 plies back: weight of a bonus.
    continuation_weight_5 = 126, 0..=1000, 40;
    /// Continuation history, 6 plies back: weight of a bonus.
    continuation_weight_6 = 449, 0..=1200, 50;
    /// Continuation history, 1 ply back: added to every bonus and malus.
    continuation_nearest = 88, 0..=300, 10;
    /// Quiet moves: weight of a bonus in low-ply history.
    quiet_low_ply_weight = 792, 200..=1600, 60;
    /// Quiet moves: weight of a bonus in continuation history.
    quiet_continuation_weight = 950, 300..=1800, 60;
    /// Quiet moves: weight of a bonus in pawn history.
    quiet_pawn_bonus_weight = 850, 200..=1600, 60;
    /// Quiet moves: weight of a malus in pawn history.
    quiet_pawn_malus_weight = 550, 100..=1400, 60;

    // Updates of histories (step 26).
    /// Bonus: growth with depth.
    bonus_slope = 128, 60..=250, 10;
    /// Bonus: constant taken off.
    bonus_offset = 77, 0..=200, 10;
    /// Bonus: largest value.
    bonus_limit = 1529, 800..=2800, 100;
    /// Bonus: added if the best move is the table's.
    bonus_tt_move = 353, 0..=1000, 50;
    /// Bonus: part of the previous move's history added (divisor).
    bonus_previous = 32, 8..=500, 8;
    /// Bonus: weight for a capture, in 1/240.
    bonus_capture = 302, 100..=700, 30;
    /// Bonus: weight for a quiet move, in 1/240.
    bonus_quiet = 190, 80..=480, 20;
    /// Malus: growth with depth.
    malus_slope = 882, 300..=1200, 50;
    /// Malus: constant taken off.
    malus_offset = 204, 0..=500, 25;
    /// Malus: largest value.
    malus_limit = 2122, 1000..=3500, 120;
    /// Malus: weight for captures, in 1/240.
    malus_capture = 365, 100..=700, 30;
    /// Malus: weight for the first quiet move, in 1/1024.
    malus_quiet = 1116, 300..=2000, 60;
    /// Malus: what is left of it from one quiet move to the next, in 1/1024.
    malus_decay = 977, 700..=1024, 15;
    /// Malus: weight for the opponent's previous move if it was its first, in 1/240.
    malus_previous = 144, 0..=480, 20;
    /// Fail low: bonus of the opponent's previous move if it was a capture.
    prior_capture_bonus = 1080, 200..=2500, 120;
    /// Fail low: growth of the quiet bonus with depth.
    prior_bonus_slope = 144, 60..=300, 12;
    /// Fail low: constant taken off the quiet bonus.
    prior_bonus_offset = 92, 0..=200, 10;
    /// Fail low: largest quiet bonus.
    prior_bonus_limit = 1365, 500..=2800, 100;
    /// Fail low, scale of the quiet bonus: part of the move's history taken off (divisor).
    prior_stat_score = 104, 30..=400, 15;
    /// Fail low, scale of the quiet bonus: growth with depth.
    prior_depth = 63, 10..=150, 8;
    /// Fail low, scale of the quiet bonus: the most that depth adds.
    prior_depth_limit = 500, 150..=1000, 50;
    /// Fail low, scale of the quiet bonus: number beyond which the move was a late one.
    prior_late_moves = 8, 2..=20, 1;
    /// Fail low, scale of the quiet bonus: added for a late move.
    prior_late = 180, 0..=400, 20;
    /// Fail low, scale of the quiet bonus: how far the result lies below the static evaluation to count.
    prior_below_margin = 92, 20..=250, 12;
    /// Fail low, scale of the quiet bonus: added in that case.
    prior_below = 140, 0..=350, 20;
    /// Fail low, scale of the quiet bonus: how far the result lies below the opponent's static evaluation to count.
    prior_surprise_margin = 70, 20..=250, 12;
    /// Fail low, scale of the quiet bonus: added in that case.
    prior_surprise = 150, 0..=350, 20;
    /// Fail low, scale of the quiet bonus: constant taken off.
    prior_offset = 228, 0..=500, 25;
    /// Fail low: scaled bonus in continuation history (divisor).
    prior_continuation = 80, 20..=300, 10;
    /// Fail low: scaled bonus in butterfly history (divisor).
    prior_butterfly = 150, 40..=600, 20;
    /// Fail low: scaled bonus in pawn history (divisor).
    prior_pawn = 28, 8..=120, 4;

    // Move order.
    /// Captures: weight of what the move gains, beside capture history.
    capture_rank_value = 7, 2..=16, 1;
    /// Captures: part of its rank that a good capture may lose in exchanges (divisor).
    good_capture_rank = 18, 6..=60, 2;
    /// Quiet moves: weight of butterfly history, where continuation history further back counts once.
    quiet_butterfly_weight = 4, 1..=6, 1;
    /// Quiet moves: weight of pawn history.
    quiet_pawn_weight = 2, 0..=6, 1;
    /// Quiet moves: weight of continuation history of the last move.
    quiet_nearest_weight = 2, 1..=6, 1;
    /// Quiet moves: weight of low-ply history at the root, less with each ply.
    quiet_low_ply = 8, 0..=24, 1;
    /// Quiet moves: bonus for a check that does not lose material.
    quiet_check = 36000, 0..=90000, 1500;
    /// Quiet moves: material that such a check may lose all the same.
    quiet_check_see = 75, 0..=250, 12;
    /// Quiet moves: bonus for a bishop or rook, promoted or not, that leaves a square where it is lost.
    quiet_escape = 18000, 0..=40000, 1000;
    /// Quiet moves: what one may lose in exchanges without counting as losing.
    losing = 100, 0..=400, 10;
    /// Quiet moves: those ranked above minus this are asked whether they lose more.
    losing_asked = 6000, 0..=40000, 1000;
    /// Quiet moves: taken off the rank of one that loses more.
    losing_rank = 36000, 0..=90000, 1000;
    /// Quiet moves: those ranked above minus this come before bad captures.
    good_quiet = 21000, 0..=60000, 1500;

    // Correction of the static evaluation.
    /// Correction: weight of the pawn structure.
    correction_pawn = 12153, 3000..=18000, 700;
    /// Correction: weight of the minor pieces.
    correction_minor = 8620, 3000..=18000, 700;
    /// Correction: weight of each side's pieces other than pawns.
    correction_pieces = 12355, 3000..=18000, 700;
    /// Correction: weight of the last move, after the one before and after that of four plies back.
    correction_moves = 7982, 3000..=18000, 700;
    /// Correction: limit of an entry.
    correction_limit = 1024, 512..=2048, 64;
    /// Correction, learning: part of error times depth where a best move was found (divisor).
    correction_error_best = 10, 4..=30, 1;
    /// Correction, learning: part of error times depth where none was found (divisor).
    correction_error_none = 8, 4..=30, 1;
    /// Correction, learning: weight in the table of pawns, in 1/128.
    correction_learn_pawn = 128, 40..=300, 10;
    /// Correction, learning: weight in the table of minor pieces, in 1/128.
    correction_learn_minor = 150, 40..=300, 10;
    /// Correction, learning: weight in the tables of each side's pieces, in 1/128.
    correction_learn_pieces = 165, 40..=300, 10;
    /// Correction, learning: weight in the table of moves for the last two, in 1/128.
    correction_learn_moves = 137, 40..=300, 10;
    /// Correction, learning: weight there for the last move after that of four plies back, in 1/128.
    correction_learn_earlier = 70, 0..=300, 10;
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
