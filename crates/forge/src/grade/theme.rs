//! Themes: what is special about a puzzle.

use super::blockers::target_blockers;
use super::solutions::SolutionAverages;
use clearway_rush::{Board, Vehicle};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Tolerance for averages that are whole numbers.
const ROUNDING: f64 = 1e-6;
/// Number of cells of the shortest truck.
const TRUCK: u8 = 3;

/// Something special about a puzzle, by which players can choose one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum Theme {
    /// Every shortest solution moves the target away from the exit at least once.
    TargetBack,
    /// In shortest solutions, a truck moves more often, on average, than any other vehicle but the target.
    TruckKey,
    /// Exactly one cell of the board is empty.
    OneEmptyCell,
    /// Exactly one vehicle is between the target and the exit.
    OneBlocker,
    /// There is exactly one shortest solution.
    OneSolution,
    /// Every vehicle moves in every shortest solution.
    AllMove,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 6] = [
        Theme::TargetBack,
        Theme::TruckKey,
        Theme::OneEmptyCell,
        Theme::OneBlocker,
        Theme::OneSolution,
        Theme::AllMove,
    ];

    /// Returns the name used in JSON, such as `target-back`.
    pub fn as_str(self) -> &'static str {
        match self {
            Theme::TargetBack => "target-back",
            Theme::TruckKey => "truck-key",
            Theme::OneEmptyCell => "one-empty-cell",
            Theme::OneBlocker => "one-blocker",
            Theme::OneSolution => "one-solution",
            Theme::AllMove => "all-move",
        }
    }

    /// Returns the theme with a name.
    ///
    /// ```
    /// use clearway_forge::grade::Theme;
    /// assert_eq!(Theme::find_by_name("truck-key"), Some(Theme::TruckKey));
    /// assert!(Theme::ALL.iter().all(|theme| Theme::find_by_name(theme.as_str()) == Some(*theme)));
    /// ```
    pub fn find_by_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.as_str() == name)
    }

    /// Returns the themes of a solvable board, from the averages over its shortest solutions and their number.
    pub(super) fn find(board: &Board, optimal_solutions: Option<u128>, averages: &SolutionAverages) -> Vec<Theme> {
        let positions: Vec<u8> = board.vehicles().iter().map(Vehicle::position).collect();
        let applies = |theme: &Theme| match theme {
            Theme::TargetBack => averages.fewest_retreats > 0,
            Theme::TruckKey => truck_moves_most(board, &averages.moves_of),
            Theme::OneEmptyCell => empty_cells(board) == 1,
            Theme::OneBlocker => target_blockers(board, &positions) == 1,
            Theme::OneSolution => optimal_solutions == Some(1),
            Theme::AllMove => averages.vehicles > board.vehicles().len() as f64 - ROUNDING,
        };
        Theme::ALL.into_iter().filter(applies).collect()
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returns whether a truck makes more moves than any other vehicle but the target.
fn truck_moves_most(board: &Board, moves_of: &[f64]) -> bool {
    let mut by_moves: Vec<(f64, u8)> =
        board.vehicles().iter().zip(moves_of).skip(1).map(|(vehicle, &moves)| (moves, vehicle.length)).collect();
    by_moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    let next = by_moves.get(1).map_or(0.0, |(moves, _)| *moves);
    by_moves.first().is_some_and(|&(moves, length)| length >= TRUCK && moves > next + ROUNDING)
}

fn empty_cells(board: &Board) -> usize {
    let cells = usize::from(board.width()) * usize::from(board.height());
    let taken: usize = board.vehicles().iter().map(|vehicle| usize::from(vehicle.length)).sum();
    cells - board.walls().len() - taken
}
