//! Boards as Python objects.

use crate::errors::{bad_input, bad_words};
use clearway_lab::TypedMoves;
use clearway_rush::formats::svg::{self, SvgOptions};
use clearway_rush::formats::{self, Format, Puzzle, ReadOptions, Reader};
use clearway_rush::{Orientation, Size, replay};
use pyo3::prelude::*;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

/// A board, as it was read. It never changes: `play` gives another one.
///
/// The text is in any of the formats, which is detected. A notebook shows the picture.
///
/// >>> board = Board("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", name="the first card")
/// >>> board.width, board.height, board.exit
/// (6, 6, 'right')
/// >>> board.vehicles[0]
/// ('A', 1, 2, 2, 'horizontal')
/// >>> board == Board(str(board))
/// True
#[pyclass(frozen, module = "clearway", from_py_object)]
#[derive(Clone)]
pub struct Board {
    pub puzzle: Puzzle,
}

#[pymethods]
impl Board {
    /// The board that a text holds, in any of the formats.
    #[new]
    #[pyo3(signature = (text, *, format=None, size=None, exit=None, name=None))]
    fn new(
        text: &str,
        format: Option<&str>,
        size: Option<(u8, u8)>,
        exit: Option<&str>,
        name: Option<String>,
    ) -> PyResult<Board> {
        let mut boards = read(text, &options(format, size, exit, "the text")?)?;
        let (first, more) = (boards.pop(), boards.len());
        match first {
            Some(mut board) if more == 0 => {
                board.puzzle.name = name.or(board.puzzle.name);
                Ok(board)
            }
            _ => Err(bad_words(&format!(
                "there are {} boards in the text, and one is expected: clearway.read_text reads many",
                more + 1
            ))),
        }
    }

    /// Its name, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.puzzle.name.as_deref()
    }

    /// The number of its columns.
    #[getter]
    fn width(&self) -> u8 {
        self.puzzle.board.width()
    }

    /// The number of its rows.
    #[getter]
    fn height(&self) -> u8 {
        self.puzzle.board.height()
    }

    /// The side of the exit for the target, as in `right`; or a side and a line for any vehicle, as in `top:5`.
    #[getter]
    fn exit(&self) -> String {
        self.puzzle.board.exit().to_string()
    }

    /// The vehicles, the target first: label, column and row of the upper left cell, length, and `horizontal` or `vertical`.
    #[getter]
    fn vehicles(&self) -> Vec<(char, u8, u8, u8, &'static str)> {
        let word = |orientation| match orientation {
            Orientation::Horizontal => "horizontal",
            Orientation::Vertical => "vertical",
        };
        let vehicles = self.puzzle.board.vehicles().iter();
        vehicles.map(|v| (v.label, v.x, v.y, v.length, word(v.orientation))).collect()
    }

    /// The columns and rows of the walls.
    #[getter]
    fn walls(&self) -> Vec<(u8, u8)> {
        self.puzzle.board.walls().iter().collect()
    }

    /// Whether the target, or a vehicle that may leave, is at the exit.
    #[getter]
    fn is_solved(&self) -> bool {
        self.puzzle.board.is_solved()
    }

    /// The moves that can be made, such as `A+2`: a vehicle, a sign (plus is right or down) and a number of cells.
    ///
    /// >>> " ".join(Board("4x3:AA..........").moves())
    /// 'A+1 A+2'
    fn moves(&self) -> Vec<String> {
        self.puzzle.board.legal_moves().iter().map(ToString::to_string).collect()
    }

    /// The board after some moves, in one text or in several.
    ///
    /// >>> Board("4x3:AA..........").play("A+1 A+1")
    /// Board('4x3:..AA........')
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Board> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|report| bad_input(report.as_ref()))?;
        typed.replay(&self.puzzle.board).map_err(|report| bad_input(report.as_ref()))?;
        let mut board = self.puzzle.board.clone();
        for &mv in &typed.moves {
            board.apply(mv).map_err(|error| bad_words(&error.to_string()))?;
        }
        Ok(Board { puzzle: Puzzle { name: self.puzzle.name.clone(), ..Puzzle::new(board) } })
    }

    /// Whether moves solve the board, by code that no solver shares.
    ///
    /// >>> Board("4x3:AA..........").verify("A+1"), Board("4x3:AA..........").verify("A+2")
    /// (False, True)
    #[pyo3(signature = (*moves))]
    fn verify(&self, moves: Vec<String>) -> PyResult<bool> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|report| bad_input(report.as_ref()))?;
        Ok(replay(&self.puzzle.board, &typed.moves).is_ok_and(|replay| replay.solved))
    }

    /// The text of the board in a format: `line`, `grid`, `van-dijk`, `it3105`, `course`, `traffic-jam`, `json` or `tsv`.
    ///
    /// >>> print(Board("4x3:AA..........").to("grid"), end="")
    /// AA..
    /// ....
    /// ....
    fn to(&self, format: &str) -> PyResult<String> {
        let format: Format = word(format)?;
        formats::write(&self.puzzle, format).map_err(|error| bad_input(&error))
    }

    /// A picture as SVG, whose cells have so many pixels.
    ///
    /// >>> Board("4x3:AA..........").svg(cell=20)[:4]
    /// '<svg'
    #[pyo3(signature = (*, cell=60, labels=true, title=None))]
    fn svg(&self, cell: u16, labels: bool, title: Option<String>) -> String {
        svg::board(&self.puzzle.board, &SvgOptions { cell, labels, title })
    }

    /// A moving picture of some moves as SVG.
    ///
    /// >>> "animation" in Board("4x3:AA..........").animate("A+2")
    /// True
    #[pyo3(signature = (*moves))]
    fn animate(&self, moves: Vec<String>) -> PyResult<String> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|report| bad_input(report.as_ref()))?;
        typed.replay(&self.puzzle.board).map_err(|report| bad_input(report.as_ref()))?;
        let title = self.puzzle.name.clone();
        let options = SvgOptions { title, ..SvgOptions::default() };
        svg::animation(&self.puzzle.board, &typed.moves, &options).map_err(|error| bad_words(&error.to_string()))
    }

    fn _repr_svg_(&self) -> String {
        self.svg(40, true, self.puzzle.name.clone())
    }

    fn __str__(&self) -> String {
        formats::line(&self.puzzle.board)
    }

    fn __repr__(&self) -> String {
        match &self.puzzle.name {
            Some(name) => format!("Board('{self}', name={name:?})", self = self.__str__()),
            None => format!("Board('{}')", self.__str__()),
        }
    }

    fn __eq__(&self, other: &Board) -> bool {
        self.puzzle.board == other.puzzle.board
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        formats::line(&self.puzzle.board).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        // JSON holds the name as well.
        (py.get_type::<Board>().into_any(), (formats::write(&self.puzzle, Format::Json).unwrap_or_default(),))
    }
}

/// All boards that a text holds.
#[pyfunction]
#[pyo3(signature = (text, *, format=None, size=None, exit=None, source="the text"))]
pub fn read_boards(
    text: &str,
    format: Option<&str>,
    size: Option<(u8, u8)>,
    exit: Option<&str>,
    source: &str,
) -> PyResult<Vec<Board>> {
    read(text, &options(format, size, exit, source)?)
}

fn read(text: &str, options: &ReadOptions) -> PyResult<Vec<Board>> {
    let reader = Reader::new(text.as_bytes(), options.clone());
    reader.map(|puzzle| puzzle.map(|puzzle| Board { puzzle }).map_err(|error| bad_input(&error))).collect()
}

fn options(format: Option<&str>, size: Option<(u8, u8)>, exit: Option<&str>, source: &str) -> PyResult<ReadOptions> {
    let format = format.map(word).transpose()?;
    let size = size.map(|(width, height)| Size::new(width, height)).transpose();
    let size = size.map_err(|error| bad_words(&error.to_string()))?;
    let exit = exit.map(word).transpose()?;
    Ok(ReadOptions { format, size, exit, source_name: source.to_owned() })
}

/// What a word stands for: a format, an exit.
fn word<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| bad_words(&error.to_string()))
}
