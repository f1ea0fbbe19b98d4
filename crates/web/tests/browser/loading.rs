//! Opening a tab: it is painted soon, and nothing that is visible moves when the rest arrives.

use crate::comfort::resize;
use crate::common::JAM01;
use crate::driver::browse;
use crate::screens::{TABS, open_tab};
use serde_json::json;

/// Script that records by how much visible elements shift, and which.
const RECORD: &str = "
    window.shift = 0;
    window.shifted = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        shift += value;
        shifted.push(`${value.toFixed(3)}: ${sources.map(({ node, previousRect, currentRect }) => `${node?.nodeType === 1 ? `${node.tagName}.${node.className}` : node?.data} from y ${previousRect.y} to ${currentRect.y}`).join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true })";

/// Largest sum of shifts; the Web Vitals call 0.1 good.
const MAX_SHIFT: f64 = 0.02;

/// Longest time to the first content in milliseconds, on a machine that may be busy; the Web Vitals call 1,800 ms good.
const MAX_PAINT: f64 = 3000.0;

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn opening_a_tab_shifts_hardly_anything() {
    browse(|page| {
        page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": RECORD }));
        let mut found = Vec::new();
        // Chromium records no shifts while it emulates a phone, but does in a narrow window.
        for (width, height) in [(360, 740), (1440, 900)] {
            resize(page, width, height);
            for tab in TABS {
                open_tab(page, tab);
                let script = "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([shift, shifted.join('; ')]))))";
                let shifts = page.js(script, &[]);
                eprintln!("{tab}, {width} pixels: {} {}", shifts[0], shifts[1]);
                if shifts[0].as_f64().unwrap() >= MAX_SHIFT {
                    found.push(format!("{tab}, {width} pixels: {shifts}"));
                }
            }
        }
        assert!(found.is_empty(), "{found:#?}");
        // Shifts are recorded.
        page.open_board(JAM01);
        page.js("shift = 0; document.querySelector('main').style.paddingTop = '300px'", &[]);
        page.until("the shift is recorded", "return shift > 0.01");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_tab_is_painted_soon() {
    browse(|page| {
        for tab in TABS {
            open_tab(page, tab);
            let script = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
            let paint = page.until("the first paint is recorded", script).as_f64().unwrap();
            eprintln!("{tab}: first content after {paint:.0} ms");
            assert!(paint < MAX_PAINT, "{tab}: first content after {paint:.0} ms");
        }
    });
}
