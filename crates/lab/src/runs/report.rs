//! The parts of a page about a run that are the same whatever was bred.

use super::ends::Ends;
use super::log::LogLine;
use crate::page::escape;
use crate::plot::{Band, Series, lines};
use crate::table::count;
use clearway_gp::Generation;

/// What is below each plot.
pub const ACROSS: &str = "generation";

/// The run in a few numbers, and more of them.
pub fn facts<L: LogLine>(generations: &[L], score: &str, more: Vec<(String, String)>) -> String {
    let made: Vec<Generation> = generations.iter().map(|line| line.generation().clone()).collect();
    let sum = |of: fn(&Generation) -> u64| made.iter().map(of).fold(0, u64::saturating_add);
    let mut facts = vec![
        (count(made.len() as u64), "generations".to_owned()),
        (count(sum(|generation| generation.evaluations)), "evaluations".to_owned()),
    ];
    let nodes = sum(|generation| generation.nodes);
    if nodes > 0 {
        facts.push((count(nodes), "nodes searched".to_owned()));
    }
    facts.push((duration(Ends::seconds(&made)), "of breeding".to_owned()));
    if let Some(last) = made.last() {
        facts.push((format!("{:.2}", last.best), format!("best score: {score}")));
    }
    facts.extend(more);
    let items =
        facts.iter().map(|(number, what)| format!("<li><b>{}</b><span>{}</span></li>\n", escape(number), escape(what)));
    format!("<ul class=\"facts\">\n{}</ul>\n", items.collect::<String>())
}

/// The settings and the command of a run.
pub fn origin(command: &str, configuration: &str) -> String {
    format!(
        "<h2>The run</h2>\n<p>This repeats it:</p>\n<pre>{}</pre>\n<p>Its configuration:</p>\n<pre>{}</pre>\n",
        escape(command),
        escape(configuration.trim_end())
    )
}

fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A number of each generation, where there is one.
pub fn series<L: LogLine>(generations: &[L], name: &str, of: impl Fn(&L) -> Option<f64>) -> Series {
    let point = |line: &L| Some((f64::from(line.generation().generation), of(line)?));
    Series { name: name.to_owned(), points: generations.iter().filter_map(point).collect() }
}

fn number<L: LogLine>(generations: &[L], name: &str, of: fn(&Generation) -> f64) -> Series {
    series(generations, name, |line| Some(of(line.generation())))
}

/// The score over the generations.
pub fn score_plot<L: LogLine>(generations: &[L], score: &str) -> String {
    let edge = |line: &L| {
        let generation = line.generation();
        (f64::from(generation.generation), generation.quartiles[0], generation.quartiles[2])
    };
    let quartiles = Band {
        name: "the middle half of the population".to_owned(),
        series: 1,
        edges: generations.iter().map(edge).collect(),
    };
    let curves = [
        number(generations, "best", |generation| generation.best),
        number(generations, "mean", |generation| generation.mean),
    ];
    lines("Score", ACROSS, score, &curves, &[quartiles], scale(generations))
}

/// Size, depth and variety over the generations.
pub fn shape_plots<L: LogLine>(generations: &[L]) -> String {
    let size = [
        number(generations, "best individual", |generation| generation.best_size.into()),
        number(generations, "mean of the population", |generation| generation.mean_size),
    ];
    let depth = [
        number(generations, "best individual", |generation| generation.best_depth.into()),
        number(generations, "mean of the population", |generation| generation.mean_depth),
    ];
    let variety = [
        number(generations, "different individuals", |generation| 100.0 * generation.uniqueness),
        number(generations, "judgements from the cache", |generation| {
            100.0 * generation.cached as f64 / f64::from(generation.individuals.max(1))
        }),
    ];
    lines("Size", ACROSS, "nodes of all trees", &size, &[], None)
        + &lines("Depth", ACROSS, "depth of the deepest tree", &depth, &[], None)
        + &lines("Variety", ACROSS, "per cent", &variety, &[], None)
}

/// How much of the scores there is to see: the best of all generations, and what the lower quartile usually is, with room
/// below. Without this the few that are very bad, and with them the mean, would leave nothing of the others.
fn scale<L: LogLine>(generations: &[L]) -> Option<(f64, f64)> {
    let best = || generations.iter().map(|line| line.generation().best);
    let mut lower: Vec<f64> = generations.iter().map(|line| line.generation().quartiles[0]).collect();
    lower.sort_by(f64::total_cmp);
    let usual = *lower.get(lower.len() / 2)?;
    let (least, most) = (best().fold(usual, f64::min), best().fold(usual, f64::max));
    Some((least - (most - least) / 2.0, most))
}
