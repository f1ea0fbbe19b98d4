//! The choice of puzzles: levels with their progress, filters, themes, suites, the daily puzzles, and the tutorial.

use crate::common::JAM01;
use crate::driver::{Page, Screen, browse};
use crate::play::{moves, slide_all};
use serde_json::{Value, json};

/// Opens the overview of the puzzles.
fn open_overview(page: &Page) {
    page.click("Puzzles");
    page.until("the dialog is filled", "return text('dialog[open]') && !text('dialog[open]').includes('Loading')");
    if page.enabled("All puzzles") {
        page.click("All puzzles");
    }
    page.until_text("dialog[open]", "Hard 8x8");
}

/// Returns the text of the row of a level.
fn row(page: &Page, level: &str) -> String {
    let script = "return plain([...document.querySelectorAll('.levels li')].find((e) => e.innerText.startsWith(arguments[0])).querySelector('.little').innerText)";
    page.js(script, &[json!(level)]).as_str().unwrap().to_owned()
}

/// Stores a game without help for a puzzle in the browser.
fn solve(page: &Page, puzzle: &Value, moves: u64) {
    let game =
        json!({ "at": 1_770_000_000_000_u64, "moves": moves, "seconds": 20, "hints": 0, "solutionShown": false });
    let record = json!({ "name": puzzle["name"], "source": { "level": puzzle["level"] }, "optimum": puzzle["moves"], "games": [game] });
    page.js(
        "localStorage.setItem(`clearway.record.${arguments[0]}`, arguments[1])",
        &[puzzle["board"].clone(), json!(record.to_string())],
    );
}

/// Returns the puzzles of a level from the server.
fn puzzles_of(page: &Page, level: &str) -> Vec<Value> {
    page.server.get(&format!("/levels/{level}")).ok()["puzzles"].as_array().unwrap().clone()
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn levels_show_the_progress_and_open_new_puzzles() {
    browse(|page| {
        page.open_board(JAM01);
        let puzzles = puzzles_of(page, "beginner");
        let fewest = |at: usize| puzzles[at]["moves"].as_u64().unwrap();
        solve(page, &puzzles[0], fewest(0));
        solve(page, &puzzles[1], fewest(1) + 1);
        solve(page, &puzzles[2], 3 * fewest(2));
        open_overview(page);
        let count = puzzles.len();
        assert_eq!(row(page, "Beginner"), format!("3 of {count} solved, 1 perfect, ★ 6 of {}", 3 * count));
        assert!(row(page, "Expert").starts_with("0 of "), "{}", row(page, "Expert"));
        page.screenshot("chooser-levels-wide");
        // The puzzles of a level, with their stars.
        page.js("document.querySelector('.level-open[data-level=beginner]').click()", &[]);
        page.until_text("dialog[open] h2", "Beginner");
        assert_eq!(page.focused(), "Beginner");
        page.until("the stars are shown", "return document.querySelectorAll('.gallery .rating').length === 3");
        let ratings =
            page.js("return [...document.querySelectorAll('.gallery .rating')].map((e) => plain(e.innerText))", &[]);
        assert_eq!(ratings, json!(["★★★ perfect, 3 stars", "★★☆ solved, 2 stars", "★☆☆ solved, 1 star"]));
        // A card shows the length and the predicted time; so does Play.
        let short =
            |puzzle: &Value| format!("≈ {:.0} s", (puzzle["human"]["seconds"].as_f64().unwrap() / 5.0).round() * 5.0);
        let line = page.js("return text('.gallery button .number')", &[]);
        assert_eq!(line, format!("{} moves · {}", fewest(0), short(&puzzles[0])));
        page.click("All puzzles");
        // A new puzzle of the level is one that is not solved yet.
        page.click("New puzzle: beginner");
        page.until("the dialog is closed", "return !document.querySelector('dialog[open]')");
        page.until_text(".play-title", &format!(" of {count}"));
        let solved: Vec<&str> = puzzles[..3].iter().map(|puzzle| puzzle["board"].as_str().unwrap()).collect();
        let address = page.address();
        assert!(
            address.ends_with("&level=beginner") && !solved.iter().any(|board| address.contains(board)),
            "{address}"
        );
        page.until_text(".play-foot", &format!("3 of {count} solved, 1 perfect"));
        // Next stays in the level; after its last puzzle, the next level follows.
        page.open(&format!("/play?board={}&level=beginner", puzzles[0]["board"].as_str().unwrap()));
        page.until_text("h1", "Beginner 1");
        page.until_text(".play-title", &short(&puzzles[0]));
        page.click("Next");
        page.until_text("h1", "Beginner 4");
        page.click("Previous");
        page.until_text("h1", "Beginner 3");
        // When all are solved, a new one is generated.
        for puzzle in &puzzles {
            solve(page, puzzle, puzzle["moves"].as_u64().unwrap());
        }
        page.click("Next");
        page.until_text("h1", "Beginner 4");
        open_overview(page);
        assert!(row(page, "Beginner").starts_with(&format!("{count} of {count} solved, {count} perfect")));
        // The first one generated here is not new. The others are the same in every run.
        page.js(
            "const [puzzle] = arguments, real = window.fetch;
            window.fetch = async (url, options) => {
                if (!String(url).endsWith('/generate')) return real(url, options);
                const body = JSON.stringify({ ...JSON.parse(options.body), seed: 3 });
                const { readable, writable } = new TransformStream({
                    start: (stream) => stream.enqueue(new TextEncoder().encode(`${JSON.stringify({ puzzle })}\\n`)),
                });
                const answer = await real(url, { ...options, body });
                answer.body.pipeTo(writable).catch(() => {});
                return new Response(readable);
            }",
            &[puzzles[3].clone()],
        );
        let opened = || page.js("return new URL(location).searchParams.get('board')", &[]);
        page.click("New puzzle: beginner");
        page.until_text("h1", "Beginner, new");
        assert_eq!(page.js("return document.title", &[]), "Beginner, new · Beginner · clearway");
        page.until("its optimum is known", "return text('dl.stats').includes('/')");
        let board = opened();
        assert_eq!(page.server.post("/grade", &json!({ "board": board })).ok()["level"], "beginner");
        assert!(puzzles.iter().all(|puzzle| puzzle["board"] != board));
        // It has the properties that are chosen.
        open_overview(page);
        page.choose("Length", "Up to 10 moves");
        page.choose("Theme", "The target must move back");
        page.click("New puzzle: beginner");
        page.until("the dialog is closed", "return !document.querySelector('dialog[open]')");
        page.until("its optimum is known", "return text('dl.stats').includes('/')");
        let grade = page.server.post("/grade", &json!({ "board": opened() })).ok();
        assert!(opened() != board && puzzles.iter().all(|puzzle| puzzle["board"] != opened()));
        assert!(grade["moves"].as_u64().unwrap() <= 10 && grade["level"] == "beginner", "{grade}");
        assert!(grade["themes"].as_array().unwrap().contains(&json!("target-back")), "{grade}");
        // Results name it by its level, too.
        let steps: Vec<&str> = grade["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        slide_all(page, &steps.join(" "));
        page.until_text(".won", "Perfect!");
        page.click("Results");
        page.until_text("tbody tr:first-child", "Beginner, new");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn levels_are_filtered_by_length_time_and_theme() {
    browse(|page| {
        page.open_board(JAM01);
        open_overview(page);
        let puzzles = puzzles_of(page, "intermediate");
        let count = |fits: &dyn Fn(&Value) -> bool| puzzles.iter().filter(|puzzle| fits(puzzle)).count();
        let has = |puzzle: &Value, theme: &str| puzzle["themes"].as_array().unwrap().contains(&json!(theme));
        let moves = |puzzle: &Value| puzzle["moves"].as_u64().unwrap();
        let themed = count(&|puzzle| has(puzzle, "target-back"));
        page.choose("Theme", "The target must move back");
        assert!(
            row(page, "Intermediate").starts_with(&format!("0 of {themed} solved")),
            "{}",
            row(page, "Intermediate")
        );
        let both = count(&|puzzle| has(puzzle, "target-back") && (11..=20).contains(&moves(puzzle)));
        page.choose("Length", "11 to 20 moves");
        assert!(row(page, "Intermediate").starts_with(&format!("0 of {both} solved")), "{}", row(page, "Intermediate"));
        assert!(0 < both && both < themed && themed < puzzles.len(), "{both} {themed}");
        // A level without such puzzles offers none.
        assert!(row(page, "Fiendish").starts_with("0 of 0 solved") && !page.enabled("New puzzle: fiendish"));
        // A new puzzle has the chosen properties, and they last.
        page.click("New puzzle: intermediate");
        page.until_text(".play-title", "Intermediate, ");
        let board = page.js("return new URL(location).searchParams.get('board')", &[]);
        let opened = puzzles.iter().find(|puzzle| puzzle["board"] == board).unwrap();
        assert!(has(opened, "target-back") && (11..=20).contains(&moves(opened)), "{opened}");
        page.reload();
        page.until_text(".play-title", "Intermediate, ");
        page.click("Puzzles");
        page.until("the level is open", "return document.querySelectorAll('dialog[open] .gallery button').length > 0");
        let shown = "return document.querySelectorAll('dialog[open] .gallery button').length";
        assert_eq!(page.js(shown, &[]), both);
        page.choose("Length", "Any length");
        page.choose("Theme", "Any theme");
        assert_eq!(page.js(shown, &[]), puzzles.len());
        page.choose("Time", "1 to 3 minutes");
        let seconds = |puzzle: &Value| puzzle["human"]["seconds"].as_f64().unwrap();
        assert_eq!(page.js(shown, &[]), count(&|puzzle| (60.0..180.0).contains(&seconds(puzzle))));
        page.choose("Time", "Up to 1 minute");
        page.until_text("dialog[open]", "No puzzle of this level has these properties.");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn suites_for_research_are_searched_and_sorted() {
    browse(|page| {
        page.open_board(JAM01);
        open_overview(page);
        let names = || {
            page.js("return [...document.querySelectorAll('section[aria-label=\"Suites for research\"] .shelf-row strong')].map((e) => e.innerText)", &[])
        };
        let suites = page.server.get("/suites").ok()["items"].as_array().unwrap().len();
        assert_eq!(names().as_array().unwrap().len(), suites - 4, "four suites are for players");
        page.fill("Search suites", "training");
        assert_eq!(names(), json!(["Train 8x8", "Train 6x6"]));
        page.choose("Order", "By name");
        assert_eq!(names(), json!(["Train 6x6", "Train 8x8"]));
        page.fill("Search suites", "no such suite");
        assert_eq!(names(), json!([]));
        page.until_text("dialog[open]", "No suite contains this text.");
        page.js("const e = called('Search suites')[0]; e.value = ''; e.dispatchEvent(new Event('input'))", &[]);
        page.choose("Order", "Most boards first");
        assert_eq!(names()[0], "Catalogue sample");
        page.choose("Order", "Fewest boards first");
        assert_eq!(names()[0], "Servais");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_daily_puzzles_come_in_three_difficulties() {
    browse(|page| {
        page.open_board(JAM01);
        let today = page.server.get("/daily").ok();
        let puzzles = today["puzzles"].as_array().unwrap();
        open_overview(page);
        let cards = "return [...document.querySelectorAll('.daily .card-name')].map((e) => e.innerText)";
        assert_eq!(page.js(cards, &[]), json!(["Easy", "Medium", "Hard"]));
        page.js("document.querySelectorAll('.daily button')[2].click()", &[]);
        page.until_text(".play-head", "Daily puzzle, 3 of 3");
        page.until_text("h1", ", hard");
        page.until_text("dl.stats", &format!("0 / {}", puzzles[2]["moves"]));
        // Each difficulty counts for the streak of its day.
        let solved = page.server.post("/solve", &json!({ "board": puzzles[0]["board"] })).ok();
        page.open("/play?daily=today");
        page.until_text("h1", ", easy");
        let solution: Vec<&str> =
            solved["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        slide_all(page, &solution.join(" "));
        page.until_text(".won", "Perfect!");
        page.until_text(".play-foot", "1 of 3 solved, 1 perfect");
        // Daily opens the next one of the day that is not solved.
        page.open_board(JAM01);
        page.click("Daily");
        page.until_text("h1", ", medium");
        page.click("Results");
        page.until_text(".fact-row", "1 day daily streak");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_tutorial_teaches_five_boards_one_after_another() {
    browse(|page| {
        page.screen(Screen::Phone);
        page.open(&format!("/play?board={JAM01}&suite=cards"));
        page.until_text(".aside", "Slide the other vehicles out of the way");
        page.click("Tutorial");
        let lessons = page.server.get("/tutorial").ok()["lessons"].clone();
        for (number, lesson) in (1..).zip(lessons.as_array().unwrap()) {
            page.until_text("h1", lesson["name"].as_str().unwrap());
            page.until_text(".aside", lesson["about"].as_str().unwrap());
            page.until_text(".play-title", &format!("Tutorial, {number} of 5"));
            page.until_text("dl.stats", &format!("0 / {}", lesson["moves"]));
            let solved = page.server.post("/solve", &json!({ "board": lesson["board"] })).ok();
            let solution: Vec<&str> =
                solved["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
            if solution.len() > 1 {
                // The text stays while the lesson is played.
                slide_all(page, solution[0]);
                page.until("a move is made", "return text('dl.stats > div:first-child dd').startsWith('1 ')");
                assert!(page.text(".aside").contains(lesson["about"].as_str().unwrap()));
                page.screenshot(&format!("tutorial-{number}-phone"));
                page.click("Undo");
            }
            slide_all(page, &solution.join(" "));
            page.until_text(".won", "Perfect!");
            // The confetti does not make the page wider.
            let is_wide = "return document.documentElement.scrollWidth > innerWidth || innerWidth > 360";
            assert_eq!(page.js(is_wide, &[]), false);
            assert_eq!(moves(page), format!("{} / {}", lesson["moves"], lesson["moves"]));
            page.press(&["Enter"]);
        }
        page.until_text("h1", "Beginner 1");
        open_overview(page);
        let tutorial = row(page, "Tutorial");
        assert!(tutorial.ends_with("5 of 5 solved, 5 perfect, ★ 15 of 15"), "{tutorial}");
        // The overview fits a phone.
        let wide = page.js(
            "const e = document.querySelector('dialog[open] .dialog-body'); return e.scrollWidth > e.clientWidth",
            &[],
        );
        assert_eq!(wide, false);
        page.screenshot("chooser-levels-phone");
    });
}
