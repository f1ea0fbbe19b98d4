//! Panics: what they say, and how tests cause them.

use std::any::Any;

/// The message of a panic.
pub fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown panic")
}

/// Panics in the work on the board that an environment variable names: for tests, and in debug builds alone.
#[doc(hidden)]
#[cfg(debug_assertions)]
pub fn inject(title: &str) {
    let asked = std::env::var_os("CLEARWAY_TEST_PANIC");
    assert!(asked.is_none_or(|name| *name != *title), "injected by a test");
}

/// Does nothing.
#[doc(hidden)]
#[cfg(not(debug_assertions))]
pub fn inject(_: &str) {}
