//! Finds the boards of the suites `vandijk` and `sample-8x8`, and prints them in the format of the suites:
//!
//! ```sh
//! cargo run --release -p clearway-lab --example find_boards vandijk
//! cargo run --release -p clearway-lab --example find_boards sample-8x8
//! ```
//!
//! Both searches are seeded, so they always find the same boards, as long as the node counts of the algorithms do not change.

use clearway_lab::{ConfiguredAlgorithm, LabOutcome};
use clearway_rush::formats::{self, Format, KnownLength, Puzzle};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Solver, Vehicle, labels};
use clearway_search::{Limits, Verdict};
use clearway_util::rng::split_mix_64;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("vandijk") => van_dijk(),
        Some("sample-8x8") => eight_by_eight(),
        _ => eprintln!("missing suite; expected vandijk or sample-8x8"),
    }
}

/// Pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u8) -> u8 {
        (split_mix_64(&mut self.0) % u64::from(n)) as u8
    }
}

/// Draws a vehicle on a square board, outside of the target's row unless it is vertical.
fn vehicle(random: &mut Random, side: u8, row: u8, length: u8) -> Vehicle {
    let orientation = if random.below(2) == 0 { Orientation::Horizontal } else { Orientation::Vertical };
    let along = random.below(side - length + 1);
    let across = match orientation {
        Orientation::Horizontal => (row + 1 + random.below(side - 1)) % side,
        Orientation::Vertical => random.below(side),
    };
    let (x, y) = if orientation == Orientation::Horizontal { (along, across) } else { (across, along) };
    Vehicle { label: 'B', x, y, length, orientation }
}

fn target(x: u8, y: u8) -> Vehicle {
    Vehicle { label: 'A', x, y, length: 2, orientation: Orientation::Horizontal }
}

/// Creates a board with these vehicles, the target first; `None` if two of them overlap.
fn board(side: u8, vehicles: &[Vehicle]) -> Option<Board> {
    let labelled = vehicles.iter().zip(labels()).map(|(vehicle, &label)| Vehicle { label, ..*vehicle });
    Board::new(side, side, Cells::default(), labelled.collect(), Exit::Target(Side::Right)).ok()
}

fn print(name: &str, board: &Board) {
    let optimum = |metric| {
        let answer = Solver::new().solve(board, metric, &Limits::default());
        answer.solution.map(|_| KnownLength::Exactly(answer.lower_bound))
    };
    let puzzle = Puzzle {
        name: Some(name.to_owned()),
        moves: optimum(Metric::Moves),
        steps: optimum(Metric::Steps),
        ..Puzzle::new(board.clone())
    };
    print!("{}", formats::write(&puzzle, Format::Tsv).expect("a board fits into a line"));
}

/// Boards of the thesis: name, cars, trucks, optimum, and nodes with early detection and without.
const THESIS: [(&str, usize, usize, u32, u64, u64); 7] = [
    ("B1", 7, 3, 4, 809, 6_997),
    ("B2", 7, 4, 6, 24_524, 217_398),
    ("B3", 4, 4, 8, 712_380, 6_543_626),
    ("B4", 7, 3, 10, 724_120, 3_984_420),
    ("B5", 9, 3, 12, 379_267, 2_557_036),
    ("B6", 11, 2, 16, 0, 0),
    ("B7", 8, 3, 20, 0, 0),
];

/// Finds the first random board with the statistics of each board of the thesis on which its searches need about as many nodes.
fn van_dijk() {
    for (name, cars, trucks, optimum, early, plain) in THESIS {
        let mut random = Random(optimum.into());
        loop {
            let mut vehicles = vec![target(random.below(4), 2)];
            vehicles.extend((1..cars).map(|_| vehicle(&mut random, 6, 2, 2)));
            vehicles.extend((0..trucks).map(|_| vehicle(&mut random, 6, 2, 3)));
            let Some(board) = resolve_overlaps(&mut random, &mut vehicles) else { continue };
            let found = if plain > 0 { Some(board) } else { on_shortest_path(&board, optimum) };
            let Some(board) = found.filter(|board| length(board) == Some(optimum)) else { continue };
            if plain == 0 || costs_as_much(&board, optimum, early, plain) {
                print(name, &board);
                break;
            }
        }
    }
}

/// Moves vehicles that overlap, in a few attempts.
fn resolve_overlaps(random: &mut Random, vehicles: &mut [Vehicle]) -> Option<Board> {
    for last in 1..=vehicles.len() {
        let mut tries = 0;
        while board(6, &vehicles[..last]).is_none() {
            tries += 1;
            if tries > 20 {
                return None;
            }
            vehicles[last - 1] = vehicle(random, 6, 2, vehicles[last - 1].length);
        }
    }
    board(6, vehicles)
}

fn length(board: &Board) -> Option<u32> {
    let answer = Solver::new().solve(board, Metric::Moves, &Limits::default());
    answer.solution.map(|solution| solution.moves())
}

/// Returns a board with this optimum on a shortest path from the hardest state of the component.
fn on_shortest_path(board: &Board, optimum: u32) -> Option<Board> {
    let mut solver = Solver::new();
    let mut board = solver.analyze(board, Metric::Moves, &Limits::default()).farthest?;
    let solution = solver.solve(&board, Metric::Moves, &Limits::default()).solution?;
    for &mv in &solution.0[..solution.0.len().checked_sub(optimum as usize)?] {
        board.apply(mv).ok()?;
    }
    Some(board)
}

fn costs_as_much(board: &Board, optimum: u32, early: u64, plain: u64) -> bool {
    let run = |text: &str, nodes: u64| -> LabOutcome {
        let algorithm: ConfiguredAlgorithm = text.parse().expect("an algorithm");
        let limits = Limits { nodes: Some(nodes), memory: Some(900 << 20), ..Limits::default() };
        algorithm.solve(board, Metric::Moves, &limits, &HeuristicContext::default())
    };
    let near = |text: &str, nodes: u64| {
        let outcome = run(text, nodes * 2);
        outcome.verdict == Verdict::Solved && outcome.statistics.expanded * 2 >= nodes
    };
    let finishes = |text: &str| run(text, 200_000_000).verdict == Verdict::Solved;
    near("bfs(tree, early)", early)
        && near("bfs(tree)", plain)
        && finishes("dfs(depth=20)")
        && (2..optimum).step_by(2).all(|cutoff| finishes(&format!("hybrid(cutoff={cutoff}, depth=20)")))
}

/// Maximum number of states of the component of a board.
const MAX_STATES: u64 = 60_000;
/// Number of changes tried.
const CHANGES: u32 = 5_000;

/// Simulated annealing over boards. The objective is the depth of the hardest state of the component, from which the next
/// change starts.
fn eight_by_eight() {
    let mut found = 0;
    for seed in 1.. {
        let mut random = Random(seed);
        let mut solver = Solver::new();
        let limits = Limits { nodes: Some(MAX_STATES), ..Limits::default() };
        let mut hardest = |vehicles: &[Vehicle]| {
            let analysis = solver.analyze(&board(8, vehicles)?, Metric::Moves, &limits);
            let farthest = analysis.farthest.filter(|_| analysis.limit.is_none())?;
            Some((analysis.depth?, farthest.vehicles().to_vec()))
        };
        let Some(mut current) = (0..200).find_map(|_| hardest(&crowd(&mut random))) else { continue };
        let mut best = current.clone();
        for change in 0..CHANGES {
            let mut vehicles = current.1.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut random, &mut vehicles);
            }
            let Some(other) = hardest(&vehicles) else { continue };
            let loss = f64::from(current.0.saturating_sub(other.0));
            let heat = 1.5 * f64::from(CHANGES - change) / f64::from(CHANGES);
            let luck = split_mix_64(&mut random.0) as f64 / u64::MAX as f64;
            if luck < (-loss / heat).exp() {
                current = other;
            }
            if current.0 > best.0 {
                best = current.clone();
            }
        }
        if best.0 < 36 {
            continue;
        }
        found += 1;
        print(&format!("E{found}"), &board(8, &best.1).expect("the vehicles are those of a board"));
        if found == 8 {
            return;
        }
    }
}

/// Draws vehicles for a crowded board.
fn crowd(random: &mut Random) -> Vec<Vehicle> {
    let mut vehicles = vec![target(random.below(4), 3)];
    for _ in 0..100 {
        let length = 2 + random.below(2);
        vehicles.push(vehicle(random, 8, 3, length));
        if board(8, &vehicles).is_none() {
            vehicles.pop();
        }
    }
    let max = 17 + random.below(5) as usize;
    vehicles.truncate(max);
    vehicles
}

fn mutate(random: &mut Random, vehicles: &mut Vec<Vehicle>) {
    let length = 2 + random.below(2);
    let new = vehicle(random, 8, 3, length);
    let place = 1 + random.below(vehicles.len().max(2) as u8 - 1) as usize;
    match random.below(3) {
        0 => vehicles.push(new),
        1 if place < vehicles.len() => vehicles[place] = new,
        _ if place < vehicles.len() => {
            vehicles.remove(place);
        }
        _ => vehicles.push(new),
    }
}
