//! A closed stderr changes neither the results nor the exit codes.

use crate::common::{JAM01, UNSOLVABLE};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// How stderr is closed.
#[derive(Clone, Copy, Debug)]
enum Closed {
    /// The file descriptor is closed.
    Missing,
    /// The reading end of the pipe is closed.
    Pipe,
}

/// Returns a command that runs `clearway` with a closed stderr.
fn clearway(args: &[&str], closed: Closed) -> Command {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_clearway");
    match closed {
        Closed::Missing => {
            command.args(["-c", "exec \"$0\" \"$@\" 2>&-", program]);
        }
        Closed::Pipe => {
            command.args(["-c", "exec \"$0\" \"$@\"", program]);
            let (reader, writer) = std::io::pipe().unwrap();
            command.stderr(writer);
            drop(reader);
        }
    }
    command.args(args).stdin(Stdio::null());
    command
}

#[test]
fn exit_codes_do_not_depend_on_stderr() {
    for closed in [Closed::Missing, Closed::Pipe] {
        let code = |args: &[&str]| clearway(args, closed).stdout(Stdio::null()).status().unwrap().code();
        assert_eq!(code(&["solve", JAM01, "-v"]), Some(0), "{closed:?}");
        assert_eq!(code(&["solve", "--suite", "cards", "--node-limit", "3"]), Some(5), "{closed:?}");
        assert_eq!(code(&["solve", "no board at all"]), Some(3), "{closed:?}");
        assert_eq!(code(&["solve", UNSOLVABLE]), Some(4), "{closed:?}");
        assert_eq!(code(&["sovle"]), Some(2), "{closed:?}");
        assert_eq!(code(&["grade", JAM01, "--without-everything"]), Some(2), "{closed:?}");
        assert_eq!(code(&["forge", "random", "--size", "6", "--count", "1", "--seed", "1"]), Some(0), "{closed:?}");
    }
}

#[test]
fn a_server_works_with_stderr_closed() {
    for closed in [Closed::Missing, Closed::Pipe] {
        let folder = TempDir::new().unwrap();
        let data = folder.path().join("data");
        let args = ["serve", "--port", "0", "--log", "debug", "--data", data.to_str().unwrap()];
        let mut child = clearway(&args, closed).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://");
        let get = |path: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(get("/api/v1/status").starts_with("HTTP/1.1 200"), "{closed:?}");
        // Causes an error that is logged: the folder of runs is a file.
        std::fs::write(data.join("runs"), "no folder").unwrap();
        let body = "{}";
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("POST /api/v1/runs HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        let more = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all((head + &more).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 500"), "{closed:?}: {answer}");
        assert!(get("/api/v1/status").starts_with("HTTP/1.1 200"), "{closed:?}");
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{closed:?}");
    }
}
