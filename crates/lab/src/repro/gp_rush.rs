//! Tables 2 and 3 of GP-Rush: iterative deepening without and with its heuristics, by nodes and by time; and the boards that
//! became solvable within its node limit.

use super::{Experiment, Findings, ReproError, ReproSettings, SearchRun, length};
use crate::compare::NamedBoard;
use crate::table::{count, ratio};
use crate::{ConfiguredAlgorithm, Estimator, LabOutcome, Table};
use clearway_policy::NamedPolicy;
use clearway_rush::Metric;
use clearway_rush::heuristics::DifficultyLevel;
use clearway_rush::suites::Suite;
use clearway_search::deepening::{DeepeningOptions, HeuristicUse, NODE_LIMIT};
use clearway_search::{Verdict, spec};

pub const EXPERIMENT: Experiment = Experiment {
    name: "gp-rush",
    work: "A. Hauptman, A. Elyasaf, M. Sipper, A. Karmon: GP-Rush: using genetic programming to evolve solvers for the Rush Hour \
           puzzle. GECCO 2009",
    comparable: "The paper's boards are not available, except for the cards, its JAM01 to JAM40. Test boards from the catalogue (test-6x6) and \
                 from the forge (test-8x8) replace them; no policy was trained on these. The paper does not give the increment of \
                 its threshold (5 here), which changes the baseline by a factor of 3. It also does not specify how a heuristic guides the \
                 search, so both variants are shown. Hc is our own set of rules, because the paper's policy was not published. GP is our \
                 champion for the paper's terminals, in the search that it was evolved for: IDA* with a growing increment, which \
                 searches each state once per iteration and takes a shortcut at the end, unlike the paper's search. The rows \"paper's \
                 search\" are champions for the paper's own search: increment 5, table cleared, with its rule for guidance as the paper \
                 describes it (order) and as IDA* is usually understood (prune); the first is the best of ten initial populations, and the \
                 second comes from six generations, where the paper had 100 to 400. The rows below use more terminals, and best-first \
                 search. In steps, the target's slide to the exit is one move, as in the paper.",
    parts,
    run,
};

/// A heuristic of the rows.
struct HeuristicRow {
    name: &'static str,
    heuristic: Option<Estimator>,
    /// Published percentages for 6x6 and 8x8.
    published: Option<[u32; 2]>,
}

/// Heuristics of the rows; the last one is future work of the paper.
fn heuristics() -> [HeuristicRow; 5] {
    let row = |name, text: &str, published| HeuristicRow {
        name,
        heuristic: text.parse().ok().map(Estimator::Expression),
        published,
    };
    [
        row("H1", "h1", Some([72, 69])),
        row("H2", "h2", Some([94, 75])),
        row("H3", "h3", Some([102, 70])),
        HeuristicRow { name: "Hc", heuristic: hand(), published: Some([70, 50]) },
        row("H2, several goals,", "nearest-goal", None),
    ]
}

/// Our hand-written rules.
fn hand() -> Option<Estimator> {
    NamedPolicy::open("hand").ok().map(|hand| Estimator::Policy(hand, None))
}

/// Published percentages of the evolved policies for 6x6 and 8x8.
const EVOLVED: [u32; 2] = [40, 10];

/// Champions for a board size: names of their rows, and their searches. The first is compared with the paper's.
fn champions(setting: &ReproSettings, size: &str) -> Vec<(&'static str, ConfiguredAlgorithm)> {
    let shipped = |kind: &str| NamedPolicy::open(&format!("{kind}-{size}")).ok();
    let first = setting.champion.clone().map_or_else(|| shipped("paper"), Some);
    // There are champions for the paper's own search on 6x6 only.
    let paper = |guide: &str| NamedPolicy::open(&format!("paper-{guide}-6x6")).ok();
    let kinds = [
        ("GP", first),
        ("GP, paper's search, order", paper("order")),
        ("GP, paper's search, prune", paper("prune")),
        ("GP, all terminals", shipped("prune")),
        ("GP, memo kept", shipped("memo")),
        ("GP, best-first", shipped("best-first")),
    ];
    kinds
        .into_iter()
        .filter_map(|(name, policy)| Some((name, ConfiguredAlgorithm::from_policy(&policy?, None).ok()?)))
        .collect()
}

/// Boards of Table 2 by size.
fn sizes(setting: &ReproSettings) -> [(&'static str, Vec<NamedBoard>); 2] {
    let six = if setting.six_by_six.is_empty() { suite("test-6x6") } else { setting.six_by_six.clone() };
    [("6x6", six), ("8x8", suite("test-8x8"))]
}

fn parts(setting: &ReproSettings) -> usize {
    // One search without a heuristic, and two with each heuristic.
    let searches = 1 + 2 * heuristics().len();
    let nodes = sizes(setting).map(|(size, boards)| (searches + champions(setting, size).len()) * boards.len());
    let timed = champions(setting, "6x6").iter().filter(|(name, _)| TIMED.contains(name)).count();
    // The time of the last heuristic is not measured.
    nodes.iter().sum::<usize>() + (heuristics().len() + timed) * suite("cards").len()
}

/// Rows of the champions whose time is measured.
const TIMED: [&str; 2] = ["GP", "GP, best-first"];

fn run(setting: &ReproSettings) -> Result<Findings, ReproError> {
    let columns =
        ["boards, heuristic, guide", "published", "mean, ours", "ratio", "of totals", "solved", "length/None", "table"];
    let title =
        "Table 2: nodes as a percentage of those without a heuristic; table: mean size of the transposition table";
    let mut nodes = Table::new(title, &columns);
    let columns = ["boards, heuristic, guide", "published", "ours", "unsolved", "solvable"];
    let mut solvable = Table::new("Boards that became solvable within 1,500,000 nodes", &columns);
    for (column, (size, boards)) in sizes(setting).iter().enumerate() {
        let rows = searches(setting, size, boards, column)?;
        nodes.rows.extend(rows.iter().map(|row| row.percentages(setting.metric, &rows[0].outcomes)));
        solvable.rows.extend(rows[1..].iter().map(|row| row.solvable(&rows[0].outcomes)));
    }
    Ok(vec![nodes, solvable, seconds(setting)?].into())
}

fn suite(name: &str) -> Vec<NamedBoard> {
    let puzzles = Suite::find(name).map(Suite::puzzles).unwrap_or_default();
    puzzles.into_iter().map(|puzzle| NamedBoard { name: puzzle.name, board: puzzle.board }).collect()
}

/// Runs one search on all boards without the paper's limit of 1,500,000 nodes, which would cut off the hardest.
fn search(
    setting: &ReproSettings,
    algorithm: &ConfiguredAlgorithm,
    boards: &[NamedBoard],
) -> Result<Vec<LabOutcome>, ReproError> {
    let runs: Vec<SearchRun> = boards
        .iter()
        .enumerate()
        .map(|(place, entry)| SearchRun {
            nodes: Some(MAX_NODES),
            difficulty: DifficultyLevel::among(place, boards.len()),
            ..SearchRun::new(algorithm.clone(), &entry.board, setting.metric)
        })
        .collect();
    setting.run_all(&runs)
}

/// Node limit of a search: more than the search without a heuristic needs on any of the boards.
const MAX_NODES: u64 = 40_000_000;

/// Node limit of the paper.
const PAPER_NODES: u64 = NODE_LIMIT;

/// Iterative deepening with increment 5 and the paper's macro moves, guided by a heuristic if there is one.
///
/// # Panics
/// Never: a heuristic is only combined with IDA*.
fn deepening(heuristic: Option<&Estimator>, guide: HeuristicUse) -> ConfiguredAlgorithm {
    let options = DeepeningOptions { increment: 5, guide, macros: true, ..DeepeningOptions::default() };
    let algorithm = if heuristic.is_some() { spec::Algorithm::Ida(options) } else { spec::Algorithm::Id(options) };
    ConfiguredAlgorithm::new(algorithm, heuristic.cloned()).expect("only IDA* has a heuristic")
}

/// A search on all boards of a size.
struct Row {
    name: String,
    /// Published percentage.
    published: Option<u32>,
    /// Whether it is compared with the paper's best policy.
    is_evolved: bool,
    outcomes: Vec<LabOutcome>,
}

/// Runs all searches on the boards of a size; the first is the one without a heuristic.
fn searches(setting: &ReproSettings, size: &str, boards: &[NamedBoard], column: usize) -> Result<Vec<Row>, ReproError> {
    let row = |name: String, published, algorithm: &ConfiguredAlgorithm| {
        let outcomes = search(setting, algorithm, boards)?;
        Ok::<Row, ReproError>(Row { name: format!("{size}, {name}"), published, is_evolved: false, outcomes })
    };
    let mut rows = vec![row("None".to_owned(), Some(100), &deepening(None, HeuristicUse::Prune))?];
    for HeuristicRow { name, heuristic, published } in heuristics() {
        for (guide, how) in [("order", HeuristicUse::Order), ("prune", HeuristicUse::Prune)] {
            let published = published.map(|published| published[column]);
            rows.push(row(format!("{name} {guide}"), published, &deepening(heuristic.as_ref(), how))?);
        }
    }
    for (name, algorithm) in champions(setting, size) {
        let is_evolved = name == "GP" || name.contains("paper's search");
        let published = is_evolved.then_some(EVOLVED[column]);
        rows.push(Row { is_evolved, ..row(name.to_owned(), published, &algorithm)? });
    }
    Ok(rows)
}

impl Row {
    /// A row of Table 2: nodes relative to the search without a heuristic.
    fn percentages(&self, metric: Metric, none: &[LabOutcome]) -> Vec<String> {
        let expanded =
            |all: &[LabOutcome]| -> Vec<f64> { all.iter().map(|one| one.statistics.expanded as f64).collect() };
        let (ours, base) = (expanded(&self.outcomes), expanded(none));
        let shares = ours.iter().zip(&base).map(|(ours, base)| 100.0 * ours / base.max(1.0));
        let mean = shares.sum::<f64>() / ours.len().max(1) as f64;
        let totals = 100.0 * ours.iter().sum::<f64>() / base.iter().sum::<f64>().max(1.0);
        let solved = self.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Solved).count();
        let percent = |share: f64| if share < 9.95 { format!("{share:.2} %") } else { format!("{share:.0} %") };
        let compared = |published: u32| (format!("{published} %"), ratio(mean, f64::from(published)));
        let (published, against) = self.published.map_or(("-".to_owned(), "-".to_owned()), compared);
        let states: u64 = self.outcomes.iter().map(|outcome| outcome.statistics.table_size).sum();
        let table = states / self.outcomes.len().max(1) as u64;
        vec![
            self.name.clone(),
            published,
            percent(mean),
            against,
            percent(totals),
            format!("{solved}/{}", self.outcomes.len()),
            lengths(metric, &self.outcomes, none),
            if table == 0 { "-".to_owned() } else { count(table) },
        ]
    }

    /// A row of the boards that became solvable within the paper's node limit. The paper gives the share for its best policies.
    fn solvable(&self, none: &[LabOutcome]) -> Vec<String> {
        let within = |one: &LabOutcome| one.verdict == Verdict::Solved && one.statistics.expanded <= PAPER_NODES;
        let unsolved: Vec<&LabOutcome> =
            self.outcomes.iter().zip(none).filter(|(_, none)| !within(none)).map(|(ours, _)| ours).collect();
        let solvable = unsolved.iter().filter(|ours| within(ours)).count();
        let share = 100.0 * solvable as f64 / unsolved.len() as f64;
        vec![
            self.name.clone(),
            if self.is_evolved { "85 %".to_owned() } else { "-".to_owned() },
            if unsolved.is_empty() { "-".to_owned() } else { format!("{share:.0} %") },
            unsolved.len().to_string(),
            solvable.to_string(),
        ]
    }
}

/// Solution lengths relative to the baseline, on the boards that both solved.
fn lengths(metric: Metric, ours: &[LabOutcome], base: &[LabOutcome]) -> String {
    let pairs = ours
        .iter()
        .zip(base)
        .filter_map(|(ours, base)| Some((f64::from(length(ours, metric)?), f64::from(length(base, metric)?))));
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

fn seconds(setting: &ReproSettings) -> Result<Table, ReproError> {
    let cards = suite("cards");
    let times = |algorithm: &ConfiguredAlgorithm| -> Result<Vec<f64>, ReproError> {
        Ok(search(setting, algorithm, &cards)?.iter().map(|outcome| outcome.time.as_secs_f64()).collect())
    };
    let pruning = |heuristic: Option<&Estimator>| times(&deepening(heuristic, HeuristicUse::Prune));
    let id = pruning(None)?;
    let [h1, h2, h3, hc, _] = heuristics();
    let timed = |row: HeuristicRow| pruning(row.heuristic.as_ref());
    let (h1, h2, h3, hc) = (timed(h1)?, timed(h2)?, timed(h3)?, timed(hc)?);
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
        let cards: Vec<NamedBoard> = suite("cards").into_iter().take(2).collect();
        let six_by_six = cards.clone();
        let setting = ReproSettings { six_by_six, ..ReproSettings::default() };
        let percentages = |setting: &ReproSettings| -> Vec<Vec<String>> {
            let rows = searches(setting, "6x6", &cards, 0).unwrap();
            rows.iter().map(|row| row.percentages(setting.metric, &rows[0].outcomes)).collect()
        };
        let rows = percentages(&setting);
        let names: Vec<&str> = rows.iter().map(|row| row[0].trim_start_matches("6x6, ")).collect();
        assert_eq!(names[..5], ["None", "H1 order", "H1 prune", "H2 order", "H2 prune"]);
        assert_eq!(names[9..12], ["H2, several goals, order", "H2, several goals, prune", "GP"]);
        assert_eq!(names[14..], ["GP, all terminals", "GP, memo kept", "GP, best-first"]);
        assert!(rows.iter().all(|row| row[5] == "2/2"), "{rows:?}");
        let published: Vec<&str> = rows[11..].iter().map(|row| row[1].as_str()).collect();
        assert_eq!(published, ["40 %", "40 %", "40 %", "-", "-", "-"]);
        assert!(rows[0][7] != "-" && rows[16][7] == "-", "only iterative deepening has a transposition table");
        let policy = Arc::new("search: ida(policy, order, increment=5)\nDEFAULT h1".parse().unwrap());
        let champion = Some(NamedPolicy { name: "given".to_owned(), policy });
        let given = percentages(&ReproSettings { champion, ..setting.clone() });
        assert_eq!((&given[11][2], &given[11][4]), (&rows[1][2], &rows[1][4]), "the given champion orders by H1");
        let steps = percentages(&ReproSettings { metric: Metric::Steps, ..setting });
        assert!(steps.iter().all(|row| row[5] == "2/2") && steps[0][7] != rows[0][7], "{steps:?}");
    }

    #[test]
    fn boards_become_solvable_within_the_node_limit_of_the_paper() {
        let card = &suite("cards")[0].board;
        let outcome = |expanded| {
            let mut outcome = deepening(None, HeuristicUse::Prune).solve(
                card,
                Metric::Moves,
                &clearway_search::Limits::default(),
                &clearway_rush::heuristics::HeuristicContext::default(),
            );
            outcome.statistics.expanded = expanded;
            outcome
        };
        let none = [outcome(10), outcome(2_000_000), outcome(9_000_000), outcome(1_500_001)];
        let outcomes = vec![outcome(2_000_000), outcome(1_500_000), outcome(1_500_001), outcome(1)];
        let row = Row { name: "x".to_owned(), published: None, is_evolved: true, outcomes };
        assert_eq!(row.solvable(&none), ["x", "85 %", "67 %", "3", "2"]);
    }
}
