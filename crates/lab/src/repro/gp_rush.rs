//! Tables 2 and 3 of GP-Rush: iterative deepening without and with its heuristics, by nodes and by time.

use super::{Experiment, Run, Setting, heuristic_text, length};
use crate::compare::Entry;
use crate::table::ratio;
use crate::{LabOutcome, Table};
use clearway_rush::Metric;
use clearway_rush::suites::Suite;
use clearway_search::Verdict;

pub const EXPERIMENT: Experiment = Experiment {
    name: "gp-rush",
    work: "A. Hauptman, A. Elyasaf, M. Sipper, A. Karmon: GP-Rush: using genetic programming to evolve solvers for the Rush Hour \
           puzzle. GECCO 2009",
    comparable: "The cards are the paper's JAM01 to JAM40. Of its hardest 200 boards of 6x6 only SER200 is at hand, and its boards of 8x8 \
                 are lost: the suite sample-8x8 stands in for them. The paper does not give the increment of its bound (5 here), which \
                 moves the baseline by a factor of 3, nor does it say exactly how a heuristic guides the search, so both ways are shown. \
                 Hc is a set of rules of our own (policies/hand.expr), not the paper's policy, which was not published.",
    run,
};

/// Our hand-made rules over heuristics, as text.
const HAND: &str = include_str!("../../../../policies/hand.expr");

/// The heuristics of the columns: names, ours, and the published percentages for 6x6 and 8x8.
fn columns(setting: &Setting) -> Vec<(&'static str, Option<String>, [u32; 2])> {
    let mut columns = vec![
        ("None", None, [100, 100]),
        ("H1", Some("h1".to_owned()), [72, 69]),
        ("H2", Some("h2".to_owned()), [94, 75]),
        ("H3", Some("h3".to_owned()), [102, 70]),
        ("Hc", Some(hand()), [70, 50]),
    ];
    columns.extend(setting.champion.as_ref().map(|champion| ("GP", Some(champion.to_string()), [40, 10])));
    columns
}

fn hand() -> String {
    heuristic_text(HAND)
}

/// The nodes of a run on a large board: the paper's limit of 1,500,000 is for small ones.
const LARGE_NODES: u64 = 6_000_000;

fn run(setting: &Setting) -> Vec<Table> {
    let six = if setting.six_by_six.is_empty() {
        ["cards", "it3105", "servais"].into_iter().flat_map(suite).collect()
    } else {
        setting.six_by_six.clone()
    };
    let sets = [("6x6", six, None), ("8x8", suite("sample-8x8"), Some(LARGE_NODES))];
    let mut table = Table::new(
        "Table 2: nodes, as a percentage of those without a heuristic",
        &["boards, heuristic, guide", "published", "mean, ours", "ratio", "of totals", "solved", "length/None"],
    );
    for (column, (name, boards, nodes)) in sets.iter().enumerate() {
        table.rows.extend(percentages(setting, name, boards, *nodes, column));
    }
    vec![table, seconds(setting)]
}

fn suite(name: &str) -> Vec<Entry> {
    let puzzles = Suite::find(name).map(Suite::puzzles).unwrap_or_default();
    puzzles.into_iter().map(|puzzle| Entry { name: puzzle.name, board: puzzle.board }).collect()
}

/// Runs one search on all boards. Iterative deepening has the paper's limit if there is no other.
fn search(setting: &Setting, text: &str, boards: &[Entry], nodes: Option<u64>) -> Vec<LabOutcome> {
    let last = boards.len().saturating_sub(1).max(1) as f64;
    let runs: Vec<Run> = boards
        .iter()
        .enumerate()
        .map(|(place, entry)| Run {
            nodes,
            difficulty: place as f64 / last,
            ..Run::new(text, &entry.board, Metric::Moves)
        })
        .collect();
    setting.all(&runs)
}

fn text(heuristic: Option<&String>, guide: &str) -> String {
    heuristic.map_or("id(increment=5)".to_owned(), |h| format!("ida({h}, {guide}, increment=5)"))
}

fn percentages(setting: &Setting, name: &str, boards: &[Entry], nodes: Option<u64>, column: usize) -> Vec<Vec<String>> {
    let none = search(setting, &text(None, ""), boards, nodes);
    let mut rows = Vec::new();
    for (heuristic, expression, published) in columns(setting) {
        let guides: &[&str] = if expression.is_some() { &["order", "prune"] } else { &[""] };
        for guide in guides {
            let outcomes = if expression.is_some() {
                search(setting, &text(expression.as_ref(), guide), boards, nodes)
            } else {
                none.clone()
            };
            let expanded =
                |all: &[LabOutcome]| -> Vec<f64> { all.iter().map(|one| one.counters.expanded as f64).collect() };
            let (ours, base) = (expanded(&outcomes), expanded(&none));
            let shares = ours.iter().zip(&base).map(|(ours, base)| 100.0 * ours / base.max(1.0));
            let mean = shares.sum::<f64>() / ours.len().max(1) as f64;
            let totals = 100.0 * ours.iter().sum::<f64>() / base.iter().sum::<f64>().max(1.0);
            let solved = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Solved).count();
            rows.push(vec![
                format!("{name}, {heuristic} {guide}").trim_end().to_owned(),
                format!("{} %", published[column]),
                format!("{mean:.0} %"),
                ratio(mean, f64::from(published[column])),
                format!("{totals:.0} %"),
                format!("{solved}/{}", boards.len()),
                lengths(&outcomes, &none),
            ]);
        }
    }
    rows
}

/// The lengths of the solutions compared with those of the baseline, on boards that both solved.
fn lengths(ours: &[LabOutcome], base: &[LabOutcome]) -> String {
    let pairs = ours.iter().zip(base).filter_map(|(ours, base)| {
        Some((f64::from(length(ours, Metric::Moves)?), f64::from(length(base, Metric::Moves)?)))
    });
    let (ours, base) = pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    ratio(ours, base)
}

/// Table 3: a group of problems, the seconds published for ID, Hi, Hc and GP, and those of humans.
const SECONDS: [(&str, [f64; 4], f64); 6] = [
    ("JAM01...JAM08", [0.2, 0.65, 0.06, 0.03], 2.6),
    ("JAM09...JAM16", [1.7, 0.35, 1.74, 0.6], 8.15),
    ("JAM17...JAM24", [2.4, 1.8, 1.08, 0.83], 10.32),
    ("JAM25...JAM32", [6.3, 1.6, 3.94, 1.17], 14.1),
    ("JAM33...JAM40", [7.65, 2.8, 7.71, 2.56], 20.0),
    ("average", [3.65, 1.44, 2.69, 1.04], 11.03),
];

fn seconds(setting: &Setting) -> Table {
    let cards = suite("cards");
    let times = |text: &str| -> Vec<f64> {
        search(setting, text, &cards, None).iter().map(|outcome| outcome.time.as_secs_f64()).collect()
    };
    let id = times(&text(None, ""));
    let three = ["h1", "h2", "h3"].map(|h| times(&text(Some(&h.to_owned()), "prune")));
    let hi: Vec<f64> = (0..id.len().min(three.iter().map(Vec::len).min().unwrap_or(0)))
        .map(|card| three.iter().map(|times| times[card]).sum::<f64>() / 3.0)
        .collect();
    let mut ours = vec![id, hi, times(&text(Some(&hand()), "prune"))];
    let mut columns = vec!["problems", "ID", "ours", "ratio", "Hi", "ours", "ratio", "Hc", "ours", "ratio"];
    if let Some(champion) = &setting.champion {
        ours.push(times(&text(Some(&champion.to_string()), "prune")));
        columns.extend(["GP", "ours", "ratio"]);
    }
    columns.push("humans");
    let mut table = Table::new("Table 3: seconds a problem (Hi: the mean of H1, H2 and H3; pruning)", &columns);
    for (group, (name, published, humans)) in SECONDS.iter().enumerate() {
        let range = if group < 5 { group * 8..group * 8 + 8 } else { 0..40 };
        let mut row = vec![(*name).to_owned()];
        for (times, published) in ours.iter().zip(published) {
            let chosen = times.get(range.clone()).unwrap_or_default();
            let mean = chosen.iter().sum::<f64>() / chosen.len().max(1) as f64;
            row.extend([published.to_string(), format!("{mean:.4}"), ratio(mean, *published)]);
        }
        row.push(humans.to_string());
        table.rows.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_champion_gets_its_columns() {
        let champion = heuristic_text("# bred\nif(g >= 5,\n2*h1, h1)").parse().ok();
        assert!(champion.is_some());
        let cards: Vec<Entry> = suite("cards").into_iter().take(2).collect();
        let setting =
            Setting { threads: 2, cancel: Arc::default(), memory: 1 << 28, six_by_six: cards.clone(), champion };
        let names: Vec<&str> = columns(&setting).iter().map(|column| column.0).collect();
        assert_eq!(names, ["None", "H1", "H2", "H3", "Hc", "GP"]);
        let rows = percentages(&setting, "6x6", &cards, None, 0);
        assert_eq!(rows.len(), 11, "every heuristic orders and prunes");
        assert_eq!(
            (rows[10][0].as_str(), rows[10][1].as_str(), rows[10][5].as_str()),
            ("6x6, GP prune", "40 %", "2/2")
        );
        assert_eq!(columns(&Setting { champion: None, ..setting }).len(), 5);
    }
}
