//! Accessibility: keyboard, screen readers, contrast, reduced motion.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::hints::make_hinted_move;
use crate::play::slide;
use crate::screens::{STILL, TABS, open_tab};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the names of all elements that the Tab key reaches, in order.
fn tab_order(page: &Page) -> Vec<String> {
    page.js("document.activeElement.blur(); scrollTo(0, 0)", &[]);
    let mut names = Vec::new();
    for _ in 0..80 {
        page.press(&["Tab"]);
        if page.js("return document.activeElement === document.body", &[]) == true {
            break;
        }
        let name = page.focused();
        if names.first() == Some(&name) {
            break;
        }
        names.push(name);
    }
    names
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_game_is_played_by_keyboard_alone() {
    browse(|page| {
        page.open_board(JAM01);
        let order = tab_order(page);
        assert_eq!(order[0], "Skip to content");
        for name in [
            "Play", "Edit", "Forge", "Explore", "Compare", "Evolve", "Results", "Puzzles", "Help", "Hint", "Solve",
            "Daily", "Next",
        ] {
            assert!(order.iter().any(|reached| reached == name), "{name} is not in {order:#?}");
        }
        let vehicles: Vec<&String> =
            order.iter().filter(|name| name.starts_with("car ") || name.starts_with("truck ")).collect();
        assert_eq!(vehicles, ["car A, the target, horizontal, row 3, cannot move"], "one stop for the board");

        // Move cars, undo, and play a hint by keyboard alone.
        let reach = |start: &str| {
            for _ in 0..60 {
                page.press(&["Tab"]);
                if page.focused().starts_with(start) {
                    return;
                }
            }
            panic!("Tab does not reach {start}");
        };
        page.js("document.activeElement.blur()", &[]);
        page.press(&["g", "Shift+ArrowLeft", "c", "Shift+ArrowDown"]);
        page.until_announced("C down 3. 2 moves.");
        reach("Undo");
        page.press(&["Enter"]);
        page.until_announced("Undone: C down 3.");
        reach("Hint");
        page.press(&["Space"]);
        page.until_text("section.hint", "7 moves to go");
        reach("Which way?");
        page.press(&["Enter"]);
        page.until("the focus is on the next button", "return name(document.activeElement) === 'Make this move'");
        page.press(&["Enter"]);
        page.until_announced("2 moves.");
        // The skip link leads past the tabs.
        page.js("document.activeElement.blur()", &[]);
        reach("Skip to content");
        page.press(&["Enter"]);
        assert_eq!(page.js("return document.activeElement.id", &[]), "main");
        assert_eq!(page.text("dl.stats > div:first-child dd"), "2 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_dialog_keeps_the_focus_and_gives_it_back() {
    browse(|page| {
        page.open_board(JAM01);
        page.control("Puzzles");
        page.js("called('Puzzles')[0].focus()", &[]);
        page.press(&["Enter"]);
        page.until_text("dialog[open]", "Cards");
        for _ in 0..4 {
            page.press(&["Tab"]);
            assert_eq!(
                page.js(
                    "const at = document.activeElement; return at === document.body || at.closest('dialog') !== null",
                    &[]
                ),
                true
            );
        }
        page.press(&["Escape"]);
        page.until("the dialog is closed", "return !document.querySelector('dialog[open]')");
        assert_eq!(page.focused(), "Puzzles");
    });
}

/// Returns the elements without a name in Chromium's accessibility tree.
fn nameless(page: &Page) -> Vec<String> {
    const NAMED: [&str; 12] = [
        "button",
        "link",
        "textbox",
        "combobox",
        "checkbox",
        "radio",
        "slider",
        "spinbutton",
        "image",
        "img",
        "dialog",
        "application",
    ];
    let tree = page.devtools("Accessibility.getFullAXTree", &serde_json::json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    assert!(nodes.len() > 20);
    let unnamed = |node: &&Value| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        node["ignored"] != true
            && NAMED.contains(&role)
            && node["name"]["value"].as_str().unwrap_or_default().trim().is_empty()
    };
    nodes.iter().filter(unnamed).map(|node| format!("{} {}", node["role"]["value"], node["backendDOMNodeId"])).collect()
}

/// Script that finds accessibility errors in the document.
const DOCUMENT: &str = include_str!("document.js");

/// Script that finds texts with too little contrast (WCAG AA: 4.5, large text 3).
const CONTRAST: &str = include_str!("contrast.js");

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_tab_is_accessible_to_screen_readers() {
    browse(|page| {
        let mut titles = BTreeSet::new();
        for tab in TABS {
            open_tab(page, tab);
            assert_eq!(nameless(page), Vec::<String>::new(), "{tab}");
            let wrong = page.js(DOCUMENT, &[]);
            assert_eq!(wrong, serde_json::json!([]), "{tab}");
            titles.insert(page.js("return document.title", &[]).to_string());
            assert_eq!(page.js("return document.querySelectorAll('header [aria-current=page]').length", &[]), 1);
        }
        assert_eq!(titles.len(), TABS.len());
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_text_has_enough_contrast_in_both_themes() {
    browse(|page| {
        let mut faint = Vec::new();
        for tab in TABS {
            open_tab(page, tab);
            for theme in ["light", "dark"] {
                page.emulate_media(&[("prefers-color-scheme", theme)]);
                page.until("the colours have changed", STILL);
                let wrong = page.js(CONTRAST, &[]);
                faint.extend(wrong.as_array().unwrap().iter().map(|text| format!("{tab}, {theme}: {text}")));
            }
        }
        assert_eq!(faint, Vec::<String>::new());
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_choice_of_puzzles_is_accessible() {
    browse(|page| {
        page.open("/play?level=tutorial");
        page.until_text("h1", "Slide");
        slide(page, "A+4");
        page.until_text(".won", "Perfect!");
        for inside in [true, false] {
            page.reload();
            page.until_text(".play-title", "Tutorial, 1 of 5");
            page.click("Puzzles");
            page.until_text("dialog[open] .rating", "★★★");
            if !inside {
                page.click("All puzzles");
                page.until_text("dialog[open]", "Hard 8x8");
                assert_eq!(page.focused(), "Puzzles");
            }
            for theme in ["light", "dark"] {
                page.emulate_media(&[("prefers-color-scheme", theme)]);
                page.until("the colours have changed", STILL);
                assert_eq!(page.js(CONTRAST, &[]), serde_json::json!([]), "{theme}");
            }
            assert_eq!(nameless(page), Vec::<String>::new());
            assert_eq!(page.js(DOCUMENT, &[]), serde_json::json!([]));
        }
        // Every level is reached by keyboard.
        page.js("called('Close')[0].focus()", &[]);
        let mut reached = Vec::new();
        for _ in 0..40 {
            page.press(&["Tab"]);
            reached.push(page.focused());
        }
        for start in [
            "Easy ",
            "Length",
            "Theme",
            "Tutorial ",
            "Beginner ",
            "New puzzle: beginner",
            "Fiendish ",
            "New puzzle: fiendish",
            "Search suites",
        ] {
            assert!(reached.iter().any(|name| name.starts_with(start)), "{start} is not in {reached:#?}");
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn reduced_motion_is_honoured() {
    browse(|page| {
        page.emulate_media(&[("prefers-reduced-motion", "reduce")]);
        page.open_board(JAM01);
        let slow = "return Math.max(...[...document.querySelectorAll('.vehicle')].map((e) => parseFloat(getComputedStyle(e).transitionDuration)))";
        assert!(page.js(slow, &[]).as_f64().unwrap() < 0.02);
        // No confetti is ever added.
        page.js("window.thrown = 0; new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((e) => { if (e.className === 'confetti') window.thrown++; }))).observe(document.body, { subtree: true, childList: true })", &[]);
        for left in (1..=8).rev() {
            make_hinted_move(page, left);
        }
        page.until_text(".won", "Solved!");
        assert_eq!(page.js("return window.thrown", &[]), 0);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_theme_is_selected_and_remembered() {
    browse(|page| {
        page.open_board(JAM01);
        let paper = "return getComputedStyle(document.body).backgroundColor";
        let light = page.js(paper, &[]);
        page.emulate_media(&[("prefers-color-scheme", "dark")]);
        let dark = page.js(paper, &[]);
        assert_ne!(light, dark);
        page.click("Theme: system");
        page.until_announced("Theme: light");
        assert_eq!(page.js(paper, &[]), light);
        page.reload();
        assert_eq!(page.js(paper, &[]), light);
        page.emulate_media(&[("prefers-color-scheme", "light")]);
        page.click("Theme: light");
        assert_eq!(page.js(paper, &[]), dark);
        page.click("Theme: dark");
        page.control("Theme: system");
        assert_eq!(page.js(paper, &[]), light);
    });
}
