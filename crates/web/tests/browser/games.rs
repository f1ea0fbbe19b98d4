//! Games in progress: each puzzle has its own, whatever happens to the page or to the browser's storage.

use crate::common::{JAM01, JAM01_SOLUTION};
use crate::driver::{Page, browse};
use crate::play::{moves, slide, slide_all};
use serde_json::{Value, json};

/// A 4x4 board with the solution `B+1 A+2`.
pub const SMALL: &str = "....AA.B...B....";

/// Opens a board, and waits until its game is shown.
fn open(page: &Page, board: &str, moves: &str) {
    page.open(&format!("/play?board={board}"));
    page.until_with(
        "the moves are restored",
        "return text('dl.stats > div:first-child dd') === arguments[0]",
        &[json!(moves)],
    );
}

/// Returns the boards with a game in progress.
fn stored_games(page: &Page) -> Vec<String> {
    let names = page.js(
        "return Object.keys(localStorage).filter((key) => key.startsWith('clearway.game.')).map((key) => key.slice(14)).sort()",
        &[],
    );
    names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn each_puzzle_keeps_its_game() {
    browse(|page| {
        open(page, JAM01, "0 / 8");
        slide_all(page, "G-3 C+3");
        page.until_announced("2 moves.");
        open(page, SMALL, "0 / 2");
        slide(page, "B-1");
        page.until_announced("B up 1. 1 move.");
        open(page, JAM01, "2 / 8");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        open(page, SMALL, "1 / 2");
        assert_eq!(stored_games(page), [SMALL, JAM01]);
        // A solved game is no longer in progress.
        slide_all(page, "B+2 A+2");
        page.until_text(".won", "2 moves in");
        assert_eq!(stored_games(page), [JAM01]);
        open(page, SMALL, "0 / 2");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn two_tabs_keep_each_others_games() {
    browse(|page| {
        open(page, JAM01, "0 / 8");
        slide(page, "G-3");
        page.until_announced("1 move.");
        let first = page.new_tab();
        open(page, SMALL, "0 / 2");
        slide(page, "B-1");
        page.until_announced("1 move.");
        let second = page.current_tab();
        page.switch_to(&first);
        slide(page, "C+3");
        page.until_announced("C down 1. 2 moves.");
        assert_eq!(stored_games(page), [SMALL, JAM01]);

        // On the same puzzle, the last move counts.
        page.switch_to(&second);
        page.reload();
        page.until("the game is restored", "return text('dl.stats > div:first-child dd') === '1 / 2'");
        open(page, JAM01, "2 / 8");
        slide(page, "B+1");
        page.until_announced("3 moves.");
        page.switch_to(&first);
        open(page, JAM01, "3 / 8");

        // The results of both are kept and shown.
        slide_all(page, JAM01_SOLUTION.split_once("B+1 ").unwrap().1);
        page.until_text(".play-foot", "1 puzzle solved, 1 perfect");
        page.switch_to(&second);
        page.until_text(".play-foot", "1 puzzle solved, 1 perfect");
        open(page, SMALL, "1 / 2");
        slide_all(page, "B+2 A+2");
        page.until_text(".play-foot", "2 puzzles solved, 2 perfect");
        page.switch_to(&first);
        page.until_text(".play-foot", "2 puzzles solved, 2 perfect");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_oldest_games_are_removed() {
    browse(|page| {
        page.open_board(JAM01);
        let old = "
            for (let i = 0; i < 320; i++)
                localStorage.setItem(`clearway.game.${i}`, JSON.stringify({ moves: [], seconds: 0, hints: 1, saved: 1000 + i }))";
        page.js(old, &[]);
        slide(page, "G-3");
        page.until_announced("1 move.");
        let games = stored_games(page);
        assert_eq!(games.len(), 300);
        assert!(games.contains(&JAM01.to_owned()) && games.contains(&"319".to_owned()));
        assert!(!games.contains(&"20".to_owned()) && games.contains(&"21".to_owned()));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_full_storage_loses_only_the_oldest_games() {
    browse(|page| {
        page.open_board(JAM01);
        // The storage has room for the new game if two old ones are removed.
        let full = "
            for (let i = 0; i < 5; i++) localStorage.setItem(`clearway.game.${i}`, JSON.stringify({ saved: 1000 + i }));
            const real = Storage.prototype.setItem;
            Storage.prototype.setItem = function (key, value) {
                if (this.getItem(key) === null && this.getItem('clearway.game.1') !== null) throw new DOMException('full', 'QuotaExceededError');
                real.call(this, key, value);
            }";
        page.js(full, &[]);
        slide(page, "G-3");
        page.until_announced("1 move.");
        assert_eq!(stored_games(page), ["2", "3", "4", JAM01]);
        // If nothing helps, the player is told, and the game goes on.
        page.js("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }", &[]);
        slide(page, "C+3");
        page.until_message("The browser's storage is full");
        page.until_announced("C down 1. 2 moves.");
        assert_eq!(moves(page), "2 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn damaged_values_and_blocked_storage_do_no_harm() {
    browse(|page| {
        page.open("/play");
        let damage = |value: &str| {
            let names = ["game", "record"].map(|kind| format!("clearway.{kind}.{JAM01}"));
            for name in
                names.iter().map(String::as_str).chain(["clearway.last", "clearway.player", "clearway.forge.puzzles"])
            {
                page.js("localStorage.setItem(...arguments)", &[json!(name), json!(value)]);
            }
        };
        let strange = json!({ "moves": ["G-3", "x"], "seconds": "1", "hints": -1, "beforeRestart": 3, "games": [{}] })
            .to_string();
        for (value, shown) in [("{\"mov", "0 / 8"), ("7", "0 / 8"), ("null", "0 / 8"), (strange.as_str(), "1 / 8")] {
            damage(value);
            open(page, JAM01, shown);
            page.open("/results");
            page.until_text("section", "No puzzles solved yet.");
            page.open("/forge");
            page.until_text("ul.shelf", "No puzzles yet.");
        }
        let block = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": block }));
        open(page, JAM01, "0 / 8");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Perfect!");
        page.click("Results");
        page.until_text(".fact-row", "1 puzzle solved");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_focus_is_never_lost() {
    browse(|page| {
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("h1", "JAM01");
        page.click("Next");
        page.until_text("h1", "JAM02");
        assert_eq!(page.focused(), "Next");
        page.click("Previous");
        page.until_text("h1", "JAM01");
        // It is the first card: the button is disabled.
        page.until("Next has the focus", "return name(document.activeElement) === 'Next'");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Perfect!");
        page.until("Next has the focus", "return name(document.activeElement) === 'Next'");
        page.press(&["Enter"]);
        page.until_text("h1", "JAM02");
        assert_eq!(page.js("return document.activeElement.tagName", &[]), Value::from("H1"));
        page.click("Solve");
        page.until_text("section.playback", "Solution, ");
        page.click("Back to my game");
        assert_eq!(page.focused(), "Hint");
        page.back();
        page.until_text("h1", "JAM01");
        page.until("the tab has the focus", "return document.activeElement.id === 'main'");
    });
}
