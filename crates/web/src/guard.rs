//! Who may ask, and what every answer says about itself.
//!
//! The server is meant for the person at the machine. A page from elsewhere that the same browser shows must not be able to
//! start work or to read answers: so the host that is asked for has to be one of ours, which ends attacks by names that are
//! made to point here, and the origin of a request, where a browser tells it, has to be that host.
//!
//! A server that others can reach may also require a token. Programs send it as `Authorization: Bearer TOKEN`; for
//! browsers there is a link with `?token=TOKEN`, which is answered by a cookie.

use crate::error::ApiError;
use crate::transfer::LONGEST_BODY;
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

/// How long a token may be: too long to be guessed, and short enough for a link.
const TOKEN_LENGTH: RangeInclusive<usize> = 16..=128;
/// How long browsers keep the cookie, in seconds: 30 days.
const COOKIE_AGE: u32 = 30 * 86_400;

/// Who may ask.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Hosts,
    token: Option<Token>,
    /// The name of the cookie. Cookies are shared by all ports of a host, so that it says which server it is for.
    cookie: Arc<str>,
}

impl Guard {
    /// Lets requests pass for these hosts, with the token if there is one. The port names the cookie.
    pub fn new(hosts: Hosts, token: Option<Token>, port: u16) -> Guard {
        Guard { hosts, token, cookie: format!("clearway-{port}").into() }
    }
}

/// A secret that every request has to bring.
#[derive(Clone)]
pub struct Token(Arc<str>);

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Token, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if TOKEN_LENGTH.contains(&text.len()) && text.bytes().all(is_plain) {
            return Ok(Token(text.into()));
        }
        let (least, most) = TOKEN_LENGTH.into_inner();
        Err(format!("a token has {least} to {most} letters, digits, - or _"))
    }
}

impl Token {
    /// The secret itself, for the link that opens the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where a guess is wrong.
    fn is(&self, guess: &str) -> bool {
        self.0.as_bytes().ct_eq(guess.as_bytes()).into()
    }
}

/// Not the secret: configurations are printed in logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

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
pub async fn watch(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let authority = request.uri().authority().map(Authority::as_str);
    let mut response = match refusal(&guard.hosts, request.headers(), authority) {
        Some(refusal) => refusal.into_response(),
        None => match guard.token.as_ref().and_then(|token| challenge(token, &guard.cookie, &request)) {
            Some(answer) => answer,
            None => next.run(request).await,
        },
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
        let error = if host.is_empty() { "missing Host header".to_owned() } else { format!("unknown host '{host}'") };
        let help = "use the address of the server, or start it with --allow-host NAME";
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

/// The answer to a request that does not bring the token, or that brings it in its address: then as a cookie.
fn challenge(token: &Token, cookie: &str, request: &Request) -> Option<Response> {
    if let Some((guess, rest)) = token_of(request.uri()) {
        if !token.is(guess) {
            return Some(no_token("wrong token"));
        }
        let kept = format!("{cookie}={guess}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax");
        return Some((StatusCode::SEE_OTHER, [(header::SET_COOKIE, kept), (header::LOCATION, rest)]).into_response());
    }
    let text = |value: &'_ HeaderValue| value.to_str().unwrap_or("").to_owned();
    let bearer = request.headers().get(header::AUTHORIZATION).map(text);
    let cookies: Vec<String> = request.headers().get_all(header::COOKIE).iter().map(text).collect();
    let pairs = cookies.iter().flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let guesses = pairs.filter(|(name, _)| *name == cookie).map(|(_, guess)| guess);
    let mut guesses = guesses.chain(bearer.iter().filter_map(|value| value.strip_prefix("Bearer ")));
    (!guesses.any(|guess| token.is(guess))).then(|| no_token("this server requires a token"))
}

/// The token in an address, and the address without it.
fn token_of(uri: &Uri) -> Option<(&str, String)> {
    let query = uri.query()?;
    let token = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("token=")).collect();
    // Two slashes at the beginning would lead to another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    Some((token, if rest.is_empty() { path } else { format!("{path}?{}", rest.join("&")) }))
}

fn no_token(error: &str) -> Response {
    let help = "open the link that `clearway serve` printed, or send Authorization: Bearer TOKEN";
    let refusal = ApiError::new(StatusCode::UNAUTHORIZED, error).with_help(help);
    ([(header::WWW_AUTHENTICATE, "Bearer")], refusal).into_response()
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
    const SECRET: &str = "0123456789abcdef";

    /// The status of the answer, if the request is not let through, with the cookie and the address that it names.
    fn challenged(path: &str, headers: &[(&str, &str)]) -> Option<(u16, String, String)> {
        let mut request = axum::http::Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let token: Token = SECRET.parse().unwrap();
        let response = challenge(&token, "clearway-80", &request.body(axum::body::Body::empty()).unwrap())?;
        let text = |name: HeaderName| {
            response.headers().get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
        };
        Some((response.status().as_u16(), text(header::SET_COOKIE), text(header::LOCATION)))
    }

    #[test]
    fn a_token_comes_in_a_header_a_cookie_or_a_link() {
        assert_eq!(challenged("/", &[("authorization", "Bearer 0123456789abcdef")]), None);
        assert_eq!(challenged("/", &[("cookie", "a=b; clearway-80=0123456789abcdef")]), None);
        assert_eq!(challenged("/", &[("cookie", "a=b"), ("cookie", "clearway-80=0123456789abcdef")]), None);
        for headers in [
            [("authorization", "Bearer 0123456789abcdeF")],
            [("authorization", "0123456789abcdef")],
            [("authorization", "Bearer ")],
            [("cookie", "clearway-80=0123456789abcde")],
            [("cookie", "clearway-81=0123456789abcdef")],
            [("cookie", "0123456789abcdef")],
        ] {
            assert_eq!(challenged("/", &headers).unwrap().0, 401, "{headers:?}");
        }
        assert_eq!(challenged("/?token=0123456789abcdeg", &[]).unwrap().0, 401);
        let (status, cookie, place) = challenged("/play?a=1&token=0123456789abcdef&b=2", &[]).unwrap();
        assert_eq!((status, place.as_str()), (303, "/play?a=1&b=2"), "the secret does not stay in the address");
        assert!(cookie.starts_with("clearway-80=0123456789abcdef;") && cookie.contains("HttpOnly"), "{cookie}");
        assert_eq!(challenged("//evil.example/?token=0123456789abcdef", &[]).unwrap().2, "/evil.example/");
    }

    #[test]
    fn tokens_that_are_easily_guessed_or_break_a_link_are_refused() {
        for text in ["", "short", "0123456789abcde", "0123456789abcde/", "0123456789abcde&", &"x".repeat(129)] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", SECRET.parse::<Token>().unwrap()), "Token(..)");
    }
}
