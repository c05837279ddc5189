//! The judgement of a game as a few lines for a terminal.

use std::fmt::Write;

use super::{Judgement, Language, Mark};
use crate::record::Record;
use crate::types::{Color, Move};

/// The numbers of both players, the turning point and the mistakes with the better line, one a line.
pub fn summary(record: &Record, judgement: &Judgement, language: Language) -> String {
    let word = |japanese: &'static str, english: &'static str| match language {
        Language::Japanese => japanese,
        Language::English => english,
    };
    let mut text = String::new();
    // Writing to a String cannot fail.
    for color in Color::ALL {
        let player = &judgement.players[color.index()];
        let name = record.player(color).unwrap_or(record.side_name(color));
        let accuracy = player.accuracy.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
        let [best, inaccuracies, mistakes, blunders] = player.marks;
        let _ = writeln!(
            text,
            "{}{name}: {} {accuracy}, {} {:.2} %, {} {best}/{}, {} {inaccuracies}, {} {mistakes}, {} {blunders}",
            if color == Color::Black { "▲" } else { "△" },
            word("正確さ", "accuracy"),
            word("平均損失", "mean loss"),
            player.mean_loss,
            word("最善手", "best moves"),
            player.moves,
            word("緩手", "inaccuracies"),
            word("疑問手", "mistakes"),
            word("悪手", "blunders"),
        );
    }
    if let Some(ply) = judgement.turning_point {
        let _ = writeln!(text, "{} {ply}{}", word("勝負の分かれ目：", "turning point: move"), word("手目", ""));
    }
    for judged in judgement.moves.iter().filter(|judged| judged.mark >= Mark::Mistake || !judged.facts.is_empty()) {
        let Some(parent) = record.node(judged.node).parent() else {
            continue;
        };
        let before = record.diagram_at(parent);
        let last_to = record.node(parent).mv().map(Move::to);
        let mark = match judged.mark {
            Mark::Best => word("最善手", "best"),
            Mark::Good => word("", ""),
            Mark::Inaccuracy => word("緩手", "inaccuracy"),
            Mark::Mistake => word("疑問手", "mistake"),
            Mark::Blunder => word("悪手", "blunder"),
        };
        let better = &judged.best[..judged.best.len().min(5)];
        let facts: Vec<String> = judged.facts.iter().map(|fact| fact.text(language)).collect();
        let _ = writeln!(
            text,
            "{:>4} {} {mark} -{:.1} %  {} {}  {}",
            judged.ply,
            language.move_text(&before, judged.mv, last_to),
            judged.loss * 100.0,
            word("最善", "better"),
            language.line_text(&before, better, last_to),
            facts.join(" ")
        );
    }
    text
}
