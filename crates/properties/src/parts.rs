//! Parts of work computed elsewhere.

use crate::logs::{check_catalogue, comparison, plan};
use crate::shared::{choice, text};
use clearway_forge::enumerate::Catalogue;
use clearway_forge::parts::WorkPart;
use clearway_lab::compare::Comparison;

/// Header of all parts of the fuzzed work.
const HEAD: &str = "fuzz";

/// Checks parts and comparisons. The first byte selects the kind of the rest: a Parquet file; the
/// records of a valid file, one per line; or a comparison as text.
///
/// Reading does not panic and does not allocate more memory than is proportional to the file; records and comparisons
/// round-trip.
pub fn parts(bytes: &[u8]) {
    let Some((kind, rest)) = choice(bytes) else { return };
    match kind % 3 {
        0 => {
            drop(WorkPart::from_parquet(rest, HEAD));
            drop(comparison().read_part(rest));
            if let Ok(mut catalogue) = Catalogue::from_shard(rest, &plan()) {
                check_catalogue(&mut catalogue, &plan());
            }
        }
        1 => {
            let Some(text) = text(rest) else { return };
            let rows = (0..).zip(text.lines()).map(|(number, line)| (number, line.to_owned())).collect();
            let part = WorkPart { head: HEAD.to_owned(), rows };
            let file = part.to_parquet().expect("every record can be written");
            assert_eq!(WorkPart::from_parquet(&file, HEAD).expect("what was written can be read"), part);
        }
        _ => {
            let Some(text) = text(rest) else { return };
            let Ok(comparison) = Comparison::from_text(text) else { return };
            let printed = comparison.to_text();
            let again = Comparison::from_text(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(again.to_text(), printed);
        }
    }
}
