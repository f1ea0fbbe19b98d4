//! Boards drawn cell by cell: what the line, grid, Traffic Jam and TSV formats have in common.

use super::error::Fault;
use crate::{Board, BoardError, Cells, Exit, MAX_SIDE, MIN_SIDE, Orientation, Vehicle, labels};
use std::ops::Range;

/// The mark of an empty cell.
pub(super) const EMPTY: char = '.';
/// The mark of a wall.
pub(super) const WALL: char = 'x';

/// A cell: what it is marked with ([`EMPTY`], [`WALL`] or a vehicle's mark) and the byte of the record it stands at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) mark: char,
    pub(super) at: usize,
}

/// The cells of a board, row by row.
#[derive(Debug)]
pub(super) struct Layout {
    width: u8,
    height: u8,
    cells: Vec<Cell>,
    /// What to blame where no cell is: the board's text, or its first row.
    whole: Range<usize>,
}

impl Layout {
    /// A layout. There must be `width * height` cells.
    pub(super) fn new(width: usize, height: usize, cells: Vec<Cell>, whole: Range<usize>) -> Result<Layout, Fault> {
        let sides = MIN_SIDE as usize..=MAX_SIDE as usize;
        if !sides.contains(&width) || !sides.contains(&height) {
            let error = BoardError::Size { width, height };
            return Err(Fault::new(whole, error.to_string()).label(format!("{width}x{height}")));
        }
        debug_assert_eq!(cells.len(), width * height);
        Ok(Layout { width: width as u8, height: height as u8, cells, whole })
    }

    pub(super) fn marks(&self) -> impl Iterator<Item = char> {
        self.cells.iter().map(|cell| cell.mark)
    }

    /// The vehicles as they are marked, if each is a straight unbroken run of cells.
    pub(super) fn vehicles(&self) -> Result<Vec<Vehicle>, Fault> {
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
            return Err(Fault::new(self.span_of(label), error.to_string())
                .label(format!("the only {label}"))
                .help("a cell that is empty is marked '.', and a wall 'x'"));
        }
        Ok(found)
    }

    /// The board with these vehicles, whose target is marked `target` in the text. `exit_help` says how this format
    /// gives another exit.
    pub(super) fn board(
        &self,
        vehicles: Vec<Vehicle>,
        exit: Exit,
        target: char,
        exit_help: &str,
    ) -> Result<Board, Fault> {
        let walls: Cells = self.placed().filter(|(_, _, cell)| cell.mark == WALL).map(|(x, y, _)| (x, y)).collect();
        Board::new(self.width, self.height, walls, vehicles, exit).map_err(|error| {
            let span = match error {
                BoardError::TargetNotAligned { .. } => self.span_of(target),
                _ => self.whole.clone(),
            };
            let fault = Fault::new(span, error.to_string());
            match error {
                BoardError::TargetNotAligned { .. } => fault.label("the target").help(exit_help),
                BoardError::NoTarget => fault.label("no target in this board").help("mark the cells of the target A"),
                BoardError::ExitOffGrid { .. } | BoardError::NobodyAtExit { .. } => {
                    fault.label("in this board").help("lines count from 0 at the top or at the left")
                }
                _ => fault,
            }
        })
    }

    fn placed(&self) -> impl Iterator<Item = (u8, u8, Cell)> {
        let width = self.width as usize;
        self.cells.iter().enumerate().map(move |(i, &cell)| ((i % width) as u8, (i / width) as u8, cell))
    }

    /// Where a mark stands first.
    fn span_of(&self, mark: char) -> Range<usize> {
        let first = self.cells.iter().find(|cell| cell.mark == mark);
        first.map_or(self.whole.clone(), |cell| cell.at..cell.at + mark.len_utf8())
    }
}

/// Lengthens a vehicle by a cell, if that is the next one of its run.
fn extend(vehicle: &mut Vehicle, x: u8, y: u8) -> bool {
    let Vehicle { x: x0, y: y0, length, orientation, .. } = *vehicle;
    let right = (x, y) == (x0 + length, y0);
    let down = (x, y) == (x0, y0 + length);
    let goes_on = match orientation {
        _ if length == 1 => right || down,
        Orientation::Horizontal => right,
        Orientation::Vertical => down,
    };
    if goes_on {
        vehicle.orientation = if right { Orientation::Horizontal } else { Orientation::Vertical };
        vehicle.length += 1;
    }
    goes_on
}

fn bent(vehicle: Vehicle, x: u8, y: u8, cell: Cell) -> Fault {
    let label = vehicle.label;
    Fault::new(
        cell.at..cell.at + label.len_utf8(),
        format!("vehicle {label} is bent or broken: its cell at column {x}, row {y} does not continue its run"),
    )
    .label(format!("this {label} is apart from the run that begins at column {}, row {}", vehicle.x, vehicle.y))
    .help("the cells of a vehicle are one straight unbroken run; another vehicle needs another label")
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
