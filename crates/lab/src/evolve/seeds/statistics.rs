//! Measures of the champions of several seeds, and their statistics.

use super::SeedResult;
use crate::Table;
use crate::evaluation::{Column, interval_text};
use crate::evolve::champion::GP;
use crate::statistics::{Bootstrap, Interval, Summary, median};
use crate::table::ratio;
use clearway_util::text::csv_field;
use serde::Serialize;
use std::fmt::Write as _;

/// A quantity of each champion.
#[derive(Clone, Debug, PartialEq)]
pub struct ChampionMeasure {
    /// Name, which says what a percentage refers to.
    pub name: String,
    /// Values by seed; champions without the value are left out.
    pub values: Vec<(u64, f64)>,
}

impl ChampionMeasure {
    /// Values without the seeds.
    pub fn numbers(&self) -> Vec<f64> {
        self.values.iter().map(|(_, value)| *value).collect()
    }
}

/// Statistics of a measure over all seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureStatistics {
    /// Name of the measure.
    pub measure: String,
    /// Median, quartiles and range.
    #[serde(flatten)]
    pub summary: Summary,
    /// Bootstrap interval of the median, with a confidence of 95 %.
    pub interval: Option<Interval>,
}

/// Returns all measures of the champions: on the training, validation and test boards.
pub fn measures(results: &[SeedResult]) -> Vec<ChampionMeasure> {
    let mut measures: Vec<ChampionMeasure> = Vec::new();
    for result in results {
        for (name, value) in values(result) {
            match measures.iter_mut().find(|measure| measure.name == name) {
                Some(measure) => measure.values.push((result.seed, value)),
                None => measures.push(ChampionMeasure { name, values: vec![(result.seed, value)] }),
            }
        }
    }
    measures
}

/// The values of one champion by name.
fn values(result: &SeedResult) -> Vec<(String, f64)> {
    let mut values = Vec::new();
    let mut add = |boards: &str, name: &str, value: Option<f64>| {
        values.extend(value.map(|value| (format!("{boards}: {name}"), value)));
    };
    for (boards, record) in [("training", result.training), ("validation", result.validation)] {
        add(boards, "% of the baseline, mean over boards", record.map(|record| record.percent));
        add(boards, "length/optimum", record.and_then(|record| record.length_ratio));
    }
    for test in result.tests.iter().filter(|test| test.left_out == 0) {
        let champion = test.columns.iter().find(|column| column.name == GP);
        let mut of = |name: &str, value: fn(&Column) -> Option<f64>| add(&test.boards, name, champion.and_then(value));
        of("nodes, % of None, mean over boards", |column| column.nodes_percent);
        of("nodes, % of None, totals", |column| column.total_percent);
        of("length/optimum", |column| column.length_ratio);
        of("boards solved", |column| Some(column.solved as f64));
    }
    values
}

/// Returns the statistics of each measure.
pub fn statistics(measures: &[ChampionMeasure]) -> Vec<MeasureStatistics> {
    let statistics = |measure: &ChampionMeasure| {
        let numbers = measure.numbers();
        Some(MeasureStatistics {
            measure: measure.name.clone(),
            summary: Summary::new(&numbers)?,
            interval: Bootstrap::default().interval(&numbers, median),
        })
    };
    measures.iter().filter_map(statistics).collect()
}

/// Returns a table with a row for each measure.
pub fn statistics_table(statistics: &[MeasureStatistics]) -> Table {
    let columns = ["measure", "seeds", "median", "quartiles", "95 % interval of the median", "range"];
    let mut table = Table::new("Champions of all seeds", &columns);
    for MeasureStatistics { measure, summary, interval } in statistics {
        let number = |value: f64| ratio(value, 1.0);
        table.rows.push(vec![
            measure.clone(),
            summary.count.to_string(),
            number(summary.median),
            format!("{} to {}", number(summary.quartiles[0]), number(summary.quartiles[1])),
            interval_text(*interval),
            format!("{} to {}", number(summary.min), number(summary.max)),
        ]);
    }
    table
}

/// Returns the statistics as CSV: a line for each measure.
pub fn statistics_csv(statistics: &[MeasureStatistics]) -> String {
    let mut text =
        String::from("measure,seeds,median,lower_quartile,upper_quartile,interval_low,interval_high,min,max\n");
    for MeasureStatistics {
        measure,
        summary: Summary { count, min, quartiles: [lower, upper], median, max, .. },
        interval,
    } in statistics
    {
        let ends = interval.map_or(",".to_owned(), |interval| format!("{},{}", interval.low, interval.high));
        let measure = csv_field(measure);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{measure},{count},{median},{lower},{upper},{ends},{min},{max}");
    }
    text
}

/// Returns a table with a row for each seed and a column for each measure.
pub fn champion_table(results: &[SeedResult], measures: &[ChampionMeasure]) -> Table {
    let names = measures.iter().map(|measure| measure.name.as_str());
    let columns: Vec<&str> = ["seed", "generations"].into_iter().chain(names).collect();
    let mut table = Table::new("Champions by seed", &columns);
    for result in results {
        let value = |measure: &ChampionMeasure| {
            let value = measure.values.iter().find(|(seed, _)| *seed == result.seed);
            value.map_or("-".to_owned(), |(_, value)| value.to_string())
        };
        let head = [result.seed.to_string(), result.generations.to_string()];
        table.rows.push(head.into_iter().chain(measures.iter().map(value)).collect());
    }
    table
}
