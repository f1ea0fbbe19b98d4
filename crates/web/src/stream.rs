//! A connection that fails when its client does not read.
//!
//! The time for which writes stall is added up, and every byte that the client reads takes a little of it off. So neither a
//! client that never reads nor one that reads a byte now and then can keep a response in memory, while an event stream
//! that is read as it arrives may stay open indefinitely.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// Minimum rate at which a client must read, in bytes per second.
const MIN_RATE: u32 = 16 << 10;

/// A connection that fails when its client does not read.
pub struct ClientStream {
    inner: TcpStream,
    /// Maximum accumulated stall.
    timeout: Duration,
    /// Accumulated stall of earlier writes, less the credit for bytes read.
    debt: Duration,
    /// Start of the current stall, and the timer that ends it.
    stall: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl ClientStream {
    /// Wraps a connection whose writes may stall for `timeout`.
    pub fn new(inner: TcpStream, timeout: Duration) -> ClientStream {
        ClientStream { inner, timeout, debt: Duration::ZERO, stall: None }
    }

    /// Returns the result of a write, or an error when it has stalled for too long.
    fn check_stall(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            if let Some((since, _)) = self.stall.take() {
                self.debt += since.elapsed();
            }
            let bytes = *written.as_ref().unwrap_or(&0) as u32;
            self.debt = self.debt.saturating_sub(Duration::from_secs(1) * bytes / MIN_RATE);
            return Poll::Ready(written);
        }
        let left = self.timeout.saturating_sub(self.debt);
        let (_, end) = self.stall.get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(left))));
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.check_stall(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, slices);
        self.check_stall(written, cx)
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
