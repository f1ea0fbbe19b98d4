//! Claims that the other files do not prove.

use crate::common::{Certificate, JAM01, board};
use clearway_rush::Metric;

fn certificate() -> Certificate {
    Certificate::new(&board(JAM01), Metric::Moves, 7)
}

#[test]
fn another_claim_is_rejected() {
    let certificate = certificate();
    let claim = certificate.read("claim.json");
    let change = |from: &str, to: &str, message: &str| {
        certificate.rejects("claim.json", claim.replacen(from, to, 1), message);
    };
    change("\"bound\": 7", "\"bound\": 8", "7 layers for a bound of 8");
    change("\"layers\": 7", "\"layers\": 8", "8 layers for a bound of 7");
    let larger = claim.replace("\"bound\": 7", "\"bound\": 8").replace("\"layers\": 7", "\"layers\": 8");
    certificate.rejects("claim.json", larger, "variables.tsv: the variable");
    let smaller = claim.replace("\"bound\": 7", "\"bound\": 6").replace("\"layers\": 7", "\"layers\": 6");
    certificate.rejects("claim.json", smaller, "variables.tsv: the variable");
    change("moves", "steps", "variables.tsv: the variable 'crossed");
    change(JAM01, "BB...CD..E.CDAAE.CD..E..F...GGF.....", "the variable 'total E G 1' is missing");
    change(JAM01, "BB...CD..E.CDAAE.CD..E..F...GGFHHH..", "formula.cnf");
    change(JAM01, "BB...CD..E.CDAAE.CD..E..F...GGF.HHB.", "claim.json: invalid board");
    change(JAM01, "......CC...............AA.........", "claim.json: invalid board");
    change(JAM01, "6x6:BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "shortest notation");
    change(JAM01, "......AA........", "the board is solved");
    change("\"version\": 1", "\"version\": 2", "version 2; expected 1");
    change("\"bound\": 7", "\"bound\": 4000000000", "too large");
    change("\"bound\": 7", "\"bound\": -7", "claim.json: invalid value");
    change("\"bound\": 7", "\"limit\": 7", "unknown field `limit`");
}

#[test]
fn broken_claims_are_rejected() {
    let certificate = certificate();
    let claim = certificate.read("claim.json");
    certificate.rejects("claim.json", &claim[..claim.len() / 2], "claim.json: EOF");
    certificate.rejects("claim.json", "", "claim.json: EOF");
    certificate.rejects("claim.json", [255, 0, 7], "claim.json: expected value");
    certificate.rejects("claim.json", " ".repeat(100_000), "larger than 65536 bytes");
    certificate.rejects("claim.json", "[".repeat(60_000), "claim.json: ");
    std::fs::remove_file(certificate.folder.path().join("claim.json")).unwrap();
    assert!(certificate.check().unwrap_err().to_string().contains("cannot read"));
    std::fs::create_dir(certificate.folder.path().join("claim.json")).unwrap();
    assert!(certificate.check().unwrap_err().to_string().contains("not a regular file"));
}
