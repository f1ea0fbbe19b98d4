//! Hard boards walled into larger ones: the vehicles outside of the walls do not matter, so that the optimum is that of the hard
//! board alone.

use super::Draft;
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Vehicle};
use clearway_util::rng::{Rng, stream};
use rand::RngExt;
use std::cmp::Reverse;

/// Number of boards of 6x6, and of 8x8.
pub const BOARDS_PER_SIZE: usize = 20;

/// First random stream; the boards of the [recipe](super::recipe) use those before it.
const FIRST_STREAM: u64 = 1 << 32;

/// Number of cars tried in a row without success before a board is started again.
const MAX_TRIES: u32 = 1_000;

/// A hard board and the board that it is walled into.
#[derive(Clone, Debug)]
pub struct Walled {
    /// The hard board alone, with its optimum in moves.
    pub bare: Puzzle,
    /// The large board: `JAM40-in-10x10`. Its optimum is that of the bare board.
    pub puzzle: Puzzle,
}

/// Generates all boards: the hardest cards in boards of 10x10 to 14x14, then hard boards of 8x8 in boards of 12x12 to 14x14,
/// which leave room for the cars.
pub fn boards(seed: u64) -> Vec<Walled> {
    let small = hardest(&["cards"]).zip((10..=14).cycle());
    // The second suite fills up what the first one lacks.
    let large = hardest(&["hard-8x8", "test-8x8"]).zip((12..=14).cycle());
    let all = small.take(BOARDS_PER_SIZE).chain(large.take(BOARDS_PER_SIZE));
    let walled = all.zip(FIRST_STREAM..).map(|((bare, side), index)| {
        let board = wall_in(&bare.board, side, &mut stream(seed, index));
        let name = bare.name.as_ref().map(|name| format!("{name}-in-{side}x{side}"));
        Walled { puzzle: Puzzle { name, moves: bare.moves, steps: bare.steps, ..Puzzle::new(board) }, bare }
    });
    walled.collect()
}

/// Returns the boards of suites, one suite after the other, each from its hardest board to its easiest.
fn hardest(suites: &[&str]) -> impl Iterator<Item = Puzzle> {
    let puzzles = suites.iter().flat_map(|name| {
        let mut puzzles = Suite::find(name).expect("the suite is embedded").puzzles();
        // The sort is stable.
        puzzles.sort_by_key(|puzzle| Reverse(puzzle.moves.map(KnownLength::value)));
        puzzles
    });
    puzzles.collect::<Vec<_>>().into_iter()
}

/// Places a board at the right edge of a larger one, at a random height and behind walls, with 8 to 20 cars on the other side of
/// them. At most half of the cells outside of the walls are covered, so that the cars have room to move.
fn wall_in(bare: &Board, side: u8, rng: &mut Rng) -> Board {
    let mut draft = Draft::new(side);
    let (left, top) = (side - bare.width(), rng.random_range(0..=side - bare.height()));
    for vehicle in bare.vehicles() {
        draft.place(Vehicle { x: vehicle.x + left, y: vehicle.y + top, ..*vehicle });
    }
    for (x, y) in bare.walls().iter() {
        draft.add_wall(x + left, y + top);
    }
    let is_bare = |x: u8, y: u8| x >= left && (top..top + bare.height()).contains(&y);
    for y in top.saturating_sub(1)..side.min(top + bare.height() + 1) {
        for x in left - 1..side {
            if !is_bare(x, y) {
                draft.add_wall(x, y);
            }
        }
    }
    let around = u32::from(side) * u32::from(side) - u32::from(bare.width()) * u32::from(bare.height());
    let free = around - (draft.walls.len() - bare.walls().len()) as u32;
    let cars = rng.random_range(8..=20u32).min(free / 4);
    loop {
        let (mut full, mut left_over, mut tries) = (draft.clone(), cars, 0);
        while left_over > 0 && tries < MAX_TRIES {
            let car = full.draw(2, rng);
            let is_outside = car.cells().all(|(x, y)| !is_bare(x, y));
            if is_outside && full.place(car) {
                left_over -= 1;
                tries = 0;
            } else {
                tries += 1;
            }
        }
        if left_over == 0 {
            return full.into_board();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::hash;
    use super::*;
    use clearway_rush::{Metric, Solver};
    use clearway_search::Limits;

    #[test]
    fn a_walled_board_contains_the_bare_board_and_cars_around_it() {
        let all = boards(1);
        assert_eq!(all.len(), 2 * BOARDS_PER_SIZE);
        for Walled { bare, puzzle } in &all {
            let (name, inner, board) = (puzzle.name.as_deref().unwrap(), &bare.board, &puzzle.board);
            assert!(matches!(bare.moves, Some(KnownLength::Exactly(_))) && puzzle.moves == bare.moves, "{name}");
            assert!((10..=14).contains(&board.width()), "{name}");
            let around = board.vehicles().len() - inner.vehicles().len();
            assert!((8..=20).contains(&around), "{name}: {around} cars");
            let cells = board.width() as usize * board.height() as usize;
            let outside = cells - board.walls().len() - inner.width() as usize * inner.height() as usize;
            assert!(4 * around <= outside, "{name}: {around} cars in {outside} cells");
        }
        assert_eq!(all[0].puzzle.name.as_deref(), Some("JAM40-in-10x10"));
    }

    #[test]
    fn walls_keep_the_optimum() {
        // Without the cars around it, the large board has the optimum of the bare one.
        for Walled { bare, puzzle } in boards(1).into_iter().step_by(4) {
            let board = &puzzle.board;
            let left = board.width() - bare.board.width();
            let top = board.target().y - bare.board.target().y;
            let is_bare = |v: &&Vehicle| v.x >= left && (top..top + bare.board.height()).contains(&v.y);
            let vehicles = board.vehicles().iter().filter(is_bare).copied().collect();
            let alone = Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit()).unwrap();
            let answer = Solver::new().solve(&alone, Metric::Moves, &Limits::default());
            assert_eq!(answer.solution.map(|s| s.moves()), bare.moves.map(KnownLength::value), "{:?}", puzzle.name);
        }
    }

    #[test]
    fn boards_depend_on_the_seed_alone() {
        let hash_of = |seed| hash(&boards(seed).into_iter().map(|walled| walled.puzzle).collect::<Vec<_>>());
        assert_eq!(hash_of(1), 16_835_041_332_855_789_882);
        assert_ne!(hash_of(1), hash_of(2));
    }
}
