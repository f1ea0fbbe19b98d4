//! Faults: panics, damaged logs, a second process, leftovers of a killed process, a full disk.

use crate::common::{JAM01, Run, clearway};
use clearway_util::atomic::AtomicFile;
use clearway_util::lock::{FOLDER_LOCK, FolderLock, LockedFile};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Panics can be injected only into debug builds.
#[cfg(debug_assertions)]
mod panics {
    use super::*;

    /// Returns a command that panics on one board.
    fn panicking(args: &[&str], title: &str) -> Run {
        clearway(args).env("CLEARWAY_TEST_PANIC", title)
    }

    fn names(records: &[serde_json::Value]) -> Vec<(&str, &str)> {
        records.iter().map(|one| (one["name"].as_str().unwrap(), one["status"].as_str().unwrap())).collect()
    }

    #[test]
    fn a_panic_affects_only_its_board() {
        for threads in ["1", "2"] {
            let options = ["--suite", "it3105", "--threads", threads];
            let done = panicking(&[&["solve"], &options[..]].concat(), "medium-1").done().code(1);
            let done = done.complains("medium-1: internal error: injected by a test").complains("please report it");
            assert!(!done.stdout.contains("medium-1") && done.stdout.contains("hard-3"), "{}", done.stdout);
            assert!(done.stderr.contains("1 failed"), "{}", done.stderr);
            for command in ["solve", "grade"] {
                let done = panicking(&[&[command, "--json"], &options[..]].concat(), "medium-1").done().code(1);
                let records = done.records();
                let expected = ["easy-3", "medium-1", "hard-3", "expert-2", "expert-31", "expert-33"]
                    .map(|name| (name, if name == "medium-1" { "error" } else { "solved" }));
                assert_eq!(names(&records), expected);
                let error = records[1]["error"].as_str().unwrap();
                assert!(error.starts_with("internal error: injected by a test (crates/lab/src/fault.rs:"), "{error}");
            }
        }
        // The same for the only board, and for the first.
        panicking(&["solve", JAM01], "#1").done().code(1).without_data().complains("#1: internal error");
        panicking(&["grade", JAM01], "#1").done().code(1).without_data().complains("#1: internal error");
    }

    #[test]
    fn a_panic_affects_only_its_tile_board() {
        let done = panicking(&["tiles", "solve", "867254301", "123456780", "--json"], "867254301").done().code(1);
        let done = done.complains("867254301: internal error");
        let statuses: Vec<_> = done.records().iter().map(|record| record["status"].clone()).collect();
        assert_eq!(statuses, ["error", "solved"]);
    }

    #[test]
    fn generators_continue_after_a_panic() {
        let random = ["forge", "random", "--count", "20", "--cars", "5", "--trucks", "1", "--json"];
        let done = panicking(&random, "board 3").done().code(1).complains("board 3: internal error");
        let records = done.records();
        assert_eq!(records[records.len() - 1]["report"]["failed"], 1);
        assert_eq!(records[records.len() - 1]["report"]["boards"], 20);
        let backward = ["forge", "backward", "--count", "3", "--from", "2", "--to", "9"];
        let done = panicking(&backward, "board 1").done().code(1).complains("board 1: internal error");
        assert_eq!(done.stdout.lines().count(), 3);
        let merge = ["forge", "merge", "--suite", "it3105", "--out", "all.jsonl", "--json"];
        let done = panicking(&merge, "easy-3").done().code(1).complains("easy-3: internal error");
        assert_eq!((&done.records()[0]["failed"], &done.records()[0]["puzzles"]), (&json!(1), &json!(5)));
    }
}

mod damaged_logs {
    use super::*;

    const ENUMERATE: [&str; 6] = ["forge", "enumerate", "--size", "4", "--resume", "a.log"];

    /// Returns a log with an additional digit after a field name in a line.
    fn changed(log: &str, line: usize, name: &str) -> String {
        let change = |(number, text): (usize, &str)| match text.split_once(&format!("\"{name}\":")) {
            Some((before, after)) if number == line => format!("{before}\"{name}\":1{after}\n"),
            _ => format!("{text}\n"),
        };
        let changed: String = (1..).zip(log.lines()).map(change).collect();
        assert_ne!(changed, log);
        changed
    }

    #[test]
    fn a_changed_digit_in_the_log_of_an_enumeration_is_repaired() {
        let whole = clearway(&ENUMERATE).done().code(0);
        let log = changed(&whole.read("a.log"), 3, "states");
        let done = clearway(&ENUMERATE).file("a.log", &log).done().code(0);
        assert_eq!(done.stdout, whole.stdout);
        done.complains("a.log: the checksum does not match in line 3; these tasks are repeated");
        // A log that is only read is not repaired.
        let further = [&ENUMERATE[..], &["--resume", "b.log", "--quiet"]].concat();
        let done = clearway(&further).file("b.log", &log).done().code(0);
        assert_eq!((done.stdout.as_str(), done.read("b.log")), (whole.stdout.as_str(), log));
        done.complains("b.log: the checksum does not match in line 3");
    }

    #[test]
    fn a_changed_digit_in_the_log_of_a_comparison_is_repaired() {
        let compare = ["compare", JAM01, "-A", "bfs", "-A", "greedy(h1)", "--json", "--resume", "a.log"];
        let whole = clearway(&compare).done().code(0);
        let log = changed(&whole.read("a.log"), 3, "expanded");
        let done = clearway(&compare).file("a.log", log).done().code(0);
        let counts = |records: &[serde_json::Value]| -> Vec<_> {
            records.iter().map(|record| record["expanded"].clone()).collect()
        };
        assert_eq!(counts(&done.records()), counts(&whole.records()));
        done.complains("a.log: the checksum does not match in line 3; these runs are repeated");
    }

    #[test]
    fn a_log_of_an_earlier_version_is_rejected() {
        let log = clearway(&ENUMERATE).done().code(0).read("a.log");
        let bare: Vec<&str> = log.lines().map(|line| &line[..line.rfind(",\"crc\"").unwrap()]).collect();
        let earlier = bare.join("}\n") + "}\n";
        let done = clearway(&ENUMERATE).file("a.log", &earlier).done().code(3).without_data();
        assert_eq!(done.read("a.log"), earlier);
        done.complains("it has no checksums, since an earlier version of clearway wrote it").complains("to start over");
    }

    #[test]
    fn a_damaged_state_of_a_climb_is_rejected() {
        let climb = ["forge", "climb", "--size", "5", "--evaluations", "40", "--resume", "state"];
        let state = clearway(&climb).done().code(0).read("state");
        let state = changed(&state, 1, "evaluations");
        clearway(&climb).file("state", state).done().code(3).complains("checksum does not match").without_data();
        clearway(&climb).file("state", "{\"options\":\"\"}\n").done().code(3).complains("earlier version");
    }

    #[test]
    fn a_changed_digit_in_the_log_of_a_run_is_restored_from_the_checkpoint() {
        for (command, size) in [(&["evolve"][..], "4x4"), (&["tiles", "evolve"], "2x2")] {
            let small =
                [command, &["--size", size, "--population", "20", "--generations", "3", "--out", "run"]].concat();
            let boards = ["--suite", "it3105", "--test", "servais"];
            let small = if command == ["evolve"] { [&small[..], &boards].concat() } else { small };
            let small: Vec<&str> =
                small.into_iter().filter(|word| command != ["evolve"] || !["--size", size].contains(word)).collect();
            let (mut child, home) = clearway(&small).spawn();
            assert!(child.wait().unwrap().success());
            let path = home.path().join("run/log.jsonl");
            let log = fs::read_to_string(&path).unwrap();
            fs::write(&path, changed(&log, 2, "nodes")).unwrap();
            let run = home.path().join("run");
            let done = clearway(&[command, &["--resume", run.to_str().unwrap(), "--quiet"]].concat()).done().code(0);
            done.complains("log.jsonl: the checksum does not match in line 2; restored from the checkpoint");
            let restored = fs::read_to_string(&path).unwrap();
            let nodes = |log: &str| -> Vec<_> {
                log.lines()
                    .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["nodes"].clone())
                    .collect()
            };
            assert_eq!(nodes(&restored), nodes(&log), "{command:?}");
        }
    }
}

mod locks {
    use super::*;

    #[test]
    fn a_log_in_use_by_another_process_is_rejected() {
        let compare = ["compare", JAM01, "-A", "bfs", "--resume", "a.log"];
        let enumerate = ["forge", "enumerate", "--size", "4", "--resume", "a.log"];
        let climb = ["forge", "climb", "--size", "5", "--evaluations", "9", "--resume", "a.log"];
        for args in [&compare[..], &enumerate, &climb] {
            let run = clearway(args);
            let _held = LockedFile::open(&run.path("a.log")).unwrap();
            let done = run.done().code(3).without_data().complains("a.log is in use by another process");
            assert_eq!(done.read("a.log"), "", "{args:?}");
        }
    }

    #[test]
    fn a_folder_in_use_by_another_process_is_rejected() {
        for args in
            [&["evolve", "-o", "d"][..], &["tiles", "evolve", "-o", "d"], &["repro", "traffic-jam", "--out", "d"]]
        {
            let run = clearway(args);
            let _held = FolderLock::acquire(&run.path("d")).unwrap();
            let listing = |folder: &Path| fs::read_dir(folder).unwrap().count();
            let folder = run.path("d");
            let message = format!("d is in use by another process (process {})", std::process::id());
            let _done = run.done().code(3).without_data().complains(&message);
            assert_eq!(listing(&folder), 1, "only the lock file");
        }
    }

    /// Runs a second process while the first runs, and another one after the first was killed.
    #[test]
    fn a_run_is_locked_until_its_process_ends() {
        let evolve =
            ["evolve", "--suite", "it3105", "--test", "servais", "--generations", "1000000", "--json", "-o", "d"];
        let (mut child, home) = clearway(&evolve).spawn();
        drop(crate::common::lines(&mut child, 2));
        let folder = home.path().join("d");
        let folder = folder.to_str().unwrap();
        for option in ["--resume", "--out"] {
            let done = clearway(&["evolve", option, folder]).done().code(3).without_data();
            done.complains(&format!("{folder} is in use by another process (process {})", child.id()));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(Path::new(folder).join(FOLDER_LOCK).exists());
        let resume = ["evolve", "--resume", folder, "--generations", "4", "--json"];
        let done = clearway(&resume).done();
        // The lock of the killed process does not block the run, however many generations it has.
        assert!(!done.stderr.contains("in use"), "{}", done.stderr);
        assert!(!Path::new(folder).join(FOLDER_LOCK).exists());
    }
}

mod files {
    use super::*;

    #[test]
    fn leftovers_of_killed_processes_are_removed() {
        let run =
            clearway(&["forge", "pack", "--size", "5", "--count", "2", "--from", "3", "--to", "6", "--out", "p.txt"]);
        let run = run.file(".clearway-a1b2c3.tmp", "").file(".clearway-d4e5f6.tmp", "half").file(".mine.tmp", "");
        let live = AtomicFile::create(&run.path("live")).unwrap();
        let done = run.done().code(0);
        let listing = done.listing();
        assert_eq!((listing.len(), &listing[1..]), (3, &[".mine.tmp".to_owned(), "p.txt".to_owned()][..]));
        assert!(listing[0].starts_with(".clearway-"), "an unfinished file of a live process is kept: {listing:?}");
        live.commit().unwrap();
        assert_eq!(done.listing(), [".mine.tmp", "live", "p.txt"]);
    }

    /// Every command that cannot write a file leaves the old content.
    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_all_files_unchanged() {
        let out = "old.txt";
        for args in [
            &["convert", "--suite", "cards", "--to", "line", "--out", out][..],
            &["convert", JAM01, "--to", "svg", "--out", out],
            &["convert", JAM01, "--to", "pddl", "--out", out],
            &["convert", "--suite", "it3105", "--to", "svg", "--out", "folder/"],
            &["show", JAM01, "--svg", out],
            &["compare", JAM01, "-A", "bfs", "--csv", out],
            &["compare", JAM01, "-A", "bfs", "--html", out],
            &["policy", "show", "hand", "--svg", out],
            &["policy", "test", "hand", JAM01, "--brief", "--csv", out],
            &["policy", "test", "hand", JAM01, "--brief", "--html", out],
            &["grade", JAM01, "--csv", out],
            &["forge", "random", "--count", "80", "--cars", "5", "--trucks", "2", "--out", out],
            &["forge", "random", "--count", "1000", "--cars", "5", "--trucks", "2", "--json", "--out", out],
            &["forge", "backward", "--count", "30", "--from", "2", "--to", "9", "--out", out],
            &["forge", "climb", "--size", "5", "--evaluations", "40", "--count", "9", "--out", out],
            &["forge", "enumerate", "--size", "4", "--out", out],
            &["forge", "enumerate", "--size", "4", "--out", "old.parquet"],
            &["forge", "pack", "--size", "5", "--count", "3", "--from", "4", "--to", "6", "--out", out],
            &["forge", "merge", "--suite", "it3105", "--out", out],
            &["repro", "traffic-jam", "--out", "folder"],
            &["man", "--out", "folder"],
        ] {
            // Either nothing can be written, or only the beginning.
            for blocks in [0, 1] {
                let run = clearway(args).file(out, "as it was").file("old.parquet", "as it was");
                fs::create_dir(run.path("folder")).unwrap();
                let folder = run.path("folder");
                let done = run.on_full_disk(blocks).done();
                assert_eq!(done.listing(), ["folder", "old.parquet", out], "{args:?}");
                let is_small = fs::metadata(folder.parent().unwrap().join(out)).unwrap().len() > 0;
                assert!(is_small);
                if blocks == 0 {
                    assert_eq!(done.code, 3, "{args:?}: {}", done.stderr);
                    assert_eq!([done.read(out), done.read("old.parquet")], ["as it was", "as it was"], "{args:?}");
                    // The log of a reproduction may exist, but is empty.
                    let left = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name());
                    assert_eq!(left.filter(|name| name != "parts.jsonl").count(), 0, "{args:?}");
                    assert!(done.stderr.contains("cannot write "), "{args:?}: {}", done.stderr);
                } else if done.code == 3 {
                    assert_eq!([done.read(out), done.read("old.parquet")], ["as it was", "as it was"], "{args:?}");
                } else {
                    assert_eq!(done.code, 0, "{args:?}: {}", done.stderr);
                }
            }
        }
    }
}
