//! Sound and vibration: off by default; turned on, moves, blocked vehicles and victories are signalled.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use crate::games::SMALL;
use crate::play::{slide, slide_all};
use serde_json::{Value, json};

/// Script that records the tones and vibrations that the page starts.
const RECORD: &str = "{
    window.tones = [];
    window.vibrations = [];
    window.contexts = 0;
    const { AudioContext, OscillatorNode } = window;
    window.AudioContext = class extends AudioContext { constructor(...all) { super(...all); contexts++; } };
    window.OscillatorNode = class extends OscillatorNode {
      start(when) { super.start(when); tones.push(this.frequency.value); }
    };
    navigator.vibrate = (pattern) => vibrations.push(pattern) > 0;
}";

fn record(page: &Page) {
    page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": RECORD }));
}

/// Returns the tones and vibrations since the last call.
fn signals(page: &Page) -> Value {
    page.js("return [tones.splice(0), vibrations.splice(0)]", &[])
}

/// Slides a vehicle, hits another one, and solves the board.
fn play(page: &Page) -> [Value; 3] {
    page.open_board(SMALL);
    signals(page);
    slide(page, "B-1");
    page.until_announced("1 move.");
    let slid = signals(page);
    slide(page, "B-1");
    page.until_announced("blocked by the edge");
    let blocked = signals(page);
    slide_all(page, "B+2 A+2");
    page.until_text(".won", "2 moves in");
    [slid, blocked, signals(page)]
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn nothing_sounds_or_vibrates_by_default() {
    browse(|page| {
        record(page);
        assert_eq!(play(page), [json!([[], []]), json!([[], []]), json!([[], []])]);
        assert_eq!(page.js("return contexts", &[]), 0);
        page.click("Help");
        let states = page.js("return ['Sound', 'Vibration'].map((name) => called(name)[0].checked)", &[]);
        assert_eq!(states, json!([false, false]));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn moves_blocked_vehicles_and_victories_are_signalled() {
    browse(|page| {
        record(page);
        page.open_board(JAM01);
        page.click("Help");
        page.click("Sound");
        // A sample confirms the choice.
        assert_eq!(signals(page), json!([[196], []]));
        page.click("Vibration");
        assert_eq!(signals(page), json!([[196], [[12]]]));
        page.screenshot("play-help-wide");
        let [slid, blocked, solved] = play(page);
        assert_eq!(slid, json!([[196], [[12]]]));
        assert_eq!(blocked, json!([[82], [[25, 40, 25]]]));
        // Two slides of B are two signals; then A, and the chord.
        assert_eq!(
            solved,
            json!([[196, 196, 196, 196, 262, 330, 392, 523], [[12], [12], [12], [12], [40, 60, 40, 60, 120]]])
        );
        assert_eq!(page.js("return contexts", &[]), 1, "all tones share a context");
        // The choices are also in Results, where the sound is turned off again.
        page.open("/results");
        page.click("Sound");
        let [slid, ..] = play(page);
        assert_eq!(slid, json!([[], [[12]]]));
    });
}
