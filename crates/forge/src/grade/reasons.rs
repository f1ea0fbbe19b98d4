//! Explains in words why a board is hard, by comparing it with the forty cards of the standard game.

use super::Grade;

/// Reason why a board is harder, or easier, than most cards.
#[derive(Clone, Debug, PartialEq)]
pub struct DifficultyReason {
    /// What is measured: `moves`, `depth`, `vehicles`, `counterintuitive` (moves) or `choice` (legal moves for each good one).
    pub measure: &'static str,
    /// The measured value, with one decimal.
    pub value: f64,
    /// Whether it makes the board harder; otherwise it makes it easier.
    pub harder: bool,
    /// Explanation for people, without a final period.
    pub text: String,
}

/// Measure of difficulty, with the range of the middle half of the forty cards.
#[derive(Debug)]
struct DifficultyMeasure {
    name: &'static str,
    value: fn(&Grade) -> Option<f64>,
    middle: (f64, f64),
    harder: fn(f64) -> String,
    easier: fn(f64) -> String,
}

const MEASURES: [DifficultyMeasure; 5] = [
    DifficultyMeasure {
        name: "moves",
        value: |grade| grade.moves.map(f64::from),
        middle: (15.0, 34.0),
        harder: |n| format!("a shortest solution has {}", counted(n, "move")),
        easier: |n| format!("a shortest solution has only {}", counted(n, "move")),
    },
    DifficultyMeasure {
        name: "depth",
        value: |grade| grade.depth.map(f64::from),
        middle: (18.0, 35.0),
        harder: |n| format!("the farthest state is {} from a solution", counted(n, "move")),
        easier: |n| format!("no state is farther than {} from a solution", counted(n, "move")),
    },
    DifficultyMeasure {
        name: "vehicles",
        value: |grade| grade.vehicles_moved,
        middle: (8.0, 12.0),
        harder: |n| format!("a shortest solution moves {}", counted(n, "vehicle")),
        easier: |n| format!("a shortest solution moves only {}", counted(n, "vehicle")),
    },
    DifficultyMeasure {
        name: "counterintuitive",
        value: |grade| grade.counterintuitive,
        middle: (1.5, 4.0),
        harder: |n| format!("{}: the target back, or a vehicle into its path", counted(n, "counterintuitive move")),
        easier: |n| match n {
            0.0 => "no counterintuitive moves".to_owned(),
            n => format!("only {}", counted(n, "counterintuitive move")),
        },
    },
    DifficultyMeasure {
        name: "choice",
        value: legal_per_good,
        middle: (4.665, 6.32),
        harder: |n| format!("only one legal move in {} is on a shortest solution", one_decimal(n)),
        easier: |n| format!("one legal move in {} is on a shortest solution", one_decimal(n)),
    },
];

/// Returns the number of legal moves for each one that is on a shortest solution: the geometric mean over the moves of shortest
/// solutions.
fn legal_per_good(grade: &Grade) -> Option<f64> {
    let moves = grade.moves.filter(|&moves| moves > 0)?;
    Some((grade.search_information? / f64::from(moves)).exp2())
}

/// Formats a number with one decimal, which is omitted if it is 0.
fn one_decimal(n: f64) -> String {
    let text = format!("{n:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Formats a number with its noun in the singular or plural.
fn counted(n: f64, noun: &str) -> String {
    let number = one_decimal(n);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

impl Grade {
    /// Returns why the board is harder or easier than most of the forty cards: one reason for each known measure that is outside
    /// of their middle half.
    ///
    /// ```
    /// use clearway_forge::grade::grade;
    /// use clearway_rush::{Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let reasons = grade(&board, &mut Solver::new(), &Default::default()).grade.reasons();
    /// assert!(reasons.iter().any(|reason| !reason.harder && (reason.measure, reason.value) == ("moves", 8.0)));
    /// ```
    ///
    /// # Panics
    /// Never: a printed number can be parsed.
    pub fn reasons(&self) -> Vec<DifficultyReason> {
        let reason = |measure: &DifficultyMeasure| {
            let value = (measure.value)(self)?;
            let (low, high) = measure.middle;
            let harder = value > high;
            let describe = if harder { measure.harder } else { measure.easier };
            let is_typical = (low..=high).contains(&value);
            let rounded = one_decimal(value).parse().expect("a number");
            (!is_typical).then(|| DifficultyReason {
                measure: measure.name,
                value: rounded,
                harder,
                text: describe(value),
            })
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
    fn the_ranges_are_the_middle_half_of_the_cards() {
        let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
        let cards = Suite::find("cards").unwrap().puzzles();
        let grade = |board| grader.grade(board, &mut solver, &Limits::default()).grade;
        let grades: Vec<Grade> = cards.iter().map(|puzzle| &puzzle.board).map(grade).collect();
        for measure in &MEASURES {
            let mut values: Vec<f64> = grades.iter().filter_map(measure.value).collect();
            values.sort_by(f64::total_cmp);
            let (low, high) = measure.middle;
            // Ten cards are below the middle half and ten above it, apart from ties.
            assert!(values[9] <= low && low <= values[10], "{low}: {values:?}");
            assert!(values[29] <= high && high <= values[30], "{high}: {values:?}");
        }
    }
}
