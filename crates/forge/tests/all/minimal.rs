//! Removable vehicles compared with their definition.

use clearway_forge::minimal::{removable, stripped};
use clearway_forge::rng;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Solver, Vehicle, formats, labels};
use clearway_search::{Limits, Verdict};
use rand::RngExt;

/// Returns a random board of 5x5 on which any vehicle of the exit's line may leave.
fn without_target(number: u64) -> Option<Board> {
    let mut rng = rng::stream(17, number);
    let (side, line) = (Side::ALL[rng.random_range(0..4)], rng.random_range(0..5));
    let walls: Cells = (0..rng.random_range(0..2)).map(|_| (rng.random_range(0..5), rng.random_range(0..5))).collect();
    let mut vehicles: Vec<Vehicle> = Vec::new();
    let mut place = |x: u8, y: u8, length: u8, orientation: Orientation| {
        let vehicle = Vehicle { label: labels()[vehicles.len()], x, y, length, orientation };
        let is_free = |(x, y)| {
            x < 5 && y < 5 && !walls.contains(x, y) && !vehicles.iter().any(|v| v.cells().any(|cell| cell == (x, y)))
        };
        if vehicle.cells().all(is_free) {
            vehicles.push(vehicle);
        }
    };
    for _ in 0..30 {
        let orientation = if rng.random_bool(0.5) { Orientation::Horizontal } else { Orientation::Vertical };
        place(rng.random_range(0..5), rng.random_range(0..5), rng.random_range(2..4), orientation);
        // Only boards with several vehicles in the exit's line are of interest.
        let (along, length) = (rng.random_range(0..5), 2);
        match side.orientation() {
            Orientation::Horizontal => place(along, line, length, Orientation::Horizontal),
            Orientation::Vertical => place(line, along, length, Orientation::Vertical),
        }
    }
    let keep = rng.random_range(2..8);
    vehicles.truncate(keep);
    Board::new(5, 5, walls, vehicles, Exit::Any(side, line)).ok()
}

/// Returns the number of moves of a shortest solution, if there is one.
fn moves(solver: &mut Solver, board: &Board) -> Option<u32> {
    let answer = solver.solve(board, Metric::Moves, &Limits::default());
    (answer.verdict == Verdict::Solved).then_some(answer.lower_bound)
}

/// Returns the vehicles without which the board is solvable and its shortest solution is not shorter.
fn by_definition(solver: &mut Solver, board: &Board) -> Vec<char> {
    let length = moves(solver, board);
    let is_removable = |index: &usize| {
        let mut vehicles = board.vehicles().to_vec();
        vehicles.remove(*index);
        let smaller = Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit());
        smaller.is_ok_and(|smaller| length.is_some() && moves(solver, &smaller).is_some_and(|m| Some(m) >= length))
    };
    (0..board.vehicles().len()).filter(is_removable).map(|index| board.vehicles()[index].label).collect()
}

#[test]
fn the_front_vehicle_may_be_removable_if_any_vehicle_may_leave() {
    let (mut solver, limits) = (Solver::new(), Limits::default());
    let mut fronts = 0;
    for board in (0..2_000).filter_map(without_target) {
        let shown = formats::line(&board);
        let labels = by_definition(&mut solver, &board);
        assert_eq!(removable(&mut solver, &board, &limits), Ok(labels.clone()), "{shown}");
        let length = moves(&mut solver, &board);
        let stripped = stripped(&mut solver, &board, &limits).unwrap();
        assert_eq!(stripped.is_some(), length.is_some(), "{shown}");
        if let Some(stripped) = stripped {
            assert_eq!(by_definition(&mut solver, &stripped), Vec::<char>::new(), "{shown}");
            assert!(moves(&mut solver, &stripped) >= length, "{shown}");
        }
        fronts += u32::from(labels.contains(&board.target().label));
    }
    assert!(fronts > 500, "{fronts} boards with a removable front vehicle");
}
