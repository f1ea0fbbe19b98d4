//! What the formula of the paper could mean: its numbers for all boards of the 8-puzzle, by several readings.

use super::{Setting, Stopped};
use crate::Table;
use crate::table::count;
use clearway_tiles::program::primitives::{FIRST_WORD, WORDS, moves_of};
use clearway_tiles::{Board, Move, Size};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How h is read.
#[derive(Clone, Copy)]
struct Reading {
    name: &'static str,
    /// Whether all tiles count from the first misplaced one on, not only the misplaced ones.
    rest: bool,
    /// Whether the blank counts as one of them.
    blank: bool,
    /// Whether a distance counts the cells of the way along a row and along a column, both ends included: 6 from corner to
    /// corner.
    cells: bool,
}

/// How many there are.
pub const COUNT: usize = 4;

const READINGS: [Reading; COUNT] = [
    Reading { name: "as printed", rest: false, blank: false, cells: false },
    Reading { name: "all tiles from the first misplaced on", rest: true, blank: false, cells: false },
    Reading { name: "the same, and the blank", rest: true, blank: true, cells: false },
    Reading { name: "all from the first on, distances in cells", rest: true, blank: false, cells: true },
];

impl Reading {
    /// The measure of a board whose goal is the ordered one.
    fn of(self, board: &Board) -> usize {
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

/// All boards that lead to the ordered one, and the numbers of those that each word of the paper leads to from each.
struct Boards {
    all: Vec<Board>,
    /// With impossible moves skipped.
    skipping: Vec<[u32; WORDS.len()]>,
    /// With words refused that hold an impossible move.
    refusing: Vec<[u32; WORDS.len()]>,
}

/// What a reading comes to, over all boards.
#[derive(Serialize, Deserialize)]
struct Measured {
    greatest: usize,
    mean: f64,
    /// After the best word of each.
    after_word: f64,
    /// The same, with words refused that hold an impossible move.
    after_possible_word: f64,
    /// After best words as long as the measure falls.
    after_words: f64,
    /// The boards that are solved by that.
    solved: usize,
}

impl Boards {
    fn new(frame: Size) -> Boards {
        let mut all = vec![Board::ordered(frame)];
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
        let (mut skipping, mut refusing) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for board in &all {
            let after: [(u32, u32); WORDS.len()] = std::array::from_fn(|word| {
                let mut after = *board;
                let impossible = moves_of(FIRST_WORD + word as u16).iter().filter(|&&mv| !after.make(mv)).count();
                (numbers[&after], numbers[if impossible > 0 { board } else { &after }])
            });
            skipping.push(after.map(|(skipped, _)| skipped));
            refusing.push(after.map(|(_, refused)| refused));
        }
        Boards { all, skipping, refusing }
    }

    fn measure(&self, reading: Reading) -> Measured {
        let before: Vec<usize> = self.all.iter().map(|board| reading.of(board)).collect();
        let lowest =
            |next: &[u32; WORDS.len()]| next.iter().map(|&next| next as usize).min_by_key(|&next| before[next]);
        let best = |next: &[[u32; WORDS.len()]]| -> Vec<usize> { next.iter().filter_map(lowest).collect() };
        let (steps, possible) = (best(&self.skipping), best(&self.refusing));
        // From the lowest up, so that the end of each way is known when it is asked for.
        let mut order: Vec<usize> = (0..before.len()).collect();
        order.sort_by_key(|&board| before[board]);
        let mut ends = before.clone();
        for board in order {
            if before[steps[board]] < before[board] {
                ends[board] = ends[steps[board]];
            }
        }
        let mean = |sum: usize| sum as f64 / before.len() as f64;
        Measured {
            greatest: before.iter().copied().max().unwrap_or(0),
            mean: mean(before.iter().sum()),
            after_word: mean(steps.iter().map(|&next| before[next]).sum()),
            after_possible_word: mean(possible.iter().map(|&next| before[next]).sum()),
            after_words: mean(ends.iter().sum()),
            solved: ends.iter().filter(|&&end| end == 0).count(),
        }
    }
}

pub fn table(setting: &Setting) -> Result<Table, Stopped> {
    let title = "What the paper's greatest h of 402 and its best fitness of 353.9 could mean: h of all boards, by four readings";
    let columns = [
        "h counts",
        "greatest",
        "mean",
        "after the best word",
        "best word that is possible",
        "words while h falls",
        "solved so",
    ];
    let mut table = Table::new(title, &columns);
    let Some(frame) = Size::new(3, 3) else { return Ok(table) };
    let boards = Boards::new(frame);
    let part = |task: usize| format!("tiles, h counts {}", READINGS[task].name);
    let measured = setting.in_order(COUNT, part, Some, |task| Some(boards.measure(READINGS[task])))?;
    for (reading, measured) in READINGS.iter().zip(measured) {
        let Measured { greatest, mean, after_word, after_possible_word, after_words, solved } = measured;
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
    use clearway_tiles::heuristics::Paper;

    #[test]
    fn as_printed_is_the_measure_of_programs() {
        let boards = Boards::new(Size::new(3, 3).unwrap());
        assert_eq!(boards.all.len(), 181_440);
        let puzzle = Puzzle::new(boards.all[0]).unwrap();
        for board in boards.all.iter().step_by(97) {
            assert_eq!(READINGS[0].of(board), Paper::of(&puzzle, board), "{board}");
        }
    }

    #[test]
    fn readings_count_what_they_say() {
        // Tile 1 is in its place, 2 two steps from its own and from the blank; four tiles are misplaced.
        let board = Board::parse("1 3 4 / 0 5 6 / 7 2 8").unwrap();
        let printed = 36 * 4 + 18 * 2 + 2;
        let rest = 36 * 7 + 18 * 2 + 2;
        assert_eq!(READINGS.map(|reading| reading.of(&board)), [printed, rest, rest + 36, rest + 38]);
        assert_eq!(READINGS.map(|reading| reading.of(&Board::ordered(board.size()))), [0; 4]);
    }

    #[test]
    fn words_are_chosen_one_by_one_until_nothing_falls() {
        let boards = Boards::new(Size::new(2, 2).unwrap());
        assert_eq!(boards.all.len(), 12);
        let measured = boards.measure(READINGS[0]);
        assert!(measured.greatest as f64 > measured.mean && measured.mean > measured.after_word);
        assert!(measured.after_possible_word >= measured.after_word && measured.after_word >= measured.after_words);
        assert!((1..=12).contains(&measured.solved));
    }
}
