//! The API document, and whether the API conforms to it.

use crate::common::{serve, serve_for};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[test]
fn every_field_is_described() {
    let document = serve().get("/openapi.json").ok();
    assert_eq!(document["openapi"], "3.1.0");
    let mut faults = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let is_named = ["summary", "operationId"].iter().all(|field| operation[field].is_string());
            let answers = operation["responses"].as_object().unwrap();
            if !is_named || answers.is_empty() || answers.values().any(|answer| answer["description"] == "") {
                faults.push(format!("{method} {path}"));
            }
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        undescribed(schema, name, &mut faults);
    }
    assert!(faults.is_empty(), "not described: {faults:#?}");
}

/// Collects the properties without a description in a schema.
fn undescribed(schema: &Value, name: &str, faults: &mut Vec<String>) {
    for part in schema["allOf"].as_array().into_iter().flatten() {
        undescribed(part, name, faults);
    }
    for (field, property) in schema["properties"].as_object().into_iter().flatten() {
        // A referenced schema has its own description; a nullable property is a choice of two schemas.
        let is_described = |schema: &Value| schema["description"].is_string() || schema["$ref"].is_string();
        let choices = property["oneOf"].as_array();
        if !is_described(property) && !choices.is_some_and(|choices| choices.iter().any(is_described)) {
            faults.push(format!("{name}.{field}"));
        }
    }
}

/// The version of Schemathesis, which generates requests from the document.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

fn run(command: &mut Command, help: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot start {command:?} ({error}): {help}"));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
    assert!(output.status.success(), "{command:?} failed: {help}\n{text}");
    text
}

/// Installs Schemathesis once, into a virtual environment in the build directory.
fn schemathesis(folder: &Path) -> PathBuf {
    let environment = folder.join("schemathesis");
    let ready = environment.join("ready");
    if fs::read_to_string(&ready).ok().as_deref() != Some(SCHEMATHESIS) {
        let help = "this test needs Python 3.10 or newer with venv and pip (on Debian: apt-get install python3-venv), \
                     and must be able to install the package schemathesis";
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment), help);
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS];
        run(Command::new(environment.join("bin/python")).args(pip), help);
        fs::write(ready, SCHEMATHESIS).unwrap();
    }
    environment.join("bin/schemathesis")
}

#[test]
#[ignore = "needs Python, pip and the network: ./check runs it"]
fn responses_to_random_requests_conform_to_the_document() {
    let program = schemathesis(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let folder = tempfile::TempDir::new().unwrap();
    // Random requests may cause endless searches, which need not take long.
    let server = serve_for(Duration::from_millis(300));
    // Not every string is a board, so requests that conform to the document may still be refused; and a new run has no report
    // before its first generation.
    let checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance,ensure_resource_availability"];
    let output = run(
        Command::new(program)
            .current_dir(folder.path())
            .args(["run", &server.url("/openapi.json"), "--max-examples", "5", "--seed", "1", "--no-color"])
            // A busy machine may exceed the default of ten seconds.
            .args(["--request-timeout", "300"])
            .args(checks),
        "the API does not conform to its document",
    );
    assert!(output.contains("generated"), "{output}");
    assert_eq!(server.get("/status").status, 200);
}
