//! The document that describes the API, and whether the API does what it says.

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
            let told = ["summary", "operationId"].iter().all(|field| operation[field].is_string());
            let answers = operation["responses"].as_object().unwrap();
            if !told || answers.is_empty() || answers.values().any(|answer| answer["description"] == "") {
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
        // A reference to a schema is described where that is; what may be null is one of two.
        let is_described = |schema: &Value| schema["description"].is_string() || schema["$ref"].is_string();
        let choices = property["oneOf"].as_array();
        if !is_described(property) && !choices.is_some_and(|choices| choices.iter().any(is_described)) {
            faults.push(format!("{name}.{field}"));
        }
    }
}

/// The version of the program that asks all kinds of things.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

fn run(command: &mut Command, to_do: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} did not start ({error}): {to_do}"));
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
    assert!(output.status.success(), "{command:?} failed: {to_do}\n{said}");
    said
}

/// Schemathesis, installed once into a virtual environment of the build directory.
fn schemathesis(folder: &Path) -> PathBuf {
    let environment = folder.join("schemathesis");
    let ready = environment.join("ready");
    if fs::read_to_string(&ready).ok().as_deref() != Some(SCHEMATHESIS) {
        let to_do = "this test needs Python 3.10 or newer with venv and pip (on Debian: apt-get install python3-venv), \
                     and must be able to install the package schemathesis";
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment), to_do);
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS];
        run(Command::new(environment.join("bin/python")).args(pip), to_do);
        fs::write(ready, SCHEMATHESIS).unwrap();
    }
    environment.join("bin/schemathesis")
}

#[test]
#[ignore = "needs Python, pip and the network: ./check runs it"]
fn whatever_is_asked_the_answers_are_as_described() {
    let program = schemathesis(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let folder = tempfile::TempDir::new().unwrap();
    // What is asked at random may be endless work.
    let server = serve_for(Duration::from_secs(3));
    // A text that is a string need not be a board, so what the document allows may still be refused; and a new run has no
    // report before its first generation.
    let checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance,ensure_resource_availability"];
    let said = run(
        Command::new(program)
            .current_dir(folder.path())
            .args(["run", &server.url("/openapi.json"), "--max-examples", "20", "--seed", "1", "--no-color"])
            // A busy machine may take longer than the ten seconds that are usual.
            .args(["--request-timeout", "300"])
            .args(checks),
        "the API does not do what its document says",
    );
    assert!(said.contains("generated"), "{said}");
    assert_eq!(server.get("/status").status, 200);
}
