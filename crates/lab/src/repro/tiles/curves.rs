//! The runs generation by generation, as plots and as a table.

use super::{Fitness, Outcome, quartiles};
use crate::Table;
use crate::plot::{Band, Series, lines};
use clearway_gp::Generation;

/// A number of each generation: what it is, and how it is read.
struct Quantity {
    name: &'static str,
    axis: &'static str,
    of: fn(&Generation) -> f64,
}

const QUANTITIES: [Quantity; 5] = [
    Quantity { name: "Best fitness", axis: "mean h of the boards", of: |generation| generation.best_fitness() },
    Quantity { name: "Mean fitness", axis: "mean h of the boards", of: |generation| generation.mean_fitness() },
    Quantity { name: "Complexity of the best", axis: "parts", of: |generation| f64::from(generation.best_size) },
    Quantity { name: "Mean complexity", axis: "parts", of: |generation| generation.mean_size },
    Quantity { name: "Uniqueness", axis: "per cent", of: |generation| 100.0 * generation.uniqueness },
];

impl Outcome {
    /// The quartiles over the runs for each generation.
    fn over_runs(&self, of: fn(&Generation) -> f64) -> Vec<[f64; 3]> {
        let generations = self.runs.iter().map(|run| run.generations.len()).min().unwrap_or(0);
        let numbers = |number: usize| self.runs.iter().map(|run| of(&run.generations[number])).collect();
        (0..generations).map(|number| quartiles(numbers(number))).collect()
    }
}

/// A plot of each quantity: a curve for each setup, the median of its runs, within a band, their middle half.
pub fn plots(outcomes: &[Outcome]) -> Vec<String> {
    let plot = |quantity: &Quantity| {
        let (mut series, mut bands) = (Vec::new(), Vec::new());
        for (number, outcome) in outcomes.iter().enumerate() {
            let quartiles = outcome.over_runs(quantity.of);
            let numbered = || (0..).map(f64::from).zip(&quartiles);
            let points = numbered().map(|(x, [_, median, _])| (x, *median)).collect();
            series.push(Series { name: outcome.setup.what.to_owned(), points });
            let edges = numbered().map(|(x, [low, _, high])| (x, *low, *high)).collect();
            bands.push(Band { name: String::new(), series: number, edges });
        }
        let title = format!("{}: the median of the seeds, and the middle half", quantity.name);
        lines(&title, "generation", quantity.axis, &series, &bands, None)
    };
    QUANTITIES.iter().map(plot).collect()
}

/// The same numbers: a row for each generation of each setup.
pub fn table(outcomes: &[Outcome]) -> Table {
    let mut columns = vec!["experiment".to_owned(), "generation".to_owned()];
    for quantity in &QUANTITIES {
        let name = quantity.name.to_lowercase();
        columns.extend([name.clone(), format!("{name}, lower quartile"), format!("{name}, upper quartile")]);
    }
    let mut table = Table { title: "By generation: medians of the seeds".to_owned(), columns, rows: Vec::new() };
    for outcome in outcomes {
        let all: Vec<Vec<[f64; 3]>> = QUANTITIES.iter().map(|quantity| outcome.over_runs(quantity.of)).collect();
        for generation in 0..all[0].len() {
            let mut row = vec![outcome.setup.name.to_owned(), generation.to_string()];
            for numbers in &all {
                let [low, median, high] = numbers[generation];
                row.extend([median, low, high].map(|number| format!("{number:.2}")));
            }
            table.rows.push(row);
        }
    }
    table
}
