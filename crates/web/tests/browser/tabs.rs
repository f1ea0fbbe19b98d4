//! Two tabs of the browser on the same page: neither loses what the other has changed.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::games::SMALL;
use crate::play::{moves, slide, slide_all};
use serde_json::{Value, json};

/// A 4x4 board with the solution `B-1 A+2`.
const OTHER: &str = ".......BAA.B....";

/// Returns a stored value.
fn stored(page: &Page, name: &str) -> Value {
    page.js("return JSON.parse(localStorage.getItem(`clearway.${arguments[0]}`))", &[json!(name)])
}

/// Opens the same path in two tabs; returns them. The second is the current one.
fn open_twice(page: &Page, path: &str) -> [Value; 2] {
    page.open(path);
    let first = page.new_tab();
    page.open(path);
    [first, page.current_tab()]
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_game_goes_on_in_both_tabs() {
    browse(|page| {
        page.open_board(JAM01);
        let first = page.new_tab();
        page.open_board(JAM01);
        let second = page.current_tab();
        slide_all(page, "G-3 C+3");
        page.until_announced("2 moves.");
        // The other tab shows the moves, and continues after them.
        page.switch_to(&first);
        page.until_text("dl.stats", "2 / 8");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        slide(page, "B+1");
        page.until_announced("3 moves.");
        page.press(&["Shift+h"]);
        page.until_text(".play-title", "Help used: 1 hint");
        page.switch_to(&second);
        page.until_text("dl.stats", "3 / 8");
        page.until_text(".play-title", "Help used: 1 hint");
        // A restart is undone in the other tab.
        page.click("Restart");
        page.switch_to(&first);
        page.until_text("dl.stats", "0 / 8");
        page.click("Undo");
        page.until_announced("Restart undone. 3 moves.");
        page.switch_to(&second);
        page.until_text("dl.stats", "3 / 8");
        slide_all(page, "D-1 F-1 H-2 E+2 A+3");
        page.until_text(".won", "8 moves in");
        page.until_text(".won", "with 1 hint");
        // The solved game is not brought back by the first tab.
        page.switch_to(&first);
        page.until_text("dl.stats", "8 / 8");
        page.reload();
        page.until_text("dl.stats", "0 / 8");
        assert_eq!(moves(page), "0 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_game_that_continues_elsewhere_removes_the_victory() {
    browse(|page| {
        page.open_board(SMALL);
        let first = page.new_tab();
        page.open_board(SMALL);
        let second = page.current_tab();
        let solve_and_go_on = |others: &str, moves: &str| {
            page.switch_to(&second);
            slide_all(page, others);
            page.until_text(".won", "Perfect!");
            page.switch_to(&first);
            if moves == "0 / 2" {
                page.click("Restart");
            } else {
                slide(page, "A-1");
            }
            page.until_text("dl.stats", moves);
            page.switch_to(&second);
            page.until_text("dl.stats", moves);
            page.until("the card is gone", "return !document.querySelector('.won')");
            page.control("Undo");
        };
        // The first tab restarts the game, which it has seen up to the last step.
        solve_and_go_on("B+1 A+2", "0 / 2");
        // The second tab continues: its board is not locked.
        page.click("Undo");
        page.until_announced("Restart undone. 2 moves.");
        // The first tab makes another move.
        solve_and_go_on("A+1", "1 / 2");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn results_of_both_tabs_are_kept() {
    browse(|page| {
        page.open_board(SMALL);
        let first = page.new_tab();
        page.open_board(OTHER);
        let second = page.current_tab();
        // The same puzzle is solved in both tabs, one after the other, without a reload.
        page.switch_to(&first);
        slide_all(page, "B+1 A+2");
        page.until_text(".won", "2 moves in");
        page.switch_to(&second);
        slide_all(page, "B-1 A+2");
        page.until_text(".won", "2 moves in");
        page.switch_to(&first);
        page.click("Play again");
        slide_all(page, "B-1 B+2 A+2");
        page.until(
            "the game is stored",
            &format!("return JSON.parse(localStorage.getItem('clearway.record.{SMALL}')).games.length === 2"),
        );
        page.switch_to(&second);
        page.open("/results");
        page.until_text(".fact-row", "2 puzzles solved");
        // A deletion is seen in the other tab, whose next game is kept.
        page.click("Delete all");
        page.accept("Delete all results? This cannot be undone.");
        page.until_text(".fact-row", "0 puzzles solved");
        page.switch_to(&first);
        page.until_text(".play-foot", "0 puzzles solved");
        page.click("Play again");
        slide_all(page, "B+1 A+2");
        page.switch_to(&second);
        page.until_text(".fact-row", "1 puzzle solved");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn settings_of_both_tabs_are_kept() {
    browse(|page| {
        const CONSENT: &str = "Keep my solving times to improve the time estimates, only in this browser";
        let checked = |name: &str| format!("return called('{name}')[0].checked");
        let [first, second] = open_twice(page, "/results");
        page.click("Sound");
        page.switch_to(&first);
        page.until("the sound is on here", &checked("Sound"));
        page.click(CONSENT);
        page.switch_to(&second);
        page.until("the consent is given here", &checked(CONSENT));
        page.click(CONSENT);
        page.switch_to(&first);
        page.until("the consent is withdrawn here", &format!("return !called('{CONSENT}')[0].checked"));
        assert_eq!((stored(page, "sound"), stored(page, "times")), (json!(true), Value::Null));

        // Filters of the chooser: both dialogs are open before one filter is chosen in each.
        let tabs = open_twice(page, &format!("/play?board={JAM01}"));
        for tab in &tabs {
            page.switch_to(tab);
            page.click("Puzzles");
            page.until_text("dialog[open]", "Hard 8x8");
        }
        for (tab, (name, option)) in
            tabs.iter().zip([("Length", "11 to 20 moves"), ("Theme", "The target must move back")])
        {
            page.switch_to(tab);
            page.choose(name, option);
        }
        let filters = stored(page, "chooser");
        assert!(filters["moves"].is_string() && filters["theme"].is_string(), "{filters}");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn drafts_algorithms_and_boards_of_both_tabs_are_kept() {
    browse(|page| {
        // Drafts: one is kept in each tab, and one is removed.
        page.open(&format!("/edit?board={SMALL}"));
        let first = page.new_tab();
        page.open(&format!("/edit?board={OTHER}"));
        let second = page.current_tab();
        for tab in [&first, &second] {
            page.switch_to(tab);
            page.click("Drafts and packs");
            page.click("Keep this board as a draft");
            page.until_announced("Kept as a draft");
        }
        page.switch_to(&first);
        page.until("both drafts are shown", "return document.querySelectorAll('.drafts li').length === 2");
        page.click("Remove draft 1");
        page.switch_to(&second);
        page.until("one draft is shown", "return document.querySelectorAll('.drafts li').length === 1");
        assert_eq!(stored(page, "drafts"), json!([OTHER]));
        // Each tab still edits its own board after a reload.
        for (tab, board) in [(&first, SMALL), (&second, OTHER)] {
            page.switch_to(tab);
            page.reload();
            page.until_text(".verdict", "Solvable in 2 moves");
            assert_eq!(page.address(), format!("/edit?board={board}"));
        }

        // Algorithms: one is removed in each tab.
        let [first, second] = open_twice(page, &format!("/compare?board={SMALL}"));
        for (tab, algorithm) in [(&first, "bfs"), (&second, "exact")] {
            page.switch_to(tab);
            page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
            page.click(&format!("Remove {algorithm}"));
        }
        let left = stored(page, "lineup");
        let left: Vec<&str> = left.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert!(left.len() == 4 && !left.contains(&"bfs") && !left.contains(&"exact"), "{left:?}");

        // Forge: each tab generates a puzzle.
        let tabs = open_twice(page, "/forge");
        for (tab, seed) in tabs.iter().zip(["7", "8"]) {
            page.switch_to(tab);
            page.fill_form(&[("Moves from", "4"), ("to", "7")]);
            page.choose("Size", "5x5");
            page.fill("Number of puzzles", "1");
            page.click("More options");
            page.fill("Seed", seed);
            page.click("Generate puzzles");
            page.until_text("[role=status]", "1 puzzle found");
        }
        assert_eq!(stored(page, "forge.puzzles").as_array().unwrap().len(), 2);
    });
}
