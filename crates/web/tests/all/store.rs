//! The data folder: errors, persistence, limits and migrations.

use crate::common::{JAM01, config, serve_in, serve_with};
use clearway_web::{ServeError, Server, ServerConfig, StoreError};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(60);

/// Returns the error of starting a server with a data folder.
fn refused(data: &Path) -> StoreError {
    match tokio::runtime::Runtime::new().unwrap().block_on(Server::bind(config(data))) {
        Err(ServeError::Store(error)) => error,
        Err(error) => panic!("refused for another reason: {error}"),
        Ok(_) => panic!("it was not refused"),
    }
}

#[test]
fn data_survives_a_restart() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("made/on/the/way");
    let server = serve_in(&data, LIMIT);
    server.post("/packs", &json!({ "name": "one", "boards": [JAM01] })).ok();
    server.stop();
    let server = serve_in(&data, LIMIT);
    assert_eq!(server.get("/packs").ok()["items"][0]["name"], "one");
}

#[test]
fn a_data_folder_belongs_to_one_server() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let error = refused(folder.path());
    assert!(matches!(&error, StoreError::InUse(path) if path == folder.path()), "{error}");
    assert!(error.to_string().starts_with("another server uses the data folder"), "{error}");
    server.get("/packs").ok();
    server.stop();
    serve_in(folder.path(), LIMIT).get("/packs").ok();
}

#[test]
fn a_folder_that_cannot_be_created_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    assert!(matches!(refused(&file), StoreError::Folder { .. }));
    assert!(matches!(refused(&file.join("below")), StoreError::Folder { .. }));
}

#[test]
fn an_invalid_database_is_refused_and_not_modified() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("clearway.sqlite");
    let nonsense = "this is not a database, but long enough to look like one. ".repeat(100);
    std::fs::write(&file, &nonsense).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Database { .. }), "{error}");
    assert!(error.to_string().contains("file is not a database"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), nonsense);
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_not_modified() {
    let folder = TempDir::new().unwrap();
    serve_in(folder.path(), LIMIT).stop();
    let file = folder.path().join("clearway.sqlite");
    let database = Connection::open(&file).unwrap();
    let version: usize = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    database.pragma_update(None, "user_version", version + 1).unwrap();
    let error = refused(folder.path());
    assert!(
        matches!(error, StoreError::NewerVersion { found, known, .. } if found == known + 1 && known == version),
        "{error}"
    );
    database.pragma_update(None, "user_version", version).unwrap();
    serve_in(folder.path(), LIMIT).get("/packs").ok();
}

#[test]
fn a_locked_database_is_an_error_after_a_timeout() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let make = || server.post("/packs", &json!({ "name": "one", "boards": [JAM01] }));
    let database = Connection::open(folder.path().join("clearway.sqlite")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(make().refused(503), "the database is locked by another program");
    assert_eq!(server.get("/status").status, 200);
    std::thread::scope(|scope| {
        // It succeeds whether or not it meets the lock, because the lock is held only briefly.
        let made = scope.spawn(make);
        std::thread::sleep(Duration::from_millis(300));
        database.execute_batch("COMMIT").unwrap();
        made.join().unwrap().ok();
    });
}

#[test]
fn lists_are_paginated() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let mut names = Vec::new();
    for number in 0..5 {
        names.insert(0, format!("pack {number}"));
        server.post("/packs", &json!({ "name": names[0], "boards": [JAM01] })).ok();
    }
    let pages = |path: &str, limit: usize| {
        let (mut items, mut after) = (Vec::new(), String::new());
        loop {
            let page = server.get(&format!("{path}?limit={limit}{after}")).ok();
            let part = page["items"].as_array().unwrap();
            assert!(part.len() <= limit);
            items.extend(part.clone());
            let Some(next) = page["next"].as_str() else { return items };
            assert_eq!(part.len(), limit, "only the last page is not full");
            after = format!("&after={next}");
        }
    };
    for limit in [1, 2, 4, 5, 6] {
        let found = pages("/packs", limit);
        assert_eq!(found.iter().map(|pack| pack["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
    }
    let suites = server.get("/suites").ok();
    assert_eq!((suites["next"].clone(), json!(pages("/suites", 4))), (json!(null), suites["items"].clone()));
    for query in ["limit=0", "limit=501", "after=x", "after=1~2", "offset=1"] {
        server.get(&format!("/packs?{query}")).refused(400);
    }
    // Results of the same second are distinguished, and each is listed once.
    let database = Connection::open(folder.path().join("clearway.sqlite")).unwrap();
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
         INSERT INTO results (player, board, moves, seconds, last) SELECT 'ada', 'board ' || i, 1, 1,
         iif(i < 4, '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z') FROM n";
    database.execute(rows, []).unwrap();
    for limit in [1, 2, 3, 7, 8] {
        let found = pages("/players/ada/results", limit);
        let boards: Vec<&str> = found.iter().map(|result| result["board"].as_str().unwrap()).collect();
        assert_eq!(boards, ["board 7", "board 6", "board 5", "board 4", "board 3", "board 2", "board 1"]);
    }
    let invalid = "invalid after; expected the `next` value of the previous page";
    assert_eq!(server.get("/players/ada/results?after=7").refused(400), invalid);
    let query = server.get("/players/ada/results?limit=many").refused(400);
    assert!(query.starts_with("invalid query: ") && query.contains("limit"), "{query}");
}

#[test]
fn stored_data_is_limited() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let solved = |board: &str, player: &str| {
        let body = json!({ "board": board, "moves": ["B+2", "A+2"], "seconds": 1 });
        server.post(&format!("/players/{player}/results"), &body)
    };
    let long = "x".repeat(60_000);
    for name in [&long, &"y".repeat(101)] {
        let error = solved(&format!("4x4:...BAA.B........ {name}"), "ada").refused(400);
        assert_eq!(error, "the name of a board must have 1 to 100 printable characters");
        let pack = json!({ "name": "x", "boards": [format!("4x4:...BAA.B........ {name}")] });
        let error = server.post("/packs", &pack).refused(400);
        assert_eq!(error, "board 1: the name of a board must have 1 to 100 printable characters");
    }
    server.post("/packs", &json!({ "name": long, "boards": [JAM01] })).refused(400);
    server.get(&format!("/packs?after={}", &long)).refused(400);

    let database = Connection::open(folder.path().join("clearway.sqlite")).unwrap();
    let fill = |player: &str, count: u32| {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
             INSERT INTO results (player, board, moves, seconds) SELECT ?1, 'board ' || i, 1, 1 FROM n";
        database.execute(rows, rusqlite::params![player, count]).unwrap();
    };
    fill("ada", 10_000);
    let board = "4x4:...BAA.B........";
    let error = solved(board, "ada").refused(507);
    assert_eq!(error, "the result limit is reached");
    assert_eq!(solved(board, "bob").ok()["best"], true, "the limit applies to each player");
    assert_eq!(server.delete("/players/ada/results?board=board%207").status, 204);
    assert_eq!(server.delete("/players/ada/results?board=board%207").refused(404), "no such results");
    assert_eq!(solved(board, "ada").ok()["best"], true);
    // As if the limit of all results were reached.
    database.execute("UPDATE result_count SET rows = rows + 1000000", []).unwrap();
    solved(board, "eve").refused(507);
    assert_eq!(solved(board, "bob").ok()["best"], false, "a known board needs no new row");
    assert_eq!(server.delete("/players/ada/results").status, 204);
    assert_eq!(server.get("/players/ada/results").ok()["items"], json!([]));
    let rows: i64 = database.query_row("SELECT rows FROM result_count", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1_000_001, "rows are counted");
}

#[test]
fn a_full_store_refuses_until_something_is_deleted() {
    let folder = TempDir::new().unwrap();
    let server = serve_with(ServerConfig { data_limit: 256 << 10, ..config(folder.path()) });
    let boards: Vec<_> = server.get("/suites/cards").ok()["boards"].as_array().unwrap()[..20]
        .iter()
        .map(|card| card["board"].clone())
        .collect();
    let make = || server.post("/packs", &json!({ "name": "cards", "boards": boards }));
    let mut kept = Vec::new();
    let full = loop {
        let made = make();
        if made.status != 201 {
            break made;
        }
        kept.push(made.ok()["id"].clone());
        assert!(kept.len() < 100, "the store is never full");
    };
    assert_eq!(full.refused(507), "the data folder is full");
    assert!(!kept.is_empty() && server.get("/packs").ok()["items"].as_array().unwrap().len() == kept.len());
    for id in &kept {
        assert_eq!(server.delete(&format!("/packs/{id}")).status, 204);
    }
    make().ok();
    // The folders of runs have a limit of the same size.
    let run = folder.path().join("runs/1");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("log.jsonl"), vec![b' '; 256 << 10]).unwrap();
    assert_eq!(server.post("/runs", &json!({})).refused(507), "the data folder is full");
}

/// Removes the columns that were added last from the table of puzzles.
const WITHOUT_MORE_FACTS: &str = "ALTER TABLE puzzles DROP COLUMN optimal_solutions;
    ALTER TABLE puzzles DROP COLUMN decisions; ALTER TABLE puzzles DROP COLUMN license;";

#[test]
fn a_database_of_the_first_version_is_migrated() {
    let folder = TempDir::new().unwrap();
    serve_in(folder.path(), LIMIT).stop();
    let file = folder.path().join("clearway.sqlite");
    let database = Connection::open(&file).unwrap();
    let back =
        "DROP TABLE result_count; DROP TRIGGER result_added; DROP TRIGGER result_deleted; DROP INDEX results_by_time;
        PRAGMA user_version = 1";
    database.execute_batch(back).unwrap();
    database.execute_batch(WITHOUT_MORE_FACTS).unwrap();
    let row = "INSERT INTO results (player, board, name, moves, seconds) VALUES ('ada', 'b', ?, 1, 1)";
    database.execute(row, ["n".repeat(240_000)]).unwrap();
    drop(database);
    let server = serve_in(folder.path(), LIMIT);
    let results = server.get("/players/ada/results").ok();
    assert_eq!(results["items"][0]["name"].as_str().unwrap().len(), 100);
    let rows = Connection::open(&file).unwrap().query_row("SELECT rows FROM result_count", [], |row| row.get(0));
    assert_eq!(rows, Ok(1));
}

#[test]
fn times_predicted_by_older_versions_are_predicted_again() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let boards = server.get("/suites/cards").ok()["boards"].clone();
    let boards = [0, 9, 39].map(|card: usize| boards[card]["board"].clone());
    let grades = boards.clone().map(|board| server.post("/grade", &json!({ "board": board })).ok());
    let pack = server.post("/packs", &json!({ "name": "cards", "boards": boards })).ok();
    server.stop();
    // The predictions of the old model, in another order.
    let file = folder.path().join("clearway.sqlite");
    let database = Connection::open(&file).unwrap();
    let old =
        "UPDATE puzzles SET place = ?, level = 'fiendish', human = json_set(human, '$.seconds', ?) WHERE board = ?";
    for (place, grade) in [12, 10, 11].into_iter().zip(&grades) {
        let [moves, depth, vehicles] = ["moves", "depth", "vehicles_moved"].map(|field| grade[field].as_f64().unwrap());
        let seconds = (1.401 + 0.0962 * moves + 0.0348 * depth + 0.1101 * vehicles).exp();
        let board = grade["board"].as_str().unwrap();
        assert_eq!(database.execute(old, rusqlite::params![place, seconds, board]), Ok(1));
    }
    database.execute_batch(WITHOUT_MORE_FACTS).unwrap();
    database.pragma_update(None, "user_version", 3).unwrap();
    drop(database);
    let server = serve_in(folder.path(), LIMIT);
    let found = server.get(&format!("/packs/{}", pack["id"])).ok();
    for (puzzle, expected) in found["puzzles"].as_array().unwrap().iter().zip(pack["puzzles"].as_array().unwrap()) {
        assert_eq!((&puzzle["board"], &puzzle["level"]), (&expected["board"], &expected["level"]));
        assert_eq!(puzzle["human"]["beyond"], expected["human"]["beyond"]);
        for field in ["optimal_solutions", "decisions", "license"] {
            assert_eq!(puzzle[field], json!(null), "older versions did not store it");
        }
        for field in ["seconds", "low", "high"] {
            let [new, expected] = [puzzle, expected].map(|puzzle| puzzle["human"][field].as_f64().unwrap());
            assert!((new / expected - 1.0).abs() < 1e-9, "{field}: {new} and {expected}");
        }
    }
    server.stop();
    let version = Connection::open(&file).unwrap().pragma_query_value(None, "user_version", |row| row.get(0));
    assert_eq!(version, Ok(5));
}
