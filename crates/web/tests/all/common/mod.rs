//! A real server on a free port with its own data folder, and a small client.

#![allow(dead_code)] // each test file uses only a part of it

use clearway_web::{Network, Server, ServerConfig};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// Time limit of waits that take moments on an idle machine: a test that waits this long fails.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// The first card: 8 moves, 16 steps.
pub const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
/// A solution of the first card.
pub const JAM01_SOLUTION: &str = "G-3 C+3 B+1 D-1 F-1 H-2 E+2 A+3";
/// B can slide, but never out of the row of the exit.
pub const UNSOLVABLE: &str = "4x3:...BAA.B....";

/// A server that stops when it is dropped.
pub struct TestServer {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    agent: ureq::Agent,
    /// The temporary data folder, if the server owns one.
    folder: Option<TempDir>,
}

/// A request to solve a board that takes far longer than any test.
pub fn endless_search() -> Value {
    serde_json::json!({ "board": endless_board(), "algorithm": "id" })
}

/// A 16x16 board that no uninformed search solves in the time of a test: the 12x12 board of the suite `course` in a corner, with a path to
/// the exit, and independent cars with thousands of positions.
pub fn endless_board() -> String {
    const COURSE: &str = "B.....CDDDEEB....FC...GHIIIJJFKLL.GHMN...OKPPQQ.MNRRROKSSS..MNAATU......VVVWTUXY.ZaabbbWccXY.ZddeefgggXhhh.i..fjjjk.llmi......k..nmp.qqrrrkssnmp";
    let mut cells: Vec<String> = (0..12).map(|row| format!("{}xxxx", &COURSE[12 * row..12 * row + 12])).collect();
    cells[5].replace_range(12.., "....");
    cells.extend(["xxxxxxxxxxxxxxxx", "tt..uu..vv..ww..", "yy..zz..11..22..", "33..44..55..66.."].map(str::to_owned));
    format!("16x16:{}", cells.concat())
}

/// Starts a server as `clearway serve` does. The time limit is far above the time of any search in a test on a busy machine.
pub fn serve() -> TestServer {
    serve_for(Duration::from_secs(60))
}

/// Starts a server with another time limit of a search.
pub fn serve_for(time_limit: Duration) -> TestServer {
    let folder = TempDir::new().unwrap();
    let mut running = serve_in(folder.path(), time_limit);
    running.folder = Some(folder);
    running
}

/// Starts a server with an existing data folder.
pub fn serve_in(data: &Path, time_limit: Duration) -> TestServer {
    serve_with(ServerConfig { time_limit, ..config(data) })
}

/// The default configuration of servers in the tests.
pub fn config(data: &Path) -> ServerConfig {
    ServerConfig {
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        data: data.to_owned(),
        data_limit: 1 << 30,
        allowed_hosts: vec!["puzzles.example".to_owned()],
        token: None,
        threads: 2,
        time_limit: Duration::from_secs(3),
        // A run of evolution gets a third of it, and the 6x6 boards take 200 MB.
        memory: 1 << 30,
        // Tests wait for long work: they would take long on a busy machine.
        nice: 0,
        network: Network { client_connections: 2_000, ..Network::default() },
    }
}

/// Starts a server with a configuration.
pub fn serve_with(config: ServerConfig) -> TestServer {
    let (stop, stopped) = oneshot::channel();
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = Server::bind(config).await.unwrap();
            sender.send(server.address()).unwrap();
            server.run(async { drop(stopped.await) }).await.unwrap();
        });
    });
    let agent =
        ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT)).build().new_agent();
    TestServer { address: receiver.recv().unwrap(), stop: Some(stop), thread: Some(thread), agent, folder: None }
}

/// A response of the API.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub json: Value,
}

impl Reply {
    /// Returns the body of a successful response; panics otherwise.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.json);
        self.json
    }

    /// Returns the error message of a response with this status; panics otherwise.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.json);
        self.json["error"].as_str().unwrap_or_else(|| panic!("no error in {}", self.json)).to_owned()
    }
}

impl TestServer {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1{path}", self.address)
    }

    pub fn get(&self, path: &str) -> Reply {
        TestServer::reply(self.agent.get(self.url(path)).call().unwrap())
    }

    pub fn delete(&self, path: &str) -> Reply {
        TestServer::reply(self.agent.delete(self.url(path)).call().unwrap())
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.post_text(path, &body.to_string())
    }

    /// Posts a text that is declared as JSON.
    pub fn post_text(&self, path: &str, body: &str) -> Reply {
        let request = self.agent.post(self.url(path)).header("Content-Type", "application/json");
        TestServer::reply(request.send(body).unwrap())
    }

    /// Returns the body as text, such as a file.
    pub fn text(&self, path: &str) -> String {
        self.agent.get(self.url(path)).call().unwrap().body_mut().read_to_string().unwrap()
    }

    /// Returns the lines of a streamed response as they arrive.
    pub fn lines(&self, path: &str, body: Option<&Value>) -> impl Iterator<Item = String> + use<> {
        let config = ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build();
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

    /// Opens a raw connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends raw bytes, and reads until the server closes the connection.
    pub fn send_raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may respond and close the connection before everything is sent.
        let _ = stream.write_all(bytes);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Sends a request for an endless search without waiting for the response.
    pub fn request_endless_search(&self, path: &str) -> TcpStream {
        let body = endless_search().to_string();
        let mut stream = self.connect();
        let head = format!(
            "POST /api/v1{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        stream
    }

    /// Requests a search that runs until its limit, and waits until it is running. On a busy machine it may end before the
    /// status is read; then it is requested again.
    pub fn start_long_search(&self) -> TcpStream {
        let mut stream = self.request_endless_search("/solve");
        TestServer::wait_until("a search is under way", || {
            stream.set_nonblocking(true).unwrap();
            let has_response = stream.peek(&mut [0]).is_ok();
            stream.set_nonblocking(false).unwrap();
            if has_response {
                stream = self.request_endless_search("/solve");
            }
            self.get("/status").ok()["busy"] == 1
        });
        stream
    }

    /// Waits until a condition holds; panics if that takes too long.
    #[track_caller]
    pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
        let started = Instant::now();
        while !condition() {
            assert!(started.elapsed() < TIMEOUT, "timed out waiting until {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Stops the server, and waits until it has ended.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic in the server fails the test.
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end();
    }
}
