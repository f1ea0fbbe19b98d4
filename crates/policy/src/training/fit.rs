//! The plain alternative to evolution: the weights with which the terminals, added up, come closest to the true distance.

use super::arena::Arena;
use crate::terminals::primitive::{FIRST_TERMINAL, PLUS, TIMES, VALUE_CONSTANT};
use crate::terminals::{TERMINALS, TerminalSet};
use crate::{Policy, Rule};
use clearway_gp::{Node, Tree};

/// A weighted sum of terminals and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearFit {
    /// Terminals by their places in [`TERMINALS`], and their weights.
    pub weights: Vec<(usize, f64)>,
    /// What is added.
    pub constant: f64,
}

/// How many states of a board are looked at.
const STATES_OF_A_BOARD: usize = 400;

/// The sums that least squares need: of the products of all columns, the last of which is the distance.
struct Sums {
    products: Vec<Vec<f64>>,
}

impl LinearFit {
    /// Least squares over states of the boards, with at most `most` terminals: the next is always the one that helps most.
    pub fn new(arenas: &[&Arena], set: TerminalSet, most: usize) -> LinearFit {
        let usable = |terminal: usize| {
            let one = &TERMINALS[terminal];
            one.value && one.of_state && (one.paper || set == TerminalSet::Extended)
        };
        let candidates: Vec<usize> = (0..TERMINALS.len()).filter(|&terminal| usable(terminal)).collect();
        let sums = Sums::of(arenas, &candidates);
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

    /// The same with everything multiplied, then shifted.
    #[must_use]
    pub fn scaled(&self, factor: f64, shift: f64) -> LinearFit {
        let weights = self.weights.iter().map(|&(terminal, weight)| (terminal, weight * factor)).collect();
        LinearFit { weights, constant: self.constant * factor + shift }
    }

    /// As a tree of values: a balanced sum, so that it is as low as can be.
    pub fn tree(&self) -> Tree {
        let product = |&(terminal, weight): &(usize, f64)| {
            let leaf = Node { primitive: FIRST_TERMINAL + 2 * terminal as u16 + 1, value: 0.0 };
            vec![Node { primitive: TIMES, value: 0.0 }, constant(weight), leaf]
        };
        let terms: Vec<Vec<Node>> = self.weights.iter().map(product).chain([vec![constant(self.constant)]]).collect();
        Tree { nodes: sum(&terms) }
    }

    /// As a policy without rules.
    pub fn policy(&self) -> Policy {
        Policy { rules: Vec::<Rule>::new(), default: self.tree(), ..Policy::default() }
    }
}

/// A constant with four digits, as people write them.
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
    fn of(arenas: &[&Arena], candidates: &[usize]) -> Sums {
        let columns = candidates.len() + 2;
        let mut products = vec![vec![0.0; columns]; columns];
        let mut row = Vec::with_capacity(columns);
        for arena in arenas {
            let step = (arena.states() / STATES_OF_A_BOARD).max(1);
            for state in (0..arena.states() as u32).step_by(step) {
                let distance = arena.distance(state);
                if distance == 0 {
                    continue;
                }
                row.clear();
                row.extend(candidates.iter().map(|&terminal| arena.number(state, terminal)));
                row.extend([1.0, f64::from(distance)]);
                if row.iter().all(|number| number.is_finite()) {
                    for (sums, left) in products.iter_mut().zip(&row) {
                        sums.iter_mut().zip(&row).for_each(|(sum, right)| *sum += left * right);
                    }
                }
            }
        }
        Sums { products }
    }

    /// The weights of some columns and the constant.
    fn solve(&self, columns: &[usize]) -> Vec<f64> {
        let (one, distance) = (self.products.len() - 2, self.products.len() - 1);
        let all: Vec<usize> = columns.iter().copied().chain([one]).collect();
        let mut rows: Vec<Vec<f64>> = (all.iter())
            .map(|&row| all.iter().chain([&distance]).map(|&column| self.products[row][column]).collect())
            .collect();
        let size = rows.len();
        for pivot in 0..size {
            // A little more on the diagonal: columns that say the same must not divide by nothing.
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

    /// The squared error that some columns leave, but for what no choice changes.
    fn error(&self, columns: &[usize]) -> f64 {
        let (one, distance) = (self.products.len() - 2, self.products.len() - 1);
        let explained = columns.iter().chain([&one]).zip(self.solve(columns));
        -explained.map(|(&column, weight)| weight * self.products[column][distance]).sum::<f64>()
    }
}
