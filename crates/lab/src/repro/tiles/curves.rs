//! Statistics of the generations, as plots and as a table.

use super::{PaperFitness, SetupRuns, quartiles};
use crate::Table;
use crate::plot::{Band, Series, lines};
use clearway_gp::Generation;

/// A statistic of each generation.
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

impl SetupRuns {
    /// Quartiles over the runs, for each generation.
    fn quartiles_of(&self, of: fn(&Generation) -> f64) -> Vec<[f64; 3]> {
        let generations = self.runs.iter().map(|run| run.generations.len()).min().unwrap_or(0);
        let numbers = |number: usize| self.runs.iter().map(|run| of(&run.generations[number])).collect();
        (0..generations).map(|number| quartiles(numbers(number))).collect()
    }
}

/// Returns a plot of each quantity, with a curve (the median of the runs) and a band (their middle half) for each setup.
pub fn plots(setups: &[SetupRuns]) -> Vec<String> {
    let plot = |quantity: &Quantity| {
        let (mut series, mut bands) = (Vec::new(), Vec::new());
        for (number, runs) in setups.iter().enumerate() {
            let quartiles = runs.quartiles_of(quantity.of);
            let numbered = || (0..).map(f64::from).zip(&quartiles);
            let points = numbered().map(|(x, [_, median, _])| (x, *median)).collect();
            series.push(Series { name: runs.setup.description.to_owned(), points });
            let edges = numbered().map(|(x, [low, _, high])| (x, *low, *high)).collect();
            bands.push(Band { name: String::new(), series: number, edges });
        }
        let title = format!("{}: median and middle half of the seeds", quantity.name);
        lines(&title, "generation", quantity.axis, &series, &bands)
    };
    QUANTITIES.iter().map(plot).collect()
}

/// Returns the same numbers as a table, with a row for each generation of each setup.
pub fn table(setups: &[SetupRuns]) -> Table {
    let mut columns = vec!["experiment".to_owned(), "generation".to_owned()];
    for quantity in &QUANTITIES {
        let name = quantity.name.to_lowercase();
        columns.extend([name.clone(), format!("{name}, lower quartile"), format!("{name}, upper quartile")]);
    }
    let mut table = Table { title: "Medians of the seeds by generation".to_owned(), columns, rows: Vec::new() };
    for runs in setups {
        let all: Vec<Vec<[f64; 3]>> = QUANTITIES.iter().map(|quantity| runs.quartiles_of(quantity.of)).collect();
        for generation in 0..all[0].len() {
            let mut row = vec![runs.setup.name.to_owned(), generation.to_string()];
            for numbers in &all {
                let [low, median, high] = numbers[generation];
                row.extend([median, low, high].map(|number| format!("{number:.2}")));
            }
            table.rows.push(row);
        }
    }
    table
}
