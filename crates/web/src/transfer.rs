//! Request and response bodies.
//!
//! The body of a request is read completely, within a deadline, before the request is handled. A response of known length
//! is compressed if the client accepts that, split into chunks, and counted until its last chunk is sent, so that all
//! clients together never hold more than a fixed number of bytes in memory. Responses without a length (events, lines) are
//! produced as they are read, and each of their frames is counted until it is sent; if too many bytes are in flight, the
//! response breaks off.

use crate::blocking::Blocking;
use crate::clients::{Connection, Reservation};
use crate::error::ApiError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// Maximum size of a request body in bytes: many times the size of any board.
pub const MAX_BODY: usize = 256 << 10;
/// Bodies up to this size are not counted, and are handled on the async threads.
pub const SMALL_BODY: usize = 16 << 10;
/// Minimum size of a response to compress.
const MIN_COMPRESSED: usize = 2 << 10;
/// Size of the chunks that large responses are split into.
const CHUNK_SIZE: usize = 64 << 10;
/// Retry-After when too many bytes are in flight, in seconds.
const RETRY_AFTER: u64 = 2;

/// State of the middleware.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Time limit for a request body, from the end of its head.
    pub body_time: Duration,
    /// Threads that compress large responses.
    pub blocking: Blocking,
}

/// Middleware: reads the request body, and prepares the response body.
pub async fn transfer(State(transfer): State<Transfer>, request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Arc<Connection>>().cloned();
    let accepts_gzip = accepts_gzip(request.headers());
    let (request, held) = match receive(request, connection.as_ref(), transfer.body_time).await {
        Ok(received) => received,
        Err(error) => {
            let mut response = error.into_response();
            // The rest of the body may still arrive; do not wait for it.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            return response;
        }
    };
    let response = next.run(request).await;
    drop(held);
    send(response, connection.as_ref(), accepts_gzip, &transfer.blocking).await.unwrap_or_else(ApiError::into_response)
}

/// Returns the request with its body in memory, and the reservation for that body.
async fn receive(
    request: Request,
    connection: Option<&Arc<Connection>>,
    time: Duration,
) -> Result<(Request, Option<Reservation>), ApiError> {
    let (parts, body) = request.into_parts();
    let max = body.size_hint().upper().unwrap_or(MAX_BODY as u64);
    if max > MAX_BODY as u64 {
        return Err(ApiError::too_large());
    }
    let held = reserve(connection, max as usize)?;
    let read = tokio::time::timeout(time, Limited::new(body, MAX_BODY).collect());
    let bytes = match read.await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(ApiError::too_large()),
        Ok(Err(_)) => return Err(ApiError::bad_request("the body is incomplete")),
        Err(_) => return Err(ApiError::too_slow(time)),
    };
    Ok((Request::from_parts(parts, Body::from(bytes)), held))
}

/// Reserves the bytes of a body that is not small.
fn reserve(connection: Option<&Arc<Connection>>, bytes: usize) -> Result<Option<Reservation>, ApiError> {
    let counted = connection.filter(|_| bytes > SMALL_BODY);
    counted.map(|connection| connection.reserve(bytes).ok_or_else(|| ApiError::too_busy(RETRY_AFTER))).transpose()
}

/// Compresses and splits the response where that applies, and reserves its bytes.
async fn send(
    response: Response,
    connection: Option<&Arc<Connection>>,
    accepts_gzip: bool,
    blocking: &Blocking,
) -> Result<Response, ApiError> {
    let Some(size) = response.body().size_hint().exact().map(|size| size as usize) else {
        let Some(connection) = connection.cloned() else { return Ok(response) };
        return Ok(response.map(|body| Body::new(CountedStream { body, connection })));
    };
    let is_compressed = accepts_gzip && size >= MIN_COMPRESSED && is_compressible(response.headers());
    if size <= SMALL_BODY && !is_compressed {
        return Ok(response);
    }
    let mut held = reserve(connection, size)?;
    let (mut parts, body) = response.into_parts();
    let mut chunks = Chunks::collect(body).await?;
    if is_compressed {
        chunks = if size > SMALL_BODY { blocking.run(move || chunks.compress()).await? } else { chunks.compress()? };
        // Replace the reservation by one for the compressed body.
        drop(held);
        held = reserve(connection, chunks.size())?;
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Some(held) = held {
        chunks.hold(held);
    }
    Ok(Response::from_parts(parts, Body::new(chunks)))
}

/// Whether the client accepts gzip.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    encodings.flat_map(|value| value.split(',')).any(|encoding| {
        let (name, quality) = encoding.split_once(';').unwrap_or((encoding, ""));
        let is_refused = quality.trim().strip_prefix("q=").is_some_and(|quality| quality.parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

/// Whether compression is likely to make a response smaller.
fn is_compressible(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_text = kind.starts_with("text/") || kind.contains("json") || kind.contains("javascript");
    (is_text || kind.starts_with("image/svg")) && !headers.contains_key(header::CONTENT_ENCODING)
}

/// A body in memory, in chunks that are freed as they are sent.
#[derive(Default)]
pub struct Chunks {
    done: VecDeque<Bytes>,
    /// Chunk that is being written.
    last: Vec<u8>,
}

impl Chunks {
    async fn collect(mut body: Body) -> Result<Chunks, ApiError> {
        let mut chunks = Chunks::default();
        while let Some(frame) = body.frame().await {
            let mut bytes = frame.map_err(ApiError::internal)?.into_data().unwrap_or_default();
            while !bytes.is_empty() {
                chunks.done.push_back(bytes.split_to(bytes.len().min(CHUNK_SIZE)));
            }
        }
        Ok(chunks)
    }

    fn size(&self) -> usize {
        self.done.iter().map(Bytes::len).sum::<usize>() + self.last.len()
    }

    fn compress(mut self) -> Result<Chunks, ApiError> {
        self.finish();
        let mut encoder = GzEncoder::new(Chunks::default(), Compression::fast());
        while let Some(chunk) = self.done.pop_front() {
            encoder.write_all(&chunk).map_err(ApiError::internal)?;
        }
        let mut chunks = encoder.finish().map_err(ApiError::internal)?;
        chunks.finish();
        Ok(chunks)
    }

    /// Completes the last chunk.
    fn finish(&mut self) {
        if !self.last.is_empty() {
            let last = std::mem::take(&mut self.last);
            self.done.push_back(last.into());
        }
    }

    /// Attaches a part of the reservation to each chunk, so that it is released with the chunk.
    fn hold(&mut self, mut held: Reservation) {
        self.finish();
        for chunk in &mut self.done {
            let bytes = std::mem::take(chunk);
            *chunk = Bytes::from_owner(CountedBytes { _counted: held.split(bytes.len()), bytes });
        }
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(CHUNK_SIZE - self.last.len());
        self.last.extend_from_slice(&bytes[..written]);
        if self.last.len() == CHUNK_SIZE {
            self.finish();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<Chunks> for Body {
    fn from(mut chunks: Chunks) -> Body {
        chunks.finish();
        match chunks.done.len() {
            0 | 1 => Body::from(chunks.done.pop_front().unwrap_or_default()),
            _ => Body::new(chunks),
        }
    }
}

impl HttpBody for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.done.pop_front().map(|chunk| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.done.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.size() as u64)
    }
}

/// A body of unknown length, whose frames are counted.
struct CountedStream {
    body: Body,
    connection: Arc<Connection>,
}

impl HttpBody for CountedStream {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| {
            let Ok(bytes) = frame?.into_data() else { return Ok(Frame::data(Bytes::new())) };
            let counted = self.connection.reserve(bytes.len());
            let counted = counted.ok_or_else(|| axum::Error::new("too many bytes are in flight"))?;
            Ok(Frame::data(Bytes::from_owner(CountedBytes { bytes, _counted: counted })))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

/// Bytes with their reservation.
struct CountedBytes {
    bytes: Bytes,
    _counted: Reservation,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;
    use std::net::Ipv4Addr;

    #[tokio::test]
    async fn frames_of_streams_are_counted_until_they_are_sent() {
        let clients = Clients::new(1, 100);
        let connection = clients.connect(Ipv4Addr::LOCALHOST.into()).unwrap();
        let lines = [30, 30, 10].map(|size| Ok::<_, Infallible>(vec![b'x'; size]));
        let body = Body::from_stream(futures_util::stream::iter(lines));
        let mut body = CountedStream { body, connection };
        let first = body.frame().await.unwrap().unwrap();
        assert_eq!(clients.totals().1, 30);
        assert!(body.frame().await.unwrap().is_err(), "a client may use half of all bytes");
        drop(first);
        assert_eq!(clients.totals().1, 0);
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap().len(), 10);
    }

    #[test]
    fn gzip_is_used_only_if_the_client_accepts_it() {
        let accepts = |value: &'static str| {
            accepts_gzip(&[(header::ACCEPT_ENCODING, HeaderValue::from_static(value))].into_iter().collect())
        };
        assert!(accepts("gzip") && accepts("br, gzip;q=0.5") && accepts("*") && accepts("deflate,gzip ; q=1"));
        assert!(!accepts("") && !accepts("br") && !accepts("gzip;q=0") && !accepts("gzip; q=0.0"));
    }

    #[test]
    fn large_bodies_are_split_into_chunks() {
        let text: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        let mut chunks = Chunks::default();
        for part in text.chunks(777) {
            chunks.write_all(part).unwrap();
        }
        chunks.finish();
        assert_eq!((chunks.size(), chunks.done.len()), (text.len(), 4));
        assert_eq!(chunks.done.iter().flatten().copied().collect::<Vec<u8>>(), text);
        let small = chunks.compress().unwrap();
        assert!(small.size() < text.len() / 10);
        let mut unpacked = Vec::new();
        let packed: Vec<u8> = small.done.iter().flatten().copied().collect();
        io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut unpacked).unwrap();
        assert_eq!(unpacked, text);
    }
}
