//! Tables as text, CSV, HTML and LaTeX.

pub use clearway_util::text::thousands as count;
use clearway_util::text::{csv_field, escape_xml};
use std::fmt::Write as _;

/// A table. The first column is text; the others are numbers, aligned to the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Title; may be empty.
    pub title: String,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Table {
        Table { title: title.into(), columns: columns.iter().map(|&c| c.to_owned()).collect(), rows: Vec::new() }
    }

    /// Renders the table for a terminal.
    pub fn to_text(&self) -> String {
        let lines = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |column: usize| {
            lines().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = if self.title.is_empty() { String::new() } else { format!("{}\n", self.title) };
        for line in lines() {
            let mut row = String::new();
            for (i, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = if i == 0 { write!(row, "{cell:<width$}") } else { write!(row, "  {cell:>width$}") };
            }
            text += row.trim_end();
            text.push('\n');
        }
        text
    }

    /// Renders the table as CSV, without the title and without thousands separators.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for (number, line) in std::iter::once(&self.columns).chain(&self.rows).enumerate() {
            let cells =
                line.iter().map(|cell| csv_field(&if number == 0 { cell.clone() } else { without_commas(cell) }));
            text += &cells.collect::<Vec<_>>().join(",");
            text.push('\n');
        }
        text
    }

    /// Renders the table as HTML.
    pub fn to_html(&self) -> String {
        let mut text = String::from("<div class=\"wide\"><table>\n");
        if !self.title.is_empty() {
            let _ = writeln!(text, "<caption>{}</caption>", escape_xml(&self.title));
        }
        let row = |cells: &[String], tag: &str| {
            let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape_xml(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let _ = write!(text, "<thead>{}</thead>\n<tbody>\n", row(&self.columns, "th"));
        for line in &self.rows {
            text += &row(line, "td");
        }
        text + "</tbody></table></div>\n"
    }

    /// Renders the table as LaTeX, for a document that loads the package `booktabs`.
    pub fn to_latex(&self) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| escape_latex(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let mut text = String::from("\\begin{table}\n\\centering\n");
        if !self.title.is_empty() {
            let _ = writeln!(text, "\\caption{{{}}}", escape_latex(&self.title));
        }
        let numbers = "r".repeat(self.columns.len().saturating_sub(1));
        let _ = write!(text, "\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n{}\\midrule\n", row(&self.columns));
        self.rows.iter().for_each(|line| text += &row(line));
        text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    }
}

/// Escapes the characters that have a meaning in LaTeX.
fn escape_latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            // In the default encoding of fonts, these are other characters.
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            _ if c.is_control() => {}
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Removes the thousands separators of a number; returns any other text unchanged.
fn without_commas(cell: &str) -> String {
    let is_number = cell.starts_with(|c: char| c.is_ascii_digit())
        && cell.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.');
    if is_number { cell.replace(',', "") } else { cell.to_owned() }
}

/// Formats a ratio with a suitable number of decimals, or a dash if it is not finite.
pub fn ratio(ours: f64, theirs: f64) -> String {
    let ratio = ours / theirs;
    if !ratio.is_finite() {
        return "-".to_owned();
    }
    let decimals = if ratio >= 100.0 {
        0
    } else if ratio >= 10.0 {
        1
    } else if ratio >= 0.1 {
        2
    } else {
        4
    };
    format!("{ratio:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Boards & nodes", &["board", "nodes, all"]);
        table.rows = vec![vec!["a<b".into(), "1,234".into()], vec!["\"c\"".into(), "-".into()]];
        table
    }

    #[test]
    fn tables_are_rendered_as_text_csv_html_and_latex() {
        assert_eq!(table().to_text(), "Boards & nodes\nboard  nodes, all\na<b         1,234\n\"c\"             -\n");
        assert_eq!(table().to_csv(), "board,\"nodes, all\"\na<b,1234\n\"\"\"c\"\"\",-\n");
        let html = table().to_html();
        let document = roxmltree::Document::parse(&html).unwrap();
        let cells: Vec<_> =
            document.descendants().filter(|n| n.has_tag_name("td")).map(|n| n.text().unwrap()).collect();
        assert_eq!(cells, ["a<b", "1,234", "\"c\"", "-"]);
        let latex = table().to_latex();
        assert!(
            latex.contains("\\caption{Boards \\& nodes}\n\\begin{tabular}{lr}\n\\toprule\nboard & nodes, all \\\\\n")
        );
        assert!(latex.contains("\na\\textless{}b & 1,234 \\\\\n\"c\" & - \\\\\n\\bottomrule\n"), "{latex}");
        assert_eq!(
            escape_latex("5 % of a_b^2 \\ {~}\u{7}"),
            "5 \\% of a\\_b\\textasciicircum{}2 \\textbackslash{} \\{\\textasciitilde{}\\}"
        );
    }

    #[test]
    fn small_ratios_have_more_decimals() {
        let texts = [(1.0, 3.0), (55.0, 1.0), (1234.0, 1.0), (1.0, 1000.0), (1.0, 0.0)].map(|(a, b)| ratio(a, b));
        assert_eq!(texts, ["0.33", "55.0", "1234", "0.0010", "-"]);
    }
}
