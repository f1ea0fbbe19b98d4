//! The keyboard in Play: letters select vehicles, arrows move or lead to the next one, Shift and a letter give commands.

use crate::common::JAM01;
use crate::driver::browse;
use crate::play::moves;

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn letters_select_vehicles_and_arrows_move_them() {
    browse(|page| {
        page.open_board(JAM01);
        // Nothing needs the focus first; letters of former shortcuts select their vehicles.
        for (key, name) in [("h", "truck H"), ("g", "car G"), ("c", "truck C")] {
            page.press(&[key]);
            assert!(page.focused().starts_with(name), "{key}: {}", page.focused());
        }
        // The whole game takes a letter and an arrow for each move, and no Tab.
        let keys = [
            "g",
            "Shift+ArrowLeft",
            "b",
            "ArrowRight",
            "d",
            "ArrowUp",
            "f",
            "ArrowUp",
            "h",
            "Shift+ArrowLeft",
            "e",
            "Shift+ArrowDown",
            "c",
            "Shift+ArrowDown",
            "a",
            "Shift+ArrowRight",
        ];
        page.press(&keys);
        page.until_text(".won", "Perfect!");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn arrows_across_the_line_lead_to_the_nearest_vehicle() {
    browse(|page| {
        page.open_board(JAM01);
        page.press(&["a"]);
        let walk = [
            ("ArrowUp", "car B"),
            ("ArrowDown", "truck D"),
            ("ArrowRight", "car A"),
            ("ArrowDown", "car F"),
            ("ArrowRight", "truck H"),
            ("ArrowUp", "truck E"),
            ("ArrowRight", "truck C"),
            ("ArrowLeft", "truck E"),
            ("ArrowLeft", "car A"),
            ("ArrowDown", "car F"),
            // There is nothing to the left.
            ("ArrowLeft", "car F"),
        ];
        for (key, name) in walk {
            page.press(&[key]);
            assert!(page.focused().starts_with(name), "{key}: expected {name}, found {}", page.focused());
        }
        assert_eq!(moves(page), "0 / 8");
        // The Tab key leaves the board and returns to the same vehicle.
        page.press(&["Tab"]);
        assert!(!page.focused().contains("row"), "{}", page.focused());
        page.press(&["Shift+Tab"]);
        assert!(page.focused().starts_with("car F"), "{}", page.focused());
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn labels_that_differ_only_in_case_take_turns() {
    browse(|page| {
        page.open("/play?board=BBb...C.b...C.AA.c.....c............");
        page.until_text("dl.stats", "/ 2");
        for name in ["car B", "car b", "car B"] {
            page.press(&["b"]);
            assert!(page.focused().starts_with(name), "{name}: {}", page.focused());
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn shortcuts_are_listed_and_can_be_turned_off() {
    browse(|page| {
        page.open_board(JAM01);
        page.press(&["g", "ArrowLeft"]);
        page.until_announced("G left 1. 1 move.");
        page.press(&["?"]);
        page.until_text("[popover]:popover-open", "Shift + H");
        let help = page.text("[popover]:popover-open");
        for key in ["A … Z", "Shift + S", "Shift + U, R", "Shift + N, P", "Tab"] {
            assert!(help.contains(key), "{key} is not in {help}");
        }
        page.click("Use keys without Ctrl as shortcuts");
        page.press(&["Escape"]);
        page.press(&["Shift+u", "c"]);
        assert_eq!(moves(page), "1 / 8");
        assert!(!page.focused().starts_with("truck C"), "{}", page.focused());
        // Shortcuts with Ctrl remain; the choice is remembered.
        page.reload();
        page.until("the move is restored", "return text('dl.stats > div:first-child dd') === '1 / 8'");
        page.press(&["Shift+u"]);
        page.press(&["Control+z"]);
        page.until_announced("Undone: G left 1.");
        page.press(&["Control+y"]);
        page.until_announced("Redone: G left 1.");
    });
}
