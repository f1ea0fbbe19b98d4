//! The formats of packs, by the endings of their files.

use super::{Entry, csv, html, jsonl, pdf, svg, txt};
use std::path::Path;

/// A format that a pack is written in. Those for machines are read back as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackFormat {
    /// One JSON object a line.
    Jsonl,
    /// One board a line, with its moves and states.
    Txt,
    /// A table for spreadsheets.
    Csv,
    /// A page with pictures.
    Html,
    /// Printable cards as one picture.
    Svg,
    /// Printable cards.
    Pdf,
}

impl PackFormat {
    /// All formats.
    pub const ALL: [PackFormat; 6] =
        [PackFormat::Jsonl, PackFormat::Txt, PackFormat::Csv, PackFormat::Html, PackFormat::Svg, PackFormat::Pdf];

    /// The ending of its files, which is its name too.
    pub fn name(self) -> &'static str {
        match self {
            PackFormat::Jsonl => "jsonl",
            PackFormat::Txt => "txt",
            PackFormat::Csv => "csv",
            PackFormat::Html => "html",
            PackFormat::Svg => "svg",
            PackFormat::Pdf => "pdf",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<PackFormat> {
        PackFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the ending of a file asks for.
    ///
    /// ```
    /// use clearway_forge::pack::PackFormat;
    /// assert_eq!(PackFormat::of_file("packs/easy.PDF".as_ref()), Some(PackFormat::Pdf));
    /// assert_eq!(PackFormat::of_file("easy".as_ref()), None);
    /// ```
    pub fn of_file(path: &Path) -> Option<PackFormat> {
        path.extension().and_then(|ending| PackFormat::from_name(&ending.to_string_lossy().to_lowercase()))
    }

    /// A pack as the bytes of a file. The title stands where the format has a place for one.
    pub fn write(self, entries: &[Entry], title: &str) -> Vec<u8> {
        match self {
            PackFormat::Jsonl => jsonl::write(entries).into_bytes(),
            PackFormat::Txt => txt::write(entries, title).into_bytes(),
            PackFormat::Csv => csv::write(entries).into_bytes(),
            PackFormat::Html => html::write(entries, title).into_bytes(),
            PackFormat::Svg => svg::write(entries, title).into_bytes(),
            PackFormat::Pdf => pdf::write(entries, title),
        }
    }
}
