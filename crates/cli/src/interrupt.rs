//! Ctrl-C: the running command stops, prints its results so far, and the program exits with 130.

use crate::exit::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time that a command has to stop and to print its results so far. After that the program exits, because the command may
/// be waiting for input that never comes.
const GRACE: Duration = Duration::from_secs(1);

/// The same for commands that never wait for input and write results when they stop.
const LONG_GRACE: Duration = Duration::from_secs(60);

/// A flag that Ctrl-C raises.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    has_long_grace: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs a handler for Ctrl-C and termination signals.
    pub fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        // Without a handler Ctrl-C still ends the program, only without cleaning up: not worth failing for.
        let _ = ctrlc::set_handler(move || {
            if !flag.raised.swap(true, Ordering::Relaxed) {
                std::thread::sleep(flag.grace());
            }
            clearway_util::atomic::remove_unfinished();
            ExitCode::Interrupted.exit();
        });
        interrupt
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Declares that the command stops soon after the flag is raised, without waiting for input, and so may take longer to
    /// write its results.
    pub fn extend_grace(&self) {
        self.has_long_grace.store(true, Ordering::Relaxed);
    }

    /// Returns the time that the command has to stop.
    fn grace(&self) -> Duration {
        if self.has_long_grace.load(Ordering::Relaxed) { LONG_GRACE } else { GRACE }
    }

    /// Returns the flag itself, as search limits take it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }
}

#[cfg(test)]
impl Interrupt {
    /// Returns whether the grace was extended.
    pub(crate) fn has_long_grace(&self) -> bool {
        self.grace() == LONG_GRACE
    }
}
