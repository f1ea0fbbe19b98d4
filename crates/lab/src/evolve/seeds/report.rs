//! The page about a run with several seeds.

use super::statistics::{ChampionMeasure, champion_table, measures, statistics, statistics_csv, statistics_table};
use super::{SeedResult, SeedsFolder};
use crate::evaluation::interval_text;
use crate::evolve::LoggedGeneration;
use crate::page::page;
use crate::plot::{Band, Series, lines, strips};
use crate::runs::FolderError;
use crate::runs::report::X_AXIS;
use crate::statistics::Summary;
use crate::table::{count, ratio};
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// All seeds of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedsReport {
    /// Results of the finished runs.
    results: Vec<SeedResult>,
    /// Generations of all runs.
    generations: Vec<Vec<LoggedGeneration>>,
    /// Measures of the champions.
    measures: Vec<ChampionMeasure>,
    /// Meaning of the score.
    score: &'static str,
    /// Command that repeats the run of the first seed.
    command: String,
    /// Settings of the first seed as text.
    configuration: String,
}

impl SeedsReport {
    /// Reads the runs in a folder.
    pub fn read(folder: &SeedsFolder) -> Result<SeedsReport, FolderError> {
        let (seeds, results) = (folder.seeds(), folder.results());
        let Some(&first) = seeds.first() else { return Err(FolderError::NoRun(folder.path().to_owned())) };
        let settings = folder.run(first).policy_settings()?;
        Ok(SeedsReport {
            generations: seeds.iter().map(|&seed| folder.logged(seed)).collect::<Result<_, _>>()?,
            measures: measures(&results),
            score: crate::evolve::champion::score(settings.breeding.objective),
            command: settings.command.clone(),
            configuration: settings.to_toml(),
            results,
        })
    }

    /// Results of the finished runs.
    pub fn results(&self) -> &[SeedResult] {
        &self.results
    }

    /// Statistics of the champions.
    pub fn statistics(&self) -> Vec<super::MeasureStatistics> {
        statistics(&self.measures)
    }

    /// Files about all seeds: the page, the champions and their statistics as CSV, and the statistics as LaTeX.
    pub fn files(&self) -> [(&'static str, String); 4] {
        let statistics = self.statistics();
        [
            ("report.html", self.to_html()),
            ("champions.csv", champion_table(&self.results, &self.measures).to_csv()),
            ("statistics.csv", statistics_csv(&statistics)),
            ("statistics.tex", statistics_table(&statistics).to_latex()),
        ]
    }

    /// Renders the page, which is self-contained.
    pub fn to_html(&self) -> String {
        let mut body = self.key_figures();
        body += "<h2>Generations</h2>\n<p>Median over the seeds, and the middle half of them. Scores are on the boards of the \
                 generation, which differ between seeds.</p>\n<div class=\"plots\">\n";
        body += &self.curve("Best score", self.score, |line| Some(line.generation.best));
        body += &self.curve("Nodes on some of the test boards", "per cent of the baseline, mean over boards", |line| {
            line.test_nodes_percent
        });
        body += &self.curve("Mean size", "nodes of all trees", |line| Some(line.generation.mean_size));
        body +=
            &self.curve("Variety", "distinct individuals, per cent", |line| Some(100.0 * line.generation.uniqueness));
        body += "</div>\n<h2>Champions</h2>\n";
        body += &statistics_table(&self.statistics()).to_html();
        body += "<p>Each dot is the champion of a seed; the bar is the median with its bootstrap interval (95 %, percentile, \
                 10,000 resamples).</p>\n<div class=\"plots\">\n";
        for measure in &self.measures {
            body += &strips(&measure.name, &[measure.strip("champions")]);
        }
        body += "</div>\n";
        body += &champion_table(&self.results, &self.measures).to_html();
        let _ = write!(
            body,
            "<h2>Run</h2>\n<p>Command of the first seed:</p>\n<pre>{}</pre>\n<p>Its configuration:</p>\n<pre>{}</pre>\n",
            escape_xml(&self.command),
            escape_xml(self.configuration.trim_end())
        );
        page(&format!("Evolution with {} seeds", self.generations.len()), &body)
    }

    fn key_figures(&self) -> String {
        let generations: usize = self.generations.iter().map(Vec::len).sum();
        let mut facts = vec![
            (count(self.generations.len() as u64), "seeds".to_owned()),
            (count(self.results.len() as u64), "finished".to_owned()),
            (count(generations as u64), "generations".to_owned()),
        ];
        for one in self.statistics().iter().filter(|one| one.measure.ends_with("None, mean over boards")) {
            let label = format!("median, {} (95 % interval {})", one.measure, interval_text(one.interval));
            facts.push((format!("{} %", ratio(one.summary.median, 1.0)), label));
        }
        let item = |(value, label): &(String, String)| {
            format!("<li><b>{}</b><span>{}</span></li>\n", escape_xml(value), escape_xml(label))
        };
        format!("<ul class=\"facts\">\n{}</ul>\n", facts.iter().map(item).collect::<String>())
    }

    /// Plot of a quantity by generation: median and quartiles over the seeds that have the generation. Empty if none has it.
    fn curve(&self, title: &str, y_name: &str, of: fn(&LoggedGeneration) -> Option<f64>) -> String {
        let longest = self.generations.iter().map(Vec::len).max().unwrap_or(0);
        let (mut points, mut edges) = (Vec::new(), Vec::new());
        for number in 0..longest {
            let lines = self.generations.iter().filter_map(|lines| lines.get(number));
            let Some(summary) = Summary::new(&lines.filter_map(of).collect::<Vec<_>>()) else { continue };
            points.push((number as f64, summary.median));
            edges.push((number as f64, summary.quartiles[0], summary.quartiles[1]));
        }
        if points.is_empty() {
            return String::new();
        }
        let band = Band { name: "middle half of the seeds".to_owned(), series: 0, edges };
        lines(title, X_AXIS, y_name, &[Series { name: "median".to_owned(), points }], &[band])
    }
}
