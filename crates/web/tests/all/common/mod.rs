//! The real server on a free port, with a data folder of its own, and a small client.

#![allow(dead_code)] // every test file uses a part of it

use clearway_web::{Config, Network, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A guard for what takes moments on a quiet machine: a test that waits as long has failed.
pub const GUARD: Duration = Duration::from_secs(300);

/// The first card: 8 moves, 16 steps.
pub const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
/// A solution of the first card.
pub const JAM01_SOLUTION: &str = "G-3 C+3 B+1 D-1 F-1 H-2 E+2 A+3";
/// B can slide, but never off the row of the exit.
pub const UNSOLVABLE: &str = "4x3:...BAA.B....";

/// A server that stops when it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    agent: ureq::Agent,
    /// Its data folder, if it is its own.
    folder: Option<TempDir>,
}

/// A board of 16x16 that takes far longer than any test: the board of 12x12 of the suite `course` in its corner, with a road
/// to the exit, and cars beside it that can stand in thousands of ways.
pub fn endless() -> String {
    const COURSE: &str = "B.....CDDDEEB....FC...GHIIIJJFKLL.GHMN...OKPPQQ.MNRRROKSSS..MNAATU......VVVWTUXY.ZaabbbWccXY.ZddeefgggXhhh.i..fjjjk.llmi......k..nmp.qqrrrkssnmp";
    let mut cells: Vec<String> = (0..12).map(|row| format!("{}xxxx", &COURSE[12 * row..12 * row + 12])).collect();
    cells[5].replace_range(12.., "....");
    cells.extend(["xxxxxxxxxxxxxxxx", "tt..uu..vv..ww..", "yy..zz..11..22..", "33..44..55..66.."].map(str::to_owned));
    format!("16x16:{}", cells.concat())
}

/// A server as `clearway serve` starts it. The time limit is far above what a search of a test needs on a busy machine.
pub fn serve() -> Running {
    serve_for(Duration::from_secs(60))
}

/// A server with another limit on the time of a search.
pub fn serve_for(time_limit: Duration) -> Running {
    let folder = TempDir::new().unwrap();
    let mut running = serve_in(folder.path(), time_limit);
    running.folder = Some(folder);
    running
}

/// A server with a data folder.
pub fn serve_in(data: &Path, time_limit: Duration) -> Running {
    serve_with(Config { time_limit, ..config(data) })
}

/// How servers are configured here, as far as nothing else is said.
pub fn config(data: &Path) -> Config {
    Config {
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        data: data.to_owned(),
        data_limit: 1 << 30,
        allowed_hosts: vec!["puzzles.example".to_owned()],
        token: None,
        threads: 2,
        time_limit: Duration::from_secs(3),
        // A run of evolution gets a third of it, and the boards of 6x6 take 200 MB.
        memory: 1 << 30,
        network: Network { client_connections: 2_000, ..Network::default() },
    }
}

/// A server with a configuration.
pub fn serve_with(config: Config) -> Running {
    let (stop, stopped) = oneshot::channel();
    let (tell, told) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = Server::bind(config).await.unwrap();
            tell.send(server.address()).unwrap();
            server.run(async { drop(stopped.await) }).await.unwrap();
        });
    });
    let agent =
        ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(GUARD)).build().new_agent();
    Running { address: told.recv().unwrap(), stop: Some(stop), thread: Some(thread), agent, folder: None }
}

/// An answer of the API.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub json: Value,
}

impl Reply {
    /// The body of an answer that is expected to be good.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.json);
        self.json
    }

    /// The error of an answer that is expected to be a refusal.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.json);
        self.json["error"].as_str().unwrap_or_else(|| panic!("no error in {}", self.json)).to_owned()
    }
}

impl Running {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1{path}", self.address)
    }

    pub fn get(&self, path: &str) -> Reply {
        Running::reply(self.agent.get(self.url(path)).call().unwrap())
    }

    pub fn delete(&self, path: &str) -> Reply {
        Running::reply(self.agent.delete(self.url(path)).call().unwrap())
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let request = self.agent.post(self.url(path)).header("Content-Type", "application/json");
        Running::reply(request.send(body.to_string()).unwrap())
    }

    /// The text of an answer, such as a file.
    pub fn text(&self, path: &str) -> String {
        self.agent.get(self.url(path)).call().unwrap().body_mut().read_to_string().unwrap()
    }

    /// The lines of an answer, as they come.
    pub fn lines(&self, path: &str, body: Option<&Value>) -> impl Iterator<Item = String> + use<> {
        let config = ureq::Agent::config_builder().timeout_global(Some(GUARD)).build();
        let (agent, url) = (config.new_agent(), self.url(path));
        let response = match body {
            None => agent.get(url).call(),
            Some(body) => agent.post(url).header("Content-Type", "application/json").send(body.to_string()),
        };
        BufReader::new(response.unwrap().into_body().into_reader()).lines().map(Result::unwrap)
    }

    fn reply(mut response: ureq::http::Response<ureq::Body>) -> Reply {
        let text = response.body_mut().read_to_string().unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Reply { status: response.status().as_u16(), json }
    }

    /// A connection on which anything can be said.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(GUARD)).unwrap();
        stream
    }

    /// Sends bytes, and reads until the server closes the connection.
    pub fn say(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may answer and hang up before everything was sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request for a solution without waiting for the answer.
    pub fn ask_to_solve(&self, board: &str) -> TcpStream {
        let body = serde_json::json!({ "board": board }).to_string();
        let mut stream = self.connect();
        let head = format!(
            "POST /api/v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        stream
    }

    /// Requests a search that runs until its limit, and waits until it is running. On a busy machine it may end before the
    /// status is read; then it is requested again.
    pub fn ask_at_length(&self) -> TcpStream {
        let mut stream = self.ask_to_solve(&endless());
        Running::until("a search is under way", || {
            stream.set_nonblocking(true).unwrap();
            let is_answered = stream.peek(&mut [0]).is_ok();
            stream.set_nonblocking(false).unwrap();
            if is_answered {
                stream = self.ask_to_solve(&endless());
            }
            self.get("/status").ok()["busy"] == 1
        });
        stream
    }

    /// Waits until something is so; fails if it takes too long.
    #[track_caller]
    pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < GUARD, "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Asks it to stop, and waits until it has.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A server that panicked has failed the test.
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
