//! Boards whose states need wider keys: the exact solver must agree with its results on smaller boards, or with the
//! reference.

use crate::common::reference::{assert_agrees, component};
use crate::common::symmetry;
use clearway_rush::exact::Analysis;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Solver, Vehicle, formats, labels};
use clearway_search::Limits;

const BOTH: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// Number of bits that are needed to number the placements of every run of cells between walls separately.
fn bits(board: &Board) -> u32 {
    let mut bits = 0;
    for orientation in [Orientation::Horizontal, Orientation::Vertical] {
        let (lines, room) = match orientation {
            Orientation::Horizontal => (board.height(), board.width()),
            Orientation::Vertical => (board.width(), board.height()),
        };
        for line in 0..lines {
            let (mut free, mut vehicles) = (0u64, 0u64);
            // The cell beyond the last one ends the last run.
            for at in 0..=room {
                let (x, y) = if orientation == Orientation::Horizontal { (at, line) } else { (line, at) };
                if at == room || board.walls().contains(x, y) {
                    let placements = (0..vehicles).fold(1, |n, i| n * (free + vehicles - i) / (i + 1));
                    bits += placements.next_power_of_two().trailing_zeros();
                    (free, vehicles) = (0, 0);
                    continue;
                }
                match board.vehicles().iter().find(|v| v.orientation == orientation && v.cells().any(|c| c == (x, y))) {
                    Some(vehicle) => vehicles += u64::from(vehicle.position() == at),
                    None => free += 1,
                }
            }
        }
    }
    bits
}

/// Four cars around a free cell, which block each other.
fn pinwheel(x: u8, y: u8) -> [(u8, u8, Orientation); 4] {
    use Orientation::{Horizontal, Vertical};
    [(x, y, Horizontal), (x + 2, y, Vertical), (x + 1, y + 2, Horizontal), (x, y + 1, Vertical)]
}

/// Adds pinwheels, with labels that are not in use.
fn with_pinwheels(mut vehicles: Vec<Vehicle>, corners: impl Iterator<Item = (u8, u8)>) -> Vec<Vehicle> {
    let used: Vec<char> = vehicles.iter().map(|vehicle| vehicle.label).collect();
    let free = labels().iter().copied().filter(|label| !used.contains(label));
    let cars = corners.flat_map(|(x, y)| pinwheel(x, y));
    vehicles.extend(cars.zip(free).map(|((x, y, orientation), label)| Vehicle { label, x, y, length: 2, orientation }));
    vehicles
}

/// The cells of a rectangle.
fn rectangle(x: u8, y: u8, width: u8, height: u8) -> impl Iterator<Item = (u8, u8)> {
    (y..y + height).flat_map(move |y| (x..x + width).map(move |x| (x, y)))
}

/// Embeds a board at the right edge of a larger one, surrounded by walls.
fn walled_in(board: &Board, side: u8, above: u8) -> Board {
    let left = side - board.width();
    let vehicles = board.vehicles().iter().map(|&v| Vehicle { x: v.x + left, y: v.y + above, ..v }).collect();
    let around = rectangle(0, 0, side, side)
        .filter(|&(x, y)| x < left || y < above || y >= above + board.height())
        .filter(|&(x, y)| x + 1 >= left && y + 1 >= above && y <= above + board.height());
    let walls: Cells = board.walls().iter().map(|(x, y)| (x + left, y + above)).chain(around).collect();
    let exit = match board.exit() {
        Exit::Any(Side::Right, line) => Exit::Any(Side::Right, line + above),
        exit => exit,
    };
    Board::new(side, side, walls, vehicles, exit).expect("room for the board")
}

/// Embeds a 6x6 board in the upper right corner of 16x16, with locked pinwheels everywhere else, many in each line. The static
/// test does not detect that they are locked, so the states of all lines must be packed.
fn among_pinwheels(board: &Board) -> Board {
    let (width, height) = (board.width(), board.height());
    assert!((width, height) == (6, 6), "a 6x6 board");
    let vehicles = board.vehicles().iter().map(|&v| Vehicle { x: v.x + 10, ..v }).collect();
    let left = rectangle(0, 0, 3, 5).map(|(x, y)| (3 * x, 3 * y));
    let below = rectangle(0, 0, 2, 3).map(|(x, y)| (10 + 3 * x, 7 + 3 * y));
    let vehicles = with_pinwheels(vehicles, left.chain(below));
    let fences = rectangle(9, 0, 1, 16).chain(rectangle(0, 15, 9, 1)).chain(rectangle(10, 6, 6, 1));
    let walls = board.walls().iter().map(|(x, y)| (x + 10, y)).chain(fences).collect();
    Board::new(16, 16, walls, vehicles, board.exit()).expect("room for everything")
}

/// The facts that do not depend on the surroundings of a board.
fn counts(facts: Analysis) -> (u64, u64, Option<u32>, Option<u32>, Option<u128>, Vec<u64>) {
    (facts.states, facts.goals, facts.distance, facts.depth, facts.optimal_solutions, facts.histogram)
}

#[test]
fn cards_embedded_in_larger_boards_have_the_same_length() {
    let mut solver = Solver::new();
    for (i, card) in (0u8..).zip(Suite::find("cards").expect("the cards").puzzles()) {
        let larger = walled_in(&card.board, 9 + i % 8, i % 4);
        let larger = &symmetry::views(&larger)[usize::from(i / 5)];
        for (metric, known) in BOTH.into_iter().zip([card.moves, card.steps]) {
            let answer = solver.solve(larger, metric, &Limits::default());
            assert_eq!(answer.algorithm, "astar(landmarks)");
            let name = card.name.as_deref().unwrap_or_default();
            assert_eq!(
                Some(answer.lower_bound),
                known.map(formats::KnownLength::value),
                "{name} in {}",
                metric.as_str()
            );
            assert!(answer.solution.is_some(), "{name} in {}", metric.as_str());
        }
    }
}

#[test]
fn embedded_traffic_jams_and_boards_with_walls_have_the_same_facts() {
    let mut solver = Solver::new();
    let boards_of = |suite| Suite::find(suite).expect("a suite").puzzles().into_iter().map(|puzzle| puzzle.board);
    // The exit of a traffic jam is at the top; the board is rotated so that it is on the right.
    let jams = boards_of("traffic-jam").map(|board| symmetry::mirrored(&symmetry::transposed(&board)));
    for board in jams.chain(boards_of("walls").filter(|board| board.walls().len() >= 2)) {
        let larger = walled_in(&board, 13, 2);
        for metric in BOTH {
            let solve = |board| {
                let answer = solver.solve(board, metric, &Limits::default());
                (answer.verdict, answer.lower_bound, counts(solver.analyze(board, metric, &Limits::default())))
            };
            let [small, large] = [&board, &larger].map(solve);
            assert_eq!(small, large, "{} in {}", formats::line(&board), metric.as_str());
        }
    }
}

#[test]
fn cards_surrounded_by_locked_vehicles_have_the_same_facts() {
    let mut solver = Solver::new();
    for (i, name) in ["JAM03", "JAM11", "JAM25", "JAM30", "JAM40"].into_iter().enumerate() {
        let cards = Suite::find("cards").expect("the cards").puzzles();
        let card = cards.into_iter().find(|card| card.name.as_deref() == Some(name)).expect("a card");
        let surrounded = &symmetry::views(&among_pinwheels(&card.board))[i];
        assert!(bits(surrounded) > 128, "{} bits", bits(surrounded));
        for (metric, known) in BOTH.into_iter().zip([card.moves, card.steps]) {
            let answer = solver.solve(surrounded, metric, &Limits::default());
            assert_eq!(
                Some(answer.lower_bound),
                known.map(formats::KnownLength::value),
                "{name} in {}",
                metric.as_str()
            );
            let alone = solver.analyze(&card.board, metric, &Limits::default());
            assert_eq!(counts(solver.analyze(surrounded, metric, &Limits::default())), counts(alone), "{name}");
        }
    }
}

/// 100 cars on a 16x16 board; only those next to the right and the bottom edge can move, each by one cell.
#[test]
fn twenty_five_pinwheels_have_1024_states() {
    let corners = rectangle(0, 0, 5, 5).map(|(x, y)| (3 * x, 3 * y));
    let vehicles = with_pinwheels(vec![], corners);
    let label_at = |x, y| vehicles.iter().find(|v| (v.x, v.y) == (x, y)).expect("a car there").label;
    let renamed = |target: char| {
        let rename = |label| {
            if label == target {
                'A'
            } else if label == 'A' {
                target
            } else {
                label
            }
        };
        vehicles.iter().map(move |&v| Vehicle { label: rename(v.label), ..v }).collect::<Vec<_>>()
    };
    let board = |x, y| {
        let vehicles = renamed(label_at(x, y));
        Board::new(16, 16, Cells::default(), vehicles, Exit::Target(Side::Right)).expect("a board")
    };
    let (near, locked) = (board(13, 2), board(12, 0));
    assert_eq!(bits(&near), 180);
    let mut solver = Solver::new();
    for metric in BOTH {
        let (facts, _) =
            assert_agrees(&mut solver, &near, metric, &component(&near, metric, 2_000).expect("few states"));
        let expected = (1024, 512, Some(1), Some(1), Some(1), vec![512, 512]);
        assert_eq!(counts(facts), expected);
        // The target of the second board is locked: it has no relaxed plan.
        let (facts, engine) =
            assert_agrees(&mut solver, &locked, metric, &component(&locked, metric, 2_000).expect("few states"));
        assert_eq!((facts.states, facts.goals, engine), (1024, 0, "static"));
    }
}

/// A random 8x8 board that is full of cars except for a few gaps; any vehicle of one row may leave.
fn full_of_cars(mut roll: impl FnMut(u64) -> u64) -> Option<Board> {
    use Orientation::{Horizontal, Vertical};
    let (mut occupied, mut cars) = (Cells::default(), Vec::new());
    for (x, y) in rectangle(0, 0, 8, 8) {
        let orientation = if roll(2) == 0 { Horizontal } else { Vertical };
        let car = Vehicle { label: labels()[cars.len()], x, y, length: 2, orientation };
        if car.cells().all(|(x, y)| x < 8 && y < 8 && !occupied.contains(x, y)) {
            car.cells().for_each(|(x, y)| occupied.insert(x, y));
            cars.push(car);
        }
    }
    for _ in 0..roll(4) {
        cars.swap_remove(roll(cars.len() as u64) as usize);
    }
    Board::new(8, 8, Cells::default(), cars, Exit::Any(Side::Right, roll(8) as u8)).ok()
}

#[test]
fn on_8x8_states_of_more_than_54_bits_agree_with_the_reference() {
    let mut seed = 1u64;
    let mut roll = |sides: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    };
    let mut solver = Solver::new();
    let mut lengths = Vec::new();
    let drawn = (0..20_000).filter_map(|_| full_of_cars(&mut roll)).filter(|board| bits(board) > 54);
    let in_reach = drawn.filter_map(|board| {
        let facts = component(&board, Metric::Steps, 20_000)?.facts(&board);
        (facts.states >= 100).then(|| facts.farthest.unwrap_or(board))
    });
    for board in in_reach.take(20) {
        for metric in BOTH {
            let reference = component(&board, metric, 20_000).expect("a component that the reference can visit");
            lengths.push(assert_agrees(&mut solver, &board, metric, &reference).0.distance);
        }
    }
    assert_eq!(lengths.len(), 40, "boards that need more than 54 bits");
    assert!(lengths.iter().flatten().any(|&length| length >= 5), "{lengths:?}");
}

/// The fields of six rows fill the 54 bits of the narrowest key; the field of the walled-in car has no bits and follows them.
#[test]
fn a_line_that_cannot_move_may_follow_a_full_key() {
    let cars = ["BB.CC.DD.AA.....", "EE.FF.GG.HH.....", "II.JJ.KK.LL.....", "MM.NN.PP.QQ.....", "RR.SS.TT.UU....."];
    let rest = ["VV.WW.XX.YY.....", "...............x", "...............Z", "...............Z"];
    let board = formats::read_one(&format!("16x9:{}{}", cars.concat(), rest.concat()), None).expect("a board").board;
    assert_eq!(bits(&board), 54);
    for (metric, length) in BOTH.into_iter().zip([1, 5]) {
        assert_eq!(Solver::new().solve(&board, metric, &Limits::default()).lower_bound, length);
    }
}
