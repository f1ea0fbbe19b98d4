//! Tests of the page in Chromium, by mouse, touch and keyboard.
//!
//! These tests need the Debian packages `chromium` and `chromium-driver`. They are ignored by default; `./check` runs them with
//! `--include-ignored`. Screenshots are saved in `target/screenshots`.

#[path = "../both/mod.rs"]
mod both;
mod chromedriver;
#[path = "../all/common/mod.rs"]
mod common;
mod driver;
mod static_files;

mod access;
mod axe;
mod comfort;
mod compare;
mod drafts;
mod edit;
mod evolve;
mod explore;
mod feedback;
mod forge;
mod games;
mod guide;
mod hints;
mod keyboard;
mod languages;
mod levels;
mod links;
mod loading;
mod navigation;
mod plans;
mod play;
mod printing;
mod results;
mod screens;
mod site;
mod size;
mod stored;
mod tabs;
mod times;
mod touch;

#[test]
fn every_test_with_a_browser_is_ignored_by_default() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|file| !file.ends_with("main.rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for test in text.split("#[test]\n").skip(1) {
            let (is_marked, browses) =
                (test.starts_with("#[ignore = \"needs Chromium"), test.contains("browse(|page|"));
            assert_eq!(is_marked, browses, "{}: {test:.100}", file.display());
        }
    }
}
