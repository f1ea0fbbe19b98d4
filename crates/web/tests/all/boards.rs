//! Endpoints about boards give the same results as the command line.

use crate::common::{JAM01, JAM01_SOLUTION, UNSOLVABLE, serve};
use serde_json::{Value, json};

#[test]
fn a_board_is_solved_in_any_format() {
    let server = serve();
    let answer = server.post("/solve", &json!({ "board": JAM01 })).ok();
    assert_eq!((&answer["status"], &answer["moves"], &answer["optimal"]), (&json!("solved"), &json!(8), &json!(true)));
    let checked = server.post("/verify", &json!({ "board": JAM01, "moves": answer["solution"] })).ok();
    assert_eq!((&checked["legal"], &checked["solved"]), (&json!(true), &json!(true)));
    let steps = server.post("/solve", &json!({ "board": JAM01, "metric": "steps" })).ok();
    assert_eq!(steps["steps"], 16);
    for format in ["grid", "json", "van-dijk", "it3105", "course", "tsv"] {
        let text = server.post("/convert", &json!({ "board": JAM01, "to": format })).ok()["text"].clone();
        let back = json!({ "board": text, "format": format, "size": "6x6" });
        assert_eq!(server.post("/solve", &back).ok()["moves"], 8, "{format}");
    }
    let unsolvable = server.post("/solve", &json!({ "board": UNSOLVABLE })).ok();
    assert_eq!((&unsolvable["status"], &unsolvable["moves"]), (&json!("unsolvable"), &Value::Null));
}

#[test]
fn options_match_the_command_line() {
    let server = serve();
    let solve = |more: Value| {
        let mut body = json!({ "board": JAM01 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/solve", &body)
    };
    assert_eq!(solve(json!({ "algorithm": "astar(blockers)" })).ok()["expanded"], 512);
    let guided = solve(json!({ "policy": "best-first-6x6" })).ok();
    assert_eq!((&guided["status"], &guided["optimal"]), (&json!("solved"), &json!(false)));
    assert!(solve(json!({ "analyze": true })).ok()["analysis"]["states"].as_u64().unwrap() > 1_000);
    let cut = solve(json!({ "node_limit": 5, "algorithm": "bfs" })).ok();
    assert_eq!((&cut["status"], &cut["limit"]), (&json!("limit"), &json!("nodes")));

    assert!(solve(json!({ "algorithm": "astar(bockers)" })).refused(400).contains("bockers"));
    assert!(solve(json!({ "algorithm": "bfs", "policy": "hand" })).refused(400).contains("mutually exclusive"));
    assert!(solve(json!({ "node_limit": 0 })).refused(400).contains("node_limit"));
    assert!(solve(json!({ "time_limit": -1 })).refused(400).contains("time_limit"));
    assert!(solve(json!({ "colour": "red" })).refused(400).contains("unknown field `colour`"));
    assert!(solve(json!({ "metric": "miles" })).refused(400).contains("miles"));
    assert!(
        solve(json!({ "size": "6x99" }))
            .refused(400)
            .contains("invalid size '6x99'; expected a width and a height from 2 to 16")
    );
    assert!(
        solve(json!({ "exit": "up" })).refused(400).contains("invalid exit 'up'; expected right, left, top or bottom")
    );
    assert!(solve(json!({ "format": "word" })).refused(400).contains("unknown format 'word'; expected one of line,"));
}

#[test]
fn files_cannot_be_read_as_policies() {
    let server = serve();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../policy/policies/hand.policy");
    assert!(std::path::Path::new(file).exists());
    for name in [file, "/etc/passwd", "run-1", "run-../../x", "../policies/hand.policy"] {
        let solved = server.post("/solve", &json!({ "board": JAM01, "policy": name }));
        assert!(solved.refused(400).contains("unknown policy"), "{name}");
        let algorithm = format!("ida(policy='{name}')");
        let compared = server.post("/compare", &json!({ "board": JAM01, "algorithms": [algorithm] }));
        assert!(compared.refused(400).contains("unknown policy"), "{name}");
    }
}

#[test]
fn an_invalid_board_is_reported_with_a_caret() {
    let server = serve();
    let refused = server.post("/solve", &json!({ "board": "BB...CD..E.CDAAE.CD..E..F...GGF.HB.." }));
    assert_eq!(refused.status, 400);
    let (error, detail) = (refused.json["error"].as_str().unwrap(), refused.json["detail"].as_str().unwrap());
    assert!(error.contains('B'), "{error}");
    assert!(detail.contains("BB...CD..E") && detail.contains("`-- this B is not part of the run"), "{detail}");
    assert!(server.post("/solve", &json!({ "board": "" })).refused(400).contains("no board"));
    let two = format!("{JAM01}\n{JAM01}\n");
    assert!(server.post("/solve", &json!({ "board": two })).refused(400).contains("more than one"));
}

#[test]
fn hints_lead_to_the_exit() {
    let server = serve();
    let mut made: Vec<String> = Vec::new();
    for left in (1..=8).rev() {
        let hint = server.post("/hint", &json!({ "board": after(&made) })).ok();
        assert_eq!(hint["moves"], left);
        assert!(hint["why"].as_str().unwrap().contains(hint["vehicle"].as_str().unwrap()), "{hint}");
        assert_eq!(hint["reasons"][0]["move"], hint["move"]);
        assert_eq!(hint["reasons"][0]["purpose"] == "exit", left == 1, "{hint}");
        made.push(hint["move"].as_str().unwrap().to_owned());
    }
    assert_eq!(server.post("/verify", &json!({ "board": JAM01, "moves": made })).ok()["solved"], true);
    let none = server.post("/hint", &json!({ "board": UNSOLVABLE })).ok();
    assert_eq!((&none["status"], &none["move"]), (&json!("unsolvable"), &Value::Null));
}

/// The first card after some moves.
fn after(moves: &[String]) -> String {
    let mut board = clearway_rush::formats::read_one(JAM01, None).unwrap().board;
    for mv in moves {
        board.apply(mv.parse().unwrap()).unwrap();
    }
    clearway_rush::formats::line(&board)
}

#[test]
fn moves_are_verified() {
    let server = serve();
    let verify = |moves: Value| server.post("/verify", &json!({ "board": JAM01, "moves": moves }));
    assert_eq!(verify(json!(JAM01_SOLUTION)).ok()["solved"], true);
    let failed = verify(json!(["G-3", "A+3"])).ok();
    assert_eq!((&failed["legal"], &failed["failed"], &failed["move"]), (&json!(false), &json!(2), &json!("A+3")));
    assert!(verify(json!("A*3")).json["detail"].as_str().unwrap().contains('^'));
}

#[test]
fn boards_are_analyzed_and_graded() {
    let server = serve();
    let facts = server.post("/analyze", &json!({ "board": JAM01 })).ok();
    let histogram: u64 = facts["histogram"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(facts["states"].as_u64(), Some(histogram));
    let stopped = server.post("/analyze", &json!({ "board": JAM01, "node_limit": 100 })).ok();
    assert_eq!((&stopped["limit"], &stopped["partial"]), (&json!("nodes"), &json!(true)));
    assert!(stopped["depth"].is_null() && stopped["optimal_solutions"].is_null(), "{stopped}");
    let grade = server.post("/grade", &json!({ "board": JAM01 })).ok();
    assert_eq!((&grade["moves"], &grade["steps"], &grade["status"]), (&json!(8), &json!(16), &json!("solved")));
    assert!(grade["level"].is_string(), "{grade}");
    let shortest =
        json!({ "measure": "moves", "value": 8.0, "harder": false, "text": "a shortest solution has only 8 moves" });
    assert!(grade["reasons"].as_array().unwrap().contains(&shortest), "{grade}");
}

#[test]
fn the_graph_has_all_states() {
    let server = serve();
    let facts = server.post("/analyze", &json!({ "board": JAM01 })).ok();
    let graph = server.post("/graph", &json!({ "board": JAM01 })).ok();
    assert_eq!((&graph["states"], &graph["layers"]), (&facts["states"], &facts["histogram"]));
    assert_eq!(graph["positions"].as_array().unwrap().len() as u64, facts["states"].as_u64().unwrap());
    assert_eq!(graph["path"].as_array().unwrap().len(), 9);
    let few = server.post("/graph", &json!({ "board": JAM01, "most_states": 100 })).ok();
    let shown = few["distances"].as_array().unwrap().len();
    assert!(few["sampled"] == true && (90..=100).contains(&shown), "{shown}");
    let none = server.post("/graph", &json!({ "board": JAM01, "most_states": 0 }));
    assert_eq!(none.refused(400), "most_states must be between 1 and 25000, not 0");
}

#[test]
fn algorithms_are_compared_and_listed() {
    let server = serve();
    let algorithms = json!(["bfs", "astar(blockers)", "wastar(policy=best-first-6x6, weight=1)"]);
    let compared = server.post("/compare", &json!({ "board": JAM01, "algorithms": algorithms })).ok();
    let records = compared["records"].as_array().unwrap();
    assert_eq!(records.iter().map(|record| record["algorithm"].clone()).collect::<Value>(), algorithms);
    assert!(records.iter().all(|record| record["optimum"] == 8 && record["status"] == "solved"));
    assert!(records[1]["expanded"].as_u64() < records[0]["expanded"].as_u64());
    assert!(server.post("/compare", &json!({ "board": JAM01, "algorithms": [] })).refused(400).contains("1 to 16"));

    let all = server.get("/algorithms").ok();
    let has = |list: &str, name: &str| all[list].as_array().unwrap().iter().any(|item| item["name"] == name);
    assert!(has("algorithms", "ida") && has("heuristics", "blockers") && has("policies", "best-first-8x8"));
}

#[test]
fn a_search_is_traced_step_by_step() {
    let server = serve();
    let ask = |algorithm: &str, most: u64| {
        server.post("/trace", &json!({ "board": JAM01, "algorithm": algorithm, "most_expansions": most }))
    };
    let trace = ask("astar(blockers)", 2_000).ok();
    assert_eq!((&trace["status"], &trace["expanded"]), (&json!("solved"), &json!(512)));
    assert_eq!(trace["expansions"].as_array().unwrap().len(), 512);
    let cut = ask("bfs", 10).ok();
    assert_eq!((&cut["cut"], cut["expansions"].as_array().unwrap().len()), (&json!(true), 10));
    assert!(ask("exact", 10).refused(400).contains("step by step"));
    assert_eq!(ask("bfs", 0).refused(400), "most_expansions must be between 1 and 2000, not 0");
}

#[test]
fn boards_are_converted_to_pictures() {
    let server = serve();
    let svg = server.post("/convert", &json!({ "board": JAM01, "to": "svg" })).ok();
    assert_eq!(svg["media_type"], "image/svg+xml");
    assert!(svg["text"].as_str().unwrap().starts_with("<svg"));
    let other_exit = server.post("/convert", &json!({ "board": "4x4:A...A...........@bottom", "to": "van-dijk" }));
    assert!(!other_exit.refused(400).is_empty());
    assert!(server.post("/convert", &json!({ "board": JAM01, "to": "word" })).refused(400).contains("'word'"));
}
