//! Zoom, large screens, and the focus, which is never lost.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::screens::{OVERFLOWING, TABS, assert_none, open_tab};
use serde_json::json;

/// Sets the size of the window in CSS pixels.
pub fn resize(page: &Page, width: u32, height: u32) {
    let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    page.devtools("Emulation.setDeviceMetricsOverride", &metrics);
}

/// Script that finds what is wider than the open dialog, or the dialog if it is wider than the window.
const WIDE_IN_DIALOG: &str = "
    const dialog = document.querySelector('dialog[open]'), body = dialog.querySelector('.dialog-body');
    const end = body.getBoundingClientRect().left + body.clientWidth;
    const scrolls = (e) => { for (let at = e.parentElement; at !== body; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return true; return false; };
    const out = [...body.querySelectorAll('*')].filter((e) => e.checkVisibility() && !e.closest('svg *') && !scrolls(e) && e.getBoundingClientRect().right > end + 1);
    const { left, right } = dialog.getBoundingClientRect();
    if (left < 0 || right > innerWidth) out.push(dialog);
    return out.map((e) => `${e.tagName}.${e.className}: ${e.getBoundingClientRect().right} of ${end}`)";

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn nothing_overflows_when_zoomed_in() {
    browse(|page| {
        // A window of 1280 x 800 at 200 % and at 400 %.
        for (width, height) in [(640, 400), (320, 200)] {
            resize(page, width, height);
            for tab in TABS {
                open_tab(page, tab);
                assert_none(page, OVERFLOWING, &format!("{tab}, {width} pixels wide"));
            }
            page.open_board(JAM01);
            page.press(&["Shift+h"]);
            page.until_text("section.hint", "8 moves to go");
            page.press(&["a", "ArrowRight"]);
            page.until_announced("Car A is blocked by truck E.");
            assert_none(page, OVERFLOWING, "a blocked vehicle");
            page.screenshot(&format!("play-zoomed-{width}"));
            // The choice of puzzles, in its own box.
            page.click("Puzzles");
            page.until_text("dialog[open]", "Hard 8x8");
            assert_none(page, WIDE_IN_DIALOG, &format!("the choice of puzzles, {width} pixels wide"));
            page.screenshot(&format!("chooser-zoomed-{width}"));
            page.open("/docs/playing");
            page.until_text(".book h1", "The web interface");
            assert_none(page, OVERFLOWING, &format!("a chapter, {width} pixels wide"));
        }
        // The tabs are in the bar at the top from this width on.
        resize(page, 880, 700);
        assert_none(page, OVERFLOWING, "the narrowest bar with tabs");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_board_and_the_text_grow_on_a_4k_screen() {
    browse(|page| {
        page.open_board(JAM01);
        let sizes = || {
            let script = "
                const { width, height } = document.querySelector('.board').getBoundingClientRect();
                return [Math.min(width, height), parseFloat(getComputedStyle(document.body).fontSize)]";
            let sizes = page.js(script, &[]);
            [0, 1].map(|i| sizes[i].as_f64().unwrap())
        };
        resize(page, 1280, 800);
        let [board, text] = sizes();
        resize(page, 3840, 2160);
        let [large_board, large_text] = sizes();
        assert!(large_board > 2.5 * board && large_board < 2160.0, "{board} {large_board}");
        assert!(large_text > 1.4 * text, "{text} {large_text}");
        page.screenshot("play-4k");
        let visible = "return called('Next')[0].getBoundingClientRect().bottom <= innerHeight";
        assert_eq!(page.js(visible, &[]), true);
        open_tab(page, "edit");
        assert!(sizes()[0] > 2.0 * board);
    });
}

/// Sets the focus to the control with a name and presses Enter.
fn enter(page: &Page, name: &str) {
    page.control(name);
    page.js("called(arguments[0])[0].focus()", &[json!(name)]);
    page.press(&["Enter"]);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_focus_stays_near_when_its_control_disappears() {
    browse(|page| {
        let until_focused = |part: &str| {
            let script = "return document.activeElement !== document.body && name(document.activeElement).startsWith(arguments[0])";
            page.until_with(&format!("{part:?} has the focus"), script, &[json!(part)]);
        };
        // The actions for a vehicle in Edit are redrawn after each change.
        open_tab(page, "edit");
        page.js("document.querySelector('.board').focus()", &[]);
        let keys = ["ArrowDown", "ArrowRight"].map(|key| [key; 4]).concat();
        page.press(&[&keys[..], &["Enter"]].concat());
        page.until_text(".inspector", "car G");
        enter(page, "Longer");
        until_focused("Longer");
        page.until_text(".inspector", "truck G");
        enter(page, "Undo");
        // Nothing is left to undo: the button is disabled.
        until_focused("Redo");
        // Removing an algorithm from Compare leads to the next one.
        open_tab(page, "compare");
        enter(page, "Remove astar(blockers)");
        until_focused("Remove astar(max(");
        // So do the moves from a state in Explore.
        open_tab(page, "explore");
        let chip = "return [...document.querySelectorAll('.moves-from .chip')].map(name)[0]";
        let first = page.until("the moves are listed", chip);
        enter(page, first.as_str().unwrap());
        page.until("other moves are listed", &format!("return ({{ now: (() => {{ {chip} }})() }}).now !== {first}"));
        let inside = "return document.activeElement.closest('.moves-from') !== null";
        page.until("a move has the focus", inside);
        // Another tab that is opened by a button gets the focus.
        enter(page, "Play from here");
        page.until("the tab has the focus", "return document.activeElement.id === 'main'");
    });
}
