//! URLs: a link opens a board, and the URL follows the state of the page.

use crate::common::{JAM01, config, serve_with};
use crate::driver::browse;
use clearway_web::ServerConfig;
use serde_json::json;

/// A 4x4 board that takes one move.
const SMALL: &str = "....AA.B...B....";

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_link_opens_its_board() {
    browse(|page| {
        page.open_board(JAM01);
        assert_eq!(page.address(), format!("/play?board={JAM01}"));
        assert_eq!(page.at("A"), 2);
        page.open(&format!("/play?board={SMALL}"));
        page.until_text("dl.stats", "0 / ");
        assert_eq!((page.at("A"), page.at("B")), (1, 2));
        assert_eq!(page.text(".play-head"), "Your puzzle 4 × 4 Puzzles");
        // Other formats are accepted too.
        page.open("/play?board=....%0AAA.B%0A...B%0A....");
        page.until_text("dl.stats", "0 / ");
        assert_eq!(page.address(), format!("/play?board={SMALL}"));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_url_follows_the_puzzle_and_the_tab() {
    browse(|page| {
        page.open("/");
        page.until_text("h1", "JAM01");
        assert_eq!(page.address(), format!("/play?board={JAM01}&suite=cards"));
        page.click("Puzzles");
        page.click("JAM03 14 moves");
        page.until_text("h1", "JAM03");
        let third = page.address();
        assert!(
            third.starts_with("/play?board=") && third.ends_with("&suite=cards") && !third.contains(JAM01),
            "{third}"
        );
        // The board is passed to the other tabs, and back.
        page.click("Edit");
        page.until_text(".verdict", "Solvable in 14 moves");
        let board = third.replace("/play?board=", "").replace("&suite=cards", "");
        assert_eq!(page.address(), format!("/edit?board={board}"));
        page.back();
        page.until_text("h1", "JAM03");
        assert_eq!(page.address(), third);
        // The link opens the same puzzle in another browser.
        page.js("localStorage.clear()", &[]);
        page.open(&third);
        page.until_text("h1", "JAM03");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn the_daily_puzzles_match_the_api() {
    browse(|page| {
        let daily = page.server.get("/daily?date=2026-02-03").ok();
        page.open("/play?daily=2026-02-03");
        page.until_text(".play-head", "Daily puzzle");
        page.until_text("h1", "Tue, Feb 3");
        let easy = &daily["puzzles"][0];
        assert_eq!(page.address(), format!("/play?board={}&daily=2026-02-03", easy["board"].as_str().unwrap()));
        page.until_text("dl.stats", &format!("0 / {}", easy["moves"]));
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn an_invalid_board_in_the_url_is_explained() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        page.open("/play?board=BB...CD..E.CDAAE.CD..E..F...GGF.HB..");
        page.until_text(".aside .message.bad", "B");
        page.until_text(".aside .message.bad pre", "this B is not part of the run");
        page.screenshot("play-broken-board-wide");
        // The page remains usable.
        page.click("Puzzles");
        page.until_text("dialog[open]", "Cards");
        page.click("Close");
        page.click("Daily");
        page.until_text(".play-head", "Daily puzzle");
        page.until(
            "a board can be played",
            "return document.querySelectorAll('.board.interactive .vehicle').length > 2",
        );
        assert_eq!(page.text(".message.bad"), "");
        // Edit shows the error too.
        page.open("/edit?board=BB...CD..E.CDAAE.CD..E..F...GGF.HB..");
        page.until_text("[role=alert]", "this B is not part of the run");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn explore_and_compare_recover_from_an_invalid_board() {
    browse(|page| {
        page.expect_message("400 (Bad Request)");
        for tab in ["explore", "compare"] {
            page.open(&format!("/{tab}?board=AAB...CC."));
            page.until_text("[aria-label='Invalid board']", "This is not a board");
            page.until_text("[role=alert] pre", "vehicle B");
            page.screenshot(&format!("{tab}-broken-board-wide"));
            page.click("Take today's puzzle");
            page.until_text(".board-bar", "Play");
            assert!(page.address().starts_with(&format!("/{tab}?board=")), "{}", page.address());
            page.back();
            page.click("Correct it in Edit");
            page.until_text(".edit [role=alert]", "vehicle B");
        }
        // Every format is read, as in Play.
        page.open(&format!("/explore?board={}", "..BB%0AAA..%0A....%0A...."));
        page.until_text("[aria-label='All states']", "Complete");
        assert_eq!(page.address(), "/explore?board=..BBAA..........");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn unknown_addresses_have_a_page() {
    browse(|page| {
        page.expect_message("404 (Not Found)");
        for path in ["/plya", "/play/more", "/docs/none"] {
            page.open(path);
            page.until_text(".notice", "Page not found");
            page.until_text(".notice", &format!("There is no page at {path}."));
            assert_eq!(page.js("return document.title", &[]), "Page not found · clearway");
        }
        page.screenshot("not-found-wide");
        page.click("Explore");
        page.until_text("h1", "Explore");
        // Programs get JSON.
        assert_eq!(page.server.get("/none").refused(404), "path not found: /api/v1/none");
    });
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn a_link_with_the_token_opens_a_server_that_requires_it() {
    browse(|page| {
        let folder = tempfile::TempDir::new().unwrap();
        let token = "a-token-for-the-page".parse().unwrap();
        let server = serve_with(ServerConfig { token: Some(token), ..config(folder.path()) });
        page.open_board(JAM01);
        let link = format!("http://{}/play?suite=cards&token=a-token-for-the-page", server.address);
        page.js("location.href = arguments[0]", &[json!(link)]);
        page.until("the page is open", &format!("return location.host === '{}'", server.address));
        page.until_text("h1", "JAM01");
        assert!(!page.address().contains("token"), "{}", page.address());
        // Its requests carry the cookie.
        page.click("Puzzles");
        page.until_text("dialog[open]", "JAM03");
        page.open_board(JAM01);
    });
}
