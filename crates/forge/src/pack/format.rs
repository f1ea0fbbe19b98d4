//! Formats of packs, identified by file extension.

#[cfg(feature = "pdf")]
use super::pdf;
use super::{Entry, Printing, csv, font, html, jsonl, svg, txt};
use std::collections::BTreeSet;
use std::path::Path;

/// Format of a pack. `jsonl`, `txt` and `csv` can also be [read](super::PackReader).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PackFormat {
    /// JSON Lines: one object per line.
    Jsonl,
    /// Text: one board per line, with its moves and states.
    Txt,
    /// Table for spreadsheets.
    Csv,
    /// Web page with pictures and solutions.
    Html,
    /// Printable cards and solutions as one picture.
    Svg,
    /// Printable cards and solutions; only with the feature `pdf`.
    #[cfg(feature = "pdf")]
    Pdf,
}

impl PackFormat {
    /// All formats.
    pub const ALL: &'static [PackFormat] = &[
        PackFormat::Jsonl,
        PackFormat::Txt,
        PackFormat::Csv,
        PackFormat::Html,
        PackFormat::Svg,
        #[cfg(feature = "pdf")]
        PackFormat::Pdf,
    ];

    /// Returns the name of the format, which is also its file extension.
    pub fn name(self) -> &'static str {
        match self {
            PackFormat::Jsonl => "jsonl",
            PackFormat::Txt => "txt",
            PackFormat::Csv => "csv",
            PackFormat::Html => "html",
            PackFormat::Svg => "svg",
            #[cfg(feature = "pdf")]
            PackFormat::Pdf => "pdf",
        }
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<PackFormat> {
        PackFormat::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Returns the format for the extension of a file name.
    ///
    /// ```
    /// use clearway_forge::pack::PackFormat;
    /// assert_eq!(PackFormat::from_path("packs/easy.PDF".as_ref()), Some(PackFormat::Pdf));
    /// assert_eq!(PackFormat::from_path("easy".as_ref()), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<PackFormat> {
        path.extension().and_then(|extension| PackFormat::from_name(&extension.to_string_lossy().to_lowercase()))
    }

    /// Returns the contents of a file with these puzzles. The title is omitted in formats that have no place for it.
    pub fn write(self, entries: &[Entry], title: &str) -> Vec<u8> {
        self.print(entries, title, Printing::default())
    }

    /// Returns the contents of a file with these puzzles, as [`write`](PackFormat::write) does, with options for printed cards.
    pub fn print(self, entries: &[Entry], title: &str, printing: Printing) -> Vec<u8> {
        match self {
            PackFormat::Jsonl => jsonl::write(entries).into_bytes(),
            PackFormat::Txt => txt::write(entries, title).into_bytes(),
            PackFormat::Csv => csv::write(entries).into_bytes(),
            PackFormat::Html => html::write(entries, title, printing.language).into_bytes(),
            PackFormat::Svg => svg::write(entries, title, printing).into_bytes(),
            #[cfg(feature = "pdf")]
            PackFormat::Pdf => pdf::write(entries, title, printing),
        }
    }

    /// Returns the characters of the title and of the names that a file of this format shows as question marks. Only `pdf` has
    /// any: its fonts have the characters of Windows-1252, which suffice for the languages of Western Europe.
    ///
    /// ```
    /// use clearway_forge::pack::PackFormat;
    /// assert!(PackFormat::Pdf.missing_characters(&[], "Äpfel, 5 €").is_empty());
    /// assert_eq!(PackFormat::Pdf.missing_characters(&[], "α and β").into_iter().collect::<String>(), "αβ");
    /// ```
    pub fn missing_characters(self, entries: &[Entry], title: &str) -> BTreeSet<char> {
        if self.name() != "pdf" {
            return BTreeSet::new();
        }
        let names = entries.iter().filter_map(|entry| entry.name.as_deref());
        names
            .chain(Entry::common_license(entries))
            .chain([title])
            .flat_map(str::chars)
            .filter(|&c| font::code(c).is_none())
            .collect()
    }
}
