//! Rush Hour, the sliding-block puzzle: solve boards optimally, prove bounds, compare search algorithms, grade and generate
//! puzzles, and evolve search heuristics.
//!
//! This crate collects the libraries of the project; the program `clearway` is in the crate `clearway-cli`.
//!
//! # Solve
//!
//! [`formats`] reads boards in eight formats. [`Solver`] is the exact solver; it keeps its tables, so make one
//! per thread and use it for many boards.
//!
//! ```
//! use clearway::{Limits, Metric, Solver, Verdict, formats, replay};
//! use std::time::Duration;
//!
//! let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None)?.board;
//! let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
//! let answer = Solver::new().solve(&board, Metric::Moves, &limits);
//! assert_eq!(answer.verdict, Verdict::Solved);
//!
//! let solution = answer.solution.expect("a solved board has a solution");
//! assert_eq!(solution.to_string(), "G-3 C+3 B+1 D-1 F-1 H-2 E+2 A+3");
//! // The replay shares no code with the solver.
//! assert!(replay(&board, &solution.0)?.solved);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Large boards
//!
//! [`Portfolio`] solves boards of up to 16x16 with several engines. At a limit it returns the best solution so far and a
//! proven lower bound.
//!
//! ```
//! use clearway::{Metric, Portfolio, Solver, StopRule, suites::Suite};
//!
//! let board = &Suite::find("course").expect("an embedded suite").puzzles()[6].board; // 12x12
//! let portfolio = Portfolio { stop: StopRule::First, ..Portfolio::default() };
//! let answer = portfolio.solve(&mut Solver::new(), board, Metric::Moves, &Default::default(), &mut |_| {});
//! assert!(answer.solution.is_some() && answer.lower_bound <= 25, "the optimum is 25");
//! ```
//!
//! # Grade and generate
//!
//! ```
//! # #[cfg(feature = "forge")] {
//! use clearway::forge::generate::{Request, puzzle};
//! use clearway::forge::{Shape, grade::grade};
//! use clearway::{Side, Solver};
//!
//! let (mut solver, limits) = (Solver::new(), Default::default());
//! let shape = Shape::new(6, 6, Side::Right, None, 0)?;
//! let request = Request::new(10..=20);
//! let attempts = (0..).map(|attempt| puzzle(shape, &request, 7, attempt, &mut solver, &limits));
//! let found = attempts.filter_map(|attempt| attempt.puzzle).next().expect("some attempt succeeds");
//! let grade = grade(&found.board, &mut solver, &limits).grade;
//! assert_eq!(grade.moves, Some(found.moves));
//! assert!(grade.level.is_some());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search with any algorithm, guided by an evolved policy
//!
//! ```
//! # #[cfg(feature = "lab")] {
//! use clearway::lab::ConfiguredAlgorithm;
//! use clearway::policy::NamedPolicy;
//! use clearway::{Metric, suites::Suite};
//!
//! let board = &Suite::find("cards").expect("an embedded suite").puzzles()[39].board;
//! let expanded = |algorithm: &ConfiguredAlgorithm| {
//!     let outcome = algorithm.solve(board, Metric::Moves, &Default::default(), &Default::default());
//!     (outcome.solution.expect("card 40 is solvable").moves(), outcome.statistics.expanded)
//! };
//! let (optimum, all) = expanded(&"bfs".parse()?);
//! assert_eq!(optimum, 51);
//! let (moves, few) = expanded(&ConfiguredAlgorithm::from_policy(&NamedPolicy::open("best-first-6x6")?, None)?);
//! assert!(moves >= optimum && few < all);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Prove
//!
//! [`certify`] writes a certificate that a number of moves does not suffice; [`proof`] checks it independently.
//!
//! ```
//! # #[cfg(feature = "proof")] {
//! use clearway::{Limits, Metric, certify, formats, proof};
//!
//! # let folder = tempfile::tempdir()?;
//! let board = formats::read_one("...BAA.B........", None)?.board;
//! certify(&board, Metric::Moves, 1, folder.path(), &Limits::default())?;
//! assert_eq!(proof::check(folder.path(), &Limits::default())?.claim.bound, 1);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Evolve
//!
//! [`gp`] is genetic programming for any problem, with an example on its front page; [`lab::evolve`](crate::lab)
//! runs the evolution of policies in folders, as `clearway evolve` does.
//!
//! # Sliding tiles
//!
//! ```
//! # #[cfg(feature = "tiles")] {
//! use clearway::tiles::{Board, Puzzle, optimal::Solver};
//!
//! let puzzle = Puzzle::new(Board::parse("867254301")?)?;
//! let answer = Solver::new().solve(&puzzle, &Default::default());
//! assert_eq!(answer.solution.expect("half of all boards are solvable, this one too").len(), 31);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | contents |
//! | --- | --- |
//! | none | [`rush`] and [`search`]: boards, formats, suites, solvers and search algorithms |
//! | `forge` | [`forge`]: generators, grades, packs, the catalogue |
//! | `gp`, `policy` | [`gp`]: genetic programming; [`policy`]: rules over heuristics |
//! | `lab` | [`lab`]: algorithms by name, comparisons, runs of evolution |
//! | `proof`, `tiles` | [`proof`]: the check of certificates; [`tiles`]: sliding tiles |
//! | `parquet`, `pdf` | tables of the catalogue, and cards to print; each needs large dependencies |
//!
//! All are on by default. `default-features = false` leaves the first row.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "forge")]
pub use clearway_forge as forge;
#[cfg(feature = "gp")]
pub use clearway_gp as gp;
#[cfg(feature = "lab")]
pub use clearway_lab as lab;
#[cfg(feature = "policy")]
pub use clearway_policy as policy;
#[cfg(feature = "proof")]
pub use clearway_proof as proof;
pub use clearway_rush as rush;
pub use clearway_search as search;
#[cfg(feature = "tiles")]
pub use clearway_tiles as tiles;

#[doc(no_inline)]
pub use clearway_rush::*;
#[doc(no_inline)]
pub use clearway_search::{Limits, SearchStatistics, Verdict};

/// Runs the examples of the book's chapters on the libraries.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
#[doc = include_str!("../../../docs/generating.md")]
struct Chapters;
