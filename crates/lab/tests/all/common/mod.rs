//! Tests that all kinds of evolution runs share.

use clearway_gp::CheckpointError;
use clearway_lab::runs::{Folder, FolderError, Run, RunError, RunKind, RunSettings};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A kind of run under test.
pub trait TestKind: RunKind<Line: Debug + PartialEq> + Sized {
    /// Settings of a run of seven generations that ends at once.
    fn quick() -> Self::Settings;
    /// The number of generations and the seed, to change them.
    fn generations_and_seed(settings: &mut Self::Settings) -> (&mut u32, &mut u64);
    /// Sets a budget that the first generation exceeds, or removes the budget.
    fn set_tiny_budget(settings: &mut Self::Settings, is_limited: bool);
    fn start(folder: Folder, settings: Self::Settings, cancel: &Arc<AtomicBool>) -> Result<Run<Self>, RunError>;
    fn resume(
        folder: Folder,
        change: impl FnOnce(&mut Self::Settings),
        cancel: &Arc<AtomicBool>,
    ) -> Result<(Run<Self>, Option<CheckpointError>), RunError>;
    /// Computes a generation. Returns false if the run was stopped.
    fn step(run: &mut Run<Self>, threads: usize) -> bool;
    /// Chooses, tests and writes the champion.
    fn write_champion(run: &Run<Self>, threads: usize);
}

/// Champion of a run, and its log without times.
pub type Results<K> = (String, Vec<<K as RunKind>::Line>);

pub fn start<K: TestKind>(path: &Path, settings: &K::Settings) -> Run<K> {
    K::start(Folder::at(path), settings.clone(), &Arc::default()).unwrap()
}

pub fn resume<K: TestKind>(path: &Path) -> (Run<K>, Option<CheckpointError>) {
    K::resume(Folder::at(path), |_| {}, &Arc::default()).unwrap()
}

/// Returns the error of resuming the run in a folder.
pub fn resume_error<K: TestKind>(path: &Path) -> String {
    match K::resume(Folder::at(path), |_| {}, &Arc::default()) {
        Ok(_) => panic!("the run was resumed"),
        Err(error) => error.to_string(),
    }
}

/// Returns the error of resuming the run in a folder after a replacement in a file, which is then undone.
pub fn resume_error_after_edit<K: TestKind>(path: &Path, file: &str, from: &str, to: &str) -> String {
    let file = path.join(file);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(&file, text.replace(from, to)).unwrap();
    let error = resume_error::<K>(path);
    fs::write(&file, text).unwrap();
    error
}

/// Computes generations until the run is done.
pub fn run_to_end<K: TestKind>(run: &mut Run<K>, threads: usize) {
    while !run.is_done() {
        assert!(K::step(run, threads));
    }
}

/// Writes the champion and returns the results of a run.
pub fn results<K: TestKind>(run: &Run<K>, threads: usize) -> Results<K> {
    K::write_champion(run, threads);
    let log = fs::read_to_string(run.folder().file("log.jsonl")).unwrap();
    let lines = log.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["seconds"].is_f64());
        line["seconds"] = 0.0.into();
        serde_json::from_value(line).unwrap()
    });
    (fs::read_to_string(run.champion_file()).unwrap(), lines.collect())
}

/// Returns the results of a run without interruption.
pub fn uninterrupted<K: TestKind>(settings: &K::Settings, threads: usize) -> Results<K> {
    let folder = TempDir::new().unwrap();
    let mut run = start::<K>(&folder.path().join("run"), settings);
    run_to_end(&mut run, threads);
    results(&run, threads)
}

/// Returns the results of a run that is interrupted after every generation.
pub fn interrupted<K: TestKind>(settings: &K::Settings) -> Results<K> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = start::<K>(&path, settings);
    while !run.is_done() {
        assert!(K::step(&mut run, 1));
        drop(run);
        run = resume(&path).0;
    }
    results(&run, 1)
}

/// Neither the number of threads nor interruptions change the results; the seed does. Returns the results.
pub fn check_determinism<K: TestKind>(settings: &K::Settings, threads: usize) -> Results<K> {
    let expected = uninterrupted::<K>(settings, 1);
    assert_eq!(expected.1.len(), settings.stop_criteria().generations as usize);
    assert_eq!(uninterrupted::<K>(settings, threads), expected);
    assert_eq!(interrupted::<K>(settings), expected);
    let mut other = settings.clone();
    *K::generations_and_seed(&mut other).1 = 6;
    assert_ne!(uninterrupted::<K>(&other, 1).1, expected.1);
    expected
}

/// Incomplete files do not change the results.
pub fn check_recovery<K: TestKind>() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let expected = uninterrupted::<K>(&K::quick(), 1);
    drop(start::<K>(&path, &K::quick()));
    // Interrupted before the first generation: there is no checkpoint yet.
    let mut run = resume::<K>(&path).0;
    assert_eq!(run.generations().len(), 0);
    for _ in 0..4 {
        assert!(K::step(&mut run, 1));
    }
    drop(run);
    // Interrupted between the log and the checkpoint.
    let log = path.join("log.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let last = text.lines().last().unwrap();
    fs::write(&log, format!("{text}{last}\n{{\"genera")).unwrap();
    assert_eq!(resume::<K>(&path).0.generations().len(), 4);
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 4);
    // Interrupted while the checkpoint was written.
    let newest = path.join("checkpoint.json");
    let bytes = fs::read(&newest).unwrap();
    fs::write(&newest, &bytes[..bytes.len() / 2]).unwrap();
    let (mut run, fault) = resume::<K>(&path);
    assert!(matches!(fault, Some(CheckpointError::Broken { .. })), "{fault:?}");
    assert_eq!(run.generations().len(), 3);
    run_to_end(&mut run, 1);
    assert_eq!(results(&run, 1), expected);
}

/// A generation that is cancelled leaves the run unchanged. Returns the run, which has one generation, in the folder `run`.
pub fn check_cancellation<K: TestKind>(cancel: &Arc<AtomicBool>) -> (TempDir, Run<K>) {
    let folder = TempDir::new().unwrap();
    let mut run = K::start(Folder::at(&folder.path().join("run")), K::quick(), cancel).unwrap();
    assert!(K::step(&mut run, 1));
    cancel.store(true, Ordering::Relaxed);
    assert!(!K::step(&mut run, 1));
    assert_eq!((run.generations().len(), run.is_done()), (1, false));
    (folder, run)
}

/// A budget ends a run. A resumed run may have another budget and more generations, but not fewer than it has.
pub fn check_budget<K: TestKind>() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut settings = K::quick();
    K::set_tiny_budget(&mut settings, true);
    let mut run = start::<K>(&path, &settings);
    assert!(!run.is_done(), "a run has at least one generation");
    assert!(K::step(&mut run, 1));
    assert!(run.is_done());
    drop(run);
    let change = |settings: &mut K::Settings| {
        K::set_tiny_budget(settings, false);
        *K::generations_and_seed(settings).0 = 2;
    };
    let (mut run, _) = K::resume(Folder::at(&path), change, &Arc::default()).unwrap();
    assert!(!run.is_done());
    assert!(K::step(&mut run, 1));
    assert!(run.is_done());
    drop(run);
    assert_eq!(resume::<K>(&path).0.settings().stop_criteria().generations, 2);
    let fewer = K::resume(Folder::at(&path), |settings| *K::generations_and_seed(settings).0 = 1, &Arc::default());
    assert!(matches!(fewer.map(|_| ()), Err(RunError::TooFewGenerations(_))));
}

/// Folders that cannot be used are rejected, and so are changes of settings that affect the result. Returns the folder of a run
/// of one generation.
pub fn check_rejections<K: TestKind>(changes: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    assert!(resume_error::<K>(&path).contains("does not hold a run"));
    let mut run = start::<K>(&path, &K::quick());
    assert!(K::step(&mut run, 1));
    drop(run);
    let start = |path: &Path| K::start(Folder::at(path), K::quick(), &Arc::default()).map(|_| ());
    assert!(matches!(start(&path), Err(RunError::Folder(FolderError::AlreadyHoldsRun(_)))));
    assert!(matches!(start(folder.path()), Err(RunError::Folder(FolderError::NotEmpty(_)))));

    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let error = resume_error_after_edit::<K>(&path, "config.toml", &version, "version = \"99.0.0\"\nnew = 1");
    assert!(error.contains("started by clearway 99.0.0"), "{error}");
    for (from, to) in changes {
        let error = resume_error_after_edit::<K>(&path, "config.toml", from, to);
        assert!(error.contains("started with a different configuration"), "{to}: {error}");
    }
    folder
}
