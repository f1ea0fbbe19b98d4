//! *html*: a page with a picture of every puzzle, followed by the solutions. It is self-contained, honours
//! `prefers-color-scheme`, and has a print layout.

use super::language::Words;
use super::{Entry, Language, solutions};
use crate::grade::Level;
use clearway_rush::Side;
use clearway_rush::formats::svg::{self, SvgOptions};
use clearway_util::text::escape_xml;
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5b6472; --line: #d8dce3; --back: #f3f5f8; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --soft: #a3acba; --line: #333a45; --back: #111418; --card: #1a1e25; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 74rem; color: var(--ink); background: var(--back);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { margin-top: 3rem; }
.soft { color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; margin-top: 1.5rem; }
.card { margin: 0; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .8rem;
  display: flex; flex-direction: column; break-inside: avoid; }
.card header, .card figcaption { display: flex; justify-content: space-between; align-items: baseline; }
.card svg { width: 100%; height: auto; max-height: 22rem; margin: .4rem 0; }
.card figcaption { margin-top: auto; font-size: .875rem; }
.number { font-size: 1.25rem; font-weight: 700; } .moves { font-weight: 600; }
.dots { letter-spacing: .1em; } a { color: inherit; }
code { font: .75rem ui-monospace, monospace; }
.solutions { columns: 24rem; column-gap: 2rem; padding-left: 2.5rem; font-size: .875rem; }
.solutions li { break-inside: avoid; margin-bottom: .5rem; font-variant-numeric: tabular-nums; }
.solutions li::marker { font-weight: 700; }
.solutions li:target { outline: 2px solid var(--soft); outline-offset: 3px; border-radius: 3px; }
@media print {
  body { margin: 0; max-width: none; background: none; font-size: 11pt; }
  .cards { grid-template-columns: 1fr 1fr; } .card svg { max-height: 6.2cm; }
  h2 { break-before: page; margin-top: 0; } }
";

/// Writes a pack.
pub(super) fn write(entries: &[Entry], title: &str, language: Language) -> String {
    let words = language.words();
    let shown = escape_xml(title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{shown}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{shown}</h1>\n<p class=\"soft\">{}</p>\n\
         <div class=\"cards\">\n",
        language.as_str(),
        escape_xml(&summary(entries, words))
    );
    for (number, entry) in (1..).zip(entries) {
        text += &card(entry, number, words);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "</div>\n<h2>{}</h2>\n<p class=\"soft\">{}</p>\n<ol class=\"solutions\">",
        words.solutions, words.notation
    );
    for (number, entry) in (1..).zip(entries) {
        let moves = entry.solution.0.iter().map(|&mv| {
            let arrow = match solutions::direction(&entry.board, mv) {
                Side::Right => '→',
                Side::Left => '←',
                Side::Top => '↑',
                Side::Bottom => '↓',
            };
            // No-break spaces keep a move on one line.
            format!("{}\u{a0}{arrow}\u{a0}{}", escape_xml(&mv.label.to_string()), mv.cells.unsigned_abs())
        });
        let moves = moves.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "<li id=\"solution-{number}\">{moves}</li>");
    }
    text += "</ol>\n</body>\n</html>\n";
    text
}

/// Returns the number of puzzles of each level, and their licence.
fn summary(entries: &[Entry], words: &Words) -> String {
    let count = |level| entries.iter().filter(|entry| entry.level == level).count();
    let levels = Level::ALL.into_iter().map(|level| (level, count(level))).filter(|(_, count)| *count > 0);
    let levels = levels.map(|(level, count)| format!("{count} {}", words.level(level))).collect::<Vec<_>>().join(", ");
    Entry::common_license(entries).map_or(levels.clone(), |license| format!("{levels} · {} {license}", words.license))
}

fn card(entry: &Entry, number: usize, words: &Words) -> String {
    let rank = Level::ALL.iter().position(|&level| level == entry.level).unwrap_or(0) + 1;
    let dots = "●".repeat(rank) + &"○".repeat(Level::ALL.len() - rank);
    let name = entry.name.as_deref().map_or(String::new(), |name| format!(" <span>{}</span>", escape_xml(name)));
    let picture = svg::board(&entry.board, &SvgOptions::default());
    format!(
        "<figure class=\"card\" id=\"puzzle-{number}\">\n\
         <header><span class=\"number\">{number}</span>{name}<span><span class=\"dots\" aria-hidden=\"true\">{dots}</span> \
         {level}</span></header>\n{picture}<figcaption><span><span class=\"moves\">{moves}</span> \
         <span class=\"soft\">· {time}</span></span> <a href=\"#solution-{number}\">{solution}</a></figcaption>\n\
         <code class=\"soft\">{id}</code>\n</figure>\n",
        level = words.level(entry.level),
        moves = words.length(entry),
        time = words.time(&entry.human),
        solution = words.solution,
        id = entry.id,
    )
}
