//! The embedded suites of boards.

use crate::formats::{Format, Puzzle, ReadOptions, Reader};

/// A named collection of boards with their known solution lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Boards in the TSV format.
    pub text: &'static str,
}

static ALL: [Suite; 23] = [
    Suite {
        name: "cards",
        about: "the 40 cards of the standard game",
        text: include_str!("../../../suites/cards.tsv"),
    },
    Suite {
        name: "it3105",
        about: "the boards of a university assignment, easy to expert",
        text: include_str!("../../../suites/it3105.tsv"),
    },
    Suite {
        name: "traffic-jam",
        about: "boards without a target: any vehicle in the exit's column may leave",
        text: include_str!("../../../suites/traffic-jam.tsv"),
    },
    Suite {
        name: "course",
        about: "boards of a course on heuristics, up to 12x12",
        text: include_str!("../../../suites/course.tsv"),
    },
    Suite {
        name: "walls",
        about: "boards from M. Fogleman's catalogue, most with walls",
        text: include_str!("../../../suites/walls.tsv"),
    },
    Suite {
        name: "servais",
        about: "the 6x6 board with the most steps",
        text: include_str!("../../../suites/servais.tsv"),
    },
    Suite {
        name: "vandijk",
        about: "boards like those of a thesis on generating boards, 4 to 20 moves",
        text: include_str!("../../../suites/vandijk.tsv"),
    },
    Suite {
        name: "sample-8x8",
        about: "hard 8x8 boards, found by annealing",
        text: include_str!("../../../suites/sample-8x8.tsv"),
    },
    Suite {
        name: "hard-8x8",
        about: "the hardest 8x8 boards found by climbing",
        text: include_str!("../../../suites/hard-8x8.tsv"),
    },
    Suite {
        name: "train-8x8",
        about: "8x8 training boards, 20 to 80 moves",
        text: include_str!("../../../suites/train-8x8.tsv"),
    },
    Suite {
        name: "hard-moves-200",
        about: "the 200 minimal 6x6 puzzles with the most moves",
        text: include_str!("../../../suites/hard-moves-200.tsv"),
    },
    Suite {
        name: "hard-steps-200",
        about: "the 200 minimal 6x6 puzzles with the most steps",
        text: include_str!("../../../suites/hard-steps-200.tsv"),
    },
    Suite {
        name: "catalogue-sample",
        about: "minimal 6x6 puzzles of every length, 1 to 51 moves",
        text: include_str!("../../../suites/catalogue-sample.tsv"),
    },
    Suite {
        name: "train-6x6",
        about: "6x6 training boards, 10 to 49 moves",
        text: include_str!("../../../suites/train-6x6.tsv"),
    },
    Suite {
        name: "test-6x6",
        about: "6x6 test boards for policies, 10 to 51 moves",
        text: include_str!("../../../suites/test-6x6.tsv"),
    },
    Suite {
        name: "test-6x6-random",
        about: "the boards of test-6x6, from random states",
        text: include_str!("../../../suites/test-6x6-random.tsv"),
    },
    Suite {
        name: "test-8x8",
        about: "8x8 test boards for policies, sparse and dense",
        text: include_str!("../../../suites/test-8x8.tsv"),
    },
    Suite {
        name: "test-8x8-random",
        about: "the boards of test-8x8, from random states",
        text: include_str!("../../../suites/test-8x8-random.tsv"),
    },
    Suite {
        name: "large",
        about: "dense random boards of 9x9 to 16x16, hard to prove",
        text: include_str!("../../../suites/large.tsv"),
    },
    Suite {
        name: "records",
        about: "the hardest boards known, one of each size",
        text: include_str!("../../../suites/records.tsv"),
    },
    Suite {
        name: "test-10x10",
        about: "dense random 10x10 test boards for policies",
        text: include_str!("../../../suites/test-10x10.tsv"),
    },
    Suite {
        name: "test-12x12",
        about: "dense random 12x12 test boards for policies",
        text: include_str!("../../../suites/test-12x12.tsv"),
    },
    Suite {
        name: "test-14x14",
        about: "dense random 14x14 test boards for policies",
        text: include_str!("../../../suites/test-14x14.tsv"),
    },
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

    /// Parses and returns all boards.
    ///
    /// # Panics
    /// Never: a test parses every suite.
    pub fn puzzles(&self) -> Vec<Puzzle> {
        let options =
            ReadOptions { format: Some(Format::Tsv), source_name: self.name.to_string(), ..ReadOptions::default() };
        let puzzles: Result<_, _> = Reader::new(self.text.as_bytes(), options).collect();
        puzzles.expect("embedded suites are well formed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Orientation::Horizontal;
    use crate::formats::Known;
    use std::collections::HashSet;

    #[test]
    fn every_suite_parses_and_has_the_expected_number_of_boards() {
        let counts: Vec<(&str, usize)> = all().iter().map(|suite| (suite.name, suite.puzzles().len())).collect();
        let old = [("cards", 40), ("it3105", 6), ("traffic-jam", 3), ("course", 7), ("walls", 20), ("servais", 1)];
        assert_eq!(counts[..6], old);
        assert_eq!(counts[6..10], [("vandijk", 7), ("sample-8x8", 8), ("hard-8x8", 18), ("train-8x8", 100)]);
        assert_eq!(counts[10..13], [("hard-moves-200", 200), ("hard-steps-200", 200), ("catalogue-sample", 459)]);
        let held_out = [("test-6x6", 60), ("test-6x6-random", 60), ("test-8x8", 30), ("test-8x8-random", 30)];
        assert_eq!((counts[13], &counts[14..18]), (("train-6x6", 200), &held_out[..]));
        assert_eq!(
            counts[18..],
            [("large", 60), ("records", 5), ("test-10x10", 30), ("test-12x12", 30), ("test-14x14", 30)]
        );
        let first = &Suite::find("cards").unwrap().puzzles()[0];
        assert_eq!(first.name.as_deref(), Some("JAM01"));
        assert_eq!((first.moves, first.steps), (Some(Known::Exactly(8)), Some(Known::Exactly(16))));
        let largest = &Suite::find("course").unwrap().puzzles()[6];
        assert_eq!((largest.board.width(), largest.moves), (12, Some(Known::Exactly(25))));
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
