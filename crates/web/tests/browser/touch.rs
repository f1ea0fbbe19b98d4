//! The first card is solved by touch on a phone; every step is saved as a picture, so that people can look at the game as a player
//! sees it: `target/screenshots/touch-NN-STEP.png`.

use crate::common::{JAM01, JAM01_SOLUTION};
use crate::driver::{Page, Screen, browse};
use serde_json::{Value, json};
use std::cell::Cell;

/// A finger on the screen.
struct Finger<'a> {
    page: &'a Page,
    /// Number of pictures so far.
    frames: Cell<u32>,
}

impl Finger<'_> {
    /// Sends a touch event as a touch screen does.
    fn send(&self, kind: &str, at: Option<(f64, f64)>) {
        let points: Vec<Value> = at.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        self.page.devtools("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    }

    fn frame(&self, step: &str) {
        self.frames.set(self.frames.get() + 1);
        self.page.screenshot(&format!("touch-{:02}-{step}", self.frames.get()));
    }

    /// Drags a vehicle by whole cells. A picture is taken half way and at the end.
    fn drag(&self, label: &str, cells: f64) {
        let script = "
            const car = vehicle(arguments[0]);
            if (car.getAnimations().length) return false;
            const { x, y, width, height } = car.querySelector('.ring').getBoundingClientRect();
            return [x + width / 2, y + height / 2, 64 * car.ownerSVGElement.getScreenCTM().a, car.getAttribute('aria-orientation') === 'horizontal']";
        let place = self.page.until_with("the vehicle has stopped moving", script, &[json!(label)]);
        let [x, y, cell] = [0, 1, 2].map(|i| place[i].as_f64().unwrap());
        let at = |part: f64| {
            let by = part * cells * cell;
            Some(if place[3] == true { (x + by, y) } else { (x, y + by) })
        };
        self.send("touchStart", at(0.0));
        (1..=3).for_each(|step| self.send("touchMove", at(f64::from(step) / 6.0)));
        let (before, after) = (self.centre(label), at(0.5).unwrap());
        // The vehicle is under the finger.
        assert!((before.0 - after.0).abs() < 3.0 && (before.1 - after.1).abs() < 3.0, "{label}: {before:?} {after:?}");
        self.frame(&format!("{label}-half-way"));
        (4..=6).for_each(|step| self.send("touchMove", at(f64::from(step) / 6.0)));
        self.send("touchEnd", None);
    }

    /// Returns the centre of a vehicle on the screen.
    fn centre(&self, label: &str) -> (f64, f64) {
        let script = "
            const { x, y, width, height } = vehicle(arguments[0]).querySelector('.ring').getBoundingClientRect();
            return [x + width / 2, y + height / 2]";
        let at = self.page.js(script, &[json!(label)]);
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_first_card_is_solved_by_touch() {
    browse(|page| {
        page.screen(Screen::Phone);
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text("dl.stats", "0 / 8");
        let finger = Finger { page, frames: Cell::new(0) };
        finger.frame("start");
        // What a new player reads and can tap is not hidden behind the navigation.
        let seen = "return called('Tutorial')[0].getBoundingClientRect().bottom <= document.querySelector('nav').getBoundingClientRect().top";
        assert_eq!(page.js(seen, &[]), true);
        let state = "return [scrollX, scrollY, String(getSelection()), visualViewport.scale]";
        let before = page.js(state, &[]);
        let steps: Vec<(&str, f64)> = JAM01_SOLUTION
            .split(' ')
            .map(|step| {
                let (label, cells) = step.split_at(1);
                (label, cells.parse().unwrap())
            })
            .collect();
        for (number, (label, cells)) in (1..).zip(&steps) {
            finger.drag(label, *cells);
            page.until_text("dl.stats", &format!("{number} / 8"));
            if number < steps.len() {
                page.seen_at(label);
            }
            finger.frame(&format!("{label}-moved"));
            // A drag neither scrolls nor zooms the page, and selects no text.
            assert_eq!(page.js(state, &[]), before, "after {label}");
        }
        page.until_text(".won", "Perfect!");
        finger.frame("victory");
        page.until("the confetti is gone", "return document.querySelector('.confetti') === null");
        finger.frame("afterwards");
        // The button to go on is visible and is tapped.
        let at = page.js("const { x, y, width, height } = document.querySelector('.won .primary').getBoundingClientRect(); return [x + width / 2, y + height / 2, innerHeight]", &[]);
        let [x, y, height] = [0, 1, 2].map(|i| at[i].as_f64().unwrap());
        assert!(y < height, "{at}");
        finger.send("touchStart", Some((x, y)));
        finger.send("touchEnd", None);
        page.until_text("h1", "JAM02");
        finger.frame("next");
    });
}
