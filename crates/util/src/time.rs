//! Clocks: those of the standard library, or in a browser those of the page.
//!
//! On `wasm32-unknown-unknown` the standard library has no clock: `std::time::Instant::now` panics there. The host that
//! instantiates the module supplies two functions instead, in milliseconds: `clearway.monotonic` and `clearway.unix`.

use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod host {
    pub use std::time::Instant;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    pub(super) fn since_epoch() -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "clearway")]
    unsafe extern "C" {
        safe fn monotonic() -> f64;
        safe fn unix() -> f64;
    }

    /// A time of the monotonic clock, with the part of the interface of [`std::time::Instant`] that clearway uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current time.
        pub fn now() -> Instant {
            Instant(from_milliseconds(monotonic()))
        }

        /// Returns the time since this instant.
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        /// Returns the time since an earlier instant, or zero if it is later.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// Returns the time since an earlier instant, or zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }

        /// Returns the instant after a duration, if it can be represented.
        pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0 + duration)
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }
    }

    pub(super) fn since_epoch() -> Duration {
        from_milliseconds(unix())
    }

    fn from_milliseconds(milliseconds: f64) -> Duration {
        Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
    }
}

pub use host::Instant;

/// Returns the time since 1 January 1970 in UTC; zero if the clock is set to an earlier time.
pub fn since_epoch() -> Duration {
    host::since_epoch()
}
