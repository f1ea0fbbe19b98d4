//! *pdf*: printable cards, several to a page, with the solutions on the last pages. Everything is drawn with vector
//! graphics and the standard fonts, so that a pack is small and sharp at any size.

mod board;

use super::Entry;
use super::cards::{Align, Ink, Item, Text, pages, width_of};
use super::{Printing, font};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Settings, Str, TextStr};

const PLAIN: Name = Name(b"Plain");
const BOLD: Name = Name(b"Bold");
/// Compression level, 0 to 10.
const COMPRESSION: u8 = 6;

/// Writes a pack.
pub(super) fn write(entries: &[Entry], title: &str, printing: Printing) -> Vec<u8> {
    let pages = pages(entries, title, printing);
    let (width, height) = printing.paper.size();
    let mut next = 1;
    let mut reference = || {
        next += 1;
        Ref::new(next - 1)
    };
    let [catalog, tree, plain, bold, info] = std::array::from_fn(|_| reference());
    let references: Vec<(Ref, Ref)> = pages.iter().map(|_| (reference(), reference())).collect();
    let mut pdf = Pdf::with_settings(Settings { pretty: false });
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(info).title(TextStr(title)).producer(TextStr("clearway"));
    pdf.pages(tree).kids(references.iter().map(|(page, _)| *page)).count(references.len() as i32);
    for (font, name) in [(plain, "Helvetica"), (bold, "Helvetica-Bold")] {
        pdf.type1_font(font).base_font(Name(name.as_bytes())).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    for (items, &(page, contents)) in pages.iter().zip(&references) {
        let mut dictionary = pdf.page(page);
        dictionary.media_box(Rect::new(0.0, 0.0, width as f32, height as f32)).parent(tree).contents(contents);
        dictionary.resources().fonts().pair(PLAIN, plain).pair(BOLD, bold);
        dictionary.finish();
        let compressed =
            miniz_oxide::deflate::compress_to_vec_zlib(&draw(items, height, printing.black_and_white), COMPRESSION);
        pdf.stream(contents, &compressed).filter(Filter::FlateDecode);
    }
    pdf.finish()
}

fn draw(items: &[Item], height: f64, black_and_white: bool) -> Vec<u8> {
    let look = if black_and_white { &board::BLACK_AND_WHITE } else { &board::COLOUR };
    let mut content = Content::with_settings(Settings { pretty: false });
    // PDF coordinates start at the bottom left; ours start at the top left.
    content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height as f32]);
    for item in items {
        match item {
            Item::Outline((x, y), width, height) => {
                let mut pen = board::Pen(&mut content);
                pen.stroke_colour([0xc3, 0xc9, 0xd2], 0.8);
                pen.rounded(*x, *y, *width, *height, 9.0);
                content.stroke();
            }
            Item::Dot((x, y), full) => {
                let mut pen = board::Pen(&mut content);
                pen.fill_colour([0x1b, 0x1f, 0x24]);
                pen.stroke_colour([0x1b, 0x1f, 0x24], 0.9);
                pen.rounded(x - 2.4, y - 2.4, 4.8, 4.8, 2.4);
                if *full {
                    content.fill_nonzero_and_stroke()
                } else {
                    content.stroke()
                };
            }
            Item::Arrow(arrow) => {
                let mut pen = board::Pen(&mut content);
                pen.stroke_colour([0x1b, 0x1f, 0x24], 0.9);
                let [shaft, head] = arrow.lines();
                pen.strokes(&[&shaft, &head]);
            }
            Item::Text(line) => text(&mut content, line),
            Item::Board(entry, corner, width, height) => {
                board::draw(&entry.board, *corner, (*width, *height), look, &mut content);
            }
        }
    }
    content.finish().to_vec()
}

fn text(content: &mut Content, line: &Text) {
    let [r, g, b] = match line.ink {
        Ink::Dark => [0x1b, 0x1f, 0x24],
        Ink::Soft => [0x6a, 0x73, 0x80],
    };
    board::Pen(content).fill_colour([r, g, b]);
    let (x, y) = line.at;
    let x = if line.align == Align::Right { x - width_of(&line.words, line.size, line.bold) } else { x };
    show(content, &line.words, (x, y), line.size, line.bold);
}

/// Draws a text whose baseline starts at the given point.
fn show(content: &mut Content, text: &str, (x, y): (f64, f64), size: f64, bold: bool) {
    content.begin_text();
    content.set_font(if bold { BOLD } else { PLAIN }, size as f32);
    // Undo the flip of the page, so that letters are upright.
    content.set_text_matrix([1.0, 0.0, 0.0, -1.0, x as f32, y as f32]);
    content.show(Str(&font::encode(text)));
    content.end_text();
}
