//! Every tab on every screen, light and dark: nothing sticks out, everything can be reached. Leaves the screenshots.

use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub const TABS: [&str; 6] = ["play", "edit", "forge", "explore", "compare", "evolve"];

/// Opens a tab with the first card, and waits until it has nothing more to tell.
pub fn open_tab(page: &Page, tab: &str) {
    page.open(&format!("/{}?board={JAM01}", tab.trim_end_matches("-run")));
    match tab {
        "play" => page.until_text("dl.stats", "0 / 8"),
        "edit" => page.until_text(".verdict", "useless"),
        "forge" => {
            page.until("the packs are listed", "return document.querySelector('.packs li') !== null");
            page.js("document.querySelector('.pack-open')?.click()", &[]);
            page.until(
                "the pack is open",
                "return !document.querySelector('.pack-open') || document.querySelector('.puzzle')",
            );
        }
        "explore" => page.until_text("[aria-label='The component']", "1,247"),
        "compare" => {
            page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        }
        "evolve-run" => page.until_text("section[aria-label=Champion]", "Champion"),
        _ => drop(page.until(
            "the runs are listed",
            "return document.querySelector('.runs li') !== null && document.querySelector('.run-stage h2') !== null",
        )),
    }
}

/// Elements that stick out of the window on either side.
const STICKING_OUT: &str = "
    const wide = document.documentElement.clientWidth;
    const scrolls = (e) => { for (let at = e.parentElement; at && at !== document.body; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return true; return false; };
    const out = [...document.querySelectorAll('main *, header *, nav *')].filter((e) => {
      if (!e.checkVisibility() || e.closest('.unseen, .skip, svg *, dialog')) return false;
      const { left, right, width } = e.getBoundingClientRect();
      return width && (left < -1 || right > wide + 1) && !scrolls(e);
    });
    if (document.documentElement.scrollWidth > wide) out.push(document.documentElement);
    return out.map((e) => `${e.tagName}.${e.className}: ${JSON.stringify(e.getBoundingClientRect())}`)";

/// Controls that something covers, or that are too small for a finger.
const OUT_OF_REACH: &str = "
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

/// Whether nothing changes its colour or place any more, all pictures are there, and graphs have the colours of the theme.
pub const STILL: &str = "
    const painted = [...document.querySelectorAll('.graph canvas')].filter(seen).every((canvas) => {
      const card = getComputedStyle(canvas.closest('.graph')).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number);
      const { data, width, height } = pixels(canvas);
      const at = 4 * (width * (height - 3) + 3);
      return card.every((part, i) => Math.abs(part - data[at + i]) < 8);
    });
    return painted && document.getAnimations().every((one) => !(one instanceof CSSTransition)) && [...document.images].every((e) => e.complete)";

fn assert_none(page: &Page, script: &str, what: &str) {
    assert_eq!(page.js(script, &[]), Value::Array(Vec::new()), "{what}");
}

/// Looks at tabs on every screen, light and dark.
pub fn look_at(page: &Page, tabs: &[&str]) {
    for (screen, &tab) in Screen::ALL.into_iter().flat_map(|screen| tabs.iter().map(move |tab| (screen, tab))) {
        page.screen(screen);
        let size = format!("{screen:?}").to_lowercase();
        open_tab(page, tab);
        for theme in ["light", "dark"] {
            page.system(&[("prefers-color-scheme", theme)]);
            page.until("the colours have changed", STILL);
            page.screenshot(&format!("{tab}-{size}-{theme}"));
        }
        assert_none(page, STICKING_OUT, &format!("{tab}, {size}: sticks out"));
        assert_none(page, OUT_OF_REACH, &format!("{tab}, {size}: out of reach"));
    }
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn play_and_edit_fit_every_screen() {
    browse(|page| look_at(page, &["play", "edit"]));
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn forge_and_evolve_fit_every_screen() {
    browse(|page| {
        let cards = page.server.get("/suites/cards").ok();
        let boards: Vec<&Value> =
            cards["boards"].as_array().unwrap().iter().take(12).map(|card| &card["board"]).collect();
        page.server.post("/packs", &json!({ "name": "A dozen cards", "boards": boards })).ok();
        look_at(page, &["forge", "evolve"]);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn explore_and_compare_fit_every_screen() {
    browse(|page| look_at(page, &["explore", "compare"]));
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
            assert_none(page, STICKING_OUT, name);
        };
        // The board and what one plays with are in sight together.
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
        page.until_text("dialog[open]", "the 40 cards");
        let titles = page.text("dialog[open]");
        assert!(titles.contains("IT3105") && titles.contains("van Dijk") && !titles.contains("Vandijk"), "{titles}");
        check("puzzles");
        page.click("Close");
        page.click("Help");
        page.until_text("[popover]:popover-open", "How to play");
        check("help");
        // A board of another shape fits as well.
        page.open("/play?board=16x4:................AA..............................................");
        page.until_text("dl.stats", "0 / 1");
        check("flat-board");
    });
}

#[test]
fn the_whole_page_is_small() {
    fn size(folder: &Path) -> u64 {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        entries
            .map(|entry| {
                if entry.file_type().unwrap().is_dir() { size(&entry.path()) } else { entry.metadata().unwrap().len() }
            })
            .sum()
    }
    let bytes = size(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page")));
    assert!((50_000..300_000).contains(&bytes), "{bytes} bytes");
}
