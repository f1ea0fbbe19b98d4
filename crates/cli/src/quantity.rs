//! Quantities as people type and read them: `10s`, `500ms`, `300M`, `1,234,567`.

use std::time::Duration;

/// Reads a time: a number with `ms`, `s`, `m` or `h` behind it, or plain seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let expected =
        || format!("'{text}' is not a time: a number of seconds, or one with a unit such as 500ms, 10s, 2m or 1h");
    let (number, unit) = split_unit(text).ok_or_else(expected)?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(expected()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

/// Reads a size: a number of bytes, or one with `k`, `M` or `G` behind it (powers of 1024).
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let expected = || format!("'{text}' is not a size: a number of bytes, or one with a unit such as 64k, 300M or 2G");
    let (number, unit) = split_unit(text).ok_or_else(expected)?;
    let unit = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    // The cast saturates: more than the address space is the same as no limit.
    Ok((number * unit) as usize)
}

/// Splits `1.5G` into its number, which is not negative, and its unit.
fn split_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim_start()))
}

/// Writes a count with commas between thousands.
pub fn count(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a count with its noun: `1 board`, `2 boards`.
pub fn of(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Writes a time in the unit that suits it, with three digits that matter.
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
    fn times_are_read_with_and_without_a_unit() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1", "10 parsecs", "1e400", "..", "99999999999999999999999"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        assert_eq!(parse_bytes("300M"), Ok(300 << 20));
        assert_eq!(parse_bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_bytes("64kb"), Ok(64 << 10));
        assert_eq!(parse_bytes("4096"), Ok(4096));
        assert_eq!(parse_bytes("99999999999T"), Ok(usize::MAX));
        for wrong in ["", "M", "-1M", "1X"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_and_times_are_written_for_people() {
        assert_eq!([0u64, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(u128::from(u64::MAX) + 1), "18,446,744,073,709,551,616");
        assert_eq!(of(1, "board"), "1 board");
        assert_eq!(of(40, "board"), "40 boards");
        let written = [5.0, 153.2, 12_345.0, 2_500_000.0, 250e6].map(|us| time(Duration::from_secs_f64(us / 1e6)));
        assert_eq!(written, ["5.00 µs", "153 µs", "12.3 ms", "2.50 s", "250 s"]);
    }
}
