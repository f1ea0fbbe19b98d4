//! A client of chromedriver, which controls Chromium with the `WebDriver` protocol: <https://www.w3.org/TR/webdriver2/>.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Time limit of waits. The longest is for the test of a champion, in a debug build on two possibly slow cores that also run
/// other tests.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// A browser with a new profile.
pub struct Session {
    agent: Agent,
    address: String,
}

impl Session {
    pub fn start((width, height): (u32, u32)) -> Session {
        let arguments = [
            "--headless=new",
            "--no-first-run",
            "--force-device-scale-factor=1",
            &format!("--window-size={width},{height}"),
            // Containers have no kernel sandbox and a small /dev/shm.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            // On a busy machine, pages at a lower priority would hardly get any time.
            "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
            "--disable-background-timer-throttling",
        ];
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": "/usr/bin/chromium", "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": TIMEOUT.as_millis(), "pageLoad": TIMEOUT.as_millis() },
        });
        let settings = Agent::config_builder().http_status_as_error(false).timeout_global(Some(2 * TIMEOUT));
        let mut session = Session { agent: settings.build().new_agent(), address: format!("{}/session", address()) };
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let start =
            || value(session.agent.post(&session.address).content_type("application/json").send(body.to_string()));
        // chromedriver waits one minute for a browser to start, which may not be enough on a busy machine.
        let started = start().or_else(|_| start()).or_else(|_| start()).expect("a browser");
        session.address = format!("{}/{}", session.address, started["sessionId"].as_str().expect("a session"));
        session
    }

    /// Sends a command to the browser; the error is that of chromedriver.
    pub fn command(&self, path: &str, body: &Value) -> Result<Value, Value> {
        let request = self.agent.post(format!("{}/{path}", self.address)).content_type("application/json");
        value(request.send(body.to_string()))
    }

    /// Gets a value from the browser.
    pub fn get(&self, path: &str) -> Result<Value, Value> {
        value(self.agent.get(format!("{}/{path}", self.address)).call())
    }

    /// Closes the browser.
    pub fn close(&self) -> Result<Value, Value> {
        value(self.agent.delete(&self.address).call())
    }
}

/// Returns the value of a response of chromedriver, or its error.
fn value(response: Result<Response<Body>, ureq::Error>) -> Result<Value, Value> {
    let mut response = response.map_err(|error| json!({ "error": error.to_string() }))?;
    // A screenshot may be large.
    let text = response.body_mut().with_config().limit(100_000_000).read_to_string().expect("text");
    let value = serde_json::from_str::<Value>(&text).expect("JSON")["value"].take();
    if response.status().is_success() { Ok(value) } else { Err(value) }
}

/// The chromedriver process shared by all tests.
struct Driver {
    port: u16,
    /// A shell that ends chromedriver and removes temporary files when its standard input closes, however the tests end.
    _shell: Child,
}

const SHELL: &str = r#"
    export TMPDIR="$(mktemp -d)"
    chromedriver --port=0 --log-path=/dev/null </dev/null &
    read end
    kill $!
    wait
    rm -rf "$TMPDIR"
"#;

/// Returns the address of chromedriver, which is started on the first call.
fn address() -> String {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    let driver = DRIVER.get_or_init(|| {
        assert!(
            ["chromedriver", "chromium"].iter().all(|program| installed(program)),
            "Chromium or chromedriver is missing; install the packages chromium and chromium-driver (./check does this)"
        );
        let mut shell = Command::new("sh")
            .args(["-c", SHELL])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let output = BufReader::new(shell.stdout.take().unwrap());
        let port = output
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok())
            .expect("chromedriver prints its port");
        Driver { port, _shell: shell }
    });
    format!("http://127.0.0.1:{}", driver.port)
}

fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
