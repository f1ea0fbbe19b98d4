//! `clearway prove`: certificates, their check, and the exit codes.

use crate::common::{JAM01, UNSOLVABLE, clearway};
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FILES: [&str; 4] = ["claim.json", "formula.cnf", "proof.lrat", "variables.tsv"];

/// A folder with a certificate that a bound does not suffice for the first card.
fn certificate(option: &str, bound: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    clearway(&["prove", JAM01, option, bound, "--out", path]).done().code(0);
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_certificate_is_written_and_checked() {
    for (option, bound, words) in
        [("--moves", "7", "7 moves do not suffice"), ("--steps", "15", "15 steps do not suffice")]
    {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("new/card");
        let path = path.to_str().unwrap();
        clearway(&["prove", JAM01, option, bound, "--out", path])
            .done()
            .code(0)
            .says(&format!("proven: {words}\n"))
            .complains(" clauses, a proof of ")
            .complains("written to ");
        assert_eq!(files(Path::new(path)), FILES);
        clearway(&["prove", "--check", path]).done().code(0).says(&format!("valid: {words} for {JAM01}\n"));
        clearway(&["prove", "--check", path, "--quiet"]).done().code(0).quietly();
    }
}

#[test]
fn json_has_one_record() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    let done = clearway(&["prove", JAM01, "--moves", "7", "--out", path, "--json"]).done().code(0).quietly();
    let head = ["name", "board", "metric", "bound", "status", "seconds"];
    let fields = ["folder", "layers", "variables", "clauses", "proof_bytes", "conflicts", "solver"];
    let record = done.record_of(&[&head[..], &fields].concat());
    assert_eq!((&record["status"], &record["bound"], &record["layers"]), (&json!("proven"), &json!(7), &json!(7)));
    assert_eq!(record["proof_bytes"], fs::metadata(folder.path().join("proof.lrat")).unwrap().len());

    let done = clearway(&["prove", "--check", path, "--json"]).done().code(0).quietly();
    let fields = ["board", "metric", "bound", "variables", "clauses", "additions", "deletions", "solver"];
    let checked = done.record_of(&[&["folder", "valid", "seconds"][..], &fields].concat());
    assert_eq!((&checked["valid"], &checked["board"]), (&json!(true), &json!(JAM01)));
    assert_eq!(checked["variables"], record["variables"]);

    fs::remove_file(folder.path().join("proof.lrat")).unwrap();
    let done = clearway(&["prove", "--check", path, "--json"]).done().code(3).quietly();
    let rejected = done.record_of(&["folder", "valid", "seconds", "reason"]);
    assert_eq!(rejected["valid"], json!(false));

    let done = clearway(&["prove", JAM01, "--moves", "8", "--out", path, "--json"]).done().code(3).quietly();
    let refuted = done.record_of(&[&head[..], &["solution"]].concat());
    assert_eq!((&refuted["status"], refuted["solution"].as_array().unwrap().len()), (&json!("refuted"), 8));

    let limited = ["prove", JAM01, "--moves", "7", "--out", path, "--json", "--time-limit", "0"];
    let done = clearway(&limited).done().code(5).quietly();
    assert_eq!(done.record_of(&[&head[..], &["limit"]].concat())["limit"], "time");
}

#[test]
fn a_bound_that_suffices_is_refuted() {
    let folder = certificate("--moves", "7");
    let path = folder.path().to_str().unwrap();
    clearway(&["prove", JAM01, "--moves", "8", "--out", path])
        .done()
        .code(3)
        .without_data()
        .complains("8 moves suffice: there is a solution of 8 moves")
        .complains("the solution is ");
    assert!(files(folder.path()).is_empty(), "{:?}", files(folder.path()));
    clearway(&["prove", "--check", path]).done().code(3).complains("cannot read");
    clearway(&["prove", "4x4:......AA........", "--steps", "0", "--out", path])
        .done()
        .code(3)
        .complains("0 steps suffice: there is a solution of 0 steps");
}

#[test]
fn a_changed_certificate_is_not_valid() {
    let folder = certificate("--moves", "7");
    let path = folder.path().to_str().unwrap();
    let formula = fs::read_to_string(folder.path().join("formula.cnf")).unwrap();
    let line = formula.lines().nth(1).unwrap();
    fs::write(folder.path().join("formula.cnf"), formula.replacen(line, "1 0", 1)).unwrap();
    clearway(&["prove", "--check", path])
        .done()
        .code(3)
        .without_data()
        .complains("the certificate is not valid: formula.cnf, line 2: the claim has no such clause");
}

#[test]
fn limits_leave_no_claim() {
    for limit in [["--time-limit", "0"], ["--memory", "1K"]] {
        let folder = certificate("--moves", "7");
        let path = folder.path().to_str().unwrap();
        clearway(&["prove", "--check", path, limit[0], limit[1]]).done().code(5).complains("limit was reached");
        clearway(&["prove", JAM01, "--moves", "7", "--out", path, limit[0], limit[1]])
            .done()
            .code(5)
            .without_data()
            .complains("limit was reached; nothing is proven");
        assert!(files(folder.path()).is_empty(), "{:?}", files(folder.path()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_proof_leaves_no_claim() {
    use crate::common::{OPEN_IN_STEPS, Signal, send, wait_for_work};
    let (mut child, folder) = clearway(&["prove", OPEN_IN_STEPS, "--steps", "50", "--out", "card", "--memory", "8G"]).spawn();
    let proof = folder.path().join("card/proof.lrat");
    while !proof.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    wait_for_work(&child);
    send(&child, Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(files(&folder.path().join("card")).is_empty());
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_claim() {
    // The proof of this board is several times as large as its formula. Blocks have 512 or 1024 bytes.
    let walls = "BBB.x...CDDEAACF.EG..FHHG.IIJ...KKJ.";
    for (blocks, file) in [(1, "variables.tsv"), (600, "proof.lrat: the proof is incomplete")] {
        let done = clearway(&["prove", walls, "--moves", "22", "--out", "card"]).on_full_disk(blocks).done().code(3);
        let done = done.without_data().complains(&format!("cannot write card/{file}"));
        assert_eq!(done.listing(), ["card"]);
    }
}

#[test]
fn unsolvable_boards_need_more_than_any_bound() {
    for bound in ["0", "9"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().to_str().unwrap();
        clearway(&["prove", UNSOLVABLE, "--moves", bound, "--out", path]).done().code(0);
        clearway(&["prove", "--check", path]).done().code(0);
    }
}

#[test]
fn the_command_line_is_checked() {
    let usage = |args: &[&str], message: &str| {
        clearway(&[&["prove"], args].concat()).done().code(2).without_data().complains(message);
    };
    usage(&[], "required");
    usage(&[JAM01, "--out", "x"], "--moves");
    usage(&[JAM01, "--moves", "7"], "--out");
    usage(&[JAM01, "--moves", "7", "--steps", "7", "--out", "x"], "cannot be used with");
    usage(&[JAM01, "--moves", "1001", "--out", "x"], "1001 is not in 0..=1000");
    usage(&[JAM01, "--check", "x"], "cannot be used with");
    usage(&["--check", "x", "--moves", "7"], "cannot be used with");
    clearway(&["prove", "--check", "nowhere"]).done().code(3).complains("cannot read nowhere/claim.json");
    clearway(&["prove", "4x3:...BAA.C....", "--moves", "1", "--out", "x"]).done().code(3);
    clearway(&["prove", JAM01, "--moves", "7", "--out", "file/x"])
        .file("file", "")
        .done()
        .code(3)
        .complains("cannot write");
}
