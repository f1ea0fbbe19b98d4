//! The page without a server: the static files of `./site`, with the network off after the first visit.

use crate::both::{assert_alike, requests};
use crate::common::{JAM01, JAM01_SOLUTION, endless_board};
use crate::driver::{Page, browse};
use crate::play::{moves, slide_all};
use crate::static_files::StaticHost;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// Largest size of the engine in bytes, and of the compressed engine; `docs/RESULTS.md` has the requirement for the latter.
const MAX_ENGINE: usize = 900_000;
const MAX_COMPRESSED: usize = 420_000;

/// The card with the longest solution.
const JAM40: &str = "BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.";

/// Returns the folder of the site.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/site");
    assert!(folder.join("engine.wasm").exists(), "build the site first, with ./site (./check does this)");
    folder
}

/// Opens the page from static files, waits until it is stored, and turns the network off. Returns the URL of the page.
pub fn open_offline(page: &Page) -> String {
    let host = StaticHost::serve(&folder());
    page.open_url(&host.url(""));
    page.until("the page is stored", "return navigator.serviceWorker.controller !== null");
    host.url("")
}

/// Sends a request with the client of the page. Returns its status and its body.
fn send(page: &Page, request: &Value) -> (u16, Value) {
    let script = "
        const [path, body, isStream] = arguments;
        return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
            const response = await send(path, body === null ? {} : { method: 'POST', body: JSON.stringify(body) });
            return [response.status, await response.text()];
        })";
    let arguments = [request["path"].clone(), request["body"].clone(), request["lines"].clone()];
    let answer = page.js(script, &arguments);
    let (status, text) = (answer[0].as_u64().unwrap() as u16, answer[1].as_str().unwrap());
    if request["lines"] == true && status == 200 {
        return (status, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>().into());
    }
    (status, serde_json::from_str(text).unwrap())
}

/// Checks that the engine is quickly loaded.
fn assert_small() {
    let engine = fs::read(folder().join("engine.wasm")).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&engine).unwrap();
    let (size, compressed) = (engine.len(), encoder.finish().unwrap().len());
    assert!(size <= MAX_ENGINE && compressed <= MAX_COMPRESSED, "{size} bytes, {compressed} compressed");
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_puzzle_is_played_without_a_network() {
    browse(|page| {
        let url = open_offline(page);
        page.open_url(&format!("{url}play/?board={JAM01}"));
        page.until("the optimum is known", "return text('dl.stats').includes('/')");
        assert_eq!(moves(page), "0 / 8");
        page.click("Hint");
        page.until_text("section.hint", "Look at car G.");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "It cannot be solved in fewer moves; without hints it would be perfect.");
        // The result is stored, also where the server would store it.
        let script = "
            const player = JSON.parse(localStorage.getItem('clearway.player') ?? 'null');
            return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
                const path = '/players/0123456789abcdef/results';
                const game = { board: arguments[0], moves: arguments[1].split(' '), seconds: 4 };
                const added = await (await send(path, { method: 'POST', body: JSON.stringify(game) })).json();
                const worse = await (await send(path, { method: 'POST', body: JSON.stringify({ ...game, seconds: 5 }) })).json();
                const { items } = await (await send(path, {})).json();
                const removed = await send(path, { method: 'DELETE' });
                return [added, worse.best, items, removed.status];
            })";
        let results = page.js(script, &[json!(JAM01), json!(JAM01_SOLUTION)]);
        assert_eq!(results[0], json!({ "optimum": 8, "moves": 8, "perfect": true, "best": true }));
        assert_eq!((&results[1], &results[3]), (&json!(false), &json!(204)));
        assert_eq!(results[2][0]["best"], json!({ "moves": 8, "seconds": 4 }));
        assert_eq!((&results[2][0]["solved"], &results[2][0]["board"]), (&json!(2), &json!(JAM01)));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_tab_works_without_a_network() {
    browse(|page| {
        let url = open_offline(page);
        // A path without a slash at its end, and a chapter of the book.
        page.open_url(&format!("{url}results"));
        page.open_url(&format!("{url}docs/playing/"));
        page.until_text(".book h1", "The web interface");
        page.until("the pictures are shown", "return document.querySelector('.book img')?.naturalWidth > 0");
        page.open_url(&format!("{url}explore/?board=4x4:.B...BAA........"));
        page.until("the graph is drawn", "return document.querySelector('canvas') !== null");
        page.open_url(&format!("{url}compare/?board={JAM01}"));
        page.until("there are algorithms", "return document.querySelector('main select, main input') !== null");
        page.open_url(&format!("{url}evolve/"));
        page.until_text("main", "evolution needs one");

        // Puzzles are generated, and stored as a pack.
        page.open_url(&format!("{url}forge/"));
        page.until_text(".packs", "No packs yet.");
        page.fill_form(&[("Moves from", "3"), ("to", "9")]);
        page.choose("Size", "5x5");
        page.fill("Number of puzzles", "2");
        page.click("Generate puzzles");
        page.until("there are two puzzles", "return document.querySelectorAll('.puzzle').length === 2");
        page.fill("Name of the pack", "Holidays");
        page.click("Save 2");
        page.until_text(".packs", "Holidays 2 puzzles");
        page.reload();
        page.until_text(".packs", "Holidays 2 puzzles");
        let script = "
            return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
                const { items } = await (await send('/packs?limit=500', {})).json();
                const path = `/packs/${items[0].id}`;
                const more = { boards: [arguments[0]] };
                const pack = await (await send(`${path}/boards`, { method: 'POST', body: JSON.stringify(more) })).json();
                const file = await send(`${path}/file?format=jsonl`, {});
                const removed = await send(path, { method: 'DELETE' });
                return [pack.puzzles.length, (await file.text()).trim().split('\\n').length, removed.status, (await send(path, {})).status];
            })";
        assert_eq!(page.js(script, &[json!(JAM01)]), json!([3, 3, 204, 404]));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_page_without_a_server_answers_like_a_server() {
    browse(|page| {
        let url = open_offline(page);
        page.open_url(&format!("{url}play/"));
        for request in requests() {
            assert_alike(&page.server, &request, send(page, &request));
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_new_version_waits_until_the_page_is_closed() {
    browse(|page| {
        let copy = tempfile::tempdir().unwrap();
        let status = Command::new("cp").arg("-r").arg(folder().join(".")).arg(copy.path()).status().unwrap();
        assert!(status.success());
        let host = StaticHost::serve(copy.path());
        page.open_url(&host.url(""));
        page.until("the page is stored", "return navigator.serviceWorker.controller !== null");
        let worker = copy.path().join("sw.js");
        let text = fs::read_to_string(&worker).unwrap();
        let version = text.split_once("VERSION = '").unwrap().1.split_once('\'').unwrap().0.to_owned();
        fs::write(&worker, text.replace(&version, "later")).unwrap();
        fs::write(copy.path().join("docs/glossary.md"), "# Later\n").unwrap();
        page.js(
            "return navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => null)",
            &[],
        );
        page.until(
            "the new version is stored",
            "return navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)",
        );
        page.open_url(&host.url("docs/glossary/"));
        page.until_text(".book h1", "Glossary");
        // No page of the old version is left.
        page.open("/play");
        page.until("the other site is open", "return location.port !== ''");
        page.open_url(&host.url("docs/glossary/"));
        page.until_text(".book h1", "Later");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_search_is_cancelled_and_does_not_delay_others() {
    browse(|page| {
        let url = open_offline(page);
        page.open_url(&format!("{url}play/"));
        let script = "
            const [endless, board] = arguments;
            return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
                const post = (path, body, signal) => send(path, { method: 'POST', body: JSON.stringify(body), signal });
                const stopping = new AbortController();
                // More than there are workers.
                const searches = Array.from({ length: 6 }, () => post('/solve', { board: endless, algorithm: 'id' }, stopping.signal).catch((error) => error.name));
                setTimeout(() => stopping.abort(), 200);
                const ended = await Promise.all(searches);
                const hint = await (await post('/hint', { board })).json();
                return [ended, hint.move];
            })";
        let answer = page.js(script, &[json!(endless_board()), json!(JAM01)]);
        assert_eq!(answer, json!([vec!["AbortError"; 6], "G-3"]));
    });
}

/// Prints what `docs/RESULTS.md` records; times are not asserted, because the machine may be busy.
#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_engine_is_small_and_the_page_is_quick() {
    assert_small();
    browse(|page| {
        let url = open_offline(page);
        let script = "
            return new Promise((resolve) => {
                const check = () => (text('dl.stats').includes('0 / ') ? resolve(performance.now()) : requestAnimationFrame(check));
                check();
            })";
        let ready: Vec<f64> = (0..3)
            .map(|_| {
                page.open_url(&format!("{url}play/"));
                page.js(script, &[]).as_f64().unwrap()
            })
            .collect();
        let script = "
            return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
                const times = [];
                for (let i = 0; i < 5; i++) {
                    const started = performance.now();
                    await send('/hint', { method: 'POST', body: JSON.stringify({ board: arguments[0] }) });
                    times.push(performance.now() - started);
                }
                return times;
            })";
        let hints = page.js(script, &[json!(JAM40)]);
        eprintln!("milliseconds from a navigation to a puzzle: {ready:?}; of hints for JAM40: {hints}");
    });
}
