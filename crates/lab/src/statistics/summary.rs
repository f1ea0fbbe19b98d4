//! Median, quartiles and range of a sample.

use serde::{Deserialize, Serialize};

/// Summary of a sample.
///
/// ```
/// use clearway_lab::statistics::Summary;
/// let summary = Summary::new(&[4.0, 1.0, 3.0, 2.0]).unwrap();
/// assert_eq!((summary.count, summary.median, summary.quartiles), (4, 2.5, [1.75, 3.25]));
/// assert_eq!(Summary::new(&[]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of values.
    pub count: usize,
    /// Smallest value.
    pub min: f64,
    /// Lower and upper quartile.
    pub quartiles: [f64; 2],
    /// Median.
    pub median: f64,
    /// Largest value.
    pub max: f64,
    /// Mean.
    pub mean: f64,
}

impl Summary {
    /// Summarises a sample; `None` if it is empty.
    pub fn new(values: &[f64]) -> Option<Summary> {
        let sorted = sorted(values);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let at = |share| quantile(&sorted, share);
        Some(Summary {
            count: sorted.len(),
            min,
            quartiles: [at(0.25), at(0.75)],
            median: at(0.5),
            max,
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
        })
    }
}

/// Returns the values in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Quantile of values in ascending order, linear between neighbours (type 7 of Hyndman and Fan, the default of `NumPy` and R).
///
/// # Panics
/// If there are no values.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor();
    let (low, high) = (sorted[below as usize], sorted[place.ceil() as usize]);
    low + (place - below) * (high - low)
}

/// Median.
///
/// # Panics
/// If there are no values.
pub fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}
