//! The evaluation graph as inline SVG.

use std::fmt::Write;

use super::{Judgement, Mark, win_probability};

/// Size of the drawing in its own units.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 22.0;

/// Black's win probability over the game: an area around 50 %, points for mistakes, a cursor that the page moves.
///
/// The page needs `data-plies` and the left and right edges to find the ply under the mouse.
pub(super) fn svg(judgement: &Judgement) -> String {
    let plies = judgement.evaluations.len().saturating_sub(1).max(1);
    let x = |ply: usize| LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / plies as f64;
    let y = |probability: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - probability);
    let middle = y(0.5);
    let mut svg = format!(
        "<svg id=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" data-plies=\"{plies}\" data-left=\"{LEFT}\" data-right=\"{}\" \
         role=\"img\" aria-label=\"evaluation\">",
        WIDTH - RIGHT
    );
    // Writing to a String cannot fail.
    let _ = write!(
        svg,
        "<rect class=\"black\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\
         <rect class=\"white\" x=\"{LEFT}\" y=\"{middle}\" width=\"{0}\" height=\"{1}\"/>",
        WIDTH - LEFT - RIGHT,
        middle - TOP
    );
    for percent in [0, 25, 50, 75, 100] {
        let y = y(f64::from(percent) / 100.0);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent}</text>",
            WIDTH - RIGHT,
            LEFT - 4.0,
            y + 4.0
        );
    }
    let step = match plies {
        0..=60 => 10,
        61..=200 => 20,
        201..=600 => 50,
        _ => 200,
    };
    for ply in (0..=plies).step_by(step) {
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{ply}</text>", x(ply), HEIGHT - 6.0);
    }
    for (index, start) in judgement.phases.iter().enumerate() {
        if let Some(ply) = start {
            let _ = write!(
                svg,
                "<line class=\"phase\" data-phase=\"{index}\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{1}\"/>",
                x(*ply),
                HEIGHT - BOTTOM
            );
            let (japanese, english) = [("中盤", "middle game"), ("終盤", "endgame")][index];
            for (lang, word) in [("ja", japanese), ("en", english)] {
                let _ = write!(
                    svg,
                    "<text lang=\"{lang}\" x=\"{:.1}\" y=\"{}\">{word}</text>",
                    x(*ply) + 4.0,
                    HEIGHT - BOTTOM - 5.0
                );
            }
        }
    }
    // The line is interrupted where there is no evaluation; the area of each part is closed along 50 %.
    let points: Vec<Option<(f64, f64)>> = judgement
        .evaluations
        .iter()
        .enumerate()
        .map(|(ply, evaluation)| evaluation.map(|evaluation| (x(ply), y(win_probability(evaluation)))))
        .collect();
    for part in points.split(Option::is_none).filter(|part| !part.is_empty()) {
        let line: String = part.iter().flatten().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
        if let (Some(Some((first, _))), Some(Some((last, _)))) = (part.first(), part.last()) {
            let _ =
                write!(svg, "<polygon class=\"area\" points=\"{first:.1},{middle:.1} {line}{last:.1},{middle:.1}\"/>");
        }
        let _ = write!(svg, "<polyline class=\"line\" points=\"{}\"/>", line.trim_end());
    }
    for mv in &judgement.moves {
        let class = match mv.mark {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
            Mark::Best | Mark::Good => continue,
        };
        let _ = write!(
            svg,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
            x(mv.ply),
            y(win_probability(mv.after))
        );
    }
    let _ =
        write!(svg, "<line id=\"cursor\" x1=\"{LEFT}\" x2=\"{LEFT}\" y1=\"{TOP}\" y2=\"{}\"/></svg>", HEIGHT - BOTTOM);
    svg
}
