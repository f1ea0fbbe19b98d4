//! All that decides what a run comes to.

use crate::Size;
use crate::program::Style;
use clearway_gp::{EvolutionOptions, Initial, Operators, Places, Selection};
use serde::{Deserialize, Serialize};

/// All that decides what a run comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Generations.
    pub generations: u32,
    /// The rows of the boards.
    pub rows: usize,
    /// The columns of the boards.
    pub columns: usize,
    /// How programs are run.
    pub style: Style,
    /// Whether programs may hold `and`.
    pub and: bool,
    /// Whether random programs hold the paper's macros.
    pub macros: bool,
    /// The boards that programs are judged on.
    pub boards: usize,
    /// Where these boards come from.
    pub boards_seed: u64,
    /// The most moves a program may make on a board.
    pub moves: usize,
    /// The most levels of a program.
    pub depth: u32,
    /// The most parts of a program.
    pub size: usize,
    /// How programs learn, if they do. Then their measure is bred too, and short solutions count; else the measure is the
    /// paper's, and how far it falls is what counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<Learning>,
    /// The engine.
    pub evolution: EvolutionOptions,
}

/// How programs learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Learning {
    /// For how many generations the boards stay the same. Then the best program is examined, and what it does not solve
    /// is among the next boards.
    pub term: u32,
    /// The boards of an examination.
    pub exam: usize,
    /// The boards of an examination of the champion.
    pub graduation: usize,
    /// How many programs of each island are taught.
    pub pupils: usize,
    /// How many ways out a program is taught at once.
    pub lessons: usize,
    /// How many boards are looked at for a way out.
    pub reach: usize,
}

/// The experiments of Barnes, Hasan and Lee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Experiment {
    /// A loop, and only `if`.
    A,
    /// And `and`.
    B,
    /// No loop; parts act on the board; other boards.
    C,
    /// And crossover at all levels alike.
    D,
}

impl Config {
    /// What the paper did: 500 programs, 51 generations, crossover for 30 % of them, tournaments, no mutation, the fitness
    /// the mean measure of ten boards after the program; `if` and `and` 2/13 each, a terminal 1/26, an `if` at the root,
    /// 10 levels at first and 30 later.
    ///
    /// Where the paper leaves something open, this is how it is read:
    /// - A macro stands twice in its list: it is chosen twice as often. The probabilities add up to 25/26: they are taken as
    ///   proportions.
    /// - Tournaments are of 4. Those that are not crossed over are copies of winners too, and the best has no place of its
    ///   own. A crossover makes one child; the paper swaps, but does not say what becomes of the second.
    /// - "One move per iteration" of a loop is the string that the program chose, which may be a macro. The loop ends when
    ///   the measure no longer falls. Impossible moves are skipped.
    /// - D differs from C by its crossover only, "lower" levels being those farther from the root, and has C's boards.
    /// - Levels count the root. There are never more than 10,000 parts, so that no run gets out of hand: in C the largest
    ///   programs of some runs come near.
    pub fn paper(experiment: Experiment) -> Config {
        let late = matches!(experiment, Experiment::C | Experiment::D);
        Config {
            generations: 51,
            rows: 3,
            columns: 3,
            style: Style { looped: !late, acting: late },
            and: experiment != Experiment::A,
            macros: true,
            boards: 10,
            boards_seed: if late { 2 } else { 1 },
            moves: 10_000,
            depth: 30,
            size: 10_000,
            learning: None,
            evolution: EvolutionOptions {
                population: 500,
                islands: 1,
                elites: 0,
                selection: Selection::Tournament(4),
                operators: Operators {
                    reproduction: 0.7,
                    crossover: 0.3,
                    mutation: 0.0,
                    group_crossover: 0.0,
                    group_mutation: 0.0,
                    places: if experiment == Experiment::D { Places::Levels } else { Places::Descent },
                    ..Operators::default()
                },
                initial: Initial::Weighted,
                initial_depth: 10,
                ..EvolutionOptions::default()
            },
        }
    }

    /// What solves all boards: parts act in a loop, the measure is bred too, and macros are learned.
    pub fn learning(frame: Size) -> Config {
        let small = frame.cells() <= 9;
        Config {
            generations: 60,
            rows: frame.rows(),
            columns: frame.columns(),
            style: Style::default(),
            and: true,
            macros: false,
            boards: 100,
            boards_seed: 0,
            moves: if small { 300 } else { 1_500 },
            depth: 60,
            size: 4_000,
            learning: Some(Learning {
                term: 5,
                exam: if small { 3_000 } else { 400 },
                graduation: if small { 10_000 } else { 1_000 },
                pupils: 2,
                lessons: 8,
                reach: if small { 20_000 } else { 300_000 },
            }),
            evolution: EvolutionOptions {
                population: 120,
                islands: 6,
                migration: 20,
                elites: 2,
                selection: Selection::Tournament(5),
                operators: Operators {
                    reproduction: 0.0,
                    crossover: 0.3,
                    mutation: 0.7,
                    group_crossover: 0.0,
                    group_mutation: 0.0,
                    constant_mutation: 0.2,
                    hoist_mutation: 0.05,
                    shrink_mutation: 0.05,
                    insert_mutation: 0.55,
                    stock: 0.8,
                    jitter: 0.3,
                    ..Operators::default()
                },
                ..EvolutionOptions::default()
            },
        }
    }

    /// The frame of the boards; none if it has no size that boards have.
    pub fn frame(&self) -> Option<Size> {
        Size::new(self.rows, self.columns)
    }
}
