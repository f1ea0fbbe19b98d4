//! Plots as SVG that stands in a page and takes its colours from there.

use crate::page::escape;
use crate::table::count;
use std::fmt::Write as _;

/// How many colours the page has.
const COLOURS: usize = 8;

/// A mark of a scatter plot.
#[derive(Clone, Debug)]
pub struct Point {
    /// Across, above 0.
    pub x: f64,
    /// Up, above 0.
    pub y: f64,
    /// What it is called.
    pub name: String,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// Its corners from left to right: it runs level from each to the next, and then up. Across is above 0.
    pub corners: Vec<(f64, f64)>,
}

/// A logarithmic axis from a power of ten to another.
#[derive(Clone, Copy)]
struct Axis {
    first: i32,
    last: i32,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that holds all values, drawn from one coordinate to another.
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (least, most) = values.fold((f64::MAX, 0.0f64), |(least, most), v| (least.min(v), most.max(v)));
        let first = least.min(most.max(1.0)).max(1.0).log10().floor() as i32;
        let last = (most.max(1.0).log10().ceil() as i32).max(first + 1);
        Axis { first, last, from, to }
    }

    fn place(self, value: f64) -> f64 {
        let share = (value.max(1.0).log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The powers of ten, with their names.
    fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        (self.first..=self.last).map(move |power| {
            let value = 10f64.powi(power);
            (self.place(value), short(value))
        })
    }
}

/// A power of ten in few letters.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{}G", v / 1e9),
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v => format!("{v}"),
    }
}

fn open(width: f64, height: f64, title: &str) -> String {
    let title = escape(title);
    format!(
        "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n\
         <text class=\"title\" x=\"8\" y=\"18\">{title}</text>\n"
    )
}

/// The lines of an axis that runs across, with their names below.
fn across_ticks(svg: &mut String, axis: Axis, top: f64, bottom: f64) {
    for (x, name) in axis.ticks() {
        across_tick(svg, x, top, bottom, &name);
    }
}

/// A line up the plot, with its name below.
fn across_tick(svg: &mut String, x: f64, top: f64, bottom: f64, name: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
         <text class=\"soft\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
        bottom + 16.0
    );
}

/// A line across the plot, with its name on the left.
fn level_line(svg: &mut String, y: f64, left: f64, right: f64, name: &str) {
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

/// A name of at most so many characters.
fn clipped(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return escape(name);
    }
    escape(&name.chars().take(most - 1).chain(['…']).collect::<String>())
}

/// A bar for each value, all from 0 on one linear scale.
pub fn bars(title: &str, values: &[(String, u64)]) -> String {
    let (width, left, row) = (720.0, 290.0, 26.0);
    let height = 34.0 + row * values.len() as f64;
    let most = values.iter().map(|&(_, value)| value).max().unwrap_or(0).max(1) as f64;
    let mut svg = open(width, height, title);
    for (i, (name, value)) in values.iter().enumerate() {
        let (y, length) = (30.0 + row * i as f64, (width - left - 110.0) * *value as f64 / most);
        let (middle, end, colour) = (y + 14.0, left + length + 6.0, i % COLOURS);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<g class=\"s{colour}\"><title>{}: {}</title>\
             <text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>\
             <rect class=\"fill\" x=\"{left}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text class=\"soft\" x=\"{end:.1}\" y=\"{middle}\">{}</text></g>",
            escape(name),
            count(*value),
            left - 8.0,
            clipped(name, 42),
            row - 7.0,
            count(*value),
        );
    }
    svg + CLOSE
}

/// Points on two logarithmic axes of the same range, and the diagonal where both are equal.
pub fn scatter(x_name: &str, y_name: &str, points: &[Point]) -> String {
    let side = 340.0;
    let (left, right, top, bottom) = (54.0, side - 12.0, 28.0, side - 44.0);
    let values = || points.iter().flat_map(|point| [point.x, point.y]);
    let (across, up) = (Axis::new(values(), left, right), Axis::new(values(), bottom, top));
    let mut svg = open(side, side, &clip_title(x_name, y_name));
    across_ticks(&mut svg, across, top, bottom);
    for (y, name) in up.ticks() {
        level_line(&mut svg, y, left, right, &name);
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
            across.place(point.x),
            up.place(point.y),
            escape(&point.name),
            count(point.x as u64),
            count(point.y as u64),
        );
    }
    svg + "</g>" + CLOSE
}

fn clip_title(x_name: &str, y_name: &str) -> String {
    let title = format!("{y_name} against {x_name}");
    if title.chars().count() <= 42 { title } else { "nodes, board by board".to_owned() }
}

/// Curves that rise with a logarithmic axis; the legend is below.
pub fn curves(title: &str, x_name: &str, most: u64, all: &[Curve]) -> String {
    let (width, plot) = (720.0, 330.0);
    let height = plot + 24.0 + 20.0 * all.len() as f64;
    let (left, right, top, bottom) = (54.0, width - 20.0, 30.0, plot - 40.0);
    let across = Axis::new(all.iter().flat_map(|curve| curve.corners.iter().map(|c| c.0)), left, right);
    let up = |y: f64| bottom - y / most.max(1) as f64 * (bottom - top);
    let mut svg = open(width, height, title);
    across_ticks(&mut svg, across, top, bottom);
    for quarter in 0..=4u64 {
        let value = most * quarter / 4;
        level_line(&mut svg, up(value as f64), left, right, &value.to_string());
    }
    let (middle, below) = (f64::midpoint(left, right), plot - 6.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", escape(x_name));
    for (i, curve) in all.iter().enumerate() {
        let (colour, dashes) = (i % COLOURS, if i < COLOURS { "" } else { " stroke-dasharray=\"6 4\"" });
        let (mut path, mut level) = (format!("M{left} {:.1}", up(0.0)), up(0.0));
        for &(x, y) in &curve.corners {
            let (x, y) = (across.place(x), up(y));
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
            escape(&curve.name),
            left + 26.0,
            y - 4.0,
            y - 4.0,
            left + 34.0,
            clipped(&curve.name, 90),
        );
    }
    svg + CLOSE
}

/// A line through points, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points: across and up.
    pub points: Vec<(f64, f64)>,
}

/// An area between two lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// What it is called; if nothing, the legend leaves it out.
    pub name: String,
    /// The number of the series that it belongs to and has the colour of.
    pub series: usize,
    /// Its edges, from left to right: across, the lower and the upper one.
    pub edges: Vec<(f64, f64, f64)>,
}

/// A linear axis between two round numbers.
#[derive(Clone, Copy)]
struct LinearAxis {
    first: f64,
    last: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl LinearAxis {
    /// An axis that holds all values, drawn from one coordinate to another; its ends are values or round numbers.
    fn new(values: impl Iterator<Item = f64>, is_rounded: bool, from: f64, to: f64) -> LinearAxis {
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(v), most.max(v)));
        let (least, most) = if least > most { (0.0, 1.0) } else { (least, most) };
        let width = (most / 5.0 - least / 5.0).max(most.abs() * 1e-9).max(1e-9);
        let power = 10f64.powf(width.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= width).unwrap_or(10.0) * power;
        let (first, last) = if is_rounded || most <= least {
            ((least / step).floor() * step, ((most / step).ceil() * step).max((least / step).floor() * step + step))
        } else {
            (least, most)
        };
        LinearAxis { first, last, step, from, to }
    }

    fn place(self, value: f64) -> f64 {
        let share = (value - self.first) / (self.last - self.first);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The round numbers, with their names.
    fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        let begin = (self.first / self.step).ceil();
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let value = move |tick: i32| (begin + f64::from(tick)) * self.step;
        let last = self.last + self.step * 1e-6;
        // Adding 0 makes a positive zero of a negative one.
        (0..12).map(value).take_while(move |&value| value <= last).map(move |value| {
            (self.place(value), if value.abs() >= 1e6 { short(value) } else { format!("{:.decimals$}", value + 0.0) })
        })
    }
}

/// Lines on two linear axes, with bands behind them; the legend is below. Pointing at a place tells its numbers. What is
/// above or below the range, if there is one, is drawn at the frame, and the legend says so.
pub fn lines(
    title: &str,
    x_name: &str,
    y_name: &str,
    series: &[Series],
    bands: &[Band],
    range: Option<(f64, f64)>,
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
    let (least, most) = range.unwrap_or((f64::MIN, f64::MAX));
    let up = LinearAxis::new(all().map(|y| y.max(least).min(most)), true, bottom, top);
    let is_cut = range.is_some() && all().any(|y| y < up.first || y > up.last);
    let named = bands.iter().filter(|band| !band.name.is_empty()).count();
    let entries = series.len() + named + usize::from(is_cut);
    let mut svg = open(width, plot + 4.0 + 20.0 * entries as f64, title);
    for (x, name) in across.ticks() {
        across_tick(&mut svg, x, top, bottom, &name);
    }
    for (y, name) in up.ticks() {
        level_line(&mut svg, y, left, right, &name);
    }
    let (middle, below, beside) = (f64::midpoint(left, right), plot - 8.0, f64::midpoint(top, bottom));
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(14 {beside}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(x_name),
        clipped(y_name, 42),
    );
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let corners = points.map(|(x, y)| format!("{:.1} {:.1}", across.place(x), up.place(y)));
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
                let (x, y) = (across.place(x), up.place(y));
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
    if is_cut {
        legend.push(legend_text(left, "What is off the scale is drawn at the frame."));
    }
    for (i, entry) in legend.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">{entry}</g>", plot + 14.0 + 20.0 * i as f64);
    }
    svg += &places(x_name, &series, &bands, across, (top, bottom));
    svg + CLOSE
}

fn legend_text(left: f64, name: &str) -> String {
    format!("<text x=\"{}\" y=\"0\">{}</text>", left + 34.0, clipped(name, 64))
}

/// An area for each place across that tells the numbers there when it is pointed at.
fn places(
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
        let end = |other: Option<&f64>| across.place(other.map_or(x, |&other| f64::midpoint(x, other)));
        let (from, to) = (end(i.checked_sub(1).and_then(|i| xs.get(i))), end(xs.get(i + 1)));
        let _ = writeln!(
            svg,
            "<rect class=\"place\" x=\"{from:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            (to - from).max(1.0),
            bottom - top,
            escape(&text),
        );
    }
    svg
}

/// A number with the digits that matter in a plot.
fn rounded(value: f64) -> String {
    if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(svg: &str, tag: &str) -> usize {
        let document = roxmltree::Document::parse(svg).unwrap();
        document.descendants().filter(|node| node.tag_name().name() == tag).count()
    }

    #[test]
    fn plots_are_well_formed_and_show_everything() {
        let name = "astar(<&\">) with a name that is longer than any room a plot has for it".to_string();
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
    fn an_axis_holds_its_values() {
        let axis = Axis::new([30.0, 2e4].into_iter(), 0.0, 100.0);
        assert_eq!((axis.first, axis.last), (1, 5));
        assert!((axis.place(1000.0) - 50.0).abs() < 1e-9);
        assert_eq!(axis.ticks().map(|(_, name)| name).collect::<Vec<_>>(), ["10", "100", "1k", "10k", "100k"]);
    }

    #[test]
    fn lines_have_round_axes_and_tell_their_numbers() {
        let name = "best <of & all>".to_string();
        let series = [
            Series { name: name.clone(), points: vec![(0.0, 12.5), (1.0, 40.0), (2.0, f64::NAN), (3.0, 61.0)] },
            Series { name: "one".into(), points: vec![(3.0, 5.0)] },
            Series { name: "none".into(), points: Vec::new() },
        ];
        let band = Band { name, series: 0, edges: vec![(0.0, 1.0, 9.0), (1.0, 2.0, 20.0)] };
        let unnamed = Band { name: String::new(), series: 1, edges: vec![(3.0, 4.0, 6.0)] };
        let svg = lines("t", "generation", "score", &series, &[band, unnamed], None);
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
    fn what_is_off_the_scale_is_drawn_at_the_frame() {
        let points = vec![(0.0, -5000.0), (1.0, -30.0), (2.0, -7.0)];
        let plot = |range| lines("t", "x", "y", &[Series { name: "s".into(), points: points.clone() }], &[], range);
        let says = "What is off the scale";
        let (whole, cut) = (plot(None), plot(Some((-40.0, 0.0))));
        assert!(whole.contains(">-5000<") && !whole.contains(says), "{whole}");
        assert!(!cut.contains(">-5000<") && cut.contains(">-40<") && cut.contains(says), "{cut}");
        assert!(cut.contains("s: -5000") && cut.contains("d=\"M74.0 286.0L"), "the number is told, the line is inside");
        assert!(!plot(Some((-9000.0, 0.0))).contains(says), "nothing is off this scale");
    }

    #[test]
    fn lines_can_be_drawn_whatever_their_numbers() {
        for values in [vec![], vec![0.0], vec![-3.0, -3.0], vec![1e300, -1e300], vec![f64::INFINITY, 1e-12]] {
            let points = (0..).map(f64::from).zip(values).collect();
            let svg = lines("t", "x", "y", &[Series { name: "s".into(), points }], &[], None);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(elements(&svg, "svg"), 1);
        }
    }
}
