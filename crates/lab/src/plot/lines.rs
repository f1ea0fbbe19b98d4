//! Line plots on two linear axes.

use super::{CLOSE, COLOURS, clipped, open, short, x_tick, y_tick};
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// A line through points, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points: x and y.
    pub points: Vec<(f64, f64)>,
}

/// An area between two lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Name; if empty, the legend omits it.
    pub name: String,
    /// Index of the series that it belongs to, which determines its colour.
    pub series: usize,
    /// Edges from left to right: x, lower y and upper y.
    pub edges: Vec<(f64, f64, f64)>,
}

/// A linear axis between two round numbers.
#[derive(Clone, Copy)]
pub(super) struct LinearAxis {
    first: f64,
    last: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl LinearAxis {
    /// Creates an axis that covers all values, drawn from one coordinate to another. With `is_rounded` its ends are round
    /// numbers; otherwise they are the extreme values.
    pub fn new(values: impl Iterator<Item = f64>, is_rounded: bool, from: f64, to: f64) -> LinearAxis {
        let (min, max) = values.fold((f64::MAX, f64::MIN), |(min, max), v| (min.min(v), max.max(v)));
        let (min, max) = if min > max { (0.0, 1.0) } else { (min, max) };
        let width = (max / 5.0 - min / 5.0).max(max.abs() * 1e-9).max(1e-9);
        let power = 10f64.powf(width.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= width).unwrap_or(10.0) * power;
        let (first, last) = if is_rounded || max <= min {
            ((min / step).floor() * step, ((max / step).ceil() * step).max((min / step).floor() * step + step))
        } else {
            (min, max)
        };
        LinearAxis { first, last, step, from, to }
    }

    /// Coordinate of a value.
    pub fn position(self, value: f64) -> f64 {
        let share = (value - self.first) / (self.last - self.first);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Coordinates and labels of the round numbers.
    pub fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        let start = (self.first / self.step).ceil();
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let value = move |tick: i32| (start + f64::from(tick)) * self.step;
        let last = self.last + self.step * 1e-6;
        // Adding 0 turns a negative zero into a positive one.
        (0..12).map(value).take_while(move |&value| value <= last).map(move |value| {
            (
                self.position(value),
                if value.abs() >= 1e6 { short(value) } else { format!("{:.decimals$}", value + 0.0) },
            )
        })
    }
}

/// Marks on the x axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Marks<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Positions; if there are none, the legend omits the name.
    pub at: &'a [f64],
}

/// Line plot on two linear axes, with bands behind the lines and a legend below. Pointing at an x value shows the numbers
/// there.
pub fn lines(title: &str, x_name: &str, y_name: &str, series: &[Series], bands: &[Band]) -> String {
    lines_with_marks(title, x_name, y_name, series, bands, None, Marks::default())
}

/// Line plot with marks on the x axis. Values outside of `range`, if given, are drawn at the edge, and the legend notes this.
pub fn lines_with_marks(
    title: &str,
    x_name: &str,
    y_name: &str,
    series: &[Series],
    bands: &[Band],
    range: Option<(f64, f64)>,
    marks: Marks,
) -> String {
    let (width, plot) = (560.0, 330.0);
    let (left, right, top, bottom) = (74.0, width - 16.0, 32.0, plot - 44.0);
    let is_drawn = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    let series: Vec<(&str, Vec<(f64, f64)>)> = series
        .iter()
        .map(|series| (series.name.as_str(), series.points.iter().copied().filter(is_drawn).collect()))
        .collect();
    let bands: Vec<Band> = bands
        .iter()
        .map(|band| {
            let mut band = band.clone();
            band.edges.retain(|&(x, low, high)| is_drawn(&(x, low)) && high.is_finite());
            band
        })
        .collect();
    let points = || series.iter().flat_map(|(_, points)| points.iter().copied());
    let across = LinearAxis::new(points().map(|point| point.0), false, left, right);
    let edges = || bands.iter().flat_map(|band| &band.edges);
    let all = || points().map(|point| point.1).chain(edges().flat_map(|&(_, low, high)| [low, high]));
    let (min, max) = range.unwrap_or((f64::MIN, f64::MAX));
    let up = LinearAxis::new(all().map(|y| y.max(min).min(max)), true, bottom, top);
    let is_cut = range.is_some() && all().any(|y| y < up.first || y > up.last);
    let named = bands.iter().filter(|band| !band.name.is_empty()).count();
    let entries = series.len() + named + usize::from(is_cut) + usize::from(!marks.at.is_empty());
    let mut svg = open(width, plot + 4.0 + 20.0 * entries as f64, title);
    for (x, name) in across.ticks() {
        x_tick(&mut svg, x, top, bottom, &name);
    }
    for (y, name) in up.ticks() {
        y_tick(&mut svg, y, left, right, &name);
    }
    let (middle, below, beside) = (f64::midpoint(left, right), plot - 8.0, f64::midpoint(top, bottom));
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(14 {beside}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape_xml(x_name),
        clipped(y_name, 42),
    );
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let corners = points.map(|(x, y)| format!("{:.1} {:.1}", across.position(x), up.position(y)));
        corners.collect::<Vec<_>>().join("L")
    };
    let mut legend = Vec::new();
    for Band { name, series, edges } in &bands {
        let colour = series % COLOURS;
        let (upper, lower) = (edges.iter().map(|&(x, _, y)| (x, y)), edges.iter().rev().map(|&(x, y, _)| (x, y)));
        if !edges.is_empty() {
            let _ = writeln!(svg, "<path class=\"band s{colour}\" d=\"M{}Z\"/>", path(&mut upper.chain(lower)));
        }
        if !name.is_empty() {
            legend.push(format!(
                "<rect class=\"band s{colour}\" x=\"{left}\" y=\"-9\" width=\"26\" height=\"10\"/>{}",
                legend_text(left, name)
            ));
        }
    }
    for (i, (name, points)) in series.iter().enumerate() {
        let colour = i % COLOURS;
        match points[..] {
            [] => {}
            [(x, y)] => {
                let (x, y) = (across.position(x), up.position(y));
                let _ = writeln!(svg, "<circle class=\"dot s{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
            }
            _ => {
                let corners = path(&mut points.iter().copied());
                let _ = writeln!(svg, "<path class=\"curve stroke s{colour}\" d=\"M{corners}\"/>");
            }
        }
        legend.push(format!(
            "<line class=\"curve stroke s{colour}\" x1=\"{left}\" x2=\"{}\" y1=\"-4\" y2=\"-4\"/>{}",
            left + 26.0,
            legend_text(left, name)
        ));
    }
    if !marks.at.is_empty() {
        // Short marks stay legible where every generation has one.
        let mark = |x: &f64| format!("M{:.1} {bottom}v-8", across.position(*x));
        let path: String = marks.at.iter().map(mark).collect();
        let _ = writeln!(svg, "<path class=\"mark\" d=\"{path}\"/>");
        let x = left + 13.0;
        legend.push(format!("<path class=\"mark\" d=\"M{x} 0v-8\"/>{}", legend_text(left, marks.name)));
    }
    if is_cut {
        legend.push(legend_text(left, "Values off the scale are drawn at the edge."));
    }
    for (i, entry) in legend.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">{entry}</g>", plot + 14.0 + 20.0 * i as f64);
    }
    svg += &hover_areas(x_name, &series, &bands, across, (top, bottom));
    svg + CLOSE
}

fn legend_text(left: f64, name: &str) -> String {
    format!("<text x=\"{}\" y=\"0\">{}</text>", left + 34.0, clipped(name, 64))
}

/// An area for each x value that shows the numbers there on hover.
fn hover_areas(
    x_name: &str,
    series: &[(&str, Vec<(f64, f64)>)],
    bands: &[Band],
    across: LinearAxis,
    (top, bottom): (f64, f64),
) -> String {
    let mut xs: Vec<f64> = series.iter().flat_map(|(_, points)| points.iter().map(|point| point.0)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let mut svg = String::new();
    for (i, &x) in xs.iter().enumerate() {
        let mut text = format!("{x_name} {x}");
        for (number, (name, points)) in series.iter().enumerate() {
            if let Some((_, y)) = points.iter().find(|point| point.0.total_cmp(&x).is_eq()) {
                let _ = write!(text, "\n{name}: {}", rounded(*y));
            }
            let edges = bands.iter().filter(|band| band.series == number).flat_map(|band| &band.edges);
            for (_, low, high) in edges.filter(|edge| edge.0.total_cmp(&x).is_eq()) {
                let _ = write!(text, ", quartiles {} to {}", rounded(*low), rounded(*high));
            }
        }
        let end = |other: Option<&f64>| across.position(other.map_or(x, |&other| f64::midpoint(x, other)));
        let (from, to) = (end(i.checked_sub(1).and_then(|i| xs.get(i))), end(xs.get(i + 1)));
        let _ = writeln!(
            svg,
            "<rect class=\"place\" x=\"{from:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            (to - from).max(1.0),
            bottom - top,
            escape_xml(&text),
        );
    }
    svg
}

/// Formats a number for a plot.
fn rounded(value: f64) -> String {
    if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::super::tests::elements;
    use super::*;

    #[test]
    fn axes_are_round_and_hover_areas_show_the_numbers() {
        let name = "best <of & all>".to_string();
        let series = [
            Series { name: name.clone(), points: vec![(0.0, 12.5), (1.0, 40.0), (2.0, f64::NAN), (3.0, 61.0)] },
            Series { name: "one".into(), points: vec![(3.0, 5.0)] },
            Series { name: "none".into(), points: Vec::new() },
        ];
        let band = Band { name, series: 0, edges: vec![(0.0, 1.0, 9.0), (1.0, 2.0, 20.0)] };
        let unnamed = Band { name: String::new(), series: 1, edges: vec![(3.0, 4.0, 6.0)] };
        let svg = lines("t", "generation", "score", &series, &[band, unnamed]);
        assert_eq!((elements(&svg, "path"), elements(&svg, "circle")), (3, 1), "two bands, a line and a dot");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
        for expected in ["0", "20", "60", "80", "generation 1\nbest <of & all>: 40.00, quartiles 2.00 to 20.00"] {
            assert!(texts.contains(&expected), "{expected}: {texts:?}");
        }
        let places = document.descendants().filter(|node| node.attribute("class") == Some("place")).count();
        assert_eq!(places, 3, "0, 1 and 3");
    }

    #[test]
    fn values_off_the_scale_are_drawn_at_the_edge() {
        let points = vec![(0.0, -5000.0), (1.0, -30.0), (2.0, -7.0)];
        let series = [Series { name: "s".into(), points }];
        let plot = |range| lines_with_marks("t", "x", "y", &series, &[], range, Marks::default());
        let note = "Values off the scale";
        let (whole, cut) = (plot(None), plot(Some((-40.0, 0.0))));
        assert!(whole.contains(">-5000<") && !whole.contains(note), "{whole}");
        assert!(!cut.contains(">-5000<") && cut.contains(">-40<") && cut.contains(note), "{cut}");
        assert!(
            cut.contains("s: -5000") && cut.contains("d=\"M74.0 286.0L"),
            "the number is shown, and the line is inside"
        );
        assert!(!plot(Some((-9000.0, 0.0))).contains(note), "no value is off this scale");
    }

    #[test]
    fn marks_are_in_the_plot_and_in_the_legend() {
        let series = [Series { name: "s".into(), points: vec![(0.0, 1.0), (9.0, 2.0)] }];
        let plot = |at: &[f64]| lines_with_marks("t", "x", "y", &series, &[], None, Marks { name: "new sample", at });
        let marks = |svg: &str| svg.matches("class=\"mark\"").count();
        let (none, some) = (plot(&[]), plot(&[3.0, 6.0]));
        assert_eq!((marks(&none), marks(&some)), (0, 2));
        assert!(some.contains("new sample") && !none.contains("new sample"));
        assert_eq!(some.matches("v-8").count(), 3, "two marks and one in the legend");
    }

    #[test]
    fn extreme_values_can_be_plotted() {
        for values in [vec![], vec![0.0], vec![-3.0, -3.0], vec![1e300, -1e300], vec![f64::INFINITY, 1e-12]] {
            let points = (0..).map(f64::from).zip(values).collect();
            let svg = lines("t", "x", "y", &[Series { name: "s".into(), points }], &[]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(elements(&svg, "svg"), 1);
        }
    }
}
