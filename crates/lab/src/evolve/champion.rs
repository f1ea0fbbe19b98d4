//! The champion of a run, its tests, and the report.

use super::folder::CHAMPION;
use super::population_plots::time_plot;
use super::report::PolicyReport;
use super::run::Run;
use super::settings::Settings;
use crate::compare::{ComparisonProgress, Contestant};
use crate::evaluation::{
    EvaluationBoards, EvaluationTable, TestResult, measure, or_dash, percent, same_search, standard,
};
use crate::runs::{RunError, VERSION};
use crate::{ConfiguredAlgorithm, Table};
use clearway_policy::training::{EvaluatedChampion, LinearFit, Objective, PolicyPerformance};
use clearway_policy::{NamedPolicy, Policy, svg};
use clearway_search::Limits;
use std::sync::Arc;

/// The best policy of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyChampion {
    /// Policy, with the search that it was evolved for.
    pub policy: Policy,
    /// Result on all training boards; `None` for the best individual of a generation.
    pub training: Option<PolicyPerformance>,
    /// Result on the validation boards, if any.
    pub validation: Option<PolicyPerformance>,
}

/// Column of the least squares fit in a test.
const FIT: &str = "least squares";
/// Column of the champion in a test.
pub(super) const GP: &str = "GP";
/// Maximum number of nodes of a search in a test on boards that are searched directly.
const MAX_TEST_NODES: u64 = 100_000;

impl Run {
    /// Returns the champion: of the best individuals of the last generations, the best on all validation boards, or on all
    /// training boards if there are none. `None` before the first generation.
    pub fn champion(&self, threads: usize) -> Option<PolicyChampion> {
        let (problem, validator) = (self.evolution.problem(), self.kind.validator.as_ref());
        let threads = self.kind.memory.max_searches(threads);
        let chosen = problem.champion(validator, self.evolution.memory(), self.evolution.population(), threads)?;
        let EvaluatedChampion { genome, training, validation } = chosen;
        Some(PolicyChampion { policy: self.with_search(problem.policy(&genome)), training: Some(training), validation })
    }

    /// Returns the best individual of the last generation, on the boards of that generation. Cheap.
    pub fn best(&self) -> Option<PolicyChampion> {
        let best = self.evolution.best()?;
        Some(PolicyChampion {
            policy: self.with_search(self.evolution.problem().policy(&best.genome)),
            training: None,
            validation: None,
        })
    }

    /// Adds the search that the run evolves policies for.
    fn with_search(&self, policy: Policy) -> Policy {
        Policy { search: Some(self.settings.breeding.search.to_string()), ..policy }
    }

    /// Measures the champion on the test boards, next to no heuristic, the heuristics of GP-Rush, and the least squares fit. If
    /// the limits cancel the test, the result covers the boards measured so far. The memory limit is reduced by the memory of
    /// the boards of the run.
    pub fn test(
        &self,
        champion: &PolicyChampion,
        threads: usize,
        limits: &Limits,
        progress: impl Fn(ComparisonProgress),
    ) -> Vec<TestResult> {
        // The training boards stay in memory.
        let memory = limits.memory.map(|memory| memory.min(self.kind.memory.remaining()));
        // Most searches without a policy reach any limit on boards that are searched directly.
        let nodes = limits.nodes.or(self.settings.direct.map(|_| MAX_TEST_NODES));
        let limits = &Limits { memory, nodes, ..limits.clone() };
        let columns = columns(&self.settings, self.evolution.problem().fit(), &champion.policy);
        let runs = |boards: usize| boards * (columns.len() + 1);
        let total = self.kind.tests.iter().map(|set| runs(set.boards.len())).sum();
        let mut before = 0;
        let mut tested = Vec::new();
        for set in &self.kind.tests {
            let report = |one: ComparisonProgress| progress(ComparisonProgress { done: before + one.done, total });
            let boards = EvaluationBoards::new(&set.boards, self.settings.metric);
            let table = measure(boards, columns.clone(), threads, limits, report);
            before += runs(set.boards.len());
            tested.push(TestResult { boards: set.name.clone(), table, policy: GP.to_owned() });
        }
        tested
    }

    /// Writes the champion and the report on the run so far.
    pub fn write(&self, champion: &PolicyChampion, tests: &[TestResult]) -> Result<(), RunError> {
        let mut policy = champion.policy.clone();
        policy.about = self.about(champion, tests);
        let text = policy.to_string();
        self.folder.write(CHAMPION, &text)?;
        let title = format!("Evolution run, seed {}", self.settings.seed());
        let report = PolicyReport {
            title: &title,
            score: score(self.settings.breeding.objective),
            generations: self.log.lines(),
            tests,
            drawing: &svg(&policy, "champion"),
            policy: &text,
            configuration: &self.settings.to_toml(),
            command: &self.settings.command,
            time_plot: &time_plot(&self.folder.logged_times()),
        };
        Ok(self.folder.write("report.html", &report.to_html())?)
    }

    /// Describes the origin and the results of the champion. Another run with the same settings gives the same text.
    fn about(&self, champion: &PolicyChampion, tests: &[TestResult]) -> String {
        let breeding = &self.settings.breeding;
        let mut lines = vec![
            format!("Evolved by clearway {VERSION}: {}", self.settings.command),
            format!(
                "Seed {}; {} generations of {} policies, evaluated on {} boards ({})",
                self.settings.seed(),
                self.evolution.history().len(),
                breeding.evolution.population,
                self.training_boards(),
                self.settings.training.join(", "),
            ),
        ];
        if champion.training.is_none() {
            lines.push("The best of the last of these generations: the run was not complete".to_owned());
        }
        let what = if breeding.objective == Objective::Time { "time" } else { "nodes" };
        let chosen_on = format!("Chosen on {}", self.settings.validation.join(", "));
        for (name, result) in [("Training boards", &champion.training), (&chosen_on, &champion.validation)] {
            let Some(PolicyPerformance { percentage, length, solved, boards }) = result else { continue };
            let length = or_dash((*solved > 0).then_some(*length), |length| format!("{length:.3}"));
            lines.push(format!(
                "{name}: {percentage:.2} % of the {what} (mean over boards), {solved} of {boards} solved, length/optimum {length}"
            ));
        }
        for tested in tests {
            let Some(column) = tested.table.column(GP).filter(|_| tested.table.left_out == 0) else { continue };
            let Some(nodes) = column.nodes_percent else { continue };
            lines.push(format!(
                "Test boards {}: {} of the nodes (mean over boards), {} of {} solved, length/optimum {}",
                tested.boards,
                percent(nodes),
                column.solved,
                column.solvable,
                column.length_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}")),
            ));
        }
        lines.join("\n")
    }
}

/// Columns of a test: the baseline, searches without a policy, the heuristics of GP-Rush and hand-written rules in the search of
/// GP-Rush and in that of the run, and the fit and the champion in that of the run.
fn columns(settings: &Settings, fit: &LinearFit, champion: &Policy) -> Vec<Contestant> {
    let search = settings.breeding.search.to_string();
    let is_shown = |column: &Contestant| !["None, increment 1", "perfect ordering"].contains(&column.label.as_str());
    let mut references = standard();
    if settings.direct.is_some()
        && let Some(column) = references.iter_mut().find(|column| column.label == "A*, best admissible")
        && let Ok(algorithm) = "astar(landmarks)".parse()
    {
        // Pattern databases of large boards do not fit into memory.
        column.algorithm = algorithm;
    }
    let references = references.into_iter().filter(is_shown).chain(same_search(Some(&search)).into_iter().flatten());
    let named = |label: &str, name: &str, policy: &Policy| {
        let policy = Policy { search: Some(search.clone()), ..policy.clone() };
        let named = NamedPolicy { name: name.to_owned(), policy: Arc::new(policy) };
        let algorithm = ConfiguredAlgorithm::from_policy(&named, None).ok()?;
        Some(Contestant { label: label.to_owned(), algorithm })
    };
    let ours = [named(FIT, "least-squares", &fit.policy()), named(GP, "champion", champion)];
    references.chain(ours.into_iter().flatten()).collect()
}

/// Meaning of the score of an individual.
pub(super) fn score(objective: Objective) -> &'static str {
    match objective {
        Objective::Nodes => "nodes relative to no heuristic, %, negated",
        Objective::Time => "time relative to no heuristic, %, negated",
        Objective::Saved => "nodes saved, %",
        _ => "score",
    }
}

/// Returns the main columns of a test as a table for a terminal.
pub fn summary(tested: &TestResult) -> Table {
    let EvaluationTable { boards, columns, .. } = &tested.table;
    let base = columns.first().map_or("the first", |column| &column.name);
    let what = format!("per cent of {base}, mean over the boards and of totals");
    let title = format!("{}: {boards} boards{}; {what}", tested.boards, tested.table.left_out_note());
    let mut table = Table::new(title, &["search", "nodes", "of totals", "seconds", "solved", "length/optimum"]);
    for column in columns {
        table.rows.push(vec![
            column.name.clone(),
            or_dash(column.nodes_percent, percent),
            or_dash(column.total_percent, percent),
            or_dash(column.seconds, |seconds| format!("{seconds:.5}")),
            format!("{}/{}", column.solved, column.solvable),
            or_dash(column.length_ratio, |ratio| format!("{ratio:.3}")),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Preset;

    #[test]
    fn every_search_has_all_columns() {
        for search in ["ida-order", "ida-prune", "ida-both", "wastar", "greedy", "ibex(policy)", "beam(policy)"] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.search = settings.breeding.search.with(Some(search), &[]).unwrap();
            let policy: Policy = "DEFAULT 2*h1".parse().unwrap();
            let columns = columns(&settings, &LinearFit::default(), &policy);
            let names: Vec<&str> = columns.iter().map(|column| column.label.as_str()).collect();
            assert_eq!(names[..7], ["None", "BFS", "A*, best admissible", "H1", "H2", "H3", "Hc"], "{search}");
            assert_eq!(names[7..11], ["H1", "H2", "H3", "Hc"].map(|name| format!("{name}, same search")), "{search}");
            assert_eq!(names[11..], [FIT, GP], "{search}");
        }
    }
}
