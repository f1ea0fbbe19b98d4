//! Robust linear regression of the logarithms of times, in which each player has an own speed.

use crate::statistics::median;

/// Residuals beyond this number of standard deviations weigh less, by Huber's rule; for normally distributed residuals, the
/// estimate is then 95 % as efficient as least squares.
const HUBER: f64 = 1.345;
/// Standard deviation of a normal distribution whose absolute values have the median 1.
const NORMAL: f64 = 1.4826;
/// Smallest standard deviation of residuals, so that exact data have finite weights.
const MIN_SCALE: f64 = 1e-9;
const MAX_ROUNDS: usize = 200;

/// The logarithm of the time that a player took, and the logarithms of the measures of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const P: usize> {
    pub player: usize,
    pub measures: [f64; P],
    pub time: f64,
}

/// What is assumed about the coefficients: they are normally distributed around these values. A standard deviation of 0 keeps
/// them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior<const P: usize> {
    pub coefficients: [f64; P],
    pub deviation: f64,
}

/// A fitted model.
#[derive(Clone, Debug)]
pub(super) struct Fitted<const P: usize> {
    /// Constant of each player.
    pub constants: Vec<f64>,
    /// Their mean.
    pub constant: f64,
    pub coefficients: [f64; P],
    /// Standard deviation of the residuals, estimated from their median.
    pub residual: f64,
}

impl<const P: usize> Fitted<P> {
    /// Fits `time = constant of the player + coefficients * measures` by iteratively reweighted least squares.
    pub fn new(rows: &[Row<P>], prior: &Prior<P>) -> Fitted<P> {
        let players = rows.iter().map(|row| row.player + 1).max().unwrap_or(0);
        let mut weights = vec![1.0; rows.len()];
        let mut fitted = Fitted { constants: vec![], constant: 0.0, coefficients: prior.coefficients, residual: 1.0 };
        for _ in 0..MAX_ROUNDS {
            let means = PlayerMeans::new(rows, &weights, players);
            let coefficients = means.coefficients(rows, &weights, prior, fitted.residual);
            let constants = means.constants(&coefficients);
            let residuals: Vec<f64> = rows
                .iter()
                .map(|row| row.time - constants[row.player] - product(&coefficients, &row.measures))
                .collect();
            let scale = scale(&residuals, players + P);
            let moved = difference(&fitted.coefficients, &coefficients) + (fitted.residual - scale).abs();
            let constant = constants.iter().sum::<f64>() / players as f64;
            let is_done = moved + (fitted.constant - constant).abs() < 1e-10;
            fitted = Fitted { constants, constant, coefficients, residual: scale };
            for (weight, residual) in weights.iter_mut().zip(&residuals) {
                *weight = (HUBER * scale / residual.abs()).min(1.0);
            }
            if is_done {
                break;
            }
        }
        fitted
    }

    /// Predicts the logarithm of the time, for a player with this number or, without one, of average speed.
    pub fn predict(&self, player: Option<usize>, measures: &[f64; P]) -> f64 {
        player.map_or(self.constant, |player| self.constants[player]) + product(&self.coefficients, measures)
    }
}

/// Weighted means of each player.
struct PlayerMeans<const P: usize> {
    measures: Vec<[f64; P]>,
    times: Vec<f64>,
}

impl<const P: usize> PlayerMeans<P> {
    fn new(rows: &[Row<P>], weights: &[f64], players: usize) -> PlayerMeans<P> {
        let mut totals = vec![0.0; players];
        let mut means = PlayerMeans { measures: vec![[0.0; P]; players], times: vec![0.0; players] };
        for (row, weight) in rows.iter().zip(weights) {
            totals[row.player] += weight;
            means.times[row.player] += weight * row.time;
            for (sum, measure) in means.measures[row.player].iter_mut().zip(&row.measures) {
                *sum += weight * measure;
            }
        }
        for (player, total) in totals.into_iter().enumerate() {
            means.times[player] /= total;
            means.measures[player].iter_mut().for_each(|sum| *sum /= total);
        }
        means
    }

    /// Solves the normal equations of the deviations from the means of each player, which removes the players' constants.
    fn coefficients(&self, rows: &[Row<P>], weights: &[f64], prior: &Prior<P>, residual: f64) -> [f64; P] {
        if prior.deviation == 0.0 {
            return prior.coefficients;
        }
        let strength = (residual / prior.deviation).powi(2);
        let (mut matrix, mut right) = ([[0.0; P]; P], prior.coefficients.map(|coefficient| coefficient * strength));
        for (i, line) in matrix.iter_mut().enumerate() {
            line[i] = strength;
        }
        for (row, weight) in rows.iter().zip(weights) {
            let mean = &self.measures[row.player];
            let time = row.time - self.times[row.player];
            for i in 0..P {
                let deviation = weight * (row.measures[i] - mean[i]);
                right[i] += deviation * time;
                for j in 0..P {
                    matrix[i][j] += deviation * (row.measures[j] - mean[j]);
                }
            }
        }
        solve(matrix, right)
    }

    fn constants(&self, coefficients: &[f64; P]) -> Vec<f64> {
        self.times.iter().zip(&self.measures).map(|(time, mean)| time - product(coefficients, mean)).collect()
    }
}

/// Solves a system of linear equations by elimination. The prior makes the matrix positive definite, so that no pivot is zero.
fn solve<const P: usize>(mut matrix: [[f64; P]; P], mut right: [f64; P]) -> [f64; P] {
    for pivot in 0..P {
        for row in pivot + 1..P {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            for (value, above) in matrix[row].iter_mut().zip(above).skip(pivot) {
                *value -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..P).rev() {
        let known: f64 = (row + 1..P).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

/// Standard deviation of residuals, by their median so that outliers do not count. `parameters` were estimated from the data.
fn scale(residuals: &[f64], parameters: usize) -> f64 {
    let absolute: Vec<f64> = residuals.iter().map(|residual| residual.abs()).collect();
    let free = residuals.len().saturating_sub(parameters).max(1);
    let correction = (residuals.len() as f64 / free as f64).sqrt();
    (NORMAL * median(&absolute) * correction).max(MIN_SCALE)
}

fn product<const P: usize>(a: &[f64; P], b: &[f64; P]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference<const P: usize>(a: &[f64; P], b: &[f64; P]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}
