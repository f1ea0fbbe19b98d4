//! Access control, and the security headers of every response.
//!
//! The server is meant for the person at the machine. A page of another site in the same browser must not be able to start
//! work or to read responses. So the `Host` header must name this server, which prevents DNS rebinding, and the origin of a
//! request, where the browser sends it, must be that host.
//!
//! A server that others can reach may also require a token. Programs send it as `Authorization: Bearer TOKEN`; browsers
//! open a link with `?token=TOKEN`, which sets a cookie.

use crate::error::ApiError;
use crate::transfer::MAX_BODY;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// Allowed length of a token: too long to guess, short enough for a link.
const TOKEN_LENGTH: RangeInclusive<usize> = 16..=128;
/// Lifetime of the cookie in seconds: 30 days.
const COOKIE_AGE: u32 = 30 * 86_400;

/// Decides which requests are accepted.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Hosts,
    token: Option<AccessToken>,
    /// Name of the cookie. All ports of a host share their cookies, so the name contains the port.
    cookie: Arc<str>,
}

impl Guard {
    /// Accepts requests for these hosts that carry the token, if there is one. The port is part of the cookie's name.
    pub fn new(hosts: Hosts, token: Option<AccessToken>, port: u16) -> Guard {
        Guard { hosts, token, cookie: format!("clearway-{port}").into() }
    }
}

/// A secret that every request must carry: 16 to 128 letters, digits, `-` or `_`.
#[derive(Clone)]
pub struct AccessToken(Arc<str>);

/// A text is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid token; expected {} to {} letters, digits, - or _", TOKEN_LENGTH.start(), TOKEN_LENGTH.end())]
#[non_exhaustive]
pub struct InvalidToken;

impl FromStr for AccessToken {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<AccessToken, InvalidToken> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if TOKEN_LENGTH.contains(&text.len()) && text.bytes().all(is_plain) {
            return Ok(AccessToken(text.into()));
        }
        Err(InvalidToken)
    }
}

impl AccessToken {
    /// Returns the secret, for the link that opens the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the time does not reveal how much of a guess is right.
    fn matches(&self, guess: &str) -> bool {
        self.0.as_bytes().ct_eq(guess.as_bytes()).into()
    }
}

/// Hides the secret, because configurations are printed in logs.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(..)")
    }
}

/// Host names that the server accepts in addition to IP addresses.
#[derive(Clone, Debug)]
pub struct Hosts(Arc<[String]>);

impl Hosts {
    /// Accepts `localhost` and these names, ignoring case.
    pub fn new(more: &[String]) -> Hosts {
        let names = more.iter().map(|name| name.to_ascii_lowercase());
        Hosts(std::iter::once("localhost".to_owned()).chain(names).collect())
    }

    /// Whether an authority, with or without a port, is an IP address or one of the names. IP addresses are safe, because
    /// DNS cannot make them point elsewhere.
    fn contains(&self, authority: &str) -> bool {
        let host = strip_port(authority).to_ascii_lowercase();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        match bare {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => host.parse::<IpAddr>().is_ok() || self.0.contains(&host),
        }
    }
}

/// Returns the host of an authority, without its port.
fn strip_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Passes accepted requests on, refuses the others, and adds the security headers to every response.
pub async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let authority = request.uri().authority().map(Authority::as_str);
    let mut response = match check_origin(&guard.hosts, request.headers(), authority) {
        Some(refusal) => refusal.into_response(),
        None => match guard.token.as_ref().and_then(|token| authenticate(token, &guard.cookie, &request)) {
            Some(response) => response,
            None => next.run(request).await,
        },
    };
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns an error for a request to another host, from a page of another site, or with too large a body.
fn check_origin(hosts: &Hosts, headers: &HeaderMap, authority: Option<&str>) -> Option<ApiError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let host = text(header::HOST).or(authority).unwrap_or("");
    if !hosts.contains(host) {
        let error = if host.is_empty() { "missing Host header".to_owned() } else { format!("unknown host '{host}'") };
        let help = "use the server's IP address, or start the server with --allow-host NAME";
        return Some(ApiError::new(StatusCode::FORBIDDEN, error).with_help(help));
    }
    let is_ours = |origin: &str| origin.split_once("://").is_some_and(|(_, authority)| authority == host);
    if let Some(origin) = text(header::ORIGIN).filter(|origin| !is_ours(origin)) {
        let error = format!("origin {origin} is not allowed");
        return Some(ApiError::new(StatusCode::FORBIDDEN, error));
    }
    let site = text(HeaderName::from_static("sec-fetch-site")).unwrap_or("none");
    let navigates = text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    if matches!(site, "cross-site" | "same-site") && !navigates {
        return Some(ApiError::new(StatusCode::FORBIDDEN, "cross-site requests are not allowed"));
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse().ok()).unwrap_or(0_u64);
    (length > MAX_BODY as u64).then(ApiError::too_large)
}

/// Returns the response to a request without the right token, or, for a link with the token, the redirect that sets the
/// cookie. None if the request is authenticated.
fn authenticate(token: &AccessToken, cookie: &str, request: &Request) -> Option<Response> {
    if let Some((guess, rest)) = split_token(request.uri()) {
        if !token.matches(guess) {
            return Some(unauthorized("wrong token"));
        }
        let cookie = format!("{cookie}={guess}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax");
        return Some((StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, rest)]).into_response());
    }
    let text = |value: &'_ HeaderValue| value.to_str().unwrap_or("").to_owned();
    let bearer = request.headers().get(header::AUTHORIZATION).map(text);
    let cookies: Vec<String> = request.headers().get_all(header::COOKIE).iter().map(text).collect();
    let pairs = cookies.iter().flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let guesses = pairs.filter(|(name, _)| *name == cookie).map(|(_, guess)| guess);
    let mut guesses = guesses.chain(bearer.iter().filter_map(|value| value.strip_prefix("Bearer ")));
    (!guesses.any(|guess| token.matches(guess))).then(|| unauthorized("missing or wrong token"))
}

/// Splits a URL into the token of its query and the URL without it.
fn split_token(uri: &Uri) -> Option<(&str, String)> {
    let query = uri.query()?;
    let token = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("token=")).collect();
    // A leading double slash would redirect to another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    Some((token, if rest.is_empty() { path } else { format!("{path}?{}", rest.join("&")) }))
}

fn unauthorized(error: &str) -> Response {
    let help = "open the link that `clearway serve` printed, or send Authorization: Bearer TOKEN";
    let refusal = ApiError::new(StatusCode::UNAUTHORIZED, error).with_help(help);
    ([(header::WWW_AUTHENTICATE, "Bearer")], refusal).into_response()
}

/// Security headers: resources from this server only, no framing, no referrer.
const SECURITY_HEADERS: [(HeaderName, &str); 7] = [
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
        check_origin(&Hosts::new(&["Puzzles.school".to_owned()]), &pairs.collect(), None).is_some()
    }

    #[test]
    fn ip_addresses_and_configured_names_are_accepted() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "puzzles.school:80"] {
            assert!(!is_refused(&[("host", host)]), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example", "evil.example:8080", "[evil]:1", "127.0.0.1.evil"] {
            assert!(is_refused(&[("host", host)]), "{host}");
        }
        assert!(is_refused(&[]));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "127.0.0.1:8080");
        assert!(!is_refused(&[host, ("origin", "http://127.0.0.1:8080")]));
        for origin in ["http://evil.example", "http://127.0.0.1:9090", "null", "https://localhost:8080", ""] {
            assert!(is_refused(&[host, ("origin", origin)]), "{origin}");
        }
        assert!(is_refused(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]));
        assert!(!is_refused(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]), "a link");
    }

    const SECRET: &str = "0123456789abcdef";

    /// Returns the status, the cookie and the location of the response, or none if the request is accepted.
    fn response_to(path: &str, headers: &[(&str, &str)]) -> Option<(u16, String, String)> {
        let mut request = axum::http::Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let token: AccessToken = SECRET.parse().unwrap();
        let response = authenticate(&token, "clearway-80", &request.body(axum::body::Body::empty()).unwrap())?;
        let text = |name: HeaderName| {
            response.headers().get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
        };
        Some((response.status().as_u16(), text(header::SET_COOKIE), text(header::LOCATION)))
    }

    #[test]
    fn a_token_is_accepted_in_a_header_a_cookie_or_a_link() {
        assert_eq!(response_to("/", &[("authorization", "Bearer 0123456789abcdef")]), None);
        assert_eq!(response_to("/", &[("cookie", "a=b; clearway-80=0123456789abcdef")]), None);
        assert_eq!(response_to("/", &[("cookie", "a=b"), ("cookie", "clearway-80=0123456789abcdef")]), None);
        for headers in [
            [("authorization", "Bearer 0123456789abcdeF")],
            [("authorization", "0123456789abcdef")],
            [("authorization", "Bearer ")],
            [("cookie", "clearway-80=0123456789abcde")],
            [("cookie", "clearway-81=0123456789abcdef")],
            [("cookie", "0123456789abcdef")],
        ] {
            assert_eq!(response_to("/", &headers).unwrap().0, 401, "{headers:?}");
        }
        assert_eq!(response_to("/?token=0123456789abcdeg", &[]).unwrap().0, 401);
        let (status, cookie, place) = response_to("/play?a=1&token=0123456789abcdef&b=2", &[]).unwrap();
        assert_eq!((status, place.as_str()), (303, "/play?a=1&b=2"), "the secret is removed from the URL");
        assert!(cookie.starts_with("clearway-80=0123456789abcdef;") && cookie.contains("HttpOnly"), "{cookie}");
        assert_eq!(response_to("//evil.example/?token=0123456789abcdef", &[]).unwrap().2, "/evil.example/");
    }

    #[test]
    fn short_or_malformed_tokens_are_refused() {
        for text in ["", "short", "0123456789abcde", "0123456789abcde/", "0123456789abcde&", &"x".repeat(129)] {
            assert!(text.parse::<AccessToken>().is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", SECRET.parse::<AccessToken>().unwrap()), "AccessToken(..)");
    }
}
