//! Layout of pages with cards, followed by pages with solutions, on A4 paper. Coordinates are in points from the top left.

use super::Entry;
use crate::grade::Level;

/// Width and height of the paper (A4).
pub(super) const PAGE: (f64, f64) = (595.0, 842.0);
const MARGIN: f64 = 36.0;
const GAP: f64 = 14.0;
const COLUMNS: usize = 2;
const ROWS: usize = 3;
/// Height of the footer of a page.
const FOOT: f64 = 22.0;
/// Font size of solutions.
const SMALL: f64 = 8.0;
/// Distance between the lines of solutions.
const LEADING: f64 = 10.5;

/// Colour of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Dark,
    Soft,
}

/// Side of a text that is aligned with its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Right,
    Left,
}

/// Line of text; `at` is on its baseline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub at: (f64, f64),
    pub size: f64,
    pub bold: bool,
    pub ink: Ink,
    pub align: Align,
    pub words: String,
}

/// Element of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item<'a> {
    /// Outline of a card: top left corner, width and height.
    Outline((f64, f64), f64, f64),
    Text(Text),
    /// Dot of the difficulty scale: its centre, and whether it is filled.
    Dot((f64, f64), bool),
    /// Board, scaled to fit into a rectangle: top left corner, width and height.
    Board(&'a Entry, (f64, f64), f64, f64),
}

pub(super) type Page<'a> = Vec<Item<'a>>;

/// Lays out all pages of a pack.
pub(super) fn pages<'a>(entries: &'a [Entry], title: &str) -> Vec<Page<'a>> {
    let per_page = COLUMNS * ROWS;
    let mut pages: Vec<Page> = Vec::new();
    for (first, cards) in (0..).step_by(per_page).zip(entries.chunks(per_page)) {
        pages.push(cards.iter().enumerate().flat_map(|(place, entry)| card(entry, first + place + 1, place)).collect());
    }
    pages.extend(solutions(entries));
    let count = pages.len();
    for (number, page) in (1..).zip(&mut pages) {
        let y = PAGE.1 - MARGIN;
        page.push(text((MARGIN, y), SMALL, false, Ink::Soft, Align::Left, fitted(title, SMALL, PAGE.0 * 0.7)));
        page.push(text((PAGE.0 - MARGIN, y), SMALL, false, Ink::Soft, Align::Right, format!("{number} / {count}")));
    }
    pages
}

/// Lays out a card: its number and level above the board; its length, the predicted time and its name or id below.
fn card(entry: &Entry, number: usize, place: usize) -> Vec<Item<'_>> {
    let width = (PAGE.0 - 2.0 * MARGIN - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
    let height = (PAGE.1 - 2.0 * MARGIN - FOOT - GAP * (ROWS - 1) as f64) / ROWS as f64;
    let x = MARGIN + (place % COLUMNS) as f64 * (width + GAP);
    let y = MARGIN + (place / COLUMNS) as f64 * (height + GAP);
    let (left, right, inset) = (x + 14.0, x + width - 14.0, 14.0);
    let (above, below) = (y + 26.0, y + height - 13.0);
    let level = entry.level.as_str();
    let (moves, time) = (format!("{} moves", entry.moves), entry.human.to_string());
    let after_moves = left + width_of(&moves, 10.0, true) + 6.0;
    let after_time = after_moves + width_of(&time, 7.0, false) + 8.0;
    let mut items = vec![
        Item::Outline((x, y), width, height),
        text((left, above), 17.0, true, Ink::Dark, Align::Left, number.to_string()),
        text((right, above - 1.0), 10.0, false, Ink::Dark, Align::Right, level.to_owned()),
        text((left, below), 10.0, true, Ink::Dark, Align::Left, moves),
        text((after_moves, below), 7.0, false, Ink::Soft, Align::Left, time),
    ];
    let about = entry.name.as_deref().unwrap_or(&entry.id);
    items.push(text((right, below), 7.0, false, Ink::Soft, Align::Right, fitted(about, 7.0, right - after_time)));
    let rank = Level::ALL.iter().position(|&level| level == entry.level).unwrap_or(0);
    let dots = right - width_of(level, 10.0, false) - 18.0 - 7.5 * Level::ALL.len() as f64;
    for i in 0..Level::ALL.len() {
        items.push(Item::Dot((dots + 7.5 * (i as f64 + 0.5), above - 4.5), i <= rank));
    }
    let (top, bottom) = (y + 36.0, y + height - 28.0);
    items.push(Item::Board(entry, (x + inset, top), width - 2.0 * inset, bottom - top));
    items
}

/// Lays out the pages with the solutions, in two columns.
fn solutions(entries: &[Entry]) -> Vec<Page<'_>> {
    if entries.is_empty() {
        return Vec::new();
    }
    let width = (PAGE.0 - 2.0 * MARGIN - 2.0 * GAP) / 2.0;
    let (top, bottom) = (MARGIN + 44.0, PAGE.1 - MARGIN - FOOT);
    let per_column = ((bottom - top) / LEADING) as usize;
    let indent = 26.0;
    let mut pages: Vec<Page> = Vec::new();
    let (mut column, mut row) = (2, 0);
    for (number, entry) in (1..).zip(entries) {
        let lines = wrapped(&moves(entry), SMALL, width - indent);
        if row > 0 && row + lines.len().min(per_column) > per_column {
            (column, row) = (column + 1, 0);
        }
        for (index, line) in lines.into_iter().enumerate() {
            if row >= per_column {
                (column, row) = (column + 1, 0);
            }
            if column >= 2 {
                pages.push(heading());
                column = 0;
            }
            let x = MARGIN + column as f64 * (width + 2.0 * GAP);
            let y = top + row as f64 * LEADING;
            let Some(page) = pages.last_mut() else { continue };
            if index == 0 {
                page.push(text((x + indent - 6.0, y), SMALL, true, Ink::Dark, Align::Right, number.to_string()));
            }
            page.push(text((x + indent, y), SMALL, false, Ink::Dark, Align::Left, line));
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

fn heading() -> Page<'static> {
    let how = "Each move is a vehicle, a sign (plus for right or down, minus for left or up) and a number of cells.";
    vec![
        text((MARGIN, MARGIN + 14.0), 15.0, true, Ink::Dark, Align::Left, "Solutions".to_owned()),
        text((MARGIN, MARGIN + 28.0), SMALL, false, Ink::Soft, Align::Left, how.to_owned()),
    ]
}

fn text(at: (f64, f64), size: f64, bold: bool, ink: Ink, align: Align, words: String) -> Item<'static> {
    Item::Text(Text { at, size, bold, ink, align, words })
}

/// Formats the solution of a puzzle for printing.
fn moves(entry: &Entry) -> String {
    let moves = entry.solution.0.iter().map(|mv| format!("{}{:+}", label(mv.label), mv.cells));
    moves.collect::<Vec<_>>().join("  ")
}

/// Formats a label for printing. The standard fonts of PDF have no characters beyond Latin, so other labels, which only the
/// largest boards have, are replaced by the number of the vehicle.
pub(super) fn label(label: char) -> String {
    if label.is_ascii() {
        return label.to_string();
    }
    let place = clearway_rush::labels().iter().position(|&other| other == label);
    place.map_or("?".to_owned(), |place| (place + 1).to_string())
}

/// Wraps a text into lines of at most this width.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or("", String::as_str);
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line}  {word}") };
        if line.is_empty() || width_of(&longer, size, false) <= width {
            lines.pop();
            lines.push(longer);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Shortens a text, with an ellipsis, if it is wider than this width.
fn fitted(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size, false) <= width {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while width_of(&format!("{short}..."), size, false) > width && short.pop().is_some() {}
    short + "..."
}

/// Returns the width of a text in Helvetica.
pub(super) fn width_of(text: &str, size: f64, bold: bool) -> f64 {
    let widths = if bold { &BOLD_WIDTHS } else { &WIDTHS };
    let width = |c: char| (c as usize).checked_sub(32).and_then(|i| widths.get(i)).map_or(0.6, |&w| f64::from(w) / 1e3);
    text.chars().map(width).sum::<f64>() * size
}

/// Widths of the characters from space to tilde in Helvetica, in thousandths of the font size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Widths of the same characters in Helvetica Bold.
const BOLD_WIDTHS: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
];
