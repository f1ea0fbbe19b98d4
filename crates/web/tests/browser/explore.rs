//! Explore: the graph of a component, with mouse and keyboard.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::screens::STILL;
use serde_json::json;

/// Whether enough pixels of the canvas are painted, in enough colours.
const PAINTED: &str = "
    const canvas = document.querySelector('.graph canvas');
    const { data } = pixels(canvas);
    const colours = new Set();
    let painted = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100) { painted++; colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]); }
    return painted > 5000 && colours.size > 50";

/// The centre of the red dot, which marks the start.
const START: &str = "
    const canvas = document.querySelector('.graph canvas');
    const { data, width } = pixels(canvas);
    let [x, y, n] = [0, 0, 0];
    for (let i = 0; i < data.length / 4; i++) {
      if (Math.abs(data[4 * i] - 0xc6) + Math.abs(data[4 * i + 1] - 0x2f) + Math.abs(data[4 * i + 2] - 0x35) < 6) [x, y, n] = [x + i % width, y + Math.floor(i / width), n + 1];
    }
    const { left, top } = canvas.getBoundingClientRect();
    return n > 20 && [left + x / n / devicePixelRatio, top + y / n / devicePixelRatio]";

fn state(page: &Page) -> String {
    page.text(".state-panel")
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_component_is_drawn_with_its_statistics() {
    browse(|page| {
        page.open(&format!("/explore?board={JAM01}"));
        page.until_text("[aria-label='All states']", "1,247 states");
        let facts = page.server.post("/analyze", &json!({ "board": JAM01 })).ok();
        assert_eq!(facts["states"], 1_247);
        assert!(
            page.text("[aria-label='All states']").contains("8 moves to solve"),
            "{}",
            page.text("[aria-label='All states']")
        );
        assert!(
            page.text("[aria-label='All states']").contains(&format!("{} goals", facts["goals"])),
            "{} {facts}",
            page.text("[aria-label='All states']")
        );
        page.until("the graph is painted", PAINTED);
        page.click("As text");
        page.until_text(".words", "1,247 states can be reached");
        assert!(page.text(".words").contains("A shortest solution: "));
        // The metric changes the graph, and is part of the URL.
        page.click("steps");
        page.until_text("[aria-label='All states']", "16 steps to solve");
        assert_eq!(page.address(), format!("/explore?board={JAM01}&metric=steps"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_axis_changes_theme_before_the_picture() {
    browse(|page| {
        page.emulate_media(&[("prefers-color-scheme", "light")]);
        page.open(&format!("/explore?board={JAM01}"));
        page.until("the graph is painted", PAINTED);
        page.until("it is light", STILL);
        // The drawing worker receives no more requests.
        page.js("Worker.prototype.postMessage = () => {}", &[]);
        page.emulate_media(&[("prefers-color-scheme", "dark")]);
        page.until("the axis is dark", STILL);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn states_are_selected_by_keyboard_and_mouse() {
    browse(|page| {
        page.open(&format!("/explore?board={JAM01}"));
        page.until_text(".state-panel", "8 moves to the exit");
        assert!(state(page).contains("the start"));
        page.until("the graph is painted", PAINTED);
        page.js("document.querySelector('.graph canvas').focus()", &[]);
        page.press(&["ArrowLeft"]);
        page.until_text(".state-panel", "7 moves to the exit");
        assert!(state(page).contains("on the shortest solution"));
        page.until_announced("7 moves to the exit");
        page.press(&["ArrowRight"]);
        page.until_text(".state-panel", "8 moves to the exit");
        for left in (1..8).rev() {
            page.press(&["ArrowLeft"]);
            page.until_text(".state-panel", &format!("{left} move"));
        }
        page.press(&["ArrowLeft"]);
        page.until_text(".state-panel", "At the exit");
        let target = "return document.querySelector('.state-panel .vehicle.target').style.transform";
        assert_eq!(page.js(target, &[]), format!("translate({}px, {}px)", 26 + 4 * 64, 26 + 2 * 64));
        page.press(&["ArrowDown"]);
        page.until_text(".state-panel", "At the exit");
        page.screenshot("explore-goal-wide");

        let start = page.until("the start is drawn", START);
        page.click_at(start[0].as_f64().unwrap(), start[1].as_f64().unwrap());
        page.until_text(".state-panel", "8 moves to the exit");
        assert!(state(page).contains("the start"), "{}", state(page));

        // Select a move that leads closer, then play from there.
        page.js("document.querySelector('.moves-from .chip').click()", &[]);
        page.until_text(".state-panel", "7 moves to the exit");
        page.click("Play from here");
        page.until_text("dl.stats", "0 / 7");
        assert!(page.address().starts_with("/play?board="));
    });
}
