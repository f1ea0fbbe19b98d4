//! Line charts with two logarithmic axes, as self-contained SVG.

use std::fmt::Write as _;

/// Line of the chart.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right; both coordinates are positive.
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 7] = ["#888888", "#c0392b", "#d68910", "#2471a3", "#1e8449", "#7d3c98", "#117a8b"];
const LEFT: f64 = 70.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 400.0;

/// Axis between two powers of ten, drawn between two coordinates.
struct Axis {
    first: i32,
    last: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Axis {
        let first = values.clone().fold(f64::MAX, f64::min).log10().floor() as i32;
        let last = values.fold(f64::MIN_POSITIVE, f64::max).log10().ceil() as i32;
        Axis { first, last: last.max(first + 1), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.from + share * (self.to - self.from)
    }

    /// Returns the coordinate and the label of each power of ten.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        (self.first..=self.last).map(|power| {
            let (value, decimals) = (10f64.powi(power), (-power).max(0) as usize);
            (self.place(value), format!("{value:.decimals$}"))
        })
    }
}

/// Draws a chart. The first line is dashed.
pub fn chart(title: &str, across: &str, up: &str, lines: &[ChartLine]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let x = Axis::new(points().map(|point| point.0), LEFT, RIGHT);
    let y = Axis::new(points().map(|point| point.1), BOTTOM, TOP);
    let height = BOTTOM + 56.0 + 20.0 * lines.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {height}\" font-family=\"sans-serif\" \
         font-size=\"13\" fill=\"#222222\">\n<rect width=\"640\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-weight=\"bold\">{title}</text>\n"
    );
    // Writing to a string cannot fail.
    for (place, name) in x.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{place:.1} {TOP}V{BOTTOM}\" stroke=\"#dddddd\"/>\
             <text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            BOTTOM + 18.0
        );
    }
    for (place, name) in y.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {place:.1}H{RIGHT}\" stroke=\"#dddddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 6.0,
            place + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{across}</text>\n\
         <text transform=\"translate(16 {TOP}) rotate(-90)\" text-anchor=\"end\">{up}</text>",
        BOTTOM + 36.0
    );
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let dash = if number == 0 { " stroke-dasharray=\"6 4\"" } else { "" };
        let path: Vec<String> =
            line.points.iter().map(|point| format!("{:.1} {:.1}", x.place(point.0), y.place(point.1))).collect();
        let (level, name) = (BOTTOM + 56.0 + 20.0 * number as f64, &line.name);
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\n\
             <path d=\"M{LEFT} {}h28\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\
             <text x=\"{}\" y=\"{level}\">{name}</text>",
            path.join("L"),
            level - 4.0,
            LEFT + 36.0
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_runs_from_corner_to_corner() {
        let line = ChartLine { name: "all".to_owned(), points: vec![(1.0, 1000.0), (100.0, 1.0)] };
        let svg = chart("Time", "cores", "hours", &[line]);
        assert!(svg.contains("d=\"M70.0 40.0L620.0 400.0\""), "{svg}");
        assert!(svg.contains(">1000</text>") && svg.contains(">all</text>"), "{svg}");
    }
}
