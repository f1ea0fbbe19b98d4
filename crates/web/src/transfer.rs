//! Bodies on their way in and out.
//!
//! A request is read as a whole within a deadline before anything is done with it. An answer whose length is known is
//! compressed if the client takes that, cut into pieces, and counted until its last piece was sent, so that all clients
//! together never hold more than a fixed number of bytes in memory. Answers without a length (events, lines) are made as
//! they are read.

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
use std::task::{Context, Poll};
use std::time::Duration;

/// The longest body of a request: any board fits in many times over.
pub const LONGEST_BODY: usize = 256 << 10;
/// Bodies up to this size are neither counted nor worth another thread.
pub const SMALL: usize = 16 << 10;
/// From this size on an answer is worth the time of compressing it.
const COMPRESSED_FROM: usize = 2 << 10;
/// Large answers are made and sent in pieces of this size.
const PIECE: usize = 64 << 10;
/// Retry-After when too many bytes are on their way, in seconds.
const RETRY: u64 = 2;

/// How bodies are transferred.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The deadline of a body, from the end of the head.
    pub body_time: Duration,
    /// Where large answers are compressed.
    pub blocking: Blocking,
}

/// Reads the body of a request, and sends the answer.
pub async fn transfer(State(transfer): State<Transfer>, request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Arc<Connection>>().cloned();
    let takes_gzip = takes_gzip(request.headers());
    let (request, held) = match receive(request, connection.as_ref(), transfer.body_time).await {
        Ok(received) => received,
        Err(error) => {
            let mut response = error.into_response();
            // The rest of the body may still come, and is not waited for.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            return response;
        }
    };
    let response = next.run(request).await;
    drop(held);
    send(response, connection.as_ref(), takes_gzip, &transfer.blocking).await.unwrap_or_else(ApiError::into_response)
}

/// The request with its whole body, and the reservation for that.
async fn receive(
    request: Request,
    connection: Option<&Arc<Connection>>,
    time: Duration,
) -> Result<(Request, Option<Reservation>), ApiError> {
    let (parts, body) = request.into_parts();
    let most = body.size_hint().upper().unwrap_or(LONGEST_BODY as u64);
    if most > LONGEST_BODY as u64 {
        return Err(ApiError::too_large());
    }
    let held = reserve(connection, most as usize)?;
    let read = tokio::time::timeout(time, Limited::new(body, LONGEST_BODY).collect());
    let bytes = match read.await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(ApiError::too_large()),
        Ok(Err(_)) => return Err(ApiError::bad_request("the body is incomplete")),
        Err(_) => return Err(ApiError::too_slow(time)),
    };
    Ok((Request::from_parts(parts, Body::from(bytes)), held))
}

/// Counts a body that is not small.
fn reserve(connection: Option<&Arc<Connection>>, bytes: usize) -> Result<Option<Reservation>, ApiError> {
    let counted = connection.filter(|_| bytes > SMALL);
    counted.map(|connection| connection.reserve(bytes).ok_or_else(|| ApiError::too_busy(RETRY))).transpose()
}

/// The answer as it is sent.
async fn send(
    response: Response,
    connection: Option<&Arc<Connection>>,
    takes_gzip: bool,
    blocking: &Blocking,
) -> Result<Response, ApiError> {
    let Some(size) = response.body().size_hint().exact().map(|size| size as usize) else { return Ok(response) };
    let is_compressed = takes_gzip && size >= COMPRESSED_FROM && is_compressible(response.headers());
    if size <= SMALL && !is_compressed {
        return Ok(response);
    }
    let mut held = reserve(connection, size)?;
    let (mut parts, body) = response.into_parts();
    let mut pieces = Pieces::collect(body).await?;
    if is_compressed {
        pieces = if size > SMALL { blocking.run(move || pieces.compress()).await? } else { pieces.compress()? };
        // The compressed body is counted on its own: what it replaces is gone.
        drop(held);
        held = reserve(connection, pieces.size())?;
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Some(held) = held {
        pieces.hold(held);
    }
    Ok(Response::from_parts(parts, Body::new(pieces)))
}

/// Whether the client takes an answer compressed by gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    encodings.flat_map(|value| value.split(',')).any(|encoding| {
        let (name, quality) = encoding.split_once(';').unwrap_or((encoding, ""));
        let is_refused = quality.trim().strip_prefix("q=").is_some_and(|quality| quality.parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

/// Whether an answer gets smaller by compression.
fn is_compressible(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_text = kind.starts_with("text/") || kind.contains("json") || kind.contains("javascript");
    (is_text || kind.starts_with("image/svg")) && !headers.contains_key(header::CONTENT_ENCODING)
}

/// A body in memory, in pieces: each is freed when it was sent.
#[derive(Default)]
pub struct Pieces {
    done: VecDeque<Bytes>,
    /// The piece that is written to.
    last: Vec<u8>,
}

impl Pieces {
    async fn collect(mut body: Body) -> Result<Pieces, ApiError> {
        let mut pieces = Pieces::default();
        while let Some(frame) = body.frame().await {
            let mut bytes = frame.map_err(ApiError::internal)?.into_data().unwrap_or_default();
            while !bytes.is_empty() {
                pieces.done.push_back(bytes.split_to(bytes.len().min(PIECE)));
            }
        }
        Ok(pieces)
    }

    fn size(&self) -> usize {
        self.done.iter().map(Bytes::len).sum::<usize>() + self.last.len()
    }

    fn compress(mut self) -> Result<Pieces, ApiError> {
        self.finish();
        let mut encoder = GzEncoder::new(Pieces::default(), Compression::fast());
        while let Some(piece) = self.done.pop_front() {
            encoder.write_all(&piece).map_err(ApiError::internal)?;
        }
        let mut pieces = encoder.finish().map_err(ApiError::internal)?;
        pieces.finish();
        Ok(pieces)
    }

    /// Nothing more is written.
    fn finish(&mut self) {
        if !self.last.is_empty() {
            let last = std::mem::take(&mut self.last);
            self.done.push_back(last.into());
        }
    }

    /// Counts each piece until it is freed.
    fn hold(&mut self, mut held: Reservation) {
        self.finish();
        for piece in &mut self.done {
            let bytes = std::mem::take(piece);
            *piece = Bytes::from_owner(Held { _counted: held.split(bytes.len()), bytes });
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(PIECE - self.last.len());
        self.last.extend_from_slice(&bytes[..written]);
        if self.last.len() == PIECE {
            self.finish();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<Pieces> for Body {
    fn from(mut pieces: Pieces) -> Body {
        pieces.finish();
        match pieces.done.len() {
            0 | 1 => Body::from(pieces.done.pop_front().unwrap_or_default()),
            _ => Body::new(pieces),
        }
    }
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.done.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.done.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.size() as u64)
    }
}

/// Bytes with their reservation.
struct Held {
    bytes: Bytes,
    _counted: Reservation,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_for_clients_that_take_it() {
        let takes = |value: &'static str| {
            takes_gzip(&[(header::ACCEPT_ENCODING, HeaderValue::from_static(value))].into_iter().collect())
        };
        assert!(takes("gzip") && takes("br, gzip;q=0.5") && takes("*") && takes("deflate,gzip ; q=1"));
        assert!(!takes("") && !takes("br") && !takes("gzip;q=0") && !takes("gzip; q=0.0"));
    }

    #[test]
    fn large_bodies_are_in_pieces_of_memory_of_their_own() {
        let text: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        let mut pieces = Pieces::default();
        for part in text.chunks(777) {
            pieces.write_all(part).unwrap();
        }
        pieces.finish();
        assert_eq!((pieces.size(), pieces.done.len()), (text.len(), 4));
        assert_eq!(pieces.done.iter().flatten().copied().collect::<Vec<u8>>(), text);
        let small = pieces.compress().unwrap();
        assert!(small.size() < text.len() / 10);
        let mut unpacked = Vec::new();
        let packed: Vec<u8> = small.done.iter().flatten().copied().collect();
        io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut unpacked).unwrap();
        assert_eq!(unpacked, text);
    }
}
