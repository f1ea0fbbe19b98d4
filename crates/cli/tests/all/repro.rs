//! `clearway repro`.

use crate::common::{clearway, interrupt};

#[test]
fn an_experiment_prints_its_tables_and_writes_a_report() {
    let done = clearway(&["repro", "it3105", "--out", "tables"]).done().code(0);
    let done = done.says("Henriksen").says("breadth-first, expert-2").complains("the report is in tables/report.html");
    assert_eq!(done.listing(), ["tables"]);
    assert!(done.read("tables/it3105-1.csv").starts_with("search and board,nodes published,"));
    assert!(done.read("tables/report.html").contains("<h2 id=\"it3105\">"));
}

#[test]
fn without_a_folder_a_new_one_is_created() {
    let done = clearway(&["repro", "traffic-jam", "--quiet"]).file("repro-1", "taken").done().code(0);
    assert_eq!(done.listing(), ["repro-1", "repro-2"]);
    assert!(done.read("repro-2/report.html").contains("Traffic Jam"));
}

#[test]
fn tables_are_printed_as_json() {
    let records = clearway(&["repro", "traffic-jam", "--json", "--out", "x"]).done().code(0).records();
    assert_eq!(records.len(), 3);
    assert_eq!((&records[0]["experiment"], &records[0]["rows"][0][4]), (&"traffic-jam".into(), &"8".into()));
    assert_eq!(records[1]["file"], "x/traffic-jam-2.csv");
}

#[test]
fn tiles_uses_the_given_seeds_and_generations() {
    let args = ["repro", "tiles", "--seeds", "1", "--seed", "7", "--generations", "2", "--json", "--out", "x"];
    let done = clearway(&args).done().code(0);
    let records = done.records();
    assert_eq!(records.len(), 7);
    assert_eq!(records[0]["title"], "A: loop, if only (seeds: 1)");
    assert_eq!((&records[0]["rows"][2][1], &records[6]["file"]), (&"353.9".into(), &"x/tiles-7.csv".into()));
    assert_eq!(done.read("x/tiles-8.csv").lines().count(), 1 + 5 * 2);
    assert!(done.read("x/report.html").contains("Best fitness: median and middle half of the seeds"));
}

#[test]
fn unknown_names_are_rejected() {
    clearway(&["repro", "quux"]).done().code(2).complains("all, it3105, van-dijk, traffic-jam, gp-rush, tiles");
    clearway(&["repro"]).done().code(2);
    clearway(&["repro", "tiles", "--seeds", "0"]).done().code(2).complains("--seeds");
    clearway(&["repro", "it3105", "--out", "file"]).file("file", "").done().code(3).complains("cannot open file");
    clearway(&["repro", "gp-rush", "--suite", "quux"]).done().code(2).complains("cards, it3105");
    clearway(&["repro", "gp-rush", "--policy", "none"]).done().code(3).complains("cannot read none");
    let broken = clearway(&["repro", "gp-rush", "--policy", "broken"]).file("broken", "# a comment\nDEFAULT 3 * h7\n");
    assert_eq!(broken.done().code(3).complains("unknown heuristic 'h7' (line 2, column 13)").listing(), ["broken"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_finished_parts_and_can_be_resumed() {
    // The tables of the first experiment are printed while the second one, which takes minutes, is running.
    let run = clearway(&["repro", "all", "--json", "--out", "x", "--threads", "1"]);
    let (mut child, folder) = run.spawn();
    let (rest, stderr) = interrupt(&mut child, 2);
    assert_eq!(rest, "");
    assert!(stderr.contains("interrupted; missing: van-dijk, traffic-jam, gp-rush, tiles; "), "{stderr}");
    assert!(stderr.contains("resume with: clearway repro all --resume x"), "{stderr}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("x").join(name)).unwrap();
    assert!(read("report.html").contains("<h2 id=\"it3105\">"), "finished experiments are in the report");
    let (log, table) = (read("parts.jsonl"), read("it3105-1.csv"));
    assert!(log.lines().count() > 24, "a header and the parts of the first experiment");

    let resume = ["repro", "it3105", "--json", "--resume", "x", "--threads", "1"];
    let resumed = clearway(&resume);
    std::fs::create_dir(resumed.path("x")).unwrap();
    std::fs::write(resumed.path("x/parts.jsonl"), &log).unwrap();
    let resumed = resumed.done().code(0);
    assert_eq!(resumed.read("x/it3105-1.csv"), table);
    assert_eq!(resumed.read("x/parts.jsonl"), log, "no part is repeated");

    clearway(&["repro", "it3105", "--resume", "nothing"])
        .done()
        .code(3)
        .complains("nothing/parts.jsonl does not exist");
    clearway(&["repro", "it3105", "--resume", "x", "--out", "y"]).done().code(2).complains("cannot be used with");
}
