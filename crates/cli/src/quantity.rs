//! Human-readable quantities: `10s`, `500ms`, `300M`, `1,234,567`.

pub use clearway_lab::quantity::{parse_size, parse_time};
pub use clearway_util::text::thousands as count;

use clearway_rush::Metric;
use std::time::Duration;

/// Formats a count with its noun: `1 board`, `2 boards`.
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Formats a length in a metric: `1 move`, `24 steps`.
pub fn length(length: u32, metric: Metric) -> String {
    plural(length.into(), metric.as_str().trim_end_matches('s'))
}

/// Formats a time in a suitable unit, with three significant digits.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = if seconds >= 1.0 {
        (seconds, "s")
    } else if seconds >= 1e-3 {
        (seconds * 1e3, "ms")
    } else {
        (seconds * 1e6, "µs")
    };
    let decimals = if number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    format!("{number:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_are_human_readable() {
        assert_eq!([0u64, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(u128::from(u64::MAX) + 1), "18,446,744,073,709,551,616");
        assert_eq!(plural(1, "board"), "1 board");
        assert_eq!(plural(40, "board"), "40 boards");
        let written = [5.0, 153.2, 12_345.0, 2_500_000.0, 250e6].map(|us| time(Duration::from_secs_f64(us / 1e6)));
        assert_eq!(written, ["5.00 µs", "153 µs", "12.3 ms", "2.50 s", "250 s"]);
    }
}
