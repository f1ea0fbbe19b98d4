//! Parts of some work as Parquet files: what was done elsewhere comes home as a table that says what it is a part of.

use bytes::Bytes;
use clearway_util::seal::checksum_of;
use parquet::basic::Compression;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;

/// A part of some work: what it belongs to, and a record for each of its numbers.
///
/// ```
/// use clearway_forge::parts::Part;
/// let part = Part { head: "squares, version 1".to_owned(), rows: vec![(3, "9".to_owned()), (4, "16".to_owned())] };
/// let bytes = part.to_parquet()?;
/// assert_eq!(Part::from_parquet(&bytes, "squares, version 1")?, part);
/// let error = Part::from_parquet(&bytes, "squares, version 2").unwrap_err();
/// assert!(error.to_string().starts_with("it was made with other settings"));
/// assert!(Part::from_parquet(&bytes[..bytes.len() - 1], "squares, version 1").is_err());
/// # Ok::<(), clearway_forge::parts::PartError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the records depend on: all parts of the same work have the same.
    pub head: String,
    /// The numbers and their records, which are JSON.
    pub rows: Vec<(u64, String)>,
}

/// Why a file is not the part that it should be.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// It cannot be read, or not be made.
    #[error("it is broken: {0}")]
    Broken(String),
    /// It is whole, but something else.
    #[error("it is no part of this kind of work, or an earlier version of clearway wrote it")]
    Strange,
    /// It belongs to other work.
    #[error("it was made with other settings:\n  {found}\n  {expected}")]
    Other {
        /// What it belongs to.
        found: String,
        /// What it should belong to.
        expected: String,
    },
    /// What it holds contradicts what it should be about.
    #[error("it is about something that does not exist: {0}")]
    Senseless(String),
}

impl From<ParquetError> for PartError {
    fn from(error: ParquetError) -> PartError {
        PartError::Broken(error.to_string())
    }
}

const SCHEMA: &str = "
    message part {
        REQUIRED INT64 number;
        REQUIRED BYTE_ARRAY record (JSON);
    }";

/// The note that says what a part belongs to.
pub(crate) const HEAD: &str = "clearway";
/// What the note with the checksum of a file begins with, and its digits before they are known.
const MARK: &str = "crc32:";
const ZEROS: &str = "00000000";

/// The place of the checksum in a file of which it will be the checksum.
pub(crate) fn checksum_note() -> (&'static str, String) {
    ("checksum", format!("{MARK}{ZEROS}"))
}

/// A file with a place for its checksum, with the checksum of all other bytes in it. So a file that was damaged is known before
/// anything else is read from it.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(place) = place_of_checksum(&bytes) {
        let digits = checksum_without(&bytes, place);
        bytes[place..place + ZEROS.len()].copy_from_slice(digits.as_bytes());
    }
    bytes
}

/// Refuses a file that is not what was written.
fn check(bytes: &[u8]) -> Result<(), PartError> {
    const END: &[u8] = b"PAR1";
    match place_of_checksum(bytes) {
        Some(place) if bytes[place..place + ZEROS.len()] == *checksum_without(bytes, place).as_bytes() => Ok(()),
        None if bytes.starts_with(END) && bytes.ends_with(END) => Err(PartError::Strange),
        _ => Err(PartError::Broken("the checksum does not match".to_owned())),
    }
}

/// The place of the digits, near the end of the file.
fn place_of_checksum(bytes: &[u8]) -> Option<usize> {
    let place = bytes.windows(MARK.len()).rposition(|window| window == MARK.as_bytes())? + MARK.len();
    (place + ZEROS.len() <= bytes.len()).then_some(place)
}

fn checksum_without(bytes: &[u8], place: usize) -> String {
    checksum_of([&bytes[..place], &bytes[place + ZEROS.len()..]])
}

impl Part {
    /// As a file.
    pub fn to_parquet(&self) -> Result<Vec<u8>, PartError> {
        let mut file = writer(Vec::new(), SCHEMA, &[(HEAD, self.head.clone()), checksum_note()])?;
        let mut rows = file.next_row_group()?;
        let numbers: Vec<i64> = self.rows.iter().map(|(number, _)| *number as i64).collect();
        column::<Int64Type, _>(&mut rows, &numbers, None)?;
        let records: Vec<ByteArray> = self.rows.iter().map(|(_, record)| record.as_str().into()).collect();
        column::<ByteArrayType, _>(&mut rows, &records, None)?;
        rows.close()?;
        Ok(sealed(file.into_inner()?))
    }

    /// From a file, which must belong to the work of that head.
    pub fn from_parquet(bytes: &[u8], head: &str) -> Result<Part, PartError> {
        let file = open(bytes, head)?;
        let mut all = Vec::new();
        for number in 0..file.num_row_groups() {
            let rows = file.get_row_group(number)?;
            let (numbers, _) = read_column::<Int64Type>(&*rows, 0)?;
            let (records, _) = read_column::<ByteArrayType>(&*rows, 1)?;
            for (number, record) in numbers.into_iter().zip(records) {
                all.push((number as u64, record.as_utf8()?.to_owned()));
            }
        }
        Ok(Part { head: head.to_owned(), rows: all })
    }
}

/// Opens a file that belongs to the work of that head.
pub(crate) fn open(bytes: &[u8], head: &str) -> Result<SerializedFileReader<Bytes>, PartError> {
    check(bytes)?;
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    match note(&file, HEAD) {
        None => Err(PartError::Strange),
        Some(found) if found != head => Err(PartError::Other { found, expected: head.to_owned() }),
        Some(_) => Ok(file),
    }
}

/// A note of a file.
pub(crate) fn note(file: &SerializedFileReader<Bytes>, key: &str) -> Option<String> {
    let notes = file.metadata().file_metadata().key_value_metadata()?;
    notes.iter().find(|note| note.key == key).and_then(|note| note.value.clone())
}

/// A table to be written, with notes, each under its key.
pub(crate) fn writer<W: Write + Send>(
    out: W,
    schema: &str,
    notes: &[(&str, String)],
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let schema = Arc::new(parse_message_type(schema)?);
    let notes: Vec<KeyValue> =
        notes.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata((!notes.is_empty()).then_some(notes))
        .build();
    SerializedFileWriter::new(out, schema, Arc::new(properties))
}

/// Writes the next column of a row group: of single values, or of lists.
pub(crate) fn column<T: DataType, W: Write + Send>(
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

/// The values of a column of a row group, and of a column of lists also which of them do not begin one.
pub(crate) fn read_column<T: DataType>(
    rows: &dyn RowGroupReader,
    column: usize,
) -> Result<(Vec<T::T>, Vec<i16>), ParquetError> {
    let meta = rows.metadata();
    if column >= meta.num_columns() || meta.column(column).column_type() != T::get_physical_type() {
        return Err(ParquetError::General(format!("column {} is another one", column + 1)));
    }
    let mut reader = get_typed_column_reader::<T>(rows.get_column_reader(column)?);
    let (mut values, mut defined, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    let count = usize::try_from(meta.column(column).num_values()).unwrap_or(0);
    while values.len() < count {
        let left = count - values.len();
        let (_, read, _) = reader.read_records(left, Some(&mut defined), Some(&mut repeats), &mut values)?;
        if read == 0 {
            break;
        }
    }
    Ok((values, repeats))
}
