//! Parts of a larger piece of work as Parquet files. Results that are computed elsewhere are returned as tables that name the
//! work they belong to.

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
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

/// Part of a larger piece of work: the work it belongs to, and numbered records.
///
/// ```
/// use clearway_forge::parts::WorkPart;
/// let part = WorkPart { head: "squares, version 1".to_owned(), rows: vec![(3, "9".to_owned()), (4, "16".to_owned())] };
/// let bytes = part.to_parquet()?;
/// assert_eq!(WorkPart::from_parquet(&bytes, "squares, version 1")?, part);
/// let error = WorkPart::from_parquet(&bytes, "squares, version 2").unwrap_err();
/// assert!(error.to_string().starts_with("it was made with other settings"));
/// assert!(WorkPart::from_parquet(&bytes[..bytes.len() - 1], "squares, version 1").is_err());
/// # Ok::<(), clearway_forge::parts::PartError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPart {
    /// Everything that the records depend on, as text. It is the same in all parts of the same work.
    pub head: String,
    /// Numbers with their records, which are JSON.
    pub rows: Vec<(u64, String)>,
}

/// Why a file is not the expected part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The file cannot be read or written.
    #[error("the file is damaged: {0}")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
    /// The file is intact, but is not a part of this kind of work.
    #[error("the file is not a part of this kind of work, or was written by an earlier version of clearway")]
    WrongKind,
    /// The file is a part of the same kind of work with other settings.
    #[error("it was made with other settings:\n  {found}\n  {expected}")]
    OtherSettings {
        /// Settings named in the file.
        found: String,
        /// Settings of this work.
        expected: String,
    },
    /// The contents contradict the work that the file belongs to.
    #[error("the file is inconsistent: {0}")]
    Inconsistent(String),
}

impl From<ParquetError> for PartError {
    fn from(error: ParquetError) -> PartError {
        PartError::Damaged(error.into())
    }
}

const SCHEMA: &str = "
    message part {
        REQUIRED INT64 number;
        REQUIRED BYTE_ARRAY record (JSON);
    }";

/// Metadata key whose value names the work that a file belongs to.
pub(crate) const HEAD: &str = "clearway";
/// Prefix of the checksum in the metadata.
const CHECKSUM_PREFIX: &str = "crc32:";
/// Placeholder for the digits of the checksum until they are known.
const ZEROS: &str = "00000000";

/// Returns the metadata entry that reserves room for the checksum.
pub(crate) fn checksum_note() -> (&'static str, String) {
    ("checksum", format!("{CHECKSUM_PREFIX}{ZEROS}"))
}

/// Writes the checksum of all other bytes of a file into the room reserved for it, so that damage is detected before anything
/// else is read from the file.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(place) = checksum_position(&bytes) {
        let digits = checksum_without(&bytes, place);
        bytes[place..place + ZEROS.len()].copy_from_slice(digits.as_bytes());
    }
    bytes
}

/// Verifies the checksum of a file.
fn verify_checksum(bytes: &[u8]) -> Result<(), PartError> {
    const PARQUET_MAGIC: &[u8] = b"PAR1";
    match checksum_position(bytes) {
        Some(place) if bytes[place..place + ZEROS.len()] == *checksum_without(bytes, place).as_bytes() => Ok(()),
        None if bytes.starts_with(PARQUET_MAGIC) && bytes.ends_with(PARQUET_MAGIC) => Err(PartError::WrongKind),
        _ => Err(PartError::Damaged("the checksum does not match".into())),
    }
}

/// Returns the position of the checksum digits, which are near the end of the file.
fn checksum_position(bytes: &[u8]) -> Option<usize> {
    let prefix = CHECKSUM_PREFIX.as_bytes();
    let place = bytes.windows(prefix.len()).rposition(|window| window == prefix)? + prefix.len();
    (place + ZEROS.len() <= bytes.len()).then_some(place)
}

/// Returns the checksum of all bytes except the digits at `place`.
fn checksum_without(bytes: &[u8], place: usize) -> String {
    checksum_of([&bytes[..place], &bytes[place + ZEROS.len()..]])
}

impl WorkPart {
    /// Encodes the part as a Parquet file with a checksum.
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

    /// Decodes a Parquet file, which must belong to the work with this `head`.
    pub fn from_parquet(bytes: &[u8], head: &str) -> Result<WorkPart, PartError> {
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
        Ok(WorkPart { head: head.to_owned(), rows: all })
    }
}

/// Verifies and opens a file, which must belong to the work with this `head`.
pub(crate) fn open(bytes: &[u8], head: &str) -> Result<SerializedFileReader<Bytes>, PartError> {
    verify_checksum(bytes)?;
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    match note(&file, HEAD) {
        None => Err(PartError::WrongKind),
        Some(found) if found != head => Err(PartError::OtherSettings { found, expected: head.to_owned() }),
        Some(_) => Ok(file),
    }
}

/// Returns the metadata entry of a file with this key.
pub(crate) fn note(file: &impl FileReader, key: &str) -> Option<String> {
    let notes = file.metadata().file_metadata().key_value_metadata()?;
    notes.iter().find(|note| note.key == key).and_then(|note| note.value.clone())
}

/// Creates a writer for a table with metadata entries, each a key and a value.
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

/// Writes the next column of a row group: single values, or lists if the repetition levels are given.
pub(crate) fn column<T: DataType, W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    repeats: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else {
        return Err(ParquetError::General("the schema has too few columns".to_owned()));
    };
    let defined = repeats.map(|repeats| vec![1; repeats.len()]);
    column.typed::<T>().write_batch(values, defined.as_deref(), repeats)?;
    column.close()
}

/// Reads a column of a row group. Returns its values and their repetition levels, which in a column of lists are 0 for the first
/// value of each list.
pub(crate) fn read_column<T: DataType>(
    rows: &dyn RowGroupReader,
    column: usize,
) -> Result<(Vec<T::T>, Vec<i16>), ParquetError> {
    let meta = rows.metadata();
    if column >= meta.num_columns() || meta.column(column).column_type() != T::get_physical_type() {
        return Err(ParquetError::General(format!("column {} is missing or has the wrong type", column + 1)));
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
