//! The documents: every command in them has the documented output and exit code, and every link has a target.
//!
//! Words after the opening fence of a block:
//! - `sh`: each line is run by a shell, all lines of a document in the same directory, which is empty at first. A line exits
//!   with the code in its comment `# exits with N`, or else with 0. `sh no-run` is not run, because it builds the project,
//!   takes minutes, needs programs that may be missing, or is run by another document. It is still parsed, see [`crate::examples`].
//! - `file=NAME`: the block is written to that file, for the commands below. [`crate::shipping`] runs those in JavaScript.
//! - `output`: stdout and stderr of the commands in the block above. A line `...` matches any lines, `...` at the end of a
//!   line any text. Times and the number of blanks are ignored.

#![cfg(unix)] // the examples are for a POSIX shell

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// A document of the project.
pub struct Document {
    path: PathBuf,
    text: String,
}

/// A fenced block of a document.
pub struct Block<'a> {
    pub words: Vec<&'a str>,
    lines: Vec<&'a str>,
    /// The line of its opening fence, from 1.
    pub line: usize,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub fn documents() -> Vec<Document> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)).to_vec();
    let chapters = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(chapters.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    paths.sort();
    paths.into_iter().map(|path| Document { text: fs::read_to_string(&path).unwrap(), path }).collect()
}

impl Document {
    pub fn name(&self) -> String {
        self.path.strip_prefix(root()).unwrap().display().to_string()
    }

    /// Returns the fenced blocks, and the lines outside of them with their numbers.
    pub fn parts(&self) -> (Vec<Block<'_>>, Vec<(usize, &str)>) {
        let (mut blocks, mut prose) = (Vec::new(), Vec::new());
        let mut open: Option<Block> = None;
        for (line, text) in (1..).zip(self.text.lines()) {
            match (text.strip_prefix("```"), &mut open) {
                (Some(info), None) => {
                    open = Some(Block { words: info.split_whitespace().collect(), lines: vec![], line });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.lines.push(text),
                (None, None) => prose.push((line, text)),
            }
        }
        assert!(open.is_none(), "{}: a fence is not closed", self.name());
        (blocks, prose)
    }
}

impl Block<'_> {
    /// Returns the name of the file that the block is written to, if any.
    pub fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }

    /// Returns the text of the block.
    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}

/// Returns the commands of a block: its lines, where a backslash at the end continues a line.
pub fn commands(block: &Block) -> Vec<String> {
    let text = block.lines.join("\n").replace("\\\n", " ");
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

pub fn run(command: &str, folder: &Path) -> (i32, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_clearway")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        shell.env_remove(variable);
    }
    let output = shell.output().unwrap();
    (output.status.code().expect("it ended by itself"), String::from_utf8(output.stdout).unwrap())
}

/// Replaces the parts of a line that differ between runs.
fn normalised(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    for unit in 1..words.len() {
        let is_number = words[unit - 1].parse::<f64>().is_ok();
        if is_number && ["µs", "ms", "s"].contains(&words[unit].trim_end_matches(',')) {
            (words[unit - 1], words[unit]) = ("some", "time");
        }
    }
    let text = words.join(" ");
    let Some((before, after)) = text.split_once("\"seconds\":") else { return text };
    let end = after.find([',', '}']).unwrap_or(after.len());
    format!("{before}\"seconds\":some{}", &after[end..])
}

/// Returns whether the printed lines match the documented ones.
fn agree(documented: &[String], printed: &[String]) -> bool {
    match (documented.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line == "..." => (0..=printed.len()).any(|skipped| agree(rest, &printed[skipped..])),
        (Some((line, rest)), Some((first, others))) => {
            let same = line == first || line.strip_suffix("...").is_some_and(|start| first.starts_with(start));
            same && agree(rest, others)
        }
        _ => false,
    }
}

fn normalised_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lines: Vec<String> = lines.map(normalised).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    lines[first..last].to_vec()
}

/// Returns the commands in the documents that are run there and succeed.
pub fn successful_commands() -> HashSet<String> {
    let documents = documents();
    let blocks = documents.iter().flat_map(|document| document.parts().0);
    let run = blocks.filter(|block| block.words.first() == Some(&"sh") && !block.words.contains(&"no-run"));
    run.flat_map(|block| commands(&block)).filter(|command| !command.contains("# exits with ")).collect()
}

/// Runs the examples of a document; returns their number and the errors.
fn run_examples(document: &Document) -> (usize, Vec<String>) {
    let (folder, mut faults) = (TempDir::new().unwrap(), Vec::new());
    let (mut printed, mut count): (Option<String>, usize) = (None, 0);
    for block in document.parts().0 {
        let place = format!("{}, line {}", document.name(), block.line);
        if let Some(name) = block.file() {
            fs::write(folder.path().join(name), block.text()).unwrap();
        } else if block.words.contains(&"output") {
            let printed = printed.take().unwrap_or_else(|| panic!("{place}: no command above this output"));
            let (is, says) = (normalised_lines(printed.lines()), normalised_lines(block.lines.iter().copied()));
            if !agree(&says, &is) {
                faults.push(format!("{place}: the actual output is:\n{printed}"));
            }
        } else if block.words.first() == Some(&"sh") && !block.words.contains(&"no-run") {
            let mut all = String::new();
            for command in commands(&block) {
                let expected = command.split_once("# exits with ").map_or(0, |(_, code)| code.trim().parse().unwrap());
                let (code, text) = run(&command, folder.path());
                if code != expected {
                    faults.push(format!("{place}: exit code {code}: {command}\n{text}"));
                }
                all += &text;
                count += 1;
            }
            printed = Some(all);
        }
    }
    (count, faults)
}

#[test]
fn every_command_in_the_documents_has_the_documented_output() {
    let (documents, next) = (documents(), AtomicUsize::new(0));
    // Each document has its own folder, so two are run in parallel.
    let work = || {
        let mine = std::iter::from_fn(|| documents.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(|document| (document.name(), run_examples(document))).collect::<Vec<_>>()
    };
    let tried = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        [work(), other.join().unwrap()].concat()
    });
    let faults: Vec<&str> = tried.iter().flat_map(|(_, (_, faults))| faults).map(String::as_str).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let of = |name: &str| tried.iter().find(|(other, _)| other == name).unwrap().1.0;
    assert!(of("README.md") >= 6, "the README shows every command");
    assert!(of("docs/formats.md") >= 8, "every format has its example");
}

/// Returns the targets of the links and pictures in a line of prose, except for those in backquotes.
fn targets(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("");
    let ends = [("](", ')'), ("src=\"", '"'), ("href=\"", '"')];
    let found = ends.iter().flat_map(|&(before, end)| {
        prose.split(before).skip(1).filter_map(move |rest| rest.split_once(end)).map(|(target, _)| target.to_owned())
    });
    found.collect()
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.trim().to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(path: &Path) -> Vec<String> {
    let document = Document { text: fs::read_to_string(path).unwrap(), path: path.to_path_buf() };
    let prose = document.parts().1;
    prose.iter().filter(|(_, line)| line.starts_with('#')).map(|(_, line)| anchor(line.trim_matches('#'))).collect()
}

/// Checks a link; returns the error, if any.
fn fault(document: &Document, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, heading) = target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let path = if file.is_empty() { document.path.clone() } else { document.path.parent().unwrap().join(file) };
    if !path.exists() {
        return Some(format!("{file} does not exist"));
    }
    let heading = heading.filter(|heading| !anchors(&path).contains(&(*heading).to_owned()))?;
    Some(format!("{} has no heading {heading}", path.display()))
}

#[test]
fn every_link_in_the_documents_has_a_target() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for document in documents() {
        for (line, text) in document.parts().1 {
            for target in targets(text) {
                count += 1;
                let place = format!("{}, line {line}", document.name());
                faults.extend(fault(&document, &target).map(|fault| format!("{place}: {fault}")));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count >= 20, "only {count} links were found");
}

#[test]
fn every_chapter_is_in_the_summary() {
    let documents = documents();
    let summary = documents.iter().find(|document| document.name() == "docs/SUMMARY.md").unwrap();
    let listed: Vec<String> = summary.text.lines().flat_map(targets).collect();
    let chapters = documents.iter().filter_map(|document| document.name().strip_prefix("docs/").map(str::to_owned));
    for chapter in chapters.filter(|name| name != "SUMMARY.md") {
        assert!(listed.contains(&chapter), "{chapter} is not in the summary");
    }
}

#[test]
fn a_wrong_document_is_detected() {
    let lines = |text: &str| normalised_lines(text.lines());
    assert!(agree(&lines("JAM01   8  10 µs\n...\nend"), &lines("JAM01 8 2.5 ms\nJAM02 9\nend\n")));
    assert!(agree(&lines("{\"a\":1,\"seconds\":2,..."), &lines("{\"a\":1,\"seconds\":0.01,\"b\":2}")));
    for wrong in ["JAM01 9 10 µs\n...", "JAM01 8 10 µs", "...\nJAM02", ""] {
        assert!(!agree(&lines(wrong), &lines("JAM01 8 2.5 ms\nJAM02 9\nend")), "{wrong}");
    }
    assert_eq!(targets("see [this](a.md#b), `[not](this)` and ![p](c.svg)"), ["a.md#b", "c.svg"]);
    assert_eq!(anchor("The `line` format, and more"), "the-line-format-and-more");
    let document = Document { path: root().join("README.md"), text: String::new() };
    assert!(fault(&document, "docs/SUMMARY.md").is_none());
    assert!(fault(&document, "docs/NOWHERE.md").is_some());
    assert!(fault(&document, "docs/SUMMARY.md#nowhere").is_some());
}
