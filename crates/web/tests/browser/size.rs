//! The size of the page: what a visitor loads, and all of it as sent.

use crate::common::{self, JAM01};
use crate::driver::browse;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns all files in a folder, relative to it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = PathBuf::from(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|file| name.join(file)));
        } else {
            found.push(name);
        }
    }
    found
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn opening_play_loads_less_than_300_kb() {
    browse(|page| {
        page.open_board(JAM01);
        let script = "
            const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
            return entries.map((entry) => [new URL(entry.name).pathname, entry.decodedBodySize]).filter(([path]) => !path.startsWith('/api/'))";
        let loaded = page.js(script, &[]);
        let loaded: Vec<(&str, u64)> = loaded
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (entry[0].as_str().unwrap(), entry[1].as_u64().unwrap()))
            .collect();
        let has = |file: &str| loaded.iter().any(|(path, _)| *path == file);
        assert!(has("/play") && has("/js/play.js") && has("/css/play.css"), "{loaded:?}");
        assert!(!has("/js/forge.js") && !has("/js/graph-view.js") && !has("/css/lab.css"), "{loaded:?}");
        let bytes: u64 = loaded.iter().map(|(_, bytes)| bytes).sum();
        eprintln!("{} files with {bytes} bytes", loaded.len());
        assert!((50_000..300_000).contains(&bytes), "{bytes} bytes: {loaded:#?}");
    });
}

#[test]
fn the_whole_page_is_sent_in_less_than_220_kb() {
    let server = common::serve();
    // This client does not decompress.
    let agent = ureq::Agent::config_builder().build().new_agent();
    let sent = |file: &PathBuf| {
        let path = file.to_str().unwrap();
        let path = if path == "index.html" { "" } else { path };
        let request = agent.get(format!("http://{}/{path}", server.address)).header("Accept-Encoding", "gzip");
        request.call().unwrap().body_mut().read_to_vec().unwrap().len()
    };
    let files = files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page")));
    let bytes: usize = files.iter().map(sent).sum();
    eprintln!("{} files, {bytes} bytes as sent", files.len());
    // A quarter of it are messages in three languages, of which a browser loads at most two.
    assert!((30_000..220_000).contains(&bytes), "{bytes} bytes");
}
