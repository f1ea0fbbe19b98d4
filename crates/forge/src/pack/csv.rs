//! *csv*: a table for spreadsheets, one puzzle per row. Fields with a comma or a quote are quoted.

use super::{Entry, Origin};
use clearway_rush::formats;
use clearway_util::text::csv_field;

/// Header row.
pub(super) const HEADER: &str = "id,name,size,exit,board,vehicles,moves,steps,states,depth,grade,seconds,minimal,\
                                 solution,generator,version,seed";

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
        ];
        text += &fields.map(|field| csv_field(&field)).join(",");
        text.push('\n');
    }
    text
}

/// Parses the board (as text), the name and the origin from a row. Returns None if the number of fields is wrong.
pub(super) fn read(row: &str) -> Option<(String, Option<String>, Option<Origin>)> {
    let mut fields = fields(row);
    let origin = |fields: &[String]| {
        let [generator, version, seed] = fields else { return None };
        let origin = Origin { generator: generator.clone(), version: version.clone(), seed: seed.parse().ok() };
        (!generator.is_empty()).then_some(origin)
    };
    if fields.len() != HEADER.split(',').count() {
        return None;
    }
    let origin = origin(&fields[14..]);
    let name = std::mem::take(&mut fields[1]);
    Some((std::mem::take(&mut fields[4]), Some(name).filter(|name| !name.is_empty()), origin))
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
    fn fields_in_quotes_are_read_back() {
        for field in ["plain", "a, b", "say \"a\"", "\"", ",", "", "=1+2"] {
            assert_eq!(fields(&format!("{},end", csv_field(field))), [field, "end"]);
        }
    }
}
