//! Runs of evolution that are killed or interrupted, for every command that evolves.

use super::{Done, Run, interrupt, lines, timeless};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A command that evolves.
pub struct EvolveCommand {
    pub name: &'static str,
    /// File of the champion in the folder of a run.
    pub champion: &'static str,
    pub start: fn(&[&str]) -> Run,
    pub resume: fn(&Path, &[&str]) -> Done,
}

/// A run that was interrupted.
pub struct InterruptedRun {
    /// Is removed at the end.
    pub home: TempDir,
    pub folder: PathBuf,
    pub generations: usize,
    pub champion: String,
}

impl EvolveCommand {
    /// Checks that a run which is killed after it has printed some generations loses at most the last of them.
    #[track_caller]
    pub fn survives_a_kill(&self, generations: &str, printed: usize) {
        let options = ["--generations", generations, "--json", "--quiet", "--out", "run", "--seed", "8"];
        let whole = (self.start)(&options).done().code(0);
        let (mut child, home) = (self.start)(&options).spawn();
        drop(lines(&mut child, printed));
        child.kill().unwrap();
        child.wait().unwrap();
        let run = home.path().join("run");
        let done = (self.resume)(&run, &["--json", "--quiet"]).code(0).quietly();
        let first = done.records()[0]["generation"].as_u64();
        // The last printed generation may not have been saved.
        assert!(first.is_none_or(|first| first + 1 >= printed as u64), "{first:?}");
        let read = |name: &str| std::fs::read_to_string(run.join(name)).unwrap();
        assert_eq!(read(self.champion), whole.read(&format!("run/{}", self.champion)));
        assert_eq!(timeless(&read("log.jsonl")), timeless(&whole.read("run/log.jsonl")));
    }

    /// Interrupts a run with Ctrl-C, and checks that it reports how to resume it and leaves a complete folder.
    #[track_caller]
    pub fn interrupted(&self) -> InterruptedRun {
        let (mut child, home) = (self.start)(&["--generations", "1000000", "--json", "--out", "run"]).spawn();
        let (rest, stderr) = interrupt(&mut child, 3);
        assert!(stderr.contains(&format!("resume with: {} --resume run", self.name)), "{stderr}");
        let end: serde_json::Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
        assert_eq!(end["interrupted"].as_bool(), Some(true));
        let folder = home.path().join("run");
        let generations = std::fs::read_to_string(folder.join("log.jsonl")).unwrap().lines().count();
        assert_eq!(end["generations"].as_u64(), Some(generations as u64));
        assert!(folder.join("report.html").exists());
        let champion = std::fs::read_to_string(folder.join(self.champion)).unwrap();
        InterruptedRun { home, folder, generations, champion }
    }
}
