//! A host of static files, as simple as they come.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// The path under which the files are served.
const BASE: &str = "/some/where/";

/// Serves a folder until it is dropped.
pub struct StaticHost {
    address: SocketAddr,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl StaticHost {
    pub fn serve(folder: &Path) -> StaticHost {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let stopping = Arc::<AtomicBool>::default();
        let (flag, folder) = (Arc::clone(&stopping), folder.to_owned());
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                let folder = folder.clone();
                // A client that goes away is not a fault of the host.
                std::thread::spawn(move || drop(answer(stream.unwrap(), &folder)));
            }
        });
        StaticHost { address, stopping, thread: Some(thread) }
    }

    /// Returns the URL of a file.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{BASE}{path}", self.address)
    }
}

impl Drop for StaticHost {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address));
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Answers a request and closes the connection.
fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = first.split(' ').nth(1).unwrap_or_default();
    let (path, query) =
        target.split_once('?').map_or((target, String::new()), |(path, query)| (path, format!("?{query}")));
    let Some(file) = path.strip_prefix(BASE).map(|path| folder.join(path)) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    if file.is_dir() && !path.ends_with('/') {
        let head = "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nConnection: close\r\n";
        return write!(stream, "{head}Location: {path}/{query}\r\n\r\n");
    }
    let file: PathBuf = if file.is_dir() { file.join("index.html") } else { file };
    let Ok(bytes) = fs::read(&file) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain",
    };
    let head = format!("Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close", bytes.len());
    write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n")?;
    stream.write_all(&bytes)
}
