//! Files of results that players export, and models of the time fitted to them.

use crate::shared::choice;
use clearway_forge::grade::TimeModel;
use clearway_lab::solving_times::{SolvingTimes, model_from_json, read_results};
use clearway_rush::{Board, formats};
use serde_json::json;

/// Checks files of results and of models. The first byte selects which of the two the rest is. Results have one time per board at
/// most, each within a day, and adding them twice changes nothing. A model survives a round trip, and never predicts an interval
/// that excludes the predicted time.
pub fn solving_times(bytes: &[u8]) {
    let Some((kind, rest)) = choice(bytes) else { return };
    if kind % 2 == 0 { check_results(rest) } else { check_model(rest) }
}

fn check_results(text: &[u8]) {
    let results = match read_results(text) {
        Ok(results) => results,
        // The error message contains parts of the input, so formatting it is checked as well.
        Err(error) => return drop(error.to_string()),
    };
    for time in &results.times {
        assert!(time.seconds > 0.0 && time.seconds <= 86_400.0, "{time:?}");
    }
    let mut times = SolvingTimes::default();
    times.add(results.clone());
    let boards = times.boards();
    assert_eq!(boards.len(), results.times.len());
    let first: Vec<_> = times.first_times().into_iter().map(|(_, time)| time.clone()).collect();
    times.add(results);
    assert_eq!(times.boards(), boards);
    assert_eq!(times.first_times().into_iter().map(|(_, time)| time.clone()).collect::<Vec<_>>(), first);
}

fn check_model(text: &[u8]) {
    let model = match model_from_json(text) {
        Ok(model) => model,
        Err(error) => return drop(error.to_string()),
    };
    let file = json!({ "format": "clearway time model", "version": 1, "model": model });
    let again = model_from_json(file.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}: {file}"));
    assert_eq!(again, model);
    let board = formats::read_one("....AA.B...B....", None).expect("a board").board;
    for moves in [0, 1, 20, 500] {
        check_prediction(&model, &board, moves);
    }
}

fn check_prediction(model: &TimeModel, board: &Board, moves: u32) {
    for time in [model.predict_from_moves(board, moves), model.predict(board, moves, moves + 3, 4.5)] {
        assert!(time.low <= time.seconds && time.seconds <= time.high, "{moves} moves: {time:?}, {model:?}");
    }
}
