//! `clearway serve`: start, requests and shutdown.

#![cfg(unix)] // it is ended by a signal

use crate::common::{ENDLESS, JAM01, Signal, clearway, send};
use crate::memory::peak_memory;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Starts a server on a free port; returns its process, address and folder.
fn serve(more: &[&str]) -> (Child, String, TempDir) {
    let (mut child, folder) = clearway(&[&["serve", "--port", "0", "--data", "data"], more].concat()).spawn();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").to_owned();
    (child, address, folder)
}

/// Sends a request, and returns the connection.
fn ask(address: &str, head: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let more = format!("Host: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n");
    write!(stream, "{head} HTTP/1.1\r\n{more}Content-Length: {length}\r\n\r\n{body}").unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn terminate(child: &Child) {
    send(child, Signal::TERM);
}

/// Requests a search that runs until its time limit, and returns the connection while the search is running.
fn ask_at_length(address: &str) -> TcpStream {
    let started = Instant::now();
    loop {
        let long = ask(address, "POST /api/v1/solve", &format!("{{\"board\": \"{ENDLESS}\"}}"));
        long.set_nonblocking(true).unwrap();
        // On a busy machine the search may end before the status is read: then it is requested again.
        while long.peek(&mut [0]).is_err() {
            if answer(ask(address, "GET /api/v1/status", "")).contains("\"busy\":1") {
                long.set_nonblocking(false).unwrap();
                return long;
            }
            assert!(started.elapsed() < Duration::from_secs(300), "the search was never seen running");
        }
    }
}

#[test]
fn the_page_and_its_api_are_served() {
    let (mut child, address, folder) = serve(&[]);
    let page = answer(ask(&address, "GET /", ""));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>clearway"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    let solved = answer(ask(&address, "POST /api/v1/solve", &format!("{{\"board\": \"{JAM01}\"}}")));
    let printed = clearway(&["solve", JAM01, "--json"]).done().code(0).stdout;
    let fields = |text: &str| {
        let record: serde_json::Value = serde_json::from_str(text.split("\r\n\r\n").last().unwrap()).unwrap();
        let mut fields = record.as_object().unwrap().clone();
        assert!(fields.remove("seconds").is_some());
        fields
    };
    assert_eq!(fields(&solved), fields(&printed), "the server and the command line give the same answer");
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.path().join("data").is_dir());
}

#[test]
fn a_signal_lets_requests_finish() {
    let (mut child, address, _folder) = serve(&["--time-limit", "2s"]);
    let long = ask_at_length(&address);
    terminate(&child);
    let answer = answer(long);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"limit\""), "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn invalid_options_are_rejected() {
    let (mut child, address, _folder) = serve(&[]);
    let port = address.rsplit(':').next().unwrap();
    let taken = clearway(&["serve", "--port", port, "--data", "data"]).done().code(3);
    taken.complains("cannot listen on 127.0.0.1:").complains("use another --port");
    clearway(&["serve", "--host", "here"]).done().code(2).complains("invalid IP address");
    clearway(&["serve", "--node-limit", "5"]).done().code(2).complains("--node-limit is not supported by serve");
    clearway(&["serve", "--time-limit", "0"]).done().code(2);
    terminate(&child);
    child.wait().unwrap();
}

#[test]
fn a_server_on_the_network_warns_and_can_require_a_token() {
    let (mut child, folder) =
        clearway(&["serve", "--port", "0", "--host", "0.0.0.0", "--data", "data"]).env("CLEARWAY_LOG", "debug").spawn();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").to_owned();
    assert!(answer(ask(&address, "GET /api/v1/status", "")).starts_with("HTTP/1.1 200"));
    terminate(&child);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        log.contains("WARN") && log.contains("every client on the network can use this server; set --token"),
        "{log}"
    );
    assert!(log.contains("DEBUG GET /api/v1/status 200"), "{log}");
    drop(folder);

    let token = "only-for-this-test";
    let (mut child, _folder) =
        clearway(&["serve", "--port", "0", "--host", "0.0.0.0", "--data", "data"]).env("CLEARWAY_TOKEN", token).spawn();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (address, link) = line.trim().trim_start_matches("http://").split_once('/').unwrap();
    assert_eq!(link, format!("?token={token}"), "the printed address includes the token");
    assert!(answer(ask(address, "GET /", "")).starts_with("HTTP/1.1 401"));
    assert!(answer(ask(address, &format!("GET /{link}"), "")).starts_with("HTTP/1.1 303"));
    terminate(&child);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    child.wait().unwrap();
    assert!(log.contains("every client with the token") && !log.contains(token), "{log}");
    clearway(&["serve", "--token", "short"]).done().code(2).complains("16 to 128 letters, digits, - or _");
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_covers_all_concurrent_work() {
    let limit: u64 = 200_000_000;
    let (mut child, address, _folder) = serve(&["--memory", "200M", "--threads", "2", "--time-limit", "10m"]);
    let body = format!(
        "{{\"board\": \"{ENDLESS}\", \"time_limit\": 600, \"algorithms\": [\"bfs\", \"astar(blockers)\", \"greedy(blockers)\"]}}"
    );
    let compare = || ask(&address, "POST /api/v1/compare", &body);
    let solve = || ask(&address, "POST /api/v1/solve", &format!("{{\"board\": \"{ENDLESS}\"}}"));
    for stream in [compare(), compare(), solve(), solve()] {
        let answer = answer(stream);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"limit\":\"memory\""), "{answer}");
    }
    let (peak, most) = (peak_memory(&child).unwrap(), limit + limit * 15 / 100 + 30_000_000);
    assert!(peak <= most, "{peak} bytes were used, more than {most}");
    terminate(&child);
    child.wait().unwrap();
}
