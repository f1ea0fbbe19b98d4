//! The guide to each tab, the chapters of the book, and explained expressions.

use crate::common::JAM01;
use crate::driver::{Screen, browse};
use crate::screens::{OVERFLOWING, TABS, assert_none, open_tab};
use serde_json::json;

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_tab_has_a_guide_that_links_to_its_chapter() {
    browse(|page| {
        let mut guides = std::collections::BTreeSet::new();
        for tab in TABS {
            open_tab(page, tab);
            page.click("Guide to this tab");
            let title = format!("{}{}", tab[..1].to_uppercase(), &tab[1..]);
            page.until_text("#guide:popover-open h2", &title);
            guides.insert(page.text("#guide:popover-open"));
            let links = page.js("return [...document.querySelectorAll('#guide a')].map((e) => e.pathname)", &[]);
            let links = links.as_array().unwrap();
            assert!(!links.is_empty());
            for link in links {
                let text = page
                    .js("return fetch(`${arguments[0]}.md`).then((found) => found.text())", std::slice::from_ref(link));
                assert!(text.as_str().unwrap().starts_with("# "), "{link}: {text:.80}");
            }
            page.press(&["Escape"]);
            page.until("the guide is closed", "return !document.querySelector('#guide:popover-open')");
        }
        assert_eq!(guides.len(), TABS.len());
        open_tab(page, "compare");
        page.click("Guide to this tab");
        page.until_text("#guide:popover-open", "Comparing algorithms");
        page.screenshot("guide-compare-wide");
        page.click("Comparing algorithms");
        page.until_text(".book h1", "Comparing algorithms");
        assert_eq!(page.address(), "/docs/comparing");
        assert_eq!(page.js("return document.title", &[]), "Comparing algorithms · clearway");
        assert_eq!(page.js("return document.querySelector('#guide').matches(':popover-open')", &[]), false);
        // The book has a guide of its own.
        page.click("Guide to this tab");
        page.until_text("#guide:popover-open h2", "Docs");
        assert!(guides.insert(page.text("#guide:popover-open")));
        page.click("Glossary");
        page.until_text(".book h1", "Glossary");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn chapters_are_rendered_and_linked() {
    browse(|page| {
        page.open("/docs/playing#keyboard");
        page.until_text(".book h1", "The web interface");
        let count =
            |selector: &str| page.js("return document.querySelectorAll(arguments[0]).length", &[json!(selector)]);
        assert_eq!((count(".book table"), count(".book #keyboard")), (json!(1), json!(1)));
        assert!(count(".book li").as_u64().unwrap() > 5 && count(".book code").as_u64().unwrap() > 5);
        // Nothing of the notation is left.
        let text = page.text(".book");
        for mark in ["**", "](", "```", "| --- |", "!["] {
            assert!(!text.contains(mark), "{mark} in {text}");
        }
        page.until(
            "the section is in view",
            "return document.querySelector('#keyboard').getBoundingClientRect().top < innerHeight",
        );
        page.screenshot("chapter-wide");
        // Links lead to other chapters and to their sections.
        page.js("document.querySelector('.book a[href=\"/docs/grading#difficulty-for-people\"]').click()", &[]);
        page.until_text(".book h1", "Grading");
        page.until("the section exists", "return document.querySelector('#difficulty-for-people')");
        page.back();
        page.until_text(".book h1", "The web interface");
        for chapter in ["packs", "server", "HEURISTICS", "formats"] {
            page.open(&format!("/docs/{chapter}"));
            page.screen(Screen::Phone);
            page.until("it is shown", "return document.querySelector('.book h1') !== null");
            assert_none(page, OVERFLOWING, chapter);
        }
        page.screenshot("chapter-phone");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn expressions_are_explained_in_place() {
    browse(|page| {
        page.open(&format!("/compare?board={JAM01}"));
        page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        let open = "const unfolded = [...document.querySelectorAll('.explained')].find((e) => e.textContent.startsWith(arguments[0]));
            unfolded.querySelector('summary').click(); return plain(unfolded.innerText)";
        let text = page.until_with("it is explained", open, &[json!("ida(h1, both, increment=8)")]);
        for part in [
            "ida IDA*: iterative deepening",
            "h1 blockers-lower-bound: vehicles that block the target",
            "both sort successors by their estimates, prune",
            "increment=8 increment of the threshold",
        ] {
            assert!(text.as_str().unwrap().contains(part), "{part} is not in {text}");
        }
        let text = page.until_with("it is explained", open, &[json!("astar(max(")]);
        for part in
            ["max(…) the largest of several estimates", "landmarks vehicles that must move", "pattern-database exact"]
        {
            assert!(text.as_str().unwrap().contains(part), "{part} is not in {text}");
        }
        page.screenshot("compare-explained-wide");
        // It stays unfolded when the results change.
        page.click("Run all");
        page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        assert_eq!(page.js("return document.querySelectorAll('.explained[open]').length", &[]), 2);
        // Policies are explained, too.
        page.fill("Algorithm expression", "ida(policy=hand, prune, increment=5)");
        page.press(&["Enter"]);
        let text = page.until_with("it is explained", open, &[json!("ida(policy=hand")]);
        assert!(text.as_str().unwrap().contains("policy=hand Hc of the reproduction"), "{text}");
    });
}
