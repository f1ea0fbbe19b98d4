//! A solution as a comic strip with one panel per move.

use super::shapes::{CELL, Geometry};
use super::{Picture, SvgOptions, boards_along};
use crate::{Board, Move, MoveError, Orientation, Vehicle};
use std::fmt::Write;

/// Height of the caption above a panel, which shows the move.
const CAPTION: u32 = 40;
/// Space between panels.
const GUTTER: u32 = 18;

const STYLE: &str = "
.rush-caption{font-size:26px;text-anchor:start}
.rush-badge{fill:#39414d}
.rush-number{font-size:20px;fill:#fff}
.rush-ghost{fill:#1b1f24;fill-opacity:.07;stroke:#1b1f24;stroke-opacity:.6;stroke-width:2.5;stroke-dasharray:7 6}
.rush-slide{fill:none;stroke:#1b1f24;stroke-width:5;stroke-linecap:round;stroke-linejoin:round}
.rush-moved{fill:none;stroke:#1b1f24;stroke-width:5}
.rush-resting{opacity:.55}
@media (prefers-color-scheme:dark){
.rush-badge{fill:#9aa6b5}
.rush-number{fill:#14181d}
.rush-ghost{fill:#fff;fill-opacity:.08;stroke:#fff}
.rush-slide,.rush-moved{stroke:#fff}
}
";

/// Draws a solution as a comic strip: the board, then one numbered panel for each move, with the moved vehicle highlighted, its
/// previous place dashed and an arrow along its path. Fails with the error of the first move that is impossible.
pub fn strip(board: &Board, moves: &[Move], options: &SvgOptions) -> Result<String, MoveError> {
    let boards = boards_along(board, moves)?;
    let geometry = Geometry::new(board);
    let mut picture = Picture::new(board, options, "s");
    picture.style.push_str(STYLE);
    let (panel_width, panel_height) = (geometry.width, geometry.height + CAPTION);
    let columns = columns(boards.len(), panel_width, panel_height);
    let rows = (boards.len() as u32).div_ceil(columns);
    let width = columns * (panel_width + GUTTER) - GUTTER;
    let top = picture.heading(width);
    write_definitions(&mut picture, board, &geometry);
    for (number, now) in boards.iter().enumerate() {
        let (column, row) = (number as u32 % columns, number as u32 / columns);
        let (x, y) = (column * (panel_width + GUTTER), top + row * (panel_height + GUTTER));
        let _ = write!(picture.body, "\n<g class=\"rush-panel\" transform=\"translate({x} {y})\">");
        let before = number.checked_sub(1).map(|index| (moves[index], &boards[index]));
        panel(&mut picture, &geometry, now, number, before);
        picture.body.push_str("</g>");
    }
    Ok(picture.finish(width, top + rows * (panel_height + GUTTER) - GUTTER))
}

/// Number of panels per row. The strip is about one and a half times as wide as high; among the three numbers nearest to that,
/// the one that leaves the fewest places empty in the last row is chosen.
fn columns(panels: usize, width: u32, height: u32) -> u32 {
    let panels = panels as u32;
    let ideal = (f64::from(panels) * 1.5 * f64::from(height) / f64::from(width)).sqrt().round() as u32;
    let near = [ideal, ideal + 1, ideal.saturating_sub(1)].map(|columns| columns.clamp(1, panels));
    near.into_iter().min_by_key(|columns| panels.next_multiple_of(*columns)).unwrap_or(1)
}

/// Defines the background and the vehicles, which every panel uses.
fn write_definitions(picture: &mut Picture<'_>, board: &Board, geometry: &Geometry) {
    let prefix = picture.prefix.clone();
    let _ = write!(picture.body, "<defs><g id=\"{prefix}ground\">{}</g>", geometry.background(board, &prefix));
    for index in 0..board.vehicles().len() {
        let shape = picture.vehicle(board, index);
        let _ = write!(picture.body, "<g id=\"{prefix}v{index}\">{shape}</g>");
    }
    picture.body.push_str("</defs>");
}

fn panel(picture: &mut Picture<'_>, geometry: &Geometry, now: &Board, number: usize, before: Option<(Move, &Board)>) {
    let prefix = &picture.prefix;
    let body = &mut picture.body;
    let caption = before.map_or_else(|| "start".to_owned(), |(mv, _)| mv.to_string());
    let _ = write!(
        body,
        "<rect class=\"rush-badge\" x=\"12\" y=\"8\" width=\"46\" height=\"30\" rx=\"15\"/>\
         <text class=\"rush-number\" x=\"35\" y=\"30\">{number}</text>\
         <text class=\"rush-ink rush-caption\" x=\"68\" y=\"32\">{caption}</text>\
         <g transform=\"translate(0 {CAPTION})\"><use href=\"#{prefix}ground\"/>"
    );
    let moved = before.and_then(|(mv, board)| board.vehicle_labelled(mv.label).map(|index| (index, mv, board)));
    if let Some((index, mv, board)) = moved {
        let vehicle = board.vehicles()[index];
        body.push_str(&outline(geometry, vehicle, "rush-ghost"));
        body.push_str(&arrow(geometry, vehicle, mv));
    }
    for (index, vehicle) in now.vehicles().iter().enumerate() {
        let (x, y) = geometry.corner(*vehicle);
        let class = match moved {
            Some((moving, ..)) if moving != index => "rush-vehicle rush-resting",
            _ => "rush-vehicle",
        };
        let _ = write!(body, "<use class=\"{class}\" href=\"#{prefix}v{index}\" x=\"{x}\" y=\"{y}\"/>");
    }
    if let Some((index, ..)) = moved {
        body.push_str(&outline(geometry, now.vehicles()[index], "rush-moved"));
    }
    body.push_str("</g>");
}

/// Draws a rounded rectangle around a vehicle.
fn outline(geometry: &Geometry, vehicle: Vehicle, class: &str) -> String {
    let (x, y) = geometry.corner(vehicle);
    let length = vehicle.length as u32 * CELL - 8;
    let (width, height) = match vehicle.orientation {
        Orientation::Horizontal => (length, CELL - 8),
        Orientation::Vertical => (CELL - 8, length),
    };
    let (x, y) = (x + 4, y + 4);
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\"/>")
}

/// Draws an arrow in the cells that a slide leaves free behind the vehicle.
fn arrow(geometry: &Geometry, vehicle: Vehicle, mv: Move) -> String {
    let (x, y) = geometry.corner(vehicle);
    let half = CELL / 2;
    let length = vehicle.length as u32 * CELL;
    // Drawn for a slide to the right that starts at 0, 0.
    let (x, y, turn) = match (vehicle.orientation, mv.cells > 0) {
        (Orientation::Horizontal, true) => (x, y + half, 0),
        (Orientation::Horizontal, false) => (x + length, y + half, 180),
        (Orientation::Vertical, true) => (x + half, y, 90),
        (Orientation::Vertical, false) => (x + half, y + length, 270),
    };
    let tip = u32::from(mv.cells.unsigned_abs()) * CELL - 10;
    let barb = tip - 12;
    format!(
        "<path class=\"rush-slide\" transform=\"translate({x} {y}) rotate({turn})\" \
         d=\"M16 0H{tip}M{barb} -11L{tip} 0L{barb} 11\"/>"
    )
}
