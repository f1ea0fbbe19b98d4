//! Work that takes long: without holding the interpreter, and so that Ctrl-C stops it.

use crate::errors::internal;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often it is looked whether somebody pressed Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Does some work on a thread of its own, and meanwhile `hear`s, on this one, what the work sends. If that fails or
/// Ctrl-C is pressed, the flag is raised, the work is given the time to end as it should, and the error is returned.
pub fn interruptible<T: Send, M: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce(SyncSender<M>) -> T + Send,
    mut hear: impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(64);
    // Not because several threads receive: what is handed to a part without the interpreter must be fit to be shared.
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || work(sender));
        let heard = listen(py, &receiver, &mut hear);
        if heard.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        let done = py.detach(move || {
            // Nobody hears what comes after an error; but who sends must not wait for ever.
            receiver.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().for_each(drop);
            worker.join()
        });
        heard?;
        done.map_err(|panic| internal(&format!("internal error: {}", clearway_lab::fault::message(&*panic))))
    })
}

/// Hears messages until there can be no more of them.
fn listen<M: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<M>>,
    hear: &mut impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<()> {
    loop {
        let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_EVERY);
        match py.detach(receive) {
            Ok(message) => hear(py, message)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        py.check_signals()?;
    }
}
