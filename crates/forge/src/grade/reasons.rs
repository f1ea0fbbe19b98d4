//! Why a board is hard, in words: in what it stands out among the forty cards of the standard game.

use super::Grade;

/// Something that makes a board harder, or easier, than most cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Whether it makes it harder.
    pub harder: bool,
    /// What it is.
    pub text: String,
}

/// A measure of hardness, and the middle half of the forty cards.
#[derive(Debug)]
struct Measure {
    value: fn(&Grade) -> Option<f64>,
    middle: (f64, f64),
    harder: fn(f64) -> String,
    easier: fn(f64) -> String,
}

const MEASURES: [Measure; 5] = [
    Measure {
        value: |grade| grade.moves.map(f64::from),
        middle: (15.0, 34.0),
        harder: |n| format!("it takes {} at least", of(n, "move")),
        easier: |n| format!("it takes no more than {}", of(n, "move")),
    },
    Measure {
        value: |grade| grade.depth.map(f64::from),
        middle: (18.0, 35.0),
        harder: |n| format!("one can stray as far as {} from the exit", of(n, "move")),
        easier: |n| format!("one can never stray farther than {} from the exit", of(n, "move")),
    },
    Measure {
        value: |grade| grade.vehicles_moved,
        middle: (8.0, 12.0),
        harder: |n| format!("as many as {} to be moved", of(n, "vehicle")),
        easier: |n| format!("only {} to be moved", of(n, "vehicle")),
    },
    Measure {
        value: |grade| grade.counterintuitive,
        middle: (1.5, 4.0),
        harder: |n| format!("{} against intuition: the target back, or a vehicle into its way", of(n, "move")),
        easier: |n| match n {
            0.0 => "no move against intuition".to_owned(),
            n => format!("only {} against intuition", of(n, "move")),
        },
    },
    Measure {
        value: legal_per_good,
        middle: (4.665, 6.32),
        harder: |n| format!("only one possible move in {} is a good one", short(n)),
        easier: |n| format!("one possible move in {} is a good one", short(n)),
    },
];

/// How many legal moves there are for each good one: the geometric mean over the moves of shortest solutions.
fn legal_per_good(grade: &Grade) -> Option<f64> {
    let moves = grade.moves.filter(|&moves| moves > 0)?;
    Some((grade.search_information? / f64::from(moves)).exp2())
}

/// A number with one decimal, unless that is 0.
fn short(n: f64) -> String {
    let text = format!("{n:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn of(n: f64, noun: &str) -> String {
    let number = short(n);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

impl Grade {
    /// Why the board is harder or easier than most of the forty cards: everything in which it is not among the
    /// middle half of them. What is not known is no reason.
    ///
    /// ```
    /// use clearway_forge::grade::grade;
    /// use clearway_rush::{Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let reasons = grade(&board, &mut Solver::new(), &Default::default()).grade.reasons();
    /// assert!(reasons.iter().any(|reason| !reason.harder && reason.text == "it takes no more than 8 moves"));
    /// ```
    pub fn reasons(&self) -> Vec<Reason> {
        let reason = |measure: &Measure| {
            let value = (measure.value)(self)?;
            let (low, high) = measure.middle;
            if value > high {
                Some(Reason { harder: true, text: (measure.harder)(value) })
            } else if value < low {
                Some(Reason { harder: false, text: (measure.easier)(value) })
            } else {
                None
            }
        };
        MEASURES.iter().filter_map(reason).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Grader;
    use clearway_rush::{Solver, suites::Suite};
    use clearway_search::Limits;

    #[test]
    fn the_middle_half_of_the_cards_is_what_it_is() {
        let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
        let cards = Suite::find("cards").unwrap().puzzles();
        let grade = |board| grader.grade(board, &mut solver, &Limits::default()).grade;
        let grades: Vec<Grade> = cards.iter().map(|puzzle| &puzzle.board).map(grade).collect();
        for measure in &MEASURES {
            let mut values: Vec<f64> = grades.iter().filter_map(measure.value).collect();
            values.sort_by(f64::total_cmp);
            let (low, high) = measure.middle;
            // Ten cards are below the middle half and ten above it, or as good as that where several are alike.
            assert!(values[9] <= low && low <= values[10], "{low}: {values:?}");
            assert!(values[29] <= high && high <= values[30], "{high}: {values:?}");
        }
    }
}
