//! The ratings of a match of several engines as SVG: a row an engine, with its 95 % interval.

use std::fmt::Write as _;

use crate::platform::svg::escape;

use super::report::plus_minus;
use super::setup::Match;
use super::statistics::{Rating, ratings};
use super::tally::Tally;

const WIDTH: f64 = 900.0;
const ROW: f64 = 34.0;
const TOP: f64 = 60.0;
/// Where the axis begins and ends; the names stand to its left, the numbers to its right.
const LEFT: f64 = 200.0;
const RIGHT: f64 = 640.0;

/// The chart; `None` if there is no game yet.
pub(super) fn svg(setup: &Match, tally: &Tally) -> Option<String> {
    if tally.games == 0 {
        return None;
    }
    let ratings = ratings(setup.players.len(), &tally.pairing_scores());
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let ends = |rating: &Rating| {
        let margin = if rating.margin.is_finite() { rating.margin } else { 0.0 };
        [rating.elo - margin, rating.elo + margin]
    };
    let (low, high) =
        ratings.iter().flat_map(ends).fold((-10.0f64, 10.0f64), |(low, high), x| (low.min(x), high.max(x)));
    let x = |elo: f64| LEFT + (RIGHT - LEFT) * (elo - low) / (high - low);
    let height = TOP + ROW * order.len() as f64 + 20.0;
    let zero = x(0.0);
    let mut text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' viewBox='0 0 {WIDTH} {height}' \
         font-family='sans-serif' font-size='13'>\n<rect width='100%' height='100%' fill='white'/>\n\
         <text x='20' y='26' font-weight='bold'>Ratings (レーティング), Elo with 95 % interval, {} = 0</text>\n\
         <line x1='{zero:.1}' x2='{zero:.1}' y1='{:.0}' y2='{:.0}' stroke='#888'/>\n",
        escape(&setup.players[0].name),
        TOP - 16.0,
        height - 20.0
    );
    for (row, engine) in order.into_iter().enumerate() {
        let (rating, wdl) = (ratings[engine], tally.total(engine));
        let y = TOP + ROW * row as f64;
        let [low, high] = ends(&rating).map(x);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<text x='20' y='{:.0}'>{}</text>\
             <line x1='{low:.1}' x2='{high:.1}' y1='{y:.0}' y2='{y:.0}' stroke='#9dbfe3' stroke-width='6'/>\
             <circle cx='{:.1}' cy='{y:.0}' r='5' fill='#1f5fa8'/>\
             <text x='{:.0}' y='{0:.0}'>{}  ({} games, {:.1} %)</text>",
            y + 5.0,
            escape(&short(&setup.players[engine].name)),
            x(rating.elo),
            RIGHT + 20.0,
            plus_minus(rating),
            wdl.games(),
            wdl.score() * 100.0
        );
    }
    text += "</svg>\n";
    Some(text)
}

/// A name that fits beside the axis.
fn short(name: &str) -> String {
    if name.chars().count() <= 22 { name.to_owned() } else { name.chars().take(21).chain(['…']).collect() }
}
