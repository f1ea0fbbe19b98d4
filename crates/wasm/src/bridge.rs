//! Requests from the host, and responses to it.

use clearway_api::Engine;
use std::cell::RefCell;

// Functions of the host. A text is its address and its length in bytes; the host copies it before it returns.
#[link(wasm_import_module = "clearway")]
unsafe extern "C" {
    /// Receives a line of a streamed response.
    safe fn line(address: *const u8, length: usize);
    /// Receives the message of a panic, after which the module cannot be used any more.
    safe fn panicked(address: *const u8, length: usize);
    /// Receives the response to a request: its HTTP status and its body.
    safe fn respond(status: u32, address: *const u8, length: usize);
}

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ENGINE: RefCell<Engine> = RefCell::new(start());
}

fn start() -> Engine {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    Engine::new()
}

/// Returns the address of a buffer of this length, to write the next request into.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request in the buffer.
#[unsafe(no_mangle)]
extern "C" fn call() {
    let request = REQUEST.take();
    let request = String::from_utf8_lossy(&request);
    let (head, body) = request.split_once('\n').unwrap_or((&request, ""));
    let (method, path) = head.split_once(' ').unwrap_or((head, ""));
    let mut emit = |text: &str| line(text.as_ptr(), text.len());
    let answered = ENGINE.with_borrow_mut(|engine| engine.call(method, path, body, &mut emit));
    let (status, body) = match answered {
        Ok(body) => (200, body),
        Err(error) => (u32::from(error.status), serde_json::to_string(&error.problem).unwrap_or_default()),
    };
    respond(status, body.as_ptr(), body.len());
}
