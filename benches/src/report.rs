//! Output of the benches: one line per measurement, one line per bar.

use crate::measure::BoardGroupSummary;

/// Returns whether the program runs as a bench. `cargo test --all-targets` also runs benches, without the argument `--bench`, to
/// check that they start.
pub fn is_bench_run() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Prints the header of the table of summaries.
pub fn header() {
    println!("{:<34} {:>6} {:>10} {:>10} {:>10} {:>9}", "", "boards", "median µs", "mean µs", "states", "ns/state");
}

/// Prints a summary as a row of the table.
pub fn row(name: &str, summary: &BoardGroupSummary) {
    let BoardGroupSummary { boards, median_us, mean_us, expanded } = summary;
    let ns = summary.ns_per_state();
    println!("{name:<34} {boards:>6} {median_us:>10.1} {mean_us:>10.1} {expanded:>10} {ns:>9.1}");
}

/// Direction in which a value must meet its bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Good {
    /// The bar is a maximum.
    AtMost,
    /// The bar is a minimum.
    AtLeast,
}

/// Prints a measured value with its bar, and whether it meets it.
pub fn bar(what: &str, measured: f64, good: Good, limit: f64, unit: &str) {
    let (word, passes) = match good {
        Good::AtMost => ("at most", measured <= limit),
        Good::AtLeast => ("at least", measured >= limit),
    };
    let verdict = if passes { "ok" } else { "MISSED" };
    println!("{verdict:<6}  {what}: {} {unit} (bar: {word} {limit})", significant(measured));
}

/// Formats a number with at least three significant digits.
fn significant(number: f64) -> String {
    let digits = number.abs().max(1e-9).log10().floor() as i32;
    format!("{number:.*}", (2 - digits).clamp(0, 6) as usize)
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn numbers_have_at_least_three_significant_digits() {
        assert_eq!([4812.3, 71.26, 1.5, 0.034_56].map(significant), ["4812", "71.3", "1.50", "0.0346"]);
    }
}
