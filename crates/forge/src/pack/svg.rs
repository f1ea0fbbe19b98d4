//! *svg*: pages of cards as one picture, arranged vertically, with the solutions on the last pages. It honours
//! `prefers-color-scheme`.

use super::cards::{Align, Ink, Item, Text, pages};
use super::{Entry, Printing};
use clearway_rush::formats::svg::{self, SvgOptions};
use clearway_util::text::escape_xml;
use std::fmt::Write;

/// Distance between two pages.
const GAP: f64 = 12.0;

const STYLE: &str = "\
.desk{fill:#c9ced6}.paper{fill:#fff}.card{fill:none;stroke:#c3c9d2}.dark{fill:#1b1f24}.soft{fill:#6a7380}\
.dot{fill:none;stroke:#1b1f24;stroke-width:.9}.dot.full{fill:#1b1f24}.arrow{fill:none;stroke:#1b1f24;stroke-width:.9}
text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif}.bold{font-weight:700}
@media (prefers-color-scheme:dark){.desk{fill:#0c0e11}.paper{fill:#181c22}.card{stroke:#3a424d}.dark{fill:#e9edf2}\
.soft{fill:#97a1af}.dot{stroke:#e9edf2}.dot.full{fill:#e9edf2}.arrow{stroke:#e9edf2}}
";

/// Writes a pack.
pub(super) fn write(entries: &[Entry], title: &str, printing: Printing) -> String {
    let pages = pages(entries, title, printing);
    let (width, page_height) = printing.paper.size();
    let height = (page_height + GAP) * pages.len().max(1) as f64 - GAP;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}pt\" \
         height=\"{height}pt\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"desk\" width=\"{width}\" height=\"{height}\"/>\n",
        escape_xml(title)
    );
    // Writing to a string cannot fail.
    for (number, page) in pages.iter().enumerate() {
        let y = number as f64 * (page_height + GAP);
        let _ = writeln!(text, "<g transform=\"translate(0 {y})\">");
        let _ = writeln!(text, "<rect class=\"paper\" width=\"{width}\" height=\"{page_height}\"/>");
        for item in page {
            draw(item, &mut text);
        }
        text += "</g>\n";
    }
    text += "</svg>\n";
    text
}

fn draw(item: &Item, out: &mut String) {
    let _ = match item {
        Item::Outline((x, y), width, height) => writeln!(
            out,
            "<rect class=\"card\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" rx=\"9\"/>"
        ),
        Item::Dot((x, y), full) => {
            let class = if *full { "dot full" } else { "dot" };
            writeln!(out, "<circle class=\"{class}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"2.4\"/>")
        }
        Item::Arrow(arrow) => {
            let lines = arrow.lines().map(|line| {
                let points = line.iter().map(|(x, y)| format!("{x:.2} {y:.2}")).collect::<Vec<_>>();
                format!("M{}", points.join("L"))
            });
            writeln!(out, "<path class=\"arrow\" d=\"{}\"/>", lines.concat())
        }
        Item::Text(Text { at: (x, y), size, bold, ink, align, words }) => {
            let anchor = if *align == Align::Right { " text-anchor=\"end\"" } else { "" };
            let ink = if *ink == Ink::Dark { "dark" } else { "soft" };
            let weight = if *bold { " bold" } else { "" };
            writeln!(
                out,
                "<text class=\"{ink}{weight}\" x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\"{anchor}>{}</text>",
                escape_xml(words).replace("  ", "&#160; ")
            )
        }
        Item::Board(entry, (x, y), width, height) => {
            let (board_width, board_height) = svg::size(&entry.board);
            let (board_width, board_height) = (f64::from(board_width), f64::from(board_height));
            let scale = (width / board_width).min(height / board_height);
            let (x, y) = (x + (width - board_width * scale) / 2.0, y + (height - board_height * scale) / 2.0);
            let picture = svg::board(&entry.board, &SvgOptions::default());
            writeln!(out, "<g transform=\"translate({x:.2} {y:.2}) scale({scale:.4})\">\n{picture}</g>")
        }
    };
}
