//! Who may ask, and what every answer says about itself.
//!
//! The server is meant for the person at the machine. A page from elsewhere that the same browser shows must not be able to
//! start work or to read answers: so the host that is asked for has to be one of ours, which ends attacks by names that are
//! made to point here, and the origin of a request, where a browser tells it, has to be that host.

use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// The longest body of a request: any board fits in many times over.
pub const LONGEST_BODY: usize = 256 << 10;

/// The names that the server answers to beside its addresses.
#[derive(Clone, Debug)]
pub struct Hosts(Arc<[String]>);

impl Hosts {
    /// The local host, and more names, in any case.
    pub fn new(more: &[String]) -> Hosts {
        let names = more.iter().map(|name| name.to_ascii_lowercase());
        Hosts(std::iter::once("localhost".to_owned()).chain(names).collect())
    }

    /// Whether an authority, with or without a port, is an address or one of the names. Nobody can make an address point
    /// elsewhere.
    fn knows(&self, authority: &str) -> bool {
        let host = host_of(authority).to_ascii_lowercase();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        match bare {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => host.parse::<IpAddr>().is_ok() || self.0.contains(&host),
        }
    }
}

/// The host of an authority, without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Lets requests pass that are meant for us and come from us, and adds what the browser shall hold the answer to.
pub async fn watch(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let authority = request.uri().authority().map(Authority::as_str);
    let mut response = match refusal(&hosts, request.headers(), authority) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn refusal(hosts: &Hosts, headers: &HeaderMap, authority: Option<&str>) -> Option<ApiError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let host = text(header::HOST).or(authority).unwrap_or("");
    if !hosts.knows(host) {
        let error = format!("this server is not {}", if host.is_empty() { "without a name" } else { host });
        let help = "ask for it by its address, or start it with --allow-host NAME";
        return Some(ApiError::new(StatusCode::FORBIDDEN, error).with_help(help));
    }
    let is_ours = |origin: &str| origin.split_once("://").is_some_and(|(_, authority)| authority == host);
    if let Some(origin) = text(header::ORIGIN).filter(|origin| !is_ours(origin)) {
        let error = format!("a page of {origin} may not use this server");
        return Some(ApiError::new(StatusCode::FORBIDDEN, error));
    }
    let site = text(HeaderName::from_static("sec-fetch-site")).unwrap_or("none");
    let navigates = text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    if matches!(site, "cross-site" | "same-site") && !navigates {
        return Some(ApiError::new(StatusCode::FORBIDDEN, "a page of another site may not use this server"));
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse().ok()).unwrap_or(0_u64);
    (length > LONGEST_BODY as u64).then(ApiError::too_large)
}

/// What the browser shall hold every answer to: nothing but what comes from here, in no frame, told to nobody.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(headers: &[(&str, &str)]) -> bool {
        let pairs = headers.iter().map(|(name, value)| {
            (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
        });
        refusal(&Hosts::new(&["Puzzles.school".to_owned()]), &pairs.collect(), None).is_some()
    }

    #[test]
    fn addresses_and_known_names_are_ours() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "puzzles.school:80"] {
            assert!(!is_refused(&[("host", host)]), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example", "evil.example:8080", "[evil]:1", "127.0.0.1.evil"] {
            assert!(is_refused(&[("host", host)]), "{host}");
        }
        assert!(is_refused(&[]));
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let host = ("host", "127.0.0.1:8080");
        assert!(!is_refused(&[host, ("origin", "http://127.0.0.1:8080")]));
        for origin in ["http://evil.example", "http://127.0.0.1:9090", "null", "https://localhost:8080", ""] {
            assert!(is_refused(&[host, ("origin", origin)]), "{origin}");
        }
        assert!(is_refused(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]));
        assert!(!is_refused(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]), "a link");
    }
}
