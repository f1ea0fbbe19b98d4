//! Correction for several tests.

/// Adjusts p-values for several tests by Holm's method: rejecting every hypothesis whose adjusted value is at most 5 % rejects a
/// true one with a probability of at most 5 %. The order is kept.
///
/// ```
/// use clearway_lab::statistics::holm;
/// assert_eq!(holm(&[0.5, 0.01, 0.25]), [0.5, 0.03, 0.5]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0f64;
    for (before, place) in order.into_iter().enumerate() {
        least = least.max((p_values.len() - before) as f64 * p_values[place]).min(1.0);
        adjusted[place] = least;
    }
    adjusted
}
