//! *json*: the JSON schema of this project. One object per line, one over several lines, or an array of objects.
//!
//! ```json
//! {
//!   "name": "a small one",
//!   "size": [4, 3],
//!   "exit": "right",
//!   "walls": [[3, 0]],
//!   "vehicles": [
//!     {"label": "A", "x": 0, "y": 1, "length": 2, "orientation": "horizontal"},
//!     {"label": "B", "x": 3, "y": 1, "length": 2, "orientation": "vertical"}
//!   ],
//!   "moves": 2,
//!   "steps": 3,
//!   "solution": ["B+1", "A+2"]
//! }
//! ```
//!
//! - `size` (width, height) and `vehicles` are required, the rest is optional. `x` and `y` are the leftmost or topmost cell of
//!   the vehicle, counted from 0 at the top left. The target is labelled `A`.
//! - `exit` is `right` if missing; otherwise a side, or a side and a line (`top:5`) as in the line format.
//! - `moves` and `steps` are the optima; a string `"<=25"` is the best known length; `null` is unknown.
//! - `solution` is a list of moves, or a string with moves separated by spaces.
//! - Other fields are rejected, so that typing errors are noticed.
//!
//! Between objects, a line that starts with `#` is a comment, as in all formats.
//!
//! An object with a field `board` in the line format is read as well, with `name`, `moves`, `steps` and `solution` as above;
//! other fields are ignored. The output of `solve --json` can therefore be used as input. In it, `moves` and `steps` are the
//! lengths of the given solution: with `"optimal": false` neither is proven, and with a `metric` only that length is.

use super::record::InputRecord;
use super::{KnownLength, Puzzle, ReadOptions, line};
use crate::{Board, BoardError, Cells, Exit, MAX_SIDE, MIN_SIDE, Move, Orientation, Side, Solution, Vehicle};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let object = Object::read(record.whole())?;
    let board = match (object.get("board"), object.get("vehicles")) {
        (Some(board), None) => read_line_board(board, options)?,
        (None, Some(_)) => {
            object.allow_only(&["name", "size", "exit", "walls", "vehicles", "moves", "steps", "solution"])?;
            read_vehicles_board(&object, options)?
        }
        (Some(_), Some(vehicles)) => {
            let error = vehicles.error("the object has both 'board' and 'vehicles'").with_label("the vehicles");
            return Err(error.with_help("expected either 'board' (a line), or 'size' and 'vehicles'"));
        }
        (None, None) => {
            let error = record.whole().trim().error("no board in this object").with_label("this object");
            return Err(error.with_help("expected either 'board' (a line), or 'size' and 'vehicles'"));
        }
    };
    let proven = |metric: &str| -> Result<bool, SyntaxError> {
        let optimal: Option<bool> = object.value("optimal", "true or false")?;
        let optimised: Option<String> = object.value("metric", "moves or steps")?;
        Ok(optimal != Some(false) && optimised.is_none_or(|optimised| optimised == metric))
    };
    let length = |field: &str| -> Result<Option<KnownLength>, SyntaxError> {
        let known = object.get(field).map_or(Ok(None), read_length)?;
        let proven = proven(field)?;
        Ok(known.map(|known| if proven { known } else { KnownLength::AtMost(known.value()) }))
    };
    Ok(Puzzle {
        name: object.value("name", "a string")?.filter(|name: &String| !name.is_empty()),
        moves: length("moves")?,
        steps: length("steps")?,
        solution: object.get("solution").map_or(Ok(None), read_solution)?,
        line: record.line,
        board,
    })
}

/// A JSON object: its fields in order, each with its value as a piece of the record.
struct Object<'a> {
    whole: Piece<'a>,
    fields: Vec<(Cow<'a, str>, Piece<'a>)>,
}

impl<'a> Object<'a> {
    fn read(whole: Piece<'a>) -> Result<Object<'a>, SyntaxError> {
        let Fields(fields) = parse(whole, "a JSON object")?;
        let place = |raw: &'a str| Piece { text: raw, start: whole.start + offset_in(whole.text, raw) };
        let fields: Vec<_> = fields.into_iter().map(|(name, raw)| (name, place(raw.get()))).collect();
        for (i, (name, value)) in fields.iter().enumerate() {
            if fields[..i].iter().any(|(other, _)| other == name) {
                let error = value.error(format!("duplicate field '{}'", line::clip(name)));
                return Err(error.with_label("the second value"));
            }
        }
        Ok(Object { whole, fields })
    }

    fn get(&self, name: &str) -> Option<Piece<'a>> {
        self.fields.iter().find(|(field, _)| field == name).map(|&(_, value)| value)
    }

    fn require(&self, name: &str) -> Result<Piece<'a>, SyntaxError> {
        self.get(name)
            .ok_or_else(|| self.whole.trim().error(format!("missing field '{name}'")).with_label("in this object"))
    }

    /// Parses a field that may be missing or null; `expected` describes its value in errors.
    fn value<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>, SyntaxError> {
        self.get(name).map_or(Ok(None), |value| parse(value, expected))
    }

    fn allow_only(&self, names: &[&str]) -> Result<(), SyntaxError> {
        match self.fields.iter().find(|(name, _)| !names.contains(&name.as_ref())) {
            None => Ok(()),
            Some((name, value)) => Err(value
                .error(format!("unknown field '{}'", line::clip(name)))
                .with_label("this value")
                .with_help(format!("expected one of {}", names.join(", ")))),
        }
    }
}

/// The fields of an object in order, with unparsed values. Unlike a map, it keeps duplicates.
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields<'de>, M::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// The offset of a slice within the text that it borrows from, in bytes.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Parses a value; `expected` describes it in errors. A syntax error is reported at its place within the value.
fn parse<'a, T: Deserialize<'a>>(value: Piece<'a>, expected: &str) -> Result<T, SyntaxError> {
    serde_json::from_str(value.text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        if error.is_data() {
            return value.error(format!("expected {expected}")).with_label(message.to_string());
        }
        let lines = value.text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = value.start + lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        SyntaxError::new(at.min(value.end())..(at + 1).min(value.end()), format!("invalid JSON: {message}"))
    })
}

fn read_line_board(value: Piece, options: &ReadOptions) -> Result<Board, SyntaxError> {
    let text: Cow<str> = parse(value, "a board in the line format")?;
    let inner = value.text.get(1..value.text.len().saturating_sub(1)).unwrap_or_default();
    if text == inner {
        return line::read_board(Piece { text: inner, start: value.start + 1 }, None, options);
    }
    // The text contains escapes, so offsets in it are not offsets in the record.
    line::read_board(Piece { text: &text, start: 0 }, None, options).map_err(|error| error.at(value.span()))
}

fn read_vehicles_board(object: &Object, options: &ReadOptions) -> Result<Board, SyntaxError> {
    let size = object.require("size")?;
    let (width, height): (usize, usize) = parse(size, "a size such as [6, 6]")?;
    let sides = MIN_SIDE as usize..=MAX_SIDE as usize;
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(size.error(BoardError::InvalidSize { width, height }.to_string()).with_label("the size"));
    }
    let exit = match object.get("exit") {
        Some(value) => {
            let text: String = parse(value, "an exit such as \"right\" or \"top:5\"")?;
            line::read_exit(Piece { text: &text, start: 0 }).map_err(|error| error.at(value.span()))?
        }
        None => Exit::Target(Side::Right),
    };
    let mut walls = Cells::default();
    for value in object.get("walls").map_or(Ok(Vec::new()), |walls| elements(walls, "a list of cells [x, y]"))? {
        let (x, y): (u8, u8) = parse(value, "a cell [x, y]")?;
        if usize::from(x) >= width || usize::from(y) >= height {
            let error = value.error(format!("a wall at column {x}, row {y} is off the {width}x{height} grid"));
            return Err(error.with_label("this wall"));
        }
        walls.insert(x, y);
    }
    let values = elements(object.require("vehicles")?, "a list of vehicles")?;
    let vehicles = values.iter().map(|&value| read_vehicle(value)).collect::<Result<Vec<_>, _>>()?;
    let place = |label: char| vehicles.iter().rposition(|v| v.label == label).map(|i| values[i]);
    let exit = options.exit.unwrap_or(exit);
    Board::new(width as u8, height as u8, walls, vehicles.clone(), exit).map_err(|error| {
        let value = match error {
            BoardError::ExitOffGrid { .. } | BoardError::NoVehicleAtExit { .. } => object.get("exit"),
            _ => error.label().and_then(place),
        };
        let value = value.or(object.get("vehicles")).unwrap_or(object.whole);
        value.error(error.to_string()).with_label("here").with_help("columns and rows count from 0 at the top left")
    })
}

/// The elements of an array, unparsed.
fn elements<'a>(value: Piece<'a>, expected: &str) -> Result<Vec<Piece<'a>>, SyntaxError> {
    let raw: Vec<&'a RawValue> = parse(value, expected)?;
    let place = |raw: &'a RawValue| Piece { text: raw.get(), start: value.start + offset_in(value.text, raw.get()) };
    Ok(raw.into_iter().map(place).collect())
}

fn read_vehicle(value: Piece) -> Result<Vehicle, SyntaxError> {
    let object = Object::read(value)?;
    object.allow_only(&["label", "x", "y", "length", "orientation"])?;
    let number = |name: &str| parse::<u8>(object.require(name)?, "a number from 0 to 255");
    let orientation = object.require("orientation")?;
    Ok(Vehicle {
        label: parse(object.require("label")?, "a label of one character")?,
        x: number("x")?,
        y: number("y")?,
        length: number("length")?,
        orientation: match parse::<String>(orientation, "\"horizontal\" or \"vertical\"")?.as_str() {
            "horizontal" => Orientation::Horizontal,
            "vertical" => Orientation::Vertical,
            _ => {
                return Err(orientation.error("expected \"horizontal\" or \"vertical\"").with_label("the orientation"));
            }
        },
    })
}

fn read_length(value: Piece) -> Result<Option<KnownLength>, SyntaxError> {
    if value.text.starts_with('"') {
        let text: String = parse(value, "a length")?;
        let known = KnownLength::parse(&text).map(Some);
        return known
            .ok_or_else(|| value.error("expected a number or a string such as \"<=25\"").with_label("the length"));
    }
    let number: Option<u32> = parse(value, "a number, or null if it is unknown")?;
    Ok(number.map(KnownLength::Exactly))
}

fn read_solution(value: Piece) -> Result<Option<Solution>, SyntaxError> {
    let invalid =
        |value: Piece, error: crate::MoveParseError| value.error(error.to_string()).with_label("the solution");
    if value.text.starts_with('"') {
        let text: String = parse(value, "a solution")?;
        return text.parse().map(Some).map_err(|error| invalid(value, error));
    }
    if value.text == "null" {
        return Ok(None);
    }
    let mut moves: Vec<Move> = Vec::new();
    for value in elements(value, "a list of moves")? {
        moves.push(parse::<String>(value, "a move such as \"C+2\"")?.parse().map_err(|error| invalid(value, error))?);
    }
    Ok(Some(Solution(moves)))
}

/// The JSON object that a puzzle is written as.
#[derive(Serialize)]
struct JsonPuzzle<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    size: (u8, u8),
    exit: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    walls: Vec<(u8, u8)>,
    vehicles: Vec<JsonVehicle>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_length")]
    moves: Option<KnownLength>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_length")]
    steps: Option<KnownLength>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Vec<String>>,
}

#[derive(Serialize)]
struct JsonVehicle {
    label: char,
    x: u8,
    y: u8,
    length: u8,
    orientation: &'static str,
}

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // the signature that serde calls
fn write_length<S: Serializer>(known: &Option<KnownLength>, serializer: S) -> Result<S::Ok, S::Error> {
    match known {
        Some(KnownLength::Exactly(n)) => serializer.serialize_u32(*n),
        Some(known) => serializer.collect_str(known),
        None => serializer.serialize_none(),
    }
}

pub(super) fn write(puzzle: &Puzzle) -> String {
    let board = &puzzle.board;
    let vehicles = board.vehicles().iter().map(|&Vehicle { label, x, y, length, orientation }| JsonVehicle {
        label,
        x,
        y,
        length,
        orientation: match orientation {
            Orientation::Horizontal => "horizontal",
            Orientation::Vertical => "vertical",
        },
    });
    let json = JsonPuzzle {
        name: puzzle.name.as_deref(),
        size: (board.width(), board.height()),
        exit: board.exit().to_string(),
        walls: board.walls().iter().collect(),
        vehicles: vehicles.collect(),
        moves: puzzle.moves,
        steps: puzzle.steps,
        solution: puzzle.solution.as_ref().map(|solution| solution.0.iter().map(ToString::to_string).collect()),
    };
    let mut text = serde_json::to_string(&json).expect("a board has no map with keys that are not strings");
    text.push('\n');
    text
}
