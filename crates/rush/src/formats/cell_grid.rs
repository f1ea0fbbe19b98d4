//! Boards given cell by cell, shared by the line, grid, Traffic Jam and TSV formats.

use crate::{Board, BoardError, Cells, Exit, MAX_SIDE, MIN_SIDE, Orientation, Vehicle, labels};
use clearway_util::syntax::SyntaxError;
use std::ops::Range;

/// The mark of an empty cell.
pub(super) const EMPTY: char = '.';
/// The mark of a wall.
pub(super) const WALL: char = 'x';

/// A cell: its mark ([`EMPTY`], [`WALL`] or the mark of a vehicle) and its place in the record, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) mark: char,
    pub(super) at: usize,
}

/// An exit, its place in the text if it is given there, and how to change it in this format.
pub(super) struct ExitSource {
    pub(super) exit: Exit,
    pub(super) span: Option<Range<usize>>,
    /// Writes a help text on how to put the exit on one of two sides.
    pub(super) how_to_set: fn([&str; 2]) -> String,
}

/// The cells of a board, row by row.
#[derive(Debug)]
pub(super) struct CellGrid {
    width: u8,
    height: u8,
    cells: Vec<Cell>,
    /// The place of errors that concern no particular cell: the text of the board, or its first row.
    whole: Range<usize>,
}

impl CellGrid {
    /// Creates a grid of `width * height` cells. Fails if a board cannot have this size.
    pub(super) fn new(
        width: usize,
        height: usize,
        cells: Vec<Cell>,
        whole: Range<usize>,
    ) -> Result<CellGrid, SyntaxError> {
        let sides = MIN_SIDE as usize..=MAX_SIDE as usize;
        if !sides.contains(&width) || !sides.contains(&height) {
            let error = BoardError::InvalidSize { width, height };
            return Err(SyntaxError::new(whole, error.to_string()).with_label(format!("{width}x{height}")));
        }
        debug_assert_eq!(cells.len(), width * height);
        Ok(CellGrid { width: width as u8, height: height as u8, cells, whole })
    }

    pub(super) fn marks(&self) -> impl Iterator<Item = char> {
        self.cells.iter().map(|cell| cell.mark)
    }

    /// Finds the vehicles, labelled with their marks. Fails unless each is a straight unbroken run of at least two cells.
    pub(super) fn vehicles(&self) -> Result<Vec<Vehicle>, SyntaxError> {
        let mut found: Vec<Vehicle> = Vec::new();
        for (x, y, cell) in self.placed() {
            let label = cell.mark;
            if matches!(label, EMPTY | WALL) {
                continue;
            }
            match found.iter_mut().find(|v| v.label == label) {
                None => found.push(Vehicle { label, x, y, length: 1, orientation: Orientation::Horizontal }),
                Some(vehicle) => {
                    if !extend(vehicle, x, y) {
                        return Err(bent(*vehicle, x, y, cell));
                    }
                }
            }
        }
        if let Some(&Vehicle { label, length, .. }) = found.iter().find(|v| v.length == 1) {
            let error = BoardError::TooShort { label, length };
            return Err(SyntaxError::new(self.span_of(label), error.to_string())
                .with_label(format!("the only {label}"))
                .with_help("mark empty cells '.' and walls 'x'"));
        }
        Ok(found)
    }

    /// Creates the board with these vehicles. `target` is the mark of the target in the text.
    pub(super) fn board(&self, vehicles: Vec<Vehicle>, target: char, exit: &ExitSource) -> Result<Board, SyntaxError> {
        let walls: Cells = self.placed().filter(|(_, _, cell)| cell.mark == WALL).map(|(x, y, _)| (x, y)).collect();
        Board::new(self.width, self.height, walls, vehicles, exit.exit).map_err(|error| {
            let at = |span, label: &str| SyntaxError::new(span, error.to_string()).with_label(label);
            match error {
                BoardError::TargetNotAligned { orientation, .. } => {
                    let sides =
                        if orientation == Orientation::Vertical { ["top", "bottom"] } else { ["left", "right"] };
                    at(self.span_of(target), "the target").with_help((exit.how_to_set)(sides))
                }
                BoardError::NoTarget => {
                    at(self.whole.clone(), "no target in this board").with_help("mark the cells of the target A")
                }
                BoardError::ExitOffGrid { .. } | BoardError::NoVehicleAtExit { .. } => {
                    at(exit.span.clone().unwrap_or(self.whole.clone()), "the exit of this board")
                        .with_help("lines count from 0 at the top or at the left")
                }
                _ => at(self.whole.clone(), "this board"),
            }
        })
    }

    fn placed(&self) -> impl Iterator<Item = (u8, u8, Cell)> {
        let width = self.width as usize;
        self.cells.iter().enumerate().map(move |(i, &cell)| ((i % width) as u8, (i / width) as u8, cell))
    }

    /// The place of the first cell with a mark.
    fn span_of(&self, mark: char) -> Range<usize> {
        let first = self.cells.iter().find(|cell| cell.mark == mark);
        first.map_or(self.whole.clone(), |cell| cell.at..cell.at + mark.len_utf8())
    }
}

/// Extends a vehicle by a cell if the cell continues its run, and returns whether it does.
fn extend(vehicle: &mut Vehicle, x: u8, y: u8) -> bool {
    let Vehicle { x: x0, y: y0, length, orientation, .. } = *vehicle;
    let right = (x, y) == (x0 + length, y0);
    let down = (x, y) == (x0, y0 + length);
    let continues = match orientation {
        _ if length == 1 => right || down,
        Orientation::Horizontal => right,
        Orientation::Vertical => down,
    };
    if continues {
        vehicle.orientation = if right { Orientation::Horizontal } else { Orientation::Vertical };
        vehicle.length += 1;
    }
    continues
}

/// The error of a cell that does not continue the run of its vehicle.
fn bent(vehicle: Vehicle, x: u8, y: u8, cell: Cell) -> SyntaxError {
    let label = vehicle.label;
    SyntaxError::new(
        cell.at..cell.at + label.len_utf8(),
        format!("vehicle {label} is bent or broken: its cell at column {x}, row {y} does not continue its run"),
    )
    .with_label(format!("this {label} is not part of the run that starts at column {}, row {}", vehicle.x, vehicle.y))
    .with_help("the cells of a vehicle form one straight unbroken run; every vehicle needs its own label")
}

/// The marks of a board's cells, row by row.
pub(super) fn marks_of(board: &Board) -> Vec<char> {
    let width = board.width() as usize;
    let mut marks = vec![EMPTY; width * board.height() as usize];
    for (x, y) in board.walls().iter() {
        marks[y as usize * width + x as usize] = WALL;
    }
    for vehicle in board.vehicles() {
        for (x, y) in vehicle.cells() {
            marks[y as usize * width + x as usize] = vehicle.label;
        }
    }
    marks
}

/// The first label that is not used.
pub(super) fn unused_label(mut used: impl FnMut(char) -> bool) -> Option<char> {
    labels().iter().copied().find(|&label| !used(label))
}
