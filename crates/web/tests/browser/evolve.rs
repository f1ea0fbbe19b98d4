//! Evolve: a short run, and its champion.

use crate::axe::{axe, violations};
use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use crate::screens::{check_screens, open_tab};
use serde_json::json;

/// Chooses boards that are prepared and tested within seconds.
fn few_boards(page: &Page) {
    page.choose("Boards", "it3105");
    page.choose("Test boards", "vandijk");
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_run_is_watched_and_its_champion_used() {
    browse(|page| {
        page.open(&format!("/evolve?board={JAM01}"));
        page.until_text(".runs", "No runs yet.");
        page.click("More options");
        few_boards(page);
        page.fill_form(&[("Generations", "4"), ("Population", "12"), ("Seed", "3")]);
        // What is announced is heard even if something else follows at once.
        page.js("window.heard = []; new MutationObserver(() => heard.push(document.querySelector('#live').textContent)).observe(document.querySelector('#live'), { childList: true, characterData: true, subtree: true })", &[]);
        page.click("Start");
        page.until_text(".run-stage h2", "Run 1");
        page.until_announced("Run 1 has started");
        // The curves grow with each generation.
        let points = "return document.querySelector('.chart-line.best')?.getAttribute('d')?.split('L').length ?? 0";
        page.until(
            "there is a curve",
            "return document.querySelector('.chart-line.best')?.getAttribute('d')?.includes('L')",
        );
        page.until_text(".run-head", "done");
        assert!(page.js(points, &[]).as_u64().unwrap() >= 4);
        // Percentages come with what they refer to.
        page.until_text(
            ".run-stage",
            "of the nodes of a search without a heuristic (best policy, mean over the training boards)",
        );
        let heard = page.js("return heard.find((text) => text.startsWith('Generation '))", &[]);
        let heard = heard.as_str().unwrap();
        assert!(
            heard.ends_with(" % of the nodes of a search without a heuristic, on average over the training boards"),
            "{heard}"
        );
        page.until_text("section[aria-label=Champion]", "Champion");
        page.until(
            "its rules are drawn",
            "return document.querySelector('section[aria-label=Champion] img').naturalWidth > 50",
        );
        page.click("As text");
        page.until_text("section[aria-label=Champion] pre", "DEFAULT");
        page.until("it is tested", "return document.querySelectorAll('.champion-row').length > 0");
        // The text stays open when the results arrive.
        page.until_text("section[aria-label=Champion] pre", "DEFAULT");
        check_screens(page, &["evolve-run"]);
        for screen in [Screen::Phone, Screen::Wide] {
            page.screen(screen);
            open_tab(page, "evolve-run");
            page.until("it is tested", "return document.querySelectorAll('.champion-row').length > 0");
            assert_eq!(violations(page, &axe(), &format!("run, {screen:?}")), Vec::<String>::new());
        }
        // The drawing follows the theme of the page, not that of the system.
        page.emulate_media(&[("prefers-color-scheme", "dark")]);
        page.click("Theme: system");
        page.until_shades(".drawing img", "dark on light", |[darkest, mean, _]| mean > 200.0 && darkest < 80.0);
        page.emulate_media(&[("prefers-color-scheme", "light")]);
        page.click("Theme: light");
        page.until_shades(".drawing img", "light on dark", |[_, mean, brightest]| mean < 80.0 && brightest > 190.0);

        // The champion guides a search on this board.
        page.click("Use in Compare");
        page.until("it has run", "return [...document.querySelectorAll('[aria-label=\"All counters\"] tbody tr')].some((e) => e.innerText.includes('run-1') && e.cells.length > 3)");
        assert!(page.address().starts_with(&format!("/compare?board={JAM01}")), "{}", page.address());
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_run_is_stopped_and_resumed() {
    browse(|page| {
        page.open("/evolve");
        page.click("More options");
        few_boards(page);
        // A run that does not end by itself.
        page.fill_form(&[("Generations", "10000"), ("Population", "12")]);
        page.choose("Time limit", "no limit");
        page.click("Start");
        page.until_text(".run-head", "running");
        page.control("Stop");
        page.js("called('Stop')[0].dataset.known = 'yes'", &[]);
        page.until(
            "there is a curve",
            "return document.querySelector('.chart-line.best')?.getAttribute('d')?.includes('L')",
        );
        assert_eq!(page.js("return called('Stop')[0].dataset.known", &[]), "yes", "the button is not replaced");
        page.click("Stop");
        page.until_text(".run-head", "stopped");
        let generations = "return Number(text('.fact-row .fact strong'))";
        let before = page.js(generations, &[]).as_u64().unwrap();
        // Another tab and back: it is still there.
        page.click("Play");
        page.until_text("dl.stats", "0 / ");
        page.click("Evolve");
        page.until_text(".run-head", "stopped");
        page.click("Resume");
        page.until_text(".run-head", "running");
        page.until_with(
            "it continues",
            "return Number(text('.fact-row .fact strong')) > arguments[0]",
            &[before.into()],
        );
        page.screenshot("evolve-running-wide");
        // A request about the run may still be open when it is deleted.
        page.js(
            "const { fetch } = window;
             let answered;
             const deleted = new Promise((resolve) => (answered = resolve));
             window.fetch = async (url, init = {}) => {
                 if (!init.method && /runs.1$/.test(url)) await deleted;
                 const response = await fetch(url, init);
                 if (init.method === 'DELETE') answered();
                 return response;
             };",
            &[],
        );
        page.click("Stop");
        page.until_text(".run-head", "stopped");
        page.click("Delete");
        page.accept("Delete run 1 and its champion?");
        page.until_text(".runs", "No runs yet.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_completed_run_continues_for_a_minute_more() {
    browse(|page| {
        let run = json!({ "suite": "it3105", "test": "vandijk", "population": 12, "generations": 2, "seed": 3 });
        let id = page.server.post("/runs", &run).ok()["id"].clone();
        page.open(&format!("/evolve?run={id}"));
        page.until_text(".run-head", "done");
        let run = || page.server.get(&format!("/runs/{id}")).ok();
        let done = run();
        let generations = done["generations"].as_array().unwrap();
        let spent: f64 = generations.iter().map(|line| line["seconds"].as_f64().unwrap()).sum();
        page.click("Continue for 1 min");
        page.until_text(".run-head", "running");
        // The limits are totals, so they include what the run had already used.
        let settings = run()["settings"].clone();
        let budget = settings["budget"].as_str().unwrap().trim_end_matches('s').parse::<f64>().unwrap();
        assert!((spent + 60.0..spent + 61.5).contains(&budget), "{budget} after {spent}");
        assert_eq!(settings["generations"], 10_000);
        page.until_with(
            "there are more generations",
            "return Number(text('.fact-row .fact strong')) > arguments[0]",
            &[generations.len().into()],
        );
        page.click("Stop");
        page.until_text(".run-head", "stopped");
    });
}
