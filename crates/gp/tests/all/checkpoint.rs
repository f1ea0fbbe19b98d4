//! Checkpoints on disk: a run continues when one of them is damaged.

use crate::common::{Memory, Pieces, facts, options, pieces, run, steps};
use clearway_gp::{CheckpointError, CheckpointFile, Evolution};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn generations(file: &CheckpointFile) -> Result<(usize, Option<CheckpointError>), CheckpointError> {
    file.load::<Memory>().map(|loaded| (loaded.checkpoint.history.len(), loaded.fault))
}

/// A folder with checkpoints of these generations, one after the other.
fn saved(saves: u32) -> (tempfile::TempDir, CheckpointFile) {
    let folder = tempfile::tempdir().unwrap();
    let file = CheckpointFile::in_folder(folder.path());
    let mut evolution = Evolution::new(pieces(), options(3)).unwrap();
    for _ in 0..saves {
        steps(&mut evolution, 1, 1);
        file.save(&evolution.checkpoint()).unwrap();
    }
    (folder, file)
}

#[test]
fn a_saved_checkpoint_can_be_loaded() {
    let (_folder, file) = saved(3);
    assert!(matches!(generations(&file), Ok((3, None))));
    let checkpoint = file.load().unwrap().checkpoint;
    let mut evolution: Evolution<Pieces> = Evolution::resume(pieces(), options(3), checkpoint).unwrap();
    steps(&mut evolution, 2, 2);
    assert_eq!(facts(&evolution), facts(&run(options(3), 5, 1)));
    let names = fs::read_dir(file.newest().parent().unwrap()).unwrap().count();
    assert_eq!(names, 2, "the newest, the one before it, and nothing else");
}

#[test]
fn a_truncated_checkpoint_is_replaced_by_the_previous_one() {
    let (_folder, file) = saved(2);
    let whole = fs::read(file.newest()).unwrap();
    let few = (0..300).chain((300..whole.len()).step_by(97)).chain(whole.len() - 50..whole.len());
    for length in few {
        fs::write(file.newest(), &whole[..length]).unwrap();
        let (loaded, fault) = generations(&file).unwrap();
        assert_eq!(loaded, 1, "{length}");
        assert!(matches!(fault, Some(CheckpointError::Broken { .. })), "{length}: {fault:?}");
    }
}

#[test]
fn a_changed_checkpoint_is_replaced_by_the_previous_one() {
    let (_folder, file) = saved(2);
    let whole = fs::read(file.newest()).unwrap();
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for place in (header + 1..whole.len()).step_by(61) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(file.newest(), bytes).unwrap();
        assert_eq!(generations(&file).unwrap().0, 1, "{place}");
    }
    let nested = "[".repeat(100_000);
    for nonsense in [&b""[..], b"\n", b"{}\n{}\n", b"\xFF\xFE\n", nested.as_bytes(), b"null\nnull\n"] {
        fs::write(file.newest(), nonsense).unwrap();
        assert_eq!(generations(&file).unwrap().0, 1);
    }
}

#[test]
fn the_newest_checkpoint_is_complete_after_every_action_of_a_save() {
    let second = |file: &CheckpointFile| file.newest().with_file_name("checkpoint.second.json");
    // The newest has its second name, and its successor was not written.
    let (_folder, file) = saved(3);
    fs::hard_link(file.newest(), second(&file)).unwrap();
    assert!(matches!(generations(&file), Ok((3, None))));
    // The next save is not in its way.
    let mut evolution = Evolution::resume(pieces(), options(3), file.load().unwrap().checkpoint).unwrap();
    steps(&mut evolution, 1, 1);
    file.save(&evolution.checkpoint()).unwrap();
    assert!(matches!(generations(&file), Ok((4, None))));
    assert!(!second(&file).exists());
    fs::remove_file(file.newest()).unwrap();
    assert_eq!(generations(&file).unwrap().0, 3, "the one before it was kept");
    // A damaged one never takes the place of the last good one before there is a newer one.
    let (_folder, file) = saved(3);
    fs::write(file.newest(), "broken").unwrap();
    fs::hard_link(file.newest(), second(&file)).unwrap();
    assert_eq!(generations(&file).unwrap().0, 2);
}

#[test]
fn errors_describe_why_a_checkpoint_cannot_be_used() {
    let (_folder, file) = saved(0);
    assert!(matches!(generations(&file), Err(CheckpointError::Missing { path }) if path == file.newest()));
    let (_folder, file) = saved(1);
    fs::write(file.newest(), "broken").unwrap();
    assert!(matches!(generations(&file), Err(CheckpointError::Broken { .. })));
    fs::write(file.previous(), "broken too").unwrap();
    let error = generations(&file).unwrap_err().to_string();
    assert!(
        error.contains("checkpoint.json is damaged") && error.contains("checkpoint.previous.json is damaged"),
        "{error}"
    );

    let (_folder, file) = saved(2);
    let text = fs::read_to_string(file.newest()).unwrap();
    fs::write(file.newest(), text.replacen("\"version\":1", "\"version\":2", 1)).unwrap();
    let error = generations(&file).unwrap_err().to_string();
    assert!(error.ends_with("has format 2; this program reads format 1"), "{error}");
    let (_folder, file) = saved(2);
    let other = file.load::<Vec<String>>().unwrap_err();
    assert!(matches!(other, CheckpointError::InvalidContent { .. }), "{other}");
    let nowhere = CheckpointFile::in_folder(Path::new("no/such/folder"));
    assert!(matches!(nowhere.save(&run(options(1), 1, 1).checkpoint()), Err(CheckpointError::Io { .. })));
}

const FOLDER: &str = "CLEARWAY_TEST_CHECKPOINTS";

/// Steps and saves in an endless loop.
fn endless_run(file: &CheckpointFile) -> ! {
    let mut evolution = match file.load() {
        Ok(loaded) => Evolution::resume(pieces(), options(3), loaded.checkpoint).unwrap(),
        Err(_) => Evolution::new(pieces(), options(3)).unwrap(),
    };
    loop {
        steps(&mut evolution, 1, 1);
        file.save(&evolution.checkpoint()).unwrap();
        println!("saved {}", evolution.history().len());
    }
}

#[test]
fn a_killed_process_loses_at_most_one_generation() {
    // The process to kill is this test too, told where to save.
    if let Some(folder) = std::env::var_os(FOLDER) {
        endless_run(&CheckpointFile::in_folder(folder.as_ref()));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = CheckpointFile::in_folder(folder.path());
    for saves in [1, 2, 5, 3, 4] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "checkpoint::a_killed_process_loses_at_most_one_generation", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
        let said = |line: std::io::Result<String>| Some(line.ok()?.rsplit_once("saved ")?.1.parse::<usize>().unwrap());
        let reached = lines.filter_map(said).nth(saves - 1).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(generations(&file).unwrap().0 >= reached);
    }
    let checkpoint = file.load::<Memory>().unwrap().checkpoint;
    let made = checkpoint.history.len() as u32;
    let resumed = Evolution::resume(pieces(), options(3), checkpoint).unwrap();
    assert_eq!(facts(&resumed), facts(&run(options(3), made, 2)));
}
