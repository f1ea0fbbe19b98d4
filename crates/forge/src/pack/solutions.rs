//! Layout of the pages with the solutions, in two columns: each move is a vehicle, an arrow and a number of cells.

use super::cards::{Align, FOOT, GAP, Ink, Item, MARGIN, Paper, PrintedPage, SMALL, text};
use super::font::width_of;
use super::language::Words;
use super::{Entry, cards};
use clearway_rush::{Board, Move, Orientation, Side};

/// Font size of moves.
const SIZE: f64 = 8.5;
/// Distance between the lines.
const LEADING: f64 = 12.0;
/// Width of an arrow with the space around it.
const ARROW: f64 = 11.0;
/// Distance between two moves.
const SPACE: f64 = 9.0;
/// Width of the column with the numbers of the puzzles.
const INDENT: f64 = 26.0;

/// Arrow of a move: a line with a head, in a square box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arrow {
    /// Centre of the box.
    pub at: (f64, f64),
    /// Side of the box.
    pub size: f64,
    /// Direction in which the arrow points.
    pub towards: Side,
}

impl Arrow {
    /// Returns the points of its two polylines, the shaft and the head.
    pub fn lines(&self) -> [Vec<(f64, f64)>; 2] {
        let turn = |(x, y): (f64, f64)| match self.towards {
            Side::Right => (x, y),
            Side::Left => (-x, y),
            Side::Top => (y, -x),
            Side::Bottom => (y, x),
        };
        let place = |point| {
            let (x, y) = turn(point);
            (self.at.0 + x * self.size, self.at.1 + y * self.size)
        };
        [vec![(-0.5, 0.0), (0.5, 0.0)], vec![(0.15, -0.35), (0.5, 0.0), (0.15, 0.35)]]
            .map(|line: Vec<(f64, f64)>| line.into_iter().map(place).collect())
    }
}

/// Returns the direction of a move of a board's vehicle.
pub(super) fn direction(board: &Board, mv: Move) -> Side {
    let vehicle = board.vehicles().iter().find(|vehicle| vehicle.label == mv.label);
    match (vehicle.map(|vehicle| vehicle.orientation), mv.cells > 0) {
        (Some(Orientation::Vertical), true) => Side::Bottom,
        (Some(Orientation::Vertical), false) => Side::Top,
        (_, true) => Side::Right,
        (_, false) => Side::Left,
    }
}

/// A move to print.
#[derive(Clone, Debug)]
struct Printed {
    vehicle: String,
    towards: Side,
    cells: String,
}

impl Printed {
    fn width(&self) -> f64 {
        width_of(&self.vehicle, SIZE, true) + ARROW + width_of(&self.cells, SIZE, false)
    }
}

/// Lays out the pages.
pub(super) fn pages<'a>(entries: &'a [Entry], paper: Paper, words: &Words) -> Vec<PrintedPage<'a>> {
    if entries.is_empty() {
        return Vec::new();
    }
    let page = paper.size();
    let width = (page.0 - 2.0 * MARGIN - 2.0 * GAP) / 2.0;
    let (top, bottom) = (MARGIN + 48.0, page.1 - MARGIN - FOOT);
    let per_column = ((bottom - top) / LEADING) as usize;
    let mut pages: Vec<PrintedPage> = Vec::new();
    let (mut column, mut row) = (2, 0);
    for (number, entry) in (1..).zip(entries) {
        let lines = wrapped(printed(entry), width - INDENT);
        if row > 0 && row + lines.len().min(per_column) > per_column {
            (column, row) = (column + 1, 0);
        }
        for (index, line) in lines.into_iter().enumerate() {
            if row >= per_column {
                (column, row) = (column + 1, 0);
            }
            if column >= 2 {
                pages.push(heading(words));
                column = 0;
            }
            let x = MARGIN + column as f64 * (width + 2.0 * GAP);
            let y = top + row as f64 * LEADING;
            let Some(page) = pages.last_mut() else { continue };
            if index == 0 {
                page.push(text((x + INDENT - 8.0, y), SIZE, true, Ink::Soft, Align::Right, format!("{number}.")));
            }
            draw(line, (x + INDENT, y), page);
            row += 1;
        }
        // An empty line between two solutions, but not at the top of a column.
        row += 1;
        if row >= per_column {
            (column, row) = (column + 1, 0);
        }
    }
    pages
}

fn heading(words: &Words) -> PrintedPage<'static> {
    vec![
        text((MARGIN, MARGIN + 14.0), 15.0, true, Ink::Dark, Align::Left, words.solutions.to_owned()),
        text((MARGIN, MARGIN + 29.0), SMALL, false, Ink::Soft, Align::Left, words.notation.to_owned()),
    ]
}

/// Draws the moves of a line; `at` is on its baseline.
fn draw(line: Vec<Printed>, (mut x, y): (f64, f64), page: &mut PrintedPage) {
    for mv in line {
        let next = x + mv.width() + SPACE;
        let after = x + width_of(&mv.vehicle, SIZE, true);
        let at = (after + ARROW / 2.0, y - 0.36 * SIZE);
        page.push(Item::Arrow(Arrow { at, size: 0.75 * SIZE, towards: mv.towards }));
        page.push(text((x, y), SIZE, true, Ink::Dark, Align::Left, mv.vehicle));
        page.push(text((after + ARROW, y), SIZE, false, Ink::Dark, Align::Left, mv.cells));
        x = next;
    }
}

fn printed(entry: &Entry) -> Vec<Printed> {
    let one = |&mv: &Move| Printed {
        vehicle: cards::label(mv.label),
        towards: direction(&entry.board, mv),
        cells: mv.cells.unsigned_abs().to_string(),
    };
    entry.solution.0.iter().map(one).collect()
}

/// Wraps moves into lines of at most this width.
fn wrapped(moves: Vec<Printed>, width: f64) -> Vec<Vec<Printed>> {
    let mut lines: Vec<Vec<Printed>> = Vec::new();
    let mut used = f64::INFINITY;
    for mv in moves {
        let more = mv.width() + SPACE;
        match lines.last_mut() {
            Some(line) if used + more <= width + SPACE => {
                used += more;
                line.push(mv);
            }
            _ => {
                used = more;
                lines.push(vec![mv]);
            }
        }
    }
    lines
}
