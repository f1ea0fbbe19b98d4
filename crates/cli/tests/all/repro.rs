//! `clearway repro`.

use crate::common::clearway;

#[test]
fn an_experiment_prints_its_tables_and_writes_a_report() {
    let done = clearway(&["repro", "it3105", "--out", "tables"]).done().code(0);
    let done = done.says("Henriksen").says("breadth-first, expert-2").complains("the report is tables/report.html");
    assert_eq!(done.listing(), ["tables"]);
    assert!(done.read("tables/it3105-1.csv").starts_with("search and board,nodes published,"));
    assert!(done.read("tables/report.html").contains("<h2 id=\"it3105\">"));
}

#[test]
fn without_a_folder_a_new_one_is_made() {
    let done = clearway(&["repro", "traffic-jam", "--quiet"]).file("repro-1", "taken").done().code(0);
    assert_eq!(done.listing(), ["repro-1", "repro-2"]);
    assert!(done.read("repro-2/report.html").contains("Traffic Jam"));
}

#[test]
fn tables_come_as_json_too() {
    let records = clearway(&["repro", "traffic-jam", "--json", "--out", "x"]).done().code(0).records();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["experiment"], &records[0]["rows"][0][4]), (&"traffic-jam".into(), &"8".into()));
    assert_eq!(records[1]["file"], "x/traffic-jam-2.csv");
}

#[test]
fn the_tiles_are_bred_as_often_and_as_long_as_asked_for() {
    let args = ["repro", "tiles", "--seeds", "1", "--seed", "7", "--generations", "2", "--json", "--out", "x"];
    let done = clearway(&args).done().code(0);
    let records = done.records();
    assert_eq!(records.len(), 7);
    assert_eq!(records[0]["title"], "A: a loop, only if (seeds: 1)");
    assert_eq!((&records[0]["rows"][2][1], &records[6]["file"]), (&"353.9".into(), &"x/tiles-7.csv".into()));
    assert_eq!(done.read("x/tiles-8.csv").lines().count(), 1 + 5 * 2);
    assert!(done.read("x/report.html").contains("Best fitness: the median of the seeds"));
}

#[test]
fn what_does_not_exist_is_refused() {
    clearway(&["repro", "quux"]).done().code(2).complains("all, it3105, van-dijk, traffic-jam, gp-rush, tiles");
    clearway(&["repro"]).done().code(2);
    clearway(&["repro", "tiles", "--seeds", "0"]).done().code(2).complains("--seeds");
    clearway(&["repro", "it3105", "--out", "file"]).file("file", "").done().code(3).complains("cannot make file");
    clearway(&["repro", "gp-rush", "--suite", "quux"]).done().code(2).complains("cards, it3105");
    clearway(&["repro", "gp-rush", "--policy", "none"]).done().code(3).complains("cannot read none");
    let broken = clearway(&["repro", "gp-rush", "--policy", "broken"]).file("broken", "# a comment\nDEFAULT 3 * h7\n");
    assert_eq!(broken.done().code(3).complains("there is no heuristic 'h7' (line 2, column 13)").listing(), ["broken"]);
}
