//! The evaluation graph as inline SVG.

use std::fmt::Write;

use crate::platform::svg::Axes;

use super::{Judgement, Mark, win_probability};

/// Size of the drawing in its own units.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 22.0;

/// Black's win probability over the game: an area around 50 %, points for mistakes, a cursor that the page moves.
///
/// The page needs `data-plies` and the left and right edges to find the ply under the mouse.
pub(super) fn svg(judgement: &Judgement) -> String {
    let plies = judgement.evaluations.len().saturating_sub(1).max(1);
    let axes = Axes {
        left: LEFT,
        right: WIDTH - RIGHT,
        top: TOP,
        bottom: HEIGHT - BOTTOM,
        last: plies as f64,
        low: 0.0,
        high: 1.0,
    };
    let x = |ply: usize| axes.x(ply as f64);
    let y = |probability: f64| axes.y(probability);
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
        axes.grid_line(&mut svg, f64::from(percent) / 100.0, percent, "class=\"grid\"");
    }
    let step = match plies {
        0..=60 => 10,
        61..=200 => 20,
        201..=600 => 50,
        _ => 200,
    };
    for ply in (0..=plies).step_by(step) {
        axes.tick(&mut svg, ply as f64, ply);
    }
    phases(&mut svg, judgement.phases, x);
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

/// Room for the name of a phase.
const NAME: f64 = 90.0;

/// The beginnings of middle game and endgame: a line each, and the name beside it where there is room.
fn phases(svg: &mut String, starts: [Option<usize>; 2], x: impl Fn(usize) -> f64) {
    let places = starts.map(|start| start.map(&x));
    for (index, place) in places.into_iter().enumerate() {
        let Some(place) = place else {
            continue;
        };
        // To the left of its line where the picture ends, or the next phase begins, too soon.
        let end = if index == 0 { places[1] } else { None }.unwrap_or(WIDTH - RIGHT);
        let before = end - place < NAME && place - LEFT > NAME;
        let (at, anchor) = if before { (place - 4.0, "end") } else { (place + 4.0, "start") };
        // Names that would lie upon one another are written at two heights.
        let y = HEIGHT - BOTTOM - if index == 0 { 5.0 } else { 19.0 };
        let _ = write!(
            svg,
            "<line class=\"phase\" data-phase=\"{index}\" x1=\"{place:.1}\" x2=\"{place:.1}\" y1=\"{TOP}\" y2=\"{}\"/>",
            HEIGHT - BOTTOM
        );
        let (japanese, english) = [("中盤", "middle game"), ("終盤", "endgame")][index];
        for (lang, word) in [("ja", japanese), ("en", english)] {
            let _ = write!(svg, "<text lang=\"{lang}\" x=\"{at:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{word}</text>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_phases_stay_on_the_picture() {
        for (middle, end) in [(10.0, 20.0), (40.0, 935.0), (900.0, 930.0), (500.0, 520.0)] {
            let mut svg = String::new();
            phases(&mut svg, [Some(0), Some(1)], |index| if index == 0 { middle } else { end });
            let places = svg.split("<text").skip(1).map(|text| {
                let number = text.split(" x=\"").nth(1).unwrap().split('"').next().unwrap();
                (number.parse::<f64>().unwrap(), text.contains("\"end\""))
            });
            for (x, leftwards) in places {
                let (from, to) = if leftwards { (x - 80.0, x) } else { (x, x + 80.0) };
                assert!(from > 0.0 && to <= WIDTH, "{middle} {end}: {svg}");
            }
        }
    }
}
