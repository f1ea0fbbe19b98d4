//! Work that must not run on the async threads: disk, database, large JSON, compression.

use crate::error::ApiError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Time that a request waits for a thread before it is refused.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
/// Retry-After of such a refusal, in seconds.
const RETRY_AFTER: u64 = 2;

/// A bounded number of threads for blocking work, which also bounds the number of results in memory.
#[derive(Clone, Debug)]
pub struct Blocking(Arc<Semaphore>);

impl Blocking {
    /// Allows this number of concurrent tasks.
    pub fn new(tasks: usize) -> Blocking {
        Blocking(Arc::new(Semaphore::new(tasks)))
    }

    /// Runs blocking work; a panic in it becomes an internal error.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.0).acquire_owned()).await;
        let permit = permit.map_err(|_| ApiError::too_busy(RETRY_AFTER))?.map_err(ApiError::internal)?;
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        task.await.unwrap_or_else(|error| Err(ApiError::internal(error)))
    }
}
