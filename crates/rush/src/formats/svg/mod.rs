//! SVG: a board as a picture, a solution as a comic strip or as an animation.
//!
//! Pictures are self-contained, follow the reader's light or dark scheme, and carry a title and a description for screen
//! readers. A drawing unit is 1/60 of a cell; [`SvgOptions::cell`] only scales it.

mod animation;
mod shapes;
mod strip;

pub use animation::animation;
pub use strip::strip;

use super::livery;
use crate::{Board, Exit, Move, MoveError};
use shapes::{CELL, Lot};
use std::fmt::Write;

/// How a picture is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// The side of a cell in pixels, from 4 to 400; other values are taken to the nearest of these.
    pub cell: u16,
    /// Whether vehicles carry their labels.
    pub labels: bool,
    /// A line of text above the picture, which is also its title for screen readers.
    pub title: Option<String>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions { cell: 60, labels: true, title: None }
    }
}

/// A picture of a board.
///
/// ```
/// use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, formats::svg};
/// let target = Vehicle { label: 'A', x: 0, y: 1, length: 2, orientation: Orientation::Horizontal };
/// let board = Board::new(4, 3, Cells::default(), vec![target], Exit::Target(Side::Right))?;
/// assert!(svg::board(&board, &svg::SvgOptions::default()).starts_with("<svg "));
/// # Ok::<(), clearway_rush::BoardError>(())
/// ```
pub fn board(board: &Board, options: &SvgOptions) -> String {
    let lot = Lot::new(board);
    let mut picture = Picture::new(board, options, "");
    let top = picture.heading(lot.width);
    let _ = write!(picture.body, "<g transform=\"translate(0 {top})\">");
    picture.body.push_str(&lot.ground(board, &picture.prefix));
    for (index, vehicle) in board.vehicles().iter().enumerate() {
        let (x, y) = lot.corner(*vehicle);
        let label = vehicle.label;
        let _ =
            write!(picture.body, "<g class=\"rush-vehicle\" data-label=\"{label}\" transform=\"translate({x} {y})\">");
        let shape = picture.vehicle(board, index);
        picture.body.push_str(&shape);
        picture.body.push_str("</g>");
    }
    picture.body.push_str("</g>");
    picture.finish(lot.width, lot.height + top)
}

/// The width and height of a picture of a board without a title, in drawing units.
pub fn size(board: &Board) -> (u32, u32) {
    let lot = Lot::new(board);
    (lot.width, lot.height)
}

/// The board and those that the moves lead to, one after the other.
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
    /// Goes in front of every id, so that several pictures can stand in one page.
    prefix: String,
    title: String,
    description: String,
    colours: Vec<livery::Colour>,
    style: String,
    body: String,
}

impl<'a> Picture<'a> {
    fn new(board: &Board, options: &'a SvgOptions, kind: &str) -> Picture<'a> {
        let title = options.title.clone().unwrap_or_else(|| "Rush Hour board".to_owned());
        let description = describe(board);
        let prefix = format!("r{:08x}{kind}-", fnv(&description));
        let colours = livery::colours(board);
        let style = shapes::STYLE.to_owned();
        Picture { options, prefix, title, description, colours, style, body: String::new() }
    }

    /// Writes the title above the picture, if there is one, and gives the height it takes.
    fn heading(&mut self, width: u32) -> u32 {
        let Some(title) = &self.options.title else { return 0 };
        // A long title is written smaller, and a very long one is cut; screen readers get it whole. Letters are taken
        // to be 0.65 of their height wide.
        let room = f64::from(width - 16) / 0.65;
        let length = title.chars().count().max(1) as f64;
        let size = (room / length).clamp(12.0, 24.0);
        let fitting = (room / size) as usize;
        let shown: String = if length > room / size {
            title.chars().take(fitting.saturating_sub(1)).chain(['…']).collect()
        } else {
            title.clone()
        };
        let (x, text) = (width / 2, escape(&shown));
        let _ = write!(self.body, "<text class=\"rush-ink\" font-size=\"{size:.1}\" x=\"{x}\" y=\"32\">{text}</text>");
        40
    }

    /// The shape of a vehicle with its top left corner at 0, 0.
    fn vehicle(&self, board: &Board, index: usize) -> String {
        shapes::vehicle(board, index, self.colours[index], self.options.labels)
    }

    /// The whole picture, of a size in drawing units.
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
            escape(&title),
            escape(&description),
            shapes::patterns(&prefix),
        )
    }
}

fn describe(board: &Board) -> String {
    let (width, height, count) = (board.width(), board.height(), board.vehicles().len());
    let target = board.target().label;
    let side = board.exit().side().word();
    let who = match board.exit() {
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
    format!("{width} by {height} cells, {vehicles}; {who}. Rows:{rows}")
}

/// The FNV-1a hash of a text: the same on every machine, so that pictures are too.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Text as XML: the five special characters as entities, and what XML cannot hold left out.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}
