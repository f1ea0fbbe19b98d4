//! Comparisons of settings by the champions of several seeds each.

use super::statistics::{ChampionMeasure, measures};
use super::{SeedResult, SeedsFolder};
use crate::Table;
use crate::evaluation::p_text;
use crate::page::page;
use crate::plot::{Strip, strips};
use crate::statistics::{Bootstrap, MannWhitney, holm, mann_whitney, median};
use crate::table::ratio;
use serde::Serialize;

/// A setting with its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Name of its folder.
    pub name: String,
    /// Results of its finished runs.
    pub results: Vec<SeedResult>,
}

impl Setting {
    /// Reads the results in a folder.
    pub fn read(folder: &SeedsFolder) -> Setting {
        Setting { name: folder.path().display().to_string(), results: folder.results() }
    }
}

/// A measure of two settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingsComparison {
    /// Name of the measure.
    pub measure: String,
    /// Name of the first setting.
    pub first: String,
    /// Name of the second setting.
    pub second: String,
    /// Number of seeds of each.
    pub seeds: [usize; 2],
    /// Median of each.
    pub medians: [f64; 2],
    /// Mann-Whitney U test, with the effect size A12.
    pub test: MannWhitney,
    /// p-value adjusted for all tests of the comparison.
    pub adjusted_p: f64,
}

/// Compares each pair of settings by each measure that both have.
pub fn compare_settings(settings: &[Setting]) -> Vec<SettingsComparison> {
    let all: Vec<(&str, Vec<ChampionMeasure>)> =
        settings.iter().map(|setting| (setting.name.as_str(), measures(&setting.results))).collect();
    let mut comparisons = Vec::new();
    for (place, (first, ours)) in all.iter().enumerate() {
        for (second, theirs) in &all[place + 1..] {
            for measure in ours {
                let other = theirs.iter().find(|other| other.name == measure.name);
                comparisons.extend(other.and_then(|other| compare((*first, measure), (*second, other))));
            }
        }
    }
    let adjusted = holm(&comparisons.iter().map(|one| one.test.p).collect::<Vec<_>>());
    comparisons.iter_mut().zip(adjusted).for_each(|(one, adjusted)| one.adjusted_p = adjusted);
    comparisons
}

fn compare(first: (&str, &ChampionMeasure), second: (&str, &ChampionMeasure)) -> Option<SettingsComparison> {
    let numbers = [first, second].map(|(_, measure)| measure.numbers());
    let test = mann_whitney(&numbers[0], &numbers[1])?;
    Some(SettingsComparison {
        measure: first.1.name.clone(),
        first: first.0.to_owned(),
        second: second.0.to_owned(),
        seeds: [numbers[0].len(), numbers[1].len()],
        medians: [median(&numbers[0]), median(&numbers[1])],
        test,
        adjusted_p: test.p,
    })
}

/// Returns a table with a row for each comparison.
pub fn comparison_table(comparisons: &[SettingsComparison]) -> Table {
    let columns = ["settings", "measure", "seeds", "medians", "A12", "U", "p", "p, Holm"];
    let mut table = Table::new("Champions of two settings", &columns);
    for SettingsComparison { measure, first, second, seeds, medians, test, adjusted_p } in comparisons {
        table.rows.push(vec![
            format!("{first} / {second}"),
            measure.clone(),
            format!("{} / {}", seeds[0], seeds[1]),
            format!("{} / {}", ratio(medians[0], 1.0), ratio(medians[1], 1.0)),
            format!("{:.2}", test.a12),
            test.u.to_string(),
            p_text(test.p),
            p_text(*adjusted_p),
        ]);
    }
    table
}

/// Returns a self-contained page with the table, and with a plot of all champions for each measure.
pub fn comparison_html(settings: &[Setting], comparisons: &[SettingsComparison]) -> String {
    let mut body = String::from(
        "<p>A12: the probability that a champion of the first setting has a higher value than one of the second; equal values \
         count half. U and p: Mann-Whitney U test, two-sided. p, Holm: adjusted for all tests in the table. Each dot of a plot \
         is the champion of a seed; the bar is the median with its bootstrap interval (95 %).</p>\n",
    );
    body += &comparison_table(comparisons).to_html();
    body += "<div class=\"plots\">\n";
    let all: Vec<(&str, Vec<ChampionMeasure>)> =
        settings.iter().map(|setting| (setting.name.as_str(), measures(&setting.results))).collect();
    let mut drawn: Vec<&str> = Vec::new();
    for name in comparisons.iter().map(|one| one.measure.as_str()) {
        if drawn.contains(&name) {
            continue;
        }
        drawn.push(name);
        let strip = |(setting, measures): &(&str, Vec<ChampionMeasure>)| {
            measures.iter().find(|measure| measure.name == name).map(|measure| measure.strip(setting))
        };
        body += &strips(name, &all.iter().filter_map(strip).collect::<Vec<_>>());
    }
    page("Settings of evolution, compared", &(body + "</div>\n"))
}

impl ChampionMeasure {
    /// The champions as dots of a plot.
    pub(super) fn strip(&self, name: &str) -> Strip {
        let numbers = self.numbers();
        Strip {
            name: name.to_owned(),
            values: self.values.iter().map(|(seed, value)| (format!("seed {seed}"), *value)).collect(),
            median: median(&numbers),
            interval: Bootstrap::default().interval(&numbers, median).map(|interval| (interval.low, interval.high)),
        }
    }
}
