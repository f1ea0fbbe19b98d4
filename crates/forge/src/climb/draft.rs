//! Drafts of boards: vehicles are added, deleted, replaced, resized, shifted and swapped, and walls are moved.

use crate::Shape;
use clearway_rush::{Board, BoardError, Cells, Orientation, Vehicle, labels};
use clearway_util::rng::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Lengths of vehicles, in cells.
const LENGTHS: [u8; 2] = [2, 3];

/// Board that can be changed: walls and vehicles, the target first. Labels are placeholders.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    shape: Shape,
    walls: Cells,
    vehicles: Vec<Vehicle>,
}

impl Draft {
    /// Creates a draft with the walls and vehicles of a board, which must have the given shape.
    pub fn from_board(shape: Shape, board: &Board) -> Draft {
        Draft { shape, walls: *board.walls(), vehicles: board.vehicles().to_vec() }
    }

    /// Creates a solved board crowded with random vehicles.
    pub fn crowded(shape: Shape, rng: &mut Rng) -> Draft {
        let exit = shape.side();
        let side = if exit.orientation() == Orientation::Horizontal { shape.width() } else { shape.height() };
        let position = if exit.is_forward() { side - 2 } else { 0 };
        let target =
            Vehicle { label: 'A', x: shape.line(), y: shape.line(), length: 2, orientation: exit.orientation() };
        let mut draft = Draft { shape, walls: Cells::default(), vehicles: vec![target.at(position)] };
        while draft.walls.len() < usize::from(shape.walls()) {
            let free: Vec<(u8, u8)> = draft.free_cells().collect();
            let Some(&(x, y)) = free.choose(rng) else { break };
            draft.walls.insert(x, y);
        }
        draft.crowd(rng);
        draft
    }

    /// Adds vehicles until no further one fits, and then deletes a few. The fuller a board, the fewer its states, and the
    /// faster its evaluation.
    pub fn crowd(&mut self, rng: &mut Rng) {
        while self.add(rng) {}
        for _ in 0..rng.random_range(0..=self.vehicles.len() / 4) {
            self.delete(rng);
        }
    }

    /// Returns the board, with labels in the order of the vehicles.
    pub fn board(&self) -> Result<Board, BoardError> {
        let vehicles = self.vehicles.iter().zip(labels()).map(|(vehicle, &label)| Vehicle { label, ..*vehicle });
        Board::new(self.shape.width(), self.shape.height(), self.walls, vehicles.collect(), self.shape.exit())
    }

    /// Applies one random change. Returns false if it was not possible; the draft may then be partly changed.
    pub fn change(&mut self, rng: &mut Rng) -> bool {
        match rng.random_range(0..100) {
            0..25 => self.add(rng),
            25..40 => self.delete(rng),
            40..65 => self.delete(rng) && self.add(rng),
            65..80 => self.resize(rng),
            80..95 => self.shift(rng),
            95..98 => self.swap(rng),
            _ => self.move_wall(rng) || self.add(rng),
        }
    }

    fn occupied(&self) -> Cells {
        self.walls.iter().chain(self.vehicles.iter().flat_map(Vehicle::cells)).collect()
    }

    fn free_cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (width, height, occupied) = (self.shape.width(), self.shape.height(), self.occupied());
        let cells = (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
        cells.filter(move |&(x, y)| !occupied.contains(x, y))
    }

    /// Returns whether a vehicle lies in the target's line between the target and the exit, where it would block the target
    /// for good.
    fn blocks_exit(&self, vehicle: Vehicle) -> bool {
        let target = &self.vehicles[0];
        (vehicle.orientation, vehicle.line()) == (target.orientation, target.line())
            && (vehicle.position() > target.position()) == self.shape.side().is_forward()
    }

    fn fits(&self, vehicle: Vehicle, occupied: &Cells) -> bool {
        let (width, height) = (self.shape.width(), self.shape.height());
        let inside = vehicle.cells().all(|(x, y)| x < width && y < height && !occupied.contains(x, y));
        inside && !self.blocks_exit(vehicle)
    }

    /// Removes a random vehicle and returns it, or returns None if the target was drawn.
    fn take(&mut self, rng: &mut Rng) -> Option<Vehicle> {
        let index = rng.random_range(0..self.vehicles.len());
        (index > 0).then(|| self.vehicles.swap_remove(index))
    }

    fn add(&mut self, rng: &mut Rng) -> bool {
        if self.vehicles.len() >= labels().len() {
            return false;
        }
        let occupied = self.occupied();
        let mut places = Vec::new();
        for (x, y) in self.free_cells() {
            for orientation in [Orientation::Horizontal, Orientation::Vertical] {
                let vehicles = LENGTHS.map(|length| Vehicle { label: 'B', x, y, length, orientation });
                places.extend(vehicles.into_iter().filter(|&vehicle| self.fits(vehicle, &occupied)));
            }
        }
        places.choose(rng).inspect(|&&vehicle| self.vehicles.push(vehicle)).is_some()
    }

    fn delete(&mut self, rng: &mut Rng) -> bool {
        self.take(rng).is_some()
    }

    /// Makes a random vehicle longer or shorter, at either end.
    fn resize(&mut self, rng: &mut Rng) -> bool {
        let Some(old) = self.take(rng) else { return false };
        let length = if old.length == LENGTHS[0] { LENGTHS[1] } else { LENGTHS[0] };
        let mut new = Vehicle { length, ..old };
        if rng.random() {
            let Some(position) = (old.position() + old.length).checked_sub(length) else { return false };
            new = new.at(position);
        }
        self.put(new)
    }

    /// Moves a random vehicle to a neighbouring line, or turns it about its first cell.
    fn shift(&mut self, rng: &mut Rng) -> bool {
        let Some(mut vehicle) = self.take(rng) else { return false };
        let turned = other(vehicle.orientation);
        let across = if turned == Orientation::Vertical { &mut vehicle.y } else { &mut vehicle.x };
        match rng.random_range(0..3) {
            0 if *across == 0 => return false,
            0 => *across -= 1,
            1 => *across += 1,
            _ => vehicle.orientation = turned,
        }
        self.put(vehicle)
    }

    /// Exchanges two random vehicles: the first cell of each becomes that of the other.
    fn swap(&mut self, rng: &mut Rng) -> bool {
        let (Some(a), Some(b)) = (self.take(rng), self.take(rng)) else { return false };
        self.put(Vehicle { x: b.x, y: b.y, ..a }) && self.put(Vehicle { x: a.x, y: a.y, ..b })
    }

    /// Fills a number of cells of a row or column, at least two, with vehicles.
    fn fill_line(&mut self, orientation: Orientation, line: u8, mut first: u8, cells: u8) {
        let end = first + cells;
        while first + LENGTHS[0] <= end {
            // No single cell may remain.
            let length = if matches!(end - first, 2 | 4) { LENGTHS[0] } else { LENGTHS[1] };
            let (x, y) = if orientation == Orientation::Horizontal { (first, line) } else { (line, first) };
            self.vehicles.push(Vehicle { label: 'B', x, y, length, orientation });
            first += length;
        }
    }

    fn put(&mut self, vehicle: Vehicle) -> bool {
        let fits = self.fits(vehicle, &self.occupied());
        if fits {
            self.vehicles.push(vehicle);
        }
        fits
    }

    fn move_wall(&mut self, rng: &mut Rng) -> bool {
        let walls: Vec<(u8, u8)> = self.walls.iter().collect();
        let free: Vec<(u8, u8)> = self.free_cells().collect();
        let (Some(&from), Some(&to)) = (walls.choose(rng), free.choose(rng)) else { return false };
        self.walls = walls.into_iter().filter(|&wall| wall != from).chain([to]).collect();
        true
    }
}

fn other(orientation: Orientation) -> Orientation {
    match orientation {
        Orientation::Horizontal => Orientation::Vertical,
        Orientation::Vertical => Orientation::Horizontal,
    }
}

/// Why a board cannot be wrapped into a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum WrapError {
    #[error("a board of {width}x{height} does not fit into one of {into_width}x{into_height}")]
    TooLarge { width: u8, height: u8, into_width: u8, into_height: u8 },
    #[error("the exit of the board is {exit}; expected {expected}")]
    OtherExit { exit: clearway_rush::Exit, expected: clearway_rush::Exit },
    #[error(
        "the target of a board of {width}x{height} cannot be moved from line {line} to line {expected}: the border is too narrow"
    )]
    LineOutOfReach { width: u8, height: u8, line: u8, expected: u8 },
}

/// Surrounds a board with a border of empty cells. The board is centred along the target's line; across it, the line of the
/// target determines its position.
pub(super) fn wrap(shape: Shape, board: &Board) -> Result<Board, WrapError> {
    let (right, down, _) = place(shape, board, |spare| spare / 2)?;
    shifted(shape, board, right, down).board().map_err(|_| too_large(shape, board))
}

/// Surrounds a board with vehicles that cannot move: lines of them from edge to edge. The exit is at the board itself.
pub(super) fn frame(shape: Shape, board: &Board) -> Result<Board, WrapError> {
    let is_forward = shape.side().is_forward();
    let (right, down, spare) = place(shape, board, |spare| if is_forward { spare } else { 0 })?;
    let mut draft = shifted(shape, board, right, down);
    let orientation = shape.side().orientation();
    let (along, across, sides, before) = match orientation {
        Orientation::Horizontal => (board.width(), board.height(), (shape.width(), shape.height()), (right, down)),
        Orientation::Vertical => (board.height(), board.width(), (shape.height(), shape.width()), (down, right)),
    };
    // Lines across the target's line, from edge to edge, on the side without the exit.
    let first = if is_forward { 0 } else { along };
    for line in first..first + spare {
        draft.fill_line(other(orientation), line, 0, sides.1);
    }
    // The remaining lines along the target's line, from these to the edge.
    for line in (0..before.1).chain(before.1 + across..sides.1) {
        draft.fill_line(orientation, line, before.0, along);
    }
    draft.board().map_err(|_| too_large(shape, board))
}

fn too_large(shape: Shape, board: &Board) -> WrapError {
    let (width, height) = (board.width(), board.height());
    WrapError::TooLarge { width, height, into_width: shape.width(), into_height: shape.height() }
}

/// Returns how far a board is moved to the right and down in a larger shape, and the number of lines by which the shape is longer in
/// the direction of the target's line. Of these, `before` returns how many precede the board.
fn place(shape: Shape, board: &Board, before: impl Fn(u8) -> u8) -> Result<(u8, u8, u8), WrapError> {
    let (width, height, line, expected) = (board.width(), board.height(), board.exit_line(), shape.line());
    let (Some(spare_width), Some(spare_height)) =
        (shape.width().checked_sub(width), shape.height().checked_sub(height))
    else {
        return Err(too_large(shape, board));
    };
    if board.exit() != shape.exit() {
        return Err(WrapError::OtherExit { exit: board.exit(), expected: shape.exit() });
    }
    let is_horizontal = shape.side().orientation() == Orientation::Horizontal;
    let (spare, room) = if is_horizontal { (spare_width, spare_height) } else { (spare_height, spare_width) };
    let across = expected.checked_sub(line).filter(|&across| across <= room);
    let across = across.ok_or(WrapError::LineOutOfReach { width, height, line, expected })?;
    Ok(if is_horizontal { (before(spare), across, spare) } else { (across, before(spare), spare) })
}

/// Returns a draft of the shape with the board moved to the right and down.
fn shifted(shape: Shape, board: &Board, right: u8, down: u8) -> Draft {
    let walls = board.walls().iter().map(|(x, y)| (x + right, y + down)).collect();
    let moved = |vehicle: &Vehicle| Vehicle { x: vehicle.x + right, y: vehicle.y + down, ..*vehicle };
    Draft { shape, walls, vehicles: board.vehicles().iter().map(moved).collect() }
}
