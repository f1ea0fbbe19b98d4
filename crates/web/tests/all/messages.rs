//! Texts of the server that the page translates: the English messages of the page are the same. Algorithms, options and
//! heuristics without a message are described by the server's text.

use crate::common::serve;
use serde_json::Value;
use std::collections::BTreeMap;

/// The English messages of the page.
const MESSAGES: &str =
    concat!(include_str!("../../page/messages/en/play.js"), include_str!("../../page/messages/en/algorithms.js"));

/// Requires the messages to contain a text.
#[track_caller]
fn assert_message(key: &str, text: &Value) {
    let text = text.as_str().unwrap();
    let quote = if text.contains('\'') { '"' } else { '\'' };
    assert!(MESSAGES.contains(&format!("'{key}': {quote}{text}{quote},")), "{key}: {text}");
}

/// `move-back` for `Move back`.
fn dashed(name: &Value) -> String {
    name.as_str().unwrap().to_lowercase().replace(' ', "-")
}

#[test]
fn suites_lessons_levels_and_difficulties_have_messages() {
    let server = serve();
    for suite in server.get("/suites?limit=500").ok()["items"].as_array().unwrap() {
        assert_message(&format!("suite.{}", suite["name"].as_str().unwrap()), &suite["about"]);
    }
    for lesson in server.get("/tutorial").ok()["lessons"].as_array().unwrap() {
        assert_message(&format!("lesson.{}", dashed(&lesson["name"])), &lesson["name"]);
        assert_message(&format!("lesson-about.{}", dashed(&lesson["name"])), &lesson["about"]);
    }
    for level in clearway_forge::grade::Level::ALL {
        assert_message(&format!("level.{level}"), &level.as_str().into());
    }
    for theme in clearway_forge::grade::Theme::ALL {
        assert!(MESSAGES.contains(&format!("'filter.{theme}': ")), "{theme}");
    }
    for puzzle in server.get("/daily").ok()["puzzles"].as_array().unwrap() {
        assert_message(&format!("difficulty.{}", puzzle["difficulty"].as_str().unwrap()), &puzzle["difficulty"]);
    }
}

/// Returns the keys under which the page looks for the description of an option, the first of which takes precedence.
fn option_keys(usage: &str, algorithm: &str) -> [String; 2] {
    let name = usage.split_once('=').map_or_else(|| usage.replace('|', "-"), |(name, _)| name.to_owned());
    [format!("option.{name}-{algorithm}"), format!("option.{name}")]
}

#[test]
fn algorithms_options_and_heuristics_have_the_text_of_the_server() {
    let known = serve().get("/algorithms").ok();
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut add = |key: String, about: &'static str| texts.entry(key).or_default().push(about);
    let about = |record: &Value| -> &'static str { record["about"].as_str().unwrap().to_owned().leak() };
    let mut names = Vec::new();
    for algorithm in known["algorithms"].as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        let suffix = if names.contains(&name) { "-paths" } else { "" };
        names.push(name);
        add(format!("algorithm.{name}{suffix}"), about(algorithm));
        for option in algorithm["options"].as_array().unwrap() {
            let [own, common] = option_keys(option["usage"].as_str().unwrap(), name);
            let key = if MESSAGES.contains(&format!("'{own}': ")) { own } else { common };
            add(key, about(option));
        }
    }
    for heuristic in known["heuristics"].as_array().unwrap() {
        add(format!("heuristic.{}", heuristic["name"].as_str().unwrap()), about(heuristic));
    }
    let lines = include_str!("../../page/messages/en/algorithms.js").lines();
    let keys: Vec<&str> = lines.filter_map(|line| line.strip_prefix("  '")?.split('\'').next()).collect();
    assert!(keys.len() >= 70, "only {} messages were found", keys.len());
    for key in keys {
        let texts = texts.get(key).unwrap_or_else(|| panic!("{key} describes nothing that the server has"));
        for &text in texts {
            assert_message(key, &text.into());
        }
    }
}
