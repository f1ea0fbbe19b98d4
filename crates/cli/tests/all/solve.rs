//! `clearway solve`: results, records, limits and exit codes.

use crate::common::{ENDLESS, JAM01, JAM01_SOLUTION, UNSOLVABLE, clearway};
use serde_json::{Value, json};

#[test]
fn without_arguments_the_forty_cards_are_solved() {
    // Stdin is ignored: only - reads it.
    let done = clearway(&["solve"]).stdin("nonsense").done().code(0);
    assert_eq!(done.stdout.lines().count(), 41, "a header and forty rows");
    let last: Vec<&str> = done.stdout.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[..2], ["JAM40", "51"]);
    done.complains("40 boards: 40 solved;");
}

#[test]
fn a_single_board_has_a_picture_and_a_solution() {
    let done = clearway(&["solve", JAM01]).done().code(0).quietly();
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(lines[0].starts_with('┏'), "{}", done.stdout);
    assert!(done.stdout.contains("name          moves  steps        states      time\n#1                8     16"));
    let solution = lines.last().unwrap();
    clearway(&["verify", JAM01, solution]).done().code(0).says("8 moves, 16 steps");
}

#[test]
fn a_record_has_all_fields_in_their_order() {
    let done = clearway(&["solve", "--json", JAM01]).done().code(0).quietly();
    let fields = [
        "name",
        "board",
        "status",
        "optimal",
        "metric",
        "moves",
        "steps",
        "solution",
        "expanded",
        "generated",
        "conflicts",
        "seconds",
        "algorithm",
        "lower_bound",
        "bound_algorithm",
    ];
    let record = done.record_of(&fields);
    assert_eq!(record["name"], Value::Null);
    assert_eq!(record["board"], JAM01);
    assert_eq!(record["status"], "solved");
    assert_eq!(record["optimal"], true);
    assert_eq!(record["metric"], "moves");
    assert_eq!((&record["moves"], &record["steps"], &record["lower_bound"]), (&json!(8), &json!(16), &json!(8)));
    assert!(record["expanded"].as_u64().unwrap() > 0);
    assert!(record["generated"].as_u64().unwrap() > 0);
    assert!(record["seconds"].as_f64().unwrap() > 0.0);
    assert!(!record["algorithm"].as_str().unwrap().is_empty());
    let moves: Vec<&str> = record["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    clearway(&["verify", JAM01, &moves.join(" ")]).done().code(0);
}

#[test]
fn a_record_without_a_solution_has_a_reason() {
    let done = clearway(&["solve", "--json", UNSOLVABLE]).done().code(4).quietly();
    let record = &done.records()[0];
    assert_eq!((&record["status"], &record["optimal"]), (&json!("unsolvable"), &json!(false)));
    for field in ["moves", "steps", "solution", "lower_bound"] {
        assert_eq!(record.get(field), Some(&Value::Null), "{field}");
    }
    let done = clearway(&["solve", "--json", "--node-limit", "10", JAM01]).done().code(5).quietly();
    let record = &done.records()[0];
    assert_eq!((&record["status"], &record["limit"]), (&json!("limit"), &json!("nodes")));
    assert_eq!((&record["optimal"], &record["moves"]), (&json!(false), &json!(null)));
    assert!(record["lower_bound"].as_u64().unwrap() <= 8);
}

#[test]
fn each_limit_is_named() {
    for (args, word, text) in [
        (["--node-limit", "100"], "nodes", "the node limit was reached; at least"),
        (["--time-limit", "50ms"], "time", "the time limit was reached; at least"),
        (["--memory", "1M"], "memory", "the memory limit was reached; at least"),
    ] {
        clearway(&["solve", args[0], args[1], ENDLESS]).done().code(5).says(text);
        let done = clearway(&["solve", "--json", args[0], args[1], ENDLESS]).done().code(5);
        assert_eq!(done.records()[0]["limit"], word);
    }
}

#[test]
fn a_large_board_is_solved_until_the_stop_rule_holds() {
    let course = ["solve", "--suite", "course", "--json"];
    let length = |args: &[&str]| {
        let done = clearway(&[&course, args].concat()).done().code(0);
        let record = done.records().pop().unwrap();
        assert_eq!((&record["name"], &record["status"]), (&json!("12x12_7"), &json!("solved")));
        let [moves, bound] = ["moves", "lower_bound"].map(|field| record[field].as_u64().unwrap());
        assert_eq!(record["optimal"], moves == bound);
        (moves, bound)
    };
    assert_eq!(length(&[]), (25, 25));
    let (first, _) = length(&["--first"]);
    let (near, bound) = length(&["--within", "1.2"]);
    assert!(first >= 25 && near >= 25 && near * 5 <= bound * 6, "{first}, {near}, {bound}");
    for wrong in [&["--within", "0.9"][..], &["--first", "--within", "2"], &["--first", "--algorithm", "bfs"]] {
        clearway(&[&course, wrong].concat()).done().code(2);
    }
}

#[test]
fn a_limit_leaves_the_best_solution_and_its_bound() {
    let args = ["solve", "--suite", "course", "--node-limit", "8000"];
    clearway(&args).done().code(5).says("the node limit was reached; at least");
    let done = clearway(&[&args[..], &["--json"]].concat()).done().code(5);
    let record = done.records().pop().unwrap();
    assert_eq!(
        (&record["status"], &record["optimal"], &record["limit"]),
        (&json!("limit"), &json!(false), &json!("nodes"))
    );
    assert!(record["moves"].as_u64().unwrap() >= 25 && record["lower_bound"].as_u64().unwrap() <= 25);
}

#[test]
fn steps_can_be_minimised() {
    let limit = ["--node-limit", "20000"]; // the large boards of the suite take too long for a test
    let args = ["solve", "--json", "--metric", "steps", "--suite", "course", limit[0], limit[1]];
    let done = clearway(&args).done().code(5);
    let records = done.records();
    let of = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!((&of("6x6_3")["metric"], &of("6x6_3")["steps"]), (&json!("steps"), &json!(83)));
}

#[test]
fn unsolvable_is_exit_code_4_for_a_single_board_only() {
    clearway(&["solve", UNSOLVABLE]).done().code(4).says("unsolvable");
    clearway(&["solve", JAM01, UNSOLVABLE]).done().code(0).complains("2 boards: 1 solved, 1 unsolvable;");
}

#[test]
fn a_limit_on_any_board_is_exit_code_5() {
    clearway(&["solve", JAM01, ENDLESS, UNSOLVABLE, "--node-limit", "5000"])
        .done()
        .code(5)
        .complains("3 boards: 1 solved, 1 unsolvable, 1 stopped by a limit;");
}

#[test]
fn an_invalid_board_ends_the_run_after_the_earlier_boards() {
    let input = format!("{JAM01} first\n{JAM01} second\n{}\n{JAM01} fourth\n", JAM01.replace("AA", "A."));
    let done = clearway(&["solve", "-", "--json"]).stdin(input.clone()).done().code(3).complains("line 3");
    let names: Vec<_> = done.records().iter().map(|record| record["name"].clone()).collect();
    assert_eq!(names, ["first", "second"]);
    let done = clearway(&["solve", "-", "--json", "--keep-going"]).stdin(input).done().code(3).complains("line 3");
    let names: Vec<_> = done.records().iter().map(|record| record["name"].clone()).collect();
    assert_eq!(names, ["first", "second", "fourth"]);
}

#[test]
fn a_missing_file_ends_the_run_unless_keep_going_is_given() {
    clearway(&["solve", JAM01, "missing.txt", JAM01]).done().code(3).without_data().complains("no such file");
    let done = clearway(&["solve", JAM01, "missing.txt", ".", UNSOLVABLE, "--keep-going"]).done().code(3);
    let done = done.says("#1 ").says("#4 ").complains("no such file: missing.txt").complains(". is a directory");
    done.complains("2 boards: 1 solved, 1 unsolvable, 2 invalid;");
}

#[test]
fn an_already_solved_board_needs_no_move() {
    clearway(&["solve", "2x2:AA.."]).done().code(0).quietly().says("\nalready solved\n");
}

#[test]
fn inputs_of_all_kinds_are_read_in_order() {
    let done = clearway(&["solve", "--json", "two.txt", JAM01, "-", "--suite", "servais"])
        .file("two.txt", format!("{JAM01} one\n\n# a comment\n{JAM01} two\n"))
        .stdin(format!("{JAM01} from stdin\n"))
        .done()
        .code(0);
    let names: Vec<_> = done.records().iter().map(|record| record["name"].clone()).collect();
    assert_eq!(names, [json!("SER200"), json!("one"), json!("two"), Value::Null, json!("from stdin")]);
}

#[test]
fn an_existing_file_takes_precedence_over_a_board() {
    let done = clearway(&["solve", "--json", JAM01]).file(JAM01, format!("{UNSOLVABLE}\n")).done().code(4);
    assert_eq!(done.records()[0]["board"], UNSOLVABLE);
}

#[test]
fn an_argument_that_is_neither_a_board_nor_a_file_is_explained() {
    clearway(&["solve", "boards.txt"]).done().code(3).without_data().complains("no such file: boards.txt");
    clearway(&["solve", "some/where"]).done().code(3).complains("no such file");
    clearway(&["solve", "."]).done().code(3).complains("is a directory");
    clearway(&["solve", "boards"]).done().code(3).complains("no file has this name either");
    let bent = JAM01.replace("AA", "AB");
    clearway(&["solve", &bent]).done().code(3).complains("vehicle B is bent or broken").complains(&bent);
}

#[test]
fn the_exit_and_the_size_can_be_given() {
    clearway(&["solve", "--exit", "left", "B..BAAC.C"]).done().code(3);
    let csv = "car,orientation,col,row,length\nX,H,1,2,2\n";
    clearway(&["solve", "-", "--size", "5x3", "--json"]).stdin(csv).done().code(0).says(r#""board":"5x3:"#);
    let done = clearway(&["solve", "--exit", "left", "--json", "....AA.......BB."]).done().code(0);
    assert_eq!(done.records()[0]["moves"], 0);
}

#[test]
fn analyze_counts_all_states() {
    let hardest = "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.";
    let done = clearway(&["solve", "--json", "--analyze", hardest]).done().code(0);
    let analysis = &done.records()[0]["analysis"];
    assert_eq!(analysis["states"], 4780);
    assert_eq!(analysis["depth"].as_u64().unwrap() + 1, analysis["histogram"].as_array().unwrap().len() as u64);
    assert_eq!(analysis["histogram"][0], analysis["goals"]);
    assert!(analysis["optimal_solutions"].as_u64().unwrap() >= 1);
    let farthest = analysis["farthest"].as_str().unwrap();
    let record = clearway(&["solve", "--json", farthest]).done().code(0).records().remove(0);
    assert_eq!(record["moves"], analysis["depth"]);
    clearway(&["solve", "--analyze", hardest]).done().code(0).says("4,780 states reachable");
}

#[test]
fn an_analysis_that_reaches_a_limit_is_exit_code_5() {
    let done =
        clearway(&["solve", "--json", "--analyze", "--node-limit", "1500", "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."])
            .done()
            .code(5);
    let analysis = &done.records()[0]["analysis"];
    assert_eq!((&analysis["limit"], &analysis["partial"]), (&"nodes".into(), &true.into()));
    for field in ["depth", "farthest", "optimal_solutions", "histogram"] {
        assert!(analysis.as_object().unwrap().contains_key(field) && analysis[field].is_null(), "{field}: {analysis}");
    }
}

#[test]
fn a_wrong_claim_of_the_input_is_a_warning() {
    clearway(&["solve", &format!("9 {JAM01} mine")])
        .done()
        .code(0)
        .complains("warning: mine: the input claims 9 moves, but the shortest solution has 8");
    clearway(&["solve", &format!("9 {JAM01}"), "--quiet"]).done().code(0).quietly();
    clearway(&["solve", &format!("8 {JAM01}")]).done().code(0).quietly();
}

#[test]
fn every_suite_has_its_known_optima() {
    for suite in ["cards", "it3105", "traffic-jam", "walls", "servais", "vandijk", "sample-8x8"] {
        for metric in ["moves", "steps"] {
            clearway(&["solve", "-q", "--suite", suite, "--metric", metric]).done().code(0).quietly();
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads: &str| {
        let done = clearway(&["solve", "--suite", "walls", "--json", "--threads", threads]).done().code(0);
        let mut records = done.records();
        for record in &mut records {
            record["seconds"].take();
        }
        records
    };
    let alone = run("1");
    assert_eq!(alone.len(), 20);
    assert_eq!(run("2"), alone);
    assert_eq!(run("5"), alone);
}

#[test]
fn a_board_that_exceeds_its_share_of_the_memory_is_searched_again() {
    // Half a megabyte per thread is too little for a board of the suite, but twelve are enough.
    let run = |args: &[&str]| {
        let done = clearway(&[&["solve", "--suite", "walls", "--json"], args].concat()).done();
        done.records().iter().map(|record| record["expanded"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    clearway(&["solve", "--suite", "walls", "--threads", "1", "--memory", "500k"]).done().code(5);
    clearway(&["solve", "--suite", "walls", "--threads", "8", "--memory", "16M"]).done().code(0);
    assert_eq!(run(&["--threads", "8", "--memory", "16M"]), run(&["--threads", "1"]));
}

#[test]
fn verbose_prints_more_and_quiet_prints_less() {
    clearway(&["solve", "-v", JAM01, JAM01]).done().code(0).says("  by ").says(" bytes, lower bound 8").says("A+3\n");
    clearway(&["solve", "-q", JAM01, JAM01]).done().code(0).quietly();
    clearway(&["verify", JAM01, JAM01_SOLUTION]).done().code(0);
}
