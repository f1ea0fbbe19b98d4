//! The simple alternative to evolution: a least-squares fit of a weighted sum of terminals to the true distance.

use super::board::{TrainingBoard, TrainingSpace};
use crate::terminals::primitive::{FIRST_TERMINAL, PLUS, TIMES, VALUE_CONSTANT};
use crate::terminals::{TERMINALS, TerminalSet};
use crate::{Policy, Rule};
use clearway_gp::{Node, Tree};

/// A weighted sum of terminals and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearFit {
    /// Indices into [`TERMINALS`] with their weights.
    pub weights: Vec<(usize, f64)>,
    /// Constant term.
    pub constant: f64,
}

/// Approximate number of states sampled per arena.
const SAMPLED_STATES: usize = 400;

/// Sums of the products of all pairs of columns, as needed for least squares. The last two columns are 1 and the distance.
struct Sums {
    products: Vec<Vec<f64>>,
}

impl LinearFit {
    /// Fits a sum of at most `most` terminals to the distances of states of the boards, by greedy forward selection: each step
    /// adds the terminal that reduces the error most.
    pub fn new(boards: &[TrainingBoard], set: TerminalSet, most: usize) -> LinearFit {
        let usable = |terminal: usize| {
            let one = &TERMINALS[terminal];
            one.value && one.state_only && (one.paper || set == TerminalSet::Extended)
        };
        let candidates: Vec<usize> = (0..TERMINALS.len()).filter(|&terminal| usable(terminal)).collect();
        let sums = Sums::new(boards, &candidates);
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < most.min(candidates.len()) {
            let others = (0..candidates.len()).filter(|column| !chosen.contains(column));
            let with = |column: usize| {
                let columns: Vec<usize> = chosen.iter().copied().chain([column]).collect();
                (sums.error(&columns), column)
            };
            let Some((_, best)) = others.map(with).min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            chosen.push(best);
        }
        let solution = sums.solve(&chosen);
        let weights = chosen.iter().zip(&solution).map(|(&column, &weight)| (candidates[column], weight)).collect();
        LinearFit { weights, constant: solution.last().copied().unwrap_or_default() }
    }

    /// Returns the fit with everything multiplied by `factor`, then `shift` added to the constant.
    #[must_use]
    pub fn scaled(&self, factor: f64, shift: f64) -> LinearFit {
        let weights = self.weights.iter().map(|&(terminal, weight)| (terminal, weight * factor)).collect();
        LinearFit { weights, constant: self.constant * factor + shift }
    }

    /// Converts the fit to a value tree. The sum is balanced, so that the tree has minimal depth.
    pub fn tree(&self) -> Tree {
        let product = |&(terminal, weight): &(usize, f64)| {
            let leaf = Node { primitive: FIRST_TERMINAL + 2 * terminal as u16 + 1, value: 0.0 };
            vec![Node { primitive: TIMES, value: 0.0 }, constant(weight), leaf]
        };
        let terms: Vec<Vec<Node>> = self.weights.iter().map(product).chain([vec![constant(self.constant)]]).collect();
        Tree { nodes: sum(&terms) }
    }

    /// Converts the fit to a policy without rules.
    pub fn policy(&self) -> Policy {
        Policy { rules: Vec::<Rule>::new(), default: self.tree(), ..Policy::default() }
    }
}

/// Creates a constant rounded to four significant digits.
fn constant(value: f64) -> Node {
    let value = format!("{value:.3e}").parse().unwrap_or(value);
    Node { primitive: VALUE_CONSTANT, value }
}

fn sum(terms: &[Vec<Node>]) -> Vec<Node> {
    match terms {
        [] => Vec::new(),
        [one] => one.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            [vec![Node { primitive: PLUS, value: 0.0 }], sum(left), sum(right)].concat()
        }
    }
}

impl Sums {
    fn new(boards: &[TrainingBoard], candidates: &[usize]) -> Sums {
        let columns = candidates.len() + 2;
        let mut sums = Sums { products: vec![vec![0.0; columns]; columns] };
        let mut row = Vec::with_capacity(columns);
        let mut add = |terminal_value: &dyn Fn(usize) -> f64, distance: u32| {
            row.clear();
            row.extend(candidates.iter().map(|&terminal| terminal_value(terminal)));
            row.extend([1.0, f64::from(distance)]);
            if distance > 0 && row.iter().all(|number| number.is_finite()) {
                sums.add(&row);
            }
        };
        for board in boards {
            match &board.space {
                TrainingSpace::Arena(arena) => {
                    let step = (arena.states() / SAMPLED_STATES).max(1);
                    for state in (0..arena.states() as u32).step_by(step) {
                        add(&|terminal| arena.terminal_value(state, terminal), arena.distance(state).into());
                    }
                }
                TrainingSpace::Direct(board) => {
                    let values = board.start_values();
                    add(&|terminal| values[terminal], board.length());
                }
            }
        }
        sums
    }

    fn add(&mut self, row: &[f64]) {
        for (sums, left) in self.products.iter_mut().zip(row) {
            sums.iter_mut().zip(row).for_each(|(sum, right)| *sum += left * right);
        }
    }

    /// Solves the normal equations for some columns: returns their weights, followed by the constant.
    fn solve(&self, columns: &[usize]) -> Vec<f64> {
        let (one, distance) = (self.products.len() - 2, self.products.len() - 1);
        let all: Vec<usize> = columns.iter().copied().chain([one]).collect();
        let mut rows: Vec<Vec<f64>> = (all.iter())
            .map(|&row| all.iter().chain([&distance]).map(|&column| self.products[row][column]).collect())
            .collect();
        let size = rows.len();
        for pivot in 0..size {
            // A small addition to the diagonal avoids a division by zero if columns are linearly dependent.
            rows[pivot][pivot] += 1e-6;
            let scale = rows[pivot][pivot];
            rows[pivot].iter_mut().for_each(|value| *value /= scale);
            let eliminated = rows[pivot].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != pivot) {
                let factor = row[pivot];
                row.iter_mut().zip(&eliminated).for_each(|(value, one)| *value -= factor * one);
            }
        }
        rows.into_iter().map(|row| row[size]).collect()
    }

    /// Squared error of the fit with some columns, up to a constant that does not depend on the choice.
    fn error(&self, columns: &[usize]) -> f64 {
        let (one, distance) = (self.products.len() - 2, self.products.len() - 1);
        let explained = columns.iter().chain([&one]).zip(self.solve(columns));
        -explained.map(|(&column, weight)| weight * self.products[column][distance]).sum::<f64>()
    }
}
