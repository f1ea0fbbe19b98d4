//! The crate diagram in docs/ARCHITECTURE.md is generated from the manifests, which have no cycle.
//!
//! `UPDATE_DOCS=1 cargo test -p clearway-cli --test all crate_diagram` writes it again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const BEGIN: &str =
    "<!-- The diagram up to the next comment is generated: see crates/cli/tests/all/crate_diagram.rs -->\n";
const END: &str = "<!-- The generated diagram ends here -->\n";

/// By folder of a crate, the folders of the crates of this workspace that it depends on.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Reads the dependencies from the manifests, with or without those for development.
fn graph(with_dev: bool) -> Graph {
    let manifests = fs::read_dir(Path::new(ROOT).join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let manifests: Vec<PathBuf> =
        manifests.chain(["python", "benches"].map(|folder| Path::new(ROOT).join(folder))).collect();
    let read = |folder: &Path| -> (String, String) {
        let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        (folder.file_name().unwrap().to_string_lossy().into_owned(), text)
    };
    let texts: Vec<(String, String)> = manifests.iter().map(|folder| read(folder)).collect();
    let package = |text: &str| {
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")).unwrap();
        name.trim_end_matches('"').to_owned()
    };
    let folders: BTreeMap<String, String> =
        texts.iter().map(|(folder, text)| (package(text), folder.clone())).collect();
    let dependencies = |text: &str| {
        let mut section = "";
        let mut found = BTreeSet::new();
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section == "[dependencies]" || with_dev && section == "[dev-dependencies]" {
                let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
                found.extend(folders.get(name).cloned());
            }
        }
        found
    };
    texts.iter().map(|(folder, text)| (folder.clone(), dependencies(text))).collect()
}

/// The crates in layers: each depends only on crates in the layers before its own. Panics if there is a cycle.
fn layers(graph: &Graph) -> Vec<Vec<String>> {
    let mut layers: Vec<Vec<String>> = Vec::new();
    let mut placed = BTreeSet::new();
    while placed.len() < graph.len() {
        let is_ready = |(folder, uses): &(&String, &BTreeSet<String>)| {
            !placed.contains(*folder) && uses.iter().all(|used| placed.contains(used))
        };
        let layer: Vec<String> = graph.iter().filter(is_ready).map(|(folder, _)| folder.clone()).collect();
        let rest: Vec<&String> = graph.keys().filter(|folder| !placed.contains(*folder)).collect();
        assert!(!layer.is_empty(), "a cycle among {rest:?}");
        placed.extend(layer.iter().cloned());
        layers.push(layer);
    }
    layers
}

/// What is used only through another dependency is left out.
fn direct<'a>(graph: &'a Graph, folder: &str) -> Vec<&'a str> {
    fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
        graph[from].iter().any(|used| used == to || reaches(graph, used, to))
    }
    let uses = &graph[folder];
    let is_direct = |used: &&String| !uses.iter().any(|other| other != *used && reaches(graph, other, used));
    uses.iter().filter(is_direct).map(String::as_str).collect()
}

fn diagram() -> String {
    let graph = graph(false);
    let mut text = String::from("\n```text\n");
    for layer in layers(&graph).iter().rev() {
        for folder in layer {
            let uses = direct(&graph, folder).join(", ");
            let line = if uses.is_empty() { folder.clone() } else { format!("{folder:<10} -> {uses}") };
            let _ = writeln!(text, "{line}");
        }
    }
    text + "```\n\n"
}

#[test]
fn no_crate_depends_on_itself_not_even_for_tests() {
    let layers = layers(&graph(true));
    assert!(layers.len() > 3 && layers[0].contains(&"util".to_owned()), "{layers:?}");
}

#[test]
fn the_architecture_has_the_diagram_that_the_manifests_give() {
    let path = Path::new(ROOT).join("docs/ARCHITECTURE.md");
    let chapter = fs::read_to_string(&path).unwrap();
    let (before, rest) = chapter.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, format!("{before}{BEGIN}{}{END}{after}", diagram())).unwrap();
    } else {
        assert_eq!(found, diagram(), "UPDATE_DOCS=1 cargo test -p clearway-cli --test all crate_diagram updates it");
    }
}
