//! Edit: several boards are pasted, kept as drafts, and saved into packs.

use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use serde_json::{Value, json};

const SMALL: &str = "....AA.B...B....";

/// Returns the number of drafts.
fn drafts(page: &Page) -> usize {
    page.js("return document.querySelectorAll('.drafts li').length", &[]).as_u64().unwrap() as usize
}

/// Returns the numbers of moves of the newest pack's puzzles, and its name.
fn newest_pack(page: &Page) -> (Vec<u64>, Value) {
    let id = page.server.get("/packs").ok()["items"][0]["id"].clone();
    let pack = page.server.get(&format!("/packs/{id}")).ok();
    let puzzles = pack["puzzles"].as_array().unwrap();
    (puzzles.iter().map(|puzzle| puzzle["moves"].as_u64().unwrap()).collect(), pack["name"].clone())
}

fn import(page: &Page, text: &str) {
    page.fill("Boards as text, in any format", text);
    page.click("Import");
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn several_boards_are_pasted_and_kept_as_drafts() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.open("/edit");
        page.click("Import boards");
        // One per line, with a comment, a name and the other columns of a list.
        import(page, &format!("# mine\n8 {JAM01} 1247 \"card 1\"\n{SMALL} small\n"));
        page.until_message("2 boards kept as drafts");
        assert_eq!(drafts(page), 2);
        assert_eq!(page.address(), format!("/edit?board={JAM01}"));
        // Grids with an empty line between them.
        import(page, "AA.B\n...B\n....\n....\n\n..B.\nAAB.\n....\n....\n");
        page.until_message("2 boards kept as drafts");
        assert_eq!(drafts(page), 4);
        // A faulty one is named, and nothing is kept.
        import(page, &format!("{JAM01}\nAAB\n"));
        page.until_text("[role=alert]", "Board 2: 3 cells do not make a square board");
        assert_eq!(drafts(page), 4);
        // Drafts stay after a reload; one is opened, which can be undone, and removed.
        page.reload();
        page.click("Drafts and packs");
        assert_eq!(drafts(page), 4);
        page.click("Open draft 2");
        page.until_text(".verdict", "Solvable in 2 moves");
        assert_eq!(page.address(), format!("/edit?board={SMALL}"));
        page.click("Undo");
        assert_ne!(page.address(), format!("/edit?board={SMALL}"));
        page.click("Remove draft 2");
        page.until_announced("Draft 2 removed");
        assert_eq!(drafts(page), 3);
        page.until("the focus is on another draft", "return document.activeElement.closest('.drafts') !== null");
        page.screenshot("edit-drafts-wide");
        page.screen(Screen::Phone);
        page.screenshot("edit-drafts-phone");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn boards_and_drafts_are_saved_into_packs() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.open(&format!("/edit?board={JAM01}"));
        page.click("Drafts and packs");
        page.fill("Name of the pack", "From Edit");
        page.click("Save");
        page.until_message("“From Edit” has 1 puzzle now");
        assert_eq!(newest_pack(page), (vec![8], json!("From Edit")));
        // The drafts go into the same pack, which is selected now; the first card is there already.
        page.click("Keep this board as a draft");
        page.until_announced("Kept as a draft");
        page.open(&format!("/edit?board={SMALL}"));
        page.click("Drafts and packs");
        page.click("Keep this board as a draft");
        page.choose("What to save", "all 2 drafts");
        page.until("the packs are listed", "return called('Pack')[0].options.length === 2");
        page.choose("Pack", "From Edit (1)");
        page.click("Save");
        page.until_message("“From Edit” has 2 puzzles now");
        assert_eq!(newest_pack(page), (vec![2, 8], json!("From Edit")));
        // A board that cannot be solved is refused with the reason.
        page.open(&format!("/edit?board={}", crate::common::UNSOLVABLE));
        page.click("Drafts and packs");
        page.click("Save");
        page.until_text("[role=alert]", "the board is unsolvable");
        // The pack is in Forge.
        page.open("/forge");
        page.until_text(".packs", "From Edit 2 puzzles");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn drafts_without_room_are_not_claimed() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.open(&format!("/edit?board={SMALL}"));
        page.click("Drafts and packs");
        page.click("Import boards");
        let full = "
            const real = Storage.prototype.setItem;
            Storage.prototype.setItem = function (key, value) {
                if (key === 'clearway.drafts') throw new DOMException('full', 'QuotaExceededError');
                real.call(this, key, value);
            }";
        page.js(full, &[]);
        page.click("Keep this board as a draft");
        page.until_message("The browser's storage is full; nothing was kept.");
        import(page, &format!("{JAM01}\n{SMALL}\n"));
        page.until_message("The browser's storage is full; nothing was kept.");
        assert_eq!(drafts(page), 0);
        let said = page.js("return document.querySelector('#live').textContent + messages.join()", &[]);
        assert!(!said.as_str().unwrap().contains("ept as"), "{said}");
    });
}
