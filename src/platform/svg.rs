//! Charts as SVG: axes, which say where values lie on the page.

use std::fmt::{Display, Write};

/// Distance of labels from the plotting area, and how far their baseline lies below the middle of their text.
const GAP: f64 = 6.0;
const HALF_TEXT: f64 = 4.0;

/// The plotting area of a chart, in the page's units, and the values at its edges. The horizontal axis begins at 0.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// The left edge.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The upper edge.
    pub top: f64,
    /// The lower edge.
    pub bottom: f64,
    /// The value at the right edge.
    pub last: f64,
    /// The value at the lower edge.
    pub low: f64,
    /// The value at the upper edge.
    pub high: f64,
}

impl Axes {
    /// Where a value of the horizontal axis lies.
    pub fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * value / self.last
    }

    /// Where a value of the vertical axis lies; those beyond an edge lie on it.
    pub fn y(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.bottom - (self.bottom - self.top) * share
    }

    /// A point as the attribute `points` has it.
    pub fn point(&self, x: f64, y: f64) -> String {
        format!("{:.1},{:.1}", self.x(x), self.y(y))
    }

    /// A horizontal line at a value with its label to the left; `style` is the line's attributes.
    pub fn grid_line(&self, svg: &mut String, value: f64, label: impl Display, style: &str) {
        let y = self.y(value);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<line {style} x1=\"{}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            self.left,
            self.right,
            self.left - GAP,
            y + HALF_TEXT
        );
    }

    /// The label of a value below the horizontal axis.
    pub fn tick(&self, svg: &mut String, value: f64, label: impl Display) {
        let y = self.bottom + 10.0 + GAP;
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>", self.x(value));
    }

    /// A line through points; `style` is its attributes.
    pub fn line(&self, svg: &mut String, points: impl Iterator<Item = (f64, f64)>, style: &str) {
        let points: Vec<String> = points.map(|(x, y)| self.point(x, y)).collect();
        let _ = writeln!(svg, "<polyline {style} points=\"{}\"/>", points.join(" "));
    }
}

/// The distance of labels on an axis: 1, 2 or 5 times a power of ten, not below `step`.
pub fn round_step(step: f64) -> f64 {
    let exponent = step.max(1e-9).log10().floor() as i32;
    // Fractions of ten are not exact everywhere, not even as nearly as they can be.
    let power = if exponent < 0 { 1.0 / 10f64.powi(-exponent) } else { 10f64.powi(exponent) };
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|&n| n >= step).unwrap_or(power)
}

/// A text as it may stand between tags.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_between_the_edges() {
        let axes = Axes { left: 10.0, right: 110.0, top: 5.0, bottom: 55.0, last: 4.0, low: -1.0, high: 1.0 };
        assert_eq!((axes.x(0.0), axes.x(1.0), axes.x(4.0)), (10.0, 35.0, 110.0));
        assert_eq!((axes.y(-1.0), axes.y(0.0), axes.y(1.0), axes.y(7.0)), (55.0, 30.0, 5.0, 5.0));
        let mut svg = String::new();
        axes.line(&mut svg, [(0.0, 0.0), (4.0, 1.0)].into_iter(), "class=\"a\"");
        assert_eq!(svg, "<polyline class=\"a\" points=\"10.0,30.0 110.0,5.0\"/>\n");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([0.7, 1.0, 1.1, 21.0, 0.03].map(round_step), [1.0, 1.0, 2.0, 50.0, 0.05]);
    }
}
