//! Strip plots: all values of a few samples, one sample per row.

use super::lines::LinearAxis;
use super::{CLOSE, COLOURS, clipped, open, x_tick};
use crate::table::ratio;
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// A sample of values on a row of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Name beside the row.
    pub name: String,
    /// Values with their names.
    pub values: Vec<(String, f64)>,
    /// Median.
    pub median: f64,
    /// Confidence interval of the median.
    pub interval: Option<(f64, f64)>,
}

/// Strip plot on a linear axis: a dot for each value, and a bar for the median and its confidence interval.
pub fn strips(title: &str, strips: &[Strip]) -> String {
    let (width, row, top) = (560.0, 44.0, 32.0);
    let (left, right, bottom) = (150.0, width - 20.0, top + row * strips.len() as f64);
    let values = strips.iter().flat_map(|strip| &strip.values).map(|(_, value)| *value);
    let axis = LinearAxis::new(values.filter(|value| value.is_finite()), true, left, right);
    let mut svg = open(width, bottom + 28.0, title);
    for (x, name) in axis.ticks() {
        x_tick(&mut svg, x, top, bottom, &name);
    }
    for (number, strip) in strips.iter().enumerate() {
        let (y, colour) = (top + row * (number as f64 + 0.5), number % COLOURS);
        let x = |value: f64| axis.position(value);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<g class=\"s{colour}\"><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 10.0,
            y + 4.0,
            clipped(&strip.name, 22),
        );
        if let Some((low, high)) = strip.interval {
            let _ = writeln!(
                svg,
                "<rect class=\"band\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"28\"><title>95 % interval of the median: \
                 {} to {}</title></rect>",
                x(low),
                y - 14.0,
                (x(high) - x(low)).max(1.0),
                ratio(low, 1.0),
                ratio(high, 1.0),
            );
        }
        let _ = writeln!(
            svg,
            "<line class=\"curve stroke\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\"/>",
            x(strip.median),
            y - 14.0,
            y + 14.0,
        );
        for (place, (name, value)) in strip.values.iter().enumerate() {
            // Dots of equal values do not cover each other.
            let shift = (place % 5) as f64 * 4.0 - 8.0;
            let _ = writeln!(
                svg,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{}: {}</title></circle>",
                x(*value),
                y + shift,
                escape_xml(name),
                ratio(*value, 1.0),
            );
        }
        svg += "</g>\n";
    }
    svg + CLOSE
}

#[cfg(test)]
mod tests {
    use super::super::tests::elements;
    use super::*;

    #[test]
    fn every_value_is_a_dot() {
        let strip = |values: &[f64]| Strip {
            name: "<a & b>".to_owned(),
            values: values.iter().map(|value| ("seed <1>".to_owned(), *value)).collect(),
            median: values[0],
            interval: (values.len() > 1).then_some((1.0, 2.0)),
        };
        let svg = strips("t <", &[strip(&[1.5, 1.5, 2.0]), strip(&[0.0])]);
        assert_eq!((elements(&svg, "circle"), elements(&svg, "rect"), elements(&svg, "line") >= 2), (4, 1, true));
        assert_eq!(elements(&strips("t", &[]), "svg"), 1);
    }
}
