//! The loss curve of a training run, as a table (CSV) and a chart (SVG).

use std::fmt::Write;
use std::path::Path;

use crate::platform::files::write_whole;
use crate::platform::svg::Axes;

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Positions learned so far.
    pub positions: u64,
    /// The epoch, from 1.
    pub epoch: u32,
    /// The learning rate.
    pub rate: f32,
    /// Mean loss of the training positions since the last line.
    pub training: f64,
    /// Mean loss of the validation positions, where it was computed.
    pub validation: Option<f64>,
}

/// The first line of the table.
pub const CSV_HEADER: &str = "positions,epoch,rate,training,validation\n";

impl Point {
    /// The line of the table.
    pub fn to_csv(&self) -> String {
        let validation = self.validation.map_or(String::new(), |loss| format!("{loss:.6}"));
        format!("{},{},{:.3e},{:.6},{validation}\n", self.positions, self.epoch, self.rate, self.training)
    }

    /// Reads a line of the table back.
    pub fn from_csv(line: &str) -> Option<Self> {
        let mut fields = line.split(',');
        Some(Self {
            positions: fields.next()?.parse().ok()?,
            epoch: fields.next()?.parse().ok()?,
            rate: fields.next()?.parse().ok()?,
            training: fields.next()?.parse().ok()?,
            validation: fields.next()?.parse().ok(),
        })
    }
}

/// Writes table and chart (`.csv`, `.svg`).
pub fn write(path: &Path, points: &[Point]) -> std::io::Result<()> {
    // The chart shows the rounded numbers of the table, so that it is the same when the table was read back.
    let points: Vec<Point> = points.iter().filter_map(|point| Point::from_csv(&point.to_csv())).collect();
    let table: String = std::iter::once(CSV_HEADER.to_owned()).chain(points.iter().map(Point::to_csv)).collect();
    write_whole(&path.with_extension("csv"), table.as_bytes())?;
    write_whole(&path.with_extension("svg"), chart(&points).as_bytes())
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;

/// A chart of both losses over the positions learned.
fn chart(points: &[Point]) -> String {
    let losses = |point: &Point| [Some(point.training), point.validation];
    let all = || points.iter().flat_map(losses).flatten();
    let most = points.last().map_or(1, |point| point.positions.max(1)) as f64;
    // The first losses, of an untrained network, would squeeze the rest.
    let mut sorted: Vec<f64> = all().collect();
    sorted.sort_by(f64::total_cmp);
    let low = sorted.first().copied().unwrap_or(0.0);
    let high = sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(1.0).max(low + 1e-6);
    let axes =
        Axes { left: MARGIN, right: WIDTH - MARGIN, top: MARGIN, bottom: HEIGHT - MARGIN, last: most, low, high };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for step in 0..=4 {
        let loss = low + (high - low) * f64::from(step) / 4.0;
        axes.grid_line(&mut svg, loss, format_args!("{loss:.5}"), "stroke=\"#ddd\"");
        let positions = most * f64::from(step) / 4.0;
        axes.tick(&mut svg, positions, format_args!("{:.2} M", positions / 1e6));
    }
    for (index, (color, name)) in [("#36c", "training"), ("#c33", "validation")].iter().enumerate() {
        let line = points.iter().filter_map(|point| Some((point.positions as f64, losses(point)[index]?)));
        axes.line(&mut svg, line, &format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\""));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" fill=\"{color}\">{name}</text>",
            WIDTH - MARGIN - 90.0,
            MARGIN + 18.0 * index as f64
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">positions learned (millions)</text>\n</svg>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    );
    svg
}
