//! The catalogue as a Parquet file, a table that data tools open: one row per puzzle.

use super::Catalogue;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;

/// The columns. A puzzle's histogram is the number of states of its component at every distance from a solution.
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

/// Rows that are written together.
const ROWS: usize = 1 << 16;

impl Catalogue {
    /// Writes the table, in the order of [`Catalogue::sorted`].
    pub fn write_parquet<W: Write + Send>(&mut self, out: W) -> Result<W, ParquetError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        for puzzles in self.sorted().chunks(ROWS) {
            let mut rows = file.next_row_group()?;
            let boards: Vec<ByteArray> = puzzles.iter().map(|puzzle| puzzle.board.as_str().into()).collect();
            column::<ByteArrayType, _>(&mut rows, &boards, None)?;
            let numbers = |of: &dyn Fn(&super::Listed) -> u32| -> Vec<i32> {
                puzzles.iter().map(|puzzle| of(puzzle) as i32).collect()
            };
            column::<Int32Type, _>(&mut rows, &numbers(&|puzzle| puzzle.moves), None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&|puzzle| puzzle.steps), None)?;
            let states: Vec<i64> = puzzles.iter().map(|puzzle| puzzle.states() as i64).collect();
            column::<Int64Type, _>(&mut rows, &states, None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&super::Listed::depth), None)?;
            column::<Int32Type, _>(&mut rows, &numbers(&super::Listed::vehicles), None)?;
            let counts: Vec<i64> =
                puzzles.iter().flat_map(|puzzle| &puzzle.histogram).map(|&count| count as i64).collect();
            // A list is a run of elements of which all but the first repeat.
            let repeats: Vec<i16> =
                puzzles.iter().flat_map(|puzzle| (0..puzzle.histogram.len()).map(|i| i16::from(i > 0))).collect();
            column::<Int64Type, _>(&mut rows, &counts, Some(&repeats))?;
            rows.close()?;
        }
        file.into_inner()
    }
}

/// Writes the next column of a row group: of single values, or of lists.
fn column<T: DataType, W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    repeats: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than are written".to_owned()));
    };
    let defined = repeats.map(|repeats| vec![1; repeats.len()]);
    column.typed::<T>().write_batch(values, defined.as_deref(), repeats)?;
    column.close()
}
