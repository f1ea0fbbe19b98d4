//! What a run has bred: the champion, what it does on boards that it never saw, and the page about it all.

use super::report::{Report, html};
use super::run::{CHAMPION, Run, RunError};
use crate::Table;
use crate::runs::VERSION;
use crate::table::count;
use clearway_tiles::evolve::{Breeding, Exam};
use clearway_tiles::exact::Exact;
use clearway_tiles::heuristics::Paper;
use clearway_tiles::program::Compiled;
use clearway_tiles::{Program, Puzzle};
use serde::Serialize;
use std::fmt::Write as _;

/// The best program of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Champion {
    /// The program.
    pub program: Program,
    /// Whether it is merely the best of the last generation, on the boards of that generation.
    pub provisional: bool,
    /// What it leaves of the boards that it was bred on, where these were the same in all generations.
    pub training: Option<Left>,
}

/// What a program leaves of boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Left {
    /// Boards.
    pub boards: usize,
    /// Those that it solves.
    pub solved: usize,
    /// The mean of the paper's measure after it ran.
    pub measure: f64,
}

/// How a program does on boards, beside the shortest solutions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examined {
    /// What the boards are called.
    pub name: &'static str,
    /// How it does.
    #[serde(flatten)]
    pub exam: Exam,
    /// The shortest solutions; not known for frames of more than nine cells.
    pub optimum: Option<Optimum>,
}

/// The lengths of shortest solutions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Optimum {
    /// Their mean.
    pub mean: f64,
    /// The longest.
    pub longest: usize,
}

/// How many random boards champions are tested on.
pub const HELD_OUT: usize = 1_000;
/// The seed of these boards, the same for all runs. No board that is selected by comes from it.
const HELD_OUT_SEED: u64 = 0x4845_4C44_2D4F_5554;

impl Run {
    /// The champion, chosen on boards that no generation was judged on. None before the first generation, or if the run was
    /// stopped.
    pub fn champion(&self, threads: usize) -> Option<Champion> {
        let Run { evolution, cancel, .. } = self;
        let program = evolution.problem().champion(evolution.memory(), evolution.population(), threads, cancel)?;
        let training = left(evolution.problem(), &program);
        Some(Champion { program, provisional: false, training })
    }

    /// The best of the last generation, on the boards of that generation: found at once.
    pub fn best(&self) -> Option<Champion> {
        let program = self.evolution.problem().program(&self.evolution.best()?.genome);
        Some(Champion { program, provisional: true, training: None })
    }

    /// Examines the champion on random boards that are the same for all runs, and where it learned and the frame has at most
    /// nine cells, on all boards that there are: what did not learn solves next to none of them, and has thousands of parts.
    /// Every solution is replayed. What was stopped is left out.
    pub fn test(&self, champion: &Champion, threads: usize) -> Vec<Examined> {
        let breeding = self.evolution.problem();
        let exact = Exact::new(breeding.goal().goal());
        let (program, moves, cancel) = (&champion.program, breeding.config().moves, &self.cancel);
        let examined = |name, exam: Option<Exam>, boards: &[Puzzle]| {
            Some(Examined { name, exam: exam?, optimum: exact.as_ref().map(|exact| optimum(exact, boards)) })
        };
        let held_out = breeding.random_boards(HELD_OUT, HELD_OUT_SEED);
        let all = breeding.all_boards().filter(|_| breeding.config().learning.is_some());
        let on_held_out = examined("held-out", Exam::new(program, &held_out, moves, threads, cancel), &held_out);
        let on_all = all.and_then(|all| examined("all", Exam::of_all(program, &all, moves, threads, cancel), &all));
        on_held_out.into_iter().chain(on_all).collect()
    }

    /// Writes the champion and the report on the run as it stands.
    pub fn write(&self, champion: &Champion, tests: &[Examined]) -> Result<(), RunError> {
        let program = Program { about: self.about(champion, tests), ..champion.program.clone() };
        let text = program.to_string();
        self.folder.write(CHAMPION, &text)?;
        let report = Report { settings: &self.settings, generations: self.log.lines(), tests, program: &text };
        Ok(self.folder.write("report.html", &html(&report))?)
    }

    /// Where the champion comes from and what it does: nothing that another run of the same settings would not say.
    fn about(&self, champion: &Champion, tests: &[Examined]) -> String {
        let breeding = &self.settings.breeding;
        let mut lines = vec![
            format!("Bred by clearway {VERSION}: {}", self.settings.command),
            format!(
                "Seed {}; {} generations of {} programs, judged on {} boards of {}x{}",
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
            let Examined { exam, optimum, .. } = examined;
            let mut line = format!("{}: {} solved", examined.title(), count(exam.solved as u64));
            if exam.solved > 0 {
                // Writing to a string cannot fail.
                let _ = write!(line, ", mean length {:.2}, longest {}", exam.mean_length(), exam.longest);
            }
            if let Some(Optimum { mean, longest }) = optimum {
                let _ = write!(line, "; optimal {mean:.2} and {longest}");
            }
            lines.push(line);
        }
        lines.join("\n")
    }
}

impl Examined {
    /// What the boards are called, with their number.
    pub fn title(&self) -> String {
        let boards = count(self.exam.boards as u64);
        if self.name == "all" { format!("All {boards} boards") } else { format!("{boards} held-out boards") }
    }
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Left { boards, solved, measure } = self;
        write!(f, "The {boards} boards it was bred on: {solved} solved, mean measure {measure:.2}")
    }
}

/// What a program leaves of the boards that all generations were judged on; none where they changed.
fn left(breeding: &Breeding, program: &Program) -> Option<Left> {
    let config = breeding.config();
    if config.learning.is_some() {
        return None;
    }
    let program = Compiled::new(program);
    let boards = breeding.random_boards(config.boards, config.boards_seed);
    let (mut solved, mut measure) = (0, 0);
    for puzzle in &boards {
        let run = program.run(puzzle, config.moves);
        solved += usize::from(run.solved);
        measure += Paper::of(puzzle, &run.board);
    }
    Some(Left { boards: boards.len(), solved, measure: measure as f64 / boards.len() as f64 })
}

/// The shortest solutions of boards.
fn optimum(exact: &Exact, boards: &[Puzzle]) -> Optimum {
    let lengths = || boards.iter().filter_map(|puzzle| exact.distance(puzzle.board())).map(usize::from);
    Optimum { mean: lengths().sum::<usize>() as f64 / boards.len() as f64, longest: lengths().max().unwrap_or(0) }
}

/// The tests as a table.
pub fn summary(tests: &[Examined]) -> Table {
    let columns = ["boards", "solved", "per cent", "mean length", "optimal", "longest", "optimal"];
    let mut table = Table::new("", &columns);
    for examined in tests {
        let Examined { exam, optimum, .. } = examined;
        let known = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
        let solved = Some(exam).filter(|exam| exam.solved > 0);
        table.rows.push(vec![
            examined.title(),
            count(exam.solved as u64),
            format!("{:.2}", 100.0 * exam.solved as f64 / exam.boards.max(1) as f64),
            known(solved.map(|exam| format!("{:.2}", exam.mean_length()))),
            known(optimum.map(|optimum| format!("{:.2}", optimum.mean))),
            known(solved.map(|exam| exam.longest.to_string())),
            known(optimum.map(|optimum| optimum.longest.to_string())),
        ]);
    }
    table
}
