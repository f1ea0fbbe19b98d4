//! Results of players.

use crate::common::{JAM01, JAM01_SOLUTION, serve};
use serde_json::{Value, json};

#[test]
fn results_are_replayed_and_the_best_is_kept() {
    let server = serve();
    let path = "/players/ada_1-x/results";
    assert_eq!(server.get(path).ok(), json!({ "items": [], "next": null }));
    let play = |moves: &str, seconds: f64| {
        let moves: Vec<&str> = moves.split(' ').collect();
        server.post(path, &json!({ "board": JAM01, "moves": moves, "seconds": seconds }))
    };
    let detour = format!("B+1 B-1 {JAM01_SOLUTION}");
    let answer = play(&detour, 20.0).ok();
    assert_eq!(answer, json!({ "optimum": 8, "moves": 10, "perfect": false, "best": true }));
    let answer = play(JAM01_SOLUTION, 30.0).ok();
    assert_eq!(answer, json!({ "optimum": 8, "moves": 8, "perfect": true, "best": true }), "fewer moves, more time");
    assert_eq!(play(JAM01_SOLUTION, 31.0).ok()["best"], false);
    assert_eq!(play(JAM01_SOLUTION, 29.0).ok()["best"], true, "as many moves, less time");
    assert_eq!(play(&detour, 1.0).ok()["best"], false);
    let results = server.get(path).ok()["items"].clone();
    let mut result = results[0].clone();
    let last = result.as_object_mut().unwrap().remove("last").unwrap();
    let best = json!({ "moves": 8, "seconds": 29.0 });
    let expected = json!({ "board": JAM01, "name": null, "optimum": 8, "best": best, "perfect": true, "solved": 5 });
    assert_eq!((results.as_array().unwrap().len(), result), (1, expected));
    assert!(last.as_str().unwrap().starts_with("20") && last.as_str().unwrap().ends_with('Z'), "{last}");
    assert_eq!(server.get("/players/somebody-else/results").ok()["items"], json!([]));
}

#[test]
fn invalid_results_are_refused() {
    let server = serve();
    let play = |player: &str, moves: Value, seconds: Value| {
        let body = json!({ "board": JAM01, "moves": moves, "seconds": seconds });
        server.post(&format!("/players/{player}/results"), &body)
    };
    let error = play("ada", json!(["A+3"]), json!(1)).refused(400);
    assert_eq!(error, "move 1 (A+3) is not possible: vehicle A is blocked by E at column 3, row 2");
    assert_eq!(play("ada", json!(["B+1"]), json!(1)).refused(400), "the board is not solved after the last move");
    assert!(play("ada", json!(["B*1"]), json!(1)).refused(400).contains("invalid move"));
    let solution: Vec<&str> = JAM01_SOLUTION.split(' ').collect();
    for seconds in [json!(-1), json!(1e9), json!("1")] {
        play("ada", json!(solution), seconds).refused(400);
    }
    let error = play("ada", json!(solution), json!(-0.5)).refused(400);
    assert_eq!(error, "seconds must be between 0 and 31536000, not -0.5");
    for player in ["a%20b", "a.b", "%C3%A4", &"x".repeat(65)] {
        assert!(play(player, json!(solution), json!(1)).refused(400).contains("1 to 64 letters"), "{player}");
        server.get(&format!("/players/{player}/results")).refused(400);
    }
    assert_eq!(server.get("/players/ada/results").ok()["items"], json!([]));
}

#[test]
fn games_are_rated() {
    let server = serve();
    let rate = |games: &[(u32, &str)]| {
        let game = |&(moves, outcome): &(u32, &str)| json!({ "moves": moves, "outcome": outcome });
        server.post("/ratings", &json!({ "games": games.iter().map(game).collect::<Vec<Value>>() }))
    };
    assert_eq!(rate(&[]).ok(), json!({ "player": null, "puzzles": [] }));
    let rounded = |answer: Value| {
        let round = |value: &Value| value.as_f64().unwrap().round();
        let puzzles: Vec<f64> = answer["puzzles"].as_array().unwrap().iter().map(round).collect();
        (round(&answer["player"]["rating"]), round(&answer["player"]["deviation"]), puzzles)
    };
    // Numbers of an independent implementation of the paper.
    assert_eq!(rounded(rate(&[(8, "lost"), (2, "won")]).ok()), (1314.0, 233.0, vec![1421.0, 968.0]));
    let rating = |games: &[(u32, &str)]| rounded(rate(games).ok());
    let [(won, _, easy), (drawn, _, _), (lost, _, hard)] =
        ["won", "drawn", "lost"].map(|outcome| rating(&[(20, outcome)]));
    assert!(lost < drawn && drawn < won && easy < hard, "{lost} {drawn} {won} {easy:?} {hard:?}");
    // A puzzle without moves counts as one with a single move.
    assert_eq!(rating(&[(0, "won")]), rating(&[(1, "won")]));
    let refused = rate(&[(1_000_001, "won")]).refused(400);
    assert_eq!(refused, "a shortest solution of 1000001 moves is too long; expected at most 1000000");
    assert_eq!(rate(&vec![(8, "won"); 5001]).refused(400), "at most 5000 games can be rated, not 5001");
}
