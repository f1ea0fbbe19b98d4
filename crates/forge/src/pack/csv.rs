//! *csv*: a table for spreadsheets, one puzzle per row. Fields with a comma or a quote are quoted.

use super::{Entry, Origin};
use clearway_rush::formats;
use clearway_util::text::csv_field;

/// Header row.
const HEADER: &str = "id,name,size,exit,board,vehicles,moves,steps,states,depth,grade,seconds,minimal,solution,\
                      generator,version,seed,optimal_solutions,decisions,license,seconds_low,seconds_high,extrapolates";
/// Numbers of fields in packs of older versions, which lack the last ones.
const OLD_FIELDS: [usize; 2] = [17, 20];

/// Writes a pack.
pub(super) fn write(entries: &[Entry]) -> String {
    let mut text = format!("{HEADER}\n");
    for entry in entries {
        let origin = entry.origin.as_ref();
        let fields = [
            entry.id.clone(),
            entry.name.clone().unwrap_or_default(),
            format!("{}x{}", entry.board.width(), entry.board.height()),
            entry.board.exit().to_string(),
            formats::line(&entry.board),
            entry.board.vehicles().len().to_string(),
            entry.moves.to_string(),
            entry.steps.map(|steps| steps.to_string()).unwrap_or_default(),
            entry.states.map(|states| states.to_string()).unwrap_or_default(),
            entry.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            entry.level.to_string(),
            format!("{:.0}", entry.human.seconds),
            entry.minimal.to_string(),
            entry.solution.to_string(),
            origin.map(|origin| origin.generator.clone()).unwrap_or_default(),
            origin.map(|origin| origin.version.clone()).unwrap_or_default(),
            origin.and_then(|origin| origin.seed).map(|seed| seed.to_string()).unwrap_or_default(),
            entry.optimal_solutions.map(|number| number.to_string()).unwrap_or_default(),
            entry.decisions.map(|decisions| decisions.to_string()).unwrap_or_default(),
            entry.license.clone().unwrap_or_default(),
            format!("{:.0}", entry.human.low),
            format!("{:.0}", entry.human.high),
            entry.human.extrapolates().to_string(),
        ];
        text += &fields.map(|field| csv_field(&field)).join(",");
        text.push('\n');
    }
    text
}

/// What is read from a row. Everything else is computed again.
pub(super) struct Row {
    /// Board in line format.
    pub board: String,
    pub name: Option<String>,
    pub origin: Option<Origin>,
    pub license: Option<String>,
}

/// Returns whether a line is the header of a pack, of this or an older version.
pub(super) fn is_header(line: &str) -> bool {
    let old = |fields| HEADER.match_indices(',').nth(fields - 1).map(|(end, _)| &HEADER[..end]);
    line == HEADER || OLD_FIELDS.into_iter().any(|fields| Some(line) == old(fields))
}

/// Parses a row. Returns None if the number of fields is wrong.
pub(super) fn read(row: &str) -> Option<Row> {
    let mut fields = fields(row);
    if !OLD_FIELDS.contains(&fields.len()) && fields.len() != HEADER.split(',').count() {
        return None;
    }
    let mut text = |column: usize| fields.get_mut(column).map(std::mem::take).filter(|text| !text.is_empty());
    let (board, name, license) = (text(4).unwrap_or_default(), text(1), text(19));
    let (generator, version, seed) = (text(14), text(15).unwrap_or_default(), text(16));
    let origin = |generator| Origin { generator, version, seed: seed.and_then(|seed| seed.parse().ok()) };
    Some(Row { board, name, origin: generator.map(origin), license })
}

fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut field, mut in_quotes) = (Vec::new(), String::new(), false);
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if in_quotes && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_older_versions_are_known() {
        let old = "id,name,size,exit,board,vehicles,moves,steps,states,depth,grade,seconds,minimal,solution,generator,version,seed";
        let licensed = format!("{old},optimal_solutions,decisions,license");
        assert!(is_header(HEADER) && is_header(old) && is_header(&licensed));
        assert!(!is_header(&old[..old.len() - 5]) && !is_header(""));
    }

    #[test]
    fn fields_in_quotes_are_read_back() {
        for field in ["plain", "a, b", "say \"a\"", "\"", ",", "", "=1+2"] {
            assert_eq!(fields(&format!("{},end", csv_field(field))), [field, "end"]);
        }
    }
}
