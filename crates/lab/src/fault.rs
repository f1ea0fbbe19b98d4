//! Messages of panics, and panics that tests inject.

use std::any::Any;

/// Returns the message of a panic.
pub fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown panic")
}

/// Panics if the environment variable `CLEARWAY_TEST_PANIC` names this board. For tests; only in debug builds.
#[doc(hidden)]
#[cfg(debug_assertions)]
pub fn inject(title: &str) {
    let target = std::env::var_os("CLEARWAY_TEST_PANIC");
    assert!(target.is_none_or(|name| *name != *title), "injected by a test");
}

/// Does nothing in release builds.
#[doc(hidden)]
#[cfg(not(debug_assertions))]
pub fn inject(_: &str) {}
