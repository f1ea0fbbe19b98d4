//! Experiments A to E of Barnes, Hasan and Lee: programs of moves bred for the 8-puzzle.

mod curves;
mod readings;
mod verdicts;

use super::{Experiment, Findings, Setting, Stopped};
use crate::Table;
use clearway_gp::{Evolution, Generation};
use clearway_tiles::evolve::{self, Breeding, Config};
use clearway_tiles::heuristics::Paper;
use serde::{Deserialize, Serialize};

pub const EXPERIMENT: Experiment = Experiment {
    name: "tiles",
    work: "J. M. Barnes, S. H. Hasan, S. Lee: Solving the 8-puzzle: a genetic programming approach. University of Tennessee, 2006",
    comparable: "The ten test puzzles are not printed, so ours are others, the same ten for all seeds; C and D have ten of their own, as \
                 in the paper, and C is run on those of A and B too, since the paper changed two things at once. The paper prints three \
                 numbers: 353.9 for the best program of A and B, its 63 parts in B, and a fall of more than 60 in D. Left open there, and \
                 chosen here: tournaments of 4, no elitism, copies for the 70 % that are not crossed over; a loop ends when h no longer \
                 falls; a round of it makes the whole string that the program chose; impossible moves are skipped; a tree has 10,000 parts \
                 at most. Fitness is the mean h after the program, complexity the parts of a program, uniqueness the share of different \
                 programs.",
    parts: |setting| SETUPS.len() * setting.bred.seeds as usize + readings::COUNT,
    run,
};

/// A setup of the paper, or a variant of one.
struct Setup {
    name: &'static str,
    what: &'static str,
    experiment: evolve::Experiment,
    /// Whether it is bred on the boards of A and B, where that is not the paper's last word.
    old_boards: bool,
    /// What the paper says of the last generation's best fitness, of its mean, and of the parts of the best program.
    published: [&'static str; 3],
}

const SETUPS: [Setup; 5] = [
    Setup {
        name: "A",
        what: "A: a loop, only if",
        experiment: evolve::Experiment::A,
        old_boards: false,
        published: ["353.9", "near 353.9", "-"],
    },
    Setup {
        name: "B",
        what: "B: a loop, if and and",
        experiment: evolve::Experiment::B,
        old_boards: false,
        published: ["353.9", "near 353.9", "63"],
    },
    Setup {
        name: "C, old boards",
        what: "C without its new test cases: no loop, parts act on the board",
        experiment: evolve::Experiment::C,
        old_boards: true,
        published: ["as B", "as B", "-"],
    },
    Setup {
        name: "C",
        what: "C: no loop, parts act on the board, other boards",
        experiment: evolve::Experiment::C,
        old_boards: false,
        published: ["unlike B", "-", "-"],
    },
    Setup {
        name: "D",
        what: "D: as C, with fair crossover",
        experiment: evolve::Experiment::D,
        old_boards: false,
        published: ["60 lower", "less so", "-"],
    },
];

/// The runs of a setup.
struct Outcome {
    setup: &'static Setup,
    /// The mean h of the boards before any program.
    before: f64,
    runs: Vec<History>,
}

/// A run.
#[derive(Serialize, Deserialize)]
struct History {
    generations: Vec<Generation>,
    /// The boards that its last best program solves.
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

    fn breeding(&self) -> Breeding {
        let config = self.config();
        let frame = config.frame().unwrap_or_else(|| panic!("{}x{} is a frame", config.columns, config.rows));
        Breeding::new(config, frame)
    }

    /// Breeds with a seed; none if that was cancelled.
    fn breed(&self, seed: u64, setting: &Setting) -> Option<History> {
        let mut options = self.config().evolution;
        options.seed = seed;
        let mut evolution = Evolution::new(self.breeding(), options).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..setting.bred.generations {
            evolution.step(1, &setting.cancel)?;
        }
        let cases = evolution.best().map_or(&[][..], |best| &best.judgement.cases);
        let solved = cases.iter().filter(|&&case| case >= 0.0).count();
        Some(History { generations: evolution.history().to_vec(), solved })
    }
}

fn run(setting: &Setting) -> Result<Findings, Stopped> {
    let seeds = setting.bred.seeds as usize;
    let setup = |task: usize| (&SETUPS[task / seeds], setting.bred.first.wrapping_add((task % seeds) as u64));
    let part = |task: usize| {
        let (Setup { name, .. }, seed) = setup(task);
        format!("tiles {name}, seed {seed}, {} generations", setting.bred.generations)
    };
    let breed = |task: usize| setup(task).0.breed(setup(task).1, setting);
    let mut histories = setting.in_order(SETUPS.len() * seeds, part, Some, breed)?.into_iter();
    let outcomes: Vec<Outcome> = SETUPS
        .iter()
        .map(|setup| {
            let breeding = setup.breeding();
            let boards = breeding.boards();
            let sum: usize = boards.iter().map(|puzzle| Paper::of(puzzle, puzzle.board())).sum();
            let before = sum as f64 / boards.len().max(1) as f64;
            Outcome { setup, before, runs: histories.by_ref().take(seeds).collect() }
        })
        .collect();
    let mut tables: Vec<Table> = outcomes.iter().map(Outcome::table).collect();
    tables.extend([verdicts::table(&outcomes), readings::table(setting)?]);
    Ok(Findings { tables, appendix: vec![curves::table(&outcomes)], plots: curves::plots(&outcomes) })
}

impl Outcome {
    /// A number of each run.
    fn all(&self, of: impl Fn(&History) -> f64) -> Vec<f64> {
        self.runs.iter().map(of).collect()
    }

    /// The median over the runs.
    fn median(&self, of: impl Fn(&History) -> f64) -> f64 {
        quartiles(self.all(of))[1]
    }

    fn table(&self) -> Table {
        let seeds = self.runs.len();
        let title = format!("{} (seeds: {seeds})", self.setup.what);
        let mut table = Table::new(title, &["", "paper", "median", "least", "most"]);
        let [best, mean, parts] = self.setup.published;
        table.rows.push(row("h of the boards", "-", vec![self.before], 1));
        let mut line = |name: &str, published: &str, decimals: usize, of: &dyn Fn(&History) -> f64| {
            table.rows.push(row(name, published, self.all(of), decimals));
        };
        line("best fitness, first generation", "-", 1, &|run| run.first().best_fitness());
        line("best fitness, last", best, 1, &|run| run.last().best_fitness());
        line("mean fitness, first", "-", 1, &|run| run.first().mean_fitness());
        line("mean fitness, last", mean, 1, &|run| run.last().mean_fitness());
        line("boards solved by the last best", "0", 0, &|run| run.solved as f64);
        line("complexity of the best, first", "-", 0, &|run| f64::from(run.first().best_size));
        line("complexity of the best, last", parts, 0, &|run| f64::from(run.last().best_size));
        line("mean complexity, first", "-", 1, &|run| run.first().mean_size);
        line("mean complexity, last", "-", 1, &|run| run.last().mean_size);
        line("uniqueness, first, %", "-", 0, &|run| 100.0 * run.first().uniqueness);
        line("uniqueness, least, %", "-", 0, &|run| 100.0 * run.least_unique().uniqueness);
        line("generation of the least", "-", 0, &|run| f64::from(run.least_unique().generation));
        line("seconds on one thread", "-", 1, &|run| run.generations.iter().map(|each| each.seconds).sum());
        table
    }
}

fn row(name: &str, published: &str, numbers: Vec<f64>, decimals: usize) -> Vec<String> {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shown = [quartiles(numbers)[1], least, most].map(|number| format!("{number:.decimals$}"));
    [vec![name.to_owned(), published.to_owned()], shown.to_vec()].concat()
}

/// The numbers that a quarter, a half and three quarters do not pass; between two of them where that is needed.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| {
        let place = share * numbers.len().saturating_sub(1) as f64;
        let at = |place: f64| numbers.get(place as usize).copied().unwrap_or(0.0);
        at(place.floor()) + (at(place.ceil()) - at(place.floor())) * place.fract()
    })
}

impl History {
    /// # Panics
    /// If there was no generation.
    fn first(&self) -> &Generation {
        &self.generations[0]
    }

    /// # Panics
    /// If there was no generation.
    fn last(&self) -> &Generation {
        &self.generations[self.generations.len() - 1]
    }

    /// The first generation with the fewest different programs.
    fn least_unique(&self) -> &Generation {
        let fewer = |a: &&Generation, b: &&Generation| a.uniqueness.total_cmp(&b.uniqueness);
        self.generations.iter().min_by(fewer).unwrap_or_else(|| self.first())
    }
}

/// The paper's fitness, which is better the lower it is: the engine's is better the higher it is.
trait Fitness {
    /// Of the best program.
    fn best_fitness(&self) -> f64;
    /// Of the population.
    fn mean_fitness(&self) -> f64;
}

impl Fitness for Generation {
    fn best_fitness(&self) -> f64 {
        // Never a negative zero.
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
    fn quartiles_lie_between_the_numbers_where_they_must() {
        let of = |numbers: &[f64]| quartiles(numbers.to_vec()).map(|number| format!("{number}"));
        assert_eq!(of(&[3.0, 1.0, 2.0]), ["1.5", "2", "2.5"]);
        assert_eq!(of(&[4.0, 2.0]), ["2.5", "3", "3.5"]);
        assert_eq!(of(&[7.0]), ["7", "7", "7"]);
    }

    #[test]
    fn the_setups_differ_as_the_paper_says() {
        let boards = SETUPS.map(|setup| setup.breeding().boards());
        assert!(boards.iter().all(|boards| boards.len() == 10));
        assert!(boards[0] == boards[1] && boards[1] == boards[2] && boards[3] == boards[4] && boards[2] != boards[3]);
        let [b, old, new] = [1, 2, 3].map(|setup: usize| SETUPS[setup].config());
        assert_eq!(Config { boards_seed: new.boards_seed, ..old.clone() }, new);
        assert_eq!(Config { style: b.style, ..old }, b, "only the loop differs from B");
    }
}
