//! Parsing of quantities such as `10s`, `500ms` and `300M`.

use std::time::Duration;

/// Parses a time: a number followed by `ms`, `s`, `m` or `h`, or a number of seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let invalid = || {
        format!(
            "invalid time '{text}'; expected a number of seconds, or a number with a unit such as 500ms, 10s, 2m or 1h"
        )
    };
    let (number, unit) = split_unit(text).ok_or_else(invalid)?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(invalid()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| invalid())
}

/// Parses a size: a number of bytes, or a number followed by `k`, `M`, `G` or `T` (powers of 1024).
pub fn parse_size(text: &str) -> Result<usize, String> {
    let invalid = || {
        format!("invalid size '{text}'; expected a number of bytes, or a number with a unit such as 64k, 300M or 2G")
    };
    let (number, unit) = split_unit(text).ok_or_else(invalid)?;
    let unit = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(invalid()),
    };
    // The cast saturates: a size beyond the address space is no limit.
    Ok((number * unit) as usize)
}

/// Splits a text such as `1.5G` into a non-negative number and a unit.
fn split_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_parse_with_and_without_a_unit() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
        for invalid in ["", "s", "-1", "10 parsecs", "1e400", "..", "99999999999999999999999"] {
            assert!(parse_time(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn units_of_sizes_are_powers_of_1024() {
        assert_eq!(parse_size("300M"), Ok(300 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("64kb"), Ok(64 << 10));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("99999999999T"), Ok(usize::MAX));
        for invalid in ["", "M", "-1M", "1X"] {
            assert!(parse_size(invalid).is_err(), "{invalid}");
        }
    }
}
