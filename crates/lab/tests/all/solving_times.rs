//! Solving times: files of results are read or refused, and the fit recovers the model that times were drawn from.

use clearway_forge::collection::{self, CollectedPuzzle};
use clearway_forge::grade::{Beyond, DataRange, MovesModel, TimeModel};
use clearway_lab::solving_times::{
    FitError, MAX_RESULTS_BYTES, Measures, PlayerResults, SolvingTime, SolvingTimes, fit, model_from_json, read_results,
};
use clearway_rush::{Board, formats};
use clearway_util::rng::stream;
use rand::RngExt;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A board with its measures.
type Measured = (Board, Measures);

/// Returns puzzles of the collection, evenly spread over the levels. Nearly all have a depth close to their moves.
fn puzzles(count: usize) -> Vec<Measured> {
    let all = collection::puzzles();
    let measured = |puzzle: &CollectedPuzzle| {
        let depth_and_vehicles = Some((puzzle.depth, puzzle.vehicles_moved));
        (puzzle.board.clone(), Measures { moves: puzzle.moves, depth_and_vehicles })
    };
    all.iter().step_by(all.len() / count).take(count).map(measured).collect()
}

/// Returns the same boards with invented measures that are independent of each other, from easy to hard.
fn invented(count: usize) -> Vec<Measured> {
    let mut random = stream(20, 0);
    let mut measured = puzzles(count);
    for (number, (_, measures)) in measured.iter_mut().enumerate() {
        let depth_and_vehicles = Some((random.random_range(6..60), random.random_range(4.0..12.0)));
        *measures = Measures { moves: 5 + 45 * number as u32 / count as u32, depth_and_vehicles };
    }
    measured
}

/// Returns the measures of boards.
fn known(puzzles: &[Measured]) -> impl Fn(&Board) -> Option<Measures> {
    let all: HashMap<String, Measures> =
        puzzles.iter().map(|(board, measures)| (formats::line(board), *measures)).collect();
    move |board| all.get(&formats::line(board)).copied()
}

/// A model unlike the default one.
fn model() -> TimeModel {
    TimeModel { constant: 0.5, moves: 1.3, depth: 0.2, vehicles: 0.1, residual: 0.3, ..TimeModel::default() }
}

/// Predicts the time of a board.
fn predicted(model: &TimeModel, (board, measures): &Measured) -> f64 {
    let (depth, vehicles) = measures.depth_and_vehicles.unwrap();
    model.predict(board, measures.moves, depth, vehicles).seconds
}

/// Draws the times of a player by a model. `speed` is added to the logarithm of each time. From every tenth time one hour the
/// player was away.
fn played(puzzles: &[Measured], model: &TimeModel, speed: f64, player: u64) -> PlayerResults {
    let mut random = stream(21, player);
    let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    let times = puzzles.iter().enumerate().map(|(number, puzzle)| {
        let away = if number % 10 == 3 { 3_600.0 } else { 0.0 };
        let seconds = predicted(model, puzzle) * (speed + model.residual * normal()).exp() + away;
        let at = 1_770_000_000_000 + 1_000 * number as u64 + player;
        SolvingTime { board: puzzle.0.clone(), at, moves: puzzle.1.moves, seconds }
    });
    PlayerResults { times: times.collect(), ..PlayerResults::default() }
}

fn times(all: impl IntoIterator<Item = PlayerResults>) -> SolvingTimes {
    let mut times = SolvingTimes::default();
    all.into_iter().for_each(|results| times.add(results));
    times
}

#[test]
fn the_fit_recovers_the_model_that_times_were_drawn_from() {
    let (puzzles, model) = (invented(600), model());
    // One player solves short puzzles slowly, another one long puzzles quickly: without their speeds, length would seem to help.
    let players = times([
        played(&puzzles[..250], &model, 0.8, 0),
        played(&puzzles[150..], &model, -0.8, 1),
        played(&puzzles, &model, 0.0, 2),
    ]);
    let report = fit(&players, known(&puzzles)).unwrap();
    assert_eq!((report.times, report.boards, report.players, report.unused), (1_300, 600, 3, 0));
    let found = report.model;
    for (name, found, expected, within) in [
        ("moves", found.moves, 1.3, 0.05),
        ("depth", found.depth, 0.2, 0.05),
        ("vehicles", found.vehicles, 0.1, 0.05),
        ("constant", found.constant, 0.5, 0.2),
        ("residual", found.residual, 0.3, 0.06),
    ] {
        assert!((found - expected).abs() < within, "{name}: {found} instead of {expected}");
    }
    let MovesModel { moves, residual, .. } = found.moves_only;
    assert!((moves - 1.3).abs() < 0.1 && residual > found.residual, "{:?}", found.moves_only);
    let DataRange { moves, depth, side, walls, .. } = found.range;
    assert_eq!((moves, depth, walls), ([5, 49], [6, 59], false));
    assert!(side[0] <= 6 && side[1] >= 6);
    let errors = report.errors;
    assert!(
        errors.fitted < 0.95 * errors.default_with_speeds && errors.default_with_speeds < 0.95 * errors.default,
        "{errors:?}"
    );
}

#[test]
fn predictions_are_right_even_if_the_measures_grow_together() {
    let puzzles = puzzles(600);
    for model in [TimeModel::default(), model()] {
        let report = fit(&times([played(&puzzles, &model, 0.0, 4)]), known(&puzzles)).unwrap();
        for puzzle in &puzzles {
            let ratio = predicted(&report.model, puzzle) / predicted(&model, puzzle);
            assert!((0.8..1.25).contains(&ratio), "{ratio} for {} moves", puzzle.1.moves);
        }
        let errors = report.errors;
        let is_default = model == TimeModel::default();
        assert!(errors.fitted < if is_default { 1.02 } else { 0.9 } * errors.default, "{errors:?}");
    }
}

#[test]
fn an_exponent_about_which_the_times_say_nothing_is_kept() {
    // All boards have the same length.
    let puzzles: Vec<Measured> =
        puzzles(1_770).into_iter().filter(|(_, measures)| measures.moves == 12).take(40).collect();
    let report = fit(&times([played(&puzzles, &TimeModel::default(), 1.0, 5)]), known(&puzzles)).unwrap();
    assert!((report.model.moves - TimeModel::default().moves).abs() < 1e-9);
    assert!(report.model.is_plausible());
}

#[test]
fn too_little_data_is_refused() {
    let puzzles = puzzles(100);
    let few = |count: usize| fit(&times([played(&puzzles[..count], &model(), 0.0, 6)]), known(&puzzles));
    assert_eq!(few(0).unwrap_err(), FitError::TooFew { times: 0, boards: 0 });
    assert_eq!(few(29).unwrap_err(), FitError::TooFew { times: 29, boards: 29 });
    assert!(few(30).is_ok());
    // Three players on ten boards.
    let same = (0..3).map(|player| played(&puzzles[..10], &model(), 0.0, player));
    let error = fit(&times(same), known(&puzzles)).unwrap_err();
    assert_eq!(error, FitError::TooFew { times: 30, boards: 10 });
    assert!(error.to_string().starts_with("too few solving times: 30 on 10 different boards; at least 30 on 20"));
    // Twenty players with four times each.
    let many = (0..20).map(|player| played(&puzzles[4 * player as usize..][..4], &model(), 0.0, player));
    assert_eq!(fit(&times(many), known(&puzzles)).unwrap_err(), FitError::TooFew { times: 0, boards: 0 });
    // A board that is not measured does not count.
    assert_eq!(
        fit(&times([played(&puzzles, &model(), 0.0, 7)]), |_| None).unwrap_err(),
        FitError::TooFew { times: 0, boards: 0 }
    );
    let mut cheat = played(&puzzles, &model(), 0.0, 8);
    cheat.times[50].moves = 1;
    let error = fit(&times([cheat]), known(&puzzles)).unwrap_err();
    assert!(error.to_string().contains(" is solved in 1 moves, but it needs "), "{error}");
}

#[test]
fn a_game_counts_once_however_often_it_is_exported() {
    let (puzzles, model) = (puzzles(60), model());
    let (early, all) = (played(&puzzles[..40], &model, 0.0, 9), played(&puzzles, &model, 0.0, 9));
    let once = fit(&times([all.clone()]), known(&puzzles)).unwrap();
    let twice = fit(&times([early.clone(), all.clone(), all]), known(&puzzles)).unwrap();
    assert_eq!((twice.times, twice.players), (60, 1));
    assert_eq!(twice.model, once.model);
    // Two devices of a player, and then both in one file.
    let other = played(&puzzles[30..], &model, 0.0, 10);
    let both = PlayerResults { times: [early.times.clone(), other.times[10..].to_vec()].concat(), ..early.clone() };
    let joined = times([early, other, both]);
    let first = joined.first_times();
    assert_eq!(first.len(), 60);
    assert!(first.iter().all(|(player, _)| *player == 2), "one player");
    // The boards 30 to 39 were played on both: the earlier game counts, which is that on the second device.
    assert!(first.iter().filter(|(_, time)| time.at % 1_000 == 9).count() == 30);
}

/// Returns a file of results with one puzzle.
fn file(puzzle: &Value) -> String {
    json!({ "format": "clearway results", "version": 1, "puzzles": [puzzle] }).to_string()
}

#[test]
fn only_first_games_without_help_have_a_time() {
    let game = |at: u64, hints: u32, solution: bool, active: Option<f64>| json!({ "at": at, "moves": 2, "seconds": 5, "hints": hints, "solutionShown": solution, "activeSeconds": active, "daily": "2026-01-01" });
    let read = |games: &[Value]| {
        read_results(
            file(&json!({ "board": "....AA.B...B....", "optimum": 2, "name": "x", "games": games })).as_bytes(),
        )
        .unwrap()
    };
    let one = read(&[game(5, 0, false, Some(7.5))]);
    let SolvingTime { at, moves, seconds, .. } = one.times[0];
    assert_eq!((at, moves, seconds, one.with_help, one.unmeasured), (5, 2, 7.5, 0, 0));
    for help in [game(5, 1, false, Some(7.5)), game(5, 0, true, Some(7.5))] {
        let results = read(&[help]);
        assert_eq!((results.times.len(), results.with_help, results.unmeasured), (0, 1, 0));
    }
    // The game before this one was not measured.
    let later = read(&[game(5, 0, false, Some(7.5)), game(4, 0, false, None)]);
    assert_eq!((later.times.len(), later.unmeasured), (0, 1));
}

#[test]
fn hostile_files_of_results_get_clear_errors() {
    let game = json!({ "at": 5, "moves": 2, "seconds": 5, "hints": 0, "solutionShown": false, "activeSeconds": 7 });
    let with = |field: &str, value: Value| {
        let mut game = game.clone();
        game[field] = value;
        file(&json!({ "board": "....AA.B...B....", "games": [game] }))
    };
    let twice = json!({ "format": "clearway results", "version": 1, "puzzles": [
        { "board": "....AA.B...B....", "games": [game] }, { "board": "4x4:....AA.C...C....", "games": [game] },
        { "board": "....AA.B...B....", "games": [game] } ] });
    let cases = [
        (String::new(), "the file is not JSON: EOF while parsing"),
        ("\u{0}\u{1}".to_owned(), "the file is not JSON"),
        ("[".repeat(100_000), "the file is not JSON: recursion limit exceeded"),
        ("[]".to_owned(), "the file does not contain clearway results"),
        ("{\"format\": \"clearway results\", \"version\": 1}".to_owned(), "the file does not contain clearway results"),
        ("{\"format\": \"clearway results\", \"version\": \"2\"}".to_owned(), "the file has version \"2\"; expected 1"),
        (file(&json!(7)), "puzzle 1 of the file: invalid type: integer `7`"),
        (file(&json!({ "games": [game] })), "puzzle 1 of the file: missing field `board`"),
        (file(&json!({ "board": "AAB", "games": [game] })), "puzzle 1 of the file: "),
        (file(&json!({ "board": "....AA.B...B....", "games": [] })), "puzzle 1 of the file: no games"),
        (twice.to_string(), "puzzle 3 of the file: the board is that of puzzle 1"),
        (with("moves", json!(-1)), "puzzle 1 of the file: invalid value: integer `-1`"),
        (with("at", json!(-1)), "puzzle 1 of the file: game 1: at is out of range"),
        (with("activeSeconds", json!(0)), "puzzle 1 of the file: game 1: activeSeconds is out of range"),
        (with("activeSeconds", json!(1e300)), "puzzle 1 of the file: game 1: activeSeconds is out of range"),
        (with("activeSeconds", json!("7")), "puzzle 1 of the file: invalid type: string \"7\""),
    ];
    for (text, expected) in cases {
        let error = read_results(text.as_bytes()).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error:?} instead of {expected:?}");
    }
    let error = read_results(&vec![b' '; MAX_RESULTS_BYTES + 1]).unwrap_err();
    assert_eq!(error.to_string(), "the file is too large; at most 20 MB are read");
}

#[test]
fn models_are_written_and_read_again() {
    let report = fit(&times([played(&puzzles(60), &model(), 0.0, 11)]), known(&puzzles(60))).unwrap();
    let text = report.to_json().to_string();
    assert_eq!(model_from_json(text.as_bytes()).unwrap(), report.model);
    let range = report.model.range;
    assert_eq!(range.in_words(Beyond::Moves), format!("{} to {} moves", range.moves[0], range.moves[1]));

    let with = |field: &str, value: Value| {
        let mut file = report.to_json();
        file["model"][field] = value;
        file.to_string()
    };
    let cases = [
        ("{".to_owned(), "the file is not JSON"),
        ("{}".to_owned(), "the file does not contain a model of the time; clearway grade --fit"),
        ("{\"format\": \"clearway time model\"}".to_owned(), "the file has version null; expected 1"),
        ("{\"format\": \"clearway time model\", \"version\": 1}".to_owned(), "invalid model: "),
        (with("moves", json!("1")), "invalid model: invalid type: string"),
        (with("moves", json!(1e9)), "invalid model: a number is out of range"),
        (with("residual", json!(-1)), "invalid model: a number is out of range"),
        (
            with(
                "range",
                json!({ "moves": [9, 5], "depth": [1, 2], "vehicles": [1, 2], "side": [6, 6], "walls": false }),
            ),
            "invalid model: a number is out of range",
        ),
    ];
    for (text, expected) in cases {
        let error = model_from_json(text.as_bytes()).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error:?} instead of {expected:?}");
    }
}
