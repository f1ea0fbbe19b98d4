//! A connection whose client has to read what it asked for.
//!
//! Every moment in which the client takes nothing counts against its patience, and every byte that it takes wins a little
//! of it back. So neither a client that never reads nor one that reads a byte now and then can hold an answer in memory,
//! while a stream of events that are read as they come may last for ever.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// The bytes a second that a client has to read at least.
const LEAST_RATE: u32 = 16 << 10;

/// A connection that fails when its client does not read.
pub struct Stream {
    inner: TcpStream,
    /// How long the client may read nothing.
    patience: Duration,
    /// How much of that is used up.
    debt: Duration,
    /// Since when the client has not read, and when that has lasted too long.
    stalled: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Stream {
    /// Watches a connection whose client may read nothing for this long.
    pub fn new(inner: TcpStream, patience: Duration) -> Stream {
        Stream { inner, patience, debt: Duration::ZERO, stalled: None }
    }

    /// The result of a write, or an error when the client has not read for too long.
    fn watch(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            if let Some((since, _)) = self.stalled.take() {
                self.debt += since.elapsed();
            }
            let bytes = *written.as_ref().unwrap_or(&0) as u32;
            self.debt = self.debt.saturating_sub(Duration::from_secs(1) * bytes / LEAST_RATE);
            return Poll::Ready(written);
        }
        let left = self.patience.saturating_sub(self.debt);
        let (_, end) = self.stalled.get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(left))));
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, slices);
        self.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
