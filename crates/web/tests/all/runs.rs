//! Runs of evolution.

use crate::common::{JAM01, TestServer, serve, serve_in};
use clearway_policy::Policy;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any search of a run.
const LIMIT: Duration = Duration::from_secs(300);

/// Returns the events of a run as they arrive: names and data.
fn events(server: &TestServer, id: &Value) -> impl Iterator<Item = (String, Value)> + use<> {
    let mut name = String::new();
    server.lines(&format!("/runs/{id}/events"), None).filter_map(move |line| {
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        }
        let data = line.strip_prefix("data: ")?;
        Some((name.clone(), serde_json::from_str(data).unwrap()))
    })
}

fn run(server: &TestServer, id: &Value) -> Value {
    server.get(&format!("/runs/{id}")).ok()
}

/// Returns the settings of a run with boards that are prepared and tested within seconds.
fn few_boards(settings: &Value) -> Value {
    let mut all = json!({ "suite": "it3105", "test": "vandijk" });
    all.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    all
}

/// Stops a run. On a busy machine this may take longer than the server waits.
fn stop(server: &TestServer, id: &Value) -> Value {
    let mut stopped = Value::Null;
    TestServer::wait_until("the run has stopped", || {
        stopped = server.post(&format!("/runs/{id}/stop"), &json!({})).ok();
        stopped["state"] != "running"
    });
    stopped
}

/// The numbers of the generations.
fn numbers(generations: &Value) -> Vec<u64> {
    generations.as_array().unwrap().iter().map(|line| line["generation"].as_u64().unwrap()).collect()
}

#[test]
fn a_run_is_watched_stopped_and_resumed_by_another_server() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    assert_eq!(server.get("/runs").ok(), json!({ "items": [], "next": null }));
    let started = server.post("/runs", &few_boards(&json!({ "seed": 3, "population": 6, "generations": 10_000 })));
    assert_eq!(started.status, 201);
    let started = started.ok();
    let id = &started["id"];
    assert_eq!(started["state"], "running");
    assert_eq!(
        started["settings"]["command"],
        "clearway evolve --suite it3105 --test vandijk --seed 3 --population 6 --generations 10000"
    );

    let busy = server.post("/runs", &json!({})).refused(429);
    assert_eq!(busy, format!("run {id} is running"));
    server.delete(&format!("/runs/{id}")).refused(409);
    server.post(&format!("/runs/{id}/resume"), &json!({})).refused(429);

    let mut live = events(&server, id);
    let (first, state) = live.next().unwrap();
    assert_eq!((first.as_str(), &state["state"]), ("state", &json!("running")));
    let generations: Vec<Value> =
        live.by_ref().filter(|(name, _)| name == "generation").map(|(_, data)| data).take(3).collect();
    assert_eq!(numbers(&json!(generations)), [0, 1, 2]);
    assert!(
        generations[0]["best"].is_f64()
            && generations[0]["mean"].is_f64()
            && generations[0]["test-nodes-percent"].is_f64()
    );

    let stopped = stop(&server, id);
    let made = numbers(&stopped["generations"]);
    assert!(stopped["state"] == "stopped" && made.len() >= 3, "{stopped}");
    let rest: Vec<(String, Value)> = live.collect();
    let (last, data) = rest.last().unwrap();
    assert_eq!((last.as_str(), data), ("end", &json!({ "state": "stopped", "phase": null })));
    let again: Vec<(String, Value)> = events(&server, id).collect();
    assert_eq!(again.iter().filter(|(name, _)| name == "generation").count(), made.len(), "past ones come first");
    assert_eq!(again.last().unwrap().0, "end");

    assert_champion(&server, id);
    assert_eq!(server.post(&format!("/runs/{id}/stop"), &json!({})).ok(), stopped, "the run is already stopped");
    server.stop();

    // As if the server had been killed during the run.
    let database = Connection::open(folder.path().join("clearway.sqlite")).unwrap();
    database.execute("UPDATE runs SET state = 'running'", []).unwrap();
    drop(database);
    let server = serve_in(folder.path(), LIMIT);
    assert_eq!(server.get("/runs").ok()["items"][0]["state"], "stopped");
    assert_eq!(run(&server, id)["generations"], stopped["generations"]);
    let resume = |body: Value| server.post(&format!("/runs/{id}/resume"), &body);
    assert!(resume(json!({ "generations": 2 })).refused(400).contains("are already complete"));
    let resumed = resume(json!({ "generations": made.len() + 1 })).ok();
    assert_eq!((&resumed["state"], &resumed["settings"]["generations"]), (&json!("running"), &json!(made.len() + 1)));
    let all: Vec<(String, Value)> = events(&server, id).collect();
    let lines = all.iter().filter(|(name, _)| name == "generation").map(|(_, line)| line.clone()).collect();
    assert_eq!(
        numbers(&Value::Array(lines)),
        (0..=made.len() as u64).collect::<Vec<_>>(),
        "no generation is missing or repeated"
    );
    assert_eq!(all.last().unwrap(), &("end".to_owned(), json!({ "state": "done", "phase": null })));
    assert_done(&server, id);
    assert_eq!(server.delete(&format!("/runs/{id}")).status, 204);
    assert_eq!(server.get(&format!("/runs/{id}")).status, 404);
    assert!(!folder.path().join(format!("runs/{id}")).exists());
}

/// Checks that the champion can be parsed, drawn and used as a policy.
fn assert_champion(server: &TestServer, id: &Value) {
    let text = server.text(&format!("/runs/{id}/champion"));
    let policy: Policy = text.parse().unwrap();
    assert!(policy.search.is_some());
    assert_eq!(run(server, id)["champion"], text);
    assert!(server.text(&format!("/runs/{id}/champion?format=svg")).starts_with("<svg "));
    assert!(server.text(&format!("/runs/{id}/report")).to_lowercase().starts_with("<!doctype html"));
    let name = format!("run-{id}");
    let policies = server.get("/algorithms").ok()["policies"].clone();
    assert!(policies.as_array().unwrap().iter().any(|policy| policy["name"] == name), "{policies}");
    let solved = server.post("/solve", &json!({ "board": JAM01, "policy": name })).ok();
    assert_eq!((&solved["status"], &solved["optimal"]), (&json!("solved"), &json!(false)));
}

/// Checks that the run is done and its champion is tested.
fn assert_done(server: &TestServer, id: &Value) {
    let done = run(server, id);
    assert_eq!((&done["state"], &done["phase"], &done["error"]), (&json!("done"), &Value::Null, &Value::Null));
    assert_eq!(done["training"]["boards"], done["training"]["solved"]);
    let tests = done["tests"].as_array().unwrap();
    assert_eq!(tests.iter().map(|test| &test["boards"]).collect::<Vec<_>>(), ["vandijk"]);
    let columns = tests[0]["columns"].as_array().unwrap();
    assert_eq!((columns[0]["name"].as_str(), columns.last().unwrap()["name"].as_str()), (Some("None"), Some("GP")));
    assert!(columns.last().unwrap()["nodes_percent"].as_f64().unwrap() < 100.0);
}

#[test]
fn a_run_that_is_stopped_at_once_can_still_be_resumed() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    // On a busy machine the first generation may complete before the run is stopped.
    let mut id = Value::Null;
    TestServer::wait_until("a run has stopped before its first generation", || {
        id = server.post("/runs", &few_boards(&json!({ "population": 4, "budget": "50M" }))).ok()["id"].clone();
        let stopped = stop(&server, &id);
        assert_eq!(stopped["state"], "stopped");
        stopped["generations"] == json!([]) || server.delete(&format!("/runs/{id}")).status != 204
    });
    assert_eq!(server.get(&format!("/runs/{id}/champion")).refused(404), format!("run {id} has no champion yet"));
    server.get(&format!("/runs/{id}/report")).refused(404);
    assert_eq!(server.post(&format!("/runs/{id}/resume"), &json!({})).ok()["state"], "running");
    let found = events(&server, &id).find(|(name, _)| name == "generation");
    assert_eq!(found.unwrap().1["generation"], 0);
    // Shutting down the server stops the run and ends its event streams.
    let following = events(&server, &id);
    server.stop();
    assert_eq!(following.last().unwrap().1["state"], "stopped");
    let server = serve_in(folder.path(), LIMIT);
    let after = run(&server, &id);
    assert!(after["state"] == "stopped" && !numbers(&after["generations"]).is_empty() && after["champion"].is_string());
}

#[test]
fn invalid_settings_are_refused() {
    let server = serve();
    let refused = |body: Value| server.post("/runs", &body).refused(400);
    assert_eq!(refused(json!({ "generations": 10_001 })), "generations must be between 1 and 10000, not 10001");
    refused(json!({ "generations": 0 }));
    assert_eq!(refused(json!({ "population": 1 })), "population must be between 2 and 1000, not 1");
    assert!(refused(json!({ "budget": "2h" })).contains("at most 3600 seconds"));
    assert!(refused(json!({ "budget": "soon" })).contains("invalid time 'soon'"));
    assert!(refused(json!({ "size": "7x7" })).contains("no training boards of size 7x7"));
    assert!(refused(json!({ "seed": u64::MAX })).contains("seed must be"));
    assert!(refused(json!({ "search": "guess" })).contains("unknown algorithm 'guess'"));
    assert!(refused(json!({ "suite": "/etc/passwd" })).contains("unknown suite '/etc/passwd'"));
    assert!(refused(json!({ "test": "none" })).contains("unknown suite 'none'"));
    assert!(refused(json!({ "suites": "cards" })).contains("unknown field"));
    for path in ["/runs/7", "/runs/7/events", "/runs/7/champion", "/runs/7/report"] {
        assert_eq!(server.get(path).refused(404), "run 7 not found");
    }
    assert_eq!(server.post("/runs/7/stop", &json!({})).refused(404), "run 7 not found");
    assert_eq!(server.post("/runs/7/resume", &json!({})).refused(404), "run 7 not found");
    assert_eq!(server.delete("/runs/7").refused(404), "run 7 not found");
    assert_eq!(server.get("/runs").ok(), json!({ "items": [], "next": null }));
}
