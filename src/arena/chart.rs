//! The course of a match of two engines as SVG: Elo with its interval, and the test's log-likelihood ratio, over the
//! games.

use std::fmt::Write as _;

use super::rating_chart;
use super::setup::Match;
use super::tally::{CoursePoint, Tally};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
/// More points than pixels add nothing.
const POINTS: usize = 800;

/// One diagram: maps its values to the page.
struct Panel {
    top: f64,
    games: f64,
    low: f64,
    high: f64,
}

impl Panel {
    fn x(&self, games: f64) -> f64 {
        LEFT + (WIDTH - LEFT - 20.0) * games / self.games
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.top + HEIGHT * (1.0 - share.clamp(0.0, 1.0))
    }

    /// Frame, scale and title.
    fn frame(&self, text: &mut String, title: &str) {
        let (width, bottom) = (WIDTH - LEFT - 20.0, self.top + HEIGHT);
        let _ = writeln!(
            text,
            "<text x='{LEFT}' y='{:.0}' font-weight='bold'>{title}</text>\n\
             <rect x='{LEFT}' y='{:.0}' width='{width:.0}' height='{HEIGHT}' fill='none' stroke='#888'/>",
            self.top - 8.0,
            self.top
        );
        let step = round_step((self.high - self.low) / 6.0);
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            let _ = writeln!(
                text,
                "<line x1='{LEFT}' x2='{:.0}' y1='{y:.1}' y2='{y:.1}' stroke='{}'/>\
                 <text x='{:.0}' y='{:.1}' text-anchor='end'>{}</text>",
                WIDTH - 20.0,
                if value.abs() < step / 2.0 { "#888" } else { "#ddd" },
                LEFT - 6.0,
                self.y(value) + 4.0,
                (value * 1000.0).round() / 1000.0 + 0.0,
                y = self.y(value)
            );
            value += step;
        }
        let step = round_step(self.games / 8.0).max(1.0);
        let mut games = 0.0;
        while games <= self.games {
            let _ = writeln!(
                text,
                "<text x='{:.1}' y='{:.0}' text-anchor='middle'>{games:.0}</text>",
                self.x(games),
                bottom + 16.0
            );
            games += step;
        }
    }

    fn line(&self, text: &mut String, points: &[CoursePoint], color: &str, value: impl Fn(&CoursePoint) -> f64) {
        let places: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", self.x(point.games as f64), self.y(value(point))))
            .collect();
        let _ =
            writeln!(text, "<polyline fill='none' stroke='{color}' stroke-width='1.5' points='{}'/>", places.join(" "));
    }
}

/// 1, 2 or 5 times a power of ten, not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|&n| n >= step).unwrap_or(power)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;")
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
    let panel = Panel { top: TOP, games: last.games as f64, low, high };
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
        .map(|(p, value)| format!("{:.1},{:.1}", panel.x(p.games as f64), panel.y(value)))
        .collect();
    let _ = writeln!(text, "<polygon fill='#cfe2f7' points='{}'/>", band.join(" "));
    panel.frame(&mut text, &title);
    panel.line(&mut text, &points, "#1f5fa8", |point| point.elo);
    if let Some(sprt) = setup.sprt {
        let (lower, upper) = sprt.bounds();
        let ends = points.iter().map(|point| point.llr);
        let (low, high) = ends.fold((lower * 1.1, upper * 1.1), |(low, high), x| (low.min(x), high.max(x)));
        let panel = Panel { top: TOP + HEIGHT + 60.0, games: last.games as f64, low, high };
        panel.frame(&mut text, &format!("SPRT [{}, {}]: log-likelihood ratio (対数尤度比)", sprt.elo0, sprt.elo1));
        for (bound, name) in [(lower, "H0"), (upper, "H1")] {
            let y = panel.y(bound);
            let _ = writeln!(
                text,
                "<line x1='{LEFT}' x2='{:.0}' y1='{y:.1}' y2='{y:.1}' stroke='#c33' stroke-dasharray='6 4'/>\
                 <text x='{:.0}' y='{:.1}' fill='#c33' text-anchor='end'>{name}</text>",
                WIDTH - 20.0,
                WIDTH - 26.0,
                y - 4.0
            );
        }
        panel.line(&mut text, &points, "#2a8a3e", |point| point.llr);
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
