//! All states of a component, turned and mirrored in any way and with any labels, have the same canonical form.

use clearway_forge::canonical::canonical;
use clearway_forge::rng::{Rng, stream};
use clearway_forge::turn;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Solver, Vehicle, formats, labels};
use clearway_search::Limits;
use rand::RngExt;
use std::collections::HashMap;

/// Returns a crowded board with sides of 3 to 6 cells, sometimes with walls, with an exit on any side, for the target or for any
/// vehicle of its line.
fn random_board(rng: &mut Rng) -> Board {
    let (width, height) = (rng.random_range(3..=6u8), rng.random_range(3..=6u8));
    let side = Side::ALL[rng.random_range(0..4)];
    let mut taken = Cells::default();
    let mut vehicles = Vec::new();
    for attempt in 0..40 {
        let orientation = match (attempt, rng.random::<bool>()) {
            (0, _) => side.orientation(),
            (_, true) => Orientation::Horizontal,
            (_, false) => Orientation::Vertical,
        };
        let (room, lines) = if orientation == Orientation::Horizontal { (width, height) } else { (height, width) };
        let length = rng.random_range(2..=3u8);
        let (line, position) = (rng.random_range(0..lines), rng.random_range(0..=room - length));
        let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
        let vehicle = Vehicle { label: labels()[vehicles.len()], x, y, length, orientation };
        if vehicle.cells().all(|(x, y)| !taken.contains(x, y)) {
            vehicle.cells().for_each(|(x, y)| taken.insert(x, y));
            vehicles.push(vehicle);
        }
    }
    let mut walls = Cells::default();
    let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
    if rng.random_range(0..3) == 0 && !taken.contains(x, y) {
        walls.insert(x, y);
    }
    let exit = if rng.random_range(0..4) == 0 { Exit::Any(side, vehicles[0].line()) } else { Exit::Target(side) };
    Board::new(width, height, walls, vehicles, exit).unwrap()
}

/// Returns the board after some moves, turned or mirrored, with other labels.
fn disguised(board: &Board, rng: &mut Rng) -> Board {
    let mut board = board.clone();
    for _ in 0..rng.random_range(0..30) {
        let moves = board.legal_moves();
        if !moves.is_empty() {
            board.apply(moves[rng.random_range(0..moves.len())]).unwrap();
        }
    }
    for _ in 0..rng.random_range(0..4) {
        board = if rng.random() { turn::mirrored(&board) } else { turn::transposed(&board) };
    }
    let shift = rng.random_range(1..50);
    let mut vehicles = board.vehicles().to_vec();
    for (index, vehicle) in vehicles.iter_mut().enumerate().skip(1) {
        vehicle.label = labels()[index + shift];
    }
    if matches!(board.exit(), Exit::Any(..)) {
        vehicles[0].label = labels()[70];
    }
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit()).unwrap()
}

#[test]
fn all_states_and_symmetries_of_a_puzzle_have_the_same_canonical_form() {
    let mut solver = Solver::new();
    let (mut puzzles, mut symmetric) = (0, 0);
    for index in 0..600 {
        let rng = &mut stream(1, index);
        let board = random_board(rng);
        let Some(first) = canonical(&mut solver, &board, &Limits::default()).unwrap() else { continue };
        puzzles += 1;
        symmetric += usize::from(first.board.height() % 2 == 1 && first.board.exit_line() == first.board.height() / 2);
        for _ in 0..4 {
            let other = disguised(&board, rng);
            let second = canonical(&mut solver, &other, &Limits::default()).unwrap().unwrap();
            assert_eq!(first, second, "{} and {}", formats::line(&board), formats::line(&other));
        }
    }
    assert!(puzzles > 100 && symmetric > 10, "{puzzles} solvable boards, {symmetric} with the exit in the middle");
}

#[test]
fn the_canonical_form_is_a_hardest_state_and_idempotent() {
    let mut solver = Solver::new();
    for index in 0..200 {
        let board = random_board(&mut stream(2, index));
        let Some(found) = canonical(&mut solver, &board, &Limits::default()).unwrap() else { continue };
        let answer = solver.solve(&found.board, Metric::Moves, &Limits::default());
        assert_eq!(answer.solution.unwrap().moves(), found.moves);
        assert_eq!(solver.analyze(&board, Metric::Moves, &Limits::default()).depth, Some(found.moves));
        assert_eq!(found.board.exit(), Exit::Target(Side::Right));
        let again = canonical(&mut solver, &found.board, &Limits::default()).unwrap().unwrap();
        assert_eq!(again, found);
    }
}

#[test]
fn similar_boards_of_different_puzzles_have_different_forms() {
    let mut solver = Solver::new();
    let mut by_text: HashMap<String, (u32, Option<u64>)> = HashMap::new();
    let mut ids: HashMap<String, String> = HashMap::new();
    for index in 0..3000 {
        let board = random_board(&mut stream(3, index));
        let Some(found) = canonical(&mut solver, &board, &Limits::default()).unwrap() else { continue };
        let facts = (found.moves, found.states);
        assert_eq!(*by_text.entry(found.text()).or_insert(facts), facts);
        assert_eq!(*ids.entry(found.id()).or_insert(found.text()), found.text(), "two puzzles with one id");
    }
    assert!(ids.len() > 500, "{}", ids.len());
}

#[test]
fn ids_are_the_same_on_every_machine() {
    let board = formats::read_one("4x3:...BAA.B....@right", None).unwrap().board;
    assert!(canonical(&mut Solver::new(), &board, &Limits::default()).unwrap().is_none(), "unsolvable");
    let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    let found = canonical(&mut Solver::new(), &board, &Limits::default()).unwrap().unwrap();
    assert_eq!(found.text(), "6x6:BB...CD....CDAAE.CD..E..F..EGGFHHH..");
    assert_eq!(found.id(), "145695011b2e9415");
}

#[test]
fn a_puzzle_can_be_turned_to_any_exit() {
    let mut solver = Solver::new();
    for index in 0..100 {
        let board = random_board(&mut stream(4, index));
        let Some(found) = canonical(&mut solver, &board, &Limits::default()).unwrap() else { continue };
        let facing = found.facing(board.exit().side(), board.exit_line());
        assert_eq!((facing.exit().side(), facing.exit_line()), (board.exit().side(), board.exit_line()));
        assert_eq!((facing.width(), facing.height()), (board.width(), board.height()));
        assert_eq!(canonical(&mut solver, &facing, &Limits::default()).unwrap().unwrap(), found);
    }
}
