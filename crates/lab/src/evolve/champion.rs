//! What a run has bred: the champion, what it does on boards that it never saw, and the page about it all.

use super::report::{Report, html};
use super::run::{Run, RunError};
use super::settings::Settings;
use crate::compare::{Contestant, Progress};
use crate::frames::{FrameTable, Tested, measure, or_dash};
use crate::runs::VERSION;
use crate::{Algorithm, Table};
use clearway_policy::training::{Chosen, LinearFit, Objective, Verdicts};
use clearway_policy::{NamedPolicy, Policy, svg};
use clearway_search::Limits;
use std::sync::Arc;

/// The best policy of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Champion {
    /// The policy, with the search that it was bred for.
    pub policy: Policy,
    /// What it does on all training boards; not known of the best of a generation.
    pub training: Option<Verdicts>,
    /// What it does on the boards that it was chosen on, if there are others than the training boards.
    pub validation: Option<Verdicts>,
}

/// The names of the columns of a test that are our own.
const FIT: &str = "least squares";
const GP: &str = "GP";

impl Run {
    /// The champion: the best on all boards to choose it on, or where there are none on all training boards, of the best of the
    /// last generations, found on so many threads. None before the first generation.
    pub fn champion(&self, threads: usize) -> Option<Champion> {
        let (breeding, validator) = (self.evolution.problem(), self.validator.as_ref());
        let threads = self.memory.searches(threads);
        let chosen = breeding.champion(validator, self.evolution.memory(), self.evolution.population(), threads)?;
        let Chosen { genome, training, validation } = chosen;
        Some(Champion { policy: self.named(breeding.policy(&genome)), training: Some(training), validation })
    }

    /// The best of the last generation, on the boards of that generation: found at once.
    pub fn best(&self) -> Option<Champion> {
        let best = self.evolution.best()?;
        Some(Champion {
            policy: self.named(self.evolution.problem().policy(&best.genome)),
            training: None,
            validation: None,
        })
    }

    fn named(&self, policy: Policy) -> Policy {
        Policy { search: Some(self.settings.breeding.search.to_string()), ..policy }
    }

    /// Measures the champion on the test boards, beside no heuristic, those of GP-Rush, and the least squares fit. Where
    /// the limits cancel, what was measured until then is the result. The memory is what the boards of the run leave of it.
    pub fn test(
        &self,
        champion: &Champion,
        threads: usize,
        limits: &Limits,
        progress: impl Fn(Progress),
    ) -> Vec<Tested> {
        // The boards are still there.
        let limits = &Limits { memory: limits.memory.map(|most| most.min(self.memory.left())), ..limits.clone() };
        let columns = columns(&self.settings, self.evolution.problem().fit(), &champion.policy);
        let runs = |boards: usize| boards * (columns.len() + 1);
        let total = self.tests.iter().map(|set| runs(set.boards.len())).sum();
        let mut before = 0;
        let mut tested = Vec::new();
        for set in &self.tests {
            let shown = |one: Progress| progress(Progress { done: before + one.done, total });
            let table = measure(set.entries(), columns.clone(), threads, limits, shown);
            before += runs(set.boards.len());
            tested.push(Tested { boards: set.name.clone(), table, policy: GP.to_owned() });
        }
        tested
    }

    /// Writes the champion and the report on the run as it stands.
    pub fn write(&self, champion: &Champion, tests: &[Tested]) -> Result<(), RunError> {
        let mut policy = champion.policy.clone();
        policy.about = self.about(champion, tests);
        let text = policy.to_string();
        self.folder.write_champion(&text)?;
        let title = format!("Evolution, seed {}", self.settings.seed());
        let report = Report {
            title: &title,
            score: score(self.settings.breeding.objective),
            generations: self.log.lines(),
            tests,
            drawing: &svg(&policy, "champion"),
            policy: &text,
            configuration: &self.settings.to_toml(),
            command: &self.settings.command,
        };
        Ok(self.folder.write("report.html", &html(&report))?)
    }

    /// Where the champion comes from and what it does: nothing that another run of the same settings would not say.
    fn about(&self, champion: &Champion, tests: &[Tested]) -> String {
        let breeding = &self.settings.breeding;
        let mut lines = vec![
            format!("Bred by clearway {VERSION}: {}", self.settings.command),
            format!(
                "Seed {}; {} generations of {} policies, judged on {} boards ({})",
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
        for (name, verdicts) in [("Training boards", &champion.training), (&chosen_on, &champion.validation)] {
            let Some(Verdicts { percentage, length, solved, boards }) = verdicts else { continue };
            let length = or_dash((*solved > 0).then_some(*length), |length| format!("{length:.3}"));
            lines.push(format!(
                "{name}: {percentage:.2} % of the {what}, {solved} of {boards} solved, length/optimum {length}"
            ));
        }
        for tested in tests {
            let Some(column) = tested.table.column(GP).filter(|_| tested.table.left_out == 0) else { continue };
            let Some(nodes) = column.nodes_percent else { continue };
            lines.push(format!(
                "Test boards {}: {nodes:.2} % of the nodes, {} of {} solved, length/optimum {}",
                tested.boards,
                column.solved,
                column.solvable,
                column.length_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}")),
            ));
        }
        lines.join("\n")
    }
}

/// What is measured beside what: the baseline, searches that need no policy, and the same search guided by the heuristics
/// of GP-Rush, by rules written by hand, by the fit and by the champion.
fn columns(settings: &Settings, fit: &LinearFit, champion: &Policy) -> Vec<Contestant> {
    let search = settings.breeding.search.to_string();
    let guided = |heuristic: &str| search.replacen("policy", heuristic, 1);
    let given = [
        ("None", "id(increment=5)".to_owned()),
        ("BFS", "bfs".to_owned()),
        ("A*, best admissible", "astar(max(landmarks, pattern-database))".to_owned()),
        ("H1", guided("h1")),
        ("H2", guided("h2")),
        ("H3", guided("h3")),
        ("Hc", guided("policy=hand")),
    ];
    let given = given.into_iter().map(|(label, text)| (label, text.parse()));
    let named = |name: &str, policy: &Policy| {
        let policy = Policy { search: Some(search.clone()), ..policy.clone() };
        Algorithm::of_policy(&NamedPolicy { name: name.to_owned(), policy: Arc::new(policy) }, None)
    };
    let ours = [(FIT, named("least-squares", &fit.policy())), (GP, named("champion", champion))];
    let all = given.chain(ours);
    all.filter_map(|(label, algorithm)| Some(Contestant { label: label.to_owned(), algorithm: algorithm.ok()? }))
        .collect()
}

/// What the score of an individual counts.
fn score(objective: Objective) -> &'static str {
    match objective {
        Objective::Nodes => "minus the nodes in per cent of those without a heuristic",
        Objective::Time => "minus the time in per cent of that without a heuristic",
        Objective::Saved => "nodes saved, in per cent",
    }
}

/// The test in a few columns, for a terminal.
pub fn summary(tested: &Tested) -> Table {
    let FrameTable { boards, columns, .. } = &tested.table;
    let title = format!("{}: {boards} boards{}", tested.boards, tested.table.missing());
    let mut table = Table::new(title, &["search", "nodes", "of totals", "seconds", "solved", "length/optimum"]);
    for column in columns {
        table.rows.push(vec![
            column.name.clone(),
            or_dash(column.nodes_percent, |percent| format!("{percent:.2} %")),
            or_dash(column.total_percent, |percent| format!("{percent:.2} %")),
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
    fn every_search_measures_every_column() {
        for search in ["ida-order", "ida-prune", "ida-both", "wastar", "greedy", "ibex(policy)", "beam(policy)"] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.search = settings.breeding.search.with(Some(search), &[]).unwrap();
            let policy: Policy = "DEFAULT 2*h1".parse().unwrap();
            let columns = columns(&settings, &LinearFit::default(), &policy);
            let names: Vec<&str> = columns.iter().map(|column| column.label.as_str()).collect();
            assert_eq!(names, ["None", "BFS", "A*, best admissible", "H1", "H2", "H3", "Hc", FIT, GP], "{search}");
        }
    }
}
