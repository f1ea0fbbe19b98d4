//! Tests of two measurements of the same items.

use super::ranks::{Ranks, two_sided};
use serde::{Deserialize, Serialize};

/// Result of Wilcoxon's signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedRank {
    /// Number of differences that are not 0.
    pub count: usize,
    /// Sum of the ranks of the positive differences.
    pub positive: f64,
    /// Sum of the ranks of the negative differences.
    pub negative: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Whether the p-value is exact; otherwise it is that of the normal approximation.
    pub is_exact: bool,
}

impl SignedRank {
    /// Test statistic: the smaller sum of ranks.
    pub fn statistic(&self) -> f64 {
        self.positive.min(self.negative)
    }

    /// Matched-pairs rank-biserial correlation, an effect size: from -1 (all differences are negative) to 1 (all are positive).
    pub fn effect(&self) -> f64 {
        let sum = self.positive + self.negative;
        if sum > 0.0 { (self.positive - self.negative) / sum } else { 0.0 }
    }
}

/// Up to this number of differences without ties, the p-value is exact.
const MAX_EXACT: usize = 50;
/// Up to this number of differences, the p-value is exact even with ties.
const MAX_EXACT_TIED: usize = 13;

/// Tests whether differences of pairs are distributed symmetrically about 0, by Wilcoxon's signed-rank test (two-sided).
/// Differences of 0 are left out. `None` if there are no differences.
///
/// ```
/// use clearway_lab::statistics::signed_rank;
/// let test = signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0, -0.5]).unwrap();
/// assert_eq!((test.statistic(), test.p, test.is_exact), (1.0, 0.0625, true));
/// ```
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    if differences.is_empty() {
        return None;
    }
    let nonzero: Vec<f64> = differences.iter().copied().filter(|&difference| difference != 0.0).collect();
    let Ranks { ranks, ties } = Ranks::new(&nonzero.iter().map(|difference| difference.abs()).collect::<Vec<_>>());
    let sum = |wanted: fn(f64) -> bool| -> f64 {
        nonzero.iter().zip(&ranks).filter(|&(&difference, _)| wanted(difference)).map(|(_, rank)| rank).sum()
    };
    // The sum of no ranks is a negative zero.
    let (positive, negative) = (sum(|difference| difference > 0.0) + 0.0, sum(|difference| difference < 0.0) + 0.0);
    let count = nonzero.len();
    let is_tied = ties > 0.0 || count < differences.len();
    let is_exact = differences.len() <= if is_tied { MAX_EXACT_TIED } else { MAX_EXACT };
    let p = if is_exact {
        exact(&ranks, positive.min(negative))
    } else {
        let n = count as f64;
        let deviation = ((n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0).sqrt();
        if count == 0 { 1.0 } else { two_sided((positive - n * (n + 1.0) / 4.0).abs() / deviation) }
    };
    Some(SignedRank { count, positive, negative, p, is_exact })
}

/// Twice the probability that a random half of the ranks has at most this sum, if each rank belongs to it with probability 1/2.
fn exact(ranks: &[f64], statistic: f64) -> f64 {
    // Twice a shared rank is a whole number.
    let doubled = |rank: f64| (2.0 * rank).round() as usize;
    let total: usize = ranks.iter().copied().map(doubled).sum();
    let mut shares = vec![0.0; total + 1];
    shares[0] = 1.0;
    for rank in ranks.iter().copied().map(doubled) {
        for sum in (0..=total).rev() {
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = f64::midpoint(shares[sum], with);
        }
    }
    (2.0 * shares[..=doubled(statistic)].iter().sum::<f64>()).min(1.0)
}

/// Two-sided sign test: the probability that `first + second` fair coins fall at least as unevenly. For boards that only one of
/// two searches solves, it is the exact form of `McNemar`'s test.
///
/// ```
/// use clearway_lab::statistics::sign_test;
/// assert_eq!((sign_test(0, 0), sign_test(5, 0)), (1.0, 0.0625));
/// assert!((sign_test(2, 3) - 1.0).abs() < 1e-12);
/// ```
pub fn sign_test(first: usize, second: usize) -> f64 {
    let (count, fewer) = (first + second, first.min(second));
    // The logarithm, because the probability of a single outcome underflows.
    let mut log_share = -(count as f64) * std::f64::consts::LN_2;
    let mut below = libm::exp(log_share);
    for k in 1..=fewer {
        log_share += libm::log((count + 1 - k) as f64 / k as f64);
        below += libm::exp(log_share);
    }
    (2.0 * below).min(1.0)
}
