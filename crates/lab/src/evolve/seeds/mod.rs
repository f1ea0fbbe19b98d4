//! The same run with several seeds: a folder with a run for each seed, statistics of their champions, and comparisons of
//! settings.
//!
//! - `folder`: the folder; `result`: the result of one seed; `statistics`: measures of all champions
//! - `report`: the page about all seeds; `comparison`: several settings, each with several seeds

mod comparison;
mod folder;
mod report;
mod result;
mod statistics;

pub use comparison::{Setting, SettingsComparison, compare_settings, comparison_html, comparison_table};
pub use folder::SeedsFolder;
pub use report::SeedsReport;
pub use result::{SeedResult, SeedTest, TrainingRecord};
pub use statistics::{ChampionMeasure, MeasureStatistics, champion_table, measures, statistics, statistics_table};
