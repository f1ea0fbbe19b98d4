//! Edit: boards are edited by mouse and keyboard, checked continuously, imported and exported in every format.

use crate::common::JAM01;
use crate::driver::{Page, Pointer, browse};
use clearway_forge::grade::{Beyond, HumanTime};
use serde_json::json;

/// Returns the centre of a cell of the edited board on the screen.
fn cell(page: &Page, column: u32, row: u32) -> (f64, f64) {
    let script = "
        const board = document.querySelector('.board.drawing');
        board.scrollIntoView({ block: 'center', behavior: 'instant' });
        const at = new DOMPoint(26 + 64 * (arguments[0] - 0.5), 26 + 64 * (arguments[1] - 0.5)).matrixTransform(board.getScreenCTM());
        return [at.x, at.y]";
    let at = page.js(script, &[json!(column), json!(row)]);
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// Opens the tab, and waits for the verdict, because it moves the elements below it.
fn open(page: &Page, path: &str) {
    page.open(path);
    page.until(
        "the verdict is shown",
        "return text('.verdict').includes('Solvable') && !document.querySelector('.verdict[aria-busy]')",
    );
}

fn tap(page: &Page, column: u32, row: u32) {
    let (x, y) = cell(page, column, row);
    page.click_at(x, y);
}

fn drag(page: &Page, from: (u32, u32), to: (u32, u32)) {
    let (start, end) = (cell(page, from.0, from.1), cell(page, to.0, to.1));
    page.drag_between(start, end, Pointer::Mouse);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_verdict_follows_every_change() {
    browse(|page| {
        open(page, "/edit");
        page.until_text(".verdict", "Solvable in 1 move");
        page.click("Clear the board");
        page.until_text(".verdict", "The board is empty");
        assert!(!page.enabled("Play"));

        // A vertical car is not the target, because the exit is on the right.
        page.click("Car");
        drag(page, (5, 2), (5, 4));
        page.until_text(".verdict", "There is no target");
        drag(page, (1, 3), (2, 3));
        page.until_text(".verdict", "Solvable in 2 moves");
        assert!(page.address().ends_with("/edit?board=..........B.AA..B.....B............."), "{}", page.address());

        // Walls above and below: B cannot leave the row.
        page.click("Wall");
        tap(page, 5, 1);
        tap(page, 5, 5);
        page.until_text(".verdict", "Unsolvable");
        page.screenshot("edit-unsolvable-wide");
        page.click("Undo");
        page.until_text(".verdict", "Solvable in 2 moves");

        // Turned, the target is not aligned with the exit.
        page.click("Select");
        tap(page, 1, 3);
        page.click("Turn");
        page.until_text(".verdict", "The target, car A, is not aligned with the exit");
        page.click("Turn");
        page.until_text(".verdict", "Solvable in");

        // A car that blocks nothing is useless, and marked.
        page.click("Car");
        tap(page, 1, 6);
        page.until_text(".verdict", "C is useless");
        assert_eq!(
            page.js(
                "return [...document.querySelectorAll('.vehicle.useless')].map((e) => e.dataset.label).join()",
                &[]
            ),
            "C"
        );
        page.click("Erase");
        tap(page, 1, 6);
        page.until_text(".verdict", "Every vehicle is needed");
        page.click("bottom");
        page.until_text(".verdict", "is not aligned with the exit");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn predicted_times_are_shown_as_by_the_command_line() {
    browse(|page| {
        open(page, &format!("/edit?board={JAM01}"));
        page.until_text(".verdict", "takes people about 28 s (18 to 45 s)");
        open(page, "/edit?board=BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.");
        page.until_text(".verdict", "takes people about 9 min (extrapolated)");
        let script = "return import('/js/levels.js').then(({ timeNeeded }) => timeNeeded(arguments[0]))";
        for beyond in [vec![], vec![Beyond::Size]] {
            for seconds in [
                0.0, 2.5, 28.4, 52.5, 89.9, 90.0, 150.0, 556.0, 599.9, 600.0, 750.0, 3_449.0, 3_451.0, 3_599.0,
                3_600.0, 1e12,
            ] {
                let (low, high) = (seconds / 1.6, seconds * 1.6);
                let human = HumanTime { seconds, low, high, beyond: beyond.clone() };
                assert_eq!(page.js(script, &[json!(human)]), json!(human.to_string()), "{human:?}");
            }
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn vehicles_are_moved_and_resized_by_dragging() {
    browse(|page| {
        open(page, "/edit?board=............AA......................");
        drag(page, (2, 3), (4, 5));
        page.until("A was carried", "return location.search.includes('..........................AA........')");
        // The handle at its right end.
        let (x, y) = cell(page, 4, 5);
        let (to, _) = cell(page, 6, 5);
        let half = (to - x) / 4.0;
        page.drag_between((x + half, y), (to, y), Pointer::Mouse);
        page.until("A is longer", "return location.search.includes('..........................AAAA......')");
        page.click("Shorter");
        page.click("More rows");
        page.click("Fewer columns");
        page.until("the board has another size", "return location.search.includes('5x7')");
        for _ in 0..5 {
            let before = page.js("return location.search", &[]);
            page.click("Undo");
            page.until_with("it is undone", "return location.search !== arguments[0]", &[before]);
        }
        assert!(!page.enabled("Undo"));
        assert_eq!(page.address(), "/edit?board=............AA......................");
        page.click("Redo");
        assert!(page.address().contains("..........................AA........"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_board_is_edited_by_keyboard_alone() {
    browse(|page| {
        open(page, "/edit");
        page.until_text(".verdict", "Solvable in 1 move");
        page.js("document.querySelector('.board.drawing').focus()", &[]);
        // Place a vertical truck in the third row and the fifth column.
        page.press(&["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]);
        page.until_announced("column 5, row 3: empty");
        page.press(&["t", "o", "Enter"]);
        page.until_text(".verdict", "Solvable in 2 moves");
        page.until_announced("column 5, row 3: truck B");
        page.press(&["Shift+ArrowUp"]);
        page.until("B is higher", "return location.search.includes('=..........B.AA..B.....B.')");
        page.press(&["-"]);
        page.until(
            "B is a car",
            "return location.search.includes('B') && !location.search.includes('=..........B.AA..B.....B.')",
        );
        page.press(&["u", "u", "u"]);
        page.until("B is gone", "return !location.search.includes('B')");
        page.press(&["r"]);
        page.until("B is back", "return location.search.includes('B')");
        page.press(&["ArrowDown", "e", "Enter"]);
        page.until("B is erased", "return !location.search.includes('B')");
        page.press(&["Enter"]);
        page.until_announced("There is nothing to erase");
        page.press(&["="]);
        page.until_announced("No vehicle is selected");
        page.press(&["Delete"]);
        page.until_announced("There is nothing to erase");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn boards_are_imported_from_any_format() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        open(page, "/edit");
        page.click("Import boards");
        let grid = page.server.post("/convert", &json!({ "board": JAM01, "to": "grid" })).ok();
        page.fill("Boards as text, in any format", grid["text"].as_str().unwrap());
        page.click("Import");
        page.until_text(".verdict", "Solvable in 8 moves");
        assert_eq!(page.address(), format!("/edit?board={JAM01}"));
        page.fill("Boards as text, in any format", "BB...CD..E.CDAAE.CD..E..F...GGF.HB..");
        page.click("Import");
        page.until_text("[role=alert]", "this B is not part of the run");
        assert_eq!(page.address(), format!("/edit?board={JAM01}"));
        page.screenshot("edit-bad-text-wide");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn boards_are_exported_in_every_format() {
    browse(|page| {
        open(page, &format!("/edit?board={JAM01}"));
        page.click("Export the board");
        for (title, format) in [
            ("Line", "line"),
            ("JSON", "json"),
            ("van Dijk", "van-dijk"),
            ("PDDL problem", "pddl"),
            ("Table (TSV)", "tsv"),
        ] {
            page.choose("Format", title);
            let text = page.server.post("/convert", &json!({ "board": JAM01, "to": format })).ok()["text"].clone();
            let shown = "return document.querySelector('.export-preview pre')?.textContent === arguments[0]";
            page.until_with(&format!("the board is shown as {format}"), shown, &[text]);
        }
        for title in ["Picture (SVG)", "Picture (PNG)"] {
            page.choose("Format", title);
            page.until(
                "the picture is seen",
                "return document.querySelector('.export-preview img')?.naturalWidth > 100",
            );
        }
        page.screenshot("edit-export-wide");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_link_to_the_board_is_copied() {
    browse(|page| {
        page.devtools(
            "Browser.grantPermissions",
            &json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
        );
        open(page, &format!("/edit?board={JAM01}"));
        page.click("Wall");
        tap(page, 4, 1);
        page.until("the wall is in the address", "return location.search.includes('BB.x.C')");
        page.click("Copy a link to this board");
        page.until_message("Link copied");
        let link = page.js("return navigator.clipboard.readText()", &[]);
        assert_eq!(link, page.js("return location.href", &[]));
        page.js("localStorage.clear()", &[]);
        page.open(&page.address());
        page.until_text(".verdict", "Solvable in");
        assert_eq!(page.js("return document.querySelectorAll('.board.drawing .wall').length", &[]), 1);
    });
}
