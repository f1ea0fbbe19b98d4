//! Suites, levels, the tutorial, the daily puzzles, and packs.

use crate::common;
use crate::common::{JAM01, TestServer, UNSOLVABLE, serve, serve_in};
use clearway_rush::{Solution, formats, replay};
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// Another state of the first card, upside down.
const JAM01_AGAIN: &str = "F.HHH.F...GGD..E..DAAE.ZD..E.ZBB...Z";
const SMALL: &str = "4x4:...BAA.B........ small";

#[test]
fn suites_are_listed_with_proven_lengths() {
    let server = serve();
    let suites = server.get("/suites").ok();
    let cards = suites["items"].as_array().unwrap().iter().find(|suite| suite["name"] == "cards").unwrap();
    assert_eq!((&cards["boards"], &cards["about"]), (&json!(40), &json!("the 40 cards of the standard game")));
    let cards = server.get("/suites/cards").ok();
    assert_eq!(cards["boards"][0], json!({ "name": "JAM01", "board": JAM01, "moves": 8, "steps": 16 }));
    let course = server.get("/suites/course").ok();
    let lengths = (&course["boards"][6]["moves"], &course["boards"][6]["steps"]);
    assert_eq!(lengths, (&json!(25), &Value::Null), "only the best known length in steps");
    let error = server.get("/suites/none").refused(404);
    assert_eq!(error, "unknown suite 'none'");
}

#[test]
fn the_daily_puzzles_are_the_same_on_every_server() {
    let server = serve();
    let monday = server.get("/daily?date=2026-02-23").ok();
    assert_eq!(monday["date"], "2026-02-23");
    assert_eq!(serve().get("/daily?date=2026-02-23").ok(), monday);
    let puzzles = monday["puzzles"].as_array().unwrap();
    assert_eq!(
        puzzles.iter().map(|puzzle| puzzle["difficulty"].clone()).collect::<Value>(),
        json!(["easy", "medium", "hard"])
    );
    for puzzle in puzzles {
        let graded = server.post("/grade", &json!({ "board": puzzle["board"] })).ok();
        assert_eq!((&graded["moves"], &graded["level"]), (&puzzle["moves"], &puzzle["level"]));
    }
    let today = server.get("/daily").ok();
    assert_eq!(server.get(&format!("/daily?date={}", today["date"].as_str().unwrap())).ok(), today);
    let error = server.get("/daily?date=2026-02-30").refused(400);
    assert!(error.starts_with("invalid date '2026-02-30'"), "{error}");
    server.get("/daily?day=1").refused(400);
}

#[test]
fn levels_have_puzzles_from_easy_to_hard() {
    let server = serve();
    let level = server.get("/levels/advanced").ok();
    assert_eq!(level["level"], "advanced");
    let puzzles = level["puzzles"].as_array().unwrap();
    assert_eq!(puzzles[0]["name"], "Advanced 1");
    let seconds: Vec<f64> = puzzles.iter().map(|puzzle| puzzle["human"]["seconds"].as_f64().unwrap()).collect();
    assert!(puzzles.len() > 100 && seconds.is_sorted() && seconds[0] >= 180.0, "{}", puzzles.len());
    // The grader agrees, also on the themes.
    let themed =
        puzzles.iter().find(|puzzle| puzzle["themes"].as_array().unwrap().contains(&json!("target-back"))).unwrap();
    let graded = server.post("/grade", &json!({ "board": themed["board"] })).ok();
    for field in ["level", "moves", "themes"] {
        assert_eq!(graded[field], themed[field], "{field}");
    }
    let missing = server.get("/levels/easy");
    assert_eq!(
        (missing.status, &missing.json["help"]),
        (404, &json!("expected one of beginner, intermediate, advanced, expert, fiendish"))
    );
}

#[test]
fn the_tutorial_has_five_boards() {
    let server = serve();
    let lessons = server.get("/tutorial").ok()["lessons"].clone();
    assert_eq!(lessons.as_array().unwrap().len(), 5);
    for lesson in lessons.as_array().unwrap() {
        assert_eq!(server.post("/solve", &json!({ "board": lesson["board"] })).ok()["moves"], lesson["moves"]);
        assert!(lesson["name"].is_string() && lesson["about"].is_string(), "{lesson}");
    }
}

#[test]
fn a_pack_is_graded_sorted_and_without_duplicates() {
    let server = serve();
    assert_eq!(server.get("/packs").ok(), json!({ "items": [], "next": null }));
    let made = server.post("/packs", &json!({ "name": " Mine ", "boards": [JAM01, SMALL, JAM01_AGAIN] }));
    assert_eq!(made.status, 201);
    let made = made.ok();
    let puzzles = made["puzzles"].as_array().unwrap();
    let short = |puzzle: &Value| (puzzle["name"].clone(), puzzle["moves"].clone(), puzzle["level"].clone());
    assert_eq!(short(&puzzles[0]), (json!("small"), json!(2), json!("beginner")));
    assert_eq!(short(&puzzles[1]), (Value::Null, json!(8), json!("beginner")));
    assert_eq!(puzzles.len(), 2, "of the same puzzle, the first is kept");
    assert_eq!(
        (&puzzles[1]["board"], &puzzles[1]["steps"], &puzzles[1]["depth"]),
        (&json!(JAM01), &json!(16), &json!(9))
    );
    for puzzle in puzzles {
        let board = formats::read_one(puzzle["board"].as_str().unwrap(), None).unwrap().board;
        let words: Vec<&str> = puzzle["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let solution: Solution = words.join(" ").parse().unwrap();
        assert!(replay(&board, &solution.0).unwrap().solved);
        assert_eq!(puzzle["id"].as_str().unwrap().len(), 16);
    }

    let list = server.get("/packs").ok();
    let expected = json!({ "id": made["id"], "name": "Mine", "created": made["created"], "puzzles": 2, "levels": { "beginner": 2 } });
    assert_eq!(list, json!({ "items": [expected], "next": null }));
    let path = format!("/packs/{}", made["id"]);
    assert_eq!(server.get(&path).ok(), made);
    assert_eq!(server.delete(&path).status, 204);
    assert_eq!(server.delete(&path).refused(404), format!("pack {} not found", made["id"]));
    assert_eq!(server.get(&path).status, 404);
    assert_eq!(server.get("/packs").ok(), json!({ "items": [], "next": null }));
}

#[test]
fn a_pack_keeps_all_facts_and_its_licence() {
    let server = serve();
    let large = format!("{}......B....AA..B..{}", ".".repeat(27), ".".repeat(36));
    let made = server.post("/packs", &json!({ "name": "x", "boards": [JAM01, large], "license": "CC-BY-4.0" })).ok();
    let grade = server.post("/grade", &json!({ "board": JAM01 })).ok();
    let puzzle =
        |board: &str| made["puzzles"].as_array().unwrap().iter().find(|puzzle| puzzle["board"] == board).unwrap();
    let (card, other) = (puzzle(JAM01), puzzle(&large));
    assert_eq!((&card["optimal_solutions"], &card["decisions"]), (&grade["optimal_solutions"], &grade["decisions"]));
    assert!(card["decisions"].as_f64().unwrap() > 1.0);
    assert_eq!((&other["optimal_solutions"], &other["decisions"]), (&Value::Null, &Value::Null));
    assert_eq!((&card["license"], &other["license"]), (&json!("CC-BY-4.0"), &json!("CC-BY-4.0")));
    assert_eq!(server.get(&format!("/packs/{}", made["id"])).ok(), made, "they are stored");
    let file = server.text(&format!("/packs/{}/file", made["id"]));
    assert!(file.lines().all(|line| line.contains("\"license\":\"CC-BY-4.0\"")), "{file}");
    let error = server.post("/packs", &json!({ "name": "x", "boards": [JAM01], "license": "a\nb" })).refused(400);
    assert_eq!(error, "the name of a license must have 1 to 100 printable characters");
}

#[test]
fn the_schema_of_packs_is_served() {
    let server = serve();
    assert_eq!(server.text("/schema/pack"), clearway_forge::pack::schema());
    let head = format!("GET /api/v1/schema/pack HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    let head = server.send_raw(head.as_bytes());
    assert!(head.contains("content-type: application/schema+json"), "{head:.500}");
}

#[test]
fn a_pack_is_downloaded_in_every_format() {
    let server = serve();
    let id = server.post("/packs", &json!({ "name": "a/\"b\"\u{e4}", "boards": [JAM01] })).ok()["id"].clone();
    let file = |format: &str| server.text(&format!("/packs/{id}/file{format}"));
    let line: Value = serde_json::from_str(file("").trim()).unwrap();
    assert_eq!((&line["board"], &line["moves"], &line["grade"]), (&json!(JAM01), &json!(8), &json!("beginner")));
    assert_eq!(line["solution"].as_array().unwrap().len(), 8);
    assert_eq!(file("?format=json"), file("?format=jsonl"));
    assert!(file("?format=txt").contains(JAM01));
    assert!(file("?format=csv").lines().count() == 2);
    assert!(file("?format=html").contains("<svg") && file("?format=svg").starts_with("<svg"));
    assert_eq!(server.get(&format!("/packs/{id}/file?format=doc")).refused(400), "unknown format 'doc'");
    assert_eq!(server.get("/packs/99/file?format=pdf").status, 404);
    let head = server.send_raw(
        format!(
            "GET /api/v1/packs/{id}/file?format=pdf HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.address
        )
        .as_bytes(),
    );
    assert!(head.contains("content-type: application/pdf") && head.contains("\r\n\r\n%PDF"), "{head:.500}");
    let name = "content-disposition: attachment; filename=\"a__b__.pdf\"; filename*=UTF-8''a__b_%C3%A4.pdf";
    assert!(head.contains(name) && !head.contains("missing-characters"), "{head:.500}");
}

#[test]
fn a_pack_is_printed_on_other_paper_and_reports_missing_characters() {
    let server = serve();
    let id = server.post("/packs", &json!({ "name": "\u{c4}pfel \u{3b1}", "boards": [JAM01] })).ok()["id"].clone();
    let svg = server.text(&format!("/packs/{id}/file?format=svg&paper=letter"));
    assert!(svg.contains("width=\"612pt\""), "{svg:.300}");
    let file = |query: &str| {
        let request = format!(
            "GET /api/v1/packs/{id}/file?format=pdf{query} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.address
        );
        server.send_raw(request.as_bytes())
    };
    let colour = file("");
    assert!(
        colour.contains("missing-characters: %CE%B1\r\n") && colour.contains("/MediaBox[0 0 595 842]"),
        "{colour:.500}"
    );
    let plain = file("&paper=letter&black_and_white=true");
    assert!(plain.contains("/MediaBox[0 0 612 792]"), "{plain:.500}");
    let body = |response: &str| response.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_ne!(body(&plain), body(&file("&paper=letter")));
    assert_eq!(server.get(&format!("/packs/{id}/file?paper=a3")).refused(400), "unknown paper 'a3'");
    assert!(server.text(&format!("/packs/{id}/file?format=html&language=de")).contains("<h2>Lösungen</h2>"));
    assert_eq!(server.get(&format!("/packs/{id}/file?language=xx")).refused(400), "unknown language 'xx'");
}

#[test]
fn boards_are_added_to_a_pack() {
    let server = serve();
    let small = "4x4:...BAA.B........";
    let id = server.post("/packs", &json!({ "name": "Mine", "boards": [JAM01] })).ok()["id"].clone();
    let path = format!("/packs/{id}/boards");
    let moves = |pack: &Value| -> Vec<u64> {
        pack["puzzles"].as_array().unwrap().iter().map(|puzzle| puzzle["moves"].as_u64().unwrap()).collect()
    };
    // The first card is there already; the other board is easier.
    let pack = server.post(&path, &json!({ "boards": [small, JAM01] })).ok();
    assert_eq!((moves(&pack), &pack["name"]), (vec![2, 8], &json!("Mine")));
    assert_eq!(server.get(&format!("/packs/{id}")).ok(), pack);
    assert_eq!(server.post(&path, &json!({ "boards": [UNSOLVABLE] })).refused(400), "board 1: the board is unsolvable");
    assert_eq!(server.post("/packs/99/boards", &json!({ "boards": [small] })).refused(404), "pack 99 not found");
    assert_eq!(moves(&server.get(&format!("/packs/{id}")).ok()), [2, 8], "nothing else was added");
}

#[test]
fn invalid_boards_of_a_pack_are_refused_by_number() {
    let server = serve();
    let refused = |boards: Value| server.post("/packs", &json!({ "name": "x", "boards": boards })).refused(400);
    assert_eq!(refused(json!([JAM01, UNSOLVABLE])), "board 2: the board is unsolvable");
    assert_eq!(refused(json!(["4x4:..........AA...."])), "board 1: the board is already solved");
    assert!(refused(json!([JAM01, "AA."])).starts_with("board 2: "));
    assert!(refused(json!([])).contains("1 to 500 entries"));
    assert!(refused(json!(vec![JAM01; 501])).contains("not 501"));
    for name in ["", "  ", "a\nb", &"x".repeat(101)] {
        let error = server.post("/packs", &json!({ "name": name, "boards": [JAM01] })).refused(400);
        assert!(error.contains("1 to 100 printable characters"), "{error}");
    }
    let error = server.post("/packs", &json!({ "name": "x", "boards": [JAM01], "more": 1 })).refused(400);
    assert!(error.contains("unknown field"), "{error}");
    assert_eq!(server.get("/packs/none").status, 400);
    assert_eq!(server.get("/packs").ok()["items"], json!([]), "nothing was kept");
}

#[test]
fn a_pack_that_takes_too_long_to_grade_is_refused() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_millis(100));
    let boards = vec![common::endless_board(); 20];
    let error = server.post("/packs", &json!({ "name": "x", "boards": boards })).refused(400);
    assert!(error.starts_with("board ") && error.contains("limit was reached"), "{error}");
    // The server continues; on a busy machine a search limited to a tenth of a second may need several attempts.
    TestServer::wait_until("a board is solved", || {
        server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"] == 8
    });
}
