//! Quantities as people type them: `10s`, `500ms`, `300M`.

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
}
