//! Plots as SVG figures, coloured by the style sheet of the page.

mod lines;
mod strips;

pub use lines::{Band, Marks, Series, lines, lines_with_marks};
pub use strips::{Strip, strips};

use crate::table::count;
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// Number of colours in the style sheet.
const COLOURS: usize = 8;

/// A point of a scatter plot.
#[derive(Clone, Debug)]
pub struct Point {
    /// Horizontal value; positive.
    pub x: f64,
    /// Vertical value; positive.
    pub y: f64,
    /// Name of the board, shown when the mouse points at it.
    pub name: String,
}

/// A step curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Corners from left to right, with positive x: the curve is horizontal up to the x of the next corner, then vertical.
    pub corners: Vec<(f64, f64)>,
}

/// A logarithmic axis between two powers of ten.
#[derive(Clone, Copy)]
struct LogAxis {
    first: i32,
    last: i32,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// Creates an axis that covers all values, drawn from one coordinate to another.
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> LogAxis {
        let (min, max) = values.fold((f64::MAX, 0.0f64), |(min, max), v| (min.min(v), max.max(v)));
        let first = min.min(max.max(1.0)).max(1.0).log10().floor() as i32;
        let last = (max.max(1.0).log10().ceil() as i32).max(first + 1);
        LogAxis { first, last, from, to }
    }

    /// Coordinate of a value.
    fn position(self, value: f64) -> f64 {
        let share = (value.max(1.0).log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Coordinates and labels of the powers of ten.
    fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        (self.first..=self.last).map(move |power| {
            let value = 10f64.powi(power);
            (self.position(value), short(value))
        })
    }
}

/// Short label of a power of ten.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{}G", v / 1e9),
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v => format!("{v}"),
    }
}

/// Opens a figure.
fn open(width: f64, height: f64, title: &str) -> String {
    let title = escape_xml(title);
    format!(
        "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n\
         <text class=\"title\" x=\"8\" y=\"18\">{title}</text>\n"
    )
}

/// Grid lines of the x axis, with labels.
fn x_ticks(svg: &mut String, axis: LogAxis, top: f64, bottom: f64) {
    for (x, name) in axis.ticks() {
        x_tick(svg, x, top, bottom, &name);
    }
}

/// A vertical grid line, with a label below.
fn x_tick(svg: &mut String, x: f64, top: f64, bottom: f64, name: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
         <text class=\"soft\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
        bottom + 16.0
    );
}

/// A horizontal grid line, with a label on the left.
fn y_tick(svg: &mut String, y: f64, left: f64, right: f64, name: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
         <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
        left - 6.0,
        y + 4.0
    );
}

const CLOSE: &str = "</svg></figure>\n";

/// Escapes a name and shortens it to at most `max` characters.
fn clipped(name: &str, max: usize) -> String {
    if name.chars().count() <= max {
        return escape_xml(name);
    }
    escape_xml(&name.chars().take(max - 1).chain(['…']).collect::<String>())
}

/// Bar chart with a linear scale from 0.
pub fn bars(title: &str, values: &[(String, u64)]) -> String {
    let (width, left, row) = (720.0, 290.0, 26.0);
    let height = 34.0 + row * values.len() as f64;
    let max = values.iter().map(|&(_, value)| value).max().unwrap_or(0).max(1) as f64;
    let mut svg = open(width, height, title);
    for (i, (name, value)) in values.iter().enumerate() {
        let (y, length) = (30.0 + row * i as f64, (width - left - 110.0) * *value as f64 / max);
        let (middle, end, colour) = (y + 14.0, left + length + 6.0, i % COLOURS);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<g class=\"s{colour}\"><title>{}: {}</title>\
             <text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>\
             <rect class=\"fill\" x=\"{left}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text class=\"soft\" x=\"{end:.1}\" y=\"{middle}\">{}</text></g>",
            escape_xml(name),
            count(*value),
            left - 8.0,
            clipped(name, 42),
            row - 7.0,
            count(*value),
        );
    }
    svg + CLOSE
}

/// Scatter plot on two logarithmic axes of the same range, with the diagonal where both values are equal.
pub fn scatter(x_name: &str, y_name: &str, points: &[Point]) -> String {
    let side = 340.0;
    let (left, right, top, bottom) = (54.0, side - 12.0, 28.0, side - 44.0);
    let values = || points.iter().flat_map(|point| [point.x, point.y]);
    let (across, up) = (LogAxis::new(values(), left, right), LogAxis::new(values(), bottom, top));
    let mut svg = open(side, side, &scatter_title(x_name, y_name));
    x_ticks(&mut svg, across, top, bottom);
    for (y, name) in up.ticks() {
        y_tick(&mut svg, y, left, right, &name);
    }
    let _ = writeln!(
        svg,
        "<line class=\"diagonal\" x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{top}\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(13 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n<g class=\"s0\">",
        f64::midpoint(left, right),
        side - 8.0,
        clipped(x_name, 40),
        f64::midpoint(top, bottom),
        clipped(y_name, 36),
    );
    for point in points {
        let _ = writeln!(
            svg,
            "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{}: {} and {}</title></circle>",
            across.position(point.x),
            up.position(point.y),
            escape_xml(&point.name),
            count(point.x as u64),
            count(point.y as u64),
        );
    }
    svg + "</g>" + CLOSE
}

fn scatter_title(x_name: &str, y_name: &str) -> String {
    let title = format!("{y_name} against {x_name}");
    if title.chars().count() <= 42 { title } else { "nodes, board by board".to_owned() }
}

/// Plot of step curves on a logarithmic x axis and a linear y axis from 0 to `max`, with a legend below.
pub fn curves(title: &str, x_name: &str, max: u64, all: &[Curve]) -> String {
    let (width, plot) = (720.0, 330.0);
    let height = plot + 24.0 + 20.0 * all.len() as f64;
    let (left, right, top, bottom) = (54.0, width - 20.0, 30.0, plot - 40.0);
    let across = LogAxis::new(all.iter().flat_map(|curve| curve.corners.iter().map(|c| c.0)), left, right);
    let up = |y: f64| bottom - y / max.max(1) as f64 * (bottom - top);
    let mut svg = open(width, height, title);
    x_ticks(&mut svg, across, top, bottom);
    for quarter in 0..=4u64 {
        let value = max * quarter / 4;
        y_tick(&mut svg, up(value as f64), left, right, &value.to_string());
    }
    let (middle, below) = (f64::midpoint(left, right), plot - 6.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", escape_xml(x_name));
    for (i, curve) in all.iter().enumerate() {
        let (colour, dashes) = (i % COLOURS, if i < COLOURS { "" } else { " stroke-dasharray=\"6 4\"" });
        let (mut path, mut level) = (format!("M{left} {:.1}", up(0.0)), up(0.0));
        for &(x, y) in &curve.corners {
            let (x, y) = (across.position(x), up(y));
            let _ = write!(path, "L{x:.1} {level:.1}L{x:.1} {y:.1}");
            level = y;
        }
        let _ = write!(path, "L{right} {level:.1}");
        let y = plot + 16.0 + 20.0 * i as f64;
        let _ = writeln!(
            svg,
            "<g class=\"s{colour}\"><path class=\"curve stroke\"{dashes} d=\"{path}\"><title>{}</title></path>\
             <line class=\"curve stroke\"{dashes} x1=\"{left}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\
             <text x=\"{}\" y=\"{y}\">{}</text></g>",
            escape_xml(&curve.name),
            left + 26.0,
            y - 4.0,
            y - 4.0,
            left + 34.0,
            clipped(&curve.name, 90),
        );
    }
    svg + CLOSE
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn elements(svg: &str, tag: &str) -> usize {
        let document = roxmltree::Document::parse(svg).unwrap();
        document.descendants().filter(|node| node.tag_name().name() == tag).count()
    }

    #[test]
    fn plots_are_well_formed_and_complete() {
        let name = "astar(<&\">) with a name that is too long for any plot, so that it is shortened".to_string();
        assert_eq!(elements(&bars("b", &[(name.clone(), 0), ("x".into(), u64::MAX)]), "rect"), 2);
        let points: Vec<Point> =
            [(1.0, 5.0), (1e9, 1.0)].map(|(x, y)| Point { x, y, name: name.clone() }).into_iter().collect();
        assert_eq!(elements(&scatter(&name, "y", &points), "circle"), 2);
        let curve = Curve { name, corners: vec![(10.0, 1.0), (1e6, 2.0)] };
        assert_eq!(elements(&curves("c", "x", 2, &[curve.clone(), curve]), "path"), 2);
        for empty in [bars("b", &[]), scatter("x", "y", &[]), curves("c", "x", 0, &[])] {
            assert_eq!(elements(&empty, "svg"), 1);
        }
    }

    #[test]
    fn an_axis_covers_its_values() {
        let axis = LogAxis::new([30.0, 2e4].into_iter(), 0.0, 100.0);
        assert_eq!((axis.first, axis.last), (1, 5));
        assert!((axis.position(1000.0) - 50.0).abs() < 1e-9);
        assert_eq!(axis.ticks().map(|(_, name)| name).collect::<Vec<_>>(), ["10", "100", "1k", "10k", "100k"]);
    }
}
