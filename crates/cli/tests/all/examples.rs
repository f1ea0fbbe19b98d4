//! The examples below the help of every command, and those of the documents that are not run: what takes seconds is run,
//! and all others are read by the real parser of arguments, so that an option that was renamed is noticed.

#![cfg(unix)] // the examples are for a POSIX shell

use crate::docs::{commands, documents, root, run};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Programs that examples call. In their place stands a script that notes its name and its words.
const PROGRAMS: [&str; 9] = ["clearway", "cargo", "curl", "duckdb", "man", "pip", "pyperplan", "python", "ray"];
const NOTE: &str = "#!/bin/sh\n{ printf '%s\\037' \"${0##*/}\" \"$@\"; printf '\\036'; } >> \"$NOTED\"\n";

/// A folder that examples are read in: nothing of what they say is done.
struct Pretence {
    folder: TempDir,
}

impl Pretence {
    fn new() -> Pretence {
        let folder = TempDir::new().unwrap();
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).unwrap();
        for script in PROGRAMS.map(|name| programs.join(name)).into_iter().chain([folder.path().join("check")]) {
            fs::write(&script, NOTE).unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        }
        // What is piped, and where examples write.
        for name in ["boards.txt", "course.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        for name in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc", "benches"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        Pretence { folder }
    }

    /// The programs that a line of a shell calls, and their words.
    fn read(&self, line: &str) -> Result<Vec<Vec<String>>, String> {
        let noted = self.folder.path().join("noted");
        fs::write(&noted, "").unwrap();
        let path = format!("{}:{}", self.folder.path().join("programs").display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.folder.path()).stdin(Stdio::null());
        shell.env("PATH", path).env("NOTED", &noted).env("HOME", self.folder.path());
        let output = shell.output().unwrap();
        if !output.status.success() {
            return Err(format!("a shell cannot read it: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = fs::read_to_string(&noted).unwrap();
        let calls = text.split_terminator('\u{1e}');
        Ok(calls.map(|call| call.split_terminator('\u{1f}').map(str::to_owned).collect()).collect())
    }

    /// What is wrong with a line of a shell, if anything; otherwise how many calls of clearway are in it.
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

/// The words that clearway gets by a call, if it gets any.
fn words_for_clearway(call: &[String]) -> Result<Option<Vec<String>>, String> {
    let words: Vec<&str> = call.iter().map(String::as_str).collect();
    Ok(match &words[..] {
        ["clearway", words @ ..] | ["cargo", "run", "--release", "--", words @ ..] => {
            Some(words.iter().map(|&word| word.to_owned()).collect())
        }
        ["cargo", "run", "--release", "-p", "clearway-benches", "--bin", name, ..] => {
            exists(&format!("benches/src/bin/{name}.rs"))?
        }
        ["cargo", "bench", "-p", "clearway-benches", "--bench", name, ..] => exists(&format!("benches/{name}.rs"))?,
        ["cargo", "install", "--path", path] | ["pip", "install", path] if path.contains('/') => {
            exists(path.split('[').next().unwrap_or(path))?
        }
        ["cargo", ..] => return Err(format!("the tests do not know this call: {}", words.join(" "))),
        ["python", "-m", "clearway.cluster", job, words @ ..] => Some(words_of_job(job, words)?),
        _ => None,
    })
}

/// Nothing for clearway, if the project has such a file.
fn exists(path: &str) -> Result<Option<Vec<String>>, String> {
    if root().join(path).exists() { Ok(None) } else { Err(format!("there is no {path}")) }
}

/// The words of the command that a job of a cluster spreads, without the options of the cluster.
fn words_of_job(job: &str, words: &[&str]) -> Result<Vec<String>, String> {
    let command = match job {
        "enumerate" | "pack" => vec!["forge", job],
        "compare" | "evolve" => vec![job],
        _ => return Err(format!("there is no job {job}")),
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
fn every_command_in_the_documents_that_is_not_run_can_be_read() {
    let (pretence, mut faults, mut count) = (Pretence::new(), Vec::new(), 0);
    for document in documents() {
        let blocks = document.parts().0.into_iter();
        for block in blocks.filter(|block| block.words.starts_with(&["sh"]) && block.words.contains(&"no-run")) {
            for command in commands(&block) {
                match pretence.check(&command) {
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

/// All commands, such as `forge pack`, as the help lists them.
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

/// The examples below the help of a command, without what is said about them.
fn examples_in_help(command: &str, folder: &Path) -> Vec<String> {
    let (_, help) = run(&format!("clearway {command} --help"), folder);
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    // Below them there may be other notes, and more examples.
    let lines = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with([' ', '-']));
    let examples = lines.map(|line| line.split("  ").next().unwrap_or_default().to_owned());
    examples.filter(|line| line.contains("clearway ") || line.starts_with("curl ")).collect()
}

/// Parts of examples that are not run, where a line ends with `\n`: what takes minutes, does not end, or needs what this
/// machine may not have.
const ONLY_READ: [&str; 17] = [
    "clearway COMMAND",
    "solve --suite course --time-limit 10s",
    "repro all",
    "repro gp-rush",
    "repro tiles",
    "clearway evolve",
    "policy test my.policy\n",
    "policy test my.policy --suite test-8x8",
    "forge climb --size 8",
    "forge backward --count 1000 ",
    "forge enumerate --size 6",
    "forge random --count 1000000 ",
    "tiles evolve\n",
    "tiles evolve --size 4x4",
    "tiles evolve --resume",
    "clearway serve",
    "man -l",
];

/// A folder with the files that examples name.
fn folder_for_examples() -> TempDir {
    let folder = TempDir::new().unwrap();
    let card = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
    let policy = "IF g >= 0.5 THEN 2*h1 DEFAULT 3*h1";
    let (_, json) = run(&format!("clearway solve {card} --json"), folder.path());
    let (code, text) = run(
        "clearway forge pack --size 5 --count 2 --from 4 --to 5 --seed 7 --out a.jsonl --out b.txt --out c.csv",
        folder.path(),
    );
    assert_eq!(code, 0, "{text}");
    for (name, text) in [
        // Solved by the moves that the help of verify shows.
        ("card.txt", "4x4:.......CAA.C...."),
        ("boards.txt", card),
        ("card.json", &json),
        ("course.csv", "car,orientation,col,row,length\nX,H,1,3,2\n"),
        ("my.policy", policy),
        ("fit.policy", policy),
        ("tiles.txt", "867254301"),
        ("champion.program", "(if (if u d) (if l r))"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for name in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn every_example_in_the_help_works() {
    let (folder, pretence) = (folder_for_examples(), Pretence::new());
    let (mut faults, mut is_run, mut is_read) = (Vec::new(), 0, 0);
    for command in all_commands(folder.path()) {
        let examples = examples_in_help(&command, folder.path());
        let has_own = !["forge", "policy", "tiles"].contains(&command.as_str());
        assert!(!has_own || !examples.is_empty(), "{command} has no examples");
        for example in examples {
            if !example.contains("COMMAND") {
                is_read += 1;
                faults.extend(pretence.check(&example).err().map(|fault| format!("{example}\n{fault}")));
            }
            let line = format!("{example}\n");
            if !ONLY_READ.iter().any(|part| line.contains(part)) && !example.starts_with("curl ") {
                is_run += 1;
                let home = folder.path().display();
                let (code, text) = run(&format!("HOME={home}; {example}"), folder.path());
                if code != 0 {
                    faults.push(format!("{example} exits with {code}:\n{text}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(is_run >= 50 && is_read >= 80, "only {is_read} examples were found, and {is_run} run");
}

#[test]
fn an_example_that_is_wrong_is_noticed() {
    let pretence = Pretence::new();
    assert_eq!(pretence.check("cat boards.txt | clearway solve - --json > answers.jsonl"), Ok(1));
    assert_eq!(pretence.check("clearway tiles random | clearway tiles solve -"), Ok(2));
    assert_eq!(pretence.check("python -m clearway.cluster evolve --seeds 0..9 --budget 5M --address auto"), Ok(1));
    for wrong in [
        "clearway solve --nodes 5",
        "clearway dissolve",
        "clearway solve 'a",
        "cargo run --release -- solve --nodes 5",
        "cargo bench -p clearway-benches --bench none",
        "cargo sell",
        "python -m clearway.cluster pack --sized 5",
    ] {
        assert!(pretence.check(wrong).is_err(), "{wrong}");
    }
}
