//! *course*: the CSV format of a university course on heuristics.
//!
//! ```text
//! car,orientation,col,row,length
//! A,H,2,1,2
//! X,H,1,3,2
//! ```
//!
//! - `orientation` is `H` or `V`; `col` and `row` are the leftmost or topmost cell, counted from 1 at the top left.
//! - The target is the car `X`; the exit is on the right. On the board it is labelled `A`, and a car called `A` is labelled
//!   `X`. Cars with longer names, such as `AB`, get unused labels.
//! - The file does not store the size: the board is the smallest square of at least 6x6 that holds every vehicle, unless
//!   [`ReadOptions::size`] gives another size.
//! - Boards are separated by blank lines; a line that starts with `#` is a comment.

use super::cell_grid::unused_label;
use super::line::clip;
use super::listing::{self, ListedVehicle};
use super::record::InputRecord;
use super::{Format, Puzzle, ReadOptions, WriteError};
use crate::{Exit, MAX_SIDE, Orientation, Side, Size, Vehicle, is_label};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;

const FIELDS: [&str; 5] = ["car", "orientation", "col", "row", "length"];
/// Minimum side of a board whose size is not given.
const MIN_DEFAULT_SIDE: u8 = 6;

/// Whether a line is the header.
pub(super) fn is_header(line: &str) -> bool {
    let fields = || line.split(',').map(str::trim);
    fields().count() == FIELDS.len() && fields().zip(FIELDS).all(|(field, name)| field.eq_ignore_ascii_case(name))
}

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let whole = record.whole();
    let mut lines = record.lines();
    if let Some(header) = lines.next().filter(|line| !is_header(line.text)) {
        let error = header.error("missing header").with_label("expected the header here");
        return Err(error.with_help(format!("the first line must be {}", FIELDS.join(","))));
    }
    let mut cars: Vec<(Piece, ListedVehicle)> = Vec::new();
    for line in lines {
        let [car, orientation, col, row, length] = listing::fields(line, line.split(',').map(Piece::trim), FIELDS)?;
        if let Some((_, first)) = cars.iter().find(|(other, _)| other.text == car.text) {
            let (x, y) = (first.vehicle.x + 1, first.vehicle.y + 1);
            let error = car.error(format!("duplicate car name '{}'", clip(car.text))).with_label("the second car");
            return Err(error.with_help(format!("the first car is at column {x}, row {y}")));
        }
        let vehicle = Vehicle {
            // A placeholder until all names are known. The call also rejects too many cars.
            label: listing::label(line, cars.len(), (MAX_SIDE, MAX_SIDE))?,
            x: col.number("column", 1..=MAX_SIDE)? - 1,
            y: row.number("row", 1..=MAX_SIDE)? - 1,
            length: length.number("length", 2..=MAX_SIDE)?,
            orientation: match orientation.text {
                "H" | "h" => Orientation::Horizontal,
                "V" | "v" => Orientation::Vertical,
                other => {
                    let error = orientation.error(format!("invalid orientation '{}'", clip(other)));
                    return Err(error
                        .with_label("the orientation")
                        .with_help("expected H (horizontal) or V (vertical)"));
                }
            },
        };
        cars.push((car, ListedVehicle { vehicle, span: line.span() }));
    }
    let names: Vec<&str> = cars.iter().map(|(car, _)| car.text).collect();
    let labels = labels_for(&names);
    let mut listed: Vec<ListedVehicle> = cars.into_iter().map(|(_, listed)| listed).collect();
    for (listed, label) in listed.iter_mut().zip(labels) {
        listed.vehicle.label = label;
    }
    let smallest = smallest_side(listed.iter().map(|listed| &listed.vehicle)).min(MAX_SIDE);
    let size = options.size.map_or((smallest, smallest), Size::sides);
    let exit = options.exit.unwrap_or(Exit::Target(Side::Right));
    if matches!(exit, Exit::Target(_)) && !names.contains(&"X") {
        let error = SyntaxError::new(first_line(whole), "missing target; expected a car called X");
        return Err(error.with_label("no car X in this board"));
    }
    let board = listing::board(size, &listed, exit, whole)?;
    Ok(Puzzle { line: record.line, ..Puzzle::new(board) })
}

fn first_line(whole: Piece) -> std::ops::Range<usize> {
    whole.split('\n').next().unwrap_or(whole).span()
}

/// Assigns distinct labels to cars with these names.
fn labels_for(names: &[&str]) -> Vec<char> {
    let own = |name: &str| {
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some('X'), None) => Some('A'),
            (Some('A'), None) => Some('X'),
            (Some(c), None) if is_label(c) => Some(c),
            _ => None,
        }
    };
    let mut used: Vec<char> = names.iter().filter_map(|name| own(name)).collect();
    // The label of the target is reserved.
    used.push('A');
    let mut label = |name: &&str| {
        own(name).or_else(|| {
            let unused = unused_label(|label| used.contains(&label))?;
            used.push(unused);
            Some(unused)
        })
    };
    // There are more labels than vehicles that fit on the largest board, and the number of cars was checked.
    names.iter().map(|name| label(name).unwrap_or('A')).collect()
}

/// Side of the smallest square of at least 6x6 that holds the vehicles.
fn smallest_side<'a>(vehicles: impl Iterator<Item = &'a Vehicle>) -> u8 {
    let ends = vehicles.flat_map(|vehicle| match vehicle.orientation {
        Orientation::Horizontal => [vehicle.x + vehicle.length, vehicle.y + 1],
        Orientation::Vertical => [vehicle.x + 1, vehicle.y + vehicle.length],
    });
    ends.max().unwrap_or(0).max(MIN_DEFAULT_SIDE)
}

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    listing::check_plain(puzzle, Format::Course)?;
    let board = &puzzle.board;
    let (side, read_as) = (board.width(), smallest_side(board.vehicles().iter()));
    if side != read_as {
        let reason = format!("it does not store the size, and {side}x{side} would be read as {read_as}x{read_as}");
        return Err(WriteError { format: Format::Course.name(), reason });
    }
    let line = |&Vehicle { label, x, y, length, orientation }: &Vehicle| {
        let car = match label {
            'A' => 'X',
            'X' => 'A',
            other => other,
        };
        let orientation = if orientation == Orientation::Horizontal { 'H' } else { 'V' };
        format!("{car},{orientation},{},{},{length}\n", x + 1, y + 1)
    };
    let header = FIELDS.join(",") + "\n";
    Ok(std::iter::once(header).chain(board.vehicles().iter().map(line)).collect())
}
