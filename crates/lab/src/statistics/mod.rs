//! Statistics of experiments: summaries of samples, bootstrap intervals, rank tests, effect sizes, and the correction for
//! several tests. Nothing here assumes a distribution. The numbers agree with `SciPy` (`crates/lab/tests/all/statistics.rs`).
//!
//! - `summary`: median, quartiles and range of a sample; `bootstrap`: confidence intervals
//! - `wilcoxon`: two measurements of the same items; `mann_whitney`: two independent samples; `ranks`: what both share
//! - `holm`: several tests at once

mod bootstrap;
mod holm;
mod mann_whitney;
mod ranks;
mod summary;
mod wilcoxon;

pub use bootstrap::{Bootstrap, Interval};
pub use holm::holm;
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use summary::{Summary, median, quantile};
pub use wilcoxon::{SignedRank, sign_test, signed_rank};
