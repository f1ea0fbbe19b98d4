//! Boards as arrays of cells, for `NumPy`: 0 is an empty cell, -1 a wall, and positive numbers are vehicles.

use crate::errors::input_error;
use clearway_rush::{Board, BoardError, Exit, MAX_SIDE, Orientation, Side, Vehicle, labels};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;

/// The cells of an array.
pub enum Cells {
    /// Numbers, row by row.
    Numbers(Vec<Vec<i64>>),
    /// Letters, as text in the grid format.
    Letters(String),
}

/// Reads an array, or lists of lists.
pub fn cells(array: &Bound<'_, PyAny>) -> PyResult<Cells> {
    let lists = if array.hasattr("tolist")? { array.call_method0("tolist")? } else { array.clone() };
    if let Ok(rows) = lists.extract::<Vec<Vec<f64>>>() {
        let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 1e9).then_some(number as i64);
        let rows: Option<Vec<Vec<i64>>> = rows.into_iter().map(|row| row.into_iter().map(whole).collect()).collect();
        return rows.map(Cells::Numbers).ok_or_else(invalid);
    }
    let rows: Vec<Vec<String>> = lists.extract().map_err(|_| invalid())?;
    Ok(Cells::Letters(rows.into_iter().map(|row| row.concat() + "\n").collect()))
}

fn invalid() -> PyErr {
    input_error("invalid array; expected rows of whole numbers (0 empty, -1 a wall, 1 the target) or of letters")
}

/// Creates a board from the numbers of its cells. The default exit is on the right or, for a vertical target, at the bottom.
pub fn board(rows: &[Vec<i64>], exit: Option<Exit>) -> PyResult<Board> {
    let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    if rows.iter().any(|row| row.len() != width) {
        return Err(input_error("invalid array; its rows differ in length"));
    }
    if height.max(width) > MAX_SIDE.into() {
        return Err(input_error(&BoardError::InvalidSize { width, height }.to_string()));
    }
    let mut walls = clearway_rush::Cells::default();
    // The cells of each number, row by row.
    let mut covered: BTreeMap<i64, Vec<(u8, u8)>> = BTreeMap::new();
    for (y, row) in (0..).zip(rows) {
        for (x, &number) in (0..).zip(row) {
            match number {
                0 => {}
                -1 => walls.insert(x, y),
                1.. => covered.entry(number).or_default().push((x, y)),
                _ => return Err(input_error(&format!("invalid cell {number} at column {x}, row {y}"))),
            }
        }
    }
    let mut vehicles = covered.iter().map(|(&number, cells)| vehicle(number, cells)).collect::<PyResult<Vec<_>>>()?;
    // The target first, the others in reading order.
    let target = covered.contains_key(&1).then(|| vehicles.remove(0));
    vehicles.sort_unstable_by_key(|vehicle| (vehicle.y, vehicle.x));
    match (target, exit) {
        (Some(target), _) => vehicles.insert(0, target),
        (None, Some(Exit::Any(..))) => {}
        (None, _) => return Err(input_error("missing target; expected cells with the number 1")),
    }
    for (vehicle, &label) in vehicles.iter_mut().zip(labels()) {
        vehicle.label = label;
    }
    let exit = exit.unwrap_or(match vehicles.first().map(|target| target.orientation) {
        Some(Orientation::Vertical) => Exit::Target(Side::Bottom),
        _ => Exit::Target(Side::Right),
    });
    Board::new(width as u8, height as u8, walls, vehicles, exit).map_err(|error| input_error(&error.to_string()))
}

/// Creates a vehicle from its cells, without a label.
fn vehicle(number: i64, cells: &[(u8, u8)]) -> PyResult<Vehicle> {
    let (x, y) = cells[0];
    let orientation =
        if cells.iter().all(|cell| cell.1 == y) { Orientation::Horizontal } else { Orientation::Vertical };
    let vehicle = Vehicle { label: 'A', x, y, length: cells.len() as u8, orientation };
    if cells.len() < 2 || !vehicle.cells().eq(cells.iter().copied()) {
        return Err(input_error(&format!(
            "the cells with the number {number} are no vehicle; a vehicle is a straight line of at least 2 cells"
        )));
    }
    Ok(vehicle)
}

/// Creates a `NumPy` array of the cells of a board.
pub fn array<'py>(py: Python<'py>, board: &Board, dtype: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let (width, height) = (usize::from(board.width()), usize::from(board.height()));
    let mut cells = vec![0_i16; width * height];
    for (x, y) in board.walls().iter() {
        cells[usize::from(y) * width + usize::from(x)] = -1;
    }
    for (number, vehicle) in (1..).zip(board.vehicles()) {
        for (x, y) in vehicle.cells() {
            cells[usize::from(y) * width + usize::from(x)] = number;
        }
    }
    let bytes: Vec<[u8; 2]> = cells.into_iter().map(i16::to_ne_bytes).collect();
    let array = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, bytes.as_flattened()), "int16"))?;
    // A copy, because the bytes cannot be changed.
    let dtype = dtype.map_or_else(|| array.getattr("dtype"), Ok)?;
    array.call_method1("reshape", (height, width))?.call_method1("astype", (dtype,))
}
