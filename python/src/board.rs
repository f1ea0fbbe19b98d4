//! Boards as Python objects.

use crate::arrays;
use crate::errors::{diagnostic_error, input_error};
use clearway_answers::TypedMoves;
use clearway_rush::formats::svg::{self, SvgOptions};
use clearway_rush::formats::{self, Format, Puzzle, ReadOptions, Reader};
use clearway_rush::{Orientation, Size, replay};
use clearway_util::syntax::ParseError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

/// An immutable board: `play` returns a new one.
///
/// The format of the text is detected. Boards are equal if they look the same; names are ignored. A notebook displays a
/// board as a picture.
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
    /// Parses the only board of a text.
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
        let (last, more) = (boards.pop(), boards.len());
        match last {
            Some(mut board) if more == 0 => {
                board.puzzle.name = name.or(board.puzzle.name);
                Ok(board)
            }
            _ => Err(input_error(&format!(
                "expected one board in the text, got {}; use clearway.read_text for several",
                more + 1
            ))),
        }
    }

    /// Creates a board from an array of its cells, row by row: a `NumPy` array, or lists.
    ///
    /// 0 is an empty cell, -1 a wall, 1 the target, and every other vehicle has a number of its own; or the cells are the letters
    /// of the grid format. `numpy.asarray(board)` is the inverse: it numbers the vehicles in the order of `vehicles`.
    ///
    /// >>> Board.from_array([[1, 1, 2], [0, 0, 2], [-1, 0, 0]])
    /// Board('AAB..Bx..')
    #[staticmethod]
    #[pyo3(signature = (array, *, exit=None, name=None))]
    fn from_array(array: &Bound<'_, PyAny>, exit: Option<&str>, name: Option<String>) -> PyResult<Board> {
        let board = match arrays::cells(array)? {
            arrays::Cells::Numbers(rows) => arrays::board(&rows, exit.map(parse).transpose()?)?,
            arrays::Cells::Letters(text) => {
                let mut boards = read(&text, &options(Some("grid"), None, exit, "the array")?)?;
                boards.pop().ok_or_else(|| input_error("invalid array; it has no cells"))?.puzzle.board
            }
        };
        Ok(Board { puzzle: Puzzle { name, ..Puzzle::new(board) } })
    }

    /// The name of the board, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.puzzle.name.as_deref()
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> u8 {
        self.puzzle.board.width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> u8 {
        self.puzzle.board.height()
    }

    /// The side of the exit of the target, such as `right`; or, if any vehicle may leave, a side and a line, such as `top:5`.
    #[getter]
    fn exit(&self) -> String {
        self.puzzle.board.exit().to_string()
    }

    /// The vehicles, the target first: label, column and row of the upper left cell, length, and `horizontal` or `vertical`.
    #[getter]
    fn vehicles(&self) -> Vec<(char, u8, u8, u8, &'static str)> {
        let name = |orientation| match orientation {
            Orientation::Horizontal => "horizontal",
            Orientation::Vertical => "vertical",
        };
        let vehicles = self.puzzle.board.vehicles().iter();
        vehicles.map(|v| (v.label, v.x, v.y, v.length, name(v.orientation))).collect()
    }

    /// The walls, each as column and row.
    #[getter]
    fn walls(&self) -> Vec<(u8, u8)> {
        self.puzzle.board.walls().iter().collect()
    }

    /// Whether the target, or any vehicle that may leave, is at the exit.
    #[getter]
    fn is_solved(&self) -> bool {
        self.puzzle.board.is_solved()
    }

    /// Returns the legal moves, such as `A+2`: a vehicle, a sign (plus is right or down) and a number of cells.
    ///
    /// >>> " ".join(Board("4x3:AA..........").moves())
    /// 'A+1 A+2'
    fn moves(&self) -> Vec<String> {
        self.puzzle.board.legal_moves().iter().map(ToString::to_string).collect()
    }

    /// Returns the board after moves, given in one text or in several.
    ///
    /// >>> Board("4x3:AA..........").play("A+1 A+1")
    /// Board('4x3:..AA........')
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Board> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|error| diagnostic_error(&error))?;
        typed.replay(&self.puzzle.board).map_err(|error| diagnostic_error(&error))?;
        let mut board = self.puzzle.board.clone();
        for &mv in &typed.moves {
            board.apply(mv).map_err(|error| input_error(&error.to_string()))?;
        }
        Ok(Board { puzzle: Puzzle { name: self.puzzle.name.clone(), ..Puzzle::new(board) } })
    }

    /// Returns whether moves solve the board, checked by code that is independent of the solvers.
    ///
    /// >>> Board("4x3:AA..........").verify("A+1"), Board("4x3:AA..........").verify("A+2")
    /// (False, True)
    #[pyo3(signature = (*moves))]
    fn verify(&self, moves: Vec<String>) -> PyResult<bool> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|error| diagnostic_error(&error))?;
        Ok(replay(&self.puzzle.board, &typed.moves).is_ok_and(|replay| replay.solved))
    }

    /// Finds a shortest solution; the options are those of `clearway.solve`.
    ///
    /// >>> Board("4x3:AA..........").solve().moves
    /// 1
    #[pyo3(signature = (**options))]
    fn solve<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("clearway.solving")?.getattr("solve")?.call((slf,), options)
    }

    /// Grades the difficulty; the options are those of `clearway.grade`.
    ///
    /// >>> Board("4x3:AA..........").grade().level
    /// 'beginner'
    #[pyo3(signature = (**options))]
    fn grade<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("clearway.grading")?.getattr("grade")?.call((slf,), options)
    }

    /// Writes the board in a format: `line`, `grid`, `van-dijk`, `it3105`, `course`, `traffic-jam`, `json` or `tsv`.
    ///
    /// >>> print(Board("4x3:AA..........").to("grid"), end="")
    /// AA..
    /// ....
    /// ....
    fn to(&self, format: &str) -> PyResult<String> {
        let format: Format = parse(format)?;
        let written = formats::write(&self.puzzle, format);
        written.map_err(|error| diagnostic_error(&ParseError::without_place(error.to_string(), None, "")))
    }

    /// Returns a picture as SVG; `cell` is the side length of a cell in pixels.
    ///
    /// >>> Board("4x3:AA..........").svg(cell=20)[:4]
    /// '<svg'
    #[pyo3(signature = (*, cell=60, labels=true, title=None))]
    fn svg(&self, cell: u16, labels: bool, title: Option<String>) -> String {
        svg::board(&self.puzzle.board, &SvgOptions { cell, labels, title })
    }

    /// Returns an animation of moves as SVG.
    ///
    /// >>> "animation" in Board("4x3:AA..........").animate("A+2")
    /// True
    #[pyo3(signature = (*moves))]
    fn animate(&self, moves: Vec<String>) -> PyResult<String> {
        let typed = TypedMoves::parse(&moves.join(" ")).map_err(|error| diagnostic_error(&error))?;
        typed.replay(&self.puzzle.board).map_err(|error| diagnostic_error(&error))?;
        let title = self.puzzle.name.clone();
        let options = SvgOptions { title, ..SvgOptions::default() };
        svg::animation(&self.puzzle.board, &typed.moves, &options).map_err(|error| input_error(&error.to_string()))
    }

    /// Makes `numpy.asarray(board)` an array of cells: see `from_array`.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("a board has no array that could be shared without a copy"));
        }
        arrays::array(py, &self.puzzle.board, dtype)
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
        // JSON includes the name.
        (py.get_type::<Board>().into_any(), (formats::write(&self.puzzle, Format::Json).unwrap_or_default(),))
    }
}

/// Parses all boards of a text; `source` names it in errors.
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
    reader.map(|puzzle| puzzle.map(|puzzle| Board { puzzle }).map_err(|error| diagnostic_error(&error))).collect()
}

fn options(format: Option<&str>, size: Option<(u8, u8)>, exit: Option<&str>, source: &str) -> PyResult<ReadOptions> {
    let format = format.map(parse).transpose()?;
    let size = size.map(|(width, height)| Size::new(width, height)).transpose();
    let size = size.map_err(|error| input_error(&error.to_string()))?;
    let exit = exit.map(parse).transpose()?;
    Ok(ReadOptions { format, size, exit, source_name: source.to_owned() })
}

/// Parses an argument, such as a format or an exit.
fn parse<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| input_error(&error.to_string()))
}
