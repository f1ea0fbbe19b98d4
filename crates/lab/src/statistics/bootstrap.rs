//! Confidence intervals by resampling.

use super::summary::{quantile, sorted};
use clearway_util::rng::stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The percentile bootstrap. The same seed gives the same interval.
///
/// ```
/// use clearway_lab::statistics::{Bootstrap, median};
/// let interval = Bootstrap::default().interval(&[1.0, 2.0, 3.0, 4.0, 100.0], median).unwrap();
/// assert_eq!((interval.low, interval.high), (1.0, 100.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// Probability that the interval should contain the true value.
    pub confidence: f64,
    /// Number of resamples.
    pub resamples: u32,
    /// Seed of the resamples.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Bootstrap { confidence: 0.95, resamples: 10_000, seed: 0 }
    }
}

impl Bootstrap {
    /// Confidence interval of a statistic: the quantiles of its values on samples of the same size that are drawn from the
    /// values with replacement. `None` without values.
    pub fn interval(&self, values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Option<Interval> {
        if values.is_empty() {
            return None;
        }
        let mut sample = vec![0.0; values.len()];
        let resample = |number: u32| {
            let mut rng = stream(self.seed, number.into());
            for one in &mut sample {
                *one = values[rng.random_range(0..values.len())];
            }
            statistic(&sample)
        };
        let statistics = sorted(&(0..self.resamples.max(1)).map(resample).collect::<Vec<_>>());
        let outside = (1.0 - self.confidence) / 2.0;
        Some(Interval { low: quantile(&statistics, outside), high: quantile(&statistics, 1.0 - outside) })
    }
}
