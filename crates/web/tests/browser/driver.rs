//! A browser with a new profile, a server with an empty data folder, and the actions of a user.

use crate::chromedriver::{Session, TIMEOUT};
use crate::common::{self, TestServer};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Helpers for scripts: visible controls by name (those in the tab take precedence over the links to the tabs), vehicles by label,
/// and the pixels of a canvas.
const HELPERS: &str = include_str!("helpers.js");
const RECORDER: &str = include_str!("recorder.js");

/// Screen sizes of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Wide,
    Tablet,
    Phone,
}

impl Screen {
    pub const ALL: [Screen; 3] = [Screen::Wide, Screen::Tablet, Screen::Phone];

    fn size(self) -> (u32, u32) {
        match self {
            Screen::Wide => (1440, 900),
            Screen::Tablet => (820, 1100),
            Screen::Phone => (360, 740),
        }
    }
}

/// Pointing device.
#[derive(Clone, Copy, Debug)]
pub enum Pointer {
    Mouse,
    Finger,
}

/// A page in a browser.
pub struct Page {
    pub server: TestServer,
    session: Session,
    /// Parts of the expected console messages.
    expected: RefCell<Vec<String>>,
}

/// Runs a scenario in a new browser, and checks that the console shows no unexpected messages.
pub fn browse(scenario: impl FnOnce(&Page)) {
    let page = Page::start();
    scenario(&page);
    page.assert_quiet();
}

impl Page {
    fn start() -> Page {
        let page = Page {
            server: common::serve(),
            session: Session::start(Screen::Wide.size()),
            expected: RefCell::default(),
        };
        page.screen(Screen::Wide);
        page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": RECORDER }));
        page
    }

    /// Sends a command that must succeed.
    #[track_caller]
    fn command(&self, path: &str, body: &Value) -> Value {
        self.session.command(path, body).unwrap_or_else(|refusal| panic!("the browser refused {path}: {refusal}"))
    }

    /// Sends a command of the Chrome `DevTools` protocol.
    pub fn devtools(&self, method: &str, parameters: &Value) -> Value {
        self.command("goog/cdp/execute", &json!({ "cmd": method, "params": parameters }))
    }

    pub fn screen(&self, screen: Screen) {
        let (width, height) = screen.size();
        let phone = screen == Screen::Phone;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": if phone { 2 } else { 1 }, "mobile": phone });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        self.devtools("Emulation.setTouchEmulationEnabled", &json!({ "enabled": phone }));
    }

    /// Emulates media features: `prefers-color-scheme`, `prefers-reduced-motion`.
    pub fn emulate_media(&self, preferences: &[(&str, &str)]) {
        let features: Vec<Value> =
            preferences.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Sets the languages of the browser, the preferred one first, for pages that are opened from now on.
    pub fn set_languages(&self, languages: &str) {
        let agent = self.js("return navigator.userAgent", &[]);
        self.devtools("Emulation.setUserAgentOverride", &json!({ "userAgent": agent, "acceptLanguage": languages }));
    }

    /// Opens a path of the server, and waits until the tab is shown.
    pub fn open(&self, path: &str) {
        self.open_url(&format!("http://{}{path}", self.server.address));
    }

    /// Opens a URL, and waits until the tab is shown.
    pub fn open_url(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
        self.until("the tab is shown", "return document.querySelector('main h1') !== null");
    }

    /// Opens Play with a board, and waits until its optimum is known.
    pub fn open_board(&self, board: &str) {
        self.open(&format!("/play?board={board}"));
        self.until("the optimum is known", "return text('dl.stats').includes('/')");
    }

    pub fn reload(&self) {
        self.command("refresh", &json!({}));
        self.until("the tab is shown again", "return document.querySelector('main h1') !== null");
    }

    pub fn back(&self) {
        self.command("back", &json!({}));
    }

    pub fn forward(&self) {
        self.command("forward", &json!({}));
    }

    /// Opens another tab of the browser and continues there; returns the tab before.
    pub fn new_tab(&self) -> Value {
        let before = self.current_tab();
        let opened = self.command("window/new", &json!({ "type": "tab" }));
        self.switch_to(&opened["handle"]);
        before
    }

    /// Returns the handle of the current tab of the browser.
    pub fn current_tab(&self) -> Value {
        self.session.get("window").unwrap()
    }

    /// Continues in a tab of the browser.
    pub fn switch_to(&self, tab: &Value) {
        self.command("window", &json!({ "handle": tab }));
    }

    /// Returns the path and the query of the URL.
    pub fn address(&self) -> String {
        self.js("return decodeURIComponent(location.pathname + location.search)", &[]).as_str().unwrap().to_owned()
    }

    /// Runs a script in the page; it may use [`HELPERS`] and `arguments`.
    #[track_caller]
    pub fn js(&self, script: &str, arguments: &[Value]) -> Value {
        let body = json!({ "script": format!("{HELPERS}\n{script}"), "args": arguments });
        self.session.command("execute/sync", &body).unwrap_or_else(|refusal| panic!("{script}: {refusal}"))
    }

    /// Waits until a script returns a truthy value, and returns it.
    #[track_caller]
    pub fn until(&self, what: &str, script: &str) -> Value {
        self.until_with(what, script, &[])
    }

    #[track_caller]
    pub fn until_with(&self, what: &str, script: &str, arguments: &[Value]) -> Value {
        let started = Instant::now();
        loop {
            let value = self.js(script, arguments);
            if !matches!(value, Value::Null | Value::Bool(false)) && value != "" {
                return value;
            }
            assert!(started.elapsed() < TIMEOUT, "timed out waiting until {what}: {script} {arguments:?}");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Waits until the first visible element of a selector contains a text.
    #[track_caller]
    pub fn until_text(&self, selector: &str, part: &str) {
        let started = Instant::now();
        loop {
            let text = self.text(selector);
            if text.contains(part) {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "timed out waiting for {part:?} in {selector}; found {text:?}");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Returns the text of the first visible element of a selector; empty if there is none.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        self.js("return text(arguments[0])", &[json!(selector)]).as_str().unwrap().to_owned()
    }

    /// Waits until a text is announced to screen readers.
    #[track_caller]
    pub fn until_announced(&self, part: &str) {
        let script = "return plain(document.querySelector('#live').textContent).includes(arguments[0])";
        self.until_with(&format!("{part:?} is announced"), script, &[json!(part)]);
    }

    /// Waits until a message appears that goes away by itself. It may be gone by then; each message is returned only once.
    #[track_caller]
    pub fn until_message(&self, part: &str) {
        let script = "const at = messages.findIndex((text) => plain(text).includes(arguments[0]));
            return at >= 0 && messages.splice(0, at + 1).length";
        self.until_with(&format!("the message {part:?} appears"), script, &[json!(part)]);
    }

    /// Waits until a control with a name exists and does not move, scrolls to it, and returns the path of its commands.
    #[track_caller]
    pub fn control(&self, name: &str) -> String {
        let found = self.until_with(
            &format!("there is one control {name:?}"),
            "const found = called(arguments[0]); if (found.length !== 1 || found[0].disabled) return false;
            found[0].scrollIntoView({ block: 'center', behavior: 'instant' });
            return resting(found[0])",
            &[json!(name)],
        );
        element(&found)
    }

    /// Whether a control with a name is enabled; false if there is none.
    pub fn enabled(&self, name: &str) -> bool {
        self.js("return called(arguments[0]).some((e) => !e.disabled)", &[json!(name)]) == true
    }

    /// Clicks the control with a name, which must not be covered.
    #[track_caller]
    pub fn click(&self, name: &str) {
        let started = Instant::now();
        while let Err(refusal) = self.session.command(&format!("{}/click", self.control(name)), &json!({})) {
            // It may have been redrawn since it was found.
            let late = started.elapsed() > TIMEOUT;
            assert!(refusal["error"] == "stale element reference" && !late, "{name:?} cannot be clicked: {refusal}");
        }
    }

    /// Fills several fields of a form, by their labels.
    pub fn fill_form(&self, fields: &[(&str, &str)]) {
        for (label, value) in fields {
            self.fill(label, value);
        }
    }

    /// Replaces the content of the field with a name.
    #[track_caller]
    pub fn fill(&self, name: &str, text: &str) {
        let field = self.control(name);
        self.command(&format!("{field}/clear"), &json!({}));
        self.command(&format!("{field}/value"), &json!({ "text": text }));
    }

    /// Chooses a file in the field with a name.
    #[track_caller]
    pub fn choose_file(&self, name: &str, file: &Path) {
        self.command(&format!("{}/value", self.control(name)), &json!({ "text": file.to_str().unwrap() }));
    }

    /// Chooses an option of a list by its text.
    #[track_caller]
    pub fn choose(&self, name: &str, option: &str) {
        let path = format!("{}/element", self.control(name));
        let found = self
            .command(&path, &json!({ "using": "xpath", "value": format!(".//option[normalize-space()='{option}']") }));
        self.command(&format!("{}/click", element(&found)), &json!({}));
    }

    /// Accepts a confirmation dialog.
    #[track_caller]
    pub fn accept(&self, question: &str) {
        let started = Instant::now();
        let asked = loop {
            match self.session.get("alert/text") {
                Ok(text) => break text,
                Err(none) => assert!(started.elapsed() < TIMEOUT, "timed out waiting for a dialog: {none}"),
            }
            std::thread::sleep(Duration::from_millis(15));
        };
        assert_eq!(asked, question);
        self.command("alert/accept", &json!({}));
    }

    /// Presses keys one after another, with modifiers before a `+`: `Shift+ArrowRight`.
    pub fn press(&self, keys: &[&str]) {
        let action = |kind: &str, key: &char| json!({ "type": kind, "value": key });
        let mut actions = Vec::new();
        for key in keys {
            let parts: Vec<char> = key.split('+').map(key_code).collect();
            actions.extend(parts.iter().map(|key| action("keyDown", key)));
            actions.extend(parts.iter().rev().map(|key| action("keyUp", key)));
        }
        self.perform(&json!({ "type": "key", "id": "keyboard", "actions": actions }));
    }

    /// Performs the actions of an input device.
    fn perform(&self, source: &Value) {
        self.command("actions", &json!({ "actions": [source] }));
    }

    /// Returns the name of the focused element; empty if there is none.
    pub fn focused(&self) -> String {
        self.js("const at = document.activeElement; return at === document.body ? '' : name(at)", &[])
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Returns the position of a vehicle for screen readers: its first column or row, from 1.
    #[track_caller]
    pub fn at(&self, label: &str) -> i64 {
        let now = self.until_with(
            "the vehicle is there",
            "return vehicle(arguments[0])?.getAttribute('aria-valuenow')",
            &[json!(label)],
        );
        now.as_str().unwrap().parse().unwrap()
    }

    /// Returns the visible position of a vehicle in cells, when it has stopped moving.
    #[track_caller]
    pub fn seen_at(&self, label: &str) -> (f64, f64) {
        let script = "
            const car = vehicle(arguments[0]);
            if (car.getAnimations().length) return false;
            const at = new DOMMatrix(getComputedStyle(car).transform);
            return [(at.e - 26) / 64, (at.f - 26) / 64]";
        let at = self.until_with("the vehicle has stopped moving", script, &[json!(label)]);
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    /// Drags a vehicle by a number of cells along its line, and releases it after a pause.
    #[track_caller]
    pub fn drag(&self, label: &str, cells: f64, pointer: Pointer) {
        let script = "
            const car = vehicle(arguments[0]);
            car.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { x, y, width, height } = car.querySelector('.ring').getBoundingClientRect();
            const cell = 64 * car.ownerSVGElement.getScreenCTM().a;
            return [x + width / 2, y + height / 2, cell, car.getAttribute('aria-orientation') === 'horizontal']";
        let place = self.js(script, &[json!(label)]);
        let [x, y, cell] = [0, 1, 2].map(|i| place[i].as_f64().unwrap());
        let by = cells * cell;
        let (dx, dy) = if place[3] == true { (by, 0.0) } else { (0.0, by) };
        self.drag_between((x, y), (x + dx, y + dy), pointer);
    }

    /// Presses at a point, moves to another, and releases after a pause.
    pub fn drag_between(&self, from: (f64, f64), to: (f64, f64), pointer: Pointer) {
        const STEPS: u32 = 6;
        let size = self.js("return [innerWidth - 1, innerHeight - 1]", &[]);
        let within = |at: f64, side: usize| at.clamp(0.0, size[side].as_f64().unwrap()).round();
        let move_to = |part: f64| {
            let [x, y] = [within(from.0 + part * (to.0 - from.0), 0), within(from.1 + part * (to.1 - from.1), 1)];
            json!({ "type": "pointerMove", "duration": 16, "x": x, "y": y })
        };
        let mut actions = vec![move_to(0.0), json!({ "type": "pointerDown", "button": 0 })];
        actions.extend((1..=STEPS).map(|step| move_to(f64::from(step) / f64::from(STEPS))));
        actions.extend([json!({ "type": "pause", "duration": 120 }), json!({ "type": "pointerUp", "button": 0 })]);
        let (id, kind) = match pointer {
            Pointer::Mouse => ("mouse", "mouse"),
            Pointer::Finger => ("finger", "touch"),
        };
        self.perform(
            &json!({ "type": "pointer", "id": id, "parameters": { "pointerType": kind }, "actions": actions }),
        );
    }

    /// Clicks at a point of the window.
    pub fn click_at(&self, x: f64, y: f64) {
        self.drag_between((x, y), (x, y), Pointer::Mouse);
    }

    /// Saves a screenshot.
    pub fn screenshot(&self, name: &str) {
        let picture = self.session.get("screenshot").unwrap();
        let folder = screenshots();
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.png")), BASE64_STANDARD.decode(picture.as_str().unwrap()).unwrap())
            .unwrap();
    }

    /// Returns the brightness of an element on the screen: minimum, mean and maximum, from 0 to 255.
    #[track_caller]
    fn shades(&self, selector: &str) -> [f64; 3] {
        let place = "
            const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
            return { x: left + scrollX, y: top + scrollY, width, height, scale: 1 }";
        let clip = self.js(place, &[json!(selector)]);
        let picture = self.devtools("Page.captureScreenshot", &json!({ "clip": clip, "captureBeyondViewport": true }));
        let measure = "
            const bytes = Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0));
            return createImageBitmap(new Blob([bytes])).then((picture) => {
              const { data } = pixels(picture);
              const shades = Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i] + data[4 * i + 1] + data[4 * i + 2]) / 3);
              const sum = shades.reduce((sum, shade) => sum + shade, 0);
              return [shades.reduce((a, b) => Math.min(a, b)), sum / shades.length, shades.reduce((a, b) => Math.max(a, b))];
            })";
        let shades = self.js(measure, &[picture["data"].clone()]);
        [0, 1, 2].map(|i| shades[i].as_f64().unwrap())
    }

    /// Waits until the brightness of an element meets a condition.
    #[track_caller]
    pub fn until_shades(&self, selector: &str, what: &str, condition: impl Fn([f64; 3]) -> bool) {
        let started = Instant::now();
        loop {
            let shades = self.shades(selector);
            if condition(shades) {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "timed out waiting until {selector} is {what}: {shades:?}");
        }
    }

    /// Requires the console to show a message with this part.
    pub fn expect_message(&self, part: &str) {
        self.expected.borrow_mut().push(part.to_owned());
    }

    /// Returns new warnings and errors of the browser's console, without deprecations and interventions.
    fn console(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({ "type": "browser" }));
        let counts = |entry: &&Value| {
            (entry["level"] == "WARNING" || entry["level"] == "SEVERE")
                && entry["source"] != "deprecation"
                && entry["source"] != "intervention"
        };
        let entries = entries.as_array().unwrap().iter().filter(counts);
        entries.map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// Checks that the console shows the expected messages and no others.
    fn assert_quiet(&self) {
        let messages = self.console();
        let expected = self.expected.borrow();
        let unexpected: Vec<&String> =
            messages.iter().filter(|text| !expected.iter().any(|part| text.contains(part))).collect();
        assert!(unexpected.is_empty(), "unexpected console messages: {unexpected:#?}");
        for part in expected.iter() {
            assert!(messages.iter().any(|text| text.contains(part)), "missing console message {part:?}: {messages:#?}");
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // A second panic would hide the first.
        if std::thread::panicking() && self.session.get("screenshot").is_ok() {
            let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
            self.screenshot(&format!("failed-{name}"));
            eprintln!("at {}; console: {:#?}", self.address(), self.console());
        }
        let closed = self.session.close();
        assert!(closed.is_ok() || std::thread::panicking(), "{closed:?}");
    }
}

/// Returns the path of the commands for an element.
fn element(found: &Value) -> String {
    format!("element/{}", found.as_object().unwrap().values().next().unwrap().as_str().unwrap())
}

/// Returns `screenshots` in Cargo's target folder.
pub fn screenshots() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    // A relative folder is relative to the workspace; tests run in the folder of their package.
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(target).join("screenshots")
}

/// Returns the `WebDriver` code of a key.
fn key_code(name: &str) -> char {
    match name {
        "Tab" => '\u{E004}',
        "Enter" => '\u{E007}',
        "Shift" => '\u{E008}',
        "Control" => '\u{E009}',
        "Escape" => '\u{E00C}',
        "Space" => ' ',
        "End" => '\u{E010}',
        "Home" => '\u{E011}',
        "ArrowLeft" => '\u{E012}',
        "ArrowUp" => '\u{E013}',
        "ArrowRight" => '\u{E014}',
        "ArrowDown" => '\u{E015}',
        "Delete" => '\u{E017}',
        _ => name.chars().next().expect("a key"),
    }
}
