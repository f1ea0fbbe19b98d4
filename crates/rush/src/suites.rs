//! The embedded suites of boards.

use crate::formats::{Format, Puzzle, ReadOptions, Reader};
use clearway_util::embedded_text;

/// A named collection of boards with their known solution lengths.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Number of boards.
    pub boards: usize,
    text: fn() -> &'static str,
}

/// Suites are equal if their names are.
impl PartialEq for Suite {
    fn eq(&self, other: &Suite) -> bool {
        self.name == other.name
    }
}

impl Eq for Suite {}

/// A suite of the folder `suites`.
macro_rules! suite {
    ($name:literal, $boards:literal, $about:literal) => {
        Suite {
            name: $name,
            about: $about,
            boards: $boards,
            text: || embedded_text!(concat!("../suites/", $name, ".tsv")),
        }
    };
}

static ALL: [Suite; 23] = [
    suite!("cards", 40, "the 40 cards of the standard game"),
    suite!("it3105", 6, "the boards of a university assignment, easy to expert"),
    suite!("traffic-jam", 3, "boards without a target: any vehicle in the exit's column may leave"),
    suite!("course", 7, "boards of a course on heuristics, up to 12x12"),
    suite!("walls", 20, "boards from M. Fogleman's catalogue, most with walls"),
    suite!("servais", 1, "the 6x6 board with the most steps"),
    suite!("vandijk", 7, "boards like those of a thesis on generating boards, 4 to 20 moves"),
    suite!("sample-8x8", 8, "hard 8x8 boards, found by annealing"),
    suite!("hard-8x8", 18, "the hardest 8x8 boards found by climbing"),
    suite!("train-8x8", 100, "8x8 training boards, 20 to 80 moves"),
    suite!("hard-moves-200", 200, "the 200 minimal 6x6 puzzles with the most moves"),
    suite!("hard-steps-200", 200, "the 200 minimal 6x6 puzzles with the most steps"),
    suite!("catalogue-sample", 459, "minimal 6x6 puzzles of every length, 1 to 51 moves"),
    suite!("train-6x6", 200, "6x6 training boards, 10 to 49 moves"),
    suite!("test-6x6", 60, "6x6 test boards for policies, 10 to 51 moves"),
    suite!("test-6x6-random", 60, "the boards of test-6x6, from random states"),
    suite!("test-8x8", 30, "8x8 test boards for policies, sparse and dense"),
    suite!("test-8x8-random", 30, "the boards of test-8x8, from random states"),
    suite!("large", 60, "dense random boards of 9x9 to 16x16, hard to prove"),
    suite!("records", 6, "the hardest boards known, one of each size"),
    suite!("test-10x10", 30, "dense random 10x10 test boards for policies"),
    suite!("test-12x12", 30, "dense random 12x12 test boards for policies"),
    suite!("test-14x14", 30, "dense random 14x14 test boards for policies"),
];

/// Returns all suites.
pub fn all() -> &'static [Suite] {
    &ALL
}

impl Suite {
    /// Returns the suite with a name, which is case-sensitive.
    pub fn find(name: &str) -> Option<&'static Suite> {
        ALL.iter().find(|suite| suite.name == name)
    }

    /// The boards in the TSV format.
    pub fn text(&self) -> &'static str {
        (self.text)()
    }

    /// Parses and returns all boards.
    ///
    /// # Panics
    /// Never: a test parses every suite.
    pub fn puzzles(&self) -> Vec<Puzzle> {
        let options =
            ReadOptions { format: Some(Format::Tsv), source_name: self.name.to_string(), ..ReadOptions::default() };
        let puzzles: Result<_, _> = Reader::new(self.text().as_bytes(), options).collect();
        puzzles.expect("embedded suites are well formed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Orientation::Horizontal;
    use crate::formats::KnownLength;
    use std::collections::HashSet;

    #[test]
    fn every_suite_parses_and_has_the_expected_number_of_boards() {
        for suite in all() {
            assert_eq!(suite.puzzles().len(), suite.boards, "{}", suite.name);
        }
        let first = &Suite::find("cards").unwrap().puzzles()[0];
        assert_eq!(first.name.as_deref(), Some("JAM01"));
        assert_eq!((first.moves, first.steps), (Some(KnownLength::Exactly(8)), Some(KnownLength::Exactly(16))));
        let largest = &Suite::find("course").unwrap().puzzles()[6];
        assert_eq!((largest.board.width(), largest.moves), (12, Some(KnownLength::Exactly(25))));
        assert_eq!(Suite::find("Cards"), None);
    }

    /// The properties of a board that no move changes, equal for both mirror images. The exit must be on the right.
    fn layout(board: &crate::Board) -> Vec<(bool, u8, u8)> {
        let lines = |flipped: bool| {
            let last = board.height() - 1;
            let mut vehicles: Vec<_> = board.vehicles().to_vec();
            let up = |v: &crate::Vehicle| if flipped { last + 1 - v.y - v.length } else { v.y };
            vehicles.sort_unstable_by_key(|v| if v.orientation == Horizontal { v.x } else { up(v) });
            let line = |v: &crate::Vehicle| if v.orientation == Horizontal && flipped { last - v.y } else { v.line() };
            let mut lines: Vec<_> = vehicles.iter().map(|v| (v.orientation == Horizontal, line(v), v.length)).collect();
            lines.sort_by_key(|&(horizontal, line, _)| (horizontal, line));
            lines
        };
        lines(false).min(lines(true))
    }

    #[test]
    fn test_suites_share_no_layout_with_training_suites() {
        let layouts = |names: &[&str]| -> HashSet<_> {
            let suites = names.iter().map(|name| Suite::find(name).unwrap());
            suites.flat_map(Suite::puzzles).map(|puzzle| layout(&puzzle.board)).collect()
        };
        for (test, count, others) in
            [("test-6x6", 60, &["train-6x6"][..]), ("test-8x8", 30, &["train-8x8", "hard-8x8", "sample-8x8"])]
        {
            let tested = layouts(&[test]);
            assert_eq!(tested.len(), count, "every board of {test} has a layout of its own");
            assert_eq!(tested, layouts(&[&format!("{test}-random")]), "other states of the same boards");
            assert!(tested.is_disjoint(&layouts(others)), "{test}");
        }
        assert!(layouts(&["train-6x6"]).is_disjoint(&layouts(&["cards"])));
    }
}
