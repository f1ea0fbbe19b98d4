//! Slow, numerous or unresponsive clients use few resources and do not delay others.

use crate::common::{JAM01, TestServer, config, serve_with};
use clearway_web::{Network, ServerConfig};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// A card with 22,139 states: its graph is a response of several megabytes.
const LARGE: &str = "B..CCCB..D.EAA.DFEGGG.FE..H.IIJJHKK.";

fn head(server: &TestServer, call: &str, length: usize) -> String {
    let (address, kind) = (server.address, "Content-Type: application/json");
    format!("{call} HTTP/1.1\r\nHost: {address}\r\n{kind}\r\nContent-Length: {length}\r\n\r\n")
}

fn request_graph(server: &TestServer) -> TcpStream {
    let body = json!({ "board": LARGE }).to_string();
    let mut stream = server.connect();
    stream.write_all((head(server, "POST /api/v1/graph", body.len()) + &body).as_bytes()).unwrap();
    stream
}

/// Returns a field of the server's status.
fn status(server: &TestServer, field: &str) -> u64 {
    server.get("/status").ok()[field].as_u64().unwrap()
}

/// Returns the response to a request that continues one byte at a time, at short intervals.
fn response_to_trickle(server: &TestServer, first: &str, byte: u8) -> String {
    let mut stream = server.connect();
    stream.write_all(first.as_bytes()).unwrap();
    let (mut writer, done) = (stream.try_clone().unwrap(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Continue until the server closes the connection.
            while !done.load(Ordering::Relaxed) && writer.write_all(&[byte]).is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let mut answer = Vec::new();
        let mut block = [0; 4096];
        loop {
            match stream.read(&mut block) {
                Ok(0) => break,
                Ok(count) => answer.extend_from_slice(&block[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
                Err(error) => panic!("the server keeps the connection: {error}"),
            }
        }
        done.store(true, Ordering::Relaxed);
        String::from_utf8(answer).unwrap()
    })
}

#[test]
fn a_request_that_trickles_in_times_out() {
    let folder = TempDir::new().unwrap();
    let network = Network { request_time: Duration::from_millis(500), ..config(folder.path()).network };
    let server = serve_with(ServerConfig { network, ..config(folder.path()) });
    let body = response_to_trickle(&server, &head(&server, "POST /api/v1/solve", 200_000), b' ');
    assert!(body.starts_with("HTTP/1.1 408") && body.contains("did not arrive within 0.5 seconds"), "{body}");
    let head = response_to_trickle(&server, "GET / HTTP/1.1\r\nX-Long: ", b'x');
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 408"), "{head}");
    assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8);
}

#[test]
fn connections_of_a_client_are_limited() {
    let folder = TempDir::new().unwrap();
    let network = Network { client_connections: 5, ..config(folder.path()).network };
    let server = serve_with(ServerConfig { network, ..config(folder.path()) });
    let ask = |stream: &mut TcpStream| {
        let request = format!("GET /api/v1/status HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        // A refused connection may already be closed.
        let _ = stream.write_all(request.as_bytes());
        let mut start = [0; 12];
        stream.read_exact(&mut start).map(|()| String::from_utf8_lossy(&start).into_owned())
    };
    let mut held: Vec<TcpStream> = (0..5).map(|_| server.connect()).collect();
    for stream in &mut held {
        assert_eq!(ask(stream).unwrap(), "HTTP/1.1 200");
    }
    let refused = ask(&mut server.connect());
    assert!(refused.is_err() || refused.unwrap() == "HTTP/1.1 429");
    drop(held);
    TestServer::wait_until("there is room again", || {
        ask(&mut server.connect()).is_ok_and(|start| start == "HTTP/1.1 200")
    });
}

#[test]
fn unread_responses_are_limited_and_dropped() {
    let folder = TempDir::new().unwrap();
    // An eighth of the memory is for requests and responses, half of that for one client.
    let (memory, max) = (64 << 20, 4 << 20);
    let network = Network { write_time: Duration::from_secs(2), ..config(folder.path()).network };
    let server = serve_with(ServerConfig { memory, network, ..config(folder.path()) });
    let streams: Vec<TcpStream> = (0..10).map(|_| request_graph(&server)).collect();
    TestServer::wait_until("responses are in flight", || status(&server, "bytes_in_flight") > 0);
    // Some clients read a little now and then, which is not enough.
    let some: Vec<TcpStream> = streams.iter().take(4).map(|stream| stream.try_clone().unwrap()).collect();
    let over = Arc::new(AtomicBool::new(false));
    let slow = std::thread::spawn({
        let over = Arc::clone(&over);
        move || {
            while !over.load(Ordering::Relaxed) {
                for mut stream in &some {
                    let _ = stream.set_nonblocking(true).and_then(|()| stream.read(&mut [0; 100]));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    });
    let mut highest = 0;
    TestServer::wait_until("all of them are dropped", || {
        let held = status(&server, "bytes_in_flight");
        highest = highest.max(held);
        assert_eq!(server.post("/solve", &json!({ "board": JAM01 })).ok()["moves"], 8, "others are served");
        held == 0 && status(&server, "busy") == 0 && status(&server, "waiting") == 0
    });
    assert!((1..=max).contains(&highest), "{highest} bytes were held");
    over.store(true, Ordering::Relaxed);
    slow.join().unwrap();
    drop(streams);
    // A client that reads gets the whole response, compressed or not.
    let whole = server.post("/graph", &json!({ "board": LARGE })).ok();
    assert!(whole.to_string().len() > 1 << 20);
}

#[test]
fn large_responses_are_compressed_if_the_client_accepts_it() {
    let folder = TempDir::new().unwrap();
    let server = serve_with(config(folder.path()));
    let ask = |more: &str| {
        let body = json!({ "board": LARGE }).to_string();
        let length = format!("Content-Length: {}\r\n", body.len());
        let head = head(&server, "POST /api/v1/graph", body.len())
            .replace(&length, &format!("{length}Connection: close\r\n{more}"));
        let mut stream = server.connect();
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        (String::from_utf8(answer[..end].to_vec()).unwrap(), answer.split_off(end + 4))
    };
    let (head, plain) = ask("");
    assert!(!head.contains("content-encoding") && head.contains(&format!("content-length: {}", plain.len())), "{head}");
    let (head, packed) = ask("Accept-Encoding: gzip\r\n");
    assert!(head.contains("content-encoding: gzip") && packed.len() < plain.len() / 3, "{head}");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).unwrap();
    assert!(text == plain);
}
