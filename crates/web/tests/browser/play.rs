//! Play: boards are played by mouse, touch and keyboard; hints; solutions; stored results.

use crate::common::{JAM01, JAM01_SOLUTION, TestServer, UNSOLVABLE};
use crate::driver::{Page, Pointer, Screen, browse};
use serde_json::{Value, json};

/// Makes a move with the arrow keys.
pub fn slide(page: &Page, step: &str) {
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

/// Makes several moves, separated by spaces.
pub fn slide_all(page: &Page, steps: &str) {
    steps.split(' ').for_each(|step| slide(page, step));
}

/// Returns the number of moves as shown: `2 / 8`.
pub fn moves(page: &Page) -> String {
    page.text("dl.stats > div:first-child dd")
}

/// Returns the results of this browser on the server.
pub fn server_results(page: &Page) -> Value {
    let player = page.js("return JSON.parse(localStorage.getItem('clearway.player'))", &[]);
    page.server.get(&format!("/players/{}/results", player.as_str().unwrap())).ok()["items"].clone()
}

/// Drags a vehicle by a number of cells along its row in a time in milliseconds, and releases it at once. The
/// events carry their times, so that a busy machine does not change them.
fn flick(page: &Page, label: &str, cells: f64, time: f64, pointer: Pointer) {
    let script = "
        const car = vehicle(arguments[0]);
        if (car.getAnimations().length) return false;
        const { x, y, width, height } = car.querySelector('.ring').getBoundingClientRect();
        return [x + width / 2, y + height / 2, 64 * car.ownerSVGElement.getScreenCTM().a, Date.now() / 1000]";
    let place = page.until_with("the vehicle has stopped moving", script, &[json!(label)]);
    let [x, y, cell, now] = [0, 1, 2, 3].map(|i| place[i].as_f64().unwrap());
    let send = |kind: [&str; 2], part: f64| {
        let (x, timestamp) = (x + part * cells * cell, now + part * time / 1000.0);
        match pointer {
            Pointer::Mouse => page.devtools(
                "Input.dispatchMouseEvent",
                &json!({ "type": kind[0], "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1, "timestamp": timestamp }),
            ),
            Pointer::Finger => {
                let points = if kind[1] == "touchEnd" { json!([]) } else { json!([{ "x": x, "y": y }]) };
                page.devtools(
                    "Input.dispatchTouchEvent",
                    &json!({ "type": kind[1], "touchPoints": points, "timestamp": timestamp }),
                )
            }
        };
    };
    send(["mousePressed", "touchStart"], 0.0);
    (1..=4).for_each(|step| send(["mouseMoved", "touchMove"], f64::from(step) / 4.0));
    send(["mouseReleased", "touchEnd"], 1.0);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_car_is_dragged_by_whole_cells_and_stops_at_obstacles() {
    browse(|page| {
        page.open_board(JAM01);
        assert_eq!(moves(page), "0 / 8");
        assert_eq!((page.at("G"), page.seen_at("G")), (5, (4.0, 4.0)));
        // The drag is rounded to whole cells.
        page.drag("G", -1.3, Pointer::Mouse);
        page.until_announced("G left 1. 1 move.");
        assert_eq!((page.at("G"), page.seen_at("G")), (4, (3.0, 4.0)));
        assert_eq!(moves(page), "1 / 8");
        // F is in the first column: G stops beside it, however far it is dragged. Two slides of one car are one move.
        page.drag("G", -9.0, Pointer::Mouse);
        page.until_announced("G left 2. 1 move.");
        assert_eq!((page.at("G"), page.seen_at("G")), (2, (1.0, 4.0)));
        // A drag of less than half a cell does not move a car.
        page.drag("C", 0.3, Pointer::Mouse);
        assert_eq!((page.at("C"), page.seen_at("C")), (1, (5.0, 0.0)));
        // The edge of the board stops a car.
        page.drag("C", 9.0, Pointer::Mouse);
        page.until_announced("C down 3. 2 moves.");
        assert_eq!((page.at("C"), page.seen_at("C")), (4, (5.0, 3.0)));
        // Moving it back cancels the move.
        page.drag("C", -3.0, Pointer::Mouse);
        page.until_announced("C up 3. 1 move.");
        assert_eq!(moves(page), "1 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn cars_are_moved_by_touch_on_a_phone() {
    browse(|page| {
        page.screen(Screen::Phone);
        page.open_board(JAM01);
        page.drag("G", -9.0, Pointer::Finger);
        page.until_announced("G left 3. 1 move.");
        assert_eq!(page.seen_at("G"), (1.0, 4.0));
        page.drag("C", 3.0, Pointer::Finger);
        page.until_announced("C down 3. 2 moves.");
        // A tap on a cell that the selected car can reach moves it there.
        let spot = "
            const at = document.querySelector('.spot[data-cells=\"-2\"] rect').getBoundingClientRect();
            return [at.x + at.width / 2, at.y + at.height / 2]";
        let at = page.js(spot, &[]);
        let at = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        page.drag_between(at, at, Pointer::Finger);
        page.until_announced("C up 2. 2 moves.");
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
        page.until_announced("1 move.");
        slide(page, "C+3");
        page.until_announced("C down 1. 2 moves.");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        page.click("Undo");
        page.until_announced("Undone: C down 3.");
        assert_eq!((page.at("C"), moves(page)), (1, "1 / 8".to_owned()));
        page.press(&["Shift+u"]);
        page.until_announced("Undone: G left 3.");
        assert_eq!((page.at("G"), moves(page)), (5, "0 / 8".to_owned()));
        page.click("Redo");
        page.until_announced("Redone: G left 3.");
        page.press(&["Shift+r"]);
        page.until_announced("Redone: C down 3.");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        assert!(!page.enabled("Redo"));
        // A game continues after a reload.
        page.reload();
        page.until("the moves are restored", "return text('dl.stats > div:first-child dd') === '2 / 8'");
        assert_eq!((page.at("G"), page.at("C")), (2, 4));
        page.click("Restart");
        page.until_announced("Back at the start.");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (5, 1, "0 / 8".to_owned()));
        // A restart can be undone, also after other moves and a reload.
        page.press(&["Shift+u"]);
        page.until_announced("Restart undone. 2 moves.");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (2, 4, "2 / 8".to_owned()));
        page.click("Restart");
        slide(page, "H-1");
        page.until_announced("H left 1. 1 move.");
        page.reload();
        page.until("the move is restored", "return text('dl.stats > div:first-child dd') === '1 / 8'");
        page.click("Undo");
        page.until_announced("Undone: H left 1.");
        page.click("Undo");
        page.until_announced("Restart undone. 2 moves.");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (2, 4, "2 / 8".to_owned()));
        page.click("Restart");
        page.until_announced("Back at the start.");
        // With Shift a car moves as far as possible.
        page.js("vehicle('G').focus()", &[]);
        page.press(&["Shift+ArrowLeft"]);
        page.until_announced("G left 3. 1 move.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_card_is_solved_and_remembered() {
    browse(|page| {
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("h1", "JAM01");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Perfect!");
        page.until_announced("Perfect! 8 moves in");
        assert!(page.text(".won").contains("It cannot be solved in fewer moves."));
        assert_eq!(page.focused(), "Next");
        page.until_text("dl.stats > div:last-child", "8");
        page.until_text(".play-foot", "1 of 40 solved, 1 perfect");
        page.until("the card has stopped moving", "return document.querySelector('.won').getAnimations().length === 0");
        page.screenshot("play-won-wide");

        TestServer::wait_until("the server knows", || server_results(page)[0].is_object());
        let results = server_results(page);
        assert_eq!((&results[0]["board"], &results[0]["best"]["moves"]), (&json!(JAM01), &json!(8)));
        assert_eq!(results[0]["perfect"], true);

        page.reload();
        page.until_text("dl.stats > div:last-child", "8");
        assert_eq!(moves(page), "0 / 8");
        // Without local results, the server restores them.
        page.js(
            "for (const key of Object.keys(localStorage)) if (key !== 'clearway.player') localStorage.removeItem(key)",
            &[],
        );
        page.reload();
        page.until_text(".play-foot", "1 of 40 solved, 1 perfect");
        page.click("Next");
        page.until_text("h1", "JAM02");
        assert_ne!(page.address(), format!("/play?board={JAM01}&suite=cards"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_longer_solution_is_not_perfect() {
    browse(|page| {
        page.open_board(JAM01);
        for step in format!("H-1 G-3 H+1 {JAM01_SOLUTION}").replacen(" G-3 C", " C", 1).split(' ') {
            slide(page, step);
        }
        page.until_text(".won", "Solved!");
        assert!(page.text(".won").contains("It can be solved in 8."), "{}", page.text(".won"));
        page.click("Play again");
        page.until_announced("Back at the start.");
        assert_eq!(moves(page), "0 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_game_with_hints_is_not_perfect() {
    browse(|page| {
        page.open_board(JAM01);
        page.click("Hint");
        page.until_text("section.hint", "8 moves to go");
        page.click("Which way?");
        page.click("Make this move");
        page.until_announced("1 move.");
        assert_eq!(page.focused(), "Hint");
        page.until_text(".play-title", "Help used: 1 hint");
        // The count is stored, and a restart does not reset it.
        page.reload();
        page.until_text(".play-title", "Help used: 1 hint");
        page.press(&["Shift+h"]);
        page.until_text("section.hint", "7 moves to go");
        page.click("Close the hint");
        page.until_text(".play-title", "Help used: 2 hints");
        page.click("Restart");
        page.reload();
        page.until_text(".play-title", "Help used: 2 hints");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Solved!");
        let card = page.text(".won");
        assert!(card.contains("with 2 hints") && card.contains("without hints it would be perfect"), "{card}");
        page.until_announced("with 2 hints");
        page.until_text(".play-foot", "1 puzzle solved, 0 perfect");
        assert_eq!(page.text("dl.stats > div:last-child dd"), "8 with 2 hints");
        page.screenshot("play-won-with-hints-wide");
        // Games with help stay in the browser.
        assert_eq!(server_results(page), json!([]));
        // A new game is counted on its own.
        page.click("Play again");
        page.until_announced("Back at the start.");
        assert!(!page.text(".play-title").contains("Help used") && !page.enabled("Undo"));
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Perfect!");
        page.until_text(".play-foot", "1 puzzle solved, 1 perfect");
        TestServer::wait_until("the server knows", || server_results(page)[0]["perfect"] == true);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_quick_flick_does_not_overshoot() {
    browse(|page| {
        for (pointer, screen) in [(Pointer::Mouse, Screen::Wide), (Pointer::Finger, Screen::Phone)] {
            page.screen(screen);
            page.open_board(JAM01);
            // G can move three cells to the left.
            flick(page, "G", -1.0, 60.0, pointer);
            page.until_announced("G left 1. 1 move.");
            flick(page, "G", -1.1, 30.0, pointer);
            page.until("it has moved", "return vehicle('G').getAttribute('aria-valuenow') === '3'");
            // A flick completes the cell that it has begun.
            flick(page, "G", 0.3, 30.0, pointer);
            page.until_announced("G right 1. 1 move.");
            assert_eq!((page.at("G"), page.seen_at("G")), (4, (3.0, 4.0)));
            page.js("localStorage.clear()", &[]);
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn an_unsolvable_board_is_reported() {
    browse(|page| {
        page.open(&format!("/play?board={UNSOLVABLE}"));
        page.until_text(".aside", "no solution");
        let messages = [
            ("Hint", "This board has no solution."),
            ("Solve", "No solution from here: the exit can never be reached."),
        ];
        for (control, message) in messages {
            page.click(control);
            page.until_text(".aside .message", message);
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_solution_plays_pauses_and_steps() {
    browse(|page| {
        page.open_board(JAM01);
        slide(page, "G-3");
        // The test controls the timers, so that the playback can be paused on any machine.
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
        page.click("Go to the start");
        assert_eq!(page.js(count, &[]), "0");
        page.control("Speed: 1×");
        page.click("Speed: 1×");
        page.click("Speed: 2×");
        page.control("Speed: 4×");
        page.click("Play");
        page.until("it ends", "return text('section.playback').includes('7 / 7')");
        assert!(!page.enabled("Step forward"));
        page.until("the target has left", "return vehicle('A').classList.contains('gone')");
        // The player's game is restored, but no longer counts.
        page.click("Back to my game");
        assert_eq!((page.at("G"), page.at("C"), moves(page)), (2, 1, "1 / 8".to_owned()));
        // That holds after a reload, too.
        page.until_text(".play-title", "Help used: the solution");
        page.reload();
        page.until_text(".play-title", "Help used: the solution");
        for step in JAM01_SOLUTION.split(' ').skip(1) {
            slide(page, step);
        }
        page.until_text(".won", "with the solution");
        assert!(page.text(".won").contains("does not count"));
        page.until_text(".play-foot", "0 puzzles solved, 0 perfect");
    });
}
