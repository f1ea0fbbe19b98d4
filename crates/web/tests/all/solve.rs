//! Solving with the best solution so far: at a limit, at the first solution, and as a stream of improvements.

use crate::common::{JAM01, TestServer, UNSOLVABLE, serve, serve_for};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::time::Duration;

/// A board of a suite.
fn board(suite: &str, name: &str) -> String {
    let puzzles = clearway_rush::suites::Suite::find(suite).unwrap().puzzles();
    let puzzle = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some(name)).unwrap();
    clearway_rush::formats::line(&puzzle.board)
}

/// A board whose first plan is longer than the optimum, 16 moves, which is proven soon after, on a busy machine too.
fn large_board() -> String {
    board("large", "10x10-75-28")
}

/// Returns the improvements, and the last line.
fn stream(server: &TestServer, request: &Value) -> (Vec<Value>, Value) {
    let lines = server.lines("/solve/stream", Some(request)).map(|line| serde_json::from_str::<Value>(&line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    let last = lines.pop().unwrap();
    (lines.into_iter().map(|mut line| line["improvement"].take()).collect(), last)
}

fn solves(server: &TestServer, board: &str, solution: &Value) -> bool {
    server.post("/verify", &json!({ "board": board, "moves": solution })).ok()["solved"] == true
}

#[test]
fn a_search_may_stop_at_the_first_solution() {
    let (server, board) = (serve(), large_board());
    let first = server.post("/solve", &json!({ "board": board, "first": true })).ok();
    assert!(first["status"] == "solved" && first["moves"].as_u64().unwrap() >= 16, "{first}");
    assert!(solves(&server, &board, &first["solution"]));
    let (moves, bound) = (first["moves"].as_u64().unwrap(), first["lower_bound"].as_u64().unwrap());
    assert_eq!(first["optimal"], moves == bound);
    let within = server.post("/solve", &json!({ "board": JAM01, "within": 1.5 })).ok();
    assert!(within["status"] == "solved" && within["moves"].as_u64().unwrap() <= 12, "{within}");
}

#[test]
fn improvements_are_streamed_up_to_the_optimum() {
    let (server, board) = (serve(), large_board());
    let (improvements, mut last) = stream(&server, &json!({ "board": board }));
    let answer = last["answer"].take();
    assert_eq!((&answer["status"], &answer["moves"], &answer["optimal"]), (&json!("solved"), &json!(16), &json!(true)));
    assert_eq!((&answer["lower_bound"], &answer["board"]), (&json!(16), &json!(board)));
    let mut known = (u64::MAX, 0, 0.0);
    for improvement in &improvements {
        let moves = improvement["moves"].as_u64().unwrap_or(u64::MAX);
        let (bound, seconds) = (improvement["lower_bound"].as_u64().unwrap(), improvement["seconds"].as_f64().unwrap());
        assert!(moves < known.0 || bound > known.1, "not an improvement: {improvements:#?}");
        assert!(moves <= known.0 && bound >= known.1 && seconds >= known.2, "{improvements:#?}");
        assert!(improvement["engine"].is_string());
        if moves != known.0 {
            assert!(improvement["steps"].as_u64().unwrap() >= moves);
            assert!(solves(&server, &board, &improvement["solution"]));
        }
        known = (moves, bound, seconds);
    }
    let first = improvements.iter().find_map(|improvement| improvement["moves"].as_u64());
    assert!(first > Some(16), "{improvements:#?}");
    assert_eq!((known.0, known.1), (16, 16));
}

#[test]
fn small_boards_are_answered_at_once() {
    let server = serve();
    let (improvements, last) = stream(&server, &json!({ "board": JAM01, "metric": "steps", "analyze": true }));
    assert_eq!((&last["answer"]["steps"], &last["answer"]["optimal"]), (&json!(16), &json!(true)));
    assert!(last["answer"]["analysis"]["states"].is_u64(), "{last}");
    assert_eq!(improvements.last().unwrap()["solution"], last["answer"]["solution"]);
    let (improvements, last) = stream(&server, &json!({ "board": UNSOLVABLE }));
    assert_eq!((improvements.len(), &last["answer"]["status"]), (0, &json!("unsolvable")));
    let (_, last) = stream(&server, &json!({ "board": JAM01, "algorithm": "bfs" }));
    assert_eq!((&last["answer"]["algorithm"], &last["answer"]["moves"]), (&json!("bfs"), &json!(8)));
}

#[test]
fn contradictory_options_are_refused() {
    let server = serve();
    for path in ["/solve", "/solve/stream"] {
        let refused = |mut options: Value| {
            options["board"] = json!(JAM01);
            server.post(path, &options).refused(400)
        };
        assert_eq!(refused(json!({ "first": true, "within": 1.1 })), "first and within are mutually exclusive");
        assert_eq!(refused(json!({ "within": 0.9 })), "within must be at least 1, not 0.9");
        for options in
            [json!({ "first": true, "algorithm": "bfs" }), json!({ "within": 2, "policy": "best-first-6x6" })]
        {
            assert!(refused(options).contains("cannot be combined with algorithm or policy"));
        }
        assert!(refused(json!({ "first": 1 })).contains("invalid type"));
        assert!(server.post(path, &json!({ "board": "AAB" })).status == 400);
    }
}

#[test]
fn a_streamed_search_is_cancelled_when_its_client_disconnects() {
    let server = serve_for(Duration::from_secs(600));
    let busy = || server.get("/status").ok()["busy"].as_u64().unwrap();
    let response = server.request_endless_search("/solve/stream");
    // The head is sent when the search has reached the long lane.
    let head = BufReader::new(&response).lines().next().unwrap().unwrap();
    assert_eq!(head, "HTTP/1.1 200 OK");
    TestServer::wait_until("the search is running", || busy() == 1);
    drop(response);
    TestServer::wait_until("the search has ended", || busy() == 0);
}

#[test]
fn a_hint_at_a_limit_is_the_next_move_of_the_best_plan() {
    // The first rounds of the engines find a plan, but do not prove that it is optimal.
    let hint = serve().post("/hint", &json!({ "board": board("course", "12x12_7"), "node_limit": 10_000 })).ok();
    assert_eq!((&hint["status"], &hint["optimal"]), (&json!("limit"), &json!(false)), "{hint}");
    assert!(hint["moves"].as_u64().unwrap() > hint["lower_bound"].as_u64().unwrap(), "{hint}");
    assert_eq!(hint["move"], hint["solution"][0]);
}
