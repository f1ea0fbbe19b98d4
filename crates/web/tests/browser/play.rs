//! Play: a board is played by mouse, finger and keyboard; hints; the solution; what is remembered.

use crate::common::{JAM01, JAM01_SOLUTION, Running, UNSOLVABLE};
use crate::driver::{Page, Pointer, Screen, browse};
use serde_json::json;

/// Focuses the vehicle of a move and slides it with the arrow keys.
fn slide(page: &Page, step: &str) {
    let (label, cells) = step.split_at(1);
    let cells: i64 = cells.parse().unwrap();
    page.js("vehicle(arguments[0]).focus()", &[json!(label)]);
    let horizontal =
        page.js("return vehicle(arguments[0]).getAttribute('aria-orientation')", &[json!(label)]) == "horizontal";
    let key = match (horizontal, cells > 0) {
        (true, true) => "ArrowRight",
        (true, false) => "ArrowLeft",
        (false, true) => "ArrowDown",
        (false, false) => "ArrowUp",
    };
    page.press(&vec![key; cells.unsigned_abs() as usize]);
}

fn moves(page: &Page) -> String {
    page.text("dl.stats > div:first-child dd")
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_car_is_dragged_by_whole_cells_and_stops_at_obstacles() {
    browse(|page| {
        page.open_board(JAM01);
        assert_eq!(moves(page), "0 / 8");
        assert_eq!((page.at("G"), page.seen_at("G")), (5, (4.0, 4.0)));
        // A little more than a cell is a cell.
        page.drag("G", -1.3, Pointer::Mouse);
        page.hears("G left 1. 1 move.");
        assert_eq!((page.at("G"), page.seen_at("G")), (4, (3.0, 4.0)));
        assert_eq!(moves(page), "1 / 8");
        // F stands in the first column: G stops beside it, however far one pulls. Two slides of one car are one move.
        page.drag("G", -9.0, Pointer::Mouse);
        page.hears("G left 2. 1 move.");
        assert_eq!((page.at("G"), page.seen_at("G")), (2, (1.0, 4.0)));
        // A car neither leaves its line nor moves for a jerk.
        page.drag("C", 0.3, Pointer::Mouse);
        assert_eq!((page.at("C"), page.seen_at("C")), (1, (5.0, 0.0)));
        // The board ends.
        page.drag("C", 9.0, Pointer::Mouse);
        page.hears("C down 3. 2 moves.");
        assert_eq!((page.at("C"), page.seen_at("C")), (4, (5.0, 3.0)));
        // Back where it was before: as if it had never moved.
        page.drag("C", -3.0, Pointer::Mouse);
        page.hears("C up 3. 1 move.");
        assert_eq!(moves(page), "1 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_finger_moves_cars_on_a_phone() {
    browse(|page| {
        page.screen(Screen::Phone);
        page.open_board(JAM01);
        page.drag("G", -9.0, Pointer::Finger);
        page.hears("G left 3. 1 move.");
        assert_eq!(page.seen_at("G"), (1.0, 4.0));
        page.drag("C", 3.0, Pointer::Finger);
        page.hears("C down 3. 2 moves.");
        // A tap on a cell that the chosen car can reach moves it there.
        let spot = "
            const at = document.querySelector('.spot[data-cells=\"-2\"] rect').getBoundingClientRect();
            return [at.x + at.width / 2, at.y + at.height / 2]";
        let at = page.js(spot, &[]);
        let at = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        page.pull(at, at, Pointer::Finger);
        page.hears("C up 2. 2 moves.");
        assert_eq!(page.seen_at("C"), (5.0, 1.0));
        page.screenshot("play-finger-phone");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn undo_redo_and_restart() {
    browse(|page| {
        page.open_board(JAM01);
        assert!(!page.enabled("Undo") && !page.enabled("Redo") && !page.enabled("Restart"));
        slide(page, "G-3");
        page.hears("1 move.");
        slide(page, "C+3");
        page.hears("C down 1. 2 moves.");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        page.click("Undo");
        page.hears("Undone: C down 3.");
        assert_eq!((page.at("C"), moves(page)), (1, "1 / 8".to_owned()));
        page.press(&["u"]);
        page.hears("Undone: G left 3.");
        assert_eq!((page.at("G"), moves(page)), (5, "0 / 8".to_owned()));
        page.click("Redo");
        page.hears("Again: G left 3.");
        page.press(&["r"]);
        page.hears("Again: C down 3.");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        assert!(!page.enabled("Redo"));
        // A game goes on after the page was left.
        page.reload();
        page.until("the moves are there again", "return text('dl.stats > div:first-child dd') === '2 / 8'");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        page.click("Restart");
        page.hears("Back at the start.");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (5, 1, "0 / 8".to_owned()));
        // What is blocked says so.
        page.js("vehicle('A').focus()", &[]);
        page.press(&["ArrowRight"]);
        page.hears("A is blocked");
        assert_eq!(moves(page), "0 / 8");
        // With shift a car goes as far as it can.
        page.js("vehicle('G').focus()", &[]);
        page.press(&["Shift+ArrowLeft"]);
        page.hears("G left 3. 1 move.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_card_is_solved_and_remembered() {
    browse(|page| {
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("h1", "JAM01");
        for step in JAM01_SOLUTION.split(' ') {
            slide(page, step);
        }
        page.until_text(".won", "Perfect!");
        page.hears("Perfect! 8 moves in");
        assert!(page.text(".won").contains("Nobody can do it in fewer moves."));
        assert_eq!(page.focused(), "Next");
        page.until_text("dl.stats > div:last-child", "8");
        page.until_text(".play-foot", "1 of 40 solved here, 1 perfect");
        page.until("the card stands still", "return document.querySelector('.won').getAnimations().length === 0");
        page.screenshot("play-won-wide");

        let player = page.js("return JSON.parse(localStorage.getItem('clearway.player'))", &[]);
        let results =
            || page.server.get(&format!("/players/{}/results", player.as_str().unwrap())).ok()["items"].clone();
        Running::until("the server knows", || results()[0].is_object());
        let results = results();
        assert_eq!((&results[0]["board"], &results[0]["best"]["moves"]), (&json!(JAM01), &json!(8)));
        assert_eq!(results[0]["perfect"], true);

        page.reload();
        page.until_text("dl.stats > div:last-child", "8");
        assert_eq!(moves(page), "0 / 8");
        // The browser forgets all but who plays; the server does not.
        page.js("for (const name of ['game', 'results', 'last']) localStorage.removeItem(`clearway.${name}`)", &[]);
        page.reload();
        page.until_text(".play-foot", "1 of 40 solved here, 1 perfect");
        page.click("Next");
        page.until_text("h1", "JAM02");
        assert_ne!(page.address(), format!("/play?board={JAM01}&suite=cards"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn more_moves_than_needed_are_not_perfect() {
    browse(|page| {
        page.open_board(JAM01);
        for step in format!("H-1 G-3 H+1 {JAM01_SOLUTION}").replacen(" G-3 C", " C", 1).split(' ') {
            slide(page, step);
        }
        page.until_text(".won", "Solved!");
        assert!(page.text(".won").contains("It can be done in 8."), "{}", page.text(".won"));
        page.click("Again");
        page.hears("Back at the start.");
        assert_eq!(moves(page), "0 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_hint_shows_the_move_and_why() {
    browse(|page| {
        page.open_board(JAM01);
        page.click("Hint");
        let hint = page.server.post("/hint", &json!({ "board": JAM01 })).ok();
        page.until_text("section.hint", hint["why"].as_str().unwrap());
        page.until_text("section.hint", "8 moves to go");
        let first = hint["move"].as_str().unwrap();
        assert_eq!(page.js("return document.querySelector('.vehicle.pointed')?.dataset.label", &[]), first[..1]);
        assert_eq!(page.js("return document.querySelectorAll('.marks .arrow').length", &[]), 1);
        page.screenshot("play-hint-wide");
        page.click("Make this move");
        page.hears("1 move.");
        page.until("the hint is gone", "return !document.querySelector('section.hint')");
        // The hint is from here, not from the start: the same key asks and moves.
        page.press(&["h"]);
        page.until_text("section.hint", "7 moves to go");
        page.press(&["h"]);
        page.hears("2 moves.");
        for left in ["6", "5", "4", "3", "2", "1"] {
            page.press(&["h"]);
            page.until_text("section.hint", &format!("{left} move"));
            page.press(&["h"]);
        }
        page.until_text(".won", "Perfect!");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_board_that_cannot_be_solved_says_so() {
    browse(|page| {
        page.open(&format!("/play?board={UNSOLVABLE}"));
        page.until_text(".aside", "no solution");
        page.click("Hint");
        page.until_text(".aside .message", "There is no way out");
        page.click("Solve");
        page.until_text(".aside .message", "From here the way out can never be cleared.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_solution_plays_pauses_and_steps() {
    browse(|page| {
        page.open_board(JAM01);
        slide(page, "G-3");
        // It plays when it is told to, so that it can be paused however slow the machine is.
        let clock = "
            window.due = [];
            window.soon = setTimeout;
            window.setTimeout = (work, ms) => (ms < 300 ? soon(work, ms) : 1e9 + due.push(work))";
        page.js(clock, &[]);
        page.click("Solve");
        page.until_text("section.playback", "Solution, 7 moves");
        for made in ["1 / 7", "2 / 7"] {
            page.until("the next move is due", "return due.length === 1");
            page.js("due.pop()()", &[]);
            page.until_text("section.playback", made);
        }
        page.click("Pause");
        page.js("window.setTimeout = soon", &[]);
        let count = "return plain(document.querySelector('section.playback').innerText).match(/(\\d) \\/ 7/)[1]";
        assert_eq!(page.js(count, &[]), "2");
        page.click("Step forward");
        assert_eq!(page.js(count, &[]), "3");
        page.click("Step back");
        page.click("Step back");
        assert_eq!(page.js(count, &[]), "1");
        page.screenshot("play-solution-wide");
        page.click("To the start");
        assert_eq!(page.js(count, &[]), "0");
        page.control("Speed 1 times");
        page.click("Speed 1 times");
        page.click("Speed 2 times");
        page.control("Speed 4 times");
        page.click("Play");
        page.until("it ends", "return text('section.playback').includes('7 / 7')");
        assert!(!page.enabled("Step forward"));
        page.until("the target has left", "return vehicle('A').classList.contains('gone')");
        // One's own game is as it was, and does not count any more.
        page.click("Back to my game");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (2, 1, "1 / 8".to_owned()));
        for step in JAM01_SOLUTION.split(' ').skip(1) {
            slide(page, step);
        }
        page.until_text(".won", "not counted");
    });
}
