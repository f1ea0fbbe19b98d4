//! Solving times: measured only with consent and while the puzzle is in use, exported, and read by the command line's reader.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::games::SMALL;
use crate::play::{slide, slide_all};
use crate::results::exported;
use clearway_lab::solving_times::{PlayerResults, read_results};
use serde_json::json;

const CONSENT: &str = "Keep my solving times to improve the time estimates, only in this browser";
/// A 4x4 board with the solution `B-1 A+2`.
const OTHER: &str = ".......BAA.B....";

/// Script that lets a test pass time: `pass(seconds)`, `hide()` and `unhide()`.
const CLOCK: &str = "
    if (!window.pass) {
      let ahead = 0;
      const real = performance.now.bind(performance);
      performance.now = () => real() + 1000 * ahead;
      window.pass = (seconds) => { ahead += seconds; };
      let hidden = false;
      Object.defineProperty(document, 'hidden', { get: () => hidden });
      window.hide = (now) => { hidden = now; document.dispatchEvent(new Event('visibilitychange')); };
    }";

fn pass(page: &Page, script: &str) {
    page.js(&format!("{CLOCK} {script}"), &[]);
}

/// Turns the consent on or off.
fn set_consent(page: &Page) {
    page.open("/results");
    page.click(CONSENT);
}

/// Exports the results, and reads them as the command line does.
fn read(page: &Page) -> PlayerResults {
    page.open("/results");
    let file = exported(page);
    read_results(file.as_bytes()).unwrap_or_else(|error| panic!("{error}: {file}"))
}

/// Solves a board.
fn solve(page: &Page, board: &str, moves: &str) {
    page.open_board(board);
    slide_all(page, moves);
    page.until_text(".won", "moves in");
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn no_time_is_kept_without_consent() {
    browse(|page| {
        page.open("/results");
        assert_eq!(page.js("return called(arguments[0])[0].checked", &[json!(CONSENT)]), false);
        solve(page, SMALL, "B+1 A+2");
        let results = read(page);
        assert_eq!((results.times.len(), results.unmeasured), (0, 1));
        let names = page.js("return Object.keys(localStorage).filter((key) => key.startsWith('clearway.time'))", &[]);
        assert_eq!(names, json!([]));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_time_of_all_attempts_is_kept_while_the_puzzle_is_in_use() {
    browse(|page| {
        set_consent(page);
        page.open_board(SMALL);
        // Thinking before the first move counts.
        pass(page, "pass(100)");
        slide(page, "B-1");
        page.until_announced("1 move.");
        // A hidden page does not count, and after three minutes without any input the player has left.
        pass(page, "hide(true); pass(1e6); hide(false)");
        slide(page, "B+1");
        pass(page, "pass(1e6)");
        slide(page, "B-1");
        page.until_announced("1 move.");
        // An attempt before a restart counts, and so does the time before a reload.
        page.click("Restart");
        page.until_announced("Back at the start.");
        pass(page, "pass(50)");
        page.reload();
        page.until("the optimum is known", "return text('dl.stats').includes('/')");
        pass(page, "pass(70)");
        slide_all(page, "B+1 A+2");
        page.until_text(".won", "2 moves in");
        let results = read(page);
        let time = &results.times[0];
        assert_eq!((results.times.len(), time.moves), (1, 2));
        // 100, 180, 50 and 70 seconds, and what the test itself takes.
        assert!((400.0..1_000.0).contains(&time.seconds), "{time:?}");
        page.until_text(".settings", "1 time kept");

        // A puzzle that is solved again does not count, nor does one with a hint.
        solve(page, SMALL, "B+1 A+2");
        page.open_board(OTHER);
        page.press(&["Shift+h"]);
        page.until_text("section.hint", "2 moves to go");
        slide_all(page, "B-1 A+2");
        page.until_text(".won", "with 1 hint");
        let again = read(page);
        assert_eq!((&again.times, again.with_help), (&results.times, 1));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_time_above_a_day_counts_as_a_day() {
    browse(|page| {
        set_consent(page);
        // What was measured before.
        let store =
            "localStorage.setItem(`clearway.time.${arguments[0]}`, JSON.stringify({ seconds: 90000, saved: 1 }))";
        page.js(store, &[json!(SMALL)]);
        solve(page, SMALL, "B+1 A+2");
        let results = read(page);
        assert_eq!(results.times.iter().map(|time| time.seconds).collect::<Vec<_>>(), [86_400.0]);
        // The result is not lost.
        page.until_text(".fact-row", "1 puzzle solved 1 perfect");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn times_are_imported_and_deleted() {
    browse(|page| {
        let folder = tempfile::TempDir::new().unwrap();
        set_consent(page);
        // A game that began before the consent is not measured.
        page.click(CONSENT);
        page.open_board(JAM01);
        slide(page, "G-3");
        page.until_announced("1 move.");
        set_consent(page);
        page.open_board(JAM01);
        slide_all(page, "C+3 B+1 D-1 F-1 H-2 E+2 A+3");
        page.until_text(".won", "8 moves in");
        solve(page, SMALL, "B+1 A+2");
        page.open("/results");
        page.until_text(".settings", "1 time kept");
        let before = exported(page);
        page.screenshot("results-settings-wide");
        page.click("Delete the times");
        page.until_announced("The solving times are deleted.");
        assert_eq!(page.focused(), "Settings");
        assert!(!page.text(".settings").contains("kept"));
        page.until_text(".fact-row", "2 puzzles solved");
        assert_eq!(read(page).times, []);
        // The file brings them back.
        let file = folder.path().join("results.json");
        std::fs::write(&file, &before).unwrap();
        page.choose_file("Import", &file);
        page.until_text("[role=status]", "Imported 0 new games from a file with 2 puzzles.");
        page.until_text(".settings", "1 time kept");
        assert_eq!(read(page), read_results(before.as_bytes()).unwrap());
        // Without consent, no further times are kept, and none is being measured.
        page.open_board(OTHER);
        slide(page, "B-1");
        page.until_announced("1 move.");
        set_consent(page);
        let unfinished = "return Object.keys(localStorage).filter((key) => key.startsWith('clearway.time.')).length";
        assert_eq!(page.js(unfinished, &[]), 0);
        page.open_board(OTHER);
        slide(page, "A+2");
        page.until_text(".won", "2 moves in");
        assert_eq!((read(page).times.len(), read(page).unmeasured), (1, 2));
    });
}
