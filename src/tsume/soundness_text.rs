//! What a check of soundness found, in English (moves in USI) and Japanese (the terms of problem-lovers, moves in KI2).

use super::check::{Cook, Deviation, Fault, Soundness};
use super::result::ProblemResult;
use crate::platform::wording::counted;
use crate::position::Board;
use crate::record::Language;
use crate::types::{Move, Square};

/// Moves that leave a solution; `ply` counts from 1.
pub(super) fn branch_text(result: &ProblemResult, ply: usize, moves: &str, language: Language) -> String {
    let parsed: Result<Vec<Move>, _> = moves.split_whitespace().map(str::parse).collect();
    let (Language::Japanese, Ok((mut diagram, _)), Ok(others)) = (language, Board::from_sfen(&result.sfen), parsed)
    else {
        return moves.to_owned();
    };
    let mut last_to: Option<Square> = None;
    for before in result.moves().into_iter().take(ply - 1) {
        if diagram.apply(before).is_err() {
            return moves.to_owned();
        }
        last_to = Some(before.to());
    }
    language.line_text(&diagram, &others, last_to)
}

/// The soundness of a problem.
pub fn soundness_text(result: &ProblemResult, check: &Soundness, language: Language) -> String {
    let japanese = language == Language::Japanese;
    let mut parts = vec![];
    parts.extend(check.stated.map(|stated| match japanese {
        true => format!("早詰（作意{stated}手）"),
        false => format!("shorter than the solution given ({})", counted(stated, "ply", "plies")),
    }));
    parts.extend(check.deviation.as_ref().map(|deviation| deviation_text(result, deviation, language)));
    if !check.left_over.is_empty() {
        parts.push(if japanese { "駒余り".to_owned() } else { format!("left over {}", check.left_over) });
    }
    let each = |ply: usize, moves: &[String]| -> String {
        moves.iter().map(|mv| branch_text(result, ply, mv, language)).collect::<Vec<_>>().join(" ")
    };
    if !check.first_moves.is_empty() {
        let name = if japanese { "余詰 初手" } else { "other first moves " };
        parts.push(format!("{name}{}", each(1, &check.first_moves)));
    }
    parts.extend(check.cooks.iter().map(|cook| cook_text(result, cook, language)));
    for (branches, english, in_japanese) in [
        (&check.equal_variations, "as good", "変同"),
        (&check.slower_variations, "a slower mate as long as the answer", "変別"),
    ] {
        for branch in branches {
            let (ply, moves) = (branch.ply, branch_text(result, branch.ply, &branch.moves, language));
            parts.push(match japanese {
                true => format!("{in_japanese} {ply}手目{moves}"),
                false => format!("ply {ply} {english}: {moves}"),
            });
        }
    }
    if check.undecided > 0 {
        parts.push(match japanese {
            true => format!("未確定{}", check.undecided),
            false => format!("{} undecided", counted(check.undecided, "question", "questions")),
        });
    }
    let verdict = match (japanese, check.sound) {
        (false, true) => "sound",
        (false, false) => "unsound",
        (true, true) => "完全",
        (true, false) => "不完全",
    };
    parts.insert(0, verdict.to_owned());
    parts.join(if japanese { "；" } else { "; " })
}

/// Where and why a solution that was given is not the answer.
fn deviation_text(result: &ProblemResult, deviation: &Deviation, language: Language) -> String {
    let Deviation { ply, fault, mv, better } = deviation;
    let text = |mv: &String| branch_text(result, *ply, mv, language);
    let given = if *fault == Fault::Illegal { mv.clone() } else { text(mv) };
    let better = better.iter().map(text).collect::<Vec<_>>().join(" ");
    if language == Language::Japanese {
        return match fault {
            Fault::Faster => format!("作意{ply}手目{given}より早く詰む {better}"),
            Fault::NoMate => format!("作意{ply}手目{given}は不詰"),
            Fault::Longer => format!("変長 {ply}手目{better}"),
            Fault::Cleaner => format!("作意{ply}手目{given}に代えて同手数駒余らず {better}"),
            Fault::Futile => format!("作意{ply}手目{given}は無駄合"),
            Fault::Illegal => format!("作意{ply}手目「{given}」は指せない"),
            Fault::TooLong => format!("作意は{ply}手目の前に詰んでいる"),
            Fault::Unfinished => "作意は詰みまで達していない".to_owned(),
        };
    }
    let at = format!("ply {ply} of the solution given");
    match fault {
        Fault::Faster => format!("{at}: {better} mates sooner than {given}"),
        Fault::NoMate => format!("{at}: {given} does not mate"),
        Fault::Longer => format!("{at}: {better} lasts longer than {given}"),
        Fault::Cleaner => format!("{at}: {better} lasts as long as {given} and leaves nothing over"),
        Fault::Futile => format!("{at}: {given} is futile"),
        Fault::Illegal => format!("{at}: {given} is no legal move, or no check"),
        Fault::TooLong => format!("{at}: it is mate already"),
        Fault::Unfinished => "the solution given ends before the mate".to_owned(),
    }
}

/// A move of the attacker that mates too.
fn cook_text(result: &ProblemResult, cook: &Cook, language: Language) -> String {
    let Cook { ply, mv, longer, rejoins, .. } = cook;
    let text = branch_text(result, *ply, mv, language);
    let answer = result.moves().get(ply - 1).copied();
    let promotion_only = mv.parse::<Move>().is_ok_and(|mv| {
        answer.is_some_and(|answer| !mv.is_drop() && mv.from() == answer.from() && mv.to() == answer.to())
    });
    if language == Language::Japanese {
        // A choice at the last move is customary.
        let name = match (result.length == Some(*ply), promotion_only) {
            (true, _) => "最終手余詰",
            (false, true) => "成不成非限定",
            (false, false) => "余詰",
        };
        let longer = if *longer { "（作意より長い）" } else { "" };
        let rejoins = rejoins.map_or(String::new(), |ply| format!("（{ply}手目の局面に戻る）"));
        return format!("{name} {ply}手目{text}{longer}{rejoins}");
    }
    let longer = if *longer { " (longer)" } else { "" };
    let rejoins = rejoins.map_or(String::new(), |ply| format!(" (comes back to ply {ply})"));
    let choice = if promotion_only { " (promotion or not)" } else { "" };
    format!("ply {ply} also {text}{choice}{longer}{rejoins}")
}
