//! The tables of algorithms in the book are generated from their declarations.
//!
//! `UPDATE_DOCS=1 cargo test -p clearway-cli --test all algorithm_table` updates them.

use clearway_search::spec::{ALGORITHMS, Claims};
use std::fmt::Write as _;
use std::fs;

const CHAPTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/comparing.md");
const BEGIN: &str =
    "<!-- The tables up to the next comment are generated: see crates/cli/tests/all/algorithm_table.rs -->\n";
const END: &str = "<!-- The generated tables end here -->\n";

fn tables() -> String {
    let mut text = String::from("\n| expression | description | options |\n| --- | --- | --- |\n");
    for info in ALGORITHMS {
        let options: Vec<String> = info
            .options
            .iter()
            .map(|option| {
                let (designed, learned) = (info.default_value(option, false), info.default_value(option, true));
                let learned = if designed == learned { String::new() } else { format!(", {learned} for policies") };
                format!("`{}`: {} (default: {designed}{learned})", option.usage().replace('|', "\\|"), option.about)
            })
            .collect();
        let _ = writeln!(text, "| `{}` | {} | {} |", info.example, info.about, options.join("; "));
    }
    text += "\n| expression | complete | optimal | not with | lower bound when a limit stops it |\n| --- | --- | --- | --- | --- |\n";
    for info in ALGORITHMS {
        let Claims { complete, optimal, bound: (bound, when) } = info.claims();
        let weakening: Vec<String> = info.weakening_options().iter().map(|option| format!("`{option}`")).collect();
        let _ = writeln!(
            text,
            "| `{}` | {complete} | {optimal} | {} | {bound}, {when} |",
            info.title(),
            weakening.join(", ")
        );
    }
    text.push('\n');
    text
}

#[test]
fn the_chapter_has_the_generated_tables() {
    let chapter = fs::read_to_string(CHAPTER).unwrap();
    let (before, rest) = chapter.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(CHAPTER, format!("{before}{BEGIN}{}{END}{after}", tables())).unwrap();
    } else {
        assert_eq!(
            found,
            tables(),
            "UPDATE_DOCS=1 cargo test -p clearway-cli --test all algorithm_table updates the chapter"
        );
    }
}
