//! The engine without a server answers like the server. A browser test sends the same requests to the WebAssembly module.

use crate::both::{assert_alike, is_stream, requests};
use crate::common::serve;
use clearway_api::Engine;
use serde_json::{Value, json};

fn answer_of(engine: &mut Engine, request: &Value) -> (u16, Value) {
    let (method, body) = match &request["body"] {
        Value::Null => ("GET", String::new()),
        body => ("POST", body.to_string()),
    };
    let mut lines: Vec<Value> = Vec::new();
    let mut emit = |line: &str| lines.push(serde_json::from_str(line).unwrap());
    match engine.call(method, request["path"].as_str().unwrap(), &body, &mut emit) {
        Ok(_) if is_stream(request) => (200, lines.into()),
        Ok(body) => (200, serde_json::from_str(&body).unwrap()),
        Err(error) => (error.status, json!(error.problem)),
    }
}

#[test]
fn the_engine_answers_like_the_server() {
    let (server, mut engine) = (serve(), Engine::new());
    for request in requests() {
        let answer = answer_of(&mut engine, &request);
        assert_alike(&server, &request, answer);
    }
}
