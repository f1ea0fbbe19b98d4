//! Data folders that are of no use are told apart, and what is stored outlives the server.

use crate::common::{JAM01, serve_in};
use clearway_web::{Config, ServeError, Server, StoreError};
use rusqlite::Connection;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(60);

/// Why no server can be started with a data folder.
fn refused(data: &Path) -> StoreError {
    let config = Config {
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        data: data.to_owned(),
        allowed_hosts: Vec::new(),
        threads: 1,
        time_limit: LIMIT,
        memory: 64 << 20,
    };
    match tokio::runtime::Runtime::new().unwrap().block_on(Server::bind(config)) {
        Err(ServeError::Store(error)) => error,
        Err(error) => panic!("refused for another reason: {error}"),
        Ok(_) => panic!("it was not refused"),
    }
}

#[test]
fn what_is_stored_outlives_the_server() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("made/on/the/way");
    let server = serve_in(&data, LIMIT);
    server.post("/packs", &json!({ "name": "one", "boards": [JAM01] })).ok();
    server.stop();
    let server = serve_in(&data, LIMIT);
    assert_eq!(server.get("/packs").ok()[0]["name"], "one");
}

#[test]
fn a_folder_is_for_one_server() {
    let folder = TempDir::new().unwrap();
    let server = serve_in(folder.path(), LIMIT);
    let error = refused(folder.path());
    assert!(matches!(&error, StoreError::Taken(path) if path == folder.path()), "{error}");
    assert!(error.to_string().starts_with("another server uses the data folder"), "{error}");
    server.get("/packs").ok();
    server.stop();
    serve_in(folder.path(), LIMIT).get("/packs").ok();
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    assert!(matches!(refused(&file), StoreError::Folder { .. }));
    assert!(matches!(refused(&file.join("below")), StoreError::Folder { .. }));
}

#[test]
fn a_broken_database_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("clearway.sqlite");
    let nonsense = "this is no database at all, but long enough to look like one. ".repeat(100);
    std::fs::write(&file, &nonsense).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Database { .. }), "{error}");
    assert!(error.to_string().contains("file is not a database"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), nonsense);
}

#[test]
fn a_database_of_a_later_version_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    serve_in(folder.path(), LIMIT).stop();
    let file = folder.path().join("clearway.sqlite");
    let database = Connection::open(&file).unwrap();
    let version: usize = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    database.pragma_update(None, "user_version", version + 1).unwrap();
    let error = refused(folder.path());
    assert!(
        matches!(error, StoreError::Newer { found, known, .. } if found == known + 1 && known == version),
        "{error}"
    );
    database.pragma_update(None, "user_version", version).unwrap();
    serve_in(folder.path(), LIMIT).get("/packs").ok();
}
