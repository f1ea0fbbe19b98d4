//! Independent enumeration for tests: places vehicles cell by cell on all boards of a shape, and explores them with the moves of
//! [`Board`]. It is slow, and shares no code with the enumeration.

use clearway_forge::Shape;
use clearway_forge::enumerate::Representative;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Vehicle, formats, labels};
use std::collections::{HashMap, HashSet, VecDeque};

/// Result of the independent enumeration.
pub struct EnumerationResult {
    pub states: u64,
    pub components: Vec<u64>,
    /// Boards with the histograms of their components.
    pub puzzles: Vec<(String, Vec<u64>)>,
}

/// Identifies a state: the vehicles without their labels, the target first, and the walls.
type State = (Vec<Vehicle>, Cells);

fn identity(board: &Board) -> State {
    let mut vehicles: Vec<Vehicle> = board.vehicles().iter().map(|&v| Vehicle { label: '?', ..v }).collect();
    vehicles[1..].sort_by_key(|v| (v.orientation, v.line(), v.position()));
    (vehicles, *board.walls())
}

pub fn catalogue(shape: Shape, metric: Metric, representative: Representative) -> EnumerationResult {
    let mut boards = Vec::new();
    let mut walls = vec![Vec::new()];
    for _ in 0..shape.walls() {
        let cells = (0..shape.height()).flat_map(|y| (0..shape.width()).map(move |x| (y, x)));
        let more = |walls: &Vec<(u8, u8)>| {
            let last = walls.last().copied();
            let walls = walls.clone();
            cells.clone().filter(move |&cell| Some(cell) > last).map(move |cell| [walls.clone(), vec![cell]].concat())
        };
        walls = walls.iter().flat_map(more).collect();
    }
    for walls in walls {
        place(shape, &walls.iter().map(|&(y, x)| (x, y)).collect(), 0, &mut Vec::new(), &mut boards);
    }
    let index: HashMap<State, usize> = boards.iter().enumerate().map(|(i, board)| (identity(board), i)).collect();
    assert_eq!(index.len(), boards.len());
    let neighbours: Vec<Vec<usize>> = boards
        .iter()
        .map(|board| {
            let moves = board.legal_moves().into_iter();
            let moves = moves.filter(|mv| metric == Metric::Moves || mv.cells.abs() == 1);
            moves
                .map(|mv| {
                    let mut next = board.clone();
                    next.apply(mv).unwrap();
                    index[&identity(&next)]
                })
                .collect()
        })
        .collect();
    let mut distance = vec![None; boards.len()];
    let mut queue: VecDeque<usize> = (0..boards.len()).filter(|&i| boards[i].is_solved()).collect();
    for &i in &queue {
        distance[i] = Some(0u32);
    }
    while let Some(i) = queue.pop_front() {
        for &next in &neighbours[i] {
            if distance[next].is_none() {
                distance[next] = Some(distance[i].unwrap() + 1);
                queue.push_back(next);
            }
        }
    }
    let mut result = EnumerationResult { states: boards.len() as u64, components: vec![], puzzles: vec![] };
    let mut seen = HashSet::new();
    for start in 0..boards.len() {
        if distance[start].is_none() || !seen.insert(start) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while next < component.len() {
            component.extend(neighbours[component[next]].iter().copied().filter(|&i| seen.insert(i)));
            next += 1;
        }
        let depth = component.iter().map(|&i| distance[i].unwrap()).max().unwrap() as usize;
        result.components.resize(result.components.len().max(depth + 1), 0);
        result.components[depth] += 1;
        let mut histogram = vec![0; depth + 1];
        for &i in &component {
            histogram[distance[i].unwrap() as usize] += 1;
        }
        let mut hardest: Vec<&Board> =
            component.into_iter().filter(|&i| distance[i].unwrap() as usize == depth).map(|i| &boards[i]).collect();
        hardest.sort_by_key(|board| first_lines(shape, board));
        if representative == Representative::First {
            hardest.truncate(1);
        }
        let is_removable = |board: &Board, v: usize| {
            let mut vehicles = board.vehicles().to_vec();
            vehicles.remove(v);
            let fewer = Board::new(shape.width(), shape.height(), *board.walls(), vehicles, shape.exit()).unwrap();
            distance[index[&identity(&fewer)]] == Some(depth as u32)
        };
        let is_minimal = |board: &Board| !(1..board.vehicles().len()).any(|v| is_removable(board, v));
        if depth > 0
            && let Some(minimal) = hardest.into_iter().find(|board| is_minimal(board))
        {
            result.puzzles.push((formats::line(minimal), histogram));
        }
    }
    result.puzzles.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    result
}

/// Returns the positions of all vehicles on the board turned so that its exit is on the right, those in rows first.
fn first_lines(shape: Shape, board: &Board) -> Vec<u8> {
    let across = shape.side().orientation();
    let mut places: Vec<(bool, u8, u8)> = board
        .vehicles()
        .iter()
        .map(|v| {
            let is_row = v.orientation == across;
            let turned = |at: u8, length: u8, side: u8| if shape.side().is_forward() { at } else { side - at - length };
            let side = board.side_along(across);
            let position = if is_row { turned(v.position(), v.length, side) } else { v.position() };
            let line = if is_row { v.line() } else { turned(v.line(), 1, side) };
            (!is_row, line, position)
        })
        .collect();
    places.sort_unstable();
    places.into_iter().map(|place| place.2).collect()
}

/// Places vehicles on the cells from `first` on, in reading order of their first cells.
fn place(shape: Shape, walls: &Cells, first: u16, vehicles: &mut Vec<Vehicle>, boards: &mut Vec<Board>) {
    let (width, height) = (shape.width(), shape.height());
    if first == u16::from(width) * u16::from(height) {
        boards.extend(finish(shape, walls, vehicles));
        return;
    }
    place(shape, walls, first + 1, vehicles, boards);
    let (x, y) = ((first % u16::from(width)) as u8, (first / u16::from(width)) as u8);
    for orientation in [Orientation::Horizontal, Orientation::Vertical] {
        for length in 2..=3 {
            let vehicle = Vehicle { label: '?', x, y, length, orientation };
            let taken = |(x, y)| walls.contains(x, y) || vehicles.iter().any(|v| v.cells().any(|cell| cell == (x, y)));
            if vehicle.cells().all(|(x, y)| x < width && y < height && !taken((x, y))) {
                vehicles.push(vehicle);
                place(shape, walls, first + 1, vehicles, boards);
                vehicles.pop();
            }
        }
    }
}

/// Returns the board if its target has two cells, is alone in its line and has no wall before the exit, and no line is full.
fn finish(shape: Shape, walls: &Cells, vehicles: &[Vehicle]) -> Option<Board> {
    let across = shape.side().orientation();
    let of_line = |orientation, line| {
        let found = vehicles.iter().filter(move |v| v.orientation == orientation && v.line() == line);
        found.collect::<Vec<_>>()
    };
    let [target] = of_line(across, shape.line())[..] else { return None };
    let labelled: Vec<Vehicle> = std::iter::once(target)
        .chain(vehicles.iter().filter(|v| *v != target))
        .zip(labels())
        .map(|(v, &label)| Vehicle { label, ..*v })
        .collect();
    let board = Board::new(shape.width(), shape.height(), *walls, labelled, Exit::Target(shape.side())).ok()?;
    let mut emptied = board.clone();
    for vehicle in &board.vehicles()[1..] {
        emptied = clearway_forge::minimal::without(&emptied, emptied.vehicle_labelled(vehicle.label).unwrap()).unwrap();
    }
    let cells = board.goal_position() as i8 - emptied.target().position() as i8;
    let is_open = cells == 0 || emptied.apply(clearway_rush::Move { label: 'A', cells }).is_ok();
    let is_full = |orientation: Orientation, line: u8| {
        let length = board.side_along(orientation);
        let wall = |p: u8| if orientation == Orientation::Horizontal { (p, line) } else { (line, p) };
        let walls = (0..length).filter(|&p| board.walls().contains(wall(p).0, wall(p).1)).count();
        let taken: usize = of_line(orientation, line).iter().map(|v| v.length as usize).sum();
        taken > 0 && taken + walls == length as usize
    };
    let any_full = [Orientation::Horizontal, Orientation::Vertical].into_iter().any(|orientation| {
        let lines = if orientation == Orientation::Horizontal { shape.height() } else { shape.width() };
        (0..lines).any(|line| is_full(orientation, line))
    });
    (target.length == 2 && is_open && !any_full).then_some(board)
}
