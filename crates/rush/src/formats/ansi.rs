//! ANSI: a board as a picture for the terminal.

use super::livery;
use crate::{Board, Orientation, Side, Vehicle};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// A picture of a board for a terminal, every line ended by a newline.
///
/// With colour, vehicles are blocks of the 256-colour palette on the terminal's own ground. Without, they are drawn with
/// lines, and there is no escape sequence. A cell takes four columns and two lines in both. The vehicle that has to
/// reach the exit carries an arrow that points to it.
///
/// ```
/// use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, formats::ansi};
/// let target = Vehicle { label: 'A', x: 0, y: 0, length: 2, orientation: Orientation::Horizontal };
/// let board = Board::new(3, 2, Cells::default(), vec![target], Exit::Target(Side::Right))?;
/// let picture = "\
/// ┏━━━━━━━┯━━━╸
/// ┃   A → │ ·   →
/// ┠───────┘   ╻
/// ┃ ·   ·   · ┃
/// ┗━━━━━━━━━━━┛
/// ";
/// assert_eq!(ansi::board(&board, false), picture);
/// # Ok::<(), clearway_rush::BoardError>(())
/// ```
pub fn board(board: &Board, colour: bool) -> String {
    let mut canvas = Canvas::new(board);
    canvas.draw_frame(board, Style { bold: colour, ..Style::default() });
    canvas.draw_ground(board);
    if colour {
        canvas.draw_blocks(board);
    } else {
        canvas.draw_outlines(board);
    }
    canvas.print()
}

/// Columns and lines of text that a cell takes.
const WIDE: usize = 4;
const HIGH: usize = 2;

/// Every junction of lines, by the weight (0 none, 1 light, 2 heavy) of its arms: up, right, down, left, in base 3.
const JUNCTIONS: &str = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";
const LIGHT: u8 = 1;
const HEAVY: u8 = 2;

/// What stands in one column of one line. Colours are those of the palette of 256.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Style {
    fore: Option<u8>,
    back: Option<u8>,
    bold: bool,
}

/// The text, with the frame's top left corner at 0, 0 of the drawing and room for the exit's arrow around it.
struct Canvas {
    columns: usize,
    /// Characters with their style; `None` is the second half of a wide character.
    text: Vec<Option<(char, Style)>>,
    /// The arms of lines at every column and line: up, right, down, left.
    arms: Vec<[u8; 4]>,
    /// Where the frame's corner is.
    left: usize,
    top: usize,
}

impl Canvas {
    fn new(board: &Board) -> Canvas {
        let side = board.exit().side();
        let room = |of: Side, size: usize| if side == of { size } else { 0 };
        let (left, top) = (room(Side::Left, 2), room(Side::Top, 1));
        let columns = board.width() as usize * WIDE + 1 + left + room(Side::Right, 2);
        let lines = board.height() as usize * HIGH + 1 + top + room(Side::Bottom, 1);
        let size = columns * lines;
        Canvas { columns, text: vec![Some((' ', Style::default())); size], arms: vec![[0; 4]; size], left, top }
    }

    fn index(&self, column: usize, line: usize) -> usize {
        (line + self.top) * self.columns + column + self.left
    }

    fn put(&mut self, column: usize, line: usize, c: char, style: Style) {
        let index = self.index(column, line);
        self.text[index] = Some((c, style));
    }

    /// Writes a label; one that takes two columns covers the next as well, one that takes none shows as `?`.
    fn put_label(&mut self, column: usize, line: usize, label: char, style: Style) {
        let width = label.width().unwrap_or(0);
        self.put(column, line, if width == 0 { '?' } else { label }, style);
        if width == 2 {
            let next = self.index(column + 1, line);
            self.text[next] = None;
        }
    }

    /// A line from one point to another on its right or below it.
    fn draw_line(&mut self, (x1, y1): (usize, usize), (x2, y2): (usize, usize), weight: u8) {
        let (forward, backward) = if y1 == y2 { (1, 3) } else { (2, 0) };
        let points = (x1..=x2).flat_map(|x| (y1..=y2).map(move |y| (x, y)));
        for (x, y) in points {
            let index = self.index(x, y);
            if (x, y) != (x2, y2) {
                self.arms[index][forward] = self.arms[index][forward].max(weight);
            }
            if (x, y) != (x1, y1) {
                self.arms[index][backward] = self.arms[index][backward].max(weight);
            }
        }
    }

    /// The frame, open at the exit, and the arrow outside.
    fn draw_frame(&mut self, board: &Board, arrow_style: Style) {
        let (right, bottom) = (board.width() as usize * WIDE, board.height() as usize * HIGH);
        let (side, line) = (board.exit().side(), board.exit_line() as usize);
        for (of, from, to) in [
            (Side::Top, (0, 0), (right, 0)),
            (Side::Bottom, (0, bottom), (right, bottom)),
            (Side::Left, (0, 0), (0, bottom)),
            (Side::Right, (right, 0), (right, bottom)),
        ] {
            if of != side {
                self.draw_line(from, to, HEAVY);
                continue;
            }
            let (before, after) = match side.orientation() {
                Orientation::Horizontal => ((from.0, line * HIGH), (from.0, (line + 1) * HIGH)),
                Orientation::Vertical => ((line * WIDE, from.1), ((line + 1) * WIDE, from.1)),
            };
            self.draw_line(from, before, HEAVY);
            self.draw_line(after, to, HEAVY);
        }
        let (x, y) = (line * WIDE + WIDE / 2, line * HIGH + HIGH / 2);
        // The exit's side alone has room outside the frame, so no other offset comes in.
        let (column, row) = match side {
            Side::Right => (right + 2, y),
            Side::Left => (0, y),
            Side::Top => (x, 0),
            Side::Bottom => (x, bottom + 1),
        };
        self.text[row * self.columns + column] = Some((arrow(side), arrow_style));
    }

    /// Dots in free cells, shades in walls.
    fn draw_ground(&mut self, board: &Board) {
        for (x, y) in (0..board.height()).flat_map(|y| (0..board.width()).map(move |x| (x, y))) {
            let (column, line) = (x as usize * WIDE + 1, y as usize * HIGH + 1);
            if board.walls().contains(x, y) {
                (0..WIDE - 1).for_each(|i| self.put(column + i, line, '▒', Style::default()));
            } else if board.vehicle_at(x, y).is_none() {
                self.put(column + 1, line, '·', Style::default());
            }
        }
    }

    fn draw_outlines(&mut self, board: &Board) {
        for (index, vehicle) in board.vehicles().iter().enumerate() {
            let (left, top, right, bottom) = bounds(*vehicle);
            self.draw_line((left, top), (right, top), LIGHT);
            self.draw_line((left, bottom), (right, bottom), LIGHT);
            self.draw_line((left, top), (left, bottom), LIGHT);
            self.draw_line((right, top), (right, bottom), LIGHT);
            self.draw_label(board, index, Style::default());
        }
    }

    /// Vehicles as blocks that leave a column and half a line between them.
    fn draw_blocks(&mut self, board: &Board) {
        for (index, (vehicle, colour)) in board.vehicles().iter().zip(livery::colours(board)).enumerate() {
            let (left, top, right, bottom) = bounds(*vehicle);
            let ink = if colour.is_light() { 16 } else { 231 };
            let body = Style { fore: Some(ink), back: Some(colour.ansi), bold: true };
            let edge = Style { fore: Some(colour.ansi), ..Style::default() };
            for column in left + 1..right {
                (top + 1..bottom).for_each(|line| self.put(column, line, ' ', body));
                if bottom < board.height() as usize * HIGH {
                    self.put(column, bottom, '▀', edge);
                }
            }
            self.draw_label(board, index, body);
        }
    }

    /// The label in the middle of a vehicle, and the arrow of the one that has to reach the exit.
    fn draw_label(&mut self, board: &Board, index: usize, style: Style) {
        let vehicle = board.vehicles()[index];
        let (left, top, right, bottom) = bounds(vehicle);
        let (column, line) = (left.midpoint(right), top.midpoint(bottom));
        self.put_label(column, line, vehicle.label, style);
        if index == 0 {
            let side = board.exit().side();
            let (column, line) = match side {
                Side::Right => (column + 2, line),
                Side::Left => (column - 2, line),
                Side::Top => (column, line - 1),
                Side::Bottom => (column, line + 1),
            };
            self.put(column, line, arrow(side), style);
        }
    }

    /// The lines of text, without blanks at their ends.
    fn print(&self) -> String {
        let mut out = String::new();
        for (text, arms) in self.text.chunks(self.columns).zip(self.arms.chunks(self.columns)) {
            let mut style = Style::default();
            let mut line = String::new();
            for (&(c, wanted), &arms) in text.iter().zip(arms).filter_map(|(t, arms)| t.as_ref().map(|t| (t, arms))) {
                if wanted != style {
                    write_style(&mut line, wanted);
                    style = wanted;
                }
                line.push(if c == ' ' { junction(arms) } else { c });
            }
            if style != Style::default() {
                write_style(&mut line, Style::default());
            }
            out.push_str(line.trim_end_matches(' '));
            out.push('\n');
        }
        out
    }
}

/// The lattice points around a vehicle: left, top, right, bottom.
fn bounds(vehicle: Vehicle) -> (usize, usize, usize, usize) {
    let (x, y, length) = (vehicle.x as usize, vehicle.y as usize, vehicle.length as usize);
    let (width, height) = match vehicle.orientation {
        Orientation::Horizontal => (length, 1),
        Orientation::Vertical => (1, length),
    };
    (x * WIDE, y * HIGH, (x + width) * WIDE, (y + height) * HIGH)
}

fn junction([up, right, down, left]: [u8; 4]) -> char {
    let index = ((up * 3 + right) * 3 + down) * 3 + left;
    JUNCTIONS.chars().nth(index as usize).unwrap_or(' ')
}

fn write_style(out: &mut String, style: Style) {
    out.push_str("\x1b[0");
    if style.bold {
        out.push_str(";1");
    }
    if let Some(colour) = style.fore {
        let _ = write!(out, ";38;5;{colour}");
    }
    if let Some(colour) = style.back {
        let _ = write!(out, ";48;5;{colour}");
    }
    out.push('m');
}

fn arrow(side: Side) -> char {
    match side {
        Side::Right => '→',
        Side::Left => '←',
        Side::Top => '↑',
        Side::Bottom => '↓',
    }
}
