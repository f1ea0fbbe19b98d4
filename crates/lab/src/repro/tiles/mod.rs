//! Experiments A to E of Barnes, Hasan and Lee: programs of moves evolved for the 8-puzzle.

mod curves;
mod readings;
mod verdicts;

use super::{Experiment, Findings, ReproError, ReproSettings};
use crate::Table;
use clearway_gp::{Evolution, Generation};
use clearway_tiles::evolve::{self, Config, ProgramProblem};
use clearway_tiles::heuristics::PaperMeasure;
use serde::{Deserialize, Serialize};

pub const EXPERIMENT: Experiment = Experiment {
    name: "tiles",
    work: "J. M. Barnes, S. H. Hasan, S. Lee: Solving the 8-puzzle: a genetic programming approach. University of Tennessee, 2006",
    comparable: "The ten test puzzles are not printed; ours are random, and the same for all seeds. As in the paper, C and D have ten others. C \
                 also runs on those of A and B, because the paper changed two things at once. The paper gives three numbers: 353.9 as the \
                 best fitness of A and B, 63 parts of the best program in B, and a decrease of more than 60 in D. The paper leaves the \
                 following open; we chose tournaments of size 4, no elitism, and copies for the 70 % without crossover. A loop ends when h \
                 no longer decreases; an iteration makes the whole string that the program chose; impossible moves are skipped; a tree has \
                 at most 10,000 parts. Fitness is the mean h after the program, complexity the number of parts of a program, uniqueness \
                 the share of distinct programs.",
    parts: |setting| SETUPS.len() * setting.evolution_runs.seeds as usize + readings::COUNT,
    run,
};

/// An experiment of the paper, or a variant of one.
struct Setup {
    name: &'static str,
    description: &'static str,
    experiment: evolve::Experiment,
    /// Whether it uses the boards of A and B instead of those of its experiment.
    old_boards: bool,
    /// Published best fitness and mean fitness of the last generation, and published size of the best program.
    published: [&'static str; 3],
}

const SETUPS: [Setup; 5] = [
    Setup {
        name: "A",
        description: "A: loop, if only",
        experiment: evolve::Experiment::A,
        old_boards: false,
        published: ["353.9", "near 353.9", "-"],
    },
    Setup {
        name: "B",
        description: "B: loop, if and 'and'",
        experiment: evolve::Experiment::B,
        old_boards: false,
        published: ["353.9", "near 353.9", "63"],
    },
    Setup {
        name: "C, old boards",
        description: "C on the old boards: no loop, parts act on the board",
        experiment: evolve::Experiment::C,
        old_boards: true,
        published: ["as B", "as B", "-"],
    },
    Setup {
        name: "C",
        description: "C: no loop, parts act on the board, new boards",
        experiment: evolve::Experiment::C,
        old_boards: false,
        published: ["unlike B", "-", "-"],
    },
    Setup {
        name: "D",
        description: "D: as C, with fair crossover",
        experiment: evolve::Experiment::D,
        old_boards: false,
        published: ["60 lower", "less than 60", "-"],
    },
];

/// Evolution runs of a setup.
struct SetupRuns {
    setup: &'static Setup,
    /// Mean h of the boards before any program.
    before: f64,
    runs: Vec<RunHistory>,
}

/// Result of one evolution run.
#[derive(Serialize, Deserialize)]
struct RunHistory {
    generations: Vec<Generation>,
    /// Number of boards solved by the best program of the last generation.
    solved: usize,
}

impl Setup {
    fn config(&self) -> Config {
        let mut config = Config::paper(self.experiment);
        if self.old_boards {
            config.boards_seed = Config::paper(evolve::Experiment::A).boards_seed;
        }
        config
    }

    fn problem(&self) -> ProgramProblem {
        let config = self.config();
        let size = config.frame().unwrap_or_else(|| panic!("{}x{} is a valid size", config.columns, config.rows));
        ProgramProblem::new(config, size)
    }

    /// Runs the evolution with a seed; `None` if it was cancelled.
    fn evolve(&self, seed: u64, setting: &ReproSettings) -> Option<RunHistory> {
        let mut options = self.config().evolution;
        options.seed = seed;
        let mut evolution = Evolution::new(self.problem(), options).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..setting.evolution_runs.generations {
            evolution.step(1, &setting.cancel)?;
        }
        let cases = evolution.best().map_or(&[][..], |best| &best.fitness.cases);
        let solved = cases.iter().filter(|&&case| case >= 0.0).count();
        Some(RunHistory { generations: evolution.history().to_vec(), solved })
    }
}

fn run(setting: &ReproSettings) -> Result<Findings, ReproError> {
    let seeds = setting.evolution_runs.seeds as usize;
    let setup = |task: usize| (&SETUPS[task / seeds], setting.evolution_runs.first.wrapping_add((task % seeds) as u64));
    let part = |task: usize| {
        let (Setup { name, .. }, seed) = setup(task);
        format!("tiles {name}, seed {seed}, {} generations", setting.evolution_runs.generations)
    };
    let evolve = |task: usize| setup(task).0.evolve(setup(task).1, setting);
    let mut histories = setting.in_order(SETUPS.len() * seeds, part, Some, evolve)?.into_iter();
    let setups: Vec<SetupRuns> = SETUPS
        .iter()
        .map(|setup| {
            let boards = setup.problem().boards();
            let sum: usize = boards.iter().map(|puzzle| PaperMeasure::evaluate(puzzle, puzzle.board())).sum();
            let before = sum as f64 / boards.len().max(1) as f64;
            SetupRuns { setup, before, runs: histories.by_ref().take(seeds).collect() }
        })
        .collect();
    let mut tables: Vec<Table> = setups.iter().map(SetupRuns::table).collect();
    tables.extend([verdicts::table(&setups), readings::table(setting)?]);
    Ok(Findings { tables, appendix: vec![curves::table(&setups)], plots: curves::plots(&setups) })
}

impl SetupRuns {
    /// A quantity of each run.
    fn all(&self, of: impl Fn(&RunHistory) -> f64) -> Vec<f64> {
        self.runs.iter().map(of).collect()
    }

    fn table(&self) -> Table {
        let seeds = self.runs.len();
        let title = format!("{} (seeds: {seeds})", self.setup.description);
        let mut table = Table::new(title, &["", "paper", "median", "minimum", "maximum"]);
        let [best, mean, parts] = self.setup.published;
        table.rows.push(row("h of the boards", "-", vec![self.before], 1));
        let mut line = |name: &str, published: &str, decimals: usize, of: &dyn Fn(&RunHistory) -> f64| {
            table.rows.push(row(name, published, self.all(of), decimals));
        };
        line("best fitness, first generation", "-", 1, &|run| run.first().best_fitness());
        line("best fitness, last", best, 1, &|run| run.last().best_fitness());
        line("mean fitness, first", "-", 1, &|run| run.first().mean_fitness());
        line("mean fitness, last", mean, 1, &|run| run.last().mean_fitness());
        line("boards solved by the best, last", "0", 0, &|run| run.solved as f64);
        line("complexity of the best, first", "-", 0, &|run| f64::from(run.first().best_size));
        line("complexity of the best, last", parts, 0, &|run| f64::from(run.last().best_size));
        line("mean complexity, first", "-", 1, &|run| run.first().mean_size);
        line("mean complexity, last", "-", 1, &|run| run.last().mean_size);
        line("uniqueness, first, %", "-", 0, &|run| 100.0 * run.first().uniqueness);
        line("uniqueness, minimum, %", "-", 0, &|run| 100.0 * run.least_unique().uniqueness);
        line("generation of the minimum", "-", 0, &|run| f64::from(run.least_unique().generation));
        line("seconds on one thread", "-", 1, &|run| run.generations.iter().map(|each| each.seconds).sum());
        table
    }
}

fn row(name: &str, published: &str, numbers: Vec<f64>, decimals: usize) -> Vec<String> {
    let min = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let max = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shown = [quartiles(numbers)[1], min, max].map(|number| format!("{number:.decimals$}"));
    [vec![name.to_owned(), published.to_owned()], shown.to_vec()].concat()
}

/// Quartiles of numbers, with linear interpolation.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| {
        let place = share * numbers.len().saturating_sub(1) as f64;
        let at = |place: f64| numbers.get(place as usize).copied().unwrap_or(0.0);
        at(place.floor()) + (at(place.ceil()) - at(place.floor())) * place.fract()
    })
}

impl RunHistory {
    /// First generation.
    ///
    /// # Panics
    /// If there is none.
    fn first(&self) -> &Generation {
        &self.generations[0]
    }

    /// Last generation.
    ///
    /// # Panics
    /// If there is none.
    fn last(&self) -> &Generation {
        &self.generations[self.generations.len() - 1]
    }

    /// First generation with the minimum uniqueness.
    fn least_unique(&self) -> &Generation {
        let fewer = |a: &&Generation, b: &&Generation| a.uniqueness.total_cmp(&b.uniqueness);
        self.generations.iter().min_by(fewer).unwrap_or_else(|| self.first())
    }
}

/// Fitness as defined in the paper, where lower is better; in the engine, higher is better.
trait PaperFitness {
    /// Fitness of the best program.
    fn best_fitness(&self) -> f64;
    /// Mean fitness of the population.
    fn mean_fitness(&self) -> f64;
}

impl PaperFitness for Generation {
    fn best_fitness(&self) -> f64 {
        // The subtraction avoids a negative zero.
        0.0 - self.best
    }

    fn mean_fitness(&self) -> f64 {
        0.0 - self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        let texts = |numbers: &[f64]| quartiles(numbers.to_vec()).map(|number| format!("{number}"));
        assert_eq!(texts(&[3.0, 1.0, 2.0]), ["1.5", "2", "2.5"]);
        assert_eq!(texts(&[4.0, 2.0]), ["2.5", "3", "3.5"]);
        assert_eq!(texts(&[7.0]), ["7", "7", "7"]);
    }

    #[test]
    fn setups_differ_as_in_the_paper() {
        let boards = SETUPS.map(|setup| setup.problem().boards());
        assert!(boards.iter().all(|boards| boards.len() == 10));
        assert!(boards[0] == boards[1] && boards[1] == boards[2] && boards[3] == boards[4] && boards[2] != boards[3]);
        let [b, old, new] = [1, 2, 3].map(|setup: usize| SETUPS[setup].config());
        assert_eq!(Config { boards_seed: new.boards_seed, ..old.clone() }, new);
        assert_eq!(Config { style: b.style, ..old }, b, "only the loop differs from B");
    }
}
