//! SVG: a board as a picture, a solution as a comic strip or as an animation.
//!
//! Pictures are self-contained, follow the light or dark colour scheme of the viewer, and have a title and a description for
//! screen readers. A drawing unit is 1/60 of a cell; [`SvgOptions::cell`] only scales it.

mod animation;
mod shapes;
mod strip;

pub use animation::animation;
pub use strip::strip;

use super::palette;
use crate::{Board, Exit, Move, MoveError};
use clearway_util::hash::fnv1a_32;
use clearway_util::text::escape_xml;
use shapes::{CELL, Geometry};
use std::fmt::Write;

/// Options for drawing a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// Side of a cell in pixels, clamped to 4..=400.
    pub cell: u16,
    /// Whether to draw the labels of vehicles.
    pub labels: bool,
    /// Title: a line of text above the picture, also for screen readers.
    pub title: Option<String>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions { cell: 60, labels: true, title: None }
    }
}

/// Draws a board.
///
/// ```
/// use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, formats::svg};
/// let target = Vehicle { label: 'A', x: 0, y: 1, length: 2, orientation: Orientation::Horizontal };
/// let board = Board::new(4, 3, Cells::default(), vec![target], Exit::Target(Side::Right))?;
/// assert!(svg::board(&board, &svg::SvgOptions::default()).starts_with("<svg "));
/// # Ok::<(), clearway_rush::BoardError>(())
/// ```
pub fn board(board: &Board, options: &SvgOptions) -> String {
    let geometry = Geometry::new(board);
    let mut picture = Picture::new(board, options, "");
    let top = picture.heading(geometry.width);
    let _ = write!(picture.body, "<g transform=\"translate(0 {top})\">");
    picture.body.push_str(&geometry.background(board, &picture.prefix));
    for (index, vehicle) in board.vehicles().iter().enumerate() {
        let (x, y) = geometry.corner(*vehicle);
        let label = vehicle.label;
        let _ =
            write!(picture.body, "<g class=\"rush-vehicle\" data-label=\"{label}\" transform=\"translate({x} {y})\">");
        let shape = picture.vehicle(board, index);
        picture.body.push_str(&shape);
        picture.body.push_str("</g>");
    }
    picture.body.push_str("</g>");
    picture.finish(geometry.width, geometry.height + top)
}

/// Width and height of a picture of a board without a title, in drawing units.
pub fn size(board: &Board) -> (u32, u32) {
    let geometry = Geometry::new(board);
    (geometry.width, geometry.height)
}

/// The board, and the board after each move.
fn boards_along(board: &Board, moves: &[Move]) -> Result<Vec<Board>, MoveError> {
    let mut boards = vec![board.clone()];
    let mut now = board.clone();
    for &mv in moves {
        now.apply(mv)?;
        boards.push(now.clone());
    }
    Ok(boards)
}

/// A picture being drawn.
struct Picture<'a> {
    options: &'a SvgOptions,
    /// Prefix of every id, so that several pictures can be on one page.
    prefix: String,
    title: String,
    description: String,
    colours: Vec<palette::Colour>,
    style: String,
    body: String,
}

impl<'a> Picture<'a> {
    fn new(board: &Board, options: &'a SvgOptions, kind: &str) -> Picture<'a> {
        let title = options.title.clone().unwrap_or_else(|| "Rush Hour board".to_owned());
        let description = describe(board);
        let prefix = format!("r{:08x}{kind}-", fnv1a_32(description.as_bytes()));
        let colours = palette::colours(board);
        let style = shapes::STYLE.to_owned();
        Picture { options, prefix, title, description, colours, style, body: String::new() }
    }

    /// Writes the title above the picture, if there is one, and returns its height.
    fn heading(&mut self, width: u32) -> u32 {
        let Some(title) = &self.options.title else { return 0 };
        // A long title is written smaller, and a very long one is cut; screen readers get all of it. The width of a
        // letter is estimated as 0.65 of its height.
        let room = f64::from(width - 16) / 0.65;
        let length = title.chars().count().max(1) as f64;
        let size = (room / length).clamp(12.0, 24.0);
        let fitting = (room / size) as usize;
        let shown: String = if length > room / size {
            title.chars().take(fitting.saturating_sub(1)).chain(['…']).collect()
        } else {
            title.clone()
        };
        let (x, text) = (width / 2, escape_xml(&shown.replace('\n', " ")));
        let _ = write!(self.body, "<text class=\"rush-ink\" font-size=\"{size:.1}\" x=\"{x}\" y=\"32\">{text}</text>");
        40
    }

    /// Draws a vehicle with its top left corner at 0, 0.
    fn vehicle(&self, board: &Board, index: usize) -> String {
        shapes::vehicle(board, index, self.colours[index], self.options.labels)
    }

    /// Returns the SVG document; the size is in drawing units.
    fn finish(self, width: u32, height: u32) -> String {
        let scale = f64::from(self.options.cell.clamp(4, 400)) / f64::from(CELL);
        let pixels = |units: u32| (f64::from(units) * scale).round();
        let Picture { prefix, title, description, style, body, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rush\" viewBox=\"0 0 {width} {height}\" \
             width=\"{}\" height=\"{}\" role=\"img\" aria-labelledby=\"{prefix}title {prefix}desc\">\n\
             <title id=\"{prefix}title\">{}</title>\n<desc id=\"{prefix}desc\">{}</desc>\n\
             <style>{style}</style>\n{}\n{body}\n</svg>\n",
            pixels(width),
            pixels(height),
            escape_xml(&title.replace('\n', " ")),
            escape_xml(&description),
            shapes::patterns(&prefix),
        )
    }
}

/// A description of a board for screen readers.
fn describe(board: &Board) -> String {
    let (width, height, count) = (board.width(), board.height(), board.vehicles().len());
    let target = board.target().label;
    let side = board.exit().side().as_str();
    let exit = match board.exit() {
        Exit::Target(_) => format!("vehicle {target} leaves by the {side} side"),
        Exit::Any(_, line) => format!("any vehicle in line {} leaves by the {side} side", line + 1),
    };
    let vehicles = if count == 1 { "1 vehicle".to_owned() } else { format!("{count} vehicles") };
    let mut rows = String::new();
    for y in 0..height {
        rows.push(' ');
        for x in 0..width {
            let vehicle = board.vehicle_at(x, y).map(|index| board.vehicles()[index].label);
            rows.push(vehicle.unwrap_or(if board.walls().contains(x, y) { 'x' } else { '.' }));
        }
    }
    format!("{width} by {height} cells, {vehicles}; {exit}. Rows:{rows}")
}
