//! The reference solver: plain breadth-first search over vectors of positions and a painted grid. It shares no code with the
//! solver that is tested against it.

use clearway_rush::exact::Analysis;
use clearway_rush::{Board, Exit, Metric, Orientation, Side, Solver, formats, replay};
use clearway_search::{Limits, Verdict};
use std::collections::{HashMap, VecDeque};

/// All states that are reachable from a board.
#[derive(Debug)]
pub struct Component {
    /// Positions of the vehicles; the first state is the start.
    states: Vec<Vec<u8>>,
    /// By state: the states one move away.
    neighbours: Vec<Vec<usize>>,
    /// By state: the distance to the nearest solved state.
    distances: Vec<Option<u32>>,
}

/// Returns the component of a board; `None` if it has more than `max_states` states.
pub fn component(board: &Board, metric: Metric, max_states: usize) -> Option<Component> {
    let start: Vec<u8> =
        board.vehicles().iter().map(|v| if is_horizontal(v.orientation) { v.x } else { v.y }).collect();
    let mut index = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    let mut neighbours: Vec<Vec<usize>> = Vec::new();
    while neighbours.len() < states.len() {
        let mut found = Vec::new();
        for state in moved(board, metric, &states[neighbours.len()]) {
            let number = *index.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            });
            found.push(number);
        }
        if states.len() > max_states {
            return None;
        }
        neighbours.push(found);
    }
    let mut distances = vec![None; states.len()];
    let mut queue: VecDeque<usize> = (0..states.len()).filter(|&s| is_solved(board, &states[s])).collect();
    for &solved in &queue {
        distances[solved] = Some(0);
    }
    while let Some(state) = queue.pop_front() {
        for &next in &neighbours[state] {
            if distances[next].is_none() {
                distances[next] = distances[state].map(|distance| distance + 1);
                queue.push_back(next);
            }
        }
    }
    Some(Component { states, neighbours, distances })
}

fn is_horizontal(orientation: Orientation) -> bool {
    orientation == Orientation::Horizontal
}

/// Returns whether each cell is occupied, row by row.
fn painted(board: &Board, state: &[u8]) -> Vec<Vec<bool>> {
    let mut occupied = vec![vec![false; board.width().into()]; board.height().into()];
    for (x, y) in board.walls().iter() {
        occupied[y as usize][x as usize] = true;
    }
    for (vehicle, &position) in board.vehicles().iter().zip(state) {
        for cell in position..position + vehicle.length {
            let (x, y) = if is_horizontal(vehicle.orientation) { (cell, vehicle.y) } else { (vehicle.x, cell) };
            occupied[y as usize][x as usize] = true;
        }
    }
    occupied
}

/// The states one move away.
fn moved(board: &Board, metric: Metric, state: &[u8]) -> Vec<Vec<u8>> {
    let occupied = painted(board, state);
    let mut found = Vec::new();
    for (i, vehicle) in board.vehicles().iter().enumerate() {
        let is_free = |cell: u8| {
            let (x, y) = if is_horizontal(vehicle.orientation) { (cell, vehicle.y) } else { (vehicle.x, cell) };
            occupied.get(y as usize).and_then(|row| row.get(x as usize)) == Some(&false)
        };
        let far = if metric == Metric::Moves { usize::MAX } else { 1 };
        let back = (0..state[i]).rev().take_while(|&cell| is_free(cell)).take(far);
        let forward = (state[i] + 1..).take_while(|&p| is_free(p + vehicle.length - 1)).take(far);
        for position in back.chain(forward) {
            let mut next = state.to_vec();
            next[i] = position;
            found.push(next);
        }
    }
    found
}

/// Returns whether a vehicle that may leave touches the exit's side.
fn is_solved(board: &Board, state: &[u8]) -> bool {
    board.vehicles().iter().zip(state).any(|(vehicle, &position)| {
        let (may_leave, side) = match board.exit() {
            Exit::Target(side) => (vehicle.label == 'A', side),
            Exit::Any(side, line) => {
                let in_row = matches!(side, Side::Left | Side::Right);
                let own_line = if in_row { vehicle.y } else { vehicle.x };
                (is_horizontal(vehicle.orientation) == in_row && own_line == line, side)
            }
        };
        let end = position + vehicle.length;
        may_leave
            && match side {
                Side::Left | Side::Top => position == 0,
                Side::Right => end == board.width(),
                Side::Bottom => end == board.height(),
            }
    })
}

impl Component {
    /// Returns the expected analysis of the component.
    pub fn facts(&self, board: &Board) -> Analysis {
        let mut histogram = Vec::new();
        for &distance in self.distances.iter().flatten() {
            histogram.resize(histogram.len().max(distance as usize + 1), 0);
            histogram[distance as usize] += 1;
        }
        let depth = self.distances.iter().copied().max().flatten();
        let farthest = (0..self.states.len()).filter(|&s| depth.is_some() && self.distances[s] == depth);
        let farthest = farthest.map(|s| &self.states[s]).min();
        Analysis {
            limit: None,
            is_partial: false,
            states: self.states.len() as u64,
            goals: histogram.first().copied().unwrap_or(0),
            distance: self.distances[0],
            depth,
            farthest: farthest.map(|positions| board.with_positions(positions).expect("a state obeys the rules")),
            optimal_solutions: Some(self.count_shortest_solutions()),
            histogram,
        }
    }

    fn count_shortest_solutions(&self) -> u128 {
        let mut by_distance: Vec<usize> = (0..self.states.len()).filter(|&s| self.distances[s].is_some()).collect();
        by_distance.sort_by_key(|&s| self.distances[s]);
        let mut paths = vec![0u128; self.states.len()];
        for s in by_distance {
            let nearer = |&&next: &&usize| self.distances[next].map(|d| d + 1) == self.distances[s];
            paths[s] = match self.distances[s] {
                Some(0) => 1,
                _ => self.neighbours[s].iter().filter(nearer).map(|&next| paths[next]).sum(),
            };
        }
        paths[0]
    }
}

/// Solves and analyses a board in one metric, and asserts that the results agree with the reference. Returns the facts and the
/// name of the engine.
pub fn assert_agrees(
    solver: &mut Solver,
    board: &Board,
    metric: Metric,
    component: &Component,
) -> (Analysis, &'static str) {
    let facts = component.facts(board);
    let shown = || format!("{} in {}", formats::line(board), metric.as_str());
    let answer = solver.solve(board, metric, &Limits::default());
    match (facts.distance, &answer.solution) {
        (Some(distance), Some(solution)) => {
            assert_eq!(answer.verdict, Verdict::Solved, "{}", shown());
            let check = replay(board, &solution.0).unwrap_or_else(|error| panic!("{}: {error}", shown()));
            assert!(check.solved, "{}: {solution}", shown());
            let length = if metric == Metric::Moves { check.moves } else { check.steps };
            assert_eq!((length, answer.lower_bound), (distance, distance), "{}", shown());
        }
        (None, None) => assert_eq!(answer.verdict, Verdict::Unsolvable, "{}", shown()),
        (distance, _) => panic!("{}: {distance:?} expected, {answer:?} found", shown()),
    }
    assert_eq!(solver.analyze(board, metric, &Limits::default()), facts, "{}", shown());
    assert_hardest_agrees(solver, board, metric, &facts);
    (facts, answer.algorithm)
}

/// Asserts that the hardest state is that of the facts, and that the path from it is a shortest one.
fn assert_hardest_agrees(solver: &mut Solver, board: &Board, metric: Metric, facts: &Analysis) {
    let shown = || format!("{} in {}", formats::line(board), metric.as_str());
    let hardest = solver.hardest(board, metric, &Limits::default());
    assert_eq!(hardest.is_some(), facts.farthest.is_some(), "{}", shown());
    let Some(hardest) = hardest else { return };
    assert_eq!((hardest.states, Some(hardest.depth)), (facts.states, facts.depth), "{}", shown());
    assert_eq!(board.with_positions(&hardest.way[0]).ok(), facts.farthest, "{}", shown());
    assert_eq!(hardest.way.len(), facts.histogram.len(), "{}", shown());
    assert!(is_solved(board, &hardest.way[hardest.way.len() - 1]), "{}", shown());
    for pair in hardest.way.windows(2) {
        assert!(moved(board, metric, &pair[0]).contains(&pair[1]), "{}", shown());
    }
    let too_many = Limits { nodes: Some(facts.states - 1), ..Limits::default() };
    if facts.states > 1 {
        assert_eq!(solver.hardest(board, metric, &too_many), None, "{}", shown());
    }
}
