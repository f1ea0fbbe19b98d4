//! The examples in the help of every command, and the commands in the documents that are not run: all are parsed by the
//! real argument parser, so that a renamed option fails a test. Short examples are also run, unless a document contains them:
//! [`crate::docs`] runs those.

#![cfg(unix)] // the examples are for a POSIX shell

use crate::docs::{commands, documents, root, run, successful_commands};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Programs that examples call. Each is replaced by a script that records its name and its arguments. There are no others in a dry
/// run, so that no example can do anything.
const PROGRAMS: [&str; 14] = [
    "clearway",
    "cargo",
    "curl",
    "duckdb",
    "man",
    "mkdir",
    "pip",
    "pyperplan",
    "python",
    "python3",
    "ray",
    "rustup",
    "scp",
    "sh",
];
// Written at once, as the programs of a pipeline run at the same time.
const RECORDER: &str = "#!/bin/sh\ncall=$(printf '%s\\037' \"${0##*/}\" \"$@\"; printf '\\036.')\nprintf '%s' \"${call%.}\" >> \"$NOTED\"\n";

/// A folder in which examples are parsed, but not run.
struct DryRun {
    folder: TempDir,
}

impl DryRun {
    fn new() -> DryRun {
        let folder = TempDir::new().unwrap();
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).unwrap();
        let scripts = ["check", "site"].map(|name| folder.path().join(name));
        for script in PROGRAMS.map(|name| programs.join(name)).into_iter().chain(scripts) {
            fs::write(&script, RECORDER).unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        }
        // Files that examples read, and folders that they write to.
        for name in ["boards.txt", "course.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        for name in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc", "benches"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        DryRun { folder }
    }

    /// Returns the programs that a shell command calls, with their arguments.
    fn read(&self, line: &str) -> Result<Vec<Vec<String>>, String> {
        let noted = self.folder.path().join("noted");
        fs::write(&noted, "").unwrap();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]).current_dir(self.folder.path()).stdin(Stdio::null());
        shell.env("PATH", self.folder.path().join("programs")).env("NOTED", &noted).env("HOME", self.folder.path());
        let output = shell.output().unwrap();
        if !output.status.success() {
            return Err(format!("the shell cannot run it: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = fs::read_to_string(&noted).unwrap();
        let calls = text.split_terminator('\u{1e}');
        Ok(calls.map(|call| call.split_terminator('\u{1f}').map(str::to_owned).collect()).collect())
    }

    /// Parses a shell command; returns the number of calls of clearway in it.
    fn check(&self, line: &str) -> Result<usize, String> {
        let mut count = 0;
        for call in self.read(line)? {
            if let Some(words) = words_for_clearway(&call)? {
                let words: Vec<OsString> = words.iter().map(OsString::from).collect();
                clearway_cli::check(&words).map_err(|refusal| refusal.text)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Returns the arguments of clearway in a call, if it calls clearway.
fn words_for_clearway(call: &[String]) -> Result<Option<Vec<String>>, String> {
    let words: Vec<&str> = call.iter().map(String::as_str).collect();
    Ok(match &words[..] {
        ["clearway", words @ ..] | ["cargo", "run", "--release", "--", words @ ..] => {
            Some(words.iter().map(|&word| word.to_owned()).collect())
        }
        ["cargo", "run", "--profile", "dist", "-p", "clearway-benches", "--bin", name, ..] => {
            exists(&format!("benches/src/bin/{name}.rs"))?
        }
        ["cargo", "run", "--profile", "dist", "-p", "clearway-policy", "--example", name, ..] => {
            exists(&format!("crates/policy/examples/{name}.rs"))?
        }
        ["cargo", "bench", "-p", "clearway-benches", "--bench", name, ..] => exists(&format!("benches/{name}.rs"))?,
        ["cargo", "install", .., "--path", path] | ["pip", "install", path] if path.contains('/') => {
            exists(path.split('[').next().unwrap_or(path))?
        }
        ["cargo", "build", "--release"]
        | ["cargo", "build", "--profile", "dist"]
        | ["cargo", "test", "--workspace", ..]
        | ["cargo", "bench", "-p", "clearway-benches"] => None,
        ["cargo", ..] => return Err(format!("call unknown to the tests: {}", words.join(" "))),
        ["python", "-m", "clearway.cluster", job, words @ ..] => Some(words_of_job(job, words)?),
        _ => None,
    })
}

/// Checks that a file of the project exists.
fn exists(path: &str) -> Result<Option<Vec<String>>, String> {
    if root().join(path).exists() { Ok(None) } else { Err(format!("{path} does not exist")) }
}

/// Returns the command line of a cluster job, without the options of the cluster.
fn words_of_job(job: &str, words: &[&str]) -> Result<Vec<String>, String> {
    let command = match job {
        "enumerate" | "pack" => vec!["forge", job],
        "compare" | "evolve" => vec![job],
        _ => return Err(format!("unknown job {job}")),
    };
    let (mut left, mut rest) = (command, words.iter());
    while let Some(&word) = rest.next() {
        if ["--address", "--folder", "--shards", "--seeds"].contains(&word) {
            rest.next();
        } else {
            left.push(word);
        }
    }
    Ok(left.into_iter().map(str::to_owned).collect())
}

#[test]
fn every_command_in_the_documents_that_is_not_run_parses() {
    let (dry_run, mut faults, mut count) = (DryRun::new(), Vec::new(), 0);
    for document in documents() {
        let blocks = document.parts().0.into_iter();
        for block in blocks.filter(|block| block.words.starts_with(&["sh"]) && block.words.contains(&"no-run")) {
            for command in commands(&block) {
                match dry_run.check(&command) {
                    Ok(calls) => count += calls,
                    Err(fault) => {
                        faults.push(format!("{}, line {}: {command}\n{fault}", document.name(), block.line));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 20, "only {count} commands were found");
}

/// Returns all commands in the help, such as `forge pack`.
fn all_commands(folder: &Path) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![String::new()]);
    while let Some(command) = open.pop() {
        let (code, help) = run(&format!("clearway {command} --help"), folder);
        assert_eq!(code, 0, "{help}");
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
        let names = names.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
        open.extend(names.filter(|&name| name != "help").map(|name| format!("{command} {name}").trim().to_owned()));
        found.push(command);
    }
    found.sort();
    found
}

/// Returns the examples below the help of a command, without their descriptions.
fn examples_in_help(command: &str, folder: &Path) -> Vec<String> {
    let (_, help) = run(&format!("clearway {command} --help"), folder);
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    // Notes and further examples may follow.
    let lines = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with([' ', '-']));
    let examples = lines.map(|line| line.split("  ").next().unwrap_or_default().to_owned());
    examples.filter(|line| line.contains("clearway ") || line.starts_with("curl ")).collect()
}

/// Parts of examples that are parsed, but not run (`\n` is the end of an example): they take minutes, do not end, or need
/// programs that may be missing.
const PARSED_ONLY: [&str; 33] = [
    "clearway COMMAND",
    "solve --suite course --time-limit 10s",
    "repro all",
    "repro gp-rush",
    "repro tiles",
    "clearway evolve\n",
    "clearway evolve --size",
    "clearway evolve --search",
    "clearway evolve --preset",
    "clearway evolve --suite boards.txt",
    "clearway evolve --longest",
    "clearway evolve --resume",
    "clearway evolve --config",
    "clearway evolve --seeds",
    "clearway evolve --coevolve",
    "policy test my.policy\n",
    "policy test my.policy --suite test-8x8",
    "policy test my.policy --suite hard-steps-200",
    "policy compare ",
    "clearway runs ",
    "forge climb --size 8",
    "forge climb --size 10",
    "forge climb --size 6 --fitness steps",
    "forge backward --count 1000 ",
    "forge enumerate --size 6",
    "forge random --count 1000000 ",
    "tiles random --size 4x4",
    "tiles evolve\n",
    "tiles evolve --preset paper",
    "tiles evolve --size 4x4",
    "tiles evolve --resume",
    "clearway serve",
    "man -l",
];

/// A board that examples read.
const CARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

/// Returns a folder with the files that examples use and that take time to make.
fn folder_for_examples() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (_, json) = run(&format!("clearway solve {CARD} --json"), folder.path());
    let (code, text) = run(
        "clearway forge pack --size 5 --count 2 --from 4 --to 5 --seed 7 --out a.jsonl --out b.txt --out c.csv",
        folder.path(),
    );
    assert_eq!(code, 0, "{text}");
    fs::write(folder.path().join("card.json"), json).unwrap();
    fs::write(folder.path().join("clearway-results.json"), crate::grade::results(|moves| 2.0 * moves)).unwrap();
    for name in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    folder
}

/// Writes the files that examples read and other examples may replace, such as `boards.txt` by a thousand boards.
fn write_files_for_examples(folder: &Path) {
    let policy = "IF g >= 0.5 THEN 2*h1 DEFAULT 3*h1";
    for (name, text) in [
        // Solved by the moves in the help of verify.
        ("card.txt", "4x4:.......CAA.C...."),
        ("boards.txt", CARD),
        ("course.csv", "car,orientation,col,row,length\nX,H,1,3,2\n"),
        ("my.policy", policy),
        ("fit.policy", policy),
        ("tiles.txt", "867254301"),
        ("champion.program", "(if (if u d) (if l r))"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn every_example_in_the_help_works() {
    let (folder, dry_run, in_documents) = (folder_for_examples(), DryRun::new(), successful_commands());
    let (mut faults, mut ran, mut parsed) = (Vec::new(), 0, 0);
    for command in all_commands(folder.path()) {
        write_files_for_examples(folder.path());
        let examples = examples_in_help(&command, folder.path());
        let has_own = !["forge", "policy", "runs", "tiles"].contains(&command.as_str());
        assert!(!has_own || !examples.is_empty(), "{command} has no examples");
        for example in examples {
            if !example.contains("COMMAND") {
                parsed += 1;
                faults.extend(dry_run.check(&example).err().map(|fault| format!("{example}\n{fault}")));
            }
            let line = format!("{example}\n");
            if in_documents.contains(&example) {
                ran += 1;
            } else if !PARSED_ONLY.iter().any(|part| line.contains(part)) && !example.starts_with("curl ") {
                ran += 1;
                let home = folder.path().display();
                let (code, text) = run(&format!("HOME={home}; {example}"), folder.path());
                if code != 0 {
                    faults.push(format!("{example} exits with {code}:\n{text}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran >= 50 && parsed >= 80, "only {parsed} examples were found, and {ran} run");
}

#[test]
fn a_wrong_example_is_detected() {
    let dry_run = DryRun::new();
    assert_eq!(dry_run.check("cat boards.txt | clearway solve - --json > answers.jsonl"), Ok(1));
    assert_eq!(dry_run.check("clearway tiles random | clearway tiles solve -"), Ok(2));
    assert_eq!(dry_run.check("python -m clearway.cluster evolve --seeds 0..9 --budget 5M --address auto"), Ok(1));
    for wrong in [
        "clearway solve --nodes 5",
        "clearway dissolve",
        "clearway solve 'a",
        "cargo run --release -- solve --nodes 5",
        "cargo bench -p clearway-benches --bench none",
        "cargo sell",
        "python -m clearway.cluster pack --sized 5",
    ] {
        assert!(dry_run.check(wrong).is_err(), "{wrong}");
    }
}
