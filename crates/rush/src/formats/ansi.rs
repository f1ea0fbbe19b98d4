//! ANSI: a board as a picture for the terminal.

use super::palette;
use crate::{Board, Orientation, Side, Vehicle};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Draws a board for a terminal. Every line ends with a newline.
///
/// With colour, vehicles are blocks in colours of the 256-colour palette on the terminal's own background. Without colour, they
/// are outlined with box-drawing characters, and there are no escape sequences. In both, a cell takes four columns and two
/// lines, and the target carries an arrow that points to the exit.
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
    canvas.draw_frame(board, CharacterStyle { bold: colour, ..CharacterStyle::default() });
    canvas.draw_cells(board);
    if colour {
        canvas.draw_blocks(board);
    } else {
        canvas.draw_outlines(board);
    }
    canvas.print()
}

/// Columns of text per cell.
const CELL_WIDTH: usize = 4;
/// Lines of text per cell.
const CELL_HEIGHT: usize = 2;

/// Every junction of box-drawing lines, indexed in base 3 by the weights of its arms (0 none, 1 light, 2 heavy): up, right, down,
/// left.
const JUNCTIONS: &str = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";
const LIGHT: u8 = 1;
const HEAVY: u8 = 2;

/// The style of a character. Colours are indices into the 256-colour palette.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct CharacterStyle {
    foreground: Option<u8>,
    background: Option<u8>,
    bold: bool,
}

/// The text being drawn. Drawing coordinates start at the top left corner of the frame; the arrow of the exit is outside of it.
struct Canvas {
    columns: usize,
    /// Characters with their style; `None` is the second half of a wide character.
    text: Vec<Option<(char, CharacterStyle)>>,
    /// Weights of the arms of box-drawing lines at every column and line: up, right, down, left.
    arms: Vec<[u8; 4]>,
    /// Column and line of the frame's top left corner.
    left: usize,
    top: usize,
}

impl Canvas {
    fn new(board: &Board) -> Canvas {
        let side = board.exit().side();
        let room = |wanted: Side, size: usize| if side == wanted { size } else { 0 };
        let (left, top) = (room(Side::Left, 2), room(Side::Top, 1));
        let columns = board.width() as usize * CELL_WIDTH + 1 + left + room(Side::Right, 2);
        let lines = board.height() as usize * CELL_HEIGHT + 1 + top + room(Side::Bottom, 1);
        let size = columns * lines;
        Canvas {
            columns,
            text: vec![Some((' ', CharacterStyle::default())); size],
            arms: vec![[0; 4]; size],
            left,
            top,
        }
    }

    fn index(&self, column: usize, line: usize) -> usize {
        (line + self.top) * self.columns + column + self.left
    }

    fn put(&mut self, column: usize, line: usize, c: char, style: CharacterStyle) {
        let index = self.index(column, line);
        self.text[index] = Some((c, style));
    }

    /// Writes a label. A label of two columns covers the next column as well, one without width is shown as `?`.
    fn put_label(&mut self, column: usize, line: usize, label: char, style: CharacterStyle) {
        let width = label.width().unwrap_or(0);
        self.put(column, line, if width == 0 { '?' } else { label }, style);
        if width == 2 {
            let next = self.index(column + 1, line);
            self.text[next] = None;
        }
    }

    /// Draws a line from one point to another to its right or below it.
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

    /// Draws the frame, open at the exit, and the arrow outside of it.
    fn draw_frame(&mut self, board: &Board, arrow_style: CharacterStyle) {
        let (right, bottom) = (board.width() as usize * CELL_WIDTH, board.height() as usize * CELL_HEIGHT);
        let (side, line) = (board.exit().side(), board.exit_line() as usize);
        for (edge, from, to) in [
            (Side::Top, (0, 0), (right, 0)),
            (Side::Bottom, (0, bottom), (right, bottom)),
            (Side::Left, (0, 0), (0, bottom)),
            (Side::Right, (right, 0), (right, bottom)),
        ] {
            if edge != side {
                self.draw_line(from, to, HEAVY);
                continue;
            }
            let (before, after) = match side.orientation() {
                Orientation::Horizontal => ((from.0, line * CELL_HEIGHT), (from.0, (line + 1) * CELL_HEIGHT)),
                Orientation::Vertical => ((line * CELL_WIDTH, from.1), ((line + 1) * CELL_WIDTH, from.1)),
            };
            self.draw_line(from, before, HEAVY);
            self.draw_line(after, to, HEAVY);
        }
        let (x, y) = (line * CELL_WIDTH + CELL_WIDTH / 2, line * CELL_HEIGHT + CELL_HEIGHT / 2);
        // Canvas coordinates rather than drawing coordinates: only the side of the exit has room outside the frame.
        let (column, row) = match side {
            Side::Right => (right + 2, y),
            Side::Left => (0, y),
            Side::Top => (x, 0),
            Side::Bottom => (x, bottom + 1),
        };
        self.text[row * self.columns + column] = Some((arrow(side), arrow_style));
    }

    /// Draws dots in free cells and shades in walls.
    fn draw_cells(&mut self, board: &Board) {
        for (x, y) in (0..board.height()).flat_map(|y| (0..board.width()).map(move |x| (x, y))) {
            let (column, line) = (x as usize * CELL_WIDTH + 1, y as usize * CELL_HEIGHT + 1);
            if board.walls().contains(x, y) {
                (0..CELL_WIDTH - 1).for_each(|i| self.put(column + i, line, '▒', CharacterStyle::default()));
            } else if board.vehicle_at(x, y).is_none() {
                self.put(column + 1, line, '·', CharacterStyle::default());
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
            self.draw_label(board, index, CharacterStyle::default());
        }
    }

    /// Draws vehicles as blocks, separated by a column and half a line.
    fn draw_blocks(&mut self, board: &Board) {
        for (index, (vehicle, colour)) in board.vehicles().iter().zip(palette::colours(board)).enumerate() {
            let (left, top, right, bottom) = bounds(*vehicle);
            let ink = if colour.is_light() { 16 } else { 231 };
            let body = CharacterStyle { foreground: Some(ink), background: Some(colour.ansi), bold: true };
            let edge = CharacterStyle { foreground: Some(colour.ansi), ..CharacterStyle::default() };
            for column in left + 1..right {
                (top + 1..bottom).for_each(|line| self.put(column, line, ' ', body));
                if bottom < board.height() as usize * CELL_HEIGHT {
                    self.put(column, bottom, '▀', edge);
                }
            }
            self.draw_label(board, index, body);
        }
    }

    /// Draws the label in the middle of a vehicle, and the arrow of the target.
    fn draw_label(&mut self, board: &Board, index: usize, style: CharacterStyle) {
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

    /// Returns the text, without trailing spaces.
    fn print(&self) -> String {
        let mut out = String::new();
        for (text, arms) in self.text.chunks(self.columns).zip(self.arms.chunks(self.columns)) {
            let mut style = CharacterStyle::default();
            let mut line = String::new();
            for (&(c, wanted), &arms) in text.iter().zip(arms).filter_map(|(t, arms)| t.as_ref().map(|t| (t, arms))) {
                if wanted != style {
                    write_style(&mut line, wanted);
                    style = wanted;
                }
                line.push(if c == ' ' { junction(arms) } else { c });
            }
            if style != CharacterStyle::default() {
                write_style(&mut line, CharacterStyle::default());
            }
            out.push_str(line.trim_end_matches(' '));
            out.push('\n');
        }
        out
    }
}

/// The outline of a vehicle in drawing coordinates: left, top, right, bottom.
fn bounds(vehicle: Vehicle) -> (usize, usize, usize, usize) {
    let (x, y, length) = (vehicle.x as usize, vehicle.y as usize, vehicle.length as usize);
    let (width, height) = match vehicle.orientation {
        Orientation::Horizontal => (length, 1),
        Orientation::Vertical => (1, length),
    };
    (x * CELL_WIDTH, y * CELL_HEIGHT, (x + width) * CELL_WIDTH, (y + height) * CELL_HEIGHT)
}

fn junction([up, right, down, left]: [u8; 4]) -> char {
    let index = ((up * 3 + right) * 3 + down) * 3 + left;
    JUNCTIONS.chars().nth(index as usize).unwrap_or(' ')
}

fn write_style(out: &mut String, style: CharacterStyle) {
    out.push_str("\x1b[0");
    if style.bold {
        out.push_str(";1");
    }
    if let Some(colour) = style.foreground {
        let _ = write!(out, ";38;5;{colour}");
    }
    if let Some(colour) = style.background {
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
