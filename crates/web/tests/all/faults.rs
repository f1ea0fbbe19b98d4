//! The server survives faults: the next request always succeeds.

use crate::common;
use crate::common::{JAM01, config, endless_board, endless_search, serve, serve_for, serve_in, serve_with};
use clearway_web::ServerConfig;
use serde_json::json;
use std::io::Write;
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn searches_are_cancelled_when_their_clients_disconnect() {
    let folder = TempDir::new().unwrap();
    let config = ServerConfig { threads: 1, time_limit: Duration::from_secs(600), ..config(folder.path()) };
    let server = serve_with(config);
    let busy = || server.get("/status").ok()["busy"].as_u64().unwrap();
    let streams: Vec<_> = (0..2).map(|_| server.request_endless_search("/solve")).collect();
    // The quick lane has one thread, so one of them has reached the long lane.
    common::TestServer::wait_until("both searches are running", || busy() == 2);
    drop(streams);
    common::TestServer::wait_until("the searches have ended", || busy() == 0);
}

#[test]
fn a_huge_search_ends_at_a_limit_and_does_not_delay_others() {
    // On a busy machine a quick search may queue behind the endless ones, so those have a short time limit.
    let server = serve_for(Duration::from_secs(3));
    let streams: Vec<_> = (0..8).map(|_| server.request_endless_search("/solve")).collect();
    common::TestServer::wait_until("searches are running", || {
        server.get("/status").ok()["busy"].as_u64().unwrap() >= 2
    });
    for _ in 0..20 {
        assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
    }
    drop(streams);
    let ended = server.post("/solve", &json!({ "board": endless_board(), "algorithm": "id", "time_limit": 0.3 })).ok();
    assert_eq!((&ended["status"], &ended["moves"]), (&json!("limit"), &json!(null)));
    assert!(["time", "memory"].contains(&ended["limit"].as_str().unwrap()), "{ended}");
}

#[test]
fn a_full_queue_refuses_with_retry_after() {
    let folder = TempDir::new().unwrap();
    // No search ends by itself before a request is refused.
    let server = serve_in(folder.path(), Duration::from_secs(600));
    // Two run and sixteen wait; the lane has no room for more.
    let streams: Vec<_> = (0..40).map(|_| server.request_endless_search("/solve")).collect();
    common::TestServer::wait_until("a request is refused", || {
        let refused = server.post("/solve", &endless_search());
        refused.status == 503 && refused.json["error"].as_str().unwrap().contains("too busy")
    });
    let head = server.send_raw(&request(&server));
    assert!(head.starts_with("HTTP/1.1 503") && head.contains("retry-after: 5"), "{head}");
    // On a busy machine even a quick search may exceed its time slice and be refused.
    common::TestServer::wait_until("quick searches succeed", || {
        server.post("/solve", &json!({ "board": JAM01 })).json["moves"] == 8
    });
    drop(streams);
}

fn request(server: &common::TestServer) -> Vec<u8> {
    let body = endless_search().to_string();
    let (address, length) = (server.address, body.len());
    let head = format!("POST /api/v1/solve HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let server = serve();
    let head = format!("POST /api/v1/solve HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", server.address);
    let json = "Content-Type: application/json\r\n";
    let declared = format!("{head}{json}Content-Length: 100000000\r\n\r\n");
    assert!(server.send_raw(declared.as_bytes()).starts_with("HTTP/1.1 413"), "by its declared length");
    // Without a declared length.
    let mut chunked = format!("{head}{json}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..100 {
        chunked.extend_from_slice(b"10000\r\n");
        chunked.extend(std::iter::repeat_n(b' ', 0x10000));
        chunked.extend_from_slice(b"\r\n");
    }
    let answer = server.send_raw(&chunked);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
}

#[test]
fn a_thousand_connections_are_served() {
    let server = serve();
    let mut idle: Vec<_> = (0..1_000).map(|_| server.connect()).collect();
    for stream in &mut idle[..200] {
        // A request that is never completed.
        stream.write_all(b"GET /api/v1/status HTTP/1.1\r\nHost: ").unwrap();
    }
    assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
    drop(idle);
    assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
}

#[test]
fn malformed_requests_are_refused() {
    let server = serve();
    for noise in
        ["\0\u{1}\u{2}", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n", "POST /api/v1/solve\r\n\r\n", "{\"board\": 1}"]
    {
        let answer = server.send_raw(format!("{noise}\r\n\r\n").as_bytes());
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.1 5"), "{answer}");
    }
    for (path, body) in
        [("/solve", json!([])), ("/solve", json!("x")), ("/solve", json!({})), ("/verify", json!({ "board": 7 }))]
    {
        assert!(server.post(path, &body).refused(400).contains("invalid body"));
    }
    assert!(server.get("/nothing").refused(404).contains("/api/v1/nothing"));
    assert!(server.get("/solve").refused(405).contains("method"));
    assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
}

#[test]
fn pages_of_other_sites_cannot_start_work() {
    let server = serve();
    let body = json!({ "board": JAM01 }).to_string();
    let ask = |host: &str, more: &str| {
        let head = format!("POST /api/v1/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}");
        let length = body.len();
        server.send_raw(
            format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes(),
        )
    };
    let ours = server.address.to_string();
    let origin = format!("Origin: http://{ours}\r\n");
    for (host, more) in [(ours.as_str(), ""), (&ours, &origin), ("localhost", ""), ("puzzles.example:80", "")] {
        assert!(ask(host, more).starts_with("HTTP/1.1 200"), "{host} {more}");
    }
    let foreign = "Origin: http://evil.example\r\n";
    for (host, more) in [("evil.example", ""), (ours.as_str(), foreign), (&ours, "Origin: null\r\n")] {
        let answer = ask(host, more);
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("\"error\""), "{host} {more} {answer}");
    }
    // Browsers let a page of another site submit a form without a preflight request, but not as JSON.
    let head =
        format!("POST /api/v1/solve HTTP/1.1\r\nHost: {ours}\r\nConnection: close\r\nContent-Type: text/plain\r\n");
    let form = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    assert!(server.send_raw(form.as_bytes()).starts_with("HTTP/1.1 415"));
}

#[test]
fn shutdown_finishes_running_requests() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_secs(1));
    let mut stream = server.start_long_search();
    let answer = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stream, &mut text).map(|_| text)
    });
    server.stop();
    let answer = answer.join().unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"limit\""), "{answer}");
}

#[test]
fn a_comparison_does_not_block_other_requests() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), Duration::from_secs(4));
    let algorithms = vec!["bfs"; 16];
    let body = json!({ "board": endless_board(), "algorithms": algorithms, "time_limit": 1 });
    std::thread::scope(|scope| {
        // One comparison for each thread of the long lane.
        let compare = || server.post("/compare", &body).ok();
        let comparisons = [scope.spawn(compare), scope.spawn(compare)];
        common::TestServer::wait_until("both are running", || {
            server.get("/status").ok()["busy"].as_u64().unwrap() >= 2
        });
        let other = server.post("/trace", &json!({ "board": JAM01, "algorithm": "bfs" })).ok();
        assert!(other["expansions"].is_array() || other.is_object(), "{other}");
        assert!(comparisons.iter().all(|comparison| !comparison.is_finished()), "it did not wait for them");
        for comparison in comparisons {
            // Without a limit for the whole comparison this would take seventeen seconds.
            let compared = comparison.join().unwrap();
            let records = compared["records"].as_array().unwrap();
            assert_eq!(records.len(), 16);
            let seconds: f64 = records.iter().map(|record| record["seconds"].as_f64().unwrap()).sum();
            assert!(seconds < 16.0, "{seconds}");
            assert!(records.iter().all(|record| record["status"] == "limit"));
        }
    });
}
