//! The course of a match of two engines as SVG: Elo with its interval, and the test's log-likelihood ratio, over the
//! games.

use std::fmt::Write as _;

use crate::platform::svg::{Axes, escape, round_step};

use super::rating_chart;
use super::setup::Match;
use super::tally::{CoursePoint, Tally};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
/// More points than pixels add nothing.
const POINTS: usize = 800;

/// The plotting area at a height on the page.
fn panel(top: f64, games: u64, low: f64, high: f64) -> Axes {
    Axes { left: LEFT, right: WIDTH - 20.0, top, bottom: top + HEIGHT, last: games as f64, low, high }
}

/// Frame, scale and title.
fn frame(axes: &Axes, text: &mut String, title: &str) {
    let _ = writeln!(
        text,
        "<text x='{LEFT}' y='{:.0}' font-weight='bold'>{title}</text>\n\
         <rect x='{LEFT}' y='{:.0}' width='{:.0}' height='{HEIGHT}' fill='none' stroke='#888'/>",
        axes.top - 8.0,
        axes.top,
        axes.right - axes.left
    );
    let step = round_step((axes.high - axes.low) / 6.0);
    let mut value = (axes.low / step).ceil() * step;
    while value <= axes.high {
        let style = if value.abs() < step / 2.0 { "stroke='#888'" } else { "stroke='#ddd'" };
        axes.grid_line(text, value, (value * 1000.0).round() / 1000.0 + 0.0, style);
        value += step;
    }
    let step = round_step(axes.last / 8.0).max(1.0);
    let mut games = 0.0;
    while games <= axes.last {
        axes.tick(text, games, games);
        games += step;
    }
}

fn line(axes: &Axes, text: &mut String, points: &[CoursePoint], color: &str, value: impl Fn(&CoursePoint) -> f64) {
    let style = format!("fill='none' stroke='{color}' stroke-width='1.5'");
    axes.line(text, points.iter().map(|point| (point.games as f64, value(point))), &style);
}

/// The chart: the course of a match of two, the ratings of more engines; `None` if there is no game yet.
pub fn svg(setup: &Match, tally: &Tally) -> Option<String> {
    if setup.players.len() > 2 {
        return rating_chart::svg(setup, tally);
    }
    let all = &tally.course;
    let last = all.last()?;
    let stride = all.len().div_ceil(POINTS);
    let mut points: Vec<CoursePoint> = all.iter().step_by(stride).copied().collect();
    points.push(*last);
    let panels = if setup.sprt.is_some() { 2.0 } else { 1.0 };
    let height = TOP + panels * (HEIGHT + 60.0);
    let names: Vec<&str> = setup.players.iter().map(|player| player.name.as_str()).collect();
    let mut text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' viewBox='0 0 {WIDTH} {height}' \
         font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
    );
    // The first games swing wildly, so the later ones set the scale.
    let settled = &points[points.len() / 5..];
    let finite = |value: f64| {
        if value.is_finite() { value.clamp(-1200.0, 1200.0) } else { 0.0 }
    };
    let ends = settled.iter().flat_map(|p| [finite(p.low), finite(p.high)]);
    let (low, high) = ends.fold((-5.0f64, 5.0f64), |(low, high), x| (low.min(x), high.max(x)));
    let axes = panel(TOP, last.games, low, high);
    let title = format!(
        "{} - {}: Elo with 95 % interval over the games (対局数とレート差)",
        escape(names.first()?),
        escape(names.get(1)?)
    );
    let band: Vec<String> = points
        .iter()
        .map(|p| (p, p.high))
        .chain(points.iter().rev().map(|p| (p, p.low)))
        .filter(|(_, value)| !value.is_nan())
        .map(|(p, value)| axes.point(p.games as f64, value))
        .collect();
    let _ = writeln!(text, "<polygon fill='#cfe2f7' points='{}'/>", band.join(" "));
    frame(&axes, &mut text, &title);
    line(&axes, &mut text, &points, "#1f5fa8", |point| point.elo);
    if let Some(sprt) = setup.sprt {
        let (lower, upper) = sprt.bounds();
        let ends = points.iter().map(|point| point.llr);
        let (low, high) = ends.fold((lower * 1.1, upper * 1.1), |(low, high), x| (low.min(x), high.max(x)));
        let axes = panel(TOP + HEIGHT + 60.0, last.games, low, high);
        frame(&axes, &mut text, &format!("SPRT [{}, {}]: log-likelihood ratio (対数尤度比)", sprt.elo0, sprt.elo1));
        for (bound, name) in [(lower, "H0"), (upper, "H1")] {
            let y = axes.y(bound);
            let _ = writeln!(
                text,
                "<line x1='{LEFT}' x2='{:.0}' y1='{y:.1}' y2='{y:.1}' stroke='#c33' stroke-dasharray='6 4'/>\
                 <text x='{:.0}' y='{:.1}' fill='#c33' text-anchor='end'>{name}</text>",
                WIDTH - 20.0,
                WIDTH - 26.0,
                y - 4.0
            );
        }
        line(&axes, &mut text, &points, "#2a8a3e", |point| point.llr);
    }
    text += "</svg>\n";
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Effort, GameResult, MatchConfig, Reason, Winner};

    #[test]
    fn every_number_lies_on_the_page() {
        let config: MatchConfig =
            toml::from_str("[sprt]\n[each]\nnodes = 1\n[[engine]]\nname = 'a<b'\n[[engine]]\nname = 'c'").unwrap();
        let setup = config.build().unwrap();
        let mut tally = Tally::new(&setup);
        assert_eq!(svg(&setup, &tally), None);
        for game in 0..3000 {
            tally.add(&GameResult {
                game,
                pair: game / 2,
                players: if game % 2 == 0 { [0, 1] } else { [1, 0] },
                winner: if game % 3 == 0 { Winner::Black } else { Winner::White },
                reason: Reason::Resign,
                detail: String::new(),
                plies: 80,
                efforts: [Effort::default(); 2],
                faults: Vec::new(),
                score: None,
                seconds: 1.0,
                record_end: 0,
            });
            if game > 5 && game % 500 != 0 {
                continue;
            }
            let text = svg(&setup, &tally).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            assert!(text.contains("a&lt;b - c") && text.contains("H1"));
            assert!(text.len() < 100_000);
        }
    }
}
