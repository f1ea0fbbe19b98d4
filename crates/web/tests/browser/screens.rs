//! Every tab on every screen size, in both themes: no overflow, and every control is reachable. Saves the screenshots.

use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use crate::results::seed_results;
use serde_json::{Value, json};

pub const TABS: [&str; 7] = ["play", "edit", "forge", "explore", "compare", "evolve", "results"];

/// Opens a tab with the first card, and waits until it is complete.
pub fn open_tab(page: &Page, tab: &str) {
    page.open(&format!("/{}?board={JAM01}", tab.trim_end_matches("-run")));
    match tab {
        "play" => page.until_text("dl.stats", "0 / 8"),
        "edit" => page.until_text(".verdict", "Every vehicle is needed"),
        "forge" => {
            page.until("the packs are listed", "return document.querySelector('.packs li') !== null");
            page.js("document.querySelector('.pack-open')?.click()", &[]);
            page.until(
                "the pack is open",
                "return !document.querySelector('.pack-open') || document.querySelector('.puzzle')",
            );
        }
        "explore" => page.until_text("[aria-label='All states']", "1,247"),
        "compare" => {
            page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        }
        "results" => {
            seed_results(page);
            page.reload();
            page.until_text(".fact-row", "2 puzzles solved");
        }
        "evolve-run" => page.until_text("section[aria-label=Champion]", "Champion"),
        _ => drop(page.until(
            "the runs are listed",
            "return document.querySelector('.runs li') !== null && document.querySelector('.run-stage h2') !== null",
        )),
    }
}

/// Script that finds elements that overflow the window horizontally.
pub const OVERFLOWING: &str = "
    const wide = document.documentElement.clientWidth;
    const scrolls = (e) => { for (let at = e.parentElement; at && at !== document.body; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return true; return false; };
    const out = [...document.querySelectorAll('main *, header *, nav *')].filter((e) => {
      if (!e.checkVisibility() || e.closest('.unseen, .skip, svg *, dialog')) return false;
      const { left, right, width } = e.getBoundingClientRect();
      return width && (left < -1 || right > wide + 1) && !scrolls(e);
    });
    if (document.documentElement.scrollWidth > wide) out.push(document.documentElement);
    return out.map((e) => `${e.tagName}.${e.className}: ${JSON.stringify(e.getBoundingClientRect())}`)";

/// Script that finds controls that are covered, or too small for touch.
const UNREACHABLE: &str = "
    const wrong = [];
    for (const e of controls()) {
      if (e.closest('.unseen, .skip') || e.matches('.unseen, .skip') || e.disabled) continue;
      e.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const target = e.matches('[role=slider]') ? e.querySelector('.ring') : e;
      const { left, top, width, height } = target.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!at || !(e.contains(at) || at.contains(e) || e.labels?.[0]?.contains(at))) wrong.push(`${name(e)} is covered by ${at?.outerHTML.slice(0, 80)}`);
      if (Math.min(width, height) < 20 && !e.labels?.length) wrong.push(`${name(e)} is only ${width} x ${height}`);
    }
    scrollTo(0, 0);
    return wrong";

/// Script that checks that all transitions have ended, all pictures are loaded, and graphs have the colours of the theme.
pub const STILL: &str = "
    const painted = [...document.querySelectorAll('.graph canvas')].filter(seen).every((canvas) => {
      const card = getComputedStyle(canvas.closest('.graph')).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number);
      const { data, width, height } = pixels(canvas);
      const at = 4 * (width * (height - 3) + 3);
      return card.every((part, i) => Math.abs(part - data[at + i]) < 8);
    });
    return painted && document.getAnimations().every((one) => !(one instanceof CSSTransition)) && [...document.images].every((e) => e.complete)";

pub fn assert_none(page: &Page, script: &str, what: &str) {
    assert_eq!(page.js(script, &[]), Value::Array(Vec::new()), "{what}");
}

/// Checks tabs on every screen size and in both themes.
pub fn check_screens(page: &Page, tabs: &[&str]) {
    for (screen, &tab) in Screen::ALL.into_iter().flat_map(|screen| tabs.iter().map(move |tab| (screen, tab))) {
        page.screen(screen);
        let size = format!("{screen:?}").to_lowercase();
        open_tab(page, tab);
        for theme in ["light", "dark"] {
            page.emulate_media(&[("prefers-color-scheme", theme)]);
            page.until("the colours have changed", STILL);
            page.screenshot(&format!("{tab}-{size}-{theme}"));
        }
        assert_none(page, OVERFLOWING, &format!("{tab}, {size}: overflow"));
        assert_none(page, UNREACHABLE, &format!("{tab}, {size}: unreachable"));
    }
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn play_edit_and_results_fit_every_screen() {
    browse(|page| check_screens(page, &["play", "edit", "results"]));
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn forge_and_evolve_fit_every_screen() {
    browse(|page| {
        let cards = page.server.get("/suites/cards").ok();
        let boards: Vec<&Value> =
            cards["boards"].as_array().unwrap().iter().take(12).map(|card| &card["board"]).collect();
        page.server.post("/packs", &json!({ "name": "A dozen cards", "boards": boards })).ok();
        check_screens(page, &["forge", "evolve"]);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn explore_and_compare_fit_every_screen() {
    browse(|page| check_screens(page, &["explore", "compare"]));
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_phone_shows_hints_solutions_and_puzzles_without_scrolling_sideways() {
    browse(|page| {
        page.screen(Screen::Phone);
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("dl.stats", "0 / 8");
        let check = |name: &str| {
            page.screenshot(&format!("play-{name}-phone"));
            assert_none(page, OVERFLOWING, name);
        };
        // The board and the buttons are visible together.
        let seen = page.js("return called('Hint')[0].getBoundingClientRect().bottom <= document.querySelector('nav').getBoundingClientRect().top", &[]);
        assert_eq!(seen, true);
        page.click("Hint");
        page.until_text("section.hint", "8 moves to go");
        check("hint");
        page.click("Close the hint");
        page.click("Solve");
        page.until_text("section.playback", "Solution, 8 moves");
        page.click("Pause");
        check("solution");
        page.click("Back to my game");
        page.click("Puzzles");
        page.until(
            "the cards are shown",
            "return document.querySelectorAll('dialog[open] .gallery svg.board').length > 3",
        );
        check("cards");
        page.click("All puzzles");
        page.until_text("dialog[open]", "The 40 cards");
        let titles = page.text("dialog[open]");
        assert!(titles.contains("IT3105") && titles.contains("van Dijk") && !titles.contains("Vandijk"), "{titles}");
        check("puzzles");
        page.click("Close");
        page.click("Help");
        page.until_text("[popover]:popover-open", "How to play");
        check("help");
        // A board of another shape fits too.
        page.open("/play?board=16x4:................AA..............................................");
        page.until_text("dl.stats", "0 / 1");
        check("flat-board");
    });
}
