//! Work that would keep an asynchronous thread from serving others: disk, database, large JSON, compression.

use crate::error::ApiError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a request waits for its turn before it is refused.
const WAIT: Duration = Duration::from_secs(10);
/// Retry-After of such a refusal, in seconds.
const RETRY: u64 = 2;

/// Threads for blocking work. Their number bounds how many results are in memory at a time.
#[derive(Clone, Debug)]
pub struct Blocking(Arc<Semaphore>);

impl Blocking {
    /// Allows this number of tasks at a time.
    pub fn new(tasks: usize) -> Blocking {
        Blocking(Arc::new(Semaphore::new(tasks)))
    }

    /// Does blocking work; a panic in it becomes an internal error.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = tokio::time::timeout(WAIT, Arc::clone(&self.0).acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::too_busy(RETRY))?.map_err(ApiError::internal)?;
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        task.await.unwrap_or_else(|error| Err(ApiError::internal(error)))
    }
}
