//! Ctrl-C: the work is asked to stop, prints what it has, and the program ends with 130.

use crate::exit::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the work may take to stop, and to print what it has, before the program ends without it: it may be
/// waiting for input that never comes.
const GRACE: Duration = Duration::from_secs(1);

/// How long work may take to stop that never waits for anybody, and has something to write at its end.
const LONG_GRACE: Duration = Duration::from_secs(60);

/// A flag that Ctrl-C raises.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    ends_by_itself: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over Ctrl-C (and termination) for the rest of the program.
    pub fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        // Without a handler Ctrl-C still ends the program, only less politely: not worth failing for.
        let _ = ctrlc::set_handler(move || {
            if !flag.raised.swap(true, Ordering::Relaxed) {
                std::thread::sleep(flag.grace());
            }
            clearway_util::atomic::remove_unfinished();
            ExitCode::Interrupted.exit();
        });
        interrupt
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Promises that the work ends soon after the flag is raised, without waiting for input: it is given the time to
    /// write what it has.
    pub fn ends_by_itself(&self) {
        self.ends_by_itself.store(true, Ordering::Relaxed);
    }

    /// How long the work may take to stop.
    fn grace(&self) -> Duration {
        if self.ends_by_itself.load(Ordering::Relaxed) { LONG_GRACE } else { GRACE }
    }

    /// The flag itself, as a search wants it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }
}

#[cfg(test)]
impl Interrupt {
    /// Whether the work has promised to end by itself.
    pub(crate) fn is_patient(&self) -> bool {
        self.grace() == LONG_GRACE
    }
}
