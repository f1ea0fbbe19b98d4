//! Hints in three levels, and what is in the way of a vehicle.

use crate::common::JAM01;
use crate::driver::{Page, Pointer, Screen, browse};
use crate::play::moves;
use serde_json::json;

/// JAM40, the first move of which has a long chain of reasons.
const LONG: &str = "BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.";

/// Asks for a hint, reads all of it and makes its move, with the keyboard alone. `left` is the number of moves to go before.
pub fn make_hinted_move(page: &Page, left: u32) {
    let moves = if left == 1 { "1 move to go".to_owned() } else { format!("{left} moves to go") };
    page.press(&["Shift+h"]);
    page.until_text("section.hint[data-shown='1']", &moves);
    page.press(&["Shift+h", "Shift+h"]);
    page.until_text("section.hint[data-shown='3']", &moves);
    page.press(&["Shift+h"]);
    page.until("the move is made", "return !document.querySelector('section.hint')");
}

/// Returns the labels of the vehicles with a class.
fn marked(page: &Page, class: &str) -> String {
    let script =
        "return [...document.querySelectorAll(`.vehicle.${arguments[0]}`)].map((e) => e.dataset.label).sort().join('')";
    page.js(script, &[json!(class)]).as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_hint_shows_the_vehicle_then_its_move_then_the_reason() {
    browse(|page| {
        page.open_board(JAM01);
        let arrows = || page.js("return document.querySelectorAll('.marks .arrow').length", &[]);
        let hint = page.server.post("/hint", &json!({ "board": JAM01 })).ok();
        assert_eq!(hint["move"], "G-3");
        page.click("Hint");
        page.until_text("section.hint", "Look at car G.");
        let first = page.text("section.hint");
        assert!(first.contains("8 moves to go") && !first.contains("left"), "{first}");
        assert_eq!((marked(page, "pointed"), marked(page, "chain"), arrows()), ("G".into(), String::new(), json!(0)));
        page.screenshot("play-hint-vehicle-wide");
        page.click("Which way?");
        page.until_announced("Move car G left 3.");
        let second = page.text("section.hint");
        assert!(second.contains("Move car G left 3.") && !second.contains("room"), "{second}");
        assert_eq!(arrows(), 1);
        page.click("Why?");
        page.until_text("section.hint", hint["why"].as_str().unwrap());
        assert_eq!(marked(page, "chain"), "ACG");
        page.screenshot("play-hint-wide");
        // Reading all of it counts as one hint.
        page.until_text(".play-title", "Help used: 1 hint");
        page.click("Make this move");
        page.until_announced("G left 3. 1 move.");
        page.until("the hint is gone", "return !document.querySelector('section.hint')");
        // Hints start from the current position; the same key shows more and makes the move.
        for left in (1..=7).rev() {
            make_hinted_move(page, left);
        }
        page.until_text(".won", "8 moves in");
        assert!(page.text(".won").contains("with 8 hints"), "{}", page.text(".won"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_long_chain_of_reasons_is_folded() {
    browse(|page| {
        page.open_board(LONG);
        let hint = page.server.post("/hint", &json!({ "board": LONG })).ok();
        let reasons = hint["reasons"].as_array().unwrap();
        assert!(reasons.len() > 5, "{reasons:#?}");
        for level in ["1", "2", "3"] {
            page.press(&["Shift+h"]);
            page.until_text(&format!("section.hint[data-shown='{level}']"), "to go");
        }
        let seen = "return [...document.querySelectorAll('.reasons li')].filter(seen).map((e) => plain(e.textContent))";
        let links = page.js(seen, &[]);
        assert_eq!(links.as_array().unwrap().len(), 3, "{links:#?}");
        for (link, reason) in links.as_array().unwrap().iter().zip(&reasons[1..]) {
            assert!(link.as_str().unwrap().ends_with(reason["because"].as_str().unwrap()), "{link} {reason}");
        }
        page.screenshot("play-hint-long-wide");
        page.click(&format!("{} more steps to the exit", reasons.len() - 4));
        assert_eq!(page.js(seen, &[]).as_array().unwrap().len(), reasons.len() - 1);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_blocked_vehicle_names_and_highlights_the_blocker() {
    browse(|page| {
        page.open_board(JAM01);
        // The message goes away when the test has seen it, however long that takes.
        page.js(
            "const set = window.setTimeout; window.due = [];
            window.setTimeout = (act, ms, ...rest) => (ms === 2500 ? void due.push(act) : set(act, ms, ...rest))",
            &[],
        );
        page.press(&["a", "ArrowRight"]);
        page.until_announced("Car A is blocked by truck E.");
        assert_eq!(
            (page.text(".blocked"), marked(page, "blocker")),
            ("Car A is blocked by truck E.".into(), "E".into())
        );
        page.screenshot("play-blocked-wide");
        page.press(&["c", "ArrowUp"]);
        page.until_announced("Truck C is blocked by the edge.");
        assert_eq!(marked(page, "blocker"), "");
        assert_eq!(moves(page), "0 / 8");
        // The message goes away by itself, and with the next move.
        assert_eq!(page.text(".blocked"), "Truck C is blocked by the edge.");
        page.js("due.splice(0).at(-1)()", &[]);
        assert_eq!(page.text(".blocked"), "");
        page.press(&["a", "ArrowLeft"]);
        page.until_announced("Car A is blocked by truck D.");
        page.press(&["g", "ArrowLeft"]);
        page.until_announced("G left 1. 1 move.");
        assert_eq!((page.text(".blocked"), marked(page, "blocker")), (String::new(), String::new()));
        // The same by touch.
        page.screen(Screen::Phone);
        page.drag("A", 1.0, Pointer::Finger);
        page.until_announced("Car A is blocked by truck E.");
        page.screenshot("play-blocked-phone");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_wall_is_named_as_the_blocker() {
    browse(|page| {
        page.open_board("BBx.........AA......................");
        page.press(&["b", "ArrowRight"]);
        page.until_announced("Car B is blocked by a wall.");
    });
}
