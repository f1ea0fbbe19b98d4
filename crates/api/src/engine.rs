//! The API behind one function: for a host without a server, such as a browser.
//!
//! The paths below `/local` are for a host that stores packs and results itself: they compute what is stored, and what a stored
//! pack looks like to clients.

use crate::algorithms::algorithms;
use crate::packs::{self, FileQuery, MoreBoards, NewPack, PackWithPuzzles, StoredPack};
use crate::policies::Policies;
use crate::request::Object;
use crate::solve_stream::SolveLine;
use crate::{
    AnalyzeRequest, BoardRequest, CompareTask, GenerateTask, GraphRequest, LineReceiver, NewResult, NoOptions, Paging,
    RequestError, SearchRequest, SolveRequest, SolveTask, StreamedSearch, convert, daily, hint, hint_limits, levels,
    optimum, suites, trace,
};
use clearway_forge::grade::Level;
use clearway_forge::pack::Entry;
use clearway_rush::{Solver, formats};
use clearway_search::Limits;
use clearway_util::time::Instant;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of a search: the host can stop it earlier at any time.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Memory limit of a search in bytes; a browser allows a module at most four gibibytes.
const MEMORY: usize = 1 << 30;

/// Answers requests, one at a time.
#[derive(Debug)]
pub struct Engine {
    solver: Solver,
    policies: Arc<Policies>,
    started: Instant,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine { solver: Solver::new(), policies: Arc::new(Policies::new(())), started: Instant::now() }
    }
}

/// A request for a new pack, or for more boards in a stored one. The request is the text that a client sent.
#[derive(Deserialize)]
struct Grading {
    #[serde(default)]
    stored: Option<StoredEntries>,
    request: String,
}

#[derive(Deserialize)]
struct StoredEntries {
    name: String,
    entries: Entries,
}

/// The puzzles of a stored pack. For the host they are a text: some of their numbers have more digits than those of JavaScript.
#[derive(Default)]
struct Entries(Vec<Entry>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map(Entries).map_err(D::Error::custom)
    }
}

/// A pack that the host stores.
#[derive(Deserialize)]
struct LocalPack {
    id: i64,
    name: String,
    created: String,
    entries: Entries,
}

impl From<LocalPack> for StoredPack {
    fn from(LocalPack { id, name, created, entries: Entries(entries) }: LocalPack) -> StoredPack {
        StoredPack { id, name, created, entries }
    }
}

/// The file of a stored pack.
#[derive(Deserialize)]
struct Filing {
    pack: LocalPack,
    #[serde(default)]
    query: FileQuery,
}

struct Lines<'a>(&'a mut dyn FnMut(&str));

impl LineReceiver for Lines<'_> {
    fn receive(&mut self, line: String) {
        (self.0)(&line);
    }
}

impl Engine {
    /// Creates an engine, which keeps the tables of its solver between requests.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Answers a request to the API: the body of the response, as JSON. The path is that of the server without its prefix
    /// `/api/v1`, with its query. `emit` is called with every line of a streamed response, whose body is then empty.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
        emit: &mut dyn FnMut(&str),
    ) -> Result<String, RequestError> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match method {
            "GET" => self.get(path, query),
            "POST" => self.post(path, body, emit),
            _ => Err(RequestError::new(405, "method not allowed")),
        }
    }

    fn get(&mut self, path: &str, query: &str) -> Result<String, RequestError> {
        let below = |folder: &str| path.strip_prefix(folder).map(decoded);
        match path {
            "/status" => to_json(&json!({
                "version": env!("CARGO_PKG_VERSION"),
                "uptime_seconds": self.started.elapsed().as_secs_f64(),
                "workers": 1,
                "busy": 0,
                "waiting": 0,
                "connections": 0,
                "bytes_in_flight": 0,
            })),
            "/algorithms" => to_json(&algorithms(&self.policies)),
            "/suites" => to_json(&suites::list(&parse_query::<Paging>(query)?)?),
            "/daily" => to_json(&daily(&parse_query(query)?)?),
            "/tutorial" => to_json(&levels::lessons()),
            "/schema/pack" => Ok(packs::schema().to_owned()),
            _ => match (below("/suites/"), below("/levels/")) {
                (Some(name), _) => to_json(&suites::show(&name)?),
                (_, Some(name)) => to_json(&levels::show(&name)?),
                _ => Err(path_not_found(path)),
            },
        }
    }

    fn post(&mut self, path: &str, body: &str, emit: &mut dyn FnMut(&str)) -> Result<String, RequestError> {
        match path {
            "/solve" => {
                let request = SolveRequest { request: parse(body)?, policies: Arc::clone(&self.policies) };
                self.search(&request)
            }
            "/solve/stream" => self.solve_stream(body, emit),
            "/hint" => {
                let request: BoardRequest<NoOptions> = parse(body)?;
                let limits = capped(&hint_limits(&request)?);
                to_json(&hint(&request, &mut self.solver, &limits)?)
            }
            "/verify" => to_json(&parse::<crate::VerifyRequest>(body)?.parse()?.record()),
            "/analyze" => self.search(&AnalyzeRequest(parse(body)?)),
            "/grade" => self.search(&parse::<crate::GradeRequest>(body)?),
            "/convert" => to_json(&convert(parse(body)?)?),
            "/graph" => self.search(&GraphRequest(parse(body)?)),
            "/trace" => {
                let request: BoardRequest<crate::TraceOptions> = parse(body)?;
                let limits = capped(&request.limits.to_limits()?);
                to_json(&trace(&request, &self.policies, &limits)?)
            }
            "/compare" => self.compare(body),
            "/generate" => {
                let mut lines = Lines(emit);
                let mut task = GenerateTask::new(&parse(body)?, TIME_LIMIT, &mut lines)?;
                let limits = capped(&Limits::default());
                while task.work(&limits, &mut lines) {}
                Ok(String::new())
            }
            "/local/entries" => self.entries(parse(body)?),
            "/local/pack" => to_json(&PackWithPuzzles::from(&StoredPack::from(parse::<LocalPack>(body)?))),
            "/local/file" => file(parse(body)?),
            "/local/result" => self.result(parse(body)?),
            _ => Err(path_not_found(path)),
        }
    }

    fn search<R: SearchRequest>(&mut self, request: &R) -> Result<String, RequestError> {
        let limits = capped(&request.limits()?);
        let (found, _) = request.search(&mut self.solver, &limits)?;
        to_json(&request.answer(&found))
    }

    fn solve_stream(&mut self, body: &str, emit: &mut dyn FnMut(&str)) -> Result<String, RequestError> {
        let started = Instant::now();
        let request: BoardRequest<crate::SolveOptions> = parse(body)?;
        let limits = capped(&request.limits.to_limits()?);
        let mut search = StreamedSearch::new(SolveTask::new(&request, &self.policies)?, started);
        let solved = search.run(&mut self.solver, &limits, &mut |line| emit(&line));
        let last = match search.answer(solved) {
            Ok(line) => line,
            Err(error) => SolveLine::Error(error.problem).to_text()?,
        };
        emit(&last);
        Ok(String::new())
    }

    fn compare(&mut self, body: &str) -> Result<String, RequestError> {
        let request = parse(body)?;
        let limits = capped(&CompareTask::limits(&request)?);
        let deadline = Instant::now() + CompareTask::time_limit(TIME_LIMIT);
        let mut task = CompareTask::new(&request, &self.policies)?;
        while !task.is_complete() {
            let left = deadline.saturating_duration_since(Instant::now());
            task.step(&Limits { time: limits.time.map(|time| time.min(left)), ..limits.clone() });
        }
        to_json(&task.into_answer())
    }

    /// Grades the boards, and returns what to store of the pack that they are added to.
    fn entries(&mut self, Grading { stored, request }: Grading) -> Result<String, RequestError> {
        let (name, license, entries, boards) = if let Some(StoredEntries { name, entries }) = stored {
            (name, None, entries, parse::<MoreBoards>(&request)?.boards)
        } else {
            let new: NewPack = parse(&request)?;
            let (name, license) = new.names()?;
            (name, license, Entries::default(), new.boards)
        };
        let puzzles = packs::read_boards(&boards)?;
        let deadline = Instant::now() + TIME_LIMIT.saturating_mul(packs::TIME_FACTOR);
        let mut more = Vec::new();
        for (number, puzzle) in (1..).zip(&puzzles) {
            let left = deadline.saturating_duration_since(Instant::now());
            let limits = capped(&Limits { time: Some(left), ..Limits::default() });
            let (graded, _) = packs::grade_board(puzzle, &mut self.solver, &limits);
            let entry = packs::accepted(number, graded)?;
            more.push(Entry { license: license.clone(), ..entry });
        }
        let all = packs::merged(entries.0, more);
        if all.len() > packs::MAX_BOARDS {
            return Err(packs::too_many_puzzles());
        }
        let mut levels: BTreeMap<Level, u64> = BTreeMap::new();
        for entry in &all {
            *levels.entry(entry.level).or_default() += 1;
        }
        to_json(&json!({ "name": name, "levels": levels, "puzzles": all.len(), "entries": to_json(&all)? }))
    }

    /// Checks a game, and returns the facts to store about it.
    fn result(&mut self, new: NewResult) -> Result<String, RequestError> {
        new.check()?;
        let seconds = new.seconds;
        let replayed = new.replay()?;
        let board = &replayed.puzzle.board;
        let (optimum, _) = optimum(board, &mut self.solver, &capped(&Limits::default()));
        to_json(&json!({
            "board": formats::line(board),
            "name": replayed.puzzle.name,
            "optimum": optimum,
            "moves": replayed.moves,
            "seconds": seconds,
        }))
    }
}

fn file(Filing { pack, query }: Filing) -> Result<String, RequestError> {
    let file = query.parse()?.file(&pack.into());
    let text = String::from_utf8(file.contents).map_err(RequestError::internal)?;
    to_json(&json!({ "name": file.name, "media_type": file.media_type, "text": text }))
}

fn path_not_found(path: &str) -> RequestError {
    RequestError::not_found(format!("path not found: /api/v1{path}"))
}

/// Returns the requested limits, capped by those of the engine.
fn capped(requested: &Limits) -> Limits {
    Limits {
        time: Some(requested.time.map_or(TIME_LIMIT, |time| time.min(TIME_LIMIT))),
        memory: Some(requested.memory.map_or(MEMORY, |memory| memory.min(MEMORY))),
        ..requested.clone()
    }
}

fn to_json(record: &impl Serialize) -> Result<String, RequestError> {
    serde_json::to_string(record).map_err(RequestError::internal)
}

fn parse<T: DeserializeOwned>(body: &str) -> Result<T, RequestError> {
    let parsed = serde_json::from_str(body).map(|Object(body)| body);
    parsed.map_err(|error| RequestError::bad_request(format!("invalid body: {error}")))
}

/// Parses a query: numbers and true and false are values of these types, as in the query of a URL.
fn parse_query<T: DeserializeOwned>(query: &str) -> Result<T, RequestError> {
    let mut fields = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, text) = (decoded(name), decoded(value));
        let is_number = name == "limit";
        let value = text.parse().ok().filter(|_| is_number).map_or(Value::String(text), |number: u64| number.into());
        fields.insert(name, value);
    }
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| RequestError::bad_request(format!("Failed to deserialize query string: {error}")))
}

/// Decodes the percent escapes of a URL.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(if first == b'+' { b' ' } else { first }));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
