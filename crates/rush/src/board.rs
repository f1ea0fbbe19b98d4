//! The board: its size, walls, exit and vehicles. It is validated on construction; all other code relies on that.

use crate::{Cells, Exit, Move, MoveError, Orientation, Side, Vehicle, is_label};

/// Minimum length of a side, in cells.
pub const MIN_SIDE: u8 = 2;
/// Maximum length of a side, in cells.
pub const MAX_SIDE: u8 = 16;

/// Longest side of a small board. Lines of this length still fit into the tables of the exact solver, and the components of most
/// small boards can be explored.
pub const SMALL_SIDE: u8 = 8;

/// A violation of the rules for boards. Coordinates count from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum BoardError {
    #[error("invalid board size {width}x{height}; both sides must be from {MIN_SIDE} to {MAX_SIDE}")]
    InvalidSize { width: usize, height: usize },
    #[error("a wall at column {x}, row {y} is off the {width}x{height} grid")]
    WallOffGrid { x: u8, y: u8, width: u8, height: u8 },
    #[error("too many vehicles ({count}); a {width}x{height} board holds at most {most}")]
    TooManyVehicles { count: usize, most: usize, width: u8, height: u8 },
    #[error("invalid vehicle label '{label}'; use a letter (other than o and x) or a digit (other than 0)")]
    InvalidLabel { label: char },
    #[error("vehicle {label} has length {length}; a vehicle covers at least 2 cells")]
    TooShort { label: char, length: u8 },
    #[error("vehicle {label} of length {length} at column {x}, row {y} extends beyond the {width}x{height} grid")]
    OffGrid { label: char, length: u8, x: u8, y: u8, width: u8, height: u8 },
    #[error("vehicle {label} covers the wall at column {x}, row {y}")]
    OnWall { label: char, x: u8, y: u8 },
    #[error("vehicles {other} and {label} overlap at column {x}, row {y}")]
    Overlap { label: char, other: char, x: u8, y: u8 },
    #[error("two vehicles are labelled {label}; every vehicle needs its own label")]
    DuplicateLabel { label: char },
    #[error("missing target; expected a vehicle labelled A")]
    NoTarget,
    #[error("the target A lies {}, but a vehicle must lie {} to leave by the {} side", describe(*orientation), describe(side.orientation()), side.as_str())]
    TargetNotAligned { orientation: Orientation, side: Side },
    #[error("exit line {line} of the {} side is off the {width}x{height} grid", side.as_str())]
    ExitOffGrid { side: Side, line: u8, width: u8, height: u8 },
    #[error("no vehicle lies along line {line}, so none can ever reach the exit {}:{line}", side.as_str())]
    NoVehicleAtExit { side: Side, line: u8 },
}

fn describe(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Horizontal => "in a row",
        Orientation::Vertical => "in a column",
    }
}

impl BoardError {
    /// Cell at fault as (x, y), if the error concerns one.
    pub fn cell(&self) -> Option<(u8, u8)> {
        match *self {
            BoardError::WallOffGrid { x, y, .. }
            | BoardError::OffGrid { x, y, .. }
            | BoardError::OnWall { x, y, .. }
            | BoardError::Overlap { x, y, .. } => Some((x, y)),
            _ => None,
        }
    }

    /// Label of the vehicle at fault, if the error concerns one.
    pub fn label(&self) -> Option<char> {
        match *self {
            BoardError::InvalidLabel { label }
            | BoardError::TooShort { label, .. }
            | BoardError::OffGrid { label, .. }
            | BoardError::OnWall { label, .. }
            | BoardError::Overlap { label, .. }
            | BoardError::DuplicateLabel { label } => Some(label),
            BoardError::TargetNotAligned { .. } => Some('A'),
            _ => None,
        }
    }
}

/// A board with the current positions of its vehicles. Every value obeys the rules that [`Board::new`] checks.
///
/// Vehicle 0 is the one that has to reach the exit: the target or, if any vehicle of the exit's line may leave, the one
/// nearest to the exit (vehicles of a line cannot pass each other). The others follow in reading order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: u8,
    height: u8,
    walls: Cells,
    exit: Exit,
    vehicles: Vec<Vehicle>,
}

impl Board {
    /// Creates a board, or returns the first violation of the rules.
    ///
    /// ```
    /// use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle};
    /// let target = Vehicle { label: 'A', x: 0, y: 1, length: 2, orientation: Orientation::Horizontal };
    /// let board = Board::new(4, 3, Cells::default(), vec![target], Exit::Target(Side::Right))?;
    /// assert!(!board.is_solved());
    /// # Ok::<(), clearway_rush::BoardError>(())
    /// ```
    pub fn new(
        width: u8,
        height: u8,
        walls: Cells,
        mut vehicles: Vec<Vehicle>,
        exit: Exit,
    ) -> Result<Board, BoardError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(BoardError::InvalidSize { width: width.into(), height: height.into() });
        }
        if let Some((x, y)) = walls.iter().find(|&(x, y)| x >= width || y >= height) {
            return Err(BoardError::WallOffGrid { x, y, width, height });
        }
        let (count, most) = (vehicles.len(), width as usize * height as usize / 2);
        if count > most {
            return Err(BoardError::TooManyVehicles { count, most, width, height });
        }
        check_vehicles(width, height, &walls, &vehicles)?;
        let first = find_target(width, height, &vehicles, exit)?;
        let first = vehicles.swap_remove(first);
        vehicles.sort_unstable_by_key(|v| (v.y, v.x));
        vehicles.insert(0, first);
        Ok(Board { width, height, walls, exit, vehicles })
    }

    /// Number of columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Whether a side is longer than [`SMALL_SIDE`].
    pub fn is_large(&self) -> bool {
        self.width.max(self.height) > SMALL_SIDE
    }

    /// Cells that are walls.
    pub fn walls(&self) -> &Cells {
        &self.walls
    }

    /// Side of the exit, and which vehicles may leave by it.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Index of the row or column of the exit, from 0.
    pub fn exit_line(&self) -> u8 {
        self.vehicles[0].line()
    }

    /// All vehicles; the first is the one that has to reach the exit.
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// Vehicle that has to reach the exit.
    pub fn target(&self) -> &Vehicle {
        &self.vehicles[0]
    }

    /// Position at which the target touches the exit's side.
    pub fn goal_position(&self) -> u8 {
        let target = self.target();
        if self.exit.side().is_forward() { self.side_along(target.orientation) - target.length } else { 0 }
    }

    /// Returns whether the target touches the exit's side.
    pub fn is_solved(&self) -> bool {
        self.target().position() == self.goal_position()
    }

    /// Number of cells in a line of the given orientation.
    pub fn side_along(&self, orientation: Orientation) -> u8 {
        match orientation {
            Orientation::Horizontal => self.width,
            Orientation::Vertical => self.height,
        }
    }

    /// Index of the vehicle that covers a cell, if any.
    pub fn vehicle_at(&self, x: u8, y: u8) -> Option<usize> {
        self.vehicles.iter().position(|v| v.cells().any(|cell| cell == (x, y)))
    }

    /// Index of the vehicle with a label, if any.
    pub fn vehicle_labelled(&self, label: char) -> Option<usize> {
        self.vehicles.iter().position(|v| v.label == label)
    }

    /// Slides a vehicle. An illegal move returns the reason and leaves the board unchanged.
    pub fn apply(&mut self, mv: Move) -> Result<(), MoveError> {
        let index = self.vehicle_labelled(mv.label).ok_or(MoveError::NoSuchVehicle { label: mv.label })?;
        let vehicle = self.vehicles[index];
        if mv.cells == 0 {
            return Err(MoveError::ZeroCells { label: mv.label });
        }
        let (position, side) = (vehicle.position() as i16, self.side_along(vehicle.orientation) as i16);
        let mut slid = vehicle;
        // Cell by cell, so that the error names the nearest obstacle.
        for cells in 1..=i16::from(mv.cells.unsigned_abs()) {
            let end = position + cells * i16::from(mv.cells.signum());
            if end < 0 || end + vehicle.length as i16 > side {
                return Err(MoveError::OffGrid { label: mv.label });
            }
            slid = vehicle.at(end as u8);
            let entered = if mv.cells > 0 { slid.cells().last() } else { slid.cells().next() };
            let Some((x, y)) = entered else { break };
            if self.walls.contains(x, y) {
                return Err(MoveError::Wall { label: mv.label, x, y });
            }
            if let Some(other) = self.vehicle_at(x, y) {
                return Err(MoveError::Blocked { label: mv.label, by: self.vehicles[other].label, x, y });
            }
        }
        self.vehicles[index] = slid;
        Ok(())
    }

    /// Undoes a move that was [applied](Self::apply).
    pub fn undo(&mut self, mv: Move) -> Result<(), MoveError> {
        self.apply(mv.reversed())
    }

    /// All legal moves, by vehicle, backward before forward, short before long.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for vehicle in &self.vehicles {
            for sign in [-1, 1] {
                let slides = (1..MAX_SIDE as i8).map(|n| Move { label: vehicle.label, cells: n * sign });
                found.extend(slides.take_while(|&mv| self.clone().apply(mv).is_ok()));
            }
        }
        found
    }

    /// Sorts the vehicles after the first into an order that no move changes: rows before columns, then by line, then by
    /// position in the line (vehicles of a line cannot pass each other).
    #[must_use]
    pub fn ordered_by_line(mut self) -> Board {
        self.vehicles[1..].sort_unstable_by_key(|v| (v.orientation, v.line(), v.position()));
        self
    }

    /// Returns the same board with its vehicles at other positions, one per vehicle in order, if that obeys the rules.
    pub fn with_positions(&self, positions: &[u8]) -> Result<Board, BoardError> {
        let mut board = self.clone();
        for (vehicle, &position) in board.vehicles.iter_mut().zip(positions) {
            *vehicle = vehicle.at(position);
        }
        check_vehicles(self.width, self.height, &self.walls, &board.vehicles)?;
        Ok(board)
    }
}

fn check_vehicles(width: u8, height: u8, walls: &Cells, vehicles: &[Vehicle]) -> Result<(), BoardError> {
    let mut owner = [[None; MAX_SIDE as usize]; MAX_SIDE as usize];
    for (index, &Vehicle { label, x, y, length, orientation }) in vehicles.iter().enumerate() {
        if !is_label(label) {
            return Err(BoardError::InvalidLabel { label });
        }
        if length < 2 {
            return Err(BoardError::TooShort { label, length });
        }
        let (dx, dy) = if orientation == Orientation::Horizontal { (length, 1) } else { (1, length) };
        let (right, bottom) = (x as u16 + dx as u16, y as u16 + dy as u16);
        if right > width.into() || bottom > height.into() {
            return Err(BoardError::OffGrid { label, length, x, y, width, height });
        }
        if vehicles[..index].iter().any(|other| other.label == label) {
            return Err(BoardError::DuplicateLabel { label });
        }
        for (x, y) in vehicles[index].cells() {
            if walls.contains(x, y) {
                return Err(BoardError::OnWall { label, x, y });
            }
            if let Some(other) = owner[y as usize][x as usize].replace(label) {
                return Err(BoardError::Overlap { label, other, x, y });
            }
        }
    }
    Ok(())
}

/// Index of the vehicle that has to reach the exit.
fn find_target(width: u8, height: u8, vehicles: &[Vehicle], exit: Exit) -> Result<usize, BoardError> {
    match exit {
        Exit::Target(side) => {
            let index = vehicles.iter().position(|v| v.label == 'A').ok_or(BoardError::NoTarget)?;
            let orientation = vehicles[index].orientation;
            if orientation == side.orientation() {
                Ok(index)
            } else {
                Err(BoardError::TargetNotAligned { orientation, side })
            }
        }
        Exit::Any(side, line) => {
            let lines = if side.orientation() == Orientation::Horizontal { height } else { width };
            if line >= lines {
                return Err(BoardError::ExitOffGrid { side, line, width, height });
            }
            let in_line = vehicles
                .iter()
                .enumerate()
                .filter(|(_, v)| v.orientation == side.orientation() && v.line() == line)
                .map(|(index, v)| (v.position(), index));
            let nearest = if side.is_forward() { in_line.max() } else { in_line.min() };
            nearest.map(|(_, index)| index).ok_or(BoardError::NoVehicleAtExit { side, line })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn car(label: char, x: u8, y: u8, length: u8, orientation: Orientation) -> Vehicle {
        Vehicle { label, x, y, length, orientation }
    }
    use Orientation::{Horizontal, Vertical};

    fn rejected(vehicles: Vec<Vehicle>, exit: Exit) -> BoardError {
        Board::new(4, 5, [(3, 4)].into_iter().collect(), vehicles, exit).unwrap_err()
    }

    #[test]
    fn invalid_boards_are_rejected_with_the_fault() {
        let right = Exit::Target(Side::Right);
        let target = car('A', 0, 1, 2, Horizontal);
        assert_eq!(rejected(vec![], right), BoardError::NoTarget);
        assert_eq!(
            rejected(vec![target, car('B', 1, 0, 2, Vertical)], right),
            BoardError::Overlap { label: 'B', other: 'A', x: 1, y: 1 }
        );
        assert_eq!(
            rejected(vec![target, car('A', 1, 3, 2, Vertical)], right),
            BoardError::DuplicateLabel { label: 'A' }
        );
        assert_eq!(
            rejected(vec![target, car('B', 3, 3, 2, Vertical)], right),
            BoardError::OnWall { label: 'B', x: 3, y: 4 }
        );
        assert!(matches!(rejected(vec![target, car('B', 3, 0, 2, Horizontal)], right), BoardError::OffGrid { .. }));
        assert!(matches!(rejected(vec![target, car('B', 255, 255, 255, Vertical)], right), BoardError::OffGrid { .. }));
        assert!(matches!(rejected(vec![target, car('B', 0, 0, 1, Vertical)], right), BoardError::TooShort { .. }));
        assert!(matches!(rejected(vec![target, car('x', 0, 2, 2, Vertical)], right), BoardError::InvalidLabel { .. }));
        assert!(matches!(rejected(vec![target], Exit::Target(Side::Top)), BoardError::TargetNotAligned { .. }));
        assert!(matches!(rejected(vec![target], Exit::Any(Side::Top, 4)), BoardError::ExitOffGrid { .. }));
        assert!(matches!(rejected(vec![target], Exit::Any(Side::Top, 0)), BoardError::NoVehicleAtExit { .. }));
        assert!(matches!(rejected(vec![target; 11], right), BoardError::TooManyVehicles { most: 10, .. }));
        let error = Board::new(17, 6, Cells::default(), vec![], right).unwrap_err();
        assert_eq!(error.to_string(), "invalid board size 17x6; both sides must be from 2 to 16");
    }

    #[test]
    fn moves_are_applied_undone_or_rejected_with_the_reason() {
        let vehicles = vec![car('A', 0, 1, 2, Horizontal), car('B', 3, 0, 2, Vertical)];
        let mut board = Board::new(4, 5, [(3, 4)].into_iter().collect(), vehicles, Exit::Target(Side::Right)).unwrap();
        let start = board.clone();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        assert_eq!(board.apply(mv("A+2")), Err(MoveError::Blocked { label: 'A', by: 'B', x: 3, y: 1 }));
        assert_eq!(board.apply(mv("A-1")), Err(MoveError::OffGrid { label: 'A' }));
        assert_eq!(board.apply(mv("B+3")), Err(MoveError::Wall { label: 'B', x: 3, y: 4 }));
        assert_eq!(board.apply(mv("C+3")), Err(MoveError::NoSuchVehicle { label: 'C' }));
        assert_eq!(board, start);
        let texts: Vec<String> = board.legal_moves().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["A+1", "B+1", "B+2"]);
        board.apply(mv("B+2")).unwrap();
        board.apply(mv("A+2")).unwrap();
        assert!(board.is_solved());
        board.undo(mv("A+2")).unwrap();
        board.undo(mv("B+2")).unwrap();
        assert_eq!(board, start);
    }

    #[test]
    fn without_a_target_the_vehicle_nearest_to_the_exit_must_leave() {
        let vehicles = || vec![car('P', 2, 3, 2, Vertical), car('Q', 2, 0, 2, Vertical), car('A', 0, 0, 2, Horizontal)];
        let top = Board::new(4, 6, Cells::default(), vehicles(), Exit::Any(Side::Top, 2)).unwrap();
        assert_eq!((top.target().label, top.is_solved()), ('Q', true));
        let bottom = Board::new(4, 6, Cells::default(), vehicles(), Exit::Any(Side::Bottom, 2)).unwrap();
        assert_eq!((bottom.target().label, bottom.is_solved(), bottom.goal_position()), ('P', false, 4));
    }
}
