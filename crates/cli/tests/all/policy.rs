//! `clearway policy`, and policies in `solve` and `compare`.

use crate::common::{JAM01, UNSOLVABLE, clearway};

const POLICY: &str = "about: for tests
search: wastar(policy, weight=2)
IF is-releasing-move AND phase-by-blockers <= 0.3 THEN 2*h1 + 0.4*relaxed-plan
IF h1 <= 0.4 OR 2 <= g THEN 1.7*(h1 + 3)
DEFAULT h1
";

#[test]
fn a_policy_is_checked() {
    clearway(&["policy", "check", "my.policy", "hand"])
        .file("my.policy", POLICY)
        .done()
        .code(0)
        .quietly()
        .says("my.policy: 2 rules; uses blockers-lower-bound, is-releasing-move, phase-by-blockers, relaxed-plan; search \
               wastar(policy=my.policy, weight=2)\n")
        .says("hand: 2 rules; uses blockers-lower-bound, phase-by-blockers; search ida(policy=hand, prune, increment=5)\n");
    let records = clearway(&["policy", "check", "hand", "--json"]).done().code(0).quietly().records();
    assert_eq!((&records[0]["ok"], &records[0]["rules"]), (&true.into(), &2.into()));
}

#[test]
fn an_invalid_policy_is_rejected_with_its_place_and_the_others_are_checked() {
    let run = |json: &[&str]| {
        clearway(&[&["policy", "check", "broken", "missing.policy", "search", "binary", "hand"], json].concat())
            .file("broken", "DEFAULT h1 +\n  blokcers\n")
            .file("search", "search: bfs\nDEFAULT 1\n")
            .file("binary", [0, 255, 27, 7])
            .done()
            .code(3)
    };
    let done = run(&[]).says("hand: 2 rules").complains("unknown heuristic 'blokcers' (line 2, column 3)");
    let done =
        done.complains("did you mean 'blockers'?").complains("broken:2:3").complains("cannot read missing.policy");
    let done = done.complains("invalid search of search: the search of a policy must be guided by the policy");
    assert!(!done.stderr.contains('\u{1b}') && !done.stderr.contains('\u{7}'));
    let records = run(&["--json"]).records();
    assert_eq!(records.len(), 5);
    assert_eq!((&records[0]["ok"], &records[0]["line"], &records[0]["column"]), (&false.into(), &2.into(), &3.into()));
    assert_eq!(records[0]["error"], "unknown heuristic 'blokcers'");
    assert!(records[1]["error"].as_str().unwrap().starts_with("cannot read missing.policy"));
    assert_eq!((&records[4]["ok"], records[4].get("error")), (&true.into(), None));
    clearway(&["policy", "check"]).done().code(2);
    clearway(&["policy"]).done().code(2);
}

#[test]
fn a_policy_is_explained() {
    clearway(&["policy", "show", "my.policy"]).file("my.policy", POLICY).done().code(0).quietly().says(
        "for tests

search: wastar(policy=my.policy, weight=2)

 1  if   is-releasing-move and phase-by-blockers at most 0.3
    then 2*blockers-lower-bound + 0.4*relaxed-plan
 2  if   blockers-lower-bound at most 16 or g at least 200
    then 1.7*(blockers-lower-bound + 3)
    else blockers-lower-bound
",
    );
    clearway(&["policy", "show", "x"])
        .file("x", "IF g <= 1 THEN 1 IF g >= 2 AND h1 <= h3 THEN 2 DEFAULT 3")
        .done()
        .code(0)
        .says("g at most 100 (always)")
        .says("g at least 200 and blockers-lower-bound/40 at most hybrid/60 (never)");
    clearway(&["policy", "show", "quux"]).done().code(3).complains("cannot read quux");
}

#[test]
fn a_policy_is_drawn() {
    let done = clearway(&["policy", "show", "my.policy", "--svg", "my.svg"]).file("my.policy", POLICY).done().code(0);
    let picture = done.says("for tests").read("my.svg");
    let document = roxmltree::Document::parse(&picture).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|n| n.text()).collect();
    for text in
        ["my.policy", "1  IF", "THEN", "DEFAULT", "AND", "phase-by-blockers ≤ 0.3", "0.4 × relaxed-plan", "g ≥ 200"]
    {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    let done = clearway(&["policy", "show", "hand", "--svg", "-"]).done().code(0).quietly();
    assert!(done.stdout.starts_with("<svg ") && done.stdout.ends_with("</svg>\n"));
}

#[test]
fn firing_rules_are_counted_on_boards() {
    let shown = |threads: &str| {
        let args = ["policy", "show", "my.policy", "--suite", "it3105", JAM01, "--json", "--threads", threads];
        clearway(&args).file("my.policy", POLICY).done().code(0).quietly().records().remove(0)
    };
    let record = shown("1");
    assert_eq!((&record["boards"], &record["solved"]), (&7.into(), &7.into()));
    let fired: Vec<u64> = (0..3).map(|rule| record["rules"][rule]["fired"].as_u64().unwrap()).collect();
    assert!(fired[0] > 0 && fired[1] > 0, "{fired:?}");
    let shares: f64 = (0..3).map(|rule| record["rules"][rule]["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    assert_eq!(shown("4"), record);
    clearway(&["policy", "show", "hand", "--suite", "it3105"])
        .done()
        .code(0)
        .says("6 boards, 6 solved\n")
        .says(" %\nelse ");
    clearway(&["policy", "show", "hand", "quux"]).done().code(3);
    // The board is already solved: no rule fires, so the shares are undefined.
    let done = clearway(&["policy", "show", "hand", "4x3:......AA...."]).done().code(0).says("1 board, 1 solved\n");
    assert!(!done.stdout.contains(" %"), "{}", done.stdout);
}

#[test]
fn show_and_test_use_the_same_difficulty() {
    let policy = "search: wastar(policy)\nIF difficulty-level >= 0.5 THEN h1 DEFAULT h1";
    let fired = |boards: &[&str]| {
        let args = [&["policy", "show", "my.policy", "--json"], boards].concat();
        let record = clearway(&args).file("my.policy", policy).done().code(0).records().remove(0);
        [0, 1].map(|rule| record["rules"][rule]["fired"].as_u64().unwrap())
    };
    let [none, alone] = fired(&[JAM01]);
    assert!(none == 0 && alone > 0, "a single board has the lowest difficulty");
    assert_eq!(fired(&[JAM01, JAM01, JAM01]), [2 * alone, alone]);
    let [hard, easy] = fired(&["--suite", "it3105"]);
    assert!(hard > 0 && easy > 0);
    assert_eq!(fired(&["--suite", "it3105", JAM01]), [hard, easy + alone], "difficulty is relative to each set");
}

#[test]
fn boards_are_solved_by_a_policy() {
    clearway(&["solve", JAM01, "--policy", "hand"])
        .done()
        .code(0)
        .says("A+3")
        .complains("solved by ida(policy=hand, prune, increment=5); the solutions are not proven optimal");
    let done = clearway(&["solve", JAM01, "--policy", "my.policy", "--json"]).file("my.policy", "DEFAULT 3*h1");
    let record = done.done().code(0).quietly().records().remove(0);
    assert_eq!(record["algorithm"], "wastar(policy=my.policy, weight=1)");
    assert!(record["moves"].as_u64().unwrap() >= 8);
    // A policy that only orders successors finds shortest solutions.
    let ordering = "search: ida(policy, order, increment=1)\nDEFAULT h1";
    clearway(&["solve", JAM01, "--policy", "x"]).file("x", ordering).done().code(0).quietly();
    clearway(&["solve", UNSOLVABLE, "--policy", "hand"]).done().code(4).quietly().says("unsolvable");
    clearway(&["solve", JAM01, "--policy", "hand", "--algorithm", "bfs"]).done().code(2).complains("--algorithm");
    clearway(&["solve", JAM01, "--policy", "none.policy"]).done().code(3).complains("cannot read none.policy");
    clearway(&["solve", JAM01, "--policy", "x"]).file("x", "IF g THEN 1").done().code(3).complains("x:1:4");
    clearway(&["solve", JAM01, "--policy", "hand", "--node-limit", "3"]).done().code(5);
}

#[test]
fn compare_accepts_policies() {
    let algorithms = ["-A", "ida(policy=my.policy, prune, increment=5)", "-A", "greedy(policy=\"my.policy\")"];
    let args = [&["compare", JAM01, "--json"], &algorithms[..]].concat();
    let records = clearway(&args).file("my.policy", POLICY).done().code(0).records();
    assert_eq!(records[0]["canonical"], "ida(policy=my.policy, prune, increment=5)");
    assert_eq!(records[1]["canonical"], "greedy(policy=my.policy)");
    assert!(records[1]["policy"].as_str().unwrap().starts_with("about: for tests\n"));
    assert_eq!(records[1]["status"], "solved");
    clearway(&args).done().code(3).complains("cannot read my.policy");
    clearway(&["compare", "--list"]).done().code(0).says("policy=FILE").says("\n  hand\n");
}

#[test]
fn heuristics_and_built_in_policies_are_listed() {
    clearway(&["policy", "list"])
        .done()
        .code(0)
        .says("blockers-lower-bound, h1")
        .says("condition   100  paper")
        .says("\n  hand\n");
    let records = clearway(&["policy", "list", "--json"]).done().code(0).records();
    let find = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!((&find("is-releasing-move")["kind"], &find("g")["kind"]), (&"flag".into(), &"condition".into()));
    assert!(records.iter().all(|record| !record["about"].as_str().unwrap().is_empty()));
}

#[test]
fn policies_are_exported_as_functions() {
    let rust = clearway(&["policy", "export", "hand", "--to", "rust"]).done().code(0).quietly();
    rust.says("pub fn estimate(heuristics: &Heuristics) -> f64 {").says("    if blockers_lower_bound <= 2.0 {\n");
    let args = ["policy", "export", "my.policy", "--to", "python", "--out", "my.py"];
    let done = clearway(&args).file("my.policy", POLICY).done().code(0).without_data();
    let python = done.read("my.py");
    assert!(python.contains("def estimate(*, ") && python.contains("is_releasing_move: float"), "{python}");
    assert!(python.starts_with("\"\"\"The policy my.policy, exported by clearway.\n\nfor tests\n"), "{python}");
    clearway(&["policy", "export", "hand"]).done().code(2).complains("--to");
    clearway(&["policy", "export", "hand", "--to", "c"]).done().code(2).complains("rust, python");
    clearway(&["policy", "export", "none", "--to", "rust"]).done().code(3).without_data();
}
