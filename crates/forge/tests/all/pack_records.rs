//! The records of packs: their values, their schema, their licence, and records of older versions.

use clearway_forge::Shape;
use clearway_forge::grade::{Level, grade};
use clearway_forge::pack::{
    Entry, LICENSE, Language, Origin, PackFormat, PackMerger, PackReader, PackRequest, Printing, gather, schema,
};
use clearway_rush::formats::{self, ReadOptions};
use clearway_rush::{Side, Solver};
use clearway_search::Limits;
use serde_json::Value;
use std::collections::BTreeSet;
use std::slice;

fn pack() -> Vec<Entry> {
    let shape = Shape::new(5, 5, Side::Right, None, 0).unwrap();
    gather(&PackRequest::new(shape, 4..=8, 5, 7), 2, &Limits::default(), &|_| ()).entries
}

fn text(format: PackFormat, entries: &[Entry]) -> String {
    String::from_utf8(format.write(entries, "title")).unwrap()
}

#[test]
fn records_have_the_numbers_of_solutions_and_decisions() {
    let mut solver = Solver::new();
    for entry in pack() {
        let grade = grade(&entry.board, &mut solver, &Limits::default()).grade;
        let record: Value = serde_json::from_str(&text(PackFormat::Jsonl, std::slice::from_ref(&entry))).unwrap();
        assert_eq!(record["optimal_solutions"].as_u64().map(u128::from), grade.optimal_solutions);
        assert_eq!(record["decisions"].as_f64(), grade.decisions);
        assert!(grade.decisions.unwrap() >= 1.0);
    }
}

#[test]
fn numbers_of_solutions_beyond_64_bits_are_kept() {
    let large = Entry { optimal_solutions: Some(u128::MAX), ..pack().remove(0) };
    let record = text(PackFormat::Jsonl, std::slice::from_ref(&large));
    assert!(record.contains("\"optimal_solutions\":340282366920938463463374607431768211455,"), "{record}");
    // As in the results of attempts on a cluster.
    let line = serde_json::to_string(&large).unwrap();
    assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), large);
}

#[test]
fn the_schema_describes_the_fields_of_a_record() {
    let schema: Value = serde_json::from_str(schema()).unwrap();
    let named = Entry { name: Some("a name".to_owned()), ..pack().remove(0) };
    let record: Value = serde_json::from_str(&text(PackFormat::Jsonl, &[named])).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&schema["properties"]), keys(&record));
    assert_eq!(keys(&schema["properties"]["human"]["properties"]), keys(&record["human"]));
    let required: BTreeSet<String> = serde_json::from_value(schema["required"].clone()).unwrap();
    let optional: Vec<String> = keys(&record).difference(&required).cloned().collect();
    assert_eq!(optional, ["decisions", "license", "name", "optimal_solutions"], "those that older versions lack");
}

#[test]
fn generated_puzzles_state_their_licence() {
    let mut entries = pack();
    for line in text(PackFormat::Jsonl, &entries).lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["license"], "CC0-1.0");
    }
    assert!(text(PackFormat::Txt, &entries).starts_with("# title\n# license: CC0-1.0\n# moves board states\n"));
    assert!(text(PackFormat::Html, &entries).contains("5 beginner · license: CC0-1.0"));
    // Printed packs have it once, on the page with the solutions.
    let svg = text(PackFormat::Svg, &entries);
    assert_eq!(svg.matches("license").count(), 1);
    assert!(svg.split_once(">Solutions<").unwrap().1.contains(">title · license: CC0-1.0<"), "{svg}");
    for format in [PackFormat::Jsonl, PackFormat::Csv] {
        let read: Vec<_> = PackReader::new(text(format, &entries).as_bytes(), ReadOptions::default())
            .map(|sourced| sourced.unwrap().license)
            .collect();
        assert_eq!(read, vec![Some(LICENSE.to_owned()); 5], "{format:?}");
    }
    // A header holds for all puzzles, and is one line.
    entries[0].license = None;
    assert!(!text(PackFormat::Txt, &entries).contains("license"));
    assert!(!text(PackFormat::Html, &entries).contains("license"));
    assert!(!text(PackFormat::Svg, &entries).contains("license"));
    let broken = Entry { license: Some("a\nb".to_owned()), ..entries.remove(0) };
    assert!(!text(PackFormat::Txt, &[broken]).contains("license"));
}

#[test]
fn a_merged_puzzle_keeps_its_licence() {
    let licensed = pack().remove(0);
    let bare = Entry { license: None, ..licensed.clone() };
    for order in [[&licensed, &bare], [&bare, &licensed]] {
        let mut merger = PackMerger::default();
        order.into_iter().cloned().for_each(|entry| merger.add(entry));
        assert_eq!(merger.into_pack()[0].license.as_deref(), Some(LICENSE));
    }
}

#[test]
fn a_single_move_is_singular_in_html() {
    let two = pack().remove(0);
    let html = text(PackFormat::Html, &[Entry { moves: 1, ..two.clone() }, two.clone()]);
    assert!(html.contains(">1 move</span>") && html.contains(&format!(">{} moves</span>", two.moves)), "{html}");
}

#[test]
fn cards_are_written_in_three_languages() {
    let entry = Entry { level: Level::Beginner, ..pack().remove(0) };
    let expected = [
        (Language::English, ["Solutions", "beginner", "moves", "about", "Each move is"]),
        (Language::German, ["Lösungen", "Einsteiger", "Züge", "etwa", "Jeder Zug besteht"]),
        (Language::French, ["Solutions", "débutant", "coups", "environ", "Chaque coup est"]),
    ];
    for (language, words) in expected {
        let printing = Printing { language, ..Printing::default() };
        let print =
            |format: PackFormat| String::from_utf8(format.print(slice::from_ref(&entry), "", printing)).unwrap();
        let html = print(PackFormat::Html);
        assert!(html.contains(&format!("<html lang=\"{}\">", language.as_str())));
        for text in [html, print(PackFormat::Svg)] {
            assert!(words.iter().all(|word| text.contains(word)), "{language:?}: {text:.2000}");
        }
        // Other formats do not depend on it.
        assert_eq!(print(PackFormat::Csv), text(PackFormat::Csv, slice::from_ref(&entry)));
    }
    let english = Printing::default();
    assert_eq!(
        PackFormat::Html.print(slice::from_ref(&entry), "x", english),
        PackFormat::Html.write(slice::from_ref(&entry), "x")
    );
    // In English, times are those of the command line.
    assert!(text(PackFormat::Html, slice::from_ref(&entry)).contains(&entry.human.to_string()));
}

#[test]
fn the_times_of_a_csv_file_have_their_intervals() {
    let pack = pack();
    let text = text(PackFormat::Csv, &pack);
    let column = |name: &str| text.lines().next().unwrap().split(',').position(|field| field == name).unwrap();
    for (row, entry) in text.lines().skip(1).zip(&pack) {
        let fields: Vec<&str> = row.split(',').collect();
        let rounded = |seconds: f64| format!("{seconds:.0}");
        assert_eq!(fields[column("seconds_low")], rounded(entry.human.low));
        assert_eq!(fields[column("seconds")], rounded(entry.human.seconds));
        assert_eq!(fields[column("seconds_high")], rounded(entry.human.high));
        assert_eq!(fields[column("extrapolates")], entry.human.extrapolates().to_string());
    }
    let read: Vec<_> = PackReader::new(text.as_bytes(), ReadOptions::default()).map(Result::unwrap).collect();
    assert_eq!(read.len(), pack.len());
}

#[test]
fn packs_of_older_versions_are_read() {
    let jsonl = r#"{"id":"145695011b2e9415","board":"BB...CD....CDAAE.CD..E..F..EGGFHHH..","size":[6,6],"exit":"right","moves":9,"steps":20,"states":1247,"depth":9,"grade":"beginner","human":{"seconds":31.0,"low":20.0,"high":50.0,"beyond":[]},"minimal":true,"solution":["G-3"],"generator":"backward","version":"0.1.0","seed":7}"#;
    let csv = "id,name,size,exit,board,vehicles,moves,steps,states,depth,grade,seconds,minimal,solution,generator,version,seed\n\
               145695011b2e9415,a name,6x6,right,BB...CD....CDAAE.CD..E..F..EGGFHHH..,8,9,20,1247,9,beginner,31,true,G-3,backward,0.1.0,7\n";
    let origin = Origin { generator: "backward".to_owned(), version: "0.1.0".to_owned(), seed: Some(7) };
    let without_interval =
        csv.replace(",seed\n", ",seed,optimal_solutions,decisions,license\n").replace(",7\n", ",7,,,\n");
    for (text, name) in [(jsonl, None), (csv, Some("a name")), (&without_interval, Some("a name"))] {
        let read: Vec<_> = PackReader::new(text.as_bytes(), ReadOptions::default()).map(Result::unwrap).collect();
        assert_eq!(read.len(), 1);
        assert_eq!(formats::line(&read[0].puzzle.board), "BB...CD....CDAAE.CD..E..F..EGGFHHH..");
        assert_eq!((read[0].puzzle.name.as_deref(), &read[0].license), (name, &None));
        assert_eq!(read[0].origin.as_ref(), Some(&origin));
    }
    // Results of attempts, without the new fields.
    let entry = Entry { optimal_solutions: None, decisions: None, license: None, ..pack().remove(0) };
    let mut old = serde_json::to_value(&entry).unwrap();
    for field in ["optimal_solutions", "decisions", "license"] {
        old.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(serde_json::from_value::<Entry>(old).unwrap(), entry);
}
