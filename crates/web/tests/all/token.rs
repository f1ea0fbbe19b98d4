//! A server that requires a token.

use crate::common::{config, serve_with};
use clearway_web::ServerConfig;
use tempfile::TempDir;

const TOKEN: &str = "an-example_of-a-token";

#[test]
fn every_request_needs_the_token() {
    let folder = TempDir::new().unwrap();
    let server = serve_with(ServerConfig { token: Some(TOKEN.parse().unwrap()), ..config(folder.path()) });
    let ask = |path: &str, more: &str| {
        let host = server.address;
        server.send_raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n").as_bytes())
    };
    for path in ["/", "/api/v1/status", "/js/main.js", "/api/v1/openapi.json", "/nothing"] {
        let answer = ask(path, "");
        assert!(answer.starts_with("HTTP/1.1 401") && answer.contains("missing or wrong token"), "{path}: {answer}");
        assert!(answer.contains("www-authenticate: Bearer"), "{answer}");
    }
    assert!(ask("/api/v1/status", "Authorization: Bearer an-example_of-a-tokeN\r\n").starts_with("HTTP/1.1 401"));
    assert!(ask("/api/v1/status", &format!("Authorization: Bearer {TOKEN}\r\n")).starts_with("HTTP/1.1 200"));
    // The link for browsers sets a cookie, which authenticates later requests.
    let opened = ask(&format!("/play?token={TOKEN}&suite=cards"), "");
    assert!(opened.starts_with("HTTP/1.1 303") && opened.contains("location: /play?suite=cards\r\n"), "{opened}");
    let cookie = opened.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
    for path in ["/play?suite=cards", "/api/v1/status", "/js/main.js"] {
        let answer = ask(path, &format!("Cookie: {cookie}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // A cookie does not help a page of another site.
    let foreign = ask("/api/v1/status", &format!("Cookie: {cookie}\r\nOrigin: http://evil.example\r\n"));
    assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
}
