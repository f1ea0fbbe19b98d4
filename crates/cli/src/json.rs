//! JSON output, one object per line. Records that the server uses too are in [`clearway_answers::records`]; those here are used
//! only by the command line.

use clearway_answers::records::Moves;
use serde::Serialize;

/// A picture of one board, as `clearway show --json` prints it.
#[derive(Serialize)]
pub struct ShowRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// Its picture without colours; with `--strip`, the pictures of all boards of the solution.
    pub pictures: Vec<String>,
    /// Only with `--strip`: the moves between the pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Moves<'a>>,
}

/// The result of `clearway bench --json`.
#[derive(Serialize)]
pub struct BenchRecord {
    /// The number of boards solved; a board solved in two metrics counts twice.
    pub boards: usize,
    /// The total number of expanded states: the same on every machine and for any number of threads.
    pub signature: u64,
    /// The total number of generated states.
    pub generated: u64,
    /// The number of states expanded by each search algorithm on a separate set of boards, and the sum over all algorithms.
    pub algorithms: Vec<AlgorithmSignature>,
    /// The same for options of the algorithms.
    pub options: Vec<AlgorithmSignature>,
    /// The number of threads.
    pub threads: usize,
    /// Wall-clock time of the whole run.
    pub seconds: f64,
    /// States expanded per second of wall-clock time.
    pub nodes_per_second: f64,
}

/// The signature of one search algorithm.
#[derive(Serialize)]
pub struct AlgorithmSignature {
    /// The algorithm; `all` for the sum.
    pub algorithm: String,
    /// The number of boards it solved.
    pub solved: usize,
    /// The number of states expanded on all boards, solved or not.
    pub signature: u64,
    /// The total time of its searches.
    pub seconds: f64,
}

/// Serialises a record as a line of JSON.
pub fn line(record: &impl Serialize) -> String {
    // Serialisation fails only for maps with keys other than strings and for failing serialisers; records have neither.
    let mut text = serde_json::to_string(record).expect("records are always serialisable");
    text.push('\n');
    text
}
