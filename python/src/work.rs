//! Long-running work: releases the interpreter, and stops on Ctrl-C.

use crate::errors::internal_error;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Interval at which pending signals are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on its own thread and passes each message that it sends to `on_message`, on the calling thread. If
/// `on_message` fails or Ctrl-C is pressed, sets `cancel`, waits until the work has ended, and returns the error.
pub fn run_interruptible<T: Send, M: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce(SyncSender<M>) -> T + Send,
    mut on_message: impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(64);
    // Only one thread receives, but `Python::detach` requires what it captures to be safe to share between threads.
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || work(sender));
        let received = receive_all(py, &receiver, &mut on_message);
        if received.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        let done = py.detach(move || {
            // Messages after an error are dropped, so that the sender does not block on a full channel.
            receiver.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().for_each(drop);
            worker.join()
        });
        received?;
        done.map_err(|panic| internal_error(&format!("internal error: {}", clearway_lab::fault::message(&*panic))))
    })
}

/// Passes on messages until the sender is dropped.
fn receive_all<M: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<M>>,
    on_message: &mut impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<()> {
    loop {
        let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_INTERVAL);
        match py.detach(receive) {
            Ok(message) => on_message(py, message)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        py.check_signals()?;
    }
}
