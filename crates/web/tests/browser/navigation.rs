//! Ways between puzzles and tabs: Next, Previous, the browser's history, titles, and tabs that load late or not at all.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::games::SMALL;
use crate::play::{moves, slide};
use crate::screens::TABS;
use serde_json::json;

/// Waits until a puzzle is shown, with the title of the browser's tab.
fn until_title(page: &Page, puzzle: &str, collection: &str) {
    page.until_text("h1", puzzle);
    let title = format!("{puzzle} · {collection} · clearway");
    page.until_with("the title is set", "return document.title === arguments[0]", &[json!(title)]);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn back_next_and_previous_lead_through_a_collection() {
    browse(|page| {
        page.open("/play?suite=cards");
        until_title(page, "JAM01", "Cards");
        assert!(!page.enabled("Previous"));
        slide(page, "G-3");
        page.until_announced("G left 1. 1 move.");
        page.click("Next");
        until_title(page, "JAM02", "Cards");
        page.press(&["Shift+n"]);
        until_title(page, "JAM03", "Cards");
        // The browser's history has an entry for each puzzle, with its game.
        page.back();
        until_title(page, "JAM02", "Cards");
        page.back();
        until_title(page, "JAM01", "Cards");
        page.until("the move is restored", "return text('dl.stats > div:first-child dd') === '1 / 8'");
        page.forward();
        until_title(page, "JAM02", "Cards");
        page.click("Previous");
        until_title(page, "JAM01", "Cards");
        assert_eq!(moves(page), "1 / 8");
        page.press(&["Shift+n"]);
        until_title(page, "JAM02", "Cards");
        page.press(&["Shift+p"]);
        until_title(page, "JAM01", "Cards");
        // The choice of the same puzzle adds no entry.
        let entries = page.js("return history.length", &[]);
        page.click("Puzzles");
        page.click("JAM01 8 moves");
        page.until("the dialog is closed", "return !document.querySelector('dialog[open]')");
        until_title(page, "JAM01", "Cards");
        assert_eq!(page.js("return history.length", &[]), entries);
        // Of several quick choices, the last one counts.
        page.js("for (let i = 0; i < 3; i++) called('Next')[0].click(); called('Daily')[0].click()", &[]);
        page.until_text(".play-head", "Daily puzzle");
        page.back();
        page.until("it is a card", "return text('.play-head').includes('Cards, ')");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn next_leads_on_from_the_daily_puzzle_and_from_the_end_of_a_collection() {
    browse(|page| {
        page.open("/play?daily=2026-02-03");
        for name in ["Tue, Feb 3, easy", "Tue, Feb 3, medium", "Tue, Feb 3, hard"] {
            until_title(page, name, "Daily puzzle");
            page.click("Next");
        }
        until_title(page, "Wed, Feb 4, easy", "Daily puzzle");
        page.click("Previous");
        until_title(page, "Tue, Feb 3, hard", "Daily puzzle");
        page.click("Previous");
        until_title(page, "Tue, Feb 3, medium", "Daily puzzle");
        page.click("Previous");
        until_title(page, "Tue, Feb 3, easy", "Daily puzzle");
        page.click("Previous");
        until_title(page, "Mon, Feb 2, hard", "Daily puzzle");
        page.open("/play?daily=today");
        for place in ["1 of 3", "2 of 3", "3 of 3"] {
            page.until_text(".play-head", &format!("Daily puzzle, {place}"));
            page.click("Next");
        }
        until_title(page, "JAM01", "Cards");
        // A link from before a day had three puzzles.
        page.open(&format!("/play?board={JAM01}&daily=2026-02-03"));
        until_title(page, "Tue, Feb 3", "Daily puzzle");
        // A suite with a single board.
        page.open("/play?suite=servais");
        until_title(page, "SER200", "Servais");
        assert!(!page.enabled("Previous"));
        page.click("Next");
        until_title(page, "B1", "van Dijk");
        // A board without a collection.
        page.open(&format!("/play?board={SMALL}"));
        until_title(page, "Your puzzle", "Play");
        assert!(!page.enabled("Previous"));
        page.click("Next");
        until_title(page, "JAM01", "Cards");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn switching_tabs_quickly_shows_the_last_one() {
    browse(|page| {
        page.open_board(JAM01);
        let tabs: Vec<&str> = TABS.into_iter().skip(1).chain(["forge", "edit", "play"]).collect();
        page.js(
            "for (const tab of arguments[0]) document.querySelector(`header a[data-tab=${tab}]`).click()",
            &[json!(tabs)],
        );
        page.until_text("dl.stats", "0 / 8");
        page.until(
            "all styles are loaded",
            "return [...document.querySelectorAll('link[data-tab]')].every((link) => link.sheet)",
        );
        let shown = page.js(
            "return [...document.querySelectorAll('main > *')].map((e) => e.className).concat([...document.querySelectorAll('link[data-tab]')].filter((link) => link.media !== 'not all').map((link) => link.dataset.tab))",
            &[],
        );
        assert_eq!(shown, json!(["tab tab-play", "play"]));
        page.back();
        page.until_text(".verdict", "Solvable in 8 moves");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_tab_that_cannot_be_loaded_shows_the_error() {
    browse(|page| {
        page.open_board(JAM01);
        page.devtools("Network.enable", &json!({}));
        for (file, tab, reason) in
            [("forge.js", "Forge", "module"), ("explore.css", "Explore", "its styles could not be loaded")]
        {
            page.expect_message(reason);
            page.devtools("Network.setBlockedURLs", &json!({ "urls": [format!("*{file}")] }));
            page.click(tab);
            page.until_text("[role=alert]", &format!("{tab} could not be opened: "));
            assert!(page.text("[role=alert]").contains(reason), "{}", page.text("[role=alert]"));
            // The other tabs still work, and so does the tab itself once its files can be loaded.
            page.click("Edit");
            page.until_text(".verdict", "Solvable in 8 moves");
            page.back();
            page.until_text("[role=alert]", &format!("{tab} could not be opened: "));
            page.devtools("Network.setBlockedURLs", &json!({ "urls": [] }));
            page.click("Reload");
            page.until_text("h1", tab);
            page.until("the error is gone", "return !document.querySelector('.notice')");
        }
    });
}
