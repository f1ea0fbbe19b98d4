//! Streams: many boards, closed pipes, interactive use, hostile input and Ctrl-C.

use crate::common::{ENDLESS, JAM01, clearway};
#[cfg(unix)]
use crate::common::{Signal, send, wait_for_work};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

/// Returns boards with different lengths and numbered names.
fn many(count: usize) -> String {
    let boards =
        [JAM01, "B..CCCB..D.EAA.DFEGGG.FE..H.IIJJHKK.", "4x3:...BAA.B....", "B..C..B..C..BAAC....DEEE..D..F..GGGF"];
    let mut text = String::new();
    for n in 0..count {
        writeln!(text, "{} board {n}", boards[n % boards.len()]).unwrap();
    }
    text
}

#[test]
fn thousands_of_boards_are_solved_in_order() {
    let done = clearway(&["solve", "many.txt", "--json", "--threads", "3"]).file("many.txt", many(4000)).done().code(0);
    let records = done.records();
    assert_eq!(records.len(), 4000);
    for (n, record) in records.iter().enumerate() {
        assert_eq!(record["name"], format!("board {n}"));
        assert_eq!(record["status"], if n % 4 == 2 { "unsolvable" } else { "solved" });
    }
}

#[test]
fn invalid_boards_among_thousands_are_reported_in_their_place() {
    let mut lines: Vec<String> = many(1000).lines().map(str::to_owned).collect();
    lines[499] = "AAB".to_owned();
    lines[799] = "??".to_owned();
    let text = lines.join("\n");
    let done = clearway(&["solve", "-", "--json", "-k"]).stdin(text.clone()).done().code(3);
    assert_eq!(done.stdout.lines().count(), 998);
    let done = done.complains("line 500").complains("line 800");
    assert_eq!(done.stderr.matches("help:").count(), 2, "{}", done.stderr);
    let done = clearway(&["solve", "-", "--json"]).stdin(text).done().code(3).complains("line 500");
    assert_eq!(done.stdout.lines().count(), 499);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for args in [
        &["solve", "many.txt", "--json"][..],
        &["solve", "many.txt"],
        &["convert", "many.txt", "--to", "grid"],
        &["show", "many.txt"],
    ] {
        let (mut child, _folder) = clearway(args).file("many.txt", many(5000)).spawn();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn a_result_is_printed_before_the_next_board_is_read() {
    let (mut child, _folder) = clearway(&["solve", "-", "--json", "--format", "line"]).spawn();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for n in 0..3 {
        writeln!(stdin, "{JAM01} question {n}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!("\"question {n}\"")), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Returns pseudo-random bytes, the same in every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn hostile_input_is_rejected() {
    // Guards against quadratic time, which would take hours on this input.
    const LONG: Duration = Duration::from_secs(300);
    let letters = vec![b'A'; 50 << 20];
    let lines: Vec<u8> = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n".iter().copied().cycle().take(50 << 20).collect();
    let inputs = [Vec::new(), b"\n\n\n".to_vec(), noise(1 << 20), b"\0".repeat(1 << 20), letters, lines];
    for input in inputs {
        let beginning = String::from_utf8_lossy(&input[..input.len().min(20)]).into_owned();
        for args in [&["solve", "-"][..], &["convert", "-", "--to", "line"], &["show", "-"], &["verify", "-", "A+1"]] {
            let started = Instant::now();
            let done = clearway(args).stdin(input.clone()).done();
            assert_eq!(done.code, 3, "{args:?} on {beginning:?}: {}", done.stderr);
            assert!(done.stderr.len() < 5000, "{args:?} on {beginning:?} says too much");
            assert!(done.stderr.contains("help:"), "{}", done.stderr);
            assert!(started.elapsed() < LONG, "{args:?} on {beginning:?}");
        }
    }
}

#[test]
fn control_characters_of_the_input_are_not_printed() {
    let done = clearway(&["solve", "-"]).stdin("..\u{1b}[31mAA\u{7}\n").done().code(3);
    assert!(!done.stderr.contains(['\u{1b}', '\u{7}']), "{:?}", done.stderr);
    let named = format!("{JAM01} a\u{1b}[2Jname\n");
    let done = clearway(&["solve", "-"]).stdin(named.repeat(2)).done();
    assert!(!done.stdout.contains('\u{1b}'), "{:?}", done.stdout);
}

#[cfg(unix)]
mod interrupted {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn ctrl_c_keeps_the_results_and_exits_with_130() {
        let (mut child, _folder) = clearway(&["solve", JAM01, ENDLESS, "--json", "--threads", "2"]).spawn();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        assert!(first.contains("\"solved\""), "{first}");
        // The first board takes a millisecond, so the process is busy with the second.
        wait_for_work(&child);
        send(&child, Signal::INT);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let record: serde_json::Value =
            serde_json::from_str(&rest).expect("the unfinished board has a complete record");
        assert_eq!((&record["status"], &record["limit"]), (&"limit".into(), &"interrupted".into()));
        assert!(record["lower_bound"].as_u64().unwrap() > 0);
    }

    #[test]
    fn ctrl_c_ends_a_command_that_waits_for_input() {
        let (mut child, folder) = clearway(&["convert", "-", "--to", "json", "--out", "out.json"]).spawn();
        let mut stdin = child.stdin.take().unwrap();
        writeln!(stdin, "{JAM01}").unwrap();
        stdin.flush().unwrap();
        // The temporary file shows that the handler is installed and the work has started.
        let temporary = || std::fs::read_dir(folder.path()).unwrap().count();
        while temporary() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        send(&child, Signal::INT);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(temporary(), 0, "no incomplete or temporary file is left");
    }
}
