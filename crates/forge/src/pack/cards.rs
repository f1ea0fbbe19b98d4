//! Layout of pages with cards, followed by pages with solutions. Coordinates are in points from the top left.

pub(super) use super::font::width_of;
use super::language::Words;
pub(super) use super::printing::Paper;
use super::solutions::{self, Arrow};
use super::{Entry, Printing};
use crate::grade::Level;

pub(super) const MARGIN: f64 = 36.0;
pub(super) const GAP: f64 = 14.0;
const COLUMNS: usize = 2;
const ROWS: usize = 3;
/// Height of the footer of a page.
pub(super) const FOOT: f64 = 22.0;
/// Font size of notes.
pub(super) const SMALL: f64 = 8.0;

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
    /// Arrow of a move.
    Arrow(Arrow),
    /// Board, scaled to fit into a rectangle: top left corner, width and height.
    Board(&'a Entry, (f64, f64), f64, f64),
}

pub(super) type PrintedPage<'a> = Vec<Item<'a>>;

/// Lays out all pages of a pack.
pub(super) fn pages<'a>(entries: &'a [Entry], title: &str, printing: Printing) -> Vec<PrintedPage<'a>> {
    let Printing { paper, language, .. } = printing;
    let words = language.words();
    let (width, height) = paper.size();
    let per_page = COLUMNS * ROWS;
    let mut pages: Vec<PrintedPage> = Vec::new();
    for (first, cards) in (0..).step_by(per_page).zip(entries.chunks(per_page)) {
        pages.push(
            cards
                .iter()
                .enumerate()
                .flat_map(|(place, entry)| card(entry, first + place + 1, place, paper, words))
                .collect(),
        );
    }
    let with_cards = pages.len();
    pages.extend(solutions::pages(entries, paper, words));
    let count = pages.len();
    // The cards may be cut out: the licence is on the pages that remain.
    let licensed = match Entry::common_license(entries) {
        Some(license) => format!("{} · {} {license}", fitted(title, SMALL, width * 0.35), words.license),
        None => title.to_owned(),
    };
    for (number, page) in (1..).zip(&mut pages) {
        let y = height - MARGIN;
        let about = if number > with_cards { &licensed } else { title };
        page.push(text((MARGIN, y), SMALL, false, Ink::Soft, Align::Left, fitted(about, SMALL, width * 0.7)));
        page.push(text((width - MARGIN, y), SMALL, false, Ink::Soft, Align::Right, format!("{number} / {count}")));
    }
    pages
}

/// Lays out a card: its number and level above the board; its length, the predicted time and its name or id below.
fn card<'a>(entry: &'a Entry, number: usize, place: usize, paper: Paper, words: &Words) -> Vec<Item<'a>> {
    let page = paper.size();
    let width = (page.0 - 2.0 * MARGIN - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
    let height = (page.1 - 2.0 * MARGIN - FOOT - GAP * (ROWS - 1) as f64) / ROWS as f64;
    let x = MARGIN + (place % COLUMNS) as f64 * (width + GAP);
    let y = MARGIN + (place / COLUMNS) as f64 * (height + GAP);
    let (left, right, inset) = (x + 14.0, x + width - 14.0, 14.0);
    let (above, below) = (y + 26.0, y + height - 13.0);
    let level = words.level(entry.level);
    let (moves, time) = (words.length(entry), words.time(&entry.human));
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

pub(super) fn text(at: (f64, f64), size: f64, bold: bool, ink: Ink, align: Align, words: String) -> Item<'static> {
    Item::Text(Text { at, size, bold, ink, align, words })
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

/// Shortens a text, with an ellipsis, if it is wider than this width.
fn fitted(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size, false) <= width {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while width_of(&format!("{short}…"), size, false) > width && short.pop().is_some() {}
    short + "…"
}
