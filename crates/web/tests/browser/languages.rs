//! The page in German and French.

use crate::common::{JAM01, JAM01_SOLUTION};
use crate::driver::{Page, Screen, browse};
use crate::play::{moves, slide, slide_all};
use crate::screens::{OVERFLOWING, STILL, TABS, assert_none};
use serde_json::json;

/// Opens a tab with the first card, and waits until it is complete in any language.
fn open_tab(page: &Page, tab: &str) {
    page.open(&format!("/{tab}?board={JAM01}"));
    let complete = match tab {
        "play" => "text('dl.stats').includes('/ 8')",
        "edit" => "document.querySelector('.whys')",
        "forge" => "document.querySelector('.packs li')",
        "compare" => "!document.querySelector('.lineup li:not([data-state=done])')",
        "evolve" => "document.querySelector('.run-stage h2')",
        _ => "document.querySelector('.fact-row')",
    };
    page.until("the tab is complete", &format!("return {complete}"));
    page.until("the colours have changed", STILL);
}

/// Script that finds visible texts and labels that are still in English, and keys of messages that are missing.
const ENGLISH: &str = "
    const load = async (language) => {
      const parts = await Promise.all(['play', 'tools', 'algorithms'].map((part) => import(`/messages/${language}/${part}.js`)));
      return Object.assign({}, ...parts.map((part) => part.default));
    };
    const texts = (message) => typeof message === 'string' ? [message] : Object.values(message);
    return (async () => {
      const [english, own] = [await load('en'), await load(document.documentElement.lang)];
      const known = new Set(Object.values(own).flatMap(texts).map((text) => text.toLowerCase()));
      const foreign = new Set(Object.values(english).flatMap(texts).map((text) => text.toLowerCase()).filter((text) => !known.has(text) && !text.includes('{')));
      const found = [];
      for (const e of document.querySelectorAll('body, body *')) {
        if (e.closest('[lang=en], noscript, script') || !e.checkVisibility()) continue;
        const own = [...e.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => plain(node.data));
        const labels = ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription'].map((name) => plain(e.getAttribute(name)));
        for (const text of [...own, ...labels]) if (text && (foreign.has(text.toLowerCase()) || Object.hasOwn(english, text) || text.includes('undefined'))) found.push(text);
      }
      return found;
    })()";

/// Returns the language of the document, and the title of the browser's tab.
fn language_and_title(page: &Page) -> (String, String) {
    let found = page.js("return [document.documentElement.lang, document.title]", &[]);
    let text = |at: usize| found[at].as_str().unwrap().to_owned();
    (text(0), text(1))
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_browser_in_german_gets_german() {
    browse(|page| {
        page.set_languages("de-AT,de,en");
        page.open_board(JAM01);
        assert_eq!(language_and_title(page), ("de".into(), "Dein Rätsel · Spielen · clearway".into()));
        page.click("Tipp");
        page.until_text("section.hint", "Sieh dir Auto G an.");
        page.until_announced("Tipp: Sieh dir Auto G an. noch 8 Züge.");
        page.click("Wohin?");
        page.until_text("section.hint", "Schiebe Auto G 3 Felder nach links.");
        page.click("Warum?");
        page.until_text("section.hint", "Auto G fährt 3 Felder nach links und macht Platz: Laster C kann dann");
        assert_none(page, ENGLISH, "English in the hint");
        page.screenshot("german-hint-wide");
        page.press(&["a", "ArrowRight"]);
        page.until_announced("Auto A kommt nicht weiter: Laster E ist im Weg.");
        page.click("Lösen");
        page.until_text("section.playback", "Lösung, 8 Züge");
        page.click("Pause");
        assert!(page.text("section.playback").contains("Auto G 3 Felder nach links"));
        assert_none(page, ENGLISH, "English in the solution");
        page.screenshot("german-solution-wide");
        page.click("Zurück zu meinem Spiel");
        let (first, others) = JAM01_SOLUTION.split_once(' ').unwrap();
        slide(page, first);
        page.until_announced("G 1 Feld nach links. 1 Zug.");
        slide_all(page, others);
        page.until_text(".won", "Gelöst!");
        let won = page.text(".won");
        assert!(won.contains("8 Züge in") && won.contains("mit 1 Tipp und Lösung"), "{won}");
        assert!(won.contains("Du hast dir die Lösung angesehen, daher zählt dieses Spiel nicht."), "{won}");
        assert_none(page, ENGLISH, "English in the victory");
        page.screenshot("german-won-wide");
        // Without help it is perfect.
        page.click("Noch einmal");
        slide_all(page, JAM01_SOLUTION);
        page.until_text(".won", "Perfekt! 8 Züge in");
        page.open("/results");
        page.until_text(".fact-row", "1 Rätsel gelöst");
        assert!(page.text(".history").contains("8 Züge in"), "{}", page.text(".history"));
        assert_none(page, ENGLISH, "English in the results");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_choice_and_errors_are_in_german() {
    browse(|page| {
        page.set_languages("de");
        page.screen(Screen::Phone);
        page.open("/play?level=tutorial");
        page.until_text("h1", "Fahren");
        page.until_text(".aside", "Schiebe das rote Fahrzeug mit dem Stern zur Ausfahrt rechts.");
        page.open("/play?level=beginner");
        page.until_text("h1", "Einsteiger 1");
        page.click("Rätsel");
        page.until_text("dialog[open] h2", "Einsteiger");
        page.click("Alle Rätsel");
        page.until_text("dialog[open]", "Die 40 Karten des klassischen Spiels");
        for part in ["Einführung", "Oberstufe", "Leicht", "0 von", "Das Zielfahrzeug muss zurücksetzen"] {
            assert!(page.text("dialog[open]").contains(part), "{part}: {}", page.text("dialog[open]"));
        }
        assert_none(page, ENGLISH, "English in the choice");
        assert_none(page, OVERFLOWING, "the choice overflows");
        let fits = "const { scrollWidth, clientWidth } = document.querySelector('dialog[open] .dialog-body'); return scrollWidth <= clientWidth";
        assert_eq!(page.js(fits, &[]), true, "the choice scrolls sideways");
        page.screenshot("german-choice-phone");
        page.click("Schließen");
        page.click("Hilfe");
        page.until_text("[popover]:popover-open", "So wird gespielt");
        assert_none(page, ENGLISH, "English in the help");
        assert_none(page, OVERFLOWING, "the help overflows");
        // What the server explains in English is marked.
        page.expect_message("400 (Bad Request)");
        page.open("/play?board=ABC");
        page.until_text(".aside [role=alert]", "Der Server meldet auf Englisch: ");
        assert_none(page, ENGLISH, "English in an error");
        let marked = "return plain(document.querySelector('.aside [role=alert] > span[lang=en]').textContent)";
        let (marked, whole) = (page.js(marked, &[]), page.text(".aside [role=alert]"));
        let marked = marked.as_str().unwrap();
        assert!(
            marked.len() > 10 && whole.starts_with(&format!("Der Server meldet auf Englisch: {marked}")),
            "{whole}"
        );
        page.expect_message("404 (Not Found)");
        page.open("/nothing");
        page.until_text("h1", "Seite nicht gefunden");
        assert_none(page, ENGLISH, "English on the page for unknown addresses");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn every_tab_is_translated_and_fits_the_screen() {
    browse(|page| {
        let cards = page.server.get("/suites/cards").ok();
        let boards = [0, 1, 2].map(|at| cards["boards"][at]["board"].clone());
        page.server.post("/packs", &json!({ "name": "Abc", "boards": boards })).ok();
        for (language, name) in [("de", "german"), ("fr", "french")] {
            page.set_languages(language);
            for (screen, tab) in Screen::ALL.into_iter().flat_map(|screen| TABS.map(|tab| (screen, tab))) {
                page.screen(screen);
                open_tab(page, tab);
                assert_eq!(language_and_title(page).0, language);
                page.js("document.querySelectorAll('details').forEach((e) => (e.open = true))", &[]);
                page.screenshot(&format!("{name}-{tab}-{}", format!("{screen:?}").to_lowercase()));
                assert_none(page, ENGLISH, &format!("{tab}, {language}: English"));
                assert_none(page, OVERFLOWING, &format!("{tab}, {language}, {screen:?}: overflow"));
            }
            // The widths at which the tabs have the least room: beside the other controls, and on a phone in landscape.
            for (width, height) in [(880, 700), (960, 700), (640, 360), (320, 640)] {
                let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                page.devtools("Emulation.setDeviceMetricsOverride", &metrics);
                open_tab(page, "play");
                assert_none(page, OVERFLOWING, &format!("{language}, {width} pixels: overflow"));
                page.screenshot(&format!("{name}-play-{width}"));
            }
        }
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn expressions_are_explained_in_german_and_french() {
    browse(|page| {
        let unfold = "
            const unfolded = [...document.querySelectorAll('.explained')].find((e) => e.textContent.startsWith(arguments[0]));
            if (!unfolded) return false;
            unfolded.open = true;
            return [...unfolded.querySelectorAll('dd')].map((e) => [e.lang, plain(e.textContent)])";
        let cases = [
            (
                "de",
                "IDA*: iterative Tiefensuche, von einer Heuristik geleitet",
                "Fahrzeuge, die das Zielfahrzeug blockieren",
            ),
            ("fr", "IDA* : approfondissement itératif guidé par une heuristique", "véhicules qui bloquent la cible"),
        ];
        for (language, algorithm, heuristic) in cases {
            page.set_languages(language);
            open_tab(page, "compare");
            let found = page.until_with("it is explained", unfold, &[json!("ida(h1, both, increment=8)")]);
            assert_eq!(found[0], json!(["", algorithm]));
            let text = found[1][1].as_str().unwrap();
            assert!(text.starts_with(&format!("blockers-lower-bound: {heuristic}")), "{text}");
            assert_eq!(found.as_array().unwrap().len(), 4, "{found}");
        }
        // Policies are described by those who made them, in English.
        page.js("localStorage.setItem('clearway.lineup', JSON.stringify(['ida(policy=hand, both)']))", &[]);
        open_tab(page, "compare");
        let found = page.until_with("it is explained", unfold, &[json!("ida(policy=hand, both)")]);
        assert_eq!(found[1][0], "en");
        assert!(found[1][1].as_str().unwrap().starts_with("Hc of the reproduction"), "{found}");
        page.js("document.querySelector('details.chooser').open = true", &[]);
        assert_none(page, ENGLISH, "English in Compare");
        page.screenshot("french-explained-wide");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn changing_the_language_keeps_the_game() {
    browse(|page| {
        page.open_board(JAM01);
        assert_eq!(language_and_title(page).0, "en");
        slide_all(page, "G-3 C+3");
        assert_eq!(moves(page), "2 / 8");
        page.choose("Language", "Deutsch");
        page.until_text("nav", "Spielen");
        page.until("the optimum is known", "return text('dl.stats').includes('/')");
        assert_eq!((moves(page), page.at("G")), ("2 / 8".into(), 2));
        assert_eq!(page.address(), format!("/play?board={JAM01}"));
        // The choice stays, in other tabs too.
        page.reload();
        page.until_text("nav", "Spielen");
        page.click("Erzeugen");
        page.until_text("h1", "Erzeugen");
        page.choose("Sprache", "Français");
        page.until_text("h1", "Créer");
        page.click("Jouer");
        page.until_text("dl.stats", "2 / 8");
        page.choose("Langue", "English");
        page.until_text("nav", "Play");
        page.until_text("dl.stats", "2 / 8");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn only_the_chosen_language_is_loaded() {
    browse(|page| {
        let script = "return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname).filter((path) => path.startsWith('/messages/')).sort()";
        page.open_board(JAM01);
        assert_eq!(page.js(script, &[]), json!(["/messages/en/play.js"]));
        page.set_languages("xx,fr-CA,de");
        page.open_board(JAM01);
        assert_eq!(page.js(script, &[]), json!(["/messages/en/play.js", "/messages/fr/play.js"]));
        page.click("Comparer");
        page.until_text("h1", "Comparer");
        let all = ["en/algorithms", "en/play", "en/tools", "fr/algorithms", "fr/play", "fr/tools"]
            .map(|file| format!("/messages/{file}.js"));
        assert_eq!(page.js(script, &[]), json!(all));
    });
}
