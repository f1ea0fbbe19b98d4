//! Requests that every implementation of the API answers alike: the server, the engine, and the engine in a browser.

use crate::common::TestServer;
use serde_json::{Value, json};

/// Returns the requests. `body` makes a request a POST, `lines` says that the response is a stream, `status` is the expected status
/// if it is not 200, and `ignore` names fields that may differ. `verify` says that both solve a board, perhaps with different SAT
/// solvers: the last improvement and the solution are checked by the rules.
pub fn requests() -> Vec<Value> {
    serde_json::from_str(include_str!("requests.json")).unwrap()
}

/// Sends a request to a server. Returns the status and the body of the response; of a stream, the array of its lines.
pub fn answer_of(server: &TestServer, request: &Value) -> (u16, Value) {
    let path = request["path"].as_str().unwrap();
    let reply = match &request["body"] {
        Value::Null => server.get(path),
        body if is_stream(request) => {
            let lines = server.lines(path, Some(body)).map(|line| serde_json::from_str(&line).unwrap());
            return (200, lines.collect::<Vec<Value>>().into());
        }
        body => server.post(path, body),
    };
    (reply.status, reply.json)
}

/// Whether the response is a stream of lines.
pub fn is_stream(request: &Value) -> bool {
    request["lines"] == true && request["status"].is_null()
}

/// Checks that an answer is that of the server.
#[track_caller]
pub fn assert_alike(server: &TestServer, request: &Value, (status, answer): (u16, Value)) {
    let about = request["about"].as_str().unwrap();
    let (expected, body) = answer_of(server, request);
    assert_eq!(u64::from(expected), request["status"].as_u64().unwrap_or(200), "{about}: {body}");
    assert_eq!(status, expected, "{about}: {answer}");
    if request["verify"] == true {
        assert_solved(server, &answer);
        assert_solved(server, &body);
    }
    assert_eq!(comparable(answer, request), comparable(body, request), "{about}");
}

/// Checks the lines of a stream: bounds and plans only improve, and the answer is an optimum that passes the replay.
#[track_caller]
fn assert_solved(server: &TestServer, lines: &Value) {
    let (last, improvements) = lines.as_array().and_then(|lines| lines.split_last()).expect("lines");
    let answer = &last["answer"];
    assert!(answer["status"] == "solved" && answer["moves"] == answer["lower_bound"], "{answer}");
    let optimum = answer["moves"].as_u64().expect("a length");
    let check = json!({ "board": answer["board"], "moves": answer["solution"] });
    let replay = server.post("/verify", &check).ok();
    assert!(
        replay["solved"] == true && answer["solution"].as_array().map(Vec::len) == Some(optimum as usize),
        "{answer}"
    );
    let mut known = (u64::MAX, 0);
    for improvement in improvements.iter().map(|line| &line["improvement"]).filter(|line| line.is_object()) {
        let moves = improvement["moves"].as_u64().unwrap_or(u64::MAX);
        let bound = improvement["lower_bound"].as_u64().expect("a bound");
        assert!(optimum <= moves && moves <= known.0 && known.1 <= bound && bound <= optimum, "{improvement}");
        known = (moves, bound);
    }
    assert!(known.0 < u64::MAX, "no plan was streamed: {lines}");
}

/// Removes what may differ: times, memory, excerpts in errors, the progress of a stream, and the last digits of logarithms and
/// exponentials, which are those of the platform.
fn comparable(mut value: Value, request: &Value) -> Value {
    let ignored = request["ignore"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let ignored: Vec<&str> = ignored.chain(["detail"]).collect();
    if let Value::Array(lines) = &mut value {
        lines.retain(|line| line.get("progress").is_none() && line.get("improvement").is_none());
    }
    remove(&mut value, &ignored);
    value
}

fn remove(value: &mut Value, ignored: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !ignored.contains(&name.as_str()));
            fields.values_mut().for_each(|value| remove(value, ignored));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, ignored)),
        Value::Number(number) if number.is_f64() => *value = format!("{:.9e}", number.as_f64().unwrap()).into(),
        _ => {}
    }
}
