//! Large boards: plans are shown as they improve. The test sends the lines of the server, so that no state is missed.

use crate::common::{JAM01, JAM01_SOLUTION};
use crate::driver::{Page, browse};
use serde_json::{Value, json};

/// Replaces the calls that search: `feeds` holds the open streams, and `send` adds a line to one of them.
const CALLS: &str = "
    window.feeds = [];
    window.send = (feed, line) => feeds[feed].stream.enqueue(new TextEncoder().encode(JSON.stringify(line) + '\\n'));
    const real = window.fetch;
    window.fetch = async (path, init) => {
        if (path.endsWith('/hint')) {
            if (window.holdHints) return Response.json(await new Promise((answer) => (window.answerHint = answer)));
            const why = 'No solution was found: the time limit was reached.';
            return Response.json({ status: 'limit', moves: null, optimal: false, lower_bound: 5, move: null, why, reasons: [], solution: [] });
        }
        if (path.endsWith('/grade')) return Response.json({ status: 'limit', vehicle_count: 8, blocker_depth: 2, reasons: [] });
        if (!path.endsWith('/solve/stream')) return real(path, init);
        const feed = { stopped: false };
        feeds.push(feed);
        return new Response(new ReadableStream({
            start(stream) {
                feed.stream = stream;
                init.signal.addEventListener('abort', () => {
                    feed.stopped = true;
                    stream.error(init.signal.reason);
                });
            },
        }));
    };";

/// A solution of the first card with ten moves.
fn long_plan() -> String {
    JAM01_SOLUTION.replacen("G-3", "H-1 G-3 H+1", 1)
}

/// What is known when a plan is found.
fn found(plan: &str, lower_bound: u32) -> Value {
    let solution: Vec<&str> = plan.split(' ').collect();
    json!({ "moves": solution.len(), "steps": 20, "lower_bound": lower_bound, "solution": solution })
}

fn answer(plan: &str, lower_bound: u32, status: &str) -> Value {
    let mut answer = found(plan, lower_bound);
    (answer["status"], answer["optimal"]) = (json!(status), json!(status == "solved"));
    json!({ "answer": answer })
}

/// Opens a tab, and waits until it has started a search.
fn open(page: &Page, path: &str) {
    page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": CALLS }));
    page.open(path);
    until_searching(page, 1);
}

fn until_searching(page: &Page, searches: usize) {
    page.until_with("a search is running", "return feeds.length === arguments[0]", &[json!(searches)]);
}

fn send(page: &Page, feed: usize, line: &Value) {
    page.js("send(...arguments)", &[json!(feed), line.clone()]);
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn plans_and_hints_improve_while_the_search_continues() {
    browse(|page| {
        open(page, &format!("/play?board={JAM01}"));
        let nothing = json!({ "moves": null, "steps": null, "lower_bound": 3, "solution": null });
        send(page, 0, &json!({ "improvement": nothing }));
        page.until_text(".play-title", "No solution found yet, at least 3 needed; still searching…");
        send(page, 0, &json!({ "improvement": found(&long_plan(), 5) }));
        page.until_text(".play-title", "10 moves found, at least 5 needed; still searching…");
        let moves = || page.text("dl.stats > div:first-child dd");
        assert_eq!(moves(), "0", "only a proven optimum is shown as the minimum");
        page.screenshot("play-searching-wide");

        // Hints follow the best plan known.
        page.click("Hint");
        page.until_text("section.hint", "From the best plan known so far: 10 moves; at least 5 are needed.");
        assert_eq!(page.js("return document.querySelector('.vehicle.pointed')?.dataset.label", &[]), "H");
        page.click("Which way?");
        page.click("Make this move");
        page.until_announced("1 move.");
        page.click("Hint");
        page.until_text("section.hint", "9 moves to go");
        page.click("Close the hint");
        page.click("Undo");

        send(page, 0, &answer(JAM01_SOLUTION, 8, "solved"));
        page.until("the optimum is known", "return text('dl.stats').includes('0 / 8')");
        page.until("the search has ended", "return !text('.play-title').includes('found')");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_hint_from_a_known_plan_does_not_wait_for_the_server() {
    browse(|page| {
        open(page, &format!("/play?board={JAM01}"));
        send(page, 0, &json!({ "improvement": found(&long_plan(), 5) }));
        page.until_text(".play-title", "10 moves found");
        page.js("window.holdHints = true", &[]);
        let pointed = "return document.querySelector('.vehicle.pointed')?.dataset.label";
        let answer = json!({ "status": "solved", "moves": 8, "optimal": true, "lower_bound": 8, "move": "G-3", "why": "G makes room.",
            "reasons": [], "solution": JAM01_SOLUTION.split(' ').collect::<Vec<_>>() });
        page.click("Hint");
        page.until_text("section.hint", "From the best plan known so far: 10 moves; at least 5 are needed.");
        assert_eq!(page.js(pointed, &[]), "H");
        page.until("the server is asked", "return window.answerHint");
        // The answer replaces it, and is the same hint.
        page.js("answerHint(arguments[0])", std::slice::from_ref(&answer));
        page.until_text("section.hint", "8 moves to go");
        assert_eq!(page.js(pointed, &[]), "G");
        page.until_text(".play-title", "Help used: 1 hint");
        page.click("Close the hint");

        // A move that the player has read stays; the next hint is from the shorter plan.
        page.press(&["h", "ArrowLeft"]);
        page.until_announced("1 move.");
        page.js("delete window.answerHint", &[]);
        page.click("Hint");
        page.until_text("section.hint", "9 moves to go");
        page.click("Which way?");
        page.until_text("section.hint", "Move car G left 3.");
        page.until("the server is asked", "return window.answerHint");
        let mut other = answer;
        (other["move"], other["solution"]) = (json!("B+1"), json!(null));
        page.js("answerHint(arguments[0])", &[other]);
        page.until("the answer has arrived", "return !document.querySelector('.controls [aria-busy]')");
        page.until_text("section.hint", "Move car G left 3.");
        page.until_text(".play-title", "Help used: 2 hints");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn better_solutions_are_offered_during_the_playback() {
    browse(|page| {
        open(page, &format!("/play?board={JAM01}"));
        send(page, 0, &json!({ "improvement": found(&long_plan(), 4) }));
        page.click("Stop");
        page.until("the first search is stopped", "return feeds[0].stopped");
        page.until("it is not searching", "return text('.play-title').endsWith('10 moves found, at least 4 needed')");

        // The plan known is played at once.
        page.click("Solve");
        until_searching(page, 2);
        page.until_text("section.playback", "Solution, 10 moves");
        send(page, 1, &json!({ "improvement": found(&long_plan(), 5) }));
        page.until_text("section.playback", "10 moves found, at least 5 needed; still searching…");
        page.until("the playback has started", "return /[1-9]\\d* \\/ 10/.test(text('section.playback'))");
        send(page, 1, &json!({ "improvement": found(JAM01_SOLUTION, 6) }));
        page.until_text("section.playback", "8 moves found, at least 6 needed; still searching…");
        assert!(page.text("section.playback").contains("Solution, 10 moves"));
        page.screenshot("play-better-wide");
        page.click("Play 8 moves");
        page.until_text("section.playback", "Solution, 8 moves");
        send(page, 1, &answer(JAM01_SOLUTION, 7, "limit"));
        page.until(
            "the search has ended",
            "const shown = text('section.playback');
            return shown.includes('8 moves found, at least 7 needed') && !shown.includes('searching')",
        );

        // A new search does not know the shorter plan, but the page does.
        page.click("Back to my game");
        page.click("Solve");
        until_searching(page, 3);
        page.until_text("section.playback", "Solution, 8 moves");
        send(page, 2, &json!({ "improvement": found(&long_plan(), 5) }));
        page.until_text("section.playback", "8 moves found, at least 5 needed; still searching…");
        assert!(page.text("section.playback").contains("Solution, 8 moves"));
        assert!(!page.text("section.playback").contains("Play 10 moves"));

        // Leaving the playback ends its search.
        page.click("Back to my game");
        page.until("the search is stopped", "return feeds[2].stopped");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_verdict_is_a_bound_until_the_optimum_is_proven() {
    browse(|page| {
        open(page, &format!("/edit?board={JAM01}"));
        send(page, 0, &json!({ "improvement": found(&long_plan(), 5) }));
        page.until_text(".verdict", "Solvable in at most 10 moves");
        page.until_text(".verdict", "at least 5 needed; still searching…");
        send(page, 0, &answer(JAM01_SOLUTION, 6, "limit"));
        page.until_text(".verdict", "Solvable in at most 8 moves");
        page.until("the search has ended", "return !text('.verdict').includes('searching')");

        // The board is too large for a grade.
        page.reload();
        until_searching(page, 1);
        send(page, 0, &answer(JAM01_SOLUTION, 8, "solved"));
        page.until("the verdict is complete", "return !document.querySelector('.verdict[aria-busy]')");
        assert_eq!(page.text(".verdict"), "Solvable in 8 moves 20 steps of one cell each");
    });
}
