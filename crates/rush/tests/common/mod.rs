//! Boards for tests, from rows of letters.

use clearway_rush::{Board, Cells, Exit, Orientation, Vehicle};

/// A board from its cells row by row: `.` free, `x` wall, letters vehicles.
pub fn board(width: u8, rows: &str, exit: &str) -> Board {
    let cells: Vec<char> = rows.chars().collect();
    let at = |i: usize| (i as u8 % width, i as u8 / width);
    let walls: Cells = (0..cells.len()).filter(|&i| cells[i] == 'x').map(at).collect();
    let mut vehicles: Vec<Vehicle> = Vec::new();
    for (i, &label) in cells.iter().enumerate().filter(|(_, c)| !matches!(c, '.' | 'x')) {
        let (x, y) = at(i);
        match vehicles.iter_mut().find(|v| v.label == label) {
            Some(vehicle) => {
                vehicle.length += 1;
                vehicle.orientation = if vehicle.y == y { Orientation::Horizontal } else { Orientation::Vertical };
            }
            None => vehicles.push(Vehicle { label, x, y, length: 1, orientation: Orientation::Horizontal }),
        }
    }
    let height = (cells.len() / width as usize) as u8;
    Board::new(width, height, walls, vehicles, Exit::parse(exit).unwrap()).unwrap()
}
