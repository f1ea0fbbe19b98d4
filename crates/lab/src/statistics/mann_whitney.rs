//! The test of two independent samples, and its effect size.

use super::ranks::{Ranks, two_sided};
use serde::{Deserialize, Serialize};

/// Result of the Mann-Whitney U test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// Statistic of the first sample: the number of pairs in which its value is greater; equal values count half.
    pub u: f64,
    /// Vargha and Delaney's A12, an effect size: the probability that a value of the first sample is greater than one of the
    /// second, where equal values count half. 0.5 is no effect.
    pub a12: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Whether the p-value is exact; otherwise it is that of the normal approximation with continuity correction.
    pub is_exact: bool,
}

/// If the smaller sample has at most this number of values and there are no ties, the p-value is exact.
const MAX_EXACT: usize = 8;
/// Maximum product of the sizes for an exact p-value: the number of orders must not exceed the precision of its type by much.
const MAX_EXACT_PAIRS: usize = 1 << 12;

/// Tests whether two samples have the same distribution, by the Mann-Whitney U test (two-sided). `None` if one of them is empty.
///
/// ```
/// use clearway_lab::statistics::mann_whitney;
/// let test = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).unwrap();
/// assert_eq!((test.u, test.a12, test.is_exact), (17.0, 0.85, true));
/// assert!((test.p - 1.0 / 9.0).abs() < 1e-12);
/// ```
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let Ranks { ranks, ties } = Ranks::new(&[first, second].concat());
    let (m, n) = (first.len() as f64, second.len() as f64);
    let u = ranks[..first.len()].iter().sum::<f64>() - m * (m + 1.0) / 2.0;
    let pairs = first.len().saturating_mul(second.len());
    let is_exact = ties == 0.0 && first.len().min(second.len()) <= MAX_EXACT && pairs <= MAX_EXACT_PAIRS;
    let p = if is_exact {
        exact(first.len(), second.len(), u.min(m * n - u) as usize)
    } else {
        let all = m + n;
        let deviation = (m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)))).sqrt();
        let distance = (u - m * n / 2.0).abs() - 0.5;
        if deviation > 0.0 { two_sided(distance / deviation) } else { 1.0 }
    };
    Some(MannWhitney { u, a12: u / (m * n), p, is_exact })
}

/// Twice the probability that U is at most this, if all orders of the two samples are equally likely.
fn exact(m: usize, n: usize, u: usize) -> f64 {
    // The number of orders with a given U is the number of partitions of U into at most `few` parts, none greater than `many`.
    // Its generating function is a product of quotients (1 - x^(many + i)) / (1 - x^i).
    let (few, many) = (m.min(n), m.max(n));
    let mut orders = vec![0.0; u + 1];
    orders[0] = 1.0;
    let mut all = 1.0;
    for i in 1..=few {
        for sum in (many + i..=u).rev() {
            orders[sum] -= orders[sum - many - i];
        }
        for sum in i..=u {
            orders[sum] += orders[sum - i];
        }
        all *= (many + i) as f64 / i as f64;
    }
    (2.0 * orders.iter().sum::<f64>() / all).min(1.0)
}
