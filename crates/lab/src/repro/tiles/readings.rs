//! Possible readings of the formula of the paper, with their values for all boards of the 8-puzzle.

use super::{ReproError, ReproSettings};
use crate::Table;
use crate::table::count;
use clearway_tiles::program::primitives::{FIRST_WORD, WORDS, moves_of};
use clearway_tiles::{Board, Move, Size};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A reading of the definition of h.
#[derive(Clone, Copy)]
struct Reading {
    name: &'static str,
    /// Whether all tiles from the first misplaced one on count, instead of only the misplaced ones.
    rest: bool,
    /// Whether the blank counts as one of them.
    blank: bool,
    /// Whether a distance counts the cells along the row and the column, both ends included: 6 from corner to corner.
    cells: bool,
}

/// Number of readings.
pub const COUNT: usize = 4;

const READINGS: [Reading; COUNT] = [
    Reading { name: "as printed", rest: false, blank: false, cells: false },
    Reading { name: "all tiles from the first misplaced on", rest: true, blank: false, cells: false },
    Reading { name: "the same, and the blank", rest: true, blank: true, cells: false },
    Reading { name: "all from the first on, distances in cells", rest: true, blank: false, cells: true },
];

impl Reading {
    /// Value of h for a board whose goal is the ordered board.
    fn evaluate(self, board: &Board) -> usize {
        let size = board.size();
        let tiles = board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        let misplaced = tiles.filter(|&(cell, &tile)| usize::from(tile) != cell + 1).map(|(cell, &tile)| (tile, cell));
        let Some((first, cell)) = misplaced.clone().min() else { return 0 };
        let first = usize::from(first);
        let counted = if self.rest { size.cells() - first } else { misplaced.count() };
        let distance = |to: usize| size.distance(cell, to) + if self.cells { 2 } else { 0 };
        36 * (counted + usize::from(self.blank)) + 18 * distance(first - 1) + distance(board.blank())
    }
}

/// All boards from which the ordered board is reachable, and the numbers of their successors by each word of the paper.
struct WordGraph {
    boards: Vec<Board>,
    /// Successors if impossible moves are skipped.
    skipping: Vec<[u32; WORDS.len()]>,
    /// Successors if words with an impossible move are rejected, which leaves the board unchanged.
    rejecting: Vec<[u32; WORDS.len()]>,
}

/// Statistics of a reading over all boards.
#[derive(Serialize, Deserialize)]
struct ReadingStatistics {
    greatest: usize,
    mean: f64,
    /// Mean after the best word for each board.
    after_word: f64,
    /// Mean after the best word without an impossible move.
    after_possible_word: f64,
    /// Mean after repeated best words, as long as h falls.
    after_words: f64,
    /// Number of boards solved by these.
    solved: usize,
}

impl WordGraph {
    fn new(size: Size) -> WordGraph {
        let mut all = vec![Board::ordered(size)];
        let mut numbers = HashMap::from([(all[0], 0)]);
        let mut done = 0;
        while let Some(&board) = all.get(done) {
            done += 1;
            for mv in Move::ALL {
                let mut next = board;
                if next.make(mv) && !numbers.contains_key(&next) {
                    numbers.insert(next, all.len() as u32);
                    all.push(next);
                }
            }
        }
        let (mut skipping, mut rejecting) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for board in &all {
            let after: [(u32, u32); WORDS.len()] = std::array::from_fn(|word| {
                let mut after = *board;
                let impossible = moves_of(FIRST_WORD + word as u16).iter().filter(|&&mv| !after.make(mv)).count();
                (numbers[&after], numbers[if impossible > 0 { board } else { &after }])
            });
            skipping.push(after.map(|(skipped, _)| skipped));
            rejecting.push(after.map(|(_, rejected)| rejected));
        }
        WordGraph { boards: all, skipping, rejecting }
    }

    fn measure(&self, reading: Reading) -> ReadingStatistics {
        let before: Vec<usize> = self.boards.iter().map(|board| reading.evaluate(board)).collect();
        let lowest =
            |next: &[u32; WORDS.len()]| next.iter().map(|&next| next as usize).min_by_key(|&next| before[next]);
        let best = |next: &[[u32; WORDS.len()]]| -> Vec<usize> { next.iter().filter_map(lowest).collect() };
        let (steps, possible) = (best(&self.skipping), best(&self.rejecting));
        // In ascending order, so that the end of each chain is known when it is needed.
        let mut order: Vec<usize> = (0..before.len()).collect();
        order.sort_by_key(|&board| before[board]);
        let mut ends = before.clone();
        for board in order {
            if before[steps[board]] < before[board] {
                ends[board] = ends[steps[board]];
            }
        }
        let mean = |sum: usize| sum as f64 / before.len() as f64;
        ReadingStatistics {
            greatest: before.iter().copied().max().unwrap_or(0),
            mean: mean(before.iter().sum()),
            after_word: mean(steps.iter().map(|&next| before[next]).sum()),
            after_possible_word: mean(possible.iter().map(|&next| before[next]).sum()),
            after_words: mean(ends.iter().sum()),
            solved: ends.iter().filter(|&&end| end == 0).count(),
        }
    }
}

pub fn table(setting: &ReproSettings) -> Result<Table, ReproError> {
    let title = "Readings of the paper's maximum h of 402 and best fitness of 353.9: h of all boards";
    let columns = [
        "h counts",
        "maximum",
        "mean",
        "after the best word",
        "after the best possible word",
        "after words while h falls",
        "solved by these",
    ];
    let mut table = Table::new(title, &columns);
    let Some(size) = Size::new(3, 3) else { return Ok(table) };
    let graph = WordGraph::new(size);
    let part = |task: usize| format!("tiles, h counts {}", READINGS[task].name);
    let statistics = setting.in_order(COUNT, part, Some, |task| Some(graph.measure(READINGS[task])))?;
    for (reading, statistics) in READINGS.iter().zip(statistics) {
        let ReadingStatistics { greatest, mean, after_word, after_possible_word, after_words, solved } = statistics;
        let mut row = vec![reading.name.to_owned(), greatest.to_string()];
        row.extend([mean, after_word, after_possible_word, after_words].map(|mean| format!("{mean:.1}")));
        row.push(count(solved as u64));
        table.rows.push(row);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_tiles::Puzzle;
    use clearway_tiles::heuristics::PaperMeasure;

    #[test]
    fn the_printed_reading_is_the_measure_of_the_programs() {
        let graph = WordGraph::new(Size::new(3, 3).unwrap());
        assert_eq!(graph.boards.len(), 181_440);
        let puzzle = Puzzle::new(graph.boards[0]).unwrap();
        for board in graph.boards.iter().step_by(97) {
            assert_eq!(READINGS[0].evaluate(board), PaperMeasure::evaluate(&puzzle, board), "{board}");
        }
    }

    #[test]
    fn readings_count_what_they_define() {
        // Tile 1 is in its place. Tile 2 is two steps from its place and from the blank. Four tiles are misplaced.
        let board = Board::parse("1 3 4 / 0 5 6 / 7 2 8").unwrap();
        let printed = 36 * 4 + 18 * 2 + 2;
        let rest = 36 * 7 + 18 * 2 + 2;
        assert_eq!(READINGS.map(|reading| reading.evaluate(&board)), [printed, rest, rest + 36, rest + 38]);
        assert_eq!(READINGS.map(|reading| reading.evaluate(&Board::ordered(board.size()))), [0; 4]);
    }

    #[test]
    fn words_are_chosen_greedily_while_h_falls() {
        let graph = WordGraph::new(Size::new(2, 2).unwrap());
        assert_eq!(graph.boards.len(), 12);
        let measured = graph.measure(READINGS[0]);
        assert!(measured.greatest as f64 > measured.mean && measured.mean > measured.after_word);
        assert!(measured.after_possible_word >= measured.after_word && measured.after_word >= measured.after_words);
        assert!((1..=12).contains(&measured.solved));
    }
}
