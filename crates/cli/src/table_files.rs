//! The options `--csv`, `--latex` and `--html` of the commands that print tables of comparisons.

use crate::failure::Failure;
use crate::output::{self, Context, Sink};
use clap::Args;
use std::path::PathBuf;

/// Files that the tables of a command are written to.
#[derive(Debug, Args)]
pub struct TableFiles {
    /// Write the tables to a CSV file
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,

    /// Write the tables to a LaTeX file
    #[arg(long, value_name = "OUT")]
    pub latex: Option<PathBuf>,

    /// Write an HTML page with the tables, and with plots
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
}

impl TableFiles {
    /// Fails if a file cannot be written, so that the command fails before its work and not after it.
    pub fn check(&self, context: &Context) -> Result<(), Failure> {
        for path in [&self.csv, &self.latex, &self.html].into_iter().flatten() {
            drop(Sink::open(Some(path), context)?);
        }
        Ok(())
    }

    /// Writes the requested files. Only their texts are computed.
    pub fn write(
        &self,
        csv: impl FnOnce() -> String,
        latex: impl FnOnce() -> String,
        html: impl FnOnce() -> String,
        context: &Context,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.csv {
            output::write_file(path, &csv(), context)?;
        }
        if let Some(path) = &self.latex {
            output::write_file(path, &latex(), context)?;
        }
        if let Some(path) = &self.html {
            output::write_file(path, &html(), context)?;
        }
        Ok(())
    }
}
