//! How the benches speak: one line a measurement, one line a bar.

use crate::measure::Summary;

/// Whether the program runs as a bench. `cargo test --all-targets` runs benches too, without this argument, and means
/// only to see that they start.
pub fn is_bench_run() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Prints the header of the table of summaries.
pub fn header() {
    println!("{:<34} {:>6} {:>10} {:>10} {:>10} {:>9}", "", "boards", "median µs", "mean µs", "states", "ns/state");
}

/// Prints a summary as a row of the table.
pub fn row(name: &str, summary: &Summary) {
    let Summary { boards, median_us, mean_us, expanded } = summary;
    let ns = summary.ns_per_state();
    println!("{name:<34} {boards:>6} {median_us:>10.1} {mean_us:>10.1} {expanded:>10} {ns:>9.1}");
}

/// Which side of a bar is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Good {
    /// The measured number must not be larger.
    AtMost,
    /// The measured number must not be smaller.
    AtLeast,
}

/// Prints what was measured beside its bar, and whether it passes.
pub fn bar(what: &str, measured: f64, good: Good, limit: f64, unit: &str) {
    let (word, passes) = match good {
        Good::AtMost => ("at most", measured <= limit),
        Good::AtLeast => ("at least", measured >= limit),
    };
    let verdict = if passes { "ok" } else { "MISSED" };
    println!("{verdict:<6}  {what}: {} {unit} (bar: {word} {limit})", significant(measured));
}

/// A number with three digits that say something.
fn significant(number: f64) -> String {
    let digits = number.abs().max(1e-9).log10().floor() as i32;
    format!("{number:.*}", (2 - digits).clamp(0, 6) as usize)
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn numbers_have_three_digits_or_more() {
        assert_eq!([4812.3, 71.26, 1.5, 0.034_56].map(significant), ["4812", "71.3", "1.50", "0.0346"]);
    }
}
