//! PDDL: an off-the-shelf planner solves our problems, and its plans are as long as they should be.

use clearway_rush::formats::{Format, pddl, read_one};
use clearway_rush::{Board, Move, replay};
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A board from its cells row by row.
fn board(width: usize, cells: &str, exit: &str) -> Board {
    let height = cells.chars().count() / width;
    read_one(&format!("{width}x{height}:{cells}@{exit}"), Some(Format::Line)).unwrap().board
}

/// The fewest steps, by the simplest search there is.
fn fewest_steps(start: &Board) -> u32 {
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start.clone(), 0)]);
    while let Some((board, steps)) = queue.pop_front() {
        if board.is_solved() {
            return steps;
        }
        for mv in board.legal_moves().into_iter().filter(|mv| mv.cells.abs() == 1) {
            let mut next = board.clone();
            next.apply(mv).unwrap();
            if seen.insert(next.clone()) {
                queue.push_back((next, steps + 1));
            }
        }
    }
    panic!("the board has no solution");
}

fn run(command: &mut Command, to_do: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} did not start ({error}): {to_do}"));
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
    assert!(output.status.success(), "{command:?} failed: {to_do}\n{said}");
}

/// The planner, installed once into a virtual environment of the build directory.
fn planner(folder: &Path) -> PathBuf {
    let environment = folder.join("planner");
    let program = environment.join("bin/pyperplan");
    let ready = environment.join("ready");
    if !ready.exists() {
        let to_do = "this test needs Python 3.8 or newer with venv and pip (on Debian: apt-get install python3-venv), \
                     and must be able to install the package pyperplan";
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment), to_do);
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pyperplan==2.1"];
        run(Command::new(environment.join("bin/python")).args(pip), to_do);
        fs::write(ready, "").unwrap();
    }
    program
}

/// A shortest plan for a board, by breadth-first search, if there is one.
fn plan(program: &Path, folder: &Path, name: &str, board: &Board) -> Option<Vec<Move>> {
    let (domain, problem) = (folder.join("domain.pddl"), folder.join(format!("{name}.pddl")));
    let plan = folder.join(format!("{name}.pddl.soln"));
    fs::write(&domain, pddl::domain()).unwrap();
    fs::write(&problem, pddl::problem(board, name)).unwrap();
    let _ = fs::remove_file(&plan);
    run(Command::new(program).args(["-s", "bfs"]).args([&domain, &problem]), "the planner refused the problem");
    let text = fs::read_to_string(&plan).ok()?;
    Some(pddl::read_plan(board, &text).unwrap().0)
}

#[test]
#[ignore = "needs Python, pip and the network: ./check runs it"]
fn a_planner_finds_the_fewest_steps() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pddl");
    fs::create_dir_all(&folder).unwrap();
    let program = planner(&folder);
    let boards = [
        ("easy-3", board(6, "..B.....B.CC..AAD.....D.EEEFF.......", "right"), Some(16)),
        ("card-1", board(6, "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "right"), Some(16)),
        ("card-2", board(6, "B..CCCB..D.EAA.DFEGGG.FE..H.IIJJHKK.", "right"), Some(14)),
        ("ser200", board(6, "BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM", "right"), Some(93)),
        ("walls", board(4, "B..xB.C.AAC..DDx", "right"), None),
        ("left", board(5, ".B...CB.AACDD.......", "left"), None),
        ("top", board(4, "BB.CA..CADDC....", "top"), None),
        ("bottom", board(4, "A..BA..BCCD...Dx", "bottom"), None),
        ("traffic-jam", board(6, "...BCC...BDDEFFFGGE....A..HHHA......", "top:5"), None),
    ];
    for (name, board, known) in boards {
        let least = fewest_steps(&board);
        assert_eq!(known.unwrap_or(least), least, "{name}");
        let moves = plan(&program, &folder, name, &board).unwrap_or_else(|| panic!("{name}: no plan was found"));
        let done = replay(&board, &moves).unwrap();
        assert!(done.solved, "{name}: the plan does not solve the board");
        assert_eq!(done.steps, least, "{name}");
    }
    // B fills the column that A would have to cross.
    let hopeless = board(3, "..BAABxxB", "right");
    assert_eq!(plan(&program, &folder, "hopeless", &hopeless), None);
}

#[test]
fn the_domain_and_a_problem() {
    insta::assert_snapshot!("domain", pddl::domain());
    insta::assert_snapshot!("problem", pddl::problem(&board(4, "B..xB.C.AAC..DDx", "right"), "4x4 walls"));
}
