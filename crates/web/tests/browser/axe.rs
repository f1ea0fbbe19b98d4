//! Accessibility, checked by axe-core in every tab and its states, in both themes, on a desktop and on a phone.

use crate::common::{JAM01, JAM01_SOLUTION};
use crate::driver::{Page, Screen, browse};
use crate::play::slide_all;
use crate::screens::{STILL, TABS, open_tab};
use std::path::Path;

/// Returns the script of axe-core, which `npm ci` installs beside the page; it is not a part of the page.
pub fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; run npm ci --prefix crates/web (./check does this)", path.display())
    })
}

/// Script that returns the violations as texts. Style sheets are not loaded again by axe-core, which the page's policy would refuse.
const VIOLATIONS: &str = "
    return axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ target, any, all, none }) => {
        const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
        return `${id} (${help}) at ${target}: ${why}`;
      })))";

/// Runs axe-core in both themes, and returns what it reports.
pub fn violations(page: &Page, axe: &str, state: &str) -> Vec<String> {
    if page.js("return typeof window.axe === 'undefined'", &[]) == true {
        page.js(axe, &[]);
    }
    let mut found = Vec::new();
    for theme in ["light", "dark"] {
        page.emulate_media(&[("prefers-color-scheme", theme)]);
        page.until("the colours have changed", STILL);
        let texts = page.js(VIOLATIONS, &[]);
        found.extend(
            texts.as_array().unwrap().iter().map(|text| format!("{state}, {theme}: {}", text.as_str().unwrap())),
        );
    }
    found
}

/// A name, and how to get there.
type State<'a> = (&'a str, &'a dyn Fn(&Page));

/// Brings the page into states, and requires that axe-core reports nothing serious in any of them.
fn check(page: &Page, states: &[State]) {
    let axe = axe();
    let mut found = Vec::new();
    for screen in [Screen::Wide, Screen::Phone] {
        page.screen(screen);
        for (state, enter) in states {
            enter(page);
            found.extend(violations(page, &axe, &format!("{state}, {screen:?}")));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn axe_finds_nothing_serious_in_any_tab() {
    browse(|page| {
        let enter = TABS.map(|tab| move |page: &Page| open_tab(page, tab));
        let states: Vec<State> =
            TABS.into_iter().zip(&enter).map(|(tab, enter)| (tab, enter as &dyn Fn(&Page))).collect();
        check(page, &states);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn axe_finds_nothing_serious_while_playing() {
    browse(|page| {
        check(
            page,
            &[
                ("hint", &|page| {
                    page.open_board(JAM01);
                    page.click("Hint");
                    page.until_text("section.hint", "8 moves to go");
                }),
                ("reason", &|page| {
                    page.click("Which way?");
                    page.click("Why?");
                    page.until_text("section.hint[data-shown='3']", "8 moves to go");
                }),
                ("solution", &|page| {
                    page.click("Close the hint");
                    page.click("Solve");
                    page.until_text("section.playback", "Solution, 8 moves");
                    page.click("Pause");
                }),
                ("blocked vehicle", &|page| {
                    page.click("Back to my game");
                    page.press(&["a", "ArrowRight"]);
                    page.until_announced("Car A is blocked by truck E.");
                }),
                ("victory", &|page| {
                    slide_all(page, JAM01_SOLUTION);
                    page.until_text(".won", "8 moves in");
                    page.until("the confetti is gone", "return document.querySelector('.confetti') === null");
                    page.js("localStorage.clear()", &[]);
                }),
                ("tutorial", &|page| {
                    page.open("/play?level=tutorial");
                    page.until_text("h1", "Slide");
                }),
                ("help", &|page| {
                    page.click("Help");
                    page.until_text("[popover]:popover-open", "How to play");
                }),
            ],
        );
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn axe_finds_nothing_serious_in_dialogs_chapters_and_errors() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.expect_message("404 (Not Found)");
        check(
            page,
            &[
                ("puzzles of a suite", &|page| {
                    page.open(&format!("/play?board={JAM01}&suite=cards"));
                    page.until_text("h1", "JAM01");
                    page.click("Puzzles");
                    page.until(
                        "the cards are shown",
                        "return document.querySelectorAll('dialog[open] .gallery svg.board').length > 3",
                    );
                }),
                ("all puzzles", &|page| {
                    page.click("All puzzles");
                    page.until_text("dialog[open]", "Hard 8x8");
                }),
                ("guide", &|page| {
                    open_tab(page, "compare");
                    page.click("Guide to this tab");
                    page.until_text("#guide:popover-open h2", "Compare");
                }),
                ("explained expression", &|page| {
                    page.press(&["Escape"]);
                    page.js("document.querySelector('.explained summary').click()", &[]);
                }),
                ("chapter", &|page| {
                    page.open("/docs/playing");
                    page.until_text(".book h1", "The web interface");
                }),
                ("list of chapters", &|page| {
                    page.open("/docs/grading");
                    page.until_text(".book h1", "Grading");
                }),
                ("unknown address", &|page| {
                    page.open("/nothing/here");
                    page.until("it is explained", "return document.querySelector('main h1')");
                }),
                ("invalid board in Play", &|page| {
                    page.open("/play?board=BB...CD..E.CDAAE.CD..E..F...GGF.HB..");
                    page.until_text(".aside .message.bad pre", "this B is not part of the run");
                }),
                ("invalid board in Explore", &|page| {
                    page.open("/explore?board=AAB...CC.");
                    page.until_text("[aria-label='Invalid board']", "This is not a board");
                }),
                ("drafts in Edit", &|page| {
                    open_tab(page, "edit");
                    page.click("Drafts and packs");
                    page.click("Keep this board as a draft");
                    page.until("a draft is shown", "return document.querySelector('.drafts li')");
                    page.js("localStorage.removeItem('clearway.drafts')", &[]);
                }),
            ],
        );
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn axe_finds_what_is_wrong() {
    browse(|page| {
        page.open("/results");
        page.js("document.querySelector('main').append(document.createElement('button'), Object.assign(new Image(), { src: '/icon.svg' })); document.querySelector('main h1').style.color = 'white'", &[]);
        let found = violations(page, &axe(), "broken").join("\n");
        for rule in ["button-name", "image-alt", "color-contrast"] {
            assert!(found.contains(rule), "{rule} is not in {found}");
        }
    });
}
