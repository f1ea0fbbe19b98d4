//! `clearway evolve --seeds` and `clearway runs`.

use crate::common::{self, clearway, timeless};
use crate::evolve::evolve;
use clearway_lab::statistics::{Summary, mann_whitney};
use std::path::Path;

fn champions(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn each_seed_has_the_run_that_it_has_alone() {
    let options = ["--generations", "3", "--quiet"];
    let done = evolve(&[&options[..], &["--seeds", "2..4", "--out", "many", "--threads", "2", "--json"]].concat());
    let done = done.done().code(0).quietly();
    let records = done.records();
    let seeds: Vec<_> = records[..3].iter().map(|record| record["seed"].as_u64()).collect();
    assert_eq!(seeds, [Some(2), Some(3), Some(4)]);
    for seed in [2, 4] {
        let alone = evolve(&[&options[..], &["--seed", &seed.to_string(), "--out", "alone"]].concat()).done().code(0);
        let file = |name: &str| (done.read(&format!("many/seed-{seed}/{name}")), alone.read(&format!("alone/{name}")));
        let (ours, single) = file("champion.policy");
        assert_eq!(ours, single);
        let (ours, single) = file("log.jsonl");
        assert_eq!(timeless(&ours), timeless(&single));
        let (ours, single) = file("config.toml");
        assert_eq!(ours, single);
    }
    let end = &records[3];
    assert_eq!((&end["seeds"], &end["interrupted"]), (&vec![2, 3, 4].into(), &false.into()));
    // The statistics are those of the champions.
    let name = "test.tsv: nodes, % of None, mean over boards";
    let champion = |record: &serde_json::Value| {
        let columns = record["tests"][0]["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == "GP").unwrap()["nodes_percent"].as_f64().unwrap()
    };
    let summary = Summary::new(&records[..3].iter().map(champion).collect::<Vec<_>>()).unwrap();
    let found = end["statistics"].as_array().unwrap().iter().find(|one| one["measure"] == name).unwrap();
    assert!((found["median"].as_f64().unwrap() - summary.median).abs() < 1e-12);
    assert_eq!((&found["count"], found["min"].as_f64()), (&3.into(), Some(summary.min)));
    let table = champions(&done.read("many/champions.csv"));
    assert_eq!(table.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["seed", "2", "3", "4"]);
    let report = done.read("many/report.html");
    for text in ["middle half of the seeds", "Evolution with 3 seeds", "seed 4", "clearway evolve"] {
        assert!(report.contains(text), "{text}");
    }
    assert!(done.read("many/statistics.tex").contains("\\begin{tabular}"));
    assert!(done.read("many/statistics.csv").contains(&format!("\"{name}\",3,")));
}

#[test]
fn settings_are_compared_by_their_champions() {
    let (mut child, home) = evolve(&["--seeds", "3", "--generations", "2", "--out", "a", "--quiet"]).spawn();
    assert!(child.wait().unwrap().success());
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let other =
        ["evolve", "--suite", &path("learn.tsv"), "--test", &path("test.tsv"), "--population", "12", "--sample", "2"];
    let more = ["--seeds", "3", "--seed", "5", "--generations", "4", "--out", &path("b"), "--quiet"];
    clearway(&[&other[..], &more].concat()).done().code(0);
    // The names of the test boards differ: only the training boards are common.
    let (a, b) = (path("a"), path("b"));
    let done = clearway(&["runs", "compare", &a, &b, "--json", "--csv", "c.csv", "--html", "c.html"]).done().code(0);
    let records = done.records();
    let names: Vec<_> = records.iter().map(|record| record["measure"].as_str().unwrap()).collect();
    assert_eq!(names, ["training: % of the baseline, mean over boards", "training: length/optimum"]);
    let column = |folder: &str, place: usize| -> Vec<f64> {
        let text = std::fs::read_to_string(Path::new(folder).join("champions.csv")).unwrap();
        let line = |line: &str| {
            // The names in the header have commas, the rows have none.
            line.split(',').nth(place).unwrap().parse().unwrap()
        };
        text.lines().skip(1).map(line).collect()
    };
    let expected = mann_whitney(&column(&a, 2), &column(&b, 2)).unwrap();
    assert_eq!(records[0]["test"]["u"].as_f64(), Some(expected.u));
    assert_eq!(records[0]["test"]["a12"].as_f64(), Some(expected.a12));
    assert_eq!(records[0]["test"]["p"].as_f64(), Some(expected.p));
    assert!(records[0]["adjusted_p"].as_f64() >= Some(expected.p));
    assert_eq!(done.read("c.csv").lines().count(), 3);
    assert!(done.read("c.html").contains("A12"));
    clearway(&["runs", "compare", &a, &b]).done().code(0).says("Champions of two settings").says("p, Holm");
    clearway(&["runs", "compare", &a, &a, "--json"]).done().code(0).says("\"a12\":0.5");

    let report = clearway(&["runs", "report", &a]).done().code(0).says("95 % interval of the median");
    report.complains("the report is in ");
    clearway(&["runs", "report", &path("a/seed-0")])
        .done()
        .code(3)
        .complains("holds no finished runs of several seeds");
    clearway(&["runs", "compare", &a, "none"]).done().code(3).without_data();
    clearway(&["runs", "compare", &a]).done().code(2);
}

#[test]
fn seeds_can_be_added_and_other_settings_are_rejected() {
    let options = ["--generations", "2", "--out", "many"];
    let (mut child, home) = evolve(&[&options[..], &["--seeds", "2", "--quiet"]].concat()).spawn();
    assert!(child.wait().unwrap().success());
    let many = home.path().join("many");
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let resume = |more: &[&str]| clearway(&[&["evolve", "--resume", &path("many")], more].concat()).done();
    resume(&[]).code(0).complains("resuming the runs in ").complains("2 of 2 runs are already done");
    resume(&["--generations", "3"]).code(0).says("Champions of all seeds");
    assert_eq!(std::fs::read_to_string(many.join("seed-1/log.jsonl")).unwrap().lines().count(), 3);
    assert!(std::fs::read_to_string(many.join("champions.csv")).unwrap().lines().nth(1).unwrap().starts_with("0,3,"));
    // A damaged result is measured again.
    std::fs::write(many.join("seed-0/result.json"), "{}").unwrap();
    resume(&[]).code(0).complains("1 of 2 runs are already done");
    assert!(std::fs::read_to_string(many.join("seed-0/result.json")).unwrap().contains("\"crc\""));

    // The same command with more seeds adds them.
    let words = |more: &[&str]| {
        let files = ["evolve", "--suite", "learn.tsv", "--test", "test.tsv", "--population", "8", "--out", "many"];
        let mut shell = std::process::Command::new(env!("CARGO_BIN_EXE_clearway"));
        let output = shell.args(files).args(more).current_dir(home.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, stderr) = words(&["--sample", "3", "--generations", "3", "--seeds", "3"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("2 of 3 runs are already done") && many.join("seed-2/result.json").exists(), "{stderr}");
    let (code, stderr) = words(&["--sample", "4", "--generations", "3", "--seeds", "3"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("contains a run with other settings"), "{stderr}");

    evolve(&["--seeds", "3..1"]).done().code(2).complains("invalid seeds '3..1'");
    evolve(&["--seeds", "0"]).done().code(2).complains("expected a number of seeds");
    evolve(&["--seeds", "1,2", "--seed", "3"]).done().code(2).complains("--seed cannot be used with a list of seeds");
    evolve(&["--seeds", "2", "--resume", "x"]).done().code(2).complains("cannot be used with");
    evolve(&["--seeds", "2", "--out", "."]).done().code(3).complains("is not empty");
}

/// Runs that are interrupted.
#[cfg(unix)]
mod stopped {
    use super::*;
    use common::{Signal, send};

    #[test]
    fn ctrl_c_keeps_all_runs_and_they_can_be_resumed() {
        let options = ["--seeds", "2", "--out", "many", "--threads", "2"];
        let (mut child, home) = evolve(&[&options[..], &["--generations", "1000000"]].concat()).spawn();
        let many = home.path().join("many");
        let generations = |seed: u32| {
            let log = std::fs::read_to_string(many.join(format!("seed-{seed}/log.jsonl"))).unwrap_or_default();
            log.lines().count()
        };
        while generations(0) < 3 || generations(1) < 3 {
            assert!(child.try_wait().unwrap().is_none(), "it runs until it is interrupted");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        send(&child, Signal::INT);
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{stderr}");
        assert!(stderr.contains("0 of 2 runs are finished; resume with: clearway evolve --resume many"), "{stderr}");
        assert!(stderr.contains("no statistics of champions yet, because no run is finished"), "{stderr}");
        let mut stdout = String::new();
        std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut stdout).unwrap();
        assert_eq!(stdout, "", "an empty table is not printed");
        assert!(many.join("report.html").exists() && many.join("seed-0/champion.policy").exists());

        let more = (generations(0).max(generations(1)) + 2).to_string();
        let resume = ["evolve", "--resume", many.to_str().unwrap(), "--generations", &more, "--quiet"];
        clearway(&resume).done().code(0).quietly();
        let whole = evolve(&[&options[..], &["--generations", &more, "--quiet"]].concat()).done().code(0);
        for seed in [0, 1] {
            let read = |name: &str| std::fs::read_to_string(many.join(format!("seed-{seed}/{name}"))).unwrap();
            assert_eq!(timeless(&read("log.jsonl")), timeless(&whole.read(&format!("many/seed-{seed}/log.jsonl"))));
            let champion = whole.read(&format!("many/seed-{seed}/champion.policy"));
            assert_eq!(read("champion.policy"), champion);
        }
    }
}
