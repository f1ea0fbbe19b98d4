//! Forge: puzzles are generated, saved as a pack, played and printed.

use crate::driver::browse;
use serde_json::json;

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn puzzles_are_generated_saved_and_played() {
    browse(|page| {
        page.open("/forge");
        page.until_text(".packs", "No packs yet.");
        page.fill_form(&[("Moves from", "5"), ("to", "9")]);
        page.choose("Size", "5x5");
        page.fill("Number of puzzles", "4");
        page.click("More options");
        page.fill("Seed", "7");
        page.click("Generate puzzles");
        page.until("there are four puzzles", "return document.querySelectorAll('.puzzle').length === 4");
        page.until_text("[role=status]", "4 puzzles found");
        let lengths =
            page.js("return [...document.querySelectorAll('.puzzle strong')].map((e) => parseInt(e.innerText))", &[]);
        assert!(
            lengths.as_array().unwrap().iter().all(|moves| (5..=9).contains(&moves.as_i64().unwrap())),
            "{lengths}"
        );
        page.screenshot("forge-made-wide");
        // They are still there after a reload.
        page.reload();
        page.until("there are four puzzles again", "return document.querySelectorAll('.puzzle').length === 4");
        let again =
            page.js("return [...document.querySelectorAll('.puzzle strong')].map((e) => parseInt(e.innerText))", &[]);
        assert_eq!(again, lengths);
        page.control("Save 4");

        // Save all but one as a pack.
        page.js("document.querySelector('.puzzle input').click()", &[]);
        page.fill("Name of the pack", "Holidays");
        page.click("Save 3");
        page.until_message("Saved “Holidays”");
        page.until_text(".packs", "Holidays 3 puzzles");
        let packs = page.server.get("/packs").ok()["items"].clone();
        assert_eq!((&packs[0]["name"], &packs[0]["puzzles"]), (&json!("Holidays"), &json!(3)));
        let pack = page
            .server
            .get(&format!("/packs/{}", packs[0]["id"].as_str().map_or(packs[0]["id"].to_string(), str::to_owned)))
            .ok();

        // The pack can be played.
        page.click("Play");
        page.until_text("dl.stats", "0 / ");
        page.click("Puzzles");
        page.click("All puzzles");
        page.until("the pack is listed", "return [...document.querySelectorAll('dialog[open] .shelf-row')].some((e) => e.innerText.includes('Holidays'))");
        page.screenshot("play-puzzles-wide");
        page.js("[...document.querySelectorAll('dialog[open] .shelf-row')].find((e) => e.innerText.includes('Holidays')).click()", &[]);
        page.until_text("dialog[open] h2", "Holidays");
        page.until(
            "its puzzles are shown",
            "return document.querySelectorAll('dialog[open] .gallery button').length === 3",
        );
        page.until(
            "they are pictures",
            "return document.querySelectorAll('dialog[open] .gallery svg.board').length === 3",
        );
        page.js("document.querySelector('dialog[open] .gallery button').click()", &[]);
        page.until_text(".play-head", "Holidays, 1 of 3");
        let boards: Vec<&str> =
            pack["puzzles"].as_array().unwrap().iter().map(|entry| entry["board"].as_str().unwrap()).collect();
        assert!(boards.iter().any(|board| page.address().contains(board)), "{} {boards:?}", page.address());
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn more_than_a_hundred_puzzles_and_large_boards_are_generated() {
    browse(|page| {
        page.open("/forge");
        page.fill_form(&[("Moves from", "3"), ("to", "9")]);
        page.choose("Size", "5x5");
        page.fill("Number of puzzles", "120");
        page.click("Generate puzzles");
        page.until_text("[role=status]", "120 puzzles found");
        assert_eq!(page.js("return document.querySelectorAll('.puzzle').length", &[]), 120);
        page.fill("Name of the pack", "Many");
        page.click("Save 120");
        page.until_text(".packs", "Many 120 puzzles");
        assert!(page.server.text("/packs/1/file").lines().all(|line| line.contains("\"license\":\"CC0-1.0\"")));

        page.fill_form(&[("Moves from", "2"), ("to", "3")]);
        page.choose("Size", "12x12");
        page.fill("Number of puzzles", "1");
        page.click("Generate puzzles");
        page.until_text("[role=status]", "1 puzzle found");
        let cells =
            "return new URL([...document.querySelectorAll('.puzzle a')].at(-1).href).searchParams.get('board').length";
        assert_eq!(page.js(cells, &[]), 144);
        page.reload();
        page.until("all are kept", "return document.querySelectorAll('.puzzle').length === 121");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn generated_puzzles_are_removed_after_a_confirmation() {
    browse(|page| {
        page.open("/forge");
        page.choose("Size", "4x4");
        page.fill("Number of puzzles", "1");
        page.click("Generate puzzles");
        page.until_text("[role=status]", "1 puzzle found");
        page.click("Clear");
        page.accept("Remove 1 generated puzzle?");
        page.until_text("ul.shelf", "No puzzles yet.");
        page.reload();
        page.until_text("ul.shelf", "No puzzles yet.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn puzzles_without_room_are_reported_once() {
    browse(|page| {
        page.open("/forge");
        page.js("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }", &[]);
        page.fill_form(&[("Moves from", "4"), ("to", "9")]);
        page.choose("Size", "5x5");
        page.fill("Number of puzzles", "3");
        page.click("Generate puzzles");
        page.until_message("The browser's storage is full: new puzzles are lost when the page is closed.");
        page.until_text("[role=status]", "3 puzzles found");
        assert_eq!(page.js("return document.querySelectorAll('.puzzle').length", &[]), 3);
        assert_eq!(page.js("return messages.length", &[]), 0);
        // They can still be saved as a pack.
        page.click("Save 3");
        page.until_text(".packs", "3 puzzles");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn generated_puzzles_are_the_same_in_two_tabs() {
    browse(|page| {
        let generate = |moves: &str| {
            page.fill_form(&[("Moves from", moves), ("to", moves)]);
            page.choose("Size", "5x5");
            page.fill("Number of puzzles", "1");
            page.click("Generate puzzles");
            page.until_text("[role=status]", "1 puzzle found");
        };
        let shown = |count: usize| {
            page.until_with(
                &format!("{count} are shown"),
                "return document.querySelectorAll('.puzzle').length === arguments[0]",
                &[json!(count)],
            );
        };
        page.open("/forge");
        let first = page.new_tab();
        page.open("/forge");
        let second = page.current_tab();
        generate("4");
        page.switch_to(&first);
        shown(1);
        page.js("document.querySelector('.puzzle input').click()", &[]);
        // The list follows while another tab of the page is shown, too.
        page.click("Play");
        page.until_text("dl.stats", "0 / ");
        page.switch_to(&second);
        generate("6");
        shown(2);
        page.switch_to(&first);
        page.click("Forge");
        shown(2);
        // Removing them here removes them there.
        page.click("Clear");
        page.accept("Remove 2 generated puzzles?");
        shown(0);
        page.switch_to(&second);
        shown(0);
        page.reload();
        page.until_text("ul.shelf", "No puzzles yet.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn packs_are_printed_and_deleted() {
    browse(|page| {
        let boards = [crate::common::JAM01, "....AA.B...B...."];
        page.server.post("/packs", &json!({ "name": "Two", "boards": boards })).ok();
        page.open("/forge");
        page.until_text(".packs", "Two 2 puzzles");
        page.js("document.querySelector('.pack-open').click()", &[]);
        page.until_text(".shelf-head h2", "Two");
        assert_eq!(page.js("return document.querySelectorAll('.puzzle').length", &[]), 2);
        page.until_text(".shelf", "about 28 s (18 to 45 s)");
        // Without a printer, check the sheet that would be printed.
        page.js("window.print = () => {}", &[]);
        for (option, plain) in [("in colour", false), ("in black and white", true)] {
            page.choose("Print cards", option);
            page.until("the cards are there", "return document.querySelectorAll('.print-card').length === 2");
            let solutions = page.js("return plain(document.querySelector('.print-solutions').textContent)", &[]);
            assert!(solutions.as_str().unwrap().contains("A → 3"), "{solutions}");
            // On paper only the cards are shown, with dark lines on a white tray.
            page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
            let style = |part: &str, property: &str| {
                let script =
                    "return getComputedStyle(document.querySelector(`.print-sheet ${arguments[0]}`))[arguments[1]]";
                page.js(script, &[json!(part), json!(property)])
            };
            assert_eq!((style(".floor", "fill"), style(".rim", "fill")), (json!("rgb(255, 255, 255)"), json!("none")));
            let body = style(".vehicle:not(.target) .body > rect:nth-of-type(2)", "fill");
            assert_eq!(body == "rgb(255, 255, 255)", plain, "{body}");
            assert_eq!(page.js("return document.querySelector('header').checkVisibility()", &[]), false);
            page.screenshot(if plain { "print-plain" } else { "print-colour" });
            page.devtools("Emulation.setEmulatedMedia", &json!({ "media": "" }));
            page.js("dispatchEvent(new Event('afterprint'))", &[]);
            assert_eq!(page.js("return document.querySelectorAll('.print-sheet').length", &[]), 0);
        }
        page.click("Delete Two");
        page.accept("Delete “Two”?");
        page.until_text(".packs", "No packs yet.");
        assert_eq!(page.server.get("/packs").ok()["items"], json!([]));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn an_invalid_request_is_explained() {
    browse(|page| {
        page.open("/forge");
        page.fill_form(&[("Moves from", "9"), ("to", "5")]);
        page.expect_message("400 (Bad Request)");
        page.click("Generate puzzles");
        page.until("the error is shown", "return text('form .message.bad').length > 10");
    });
}
