//! Rush Hour as a [`Domain`] for the domain-independent algorithms of the search crate.
//!
//! The exact solver has its own, faster state spaces. This one is optimised for incremental search: two bit scans of a
//! line give the room that a vehicle has to move, and a move is applied or undone in a few instructions.

use crate::{Board, Metric, Move, Orientation, Solution};
use clearway_search::{Domain, MoveOrder};

/// Rush Hour on one board in one metric, for at most 16 * `N` vehicles.
///
/// ```
/// use clearway_rush::{Metric, RushDomain, formats};
/// use clearway_search::Domain;
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
/// let mut moves = Vec::new();
/// domain.moves(&domain.start(), &mut moves);
/// assert_eq!(domain.solution(&moves).to_string(), "A+1 B+1");
/// ```
#[derive(Clone, Debug)]
pub struct RushDomain<const N: usize> {
    board: Board,
    metric: Metric,
    bodies: Vec<VehicleShape>,
    /// Number of cells in a row and in a column.
    sides: [u8; 2],
    /// Cells occupied by walls, by row and again by column.
    walls: [[u16; 16]; 2],
    start: RushState<N>,
    /// Vehicles in the order of the IT3105 report, and of the Traffic Jam report.
    report_orders: [Vec<u8>; 2],
}

/// Evaluates an expression with the constant `N` of the narrowest [`RushDomain`] that holds the vehicles of a board, among those
/// listed; the last one is 8, which holds every board.
///
/// Everything that depends on `N` is compiled once for each. A WebAssembly module is downloaded, so there it is compiled for 8
/// only.
///
/// ```
/// use clearway_rush::{Board, Metric, RushDomain, formats, with_words};
/// use clearway_search::Domain;
/// fn count_moves<const N: usize>(board: &Board) -> usize {
///     let (domain, mut moves) = (RushDomain::<N>::new(board, Metric::Moves).unwrap(), Vec::new());
///     domain.moves(&domain.start(), &mut moves);
///     moves.len()
/// }
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// assert_eq!(with_words!(board, N in [1, 2, 8] => count_moves::<N>(&board)), 2);
/// ```
#[cfg(not(target_family = "wasm"))]
#[macro_export]
macro_rules! with_words {
    ($board:expr, $n:ident in [$($words:literal),+] => $result:expr) => {
        match $board.vehicles().len() {
            $(vehicles if vehicles <= 16 * $words => {
                const $n: usize = $words;
                $result
            })+
            _ => unreachable!("a board has at most 128 vehicles"),
        }
    };
}

/// Evaluates an expression with the constant `N` of the widest [`RushDomain`].
#[cfg(target_family = "wasm")]
#[macro_export]
macro_rules! with_words {
    ($board:expr, $n:ident in [$($words:literal),+] => $result:expr) => {{
        const $n: usize = 8;
        $result
    }};
}

/// The properties of a vehicle that no move changes.
#[derive(Clone, Copy, Debug)]
pub struct VehicleShape {
    /// Direction in which it lies and slides.
    pub orientation: Orientation,
    /// Index of its row or column.
    pub line: u8,
    /// Length in cells.
    pub length: u8,
}

/// Positions of the vehicles, and the cells that they occupy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RushState<const N: usize> {
    /// Positions along the lines, 4 bits per vehicle.
    positions: [u64; N],
    /// Cells occupied by vehicles and walls, by row and again by column.
    occupied: [[u16; 16]; 2],
}

/// A slide of one vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RushMove {
    /// Index of the vehicle in the board.
    pub vehicle: u8,
    /// Distance in cells: positive right or down.
    pub cells: i8,
}

impl<const N: usize> RushState<N> {
    /// Position of a vehicle along its line.
    #[inline]
    pub fn position(&self, vehicle: usize) -> u8 {
        (self.positions[vehicle / 16] >> (vehicle % 16 * 4)) as u8 & 15
    }

    /// Cells of a row or column that are occupied by vehicles or walls, one bit each.
    #[inline]
    pub fn occupied(&self, orientation: Orientation, line: u8) -> u16 {
        self.occupied[orientation as usize][line as usize & 15]
    }

    /// Positions of all vehicles along their lines, 4 bits per vehicle.
    #[inline]
    pub(crate) fn packed_positions(&self) -> &[u64; N] {
        &self.positions
    }

    /// Cells occupied by vehicles or walls, by row and by column.
    #[inline]
    pub fn occupied_cells(&self) -> &[[u16; 16]; 2] {
        &self.occupied
    }
}

impl<const N: usize> RushDomain<N> {
    /// Creates the domain of a board; `None` if it has more than 16 * `N` vehicles.
    pub fn new(board: &Board, metric: Metric) -> Option<Self> {
        if board.vehicles().len() > 16 * N {
            return None;
        }
        let mut walls = [[0; 16]; 2];
        for (x, y) in board.walls().iter() {
            walls[0][y as usize] |= 1 << x;
            walls[1][x as usize] |= 1 << y;
        }
        let mut positions = [0; N];
        for (i, vehicle) in board.vehicles().iter().enumerate() {
            positions[i / 16] |= u64::from(vehicle.position()) << (i % 16 * 4);
        }
        let body = |v: &crate::Vehicle| VehicleShape { orientation: v.orientation, line: v.line(), length: v.length };
        let mut domain = RushDomain {
            board: board.clone(),
            metric,
            bodies: board.vehicles().iter().map(body).collect(),
            sides: [board.width(), board.height()],
            walls,
            start: RushState { positions, occupied: walls },
            report_orders: report_orders(board),
        };
        domain.start = domain.state(positions);
        Some(domain)
    }

    /// The board in its start state.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The metric, which decides whether a move is a slide or a step.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Fixed properties of the vehicles; the first is the target.
    pub fn bodies(&self) -> &[VehicleShape] {
        &self.bodies
    }

    /// Number of cells that a vehicle can move back and forward.
    #[inline]
    pub fn room(&self, state: &RushState<N>, vehicle: usize) -> (u8, u8) {
        let body = self.bodies[vehicle];
        self.room_among(vehicle, state.position(vehicle), state.occupied(body.orientation, body.line))
    }

    /// Number of cells that a vehicle can move back and forward from a position if these cells of its line are occupied.
    #[inline]
    pub fn room_among(&self, vehicle: usize, position: u8, occupied: u16) -> (u8, u8) {
        let body = self.bodies[vehicle];
        let (position, occupied) = (u32::from(position), u32::from(occupied));
        let behind = occupied & ((1 << position) - 1);
        let side = u32::from(self.sides[body.orientation as usize]);
        let ahead = (occupied | 1 << side) >> (position + u32::from(body.length));
        ((position - (32 - behind.leading_zeros())) as u8, ahead.trailing_zeros() as u8)
    }

    /// Converts moves to a solution of the board; consecutive steps of a vehicle in one direction become one move.
    pub fn solution(&self, moves: &[RushMove]) -> Solution {
        let mut joined: Vec<Move> = Vec::new();
        for mv in moves {
            let (label, cells) = (self.board.vehicles()[mv.vehicle as usize].label, mv.cells);
            match joined.last_mut() {
                Some(last)
                    if self.metric == Metric::Steps && last.label == label && (last.cells > 0) == (cells > 0) =>
                {
                    last.cells += cells;
                }
                _ => joined.push(Move { label, cells }),
            }
        }
        Solution(joined)
    }

    /// Returns the board in the given state.
    ///
    /// # Panics
    /// If the state does not belong to this board.
    pub fn board_at(&self, state: &RushState<N>) -> Board {
        let positions: Vec<u8> = (0..self.bodies.len()).map(|i| state.position(i)).collect();
        self.board.with_positions(&positions).expect("a state of this board")
    }

    fn slide(&self, state: &mut RushState<N>, vehicle: usize, cells: i8) {
        let body = self.bodies[vehicle];
        let from = state.position(vehicle);
        let to = from.wrapping_add_signed(cells);
        let (along, across) = (body.orientation as usize, 1 - body.orientation as usize);
        let (line, length) = (body.line as usize & 15, body.length);
        state.positions[vehicle / 16] ^= u64::from(from ^ to) << (vehicle % 16 * 4);
        let change = run(from, length) ^ run(to, length);
        state.occupied[along][line] ^= change;
        let mut rest = change;
        while rest != 0 {
            state.occupied[across][rest.trailing_zeros() as usize] ^= 1 << line;
            rest &= rest - 1;
        }
    }
}

/// `length` bits from `first` on.
fn run(first: u8, length: u8) -> u16 {
    (((1u32 << length) - 1) << first) as u16
}

impl<const N: usize> Domain for RushDomain<N> {
    type State = RushState<N>;
    type Key = [u64; N];
    type Move = RushMove;

    fn start(&self) -> RushState<N> {
        self.start
    }

    fn key(&self, state: &RushState<N>) -> [u64; N] {
        state.positions
    }

    fn state(&self, key: [u64; N]) -> RushState<N> {
        let mut state = RushState { positions: key, occupied: self.walls };
        for (vehicle, body) in self.bodies.iter().enumerate() {
            let (along, across) = (body.orientation as usize, 1 - body.orientation as usize);
            let (position, line) = (state.position(vehicle), body.line & 15);
            state.occupied[along][line as usize] |= run(position, body.length);
            for cell in position..position + body.length {
                state.occupied[across][cell as usize & 15] |= 1 << line;
            }
        }
        state
    }

    fn is_goal(&self, state: &RushState<N>) -> bool {
        state.position(0) == self.board.goal_position()
    }

    /// Generates the target's moves first, then those of the others in reading order, from the longest slide forward to
    /// the longest slide back. The target's slides towards the exit come first on whichever side the exit is.
    fn moves(&self, state: &RushState<N>, found: &mut Vec<RushMove>) {
        for vehicle in 0..self.bodies.len() {
            let (mut back, mut forward) = self.room(state, vehicle);
            if self.metric == Metric::Steps {
                (back, forward) = (back.min(1), forward.min(1));
            }
            let slide = |cells| RushMove { vehicle: vehicle as u8, cells };
            if vehicle == 0 && !self.board.exit().side().is_forward() {
                found.extend((1..=back as i8).rev().map(|cells| slide(-cells)));
                found.extend((1..=forward as i8).map(slide));
            } else {
                found.extend((1..=forward as i8).rev().map(slide));
                found.extend((1..=back as i8).map(|cells| slide(-cells)));
            }
        }
    }

    /// Generates the moves as a report does: the vehicles in its order, each from the longest slide back to the longest forward.
    ///
    /// The files of the IT3105 course list the target, the other horizontal vehicles and the vertical ones, both by column and
    /// then by row. The Traffic Jam report lists the vehicles by row and then by column, and the target last.
    fn moves_in(&self, order: MoveOrder, state: &RushState<N>, found: &mut Vec<RushMove>) {
        let vehicles = match order {
            MoveOrder::It3105 => &self.report_orders[0],
            MoveOrder::TrafficJam => &self.report_orders[1],
            _ => return self.moves(state, found),
        };
        for &vehicle in vehicles {
            let (mut back, mut forward) = self.room(state, vehicle as usize);
            if self.metric == Metric::Steps {
                (back, forward) = (back.min(1), forward.min(1));
            }
            let slides = (-(back as i8)..=forward as i8).filter(|&cells| cells != 0);
            found.extend(slides.map(|cells| RushMove { vehicle, cells }));
        }
    }

    #[inline]
    fn apply(&self, state: &mut RushState<N>, mv: RushMove) {
        self.slide(state, mv.vehicle as usize, mv.cells);
    }

    #[inline]
    fn undo(&self, state: &mut RushState<N>, mv: RushMove) {
        self.slide(state, mv.vehicle as usize, -mv.cells);
    }

    #[inline]
    fn key_after(&self, state: &mut RushState<N>, mv: RushMove) -> [u64; N] {
        let vehicle = mv.vehicle as usize;
        let from = state.position(vehicle);
        let mut key = state.positions;
        key[vehicle / 16] ^= u64::from(from ^ from.wrapping_add_signed(mv.cells)) << (vehicle % 16 * 4);
        key
    }

    /// The position of each vehicle.
    fn variables(&self, state: &RushState<N>, values: &mut Vec<u8>) {
        values.extend((0..self.bodies.len()).map(|vehicle| state.position(vehicle)));
    }

    fn same_piece(&self, first: RushMove, second: RushMove) -> bool {
        let reverses = (first.cells > 0) != (second.cells > 0);
        first.vehicle == second.vehicle && (self.metric == Metric::Moves || reverses)
    }

    fn winning_move(&self, state: &RushState<N>) -> Option<RushMove> {
        let cells = self.board.goal_position() as i8 - state.position(0) as i8;
        let (back, forward) = self.room(state, 0);
        let most = if self.metric == Metric::Steps { 1 } else { i8::MAX };
        (cells != 0 && (-(back as i8)..=forward as i8).contains(&cells) && cells.abs() <= most)
            .then_some(RushMove { vehicle: 0, cells })
    }

    /// The slide of the target to the exit; in steps, cell by cell.
    fn winning_macro(&self, state: &RushState<N>) -> Vec<RushMove> {
        let cells = self.board.goal_position() as i8 - state.position(0) as i8;
        let (back, forward) = self.room(state, 0);
        if !(-(back as i8)..=forward as i8).contains(&cells) {
            return Vec::new();
        }
        match self.metric {
            Metric::Moves => self.winning_move(state).into_iter().collect(),
            Metric::Steps => vec![RushMove { vehicle: 0, cells: cells.signum() }; cells.unsigned_abs().into()],
        }
    }
}

/// Vehicles in the order of the IT3105 report, and of the Traffic Jam report.
fn report_orders(board: &Board) -> [Vec<u8>; 2] {
    let vehicles = board.vehicles();
    let ordered = |key: &dyn Fn(usize) -> (bool, bool, u8, u8)| {
        let mut order: Vec<u8> = (0..vehicles.len() as u8).collect();
        order.sort_by_key(|&vehicle| key(vehicle as usize));
        order
    };
    let is_vertical = |vehicle: usize| vehicles[vehicle].orientation == Orientation::Vertical;
    [
        ordered(&|vehicle| (vehicle > 0, is_vertical(vehicle), vehicles[vehicle].x, vehicles[vehicle].y)),
        ordered(&|vehicle| (vehicle == 0, false, vehicles[vehicle].y, vehicles[vehicle].x)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::Suite;

    /// Makes `steps` pseudo-random moves and compares the domain with the board's own rules after each.
    fn walk<const N: usize>(board: &Board, metric: Metric, steps: usize) {
        let domain = RushDomain::<N>::new(board, metric).unwrap();
        let (mut state, mut board, mut random) = (domain.start(), board.clone(), 12345u64);
        for _ in 0..steps {
            let mut moves = Vec::new();
            domain.moves(&state, &mut moves);
            let labelled = |mv: &RushMove| Move { label: board.vehicles()[mv.vehicle as usize].label, cells: mv.cells };
            let mut ours: Vec<String> = moves.iter().map(|mv| labelled(mv).to_string()).collect();
            let legal = board.legal_moves().into_iter();
            let mut theirs: Vec<String> =
                legal.filter(|mv| metric == Metric::Moves || mv.cells.abs() == 1).map(|mv| mv.to_string()).collect();
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs);
            assert_eq!(domain.is_goal(&state), board.is_solved());
            assert_eq!(domain.state(domain.key(&state)), state);
            assert_eq!(domain.board_at(&state), board);
            let wins = moves.iter().find(|&&mv| {
                let mut next = state;
                domain.apply(&mut next, mv);
                domain.is_goal(&next) && !domain.is_goal(&state)
            });
            assert_eq!(domain.winning_move(&state), wins.copied());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(&mv) = moves.get((random >> 33) as usize % moves.len().max(1)) else { return };
            let before = state;
            let key = domain.key_after(&mut state, mv);
            domain.apply(&mut state, mv);
            assert_eq!(domain.key(&state), key);
            let mut back = state;
            domain.undo(&mut back, mv);
            assert_eq!(back, before);
            board.apply(labelled(&mv)).unwrap();
        }
    }

    #[test]
    fn the_domain_agrees_with_the_rules_of_the_board() {
        for name in ["cards", "walls", "traffic-jam", "course"] {
            for puzzle in Suite::find(name).unwrap().puzzles().into_iter().step_by(3) {
                for metric in [Metric::Moves, Metric::Steps] {
                    with_words!(puzzle.board, N in [1, 2, 8] => walk::<N>(&puzzle.board, metric, 60));
                }
            }
        }
    }
}
