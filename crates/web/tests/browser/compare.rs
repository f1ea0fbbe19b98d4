//! Compare: a comparison of algorithms, and a search step by step.

use crate::common::JAM01;
use crate::driver::{Page, browse};
use serde_json::json;

/// Waits for the result of an algorithm, and returns the cells of its row.
fn row(page: &Page, algorithm: &str) -> Vec<String> {
    let script = "
        const row = [...document.querySelectorAll('[aria-label=\"All counters\"] tbody tr')].find((e) => plain(e.cells[0].innerText) === arguments[0]);
        return row?.cells.length > 3 && [...row.cells].map((cell) => plain(cell.innerText))";
    let cells = page.until_with(&format!("there is a result of {algorithm}"), script, &[json!(algorithm)]);
    cells.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect()
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn algorithms_are_compared_on_a_board() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.open(&format!("/compare?board={JAM01}"));
        let algorithms = ["bfs", "astar(blockers)"];
        let records = page.server.post("/compare", &json!({ "board": JAM01, "algorithms": algorithms })).ok();
        for (i, algorithm) in algorithms.into_iter().enumerate() {
            let cells = row(page, algorithm);
            let expanded = records["records"][i]["expanded"].as_u64().unwrap();
            assert_eq!((cells[1].as_str(), cells[3].replace(',', "")), ("8", expanded.to_string()));
        }
        // Every selected algorithm has a bar; A* expands fewer states than breadth-first search.
        page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        let widths = page.js("return [...document.querySelectorAll('[aria-label=\"States expanded by each algorithm\"] .chart-bar')].map((e) => e.getBoundingClientRect().width)", &[]);
        let widths: Vec<f64> = widths.as_array().unwrap().iter().map(|width| width.as_f64().unwrap()).collect();
        assert!(widths.len() >= 5 && widths.iter().all(|&width| width > 1.0) && widths[1] < widths[0], "{widths:?}");
        // The axis of the times has a unit.
        let ticks = || {
            let script = "return [...document.querySelectorAll('[aria-label=\"Time of each algorithm\"] .chart-tick')].map((e) => e.textContent)";
            let ticks = page.js(script, &[]).as_array().unwrap().clone();
            ticks.into_iter().map(|tick| tick.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let has_unit = |tick: &String| [" µs", " ms", " s"].iter().any(|unit| tick.ends_with(unit));
        assert!(ticks().len() >= 2 && ticks().iter().all(has_unit), "{:?}", ticks());
        page.click("linear");
        assert!(ticks().len() >= 2 && ticks().iter().all(has_unit), "{:?}", ticks());
        let linear = page.js("return [...document.querySelectorAll('[aria-label=\"States expanded by each algorithm\"] .chart-bar')].map((e) => e.getBoundingClientRect().width)", &[]);
        assert!(linear[1].as_f64().unwrap() < widths[1]);

        // Another algorithm by its expression; then an unknown one.
        page.fill("Algorithm expression", "wastar(h1, weight=3)");
        page.press(&["Enter"]);
        let cells = row(page, "wastar(h1, weight=3)");
        assert!(cells[1].starts_with(|c: char| c.is_ascii_digit()), "{cells:?}");
        page.fill("Algorithm expression", "astar(bockers)");
        page.press(&["Enter"]);
        page.until_text("[role=alert]", "bockers");
        page.click("Remove bfs");
        page.until(
            "bfs is gone",
            "return ![...document.querySelectorAll('.lineup code')].some((e) => e.innerText === 'bfs')",
        );
        // The selection is remembered.
        page.reload();
        row(page, "wastar(h1, weight=3)");
        assert!(page.js("return document.querySelector('.lineup').innerText.includes('bfs')", &[]) == false);
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_search_is_watched_step_by_step() {
    browse(|page| {
        page.open(&format!("/compare?board={JAM01}"));
        page.until("all have run", "return name(document.querySelector('.lineup + button')) === 'Run all'");
        // A clock on which a frame takes one millisecond, so that the search is paused before it ends on any machine.
        let slow = "
            let now = performance.now();
            const frame = requestAnimationFrame.bind(window);
            performance.now = () => now;
            window.requestAnimationFrame = (work) => frame(() => work(now += 1))";
        page.js(slow, &[]);
        page.choose("Algorithm to watch", "astar(blockers)");
        page.click("Watch");
        page.until("the search spreads", "return /Step [1-9]/.test(text('.stage-side'))");
        page.click("Pause");
        let step = "return Number(called('Step')[0].value)";
        let now = page.js(step, &[]).as_u64().unwrap();
        page.click("Step forward");
        assert_eq!(page.js(step, &[]), now + 1);
        page.until_announced(&format!("Step {}", now + 1));
        assert!(page.text(".stage-side").contains("only generated"));
        page.click("Step back");
        page.click("Step back");
        assert_eq!(page.js(step, &[]), now - 1);
        let painted = "
            const canvas = document.querySelector('.stage canvas');
            const { data } = pixels(canvas);
            let painted = 0;
            for (let i = 3; i < data.length; i += 4) if (data[i] > 100) painted++;
            return painted > 5000";
        page.until("the graph is painted", painted);
        page.screenshot("compare-watch-wide");
        // At the end the target is at the exit.
        page.js(
            "const slider = called('Step')[0]; slider.value = slider.max; slider.dispatchEvent(new Event('input'))",
            &[],
        );
        page.until_text(".stage-side", "solved.");
    });
}
