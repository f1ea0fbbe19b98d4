//! The meanings of variables, and the table `variables.tsv` that assigns them to numbers.

use crate::CheckError;
use crate::meter::Meter;
use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, Read};
use std::str::FromStr;

/// Name of the table.
pub(crate) const FILE: &str = "variables.tsv";

/// Longest line of the table, in bytes.
const MAX_LINE: u64 = 100;

/// Approximate memory of an entry in both directions.
const ENTRY: usize = 64;

/// What a variable stands for. Layer t leads from time t - 1 to time t; time 0 is the given board. Positions count from 0 along
/// the line of a vehicle, from the left or from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Meaning {
    /// The vehicle stands at the position or beyond.
    Position {
        /// Label of the vehicle.
        vehicle: char,
        /// Position in its line, from 0.
        position: u8,
        /// Number of layers before this time.
        time: u32,
    },
    /// The vehicle slides in the layer.
    Moved {
        /// Label of the vehicle.
        vehicle: char,
        /// Number of the layer, from 1.
        layer: u32,
    },
    /// The slide of the vehicle in the layer leads over the boundary before the position.
    Crossed {
        /// Label of the vehicle.
        vehicle: char,
        /// Position in its line, from 0.
        position: u8,
        /// Number of the layer, from 1.
        layer: u32,
    },
    /// The vehicle covers the cell in the layer, at its start, at its end or in between.
    Touches {
        /// Label of the vehicle.
        vehicle: char,
        /// The cell as column and row.
        cell: (u8, u8),
        /// Number of the layer, from 1.
        layer: u32,
    },
    /// At least `count` of the possible costs of the vehicle from `first` to `last` apply.
    Count {
        /// Label of the vehicle.
        vehicle: char,
        /// First possible cost, from 1.
        first: u32,
        /// Last possible cost.
        last: u32,
        /// Least number of costs that apply.
        count: u32,
    },
    /// The vehicles from `first` to `last`, in the order of the board, cost at least `count` together.
    Total {
        /// Label of the first vehicle.
        first: char,
        /// Label of the last vehicle.
        last: char,
        /// Least number of costs that apply.
        count: u32,
    },
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meaning::Position { vehicle, position, time } => write!(f, "position {vehicle} {position} {time}"),
            Meaning::Moved { vehicle, layer } => write!(f, "moved {vehicle} {layer}"),
            Meaning::Crossed { vehicle, position, layer } => write!(f, "crossed {vehicle} {position} {layer}"),
            Meaning::Touches { vehicle, cell: (x, y), layer } => write!(f, "touches {vehicle} {x} {y} {layer}"),
            Meaning::Count { vehicle, first, last, count } => write!(f, "count {vehicle} {first} {last} {count}"),
            Meaning::Total { first, last, count } => write!(f, "total {first} {last} {count}"),
        }
    }
}

/// Reads a field in the only notation that the table uses: numbers without sign or leading zeros.
fn field<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|value| value.to_string() == text)
}

impl Meaning {
    /// Reads the fields of a line after the number.
    fn from_fields(fields: &[&str]) -> Option<Meaning> {
        Some(match *fields {
            ["position", vehicle, position, time] => {
                Meaning::Position { vehicle: field(vehicle)?, position: field(position)?, time: field(time)? }
            }
            ["moved", vehicle, layer] => Meaning::Moved { vehicle: field(vehicle)?, layer: field(layer)? },
            ["crossed", vehicle, position, layer] => {
                Meaning::Crossed { vehicle: field(vehicle)?, position: field(position)?, layer: field(layer)? }
            }
            ["touches", vehicle, x, y, layer] => {
                Meaning::Touches { vehicle: field(vehicle)?, cell: (field(x)?, field(y)?), layer: field(layer)? }
            }
            ["count", vehicle, first, last, count] => Meaning::Count {
                vehicle: field(vehicle)?,
                first: field(first)?,
                last: field(last)?,
                count: field(count)?,
            },
            ["total", first, last, count] => {
                Meaning::Total { first: field(first)?, last: field(last)?, count: field(count)? }
            }
            _ => return None,
        })
    }
}

/// The variables of a formula: each number from 1 has one meaning, and no meaning has two numbers.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    numbers: HashMap<Meaning, i32>,
    meanings: Vec<Meaning>,
}

impl Variables {
    /// Reads the table.
    pub fn read(mut reader: impl BufRead, meter: &mut Meter) -> Result<Variables, CheckError> {
        let mut variables = Variables::default();
        let mut bytes = Vec::new();
        for line in 1.. {
            let error = |message: String| CheckError::at(FILE, line, message);
            bytes.clear();
            let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return Err(CheckError::Io { path: FILE.into(), error }),
            }
            let Some(text) = bytes.strip_suffix(b"\n") else {
                return Err(error(format!("expected a line of less than {MAX_LINE} bytes that ends with a line feed")));
            };
            let text = std::str::from_utf8(text).map_err(|_| error("invalid UTF-8".to_owned()))?;
            let fields: Vec<&str> = text.split('\t').collect();
            if field::<i32>(fields[0]).map(i64::from) != Some(line as i64) {
                return Err(error(format!("expected variable {line}, found '{}'", fields[0].escape_default())));
            }
            let Some(meaning) = Meaning::from_fields(&fields[1..]) else {
                return Err(error(
                    "unknown meaning; expected position, moved, crossed, touches, count or total".into(),
                ));
            };
            if let Some(other) = variables.add(meaning, meter)? {
                return Err(error(format!("variables {other} and {line} have the same meaning: {meaning}")));
            }
        }
        Ok(variables)
    }

    /// Adds a meaning with the next number; returns the number that it has already, if any.
    pub fn add(&mut self, meaning: Meaning, meter: &mut Meter) -> Result<Option<i32>, CheckError> {
        meter.reserve(ENTRY)?;
        self.meanings.push(meaning);
        Ok(self.numbers.insert(meaning, self.meanings.len() as i32))
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.meanings.len()
    }

    /// Number of the variable with a meaning.
    pub fn number(&self, meaning: Meaning) -> Option<i32> {
        self.numbers.get(&meaning).copied()
    }

    /// Meaning of a variable.
    pub fn meaning(&self, number: i32) -> Option<Meaning> {
        self.meanings.get((number as usize).checked_sub(1)?).copied()
    }

    /// By variable, from 1: its meaning.
    pub fn into_meanings(self) -> Vec<Meaning> {
        self.meanings
    }

    /// A clause in words.
    pub fn describe(&self, clause: &[i32]) -> String {
        if clause.is_empty() {
            return "the empty clause".to_owned();
        }
        let literal = |&literal: &i32| {
            let name = self.meaning(literal.abs()).map_or_else(|| "?".to_owned(), |meaning| meaning.to_string());
            format!("{}({name})", if literal < 0 { "not " } else { "" })
        };
        clause.iter().map(literal).collect::<Vec<_>>().join(" or ")
    }
}
