//! Ranks, and the normal distribution.

/// Ranks of values from 1, where equal values share the mean of their ranks.
pub(super) struct Ranks {
    /// Rank of each value.
    pub ranks: Vec<f64>,
    /// Sum of t^3 - t over all groups of t equal values; 0 if all values differ.
    pub ties: f64,
}

impl Ranks {
    pub fn new(values: &[f64]) -> Ranks {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut ranks = Ranks { ranks: vec![0.0; values.len()], ties: 0.0 };
        let mut before = 0;
        for group in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
            let size = group.len() as f64;
            for &place in group {
                ranks.ranks[place] = before as f64 + f64::midpoint(1.0, size);
            }
            ranks.ties += size.powi(3) - size;
            before += group.len();
        }
        ranks
    }
}

/// Probability that a standard normal variable is above `z` or below `-z`, for z at least 0.
pub(super) fn two_sided(z: f64) -> f64 {
    libm::erfc(z / std::f64::consts::SQRT_2).min(1.0)
}
