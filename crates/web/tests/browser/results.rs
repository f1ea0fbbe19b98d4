//! Results: the list of solved puzzles and finished games, their export, import and deletion.

use crate::common::{JAM01, JAM01_SOLUTION, TestServer};
use crate::driver::{Page, browse};
use crate::games::SMALL;
use crate::play::{server_results, slide_all};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Stores results of two puzzles in the browser: one perfect, one with hints and with a look at the solution.
pub fn seed_results(page: &Page) {
    let game = |at: u64, moves: u32, hints: u32, solution_shown: bool| json!({ "at": at, "moves": moves, "seconds": 75.5, "hints": hints, "solutionShown": solution_shown });
    let first = json!({ "name": "JAM01", "source": { "suite": "cards" }, "optimum": 8,
        "games": [game(1_770_000_000_000, 12, 0, false), game(1_770_000_900_000, 8, 0, false)] });
    let second = json!({ "name": null, "source": null, "optimum": 2,
        "games": [game(1_770_100_000_000, 2, 3, false), game(1_770_200_000_000, 2, 1, true)] });
    for (board, record) in [(JAM01, first), (SMALL, second)] {
        page.js(
            "localStorage.setItem(`clearway.record.${arguments[0]}`, arguments[1])",
            &[json!(board), json!(record.to_string())],
        );
    }
}

/// A board without results.
const OTHER: &str = "....AA..........";

/// Script that leaves no room for the record of a board.
const FULL: &str = "
    const [board] = arguments;
    const real = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
        if (key.endsWith(board)) throw new DOMException('full', 'QuotaExceededError');
        real.call(this, key, value);
    }";

/// Returns the file that the page would save.
pub fn exported(page: &Page) -> String {
    page.js("window.real ??= URL.createObjectURL; URL.createObjectURL = (blob) => real((window.saved = blob))", &[]);
    page.click("Export");
    page.until("the file is made", "return window.saved !== undefined");
    page.js("return saved.text()", &[]).as_str().unwrap().to_owned()
}

fn import(page: &Page, folder: &Path, text: &str) {
    let file = folder.join("results.json");
    fs::write(&file, text).unwrap();
    page.choose_file("Import", &file);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn results_are_listed() {
    browse(|page| {
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("h1", "JAM01");
        page.press(&["Shift+h"]);
        page.until_text("section.hint", "8 moves to go");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "with 1 hint");
        page.open_board(SMALL);
        slide_all(page, "B+1 A+2");
        page.until_text(".won", "Perfect!");
        page.click("2 puzzles solved, 1 perfect");
        page.until_text("h1", "Results");
        page.until_text(
            ".fact-row",
            "2 puzzles solved 1 perfect, without help 0 days daily streak 0 days longest streak 1314 ± 456 rating",
        );
        let rows = page.js("return [...document.querySelectorAll('tbody tr')].map((e) => plain(e.innerText))", &[]);
        let row = |at: usize| rows[at].as_str().unwrap();
        assert!(row(0).starts_with("4 × 4 board 1 game 2 / 2 perfect 0:"), "{rows}");
        assert!(row(1).starts_with("JAM01 1 game 8 / 8 with 1 hint 0:"), "{rows}");
        // A game with a hint is lost to the puzzle.
        assert!(row(0).ends_with(" 968") && row(1).ends_with(" 1421"), "{rows}");
        let history = page.text(".history");
        assert!(
            history.contains("8 moves in 0:") && history.contains("with 1 hint") && history.contains(", perfect"),
            "{history}"
        );
        // A name opens the puzzle in its collection.
        page.js("called('JAM01')[0].click()", &[]);
        page.until_text(".play-head", "Cards, 1 of 40");
        page.back();
        page.until_text("h1", "Results");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_first_game_of_a_puzzle_stays_and_is_rated() {
    browse(|page| {
        page.open("/results");
        let script = "
            const { mergedRecord, setRecord } = await import('/js/puzzle-records.js');
            const { ratedGames } = await import('/js/rating.js');
            const game = (at, moves, hints) => ({ at, moves, seconds: 9, hints, solutionShown: false });
            const outcome = (...games) => ratedGames([{ board: 'one', name: null, source: null, optimum: 20, games }]);
            // The first game is a long one, the third is the best.
            const games = Array.from({ length: 25 }, (_, i) => game(i + 1, i ? 20 : 40, i === 0 || i === 2 ? 0 : 1));
            const record = games.reduce((old, game) => mergedRecord(old, { name: null, source: null, optimum: 20, games: [game] }), null);
            setRecord(arguments[0], record);
            return [outcome(game(1, 26, 0)), outcome(game(1, 27, 0)), outcome(game(1, 20, 3)), outcome(...record.games)].map(([{ outcome }]) => outcome)
                .concat(outcome(), record.games.map(({ at }) => at))";
        let found = page.js(&format!("return (async () => {{ {script} }})()"), &[json!(SMALL)]);
        let kept: Vec<u32> = [1, 3].into_iter().chain(6..=25).collect();
        let expected: Vec<Value> = ["won", "drawn", "lost", "drawn"].map(Value::from).into();
        let expected: Vec<Value> = expected.into_iter().chain(kept.into_iter().map(Value::from)).collect();
        assert_eq!(found, json!(expected));
        // The rating is that of the server for a draw, and its failure is reported.
        let body = json!({ "games": [{ "moves": 20, "outcome": "drawn" }] });
        let rating = page.server.post("/ratings", &body).ok()["player"]["rating"].as_f64().unwrap().round();
        page.reload();
        page.until_text(".fact-row", &format!("{rating} ± "));
        page.js("window.fetch = () => Promise.reject(new TypeError('offline'))", &[]);
        seed_results(page);
        page.js("dispatchEvent(new StorageEvent('storage'))", &[]);
        page.until_text("[role=alert]", "The server is not responding");
        page.until_text(".fact-row", "… rating");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn results_are_exported_deleted_and_imported() {
    browse(|page| {
        let folder = tempfile::TempDir::new().unwrap();
        page.open_board(SMALL);
        slide_all(page, "B+1 A+2");
        page.until_text(".won", "Perfect!");
        TestServer::wait_until("the server knows", || server_results(page)[0].is_object());
        page.open("/results");
        page.until_text(".fact-row", "1 puzzle solved");
        let file = exported(page);
        let value: Value = serde_json::from_str(&file).unwrap();
        assert_eq!((&value["format"], &value["puzzles"][0]["board"]), (&json!("clearway results"), &json!(SMALL)));
        assert_eq!(
            (&value["puzzles"][0]["games"][0]["moves"], &value["puzzles"][0]["optimum"]),
            (&json!(2), &json!(2))
        );

        page.click("Delete the results of 4 × 4 board");
        page.accept("Delete the results of 4 × 4 board? This cannot be undone.");
        page.until_text("[role=status]", "Deleted the results of 4 × 4 board.");
        assert_eq!(page.focused(), "Results");
        assert!(page.text(".fact-row").starts_with("0 puzzles solved") && !page.enabled("Export"));
        assert_eq!(server_results(page), json!([]));

        // A file is added to what is there; the same file again changes nothing.
        seed_results(page);
        import(page, folder.path(), &file);
        page.until_text("[role=status]", "Imported 1 new game from a file with 1 puzzle.");
        page.until_text(".fact-row", "2 puzzles solved 2 perfect");
        assert_eq!(page.js("return document.querySelectorAll('.history li').length", &[]), 5);
        import(page, folder.path(), &exported(page));
        page.until_text("[role=status]", "Imported 0 new games from a file with 2 puzzles.");
        assert_eq!(page.js("return document.querySelectorAll('.history li').length", &[]), 5);

        // Nothing is deleted if the server does not respond.
        page.js("window.asked = window.fetch; window.fetch = () => Promise.reject(new TypeError('offline'))", &[]);
        page.click("Delete all");
        page.accept("Delete all results? This cannot be undone.");
        page.until_text("[role=alert]", "The server is not responding");
        page.until_text(".fact-row", "2 puzzles solved");
        // The server has no results any more, which the browser logs.
        page.expect_message("404 (Not Found)");
        page.js("window.fetch = window.asked", &[]);
        page.click("Delete all");
        page.accept("Delete all results? This cannot be undone.");
        page.until_text("[role=status]", "Deleted all results.");
        page.reload();
        page.until_text(".fact-row", "0 puzzles solved");
        import(page, folder.path(), &file);
        page.until_text(".fact-row", "1 puzzle solved 1 perfect");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn an_exported_file_restores_the_player() {
    browse(|page| {
        let folder = tempfile::TempDir::new().unwrap();
        let solve = |board: &str, moves: &str, results: usize| {
            page.open_board(board);
            slide_all(page, moves);
            page.until_text(".won", "Perfect!");
            TestServer::wait_until("the server knows", || server_results(page)[results - 1].is_object());
        };
        solve(SMALL, "B+1 A+2", 1);
        page.open("/results");
        page.until_text(".fact-row", "1 puzzle solved");
        let file = exported(page);
        // A game after the export.
        solve(OTHER, "A+2", 2);

        // The browser's data are lost, with the name of the player.
        page.js("localStorage.clear()", &[]);
        page.open("/results");
        page.until_text(".fact-row", "0 puzzles solved");
        assert_eq!(server_results(page), json!([]));
        import(page, folder.path(), &file);
        page.until_text(".fact-row", "2 puzzles solved 2 perfect");

        // A browser with results keeps its player.
        page.js("localStorage.clear()", &[]);
        solve(SMALL, "B+1 A+2", 1);
        page.open("/results");
        import(page, folder.path(), &file);
        page.until_text("[role=status]", "Imported");
        assert_eq!(server_results(page).as_array().unwrap().len(), 1);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_result_without_room_is_not_claimed() {
    browse(|page| {
        page.open_board(SMALL);
        page.js(FULL, &[json!(SMALL)]);
        slide_all(page, "B+1 A+2");
        page.until_message("The browser's storage is full: this result is not kept.");
        page.until_text(".won", "2 moves in");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_broken_file_changes_nothing() {
    browse(|page| {
        let folder = tempfile::TempDir::new().unwrap();
        page.open("/results");
        seed_results(page);
        page.reload();
        page.until_text(".fact-row", "2 puzzles solved");
        let stored = || {
            page.js("return Object.entries(localStorage).filter(([key]) => key.startsWith('clearway.record.')).sort().map(([key, text]) => [key, JSON.parse(text)])", &[])
        };
        let before = stored();
        let good = json!({ "at": 1, "moves": 1, "seconds": 1, "hints": 0, "solutionShown": false });
        let file =
            |puzzles: Value| json!({ "format": "clearway results", "version": 1, "puzzles": puzzles }).to_string();
        let cases = [
            ("{\"format\": \"clearw".to_owned(), "The file is not JSON; choose a file that this page has exported"),
            ("[]".to_owned(), "The file does not contain clearway results"),
            (
                json!({ "format": "clearway results", "version": 2, "puzzles": [] }).to_string(),
                "The file has version 2; expected 1",
            ),
            (
                file(json!([{ "board": "..AA", "games": [good] }, { "board": "....AA.B...B....", "games": [] }])),
                "Puzzle 2 of the file: no games",
            ),
            (
                file(json!([{ "board": "....AA.B...B...", "games": [good] }])),
                "Puzzle 1 of the file: 15 cells do not fill a board of 4x4",
            ),
            (
                json!({ "format": "clearway results", "version": 1, "player": "me", "puzzles": [] }).to_string(),
                "Invalid player",
            ),
            (
                file(json!([{ "board": SMALL, "games": [good, { "moves": 1 }] }])),
                "Puzzle 1 of the file: game 2 is invalid",
            ),
        ];
        for (text, error) in cases {
            import(page, folder.path(), &text);
            page.until_text("[role=alert]", error);
            assert_eq!(stored(), before);
        }
        // If the storage is full, what was there stays.
        page.js(FULL, &[json!(OTHER)]);
        import(
            page,
            folder.path(),
            &file(json!([{ "board": SMALL, "games": [good] }, { "board": OTHER, "games": [good] }])),
        );
        page.until_text("[role=alert]", "The browser's storage is full; nothing was imported");
        assert_eq!(stored(), before);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn daily_puzzles_solved_on_their_days_form_a_streak() {
    browse(|page| {
        page.open("/results");
        // Some are solved on their days, and one only today, too late for the streak.
        let seed = "
            const day = 86400000;
            const date = (ago) => new Date(Date.now() - ago * day).toISOString().slice(0, 10);
            const game = (at, daily) => ({ at, daily, moves: 2, seconds: 9, hints: 1, solutionShown: false });
            const days = arguments[0].map((ago) => game(Date.parse(date(ago)) + 1000, date(ago)));
            days.push(game(Date.now(), date(5)));
            localStorage.setItem(`clearway.record.${arguments[1]}`, JSON.stringify({ name: 'Daily', source: { daily: date(1) }, optimum: 2, games: days }))";
        page.js(seed, &[json!([1, 2, 3, 10, 11, 12, 13, 14]), json!(SMALL)]);
        page.reload();
        page.until_text(".fact-row", "3 days daily streak 5 days longest streak");
        assert!(page.text(".history").contains(", daily puzzle"));
    });
}
