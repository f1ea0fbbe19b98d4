//! The JSON API of clearway, without a server: what a request may say, how it is checked, and how it is answered.
//!
//! The server of `clearway-web` and the engine of `clearway-wasm`, which the page runs in a browser, answer with this crate. It
//! knows nothing of HTTP, threads or storage: a search gets its solver and its limits, and a streamed response the receiver of
//! its lines.
//!
//! - [`SearchRequest`]: a request that one search answers: [`SolveRequest`], [`GradeRequest`], [`GraphRequest`],
//!   [`AnalyzeRequest`]
//! - [`StreamedSearch`], [`GenerateTask`]: responses of many lines; [`CompareTask`]: one of many searches
//! - the other modules: one for each endpoint, with its request, its answer, and the function between them
//! - [`RequestError`]: why a request failed
//! - [`Engine`]: all of this behind one function, for a host without a server
//!
//! ```
//! use clearway_api::Engine;
//! let mut engine = Engine::new();
//! let mut lines = Vec::new();
//! let request = r#"{ "board": "BB...CD..E.CDAAE.CD..E..F...GGF.HHH." }"#;
//! let answer = engine.call("POST", "/solve", request, &mut |line| lines.push(line.to_owned())).unwrap();
//! assert!(answer.contains(r#""moves":8"#) && lines.is_empty());
//! ```

pub mod algorithms;
mod analyze;
mod board;
mod compare;
mod convert;
mod daily;
mod engine;
mod entry;
mod error;
mod generate;
mod grade;
mod graph;
mod hint;
pub mod levels;
pub mod packs;
mod players;
mod policies;
mod ratings;
mod request;
mod search;
mod solve;
mod solve_stream;
pub mod suites;
mod trace;
mod verify;

pub use analyze::{AnalyzeRequest, Analyzed};
pub use board::{BoardRequest, BoardText, NoOptions, SearchLimits, parse_field};
pub use compare::{CompareOptions, CompareTask, Compared};
pub use convert::{ConvertRequest, Converted, convert};
pub use daily::{DailyQuery, daily};
pub use engine::Engine;
pub use entry::EntryRecord;
pub use error::{Problem, RequestError};
pub use generate::{GenerateLine, GenerateRequest, GenerateTask, LineReceiver, MoveRange};
pub use grade::{GradeRequest, GradedBoard};
pub use graph::{GraphOptions, GraphRequest};
pub use hint::{hint, hint_limits};
pub use players::{NewResult, Replayed, optimum};
pub use policies::{Champions, Policies, PolicyItem};
pub use ratings::{Ratings, RatingsRequest, ratings};
pub use request::{MAX_NAME, Object, Page, Paging, valid_name, within};
pub use search::SearchRequest;
pub use solve::{SolveOptions, SolveRequest, SolveTask, Solved, limit_of};
pub use solve_stream::{SolveLine, StreamedSearch};
pub use trace::{TraceOptions, trace};
pub use verify::{MoveList, Verification, VerifyRequest};
