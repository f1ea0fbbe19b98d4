//! Printing any tab from the browser: the board and what is known about it, without controls.

use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use crate::screens::open_tab;
use serde_json::json;

/// Script that returns what paper cannot use: visible controls, and contents in a box that scrolls. The moves of a solution are
/// buttons, and a puzzle is a link.
const USELESS: &str = "
    const buttons = controls().filter((e) => e.matches('button:not(.solution-moves *), .button, select, input, textarea')).map(name);
    const boxes = [...document.querySelectorAll('main *')].filter((e) => seen(e) && e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY === 'auto' && !e.matches('.unseen'));
    return [...buttons, ...boxes.map((e) => e.className)]";

/// Shows the page as it would be printed, takes a screenshot, and returns what paper cannot use.
fn printed(page: &Page, name: &str) -> serde_json::Value {
    // The width of a sheet of paper.
    page.screen(Screen::Tablet);
    page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    page.screenshot(&format!("printed-{name}"));
    let useless = page.js(USELESS, &[]);
    page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "" }));
    page.screen(Screen::Wide);
    useless
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn play_is_printed_with_the_whole_solution() {
    browse(|page| {
        // A board that is new to the player offers the tutorial.
        page.open_board(JAM01);
        page.until_text(".aside", "Tutorial");
        assert_eq!(printed(page, "play"), json!([]));
        // JAM40 has a solution that does not fit into its box on the screen.
        page.open_board("BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.");
        page.click("Solve");
        page.until_text("section.playback", "Solution, ");
        page.click("Pause");
        let scrolls = "const { scrollHeight, clientHeight } = document.querySelector('.solution-moves'); return scrollHeight > clientHeight";
        assert_eq!(page.js(scrolls, &[]), true);
        assert_eq!(printed(page, "solution"), json!([]));
        // Board and text are dark on white, whatever the theme.
        let dark = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print", "features": dark }));
        for part in [".stage", ".play-title", "section.playback"] {
            page.until_shades(part, "dark on white", |[darkest, mean, brightest]| {
                mean > 150.0 && darkest < 110.0 && brightest > 250.0
            });
        }
        page.screenshot("printed-solution-dark");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn edit_is_printed_without_its_tools() {
    browse(|page| {
        open_tab(page, "edit");
        assert_eq!(printed(page, "edit"), json!([]));
        let dark = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print", "features": dark }));
        assert!(page.text(".verdict").contains("Solvable in 8 moves"));
        // The text of the verdict is dark on white, whatever the theme.
        page.until_shades(".verdict", "dark on white", |[darkest, mean, _]| mean > 220.0 && darkest < 80.0);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn forge_is_printed_as_its_puzzles() {
    browse(|page| {
        page.server.post("/packs", &json!({ "name": "Two", "boards": [JAM01, "....AA.B...B...."] })).ok();
        open_tab(page, "forge");
        assert_eq!(printed(page, "forge"), json!([]));
        page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
        assert_eq!(page.js("return [...document.querySelectorAll('.puzzle')].filter(seen).length", &[]), 2);
    });
}
