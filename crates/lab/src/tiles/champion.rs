//! The champion of a run, its tests, and the report.

use super::report::ProgramReport;
use super::run::{ProgramEvolution, ProgramRun};
use crate::Table;
use crate::runs::{RunError, RunKind, VERSION};
use crate::table::count;
use clearway_tiles::evolve::{ProgramPerformance, ProgramProblem};
use clearway_tiles::exact::DistanceTable;
use clearway_tiles::heuristics::PaperMeasure;
use clearway_tiles::program::CompiledProgram;
use clearway_tiles::{Program, Puzzle};
use serde::Serialize;
use std::fmt::Write as _;

/// The best program of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramChampion {
    /// Program.
    pub program: Program,
    /// Whether it is only the best of the last generation, on the boards of that generation.
    pub provisional: bool,
    /// Result on the training boards, if these were the same in all generations.
    pub training: Option<TrainingResult>,
}

/// Result of a program on the training boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrainingResult {
    /// Number of boards.
    pub boards: usize,
    /// Number of boards solved.
    pub solved: usize,
    /// Mean of the paper's measure of the final boards.
    pub measure: f64,
}

/// Result of a program on one set of test boards, next to the optimal lengths.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramTestResult {
    /// Name of the set of boards: `held-out` or `all`.
    pub name: &'static str,
    /// Result of the program.
    #[serde(flatten)]
    pub exam: ProgramPerformance,
    /// Optimal lengths; `None` for boards of more than nine cells.
    pub optimum: Option<OptimalLengths>,
}

/// Lengths of optimal solutions of a set of boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OptimalLengths {
    /// Mean length.
    pub mean: f64,
    /// Length of the longest.
    pub longest: usize,
}

/// Number of random boards that champions are tested on.
pub const HELD_OUT: usize = 1_000;
/// Seed of these boards, the same for all runs. No training or validation board is generated from it.
const HELD_OUT_SEED: u64 = 0x4845_4C44_2D4F_5554;

impl ProgramEvolution {
    /// Returns the champion, chosen on validation boards that no generation was evaluated on. `None` before the first
    /// generation, or if the run was stopped.
    pub fn champion(&self, threads: usize) -> Option<ProgramChampion> {
        let ProgramEvolution { evolution, cancel, .. } = self;
        let program = evolution.problem().champion(evolution.memory(), evolution.population(), threads, cancel)?;
        let training = training_result(evolution.problem(), &program);
        Some(ProgramChampion { program, provisional: false, training })
    }

    /// Returns the best individual of the last generation, on the boards of that generation. Cheap.
    pub fn best(&self) -> Option<ProgramChampion> {
        let program = self.evolution.problem().program(&self.evolution.best()?.genome);
        Some(ProgramChampion { program, provisional: true, training: None })
    }

    /// Tests the champion on random boards that are the same for all runs. Programs with learned macros for boards of at most
    /// nine cells are also tested on all boards; others solve almost none of them and are slow, with thousands of parts.
    /// Every solution is replayed. Tests that were stopped are left out.
    pub fn test(&self, champion: &ProgramChampion, threads: usize) -> Vec<ProgramTestResult> {
        let problem = self.evolution.problem();
        let exact = DistanceTable::new(problem.goal().goal());
        let (program, moves, cancel) = (&champion.program, problem.config().moves, &self.cancel);
        let examined = |name, exam: Option<ProgramPerformance>, boards: &[Puzzle]| {
            Some(ProgramTestResult {
                name,
                exam: exam?,
                optimum: exact.as_ref().map(|exact| optimal_lengths(exact, boards)),
            })
        };
        let held_out = problem.random_boards(HELD_OUT, HELD_OUT_SEED);
        let all = problem.all_boards().filter(|_| problem.config().learning.is_some());
        let on_held_out =
            examined("held-out", ProgramPerformance::new(program, &held_out, moves, threads, cancel), &held_out);
        let on_all = all.and_then(|all| {
            examined("all", ProgramPerformance::for_closed_set(program, &all, moves, threads, cancel), &all)
        });
        on_held_out.into_iter().chain(on_all).collect()
    }

    /// Writes the champion and the report on the run so far.
    pub fn write(&self, champion: &ProgramChampion, tests: &[ProgramTestResult]) -> Result<(), RunError> {
        let program = Program { about: self.about(champion, tests), ..champion.program.clone() };
        let text = program.to_string();
        self.folder.write(ProgramRun::CHAMPION, &text)?;
        let report = ProgramReport { settings: &self.settings, generations: self.log.lines(), tests, program: &text };
        Ok(self.folder.write("report.html", &report.to_html())?)
    }

    /// Describes the origin and the results of the champion. Another run with the same settings gives the same text.
    fn about(&self, champion: &ProgramChampion, tests: &[ProgramTestResult]) -> String {
        let breeding = &self.settings.breeding;
        let mut lines = vec![
            format!("Evolved by clearway {VERSION}: {}", self.settings.command),
            format!(
                "Seed {}; {} generations of {} programs, evaluated on {} boards of {}x{}",
                self.settings.seed(),
                self.evolution.history().len(),
                breeding.evolution.population,
                breeding.boards,
                breeding.columns,
                breeding.rows,
            ),
        ];
        if champion.provisional {
            lines.push("The best of the last of these generations: the run was not complete".to_owned());
        }
        lines.extend(champion.training.map(|training| training.to_string()));
        for examined in tests {
            let ProgramTestResult { exam, optimum, .. } = examined;
            let mut line = format!("{}: {} solved", examined.title(), count(exam.solved as u64));
            if exam.solved > 0 {
                // Writing to a string cannot fail.
                let _ = write!(line, ", mean length {:.2}, longest {}", exam.mean_length(), exam.longest);
            }
            if let Some(OptimalLengths { mean, longest }) = optimum {
                let _ = write!(line, "; optimal {mean:.2} and {longest}");
            }
            lines.push(line);
        }
        lines.join("\n")
    }
}

impl ProgramTestResult {
    /// Name of the set of boards, with their number.
    pub fn title(&self) -> String {
        let boards = count(self.exam.boards as u64);
        if self.name == "all" { format!("All {boards} boards") } else { format!("{boards} held-out boards") }
    }
}

impl std::fmt::Display for TrainingResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TrainingResult { boards, solved, measure } = self;
        write!(f, "The {boards} boards it was evolved on: {solved} solved, mean measure {measure:.2}")
    }
}

/// Result of a program on the training boards; `None` if these changed between generations.
fn training_result(problem: &ProgramProblem, program: &Program) -> Option<TrainingResult> {
    let config = problem.config();
    if config.learning.is_some() {
        return None;
    }
    let program = CompiledProgram::new(program);
    let boards = problem.random_boards(config.boards, config.boards_seed);
    let (mut solved, mut measure) = (0, 0);
    for puzzle in &boards {
        let run = program.run(puzzle, config.moves);
        solved += usize::from(run.solved);
        measure += PaperMeasure::evaluate(puzzle, &run.board);
    }
    Some(TrainingResult { boards: boards.len(), solved, measure: measure as f64 / boards.len() as f64 })
}

/// Lengths of the optimal solutions of boards.
fn optimal_lengths(exact: &DistanceTable, boards: &[Puzzle]) -> OptimalLengths {
    let lengths = || boards.iter().filter_map(|puzzle| exact.distance(puzzle.board())).map(usize::from);
    OptimalLengths {
        mean: lengths().sum::<usize>() as f64 / boards.len() as f64,
        longest: lengths().max().unwrap_or(0),
    }
}

/// Returns the tests as a table.
pub fn summary(tests: &[ProgramTestResult]) -> Table {
    let columns = ["boards", "solved", "per cent", "mean length", "optimal", "longest", "optimal"];
    let mut table = Table::new("", &columns);
    for examined in tests {
        let ProgramTestResult { exam, optimum, .. } = examined;
        let or_dash = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
        let solved = Some(exam).filter(|exam| exam.solved > 0);
        table.rows.push(vec![
            examined.title(),
            count(exam.solved as u64),
            format!("{:.2}", 100.0 * exam.solved as f64 / exam.boards.max(1) as f64),
            or_dash(solved.map(|exam| format!("{:.2}", exam.mean_length()))),
            or_dash(optimum.map(|optimum| format!("{:.2}", optimum.mean))),
            or_dash(solved.map(|exam| exam.longest.to_string())),
            or_dash(optimum.map(|optimum| optimum.longest.to_string())),
        ]);
    }
    table
}
