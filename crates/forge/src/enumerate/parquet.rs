//! The catalogue as a Parquet table with one row per puzzle.

use super::{Catalogue, CatalogueEntry};
use crate::parts::{column, read_column, writer};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use std::io::Write;

/// Columns of the table. The histogram of a puzzle is the number of states of its component at each distance from a solution.
const SCHEMA: &str = "
    message puzzle {
        REQUIRED BYTE_ARRAY board (STRING);
        REQUIRED INT32 moves;
        REQUIRED INT32 steps;
        REQUIRED INT64 states;
        REQUIRED INT32 depth;
        REQUIRED INT32 vehicles;
        REQUIRED GROUP histogram (LIST) {
            REPEATED GROUP list {
                REQUIRED INT64 element;
            }
        }
    }";

/// Number of rows per row group.
const ROWS: usize = 1 << 16;

impl Catalogue {
    /// Writes the table, in the order of [`Catalogue::sorted`].
    pub fn write_parquet<W: Write + Send>(&mut self, out: W) -> Result<W, ParquetError> {
        self.write_table(out, &[])
    }

    /// Writes the table with metadata entries, each a key and a value.
    pub(super) fn write_table<W: Write + Send>(&mut self, out: W, notes: &[(&str, String)]) -> Result<W, ParquetError> {
        let mut file = writer(out, SCHEMA, notes)?;
        for puzzles in self.sorted().chunks(ROWS) {
            let mut rows = file.next_row_group()?;
            let boards: Vec<ByteArray> = puzzles.iter().map(|puzzle| puzzle.board.as_str().into()).collect();
            column::<ByteArrayType, _>(&mut rows, &boards, None)?;
            let numbers = |of: &dyn Fn(&super::CatalogueEntry) -> u32| -> Vec<i32> {
                puzzles.iter().map(|puzzle| of(puzzle) as i32).collect()
            };
            column::<Int32Type, _>(&mut rows, &numbers(&|puzzle| puzzle.moves), None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&|puzzle| puzzle.steps), None)?;
            let states: Vec<i64> = puzzles.iter().map(|puzzle| puzzle.states() as i64).collect();
            column::<Int64Type, _>(&mut rows, &states, None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&super::CatalogueEntry::depth), None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&super::CatalogueEntry::vehicles), None)?;
            let counts: Vec<i64> =
                puzzles.iter().flat_map(|puzzle| &puzzle.histogram).map(|&count| count as i64).collect();
            // Repetition levels: 0 for the first element of a list, 1 for the others.
            let repeats: Vec<i16> =
                puzzles.iter().flat_map(|puzzle| (0..puzzle.histogram.len()).map(|i| i16::from(i > 0))).collect();
            column::<Int64Type, _>(&mut rows, &counts, Some(&repeats))?;
            rows.close()?;
        }
        file.into_inner()
    }
}

/// Reads the puzzles of a row group. Columns that can be computed from the others are ignored.
pub(super) fn read_rows(rows: &dyn RowGroupReader) -> Result<Vec<CatalogueEntry>, ParquetError> {
    let (boards, _) = read_column::<ByteArrayType>(rows, 0)?;
    let (moves, _) = read_column::<Int32Type>(rows, 1)?;
    let (steps, _) = read_column::<Int32Type>(rows, 2)?;
    let (counts, repeats) = read_column::<Int64Type>(rows, 6)?;
    let mut histograms: Vec<Vec<u64>> = Vec::with_capacity(boards.len());
    for (count, repeats) in counts.into_iter().zip(repeats) {
        match histograms.last_mut().filter(|_| repeats > 0) {
            Some(histogram) => histogram.push(count as u64),
            None => histograms.push(vec![count as u64]),
        }
    }
    let lengths = [moves.len(), steps.len(), histograms.len()];
    if lengths != [boards.len(); 3] {
        return Err(ParquetError::General("the columns have different lengths".to_owned()));
    }
    let rows = boards.iter().zip(moves).zip(steps).zip(histograms);
    rows.map(|(((board, moves), steps), histogram)| {
        let board = board.as_utf8()?.to_owned();
        Ok(CatalogueEntry { board, moves: moves as u32, steps: steps as u32, histogram })
    })
    .collect()
}
