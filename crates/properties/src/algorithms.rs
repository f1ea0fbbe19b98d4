//! Expressions of heuristics and algorithms.

use crate::shared::{board, text};
use clearway_lab::ConfiguredAlgorithm;
use clearway_policy::NamedPolicy;
use clearway_rush::heuristics::{Expression, HeuristicContext};
use clearway_rush::{Board, Metric, RushDomain};
use clearway_search::{Domain, Heuristic, Limits, Node};

/// Small board that takes two moves or four steps.
const SMALL: &str = "4x4:BB.CAA.CD...DEE.";

/// Checks that expressions of heuristics round-trip through text. The estimate of a small board is not negative, and at most the
/// length of a shortest solution if the expression claims to be admissible.
pub fn heuristics(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let expression: Expression = match text.parse() {
        Ok(expression) => expression,
        Err(error) => {
            assert!(error.at <= error.text.chars().count(), "{error:?}");
            return;
        }
    };
    let printed = expression.to_string();
    let again: Expression = printed.parse().unwrap_or_else(|error| panic!("{error}: {printed}"));
    assert_eq!(again, expression, "{printed}");
    let board = board(SMALL);
    for (metric, optimum) in [(Metric::Moves, 2.0), (Metric::Steps, 4.0)] {
        assert_eq!(again.admissible(metric), expression.admissible(metric));
        let Some(value) = estimate(&expression, &board, metric) else { continue };
        assert!(value >= 0.0, "{printed} is {value}");
        assert!(value <= optimum || !expression.admissible(metric), "{printed} is {value} of {optimum}");
    }
}

/// Returns the estimate of the initial state of a board, or None if the heuristic cannot be built for it.
fn estimate(expression: &Expression, board: &Board, metric: Metric) -> Option<f64> {
    let domain = RushDomain::<1>::new(board, metric)?;
    let context = HeuristicContext {
        limits: Limits { nodes: Some(100_000), ..Limits::default() },
        ..HeuristicContext::default()
    };
    let mut heuristic = expression.build(&domain, &context).ok()?;
    let start = domain.start();
    Some(heuristic.estimate(&domain, &Node { state: &start, g: 0, last: None, siblings: 0 }))
}

/// Checks that algorithms round-trip through text with the same claims. Only policies that come with the program are allowed,
/// because the inputs must not open files.
pub fn algorithms(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let algorithm = match read(text) {
        Ok(algorithm) => algorithm,
        Err(error) => {
            assert!(error.at <= error.text.chars().count(), "{error:?}");
            return;
        }
    };
    let printed = algorithm.to_string();
    let again = read(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    assert_eq!(again.to_string(), printed);
    assert_eq!(again, algorithm, "{printed}");
    for metric in [Metric::Moves, Metric::Steps] {
        assert_eq!(again.is_optimal(metric), algorithm.is_optimal(metric), "{printed}");
    }
}

fn read(text: &str) -> Result<ConfiguredAlgorithm, clearway_util::syntax::ExpressionError> {
    ConfiguredAlgorithm::parse_with(text, |name| NamedPolicy::shipped(name).ok_or("unknown policy"))
}
