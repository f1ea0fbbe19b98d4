//! chromedriver, through which the tests drive Chromium.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The one chromedriver of all tests.
struct Driver {
    port: u16,
    /// A shell that ends chromedriver when its standard input closes: however the tests end.
    _shell: Child,
}

/// Its address. It is started when it is first asked for.
pub fn address() -> String {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    let driver = DRIVER.get_or_init(|| {
        assert!(
            ["chromedriver", "chromium"].iter().all(|program| installed(program)),
            "the browser tests need Chromium and chromedriver: install the packages chromium and chromium-driver (./check does)"
        );
        let mut shell = Command::new("sh")
            .args(["-c", "chromedriver --port=0 --log-path=/dev/null </dev/null & read end; kill $!"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let output = BufReader::new(shell.stdout.take().unwrap());
        let port = output
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok())
            .expect("chromedriver says its port");
        Driver { port, _shell: shell }
    });
    format!("http://127.0.0.1:{}", driver.port)
}

fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
