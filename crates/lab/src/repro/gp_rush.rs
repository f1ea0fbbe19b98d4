//! Tables 2 and 3 of GP-Rush: iterative deepening without and with its heuristics, by nodes and by time.

use super::{Experiment, Findings, ReproError, SearchRun, Setting, length};
use crate::compare::Entry;
use crate::table::ratio;
use crate::{Algorithm, Estimator, LabOutcome, Table};
use clearway_policy::NamedPolicy;
use clearway_rush::Metric;
use clearway_rush::heuristics::DifficultyLevel;
use clearway_rush::suites::Suite;
use clearway_search::deepening::{DeepeningOptions, Guide};
use clearway_search::{Verdict, spec};

pub const EXPERIMENT: Experiment = Experiment {
    name: "gp-rush",
    work: "A. Hauptman, A. Elyasaf, M. Sipper, A. Karmon: GP-Rush: using genetic programming to evolve solvers for the Rush Hour \
           puzzle. GECCO 2009",
    comparable: "The paper's boards are not available, except for the cards, its JAM01 to JAM40. Test boards from the catalogue (test-6x6) and \
                 from climbing (test-8x8) replace them; no policy was trained on these. The paper does not give the increment of \
                 its threshold (5 here), which changes the baseline by a factor of 3. It also does not specify how a heuristic guides the \
                 search, so both variants are shown. Hc is our own set of rules, because the paper's policy was not published. GP is our \
                 champion for the paper's terminals, in the search that it was evolved for: IDA* with a growing increment, which \
                 searches each state once per iteration and takes a shortcut at the end, unlike the paper's search. The rows below use \
                 more terminals, and best-first search.",
    parts,
    run,
};

/// Heuristics of the rows: names, our versions, and the published percentages for 6x6 and 8x8.
fn heuristics() -> [(&'static str, Option<Estimator>, [u32; 2]); 4] {
    let heuristic = |name: &str| name.parse().ok().map(Estimator::Expression);
    [
        ("H1", heuristic("h1"), [72, 69]),
        ("H2", heuristic("h2"), [94, 75]),
        ("H3", heuristic("h3"), [102, 70]),
        ("Hc", hand(), [70, 50]),
    ]
}

/// Our hand-written rules.
fn hand() -> Option<Estimator> {
    NamedPolicy::open("hand").ok().map(|hand| Estimator::Policy(hand, None))
}

/// Published percentages of the evolved policies for 6x6 and 8x8.
const EVOLVED: [u32; 2] = [40, 10];

/// Champions for a board size: names of their rows, and their searches. The first is compared with the paper's.
fn champions(setting: &Setting, size: &str) -> Vec<(&'static str, Algorithm)> {
    let shipped = |kind: &str| NamedPolicy::open(&format!("{kind}-{size}")).ok();
    let first = setting.champion.clone().map_or_else(|| shipped("paper"), Some);
    let kinds = [("GP", first), ("GP, all terminals", shipped("prune")), ("GP, memo kept", shipped("memo"))];
    let all = kinds.into_iter().chain([("GP, best-first", shipped("best-first"))]);
    all.filter_map(|(name, policy)| Some((name, Algorithm::from_policy(&policy?, None).ok()?))).collect()
}

/// Boards of Table 2 by size.
fn sizes(setting: &Setting) -> [(&'static str, Vec<Entry>); 2] {
    let six = if setting.six_by_six.is_empty() { suite("test-6x6") } else { setting.six_by_six.clone() };
    [("6x6", six), ("8x8", suite("test-8x8"))]
}

fn parts(setting: &Setting) -> usize {
    // One search without a heuristic, and two with each heuristic.
    let searches = 1 + 2 * heuristics().len();
    let nodes = sizes(setting).map(|(size, boards)| (searches + champions(setting, size).len()) * boards.len());
    let timed = champions(setting, "6x6").iter().filter(|(name, _)| TIMED.contains(name)).count();
    nodes.iter().sum::<usize>() + (1 + heuristics().len() + timed) * suite("cards").len()
}

/// Rows of the champions whose time is measured.
const TIMED: [&str; 2] = ["GP", "GP, best-first"];

fn run(setting: &Setting) -> Result<Findings, ReproError> {
    let mut table = Table::new(
        "Table 2: nodes as a percentage of those without a heuristic",
        &["boards, heuristic, guide", "published", "mean, ours", "ratio", "of totals", "solved", "length/None"],
    );
    for (column, (size, boards)) in sizes(setting).iter().enumerate() {
        table.rows.extend(percentages(setting, size, boards, column)?);
    }
    Ok(vec![table, seconds(setting)?].into())
}

fn suite(name: &str) -> Vec<Entry> {
    let puzzles = Suite::find(name).map(Suite::puzzles).unwrap_or_default();
    puzzles.into_iter().map(|puzzle| Entry { name: puzzle.name, board: puzzle.board }).collect()
}

/// Runs one search on all boards without the paper's limit of 1,500,000 nodes, which would cut off the hardest.
fn search(setting: &Setting, algorithm: &Algorithm, boards: &[Entry]) -> Result<Vec<LabOutcome>, ReproError> {
    let runs: Vec<SearchRun> = boards
        .iter()
        .enumerate()
        .map(|(place, entry)| SearchRun {
            nodes: Some(MAX_NODES),
            difficulty: DifficultyLevel::among(place, boards.len()),
            ..SearchRun::new(algorithm.clone(), &entry.board, Metric::Moves)
        })
        .collect();
    setting.run_all(&runs)
}

/// Node limit of a search: more than the search without a heuristic needs on any of the boards.
const MAX_NODES: u64 = 40_000_000;

/// Iterative deepening with increment 5, guided by a heuristic if there is one.
///
/// # Panics
/// Never: a heuristic is only combined with IDA*.
fn deepening(heuristic: Option<&Estimator>, guide: Guide) -> Algorithm {
    let options = DeepeningOptions { increment: 5, guide, ..DeepeningOptions::default() };
    let algorithm = if heuristic.is_some() { spec::Algorithm::Ida(options) } else { spec::Algorithm::Id(options) };
    Algorithm::new(algorithm, heuristic.cloned()).expect("only IDA* has a heuristic")
}

fn percentages(setting: &Setting, size: &str, boards: &[Entry], column: usize) -> Result<Vec<Vec<String>>, ReproError> {
    let none = search(setting, &deepening(None, Guide::Prune), boards)?;
    let mut rows = vec![row(&format!("{size}, None"), Some(100), &none, &none)];
    for (name, heuristic, published) in heuristics() {
        for (guide, how) in [("order", Guide::Order), ("prune", Guide::Prune)] {
            let outcomes = search(setting, &deepening(heuristic.as_ref(), how), boards)?;
            rows.push(row(&format!("{size}, {name} {guide}"), Some(published[column]), &outcomes, &none));
        }
    }
    for (place, (name, algorithm)) in champions(setting, size).into_iter().enumerate() {
        let outcomes = search(setting, &algorithm, boards)?;
        let published = (place == 0).then_some(EVOLVED[column]);
        rows.push(row(&format!("{size}, {name}"), published, &outcomes, &none));
    }
    Ok(rows)
}

/// A row of Table 2: a search, relative to the one without a heuristic.
fn row(name: &str, published: Option<u32>, outcomes: &[LabOutcome], none: &[LabOutcome]) -> Vec<String> {
    let expanded = |all: &[LabOutcome]| -> Vec<f64> { all.iter().map(|one| one.statistics.expanded as f64).collect() };
    let (ours, base) = (expanded(outcomes), expanded(none));
    let shares = ours.iter().zip(&base).map(|(ours, base)| 100.0 * ours / base.max(1.0));
    let mean = shares.sum::<f64>() / ours.len().max(1) as f64;
    let totals = 100.0 * ours.iter().sum::<f64>() / base.iter().sum::<f64>().max(1.0);
    let solved = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Solved).count();
    let percent = |share: f64| if share < 9.95 { format!("{share:.2} %") } else { format!("{share:.0} %") };
    let compared = |published: u32| (format!("{published} %"), ratio(mean, f64::from(published)));
    let (published, against) = published.map_or(("-".to_owned(), "-".to_owned()), compared);
    let of_all = format!("{solved}/{}", outcomes.len());
    vec![name.to_owned(), published, percent(mean), against, percent(totals), of_all, lengths(outcomes, none)]
}

/// Solution lengths relative to the baseline, on the boards that both solved.
fn lengths(ours: &[LabOutcome], base: &[LabOutcome]) -> String {
    let pairs = ours.iter().zip(base).filter_map(|(ours, base)| {
        Some((f64::from(length(ours, Metric::Moves)?), f64::from(length(base, Metric::Moves)?)))
    });
    let (ours, base) = pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    ratio(ours, base)
}

/// Table 3: groups of problems, the published seconds of ID, Hi, Hc and GP, and those of humans.
const SECONDS: [(&str, [f64; 4], f64); 6] = [
    ("JAM01...JAM08", [0.2, 0.65, 0.06, 0.03], 2.6),
    ("JAM09...JAM16", [1.7, 0.35, 1.74, 0.6], 8.15),
    ("JAM17...JAM24", [2.4, 1.8, 1.08, 0.83], 10.32),
    ("JAM25...JAM32", [6.3, 1.6, 3.94, 1.17], 14.1),
    ("JAM33...JAM40", [7.65, 2.8, 7.71, 2.56], 20.0),
    ("average", [3.65, 1.44, 2.69, 1.04], 11.03),
];

fn seconds(setting: &Setting) -> Result<Table, ReproError> {
    let cards = suite("cards");
    let times = |algorithm: &Algorithm| -> Result<Vec<f64>, ReproError> {
        Ok(search(setting, algorithm, &cards)?.iter().map(|outcome| outcome.time.as_secs_f64()).collect())
    };
    let pruning = |heuristic: Option<&Estimator>| times(&deepening(heuristic, Guide::Prune));
    let id = pruning(None)?;
    let [h1, h2, h3, hc] = heuristics().map(|(_, heuristic, _)| pruning(heuristic.as_ref()));
    let (h1, h2, h3, hc) = (h1?, h2?, h3?, hc?);
    let hi: Vec<f64> = h1.iter().zip(&h2).zip(&h3).map(|((h1, h2), h3)| (h1 + h2 + h3) / 3.0).collect();
    let champions = champions(setting, "6x6");
    let champion = |row: &str| {
        let found = champions.iter().find(|(name, _)| *name == row);
        found.map_or_else(|| Ok(Vec::new()), |(_, algorithm)| times(algorithm))
    };
    let [champion, best_first] = TIMED.map(champion);
    let (ours, best_first) = ([id, hi, hc, champion?], best_first?);
    let mut columns = vec!["problems"];
    for name in ["ID", "Hi", "Hc", "GP"] {
        columns.extend([name, "ours", "ratio"]);
    }
    columns.extend(["ours, best-first", "humans"]);
    let title = "Table 3: seconds per problem (Hi: mean of H1, H2 and H3; ID, Hi, Hc: pruning)";
    let mut table = Table::new(title, &columns);
    for (group, (name, published, humans)) in SECONDS.iter().enumerate() {
        let range = if group < 5 { group * 8..group * 8 + 8 } else { 0..40 };
        let mean = |times: &[f64]| {
            let chosen = times.get(range.clone()).unwrap_or_default();
            chosen.iter().sum::<f64>() / chosen.len().max(1) as f64
        };
        let mut row = vec![(*name).to_owned()];
        for (times, published) in ours.iter().zip(published) {
            row.extend([published.to_string(), format!("{:.5}", mean(times)), ratio(mean(times), *published)]);
        }
        row.extend([format!("{:.5}", mean(&best_first)), humans.to_string()]);
        table.rows.push(row);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn every_heuristic_and_champion_has_a_row() {
        let cards: Vec<Entry> = suite("cards").into_iter().take(2).collect();
        let six_by_six = cards.clone();
        let setting = Setting { six_by_six, ..Setting::default() };
        let rows = percentages(&setting, "6x6", &cards, 0).unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row[0].trim_start_matches("6x6, ")).collect();
        assert_eq!(names[..5], ["None", "H1 order", "H1 prune", "H2 order", "H2 prune"]);
        assert_eq!(names[9..], ["GP", "GP, all terminals", "GP, memo kept", "GP, best-first"]);
        assert!(rows.iter().all(|row| row[5] == "2/2"), "{rows:?}");
        assert_eq!((rows[9][1].as_str(), rows[10][1].as_str()), ("40 %", "-"));
        let policy = Arc::new("search: ida(policy, order, increment=5)\nDEFAULT h1".parse().unwrap());
        let champion = Some(NamedPolicy { name: "given".to_owned(), policy });
        let given = percentages(&Setting { champion, ..setting }, "6x6", &cards, 0).unwrap();
        assert_eq!((&given[9][2], &given[9][4]), (&rows[1][2], &rows[1][4]), "the given champion orders by H1");
    }
}
