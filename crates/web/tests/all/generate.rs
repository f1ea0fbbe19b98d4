//! Generation of puzzles.

use crate::common;
use crate::common::{TestServer, serve, serve_in};
use clearway_rush::{Metric, Solver, formats};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Returns the puzzles, and the last line.
fn generate(server: &TestServer, request: &Value) -> (Vec<Value>, Value) {
    let lines = server.lines("/generate", Some(request)).map(|line| serde_json::from_str::<Value>(&line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    let last = lines.pop().unwrap()["done"].take();
    assert!(lines[0]["progress"]["attempts"].is_u64(), "{lines:?}");
    (lines.iter_mut().filter_map(|line| line.as_object_mut()?.remove("puzzle")).collect(), last)
}

#[test]
fn the_same_seed_gives_the_same_puzzles() {
    let server = serve();
    let wanted = json!({ "size": "5x5", "moves": { "from": 4, "to": 8 }, "count": 6, "seed": 7 });
    let (puzzles, done) = generate(&server, &wanted);
    assert_eq!((puzzles.len(), &done["found"], &done["seed"], &done["limit"]), (6, &json!(6), &json!(7), &Value::Null));
    let mut ids: Vec<&str> = puzzles.iter().map(|puzzle| puzzle["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 6, "all are different");
    for puzzle in &puzzles {
        let board = formats::read_one(puzzle["board"].as_str().unwrap(), None).unwrap().board;
        let moves =
            Solver::new().solve(&board, Metric::Moves, &clearway_search::Limits::default()).solution.unwrap().moves();
        assert!((4..=8).contains(&moves) && puzzle["moves"] == moves && board.width() == 5, "{puzzle}");
        assert_eq!(puzzle["minimal"], true);
    }
    assert_eq!(generate(&server, &wanted).0, puzzles);
    let other = json!({ "size": "5x5", "moves": { "from": 4, "to": 8 }, "count": 6, "seed": 8 });
    assert_ne!(generate(&server, &other).0, puzzles);
}

#[test]
fn boards_match_the_request() {
    let server = serve();
    let wanted = json!({ "size": "5x6", "exit": "top:1", "walls": 1, "level": "beginner", "count": 2, "seed": 1 });
    let (puzzles, done) = generate(&server, &wanted);
    assert_eq!(puzzles.len(), 2, "{done}");
    for puzzle in puzzles {
        let board = formats::read_one(puzzle["board"].as_str().unwrap(), None).unwrap().board;
        assert_eq!((board.width(), board.height(), board.walls().iter().count(), board.exit_line()), (5, 6, 1, 1));
        assert_eq!((puzzle["level"].as_str(), board.exit().to_string()), (Some("beginner"), "top".to_owned()));
    }
}

#[test]
fn many_puzzles_and_large_boards_are_generated() {
    let server = serve();
    let wanted = json!({ "size": "5x5", "moves": { "from": 3, "to": 9 }, "count": 150, "seed": 1 });
    let (puzzles, done) = generate(&server, &wanted);
    assert_eq!((puzzles.len(), &done["found"]), (150, &json!(150)), "{done}");
    let boards: Vec<&Value> = puzzles.iter().map(|puzzle| &puzzle["board"]).collect();
    let pack = server.post("/packs", &json!({ "name": "many", "boards": boards, "license": "CC0-1.0" })).ok();
    assert_eq!(pack["puzzles"].as_array().unwrap().len(), 150);

    let wanted = json!({ "size": "12x12", "moves": { "from": 2, "to": 4 }, "count": 2, "seed": 1 });
    let (puzzles, done) = generate(&server, &wanted);
    assert_eq!(puzzles.len(), 2, "{done}");
    for puzzle in puzzles {
        assert_eq!(puzzle["board"].as_str().unwrap().len(), 144);
        assert_eq!((&puzzle["optimal_solutions"], &puzzle["decisions"]), (&Value::Null, &Value::Null));
        assert_eq!(puzzle["license"], "CC0-1.0");
    }
}

/// Returns the time after which a request for this number of impossible puzzles ends.
fn time_for(count: usize) -> Duration {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_millis(100));
    let mut wanted = impossible();
    wanted["count"] = json!(count);
    let started = Instant::now();
    assert_eq!(generate(&server, &wanted).1["limit"], "time");
    started.elapsed()
}

#[test]
fn more_puzzles_get_more_time() {
    assert!(time_for(101) >= Duration::from_millis(600));
    assert!(time_for(500) >= Duration::from_millis(1500));
}

#[test]
fn impossible_requests_are_refused() {
    let server = serve();
    let refused = |wanted: Value| server.post("/generate", &wanted).refused(400);
    assert_eq!(refused(json!({ "count": 501 })), "count must be between 1 and 500, not 501");
    refused(json!({ "count": 0 }));
    assert!(refused(json!({ "moves": { "from": 9, "to": 8 } })).contains("invalid range of moves: 9 to 8"));
    assert!(refused(json!({ "size": "3x6" })).contains("unsupported board size 3x6"));
    assert!(refused(json!({ "walls": 99 })).contains("99 walls are too many"));
    assert!(refused(json!({ "exit": "top:9" })).contains("line 9"));
    assert!(refused(json!({ "level": "easy" })).contains("unknown variant"));
    assert!(refused(json!({ "colour": "red" })).contains("unknown field"));
}

/// A request for puzzles that do not exist: the attempts continue until the time limit.
fn impossible() -> Value {
    json!({ "size": "8x8", "moves": { "from": 900, "to": 1000 }, "count": 100, "seed": 1 })
}

#[test]
fn it_ends_at_the_time_limit() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_millis(200));
    let started = Instant::now();
    let (puzzles, done) = generate(&server, &impossible());
    assert_eq!((puzzles.len(), &done["limit"]), (0, &json!("time")));
    assert!(started.elapsed() >= Duration::from_millis(600), "three times the time limit of a search");
}

fn ask(server: &TestServer) -> std::net::TcpStream {
    let body = impossible().to_string();
    let mut stream = server.connect();
    let head =
        format!("POST /api/v1/generate HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", server.address);
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
    stream
}

#[test]
fn it_ends_when_the_client_disconnects() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_secs(600));
    let busy = || server.get("/status").ok()["busy"].as_u64().unwrap();
    let stream = ask(&server);
    common::TestServer::wait_until("it is running", || busy() == 1);
    drop(stream);
    common::TestServer::wait_until("it has ended", || busy() == 0);
}

#[test]
fn it_ends_when_the_server_shuts_down() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_secs(600));
    let mut stream = ask(&server);
    stream.read_exact(&mut [0; 100]).unwrap();
    server.stop();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("\"limit\":\"interrupted\""), "{rest:.300}");
}
