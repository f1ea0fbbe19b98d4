//! Random dense boards of 9x9 to 16x16: eleven kinds, each a size and a density, and thirty boards of each.

use super::Draft;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Board, Orientation, Vehicle};
use clearway_util::rng::{Rng, stream};
use rand::RngExt;
use std::fmt;

/// Number of boards of each kind.
pub const BOARDS_PER_KIND: usize = 30;

/// Number of vehicles tried in a row without success before a board is started again.
const MAX_TRIES: u32 = 10_000;

/// A size and a density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Number of rows and of columns.
    pub side: u8,
    /// Minimum percentage of covered cells.
    pub percent: u8,
}

/// All kinds.
pub const KINDS: [Kind; 11] = [
    Kind { side: 9, percent: 75 },
    Kind { side: 9, percent: 85 },
    Kind { side: 10, percent: 75 },
    Kind { side: 10, percent: 82 },
    Kind { side: 11, percent: 75 },
    Kind { side: 11, percent: 80 },
    Kind { side: 12, percent: 72 },
    Kind { side: 12, percent: 78 },
    Kind { side: 13, percent: 72 },
    Kind { side: 14, percent: 70 },
    Kind { side: 16, percent: 50 },
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{side}x{side}-{percent}", side = self.side, percent = self.percent)
    }
}

/// Generates all boards, kind by kind. Every board has a random stream of its own, so that it does not depend on the others.
/// Nothing is known about their solutions; some have none.
pub fn boards(seed: u64) -> Vec<Puzzle> {
    let of_kind = |(index, &kind): (usize, &Kind)| {
        (0..BOARDS_PER_KIND).map(move |number| {
            let mut rng = stream(seed, (index * BOARDS_PER_KIND + number) as u64);
            Puzzle { name: Some(format!("{kind}-{:02}", number + 1)), ..Puzzle::new(board(kind, &mut rng)) }
        })
    };
    KINDS.iter().enumerate().flat_map(of_kind).collect()
}

/// Generates a board of a kind. The target is in a row of the middle third and within the left third. Other vehicles follow at
/// random places until the density is reached; none of them lies in the target's row, though vertical ones may cross it.
fn board(kind: Kind, rng: &mut Rng) -> Board {
    let cells = u32::from(kind.side) * u32::from(kind.side);
    let third = kind.side / 3;
    loop {
        let mut draft = Draft::new(kind.side);
        let (x, row) = (rng.random_range(0..third - 1), rng.random_range(third..kind.side - third));
        draft.place(Vehicle { label: 'A', x, y: row, length: 2, orientation: Orientation::Horizontal });
        let mut tries = 0;
        while draft.taken() * 100 < cells * u32::from(kind.percent) && tries < MAX_TRIES {
            let vehicle = draft.draw(length(rng), rng);
            let is_in_row = vehicle.orientation == Orientation::Horizontal && vehicle.y == row;
            tries = if !is_in_row && draft.place(vehicle) { 0 } else { tries + 1 };
        }
        if tries < MAX_TRIES {
            return draft.into_board();
        }
    }
}

/// Draws the length of a vehicle. Long ones fit less often, so that their share on the board is smaller than here.
fn length(rng: &mut Rng) -> u8 {
    match rng.random_range(0..100) {
        0..60 => 2,
        60..95 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::hash;
    use super::*;

    #[test]
    fn boards_obey_the_recipe() {
        let puzzles = boards(1);
        assert_eq!(puzzles.len(), KINDS.len() * BOARDS_PER_KIND);
        for (index, puzzle) in puzzles.iter().enumerate() {
            let (name, board) = (puzzle.name.as_deref().unwrap(), &puzzle.board);
            let Kind { side, percent } = KINDS[index / BOARDS_PER_KIND];
            assert!(name.starts_with(&format!("{side}x{side}-{percent}-")), "{name}");
            assert_eq!((board.width(), board.height(), board.walls().len()), (side, side, 0), "{name}");
            let covered: u32 = board.vehicles().iter().map(|v| u32::from(v.length)).sum();
            let least = (f64::from(side) * f64::from(side) * f64::from(percent) / 100.0).ceil() as u32;
            assert!((least..least + 4).contains(&covered), "{name}: {covered} cells, {least} needed");
            let target = board.target();
            assert!((side / 3..side - side / 3).contains(&target.y) && target.x + 2 <= side / 3, "{name}");
            let in_row = |v: &&Vehicle| v.orientation == Orientation::Horizontal && v.y == target.y;
            assert_eq!(board.vehicles().iter().filter(in_row).count(), 1, "{name}");
        }
    }

    #[test]
    fn boards_depend_on_the_seed_alone() {
        assert_eq!(hash(&boards(1)), 13_307_288_596_310_475_038);
        assert_ne!(hash(&boards(1)), hash(&boards(2)));
    }
}
