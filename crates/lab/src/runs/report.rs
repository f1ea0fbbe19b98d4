//! The page about a run: the structure and the sections that all kinds of runs share.

use super::log::LogLine;
use super::stop_criteria::StopCriteria;
use crate::page::page;
use crate::plot::{Band, Marks, Series, lines, lines_with_marks};
use crate::table::count;
use clearway_gp::Generation;
use clearway_util::text::escape_xml;

/// Label of the x axis of all plots.
pub const X_AXIS: &str = "generation";

/// Content of the page about a run. Fields of HTML are inserted as they are; all others are escaped.
pub struct RunReport<'a, L> {
    /// Title of the page.
    pub title: &'a str,
    /// Meaning of the score of an individual; higher is better.
    pub score: &'a str,
    /// Generations in order.
    pub generations: &'a [L],
    /// Key figures after the common ones: values and labels.
    pub facts: Vec<(String, String)>,
    /// Generations whose scores cannot be compared with those of the generation before.
    pub marks: Vec<f64>,
    /// HTML of the plots that only this kind of run has.
    pub plots: String,
    /// HTML of the sections about tests.
    pub tests: String,
    /// HTML of the drawing of the champion.
    pub drawing: String,
    /// Champion as text.
    pub champion: &'a str,
    /// Configuration as text.
    pub configuration: &'a str,
    /// Command that repeats the run.
    pub command: &'a str,
}

impl<L: LogLine> RunReport<'_, L> {
    /// Renders the page.
    pub fn to_html(&self) -> String {
        let body = format!(
            "{}<h2>Generations</h2>\n<div class=\"plots\">\n{}{}{}</div>\n{}\
             <h2>Champion</h2>\n{}<pre>{}</pre>\n\
             <h2>Run</h2>\n<p>Command to repeat the run:</p>\n<pre>{}</pre>\n<p>Configuration:</p>\n<pre>{}</pre>\n",
            self.key_figures(),
            self.score_plot(),
            self.plots,
            self.shape_plots(),
            self.tests,
            self.drawing,
            escape_xml(self.champion.trim_end()),
            escape_xml(self.command),
            escape_xml(self.configuration.trim_end()),
        );
        page(self.title, &body)
    }

    /// Key figures of the run.
    fn key_figures(&self) -> String {
        let history: Vec<Generation> = self.generations.iter().map(|line| line.generation().clone()).collect();
        let sum = |of: fn(&Generation) -> u64| history.iter().map(of).fold(0, u64::saturating_add);
        let mut facts = vec![
            (count(history.len() as u64), "generations".to_owned()),
            (count(sum(|generation| generation.evaluations)), "evaluations".to_owned()),
        ];
        let nodes = sum(|generation| generation.nodes);
        if nodes > 0 {
            facts.push((count(nodes), "nodes searched".to_owned()));
        }
        facts.push((duration(StopCriteria::seconds(&history)), "of evolution".to_owned()));
        if let Some(last) = history.last() {
            facts.push((
                format!("{:.2}", last.best),
                format!("best score of the last generation, on its boards: {}", self.score),
            ));
        }
        let items = facts
            .iter()
            .chain(&self.facts)
            .map(|(value, label)| format!("<li><b>{}</b><span>{}</span></li>\n", escape_xml(value), escape_xml(label)));
        format!("<ul class=\"facts\">\n{}</ul>\n", items.collect::<String>())
    }

    /// Curve of a statistic of all generations.
    fn curve(&self, name: &str, of: fn(&Generation) -> f64) -> Series {
        series(self.generations, name, |line| Some(of(line.generation())))
    }

    /// Plot of the score.
    fn score_plot(&self) -> String {
        let edge = |line: &L| {
            let generation = line.generation();
            (f64::from(generation.generation), generation.quartiles[0], generation.quartiles[2])
        };
        let quartiles = Band {
            name: "middle half of the population".to_owned(),
            series: 1,
            edges: self.generations.iter().map(edge).collect(),
        };
        let curves =
            [self.curve("best", |generation| generation.best), self.curve("mean", |generation| generation.mean)];
        let legend = "new sample of boards: not comparable with the generation before";
        let marks = Marks { name: legend, at: &self.marks };
        lines_with_marks("Score", X_AXIS, self.score, &curves, &[quartiles], self.score_range(), marks)
    }

    /// Plots of size, depth and variety.
    fn shape_plots(&self) -> String {
        let size = [
            self.curve("best individual", |generation| generation.best_size.into()),
            self.curve("mean of the population", |generation| generation.mean_size),
        ];
        let depth = [
            self.curve("best individual", |generation| generation.best_depth.into()),
            self.curve("mean of the population", |generation| generation.mean_depth),
        ];
        let variety = [
            self.curve("distinct individuals", |generation| 100.0 * generation.uniqueness),
            self.curve("fitness values from the cache", |generation| {
                100.0 * generation.cached as f64 / f64::from(generation.individuals.max(1))
            }),
        ];
        lines("Size", X_AXIS, "nodes of all trees", &size, &[])
            + &lines("Depth", X_AXIS, "depth of the deepest tree", &depth, &[])
            + &lines("Variety", X_AXIS, "per cent", &variety, &[])
    }

    /// Range of scores to plot: the best of all generations and the median of the lower quartiles, with a margin below. The
    /// scores of a few very bad individuals, and with them the mean, would otherwise flatten all other curves.
    fn score_range(&self) -> Option<(f64, f64)> {
        let best = || self.generations.iter().map(|line| line.generation().best);
        let mut lower: Vec<f64> = self.generations.iter().map(|line| line.generation().quartiles[0]).collect();
        lower.sort_by(f64::total_cmp);
        let median = *lower.get(lower.len() / 2)?;
        let (min, max) = (best().fold(median, f64::min), best().fold(median, f64::max));
        Some((min - (max - min) / 2.0, max))
    }
}

/// Curve of a quantity, with a point for each generation where it is known.
pub fn series<L: LogLine>(generations: &[L], name: &str, of: impl Fn(&L) -> Option<f64>) -> Series {
    let point = |line: &L| Some((f64::from(line.generation().generation), of(line)?));
    Series { name: name.to_owned(), points: generations.iter().filter_map(point).collect() }
}

fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}
