//! Configuration of an evolution of programs, with presets.

use crate::Size;
use crate::program::Style;
use clearway_gp::{CrossoverPoints, EvolutionOptions, Initialization, Operators, Selection};
use serde::{Deserialize, Serialize};

/// Configuration of an evolution of programs. It determines the result of a run.
///
/// Runs are identified by a hash of its `Debug` output, so renaming a type, a field or a variant that is part of it makes
/// existing runs impossible to resume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Number of generations.
    pub generations: u32,
    /// Number of rows of the boards.
    pub rows: usize,
    /// Number of columns of the boards.
    pub columns: usize,
    /// How programs are run.
    pub style: Style,
    /// Whether programs may contain `and`.
    pub and: bool,
    /// Whether random programs may contain the macros of the paper.
    pub macros: bool,
    /// Number of boards that programs are evaluated on.
    pub boards: usize,
    /// Seed of these boards.
    pub boards_seed: u64,
    /// Maximum number of moves of a program on a board.
    pub moves: usize,
    /// Maximum number of levels of a program.
    pub depth: u32,
    /// Maximum number of parts of a program.
    pub size: usize,
    /// Settings of learning; `None` without learning. With learning, the measure is evolved too, and the fitness is the length of
    /// solutions. Without, the measure is that of the paper, and the fitness is the measure that is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<Learning>,
    /// Options of the evolutionary algorithm.
    pub evolution: EvolutionOptions,
}

/// Settings of macro learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Learning {
    /// Number of generations with the same boards. Then the best programs are examined, and boards that the best of them does not
    /// solve are among the next boards.
    pub term: u32,
    /// Number of boards of an examination.
    pub exam: usize,
    /// Number of boards of an examination of the champion.
    pub graduation: usize,
    /// Number of programs of each island that are taught.
    pub pupils: usize,
    /// Maximum number of macros for escaping dead ends that a program is taught at once.
    pub lessons: usize,
    /// Maximum number of boards to visit in the search for such a macro.
    pub reach: usize,
    /// Maximum number of boards to visit in the search for a macro that keeps the tiles before the first misplaced one in place.
    /// It precedes the other search, and a program learns all macros that a board requires at once. 0 omits it.
    #[serde(default)]
    pub ordered: usize,
}

/// The experiments of Barnes, Hasan and Lee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Experiment {
    /// Programs run in a loop and contain only `if`.
    A,
    /// Experiment A with `and`.
    B,
    /// Programs run once, parts act on the board, and the boards are different.
    C,
    /// Experiment C with crossover at all levels with equal probability.
    D,
}

impl Config {
    /// The configuration of the paper: 500 programs, 51 generations, crossover for 30 % of them, tournament selection, no
    /// mutation; the fitness is the mean measure of ten boards after the program; `if` and `and` have probability 2/13 each, a
    /// terminal 1/26; an `if` is at the root; at most 10 levels initially and 30 later.
    ///
    /// The paper leaves some details open. They are interpreted as follows:
    /// - One macro is listed twice, so it is chosen twice as often. The probabilities add up to 25/26, so they are used as
    ///   proportions.
    /// - Tournaments have size 4. Individuals that are not produced by crossover are copies of tournament winners too, and there
    ///   is no elitism. A crossover produces one child; the paper swaps subtrees, but does not say what happens to the second
    ///   child.
    /// - "One move per iteration" of a loop is the string that the program chose, which may be a macro. The loop ends when the
    ///   measure no longer decreases. Impossible moves are skipped.
    /// - D differs from C only in its crossover, where "lower" levels are those farther from the root, and has the same boards.
    /// - Levels include the root. Programs have at most 10,000 parts, to bound the cost of a run: in C, the largest programs of
    ///   some runs come close.
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
                    places: if experiment == Experiment::D {
                        CrossoverPoints::Levels
                    } else {
                        CrossoverPoints::Descent
                    },
                    ..Operators::default()
                },
                initial: Initialization::Weighted,
                initial_depth: 10,
                ..EvolutionOptions::default()
            },
        }
    }

    /// The configuration with macro learning, which solves all boards: parts act on the board in a loop, the measure is evolved
    /// too, and macros are learned.
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
                lessons: if small { 8 } else { 40 },
                reach: 20_000,
                ordered: if small { 0 } else { 200_000 },
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

    /// Size of the boards; `None` if it is not supported.
    pub fn frame(&self) -> Option<Size> {
        Size::new(self.rows, self.columns)
    }
}
