//! The games behind the environments of `clearway.gym`. Arrays are handed over as bytes, which need not be copied.

use crate::board::Board;
use crate::errors::{bad_words, refused};
use crate::games::{Batch, Beginning, Games, Outcome, Reward, Rules, Shape, Standing};
use crate::work::interruptible;
use clearway_cli::{ExitCode, Refusal};
use clearway_rush::formats::{Known, Puzzle, ansi, livery};
use clearway_rush::heuristics::{Context, Perfect};
use clearway_rush::{Metric, Move, RushDomain, RushMove};
use clearway_search::{Limit, Limits};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

/// From so many games on, others may use the interpreter during a step.
const MANY: usize = 64;

/// The planes, the masks and the numbers of moves of all games, and the distances if they are the reward.
type Observation<'py> =
    (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Option<Bound<'py, PyByteArray>>);
/// The rewards of all games, which of them are solved, and which were broken off.
type Outcomes<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>);

/// What an environment is made from.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Settings {
    /// How many games there are.
    games: usize,
    metric: String,
    reward: String,
    max_moves: Option<u64>,
    /// None: actions that are no moves are refused.
    penalty: Option<f64>,
    /// The channels, the height and the width of observations, if they should be larger than the boards need.
    shape: Option<(usize, usize, usize)>,
    /// The most states of a board whose distances are the reward.
    max_states: u64,
}

/// Many games on some boards.
#[pyclass(module = "clearway._native")]
pub struct Environment {
    batch: Box<dyn Batch>,
    rules: Rules,
    settings: Settings,
    boards: Arc<Vec<Puzzle>>,
}

#[pymethods]
impl Environment {
    #[new]
    fn new(py: Python<'_>, boards: Vec<Board>, settings: Settings) -> PyResult<Environment> {
        let boards: Vec<Puzzle> = boards.into_iter().map(|board| board.puzzle).collect();
        let rules = rules(&boards, &settings)?;
        let (games, states) = (settings.games, settings.max_states);
        let batch: Box<dyn Batch> = match boards.iter().map(|puzzle| puzzle.board.vehicles().len()).max() {
            Some(0..=16) => Box::new(Games::<1>::new(beginnings(py, &boards, &rules, states)?, rules, games)),
            Some(17..=32) => Box::new(Games::<2>::new(beginnings(py, &boards, &rules, states)?, rules, games)),
            _ => Box::new(Games::<8>::new(beginnings(py, &boards, &rules, states)?, rules, games)),
        };
        Ok(Environment { batch, rules, settings, boards: Arc::new(boards) })
    }

    /// The channels, the height and the width of an observation.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let Shape { channels, height, width, .. } = self.rules.shape;
        (channels, height, width)
    }

    /// The number of actions.
    #[getter]
    fn actions(&self) -> usize {
        self.rules.shape.actions()
    }

    /// The boards, as they are at the start.
    #[getter]
    fn boards(&self) -> Vec<Board> {
        self.boards.iter().map(|puzzle| Board { puzzle: puzzle.clone() }).collect()
    }

    /// For each board the number of moves (or steps) of its shortest solutions, if it is known.
    #[getter]
    fn optima(&self) -> Vec<Option<u32>> {
        let known = |puzzle: &Puzzle| match self.rules.metric {
            Metric::Moves => puzzle.moves,
            Metric::Steps => puzzle.steps,
        };
        let exactly = |known| if let Known::Exactly(length) = known { Some(length) } else { None };
        let boards = self.boards.iter().enumerate();
        boards.map(|(index, board)| self.batch.distance_of(index).or(known(board).and_then(exactly))).collect()
    }

    /// Begins games anew: pairs of a game and a board.
    fn start(&mut self, starts: Vec<(usize, usize)>) -> PyResult<()> {
        self.check_starts(&starts)?;
        for (game, board) in starts {
            self.batch.start(game, board);
        }
        Ok(())
    }

    /// What all games look like.
    fn observe<'py>(&self, py: Python<'py>) -> Observation<'py> {
        let numbers = |of: &dyn Fn(usize) -> i64| {
            let numbers: Vec<[u8; 8]> = (0..self.settings.games).map(|game| of(game).to_ne_bytes()).collect();
            PyByteArray::new(py, numbers.as_flattened())
        };
        let distances =
            (self.rules.reward == Reward::Distance).then(|| numbers(&|game| self.batch.distance(game).into()));
        let moves = numbers(&|game| self.batch.moves(game) as i64);
        (PyByteArray::new(py, self.batch.planes()), PyByteArray::new(py, self.batch.masks()), moves, distances)
    }

    /// The actions of all games: 1 for a move, 0 for what is none.
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, self.batch.masks())
    }

    /// Does an action in every game, given as integers of 8 bytes; but some games begin anew instead.
    fn step<'py>(&mut self, py: Python<'py>, actions: &[u8], starts: Vec<(usize, usize)>) -> PyResult<Outcomes<'py>> {
        let games = self.settings.games;
        let (actions, rest) = actions.as_chunks::<8>();
        if actions.len() != games || !rest.is_empty() {
            return Err(usage(format!("{games} actions are expected, one for each game")));
        }
        self.check_starts(&starts)?;
        let mut todo: Vec<Option<usize>> = vec![None; games];
        let mut starting = vec![false; games];
        for &(game, _) in &starts {
            starting[game] = true;
        }
        // Either all actions are done or none.
        for game in (0..games).filter(|&game| !starting[game]) {
            todo[game] = Some(self.check_action(game, i64::from_ne_bytes(actions[game]))?);
        }
        let batch = &mut self.batch;
        let work = || {
            for &(game, board) in &starts {
                batch.start(game, board);
            }
            let act = |(game, action): (usize, Option<usize>)| action.map(|action| batch.act(game, action));
            todo.into_iter().enumerate().map(act).map(Option::unwrap_or_default).collect()
        };
        let outcomes: Vec<Outcome> = if games < MANY { work() } else { py.detach(work) };
        let rewards: Vec<[u8; 8]> = outcomes.iter().map(|outcome| outcome.reward.to_ne_bytes()).collect();
        let flags = |of: fn(&Outcome) -> bool| {
            PyByteArray::new(py, &outcomes.iter().map(|outcome| u8::from(of(outcome))).collect::<Vec<u8>>())
        };
        Ok((
            PyByteArray::new(py, rewards.as_flattened()),
            flags(|outcome| outcome.terminated),
            flags(|outcome| outcome.truncated),
        ))
    }

    /// Does an action in the first game: its planes, its mask, the number of its moves, its distance, the reward, and
    /// whether it is solved or was broken off.
    #[allow(clippy::type_complexity)]
    fn step_one<'py>(
        &mut self,
        py: Python<'py>,
        action: i64,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, u64, u32, f64, bool, bool)> {
        let action = self.check_action(0, action)?;
        let Outcome { reward, terminated, truncated } = self.batch.act(0, action);
        let shape = self.rules.shape;
        let planes = PyByteArray::new(py, &self.batch.planes()[..shape.planes()]);
        let mask = PyByteArray::new(py, &self.batch.masks()[..shape.actions()]);
        Ok((planes, mask, self.batch.moves(0), self.batch.distance(0), reward, terminated, truncated))
    }

    /// The board of a game, as it stands.
    fn board(&self, game: usize) -> PyResult<Board> {
        self.check_game(game)?;
        let (board, ..) = self.batch.standing(game);
        let name = self.boards[board].name.clone();
        Ok(Board { puzzle: Puzzle { name, ..Puzzle::new(self.batch.board(game)) } })
    }

    /// The move of an action in a game, such as `A+2`; it need not be possible.
    fn move_of(&self, game: usize, action: usize) -> PyResult<String> {
        self.check_game(game)?;
        if action >= self.actions() {
            return Err(self.no_action(action as i64));
        }
        let slide = self.rules.shape.slide(action);
        let board = self.batch.board(game);
        let vehicle = board.vehicles().get(slide.vehicle as usize).ok_or_else(|| {
            usage(format!("action {action} moves no vehicle: the board has only {}", board.vehicles().len()))
        })?;
        Ok(Move { label: vehicle.label, cells: slide.cells }.to_string())
    }

    /// The action of a move such as `A+2` in a game.
    fn action_of(&self, game: usize, text: &str) -> PyResult<usize> {
        self.check_game(game)?;
        let mv: Move = text.parse().map_err(|error: clearway_rush::MoveParseError| usage(error.to_string()))?;
        let vehicle = self.batch.board(game).vehicle_labelled(mv.label);
        let vehicle = vehicle.ok_or_else(|| usage(format!("there is no vehicle {}", mv.label)))?;
        let action = self.rules.shape.action(RushMove { vehicle: vehicle as u8, cells: mv.cells });
        action.ok_or_else(|| {
            let reach = self.rules.shape.reach;
            let cells = if reach == 1 { "one cell".to_owned() } else { format!("{reach} cells") };
            usage(format!("{mv} is no action: a vehicle slides by at most {cells} at a time"))
        })
    }

    /// A picture of a game for the terminal.
    fn ansi(&self, game: usize) -> PyResult<String> {
        self.check_game(game)?;
        Ok(ansi::board(&self.batch.board(game), true))
    }

    /// Red, green and blue for each vehicle of a game, which keeps them until the game begins anew.
    fn colours(&self, game: usize) -> PyResult<Vec<(u8, u8, u8)>> {
        self.check_game(game)?;
        let (board, ..) = self.batch.standing(game);
        Ok(livery::colours(&self.boards[board].board).iter().map(|colour| colour.rgb.into()).collect())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<Board>, Settings), Vec<Standing>) {
        let standings = (0..self.settings.games).map(|game| self.batch.standing(game)).collect();
        (py.get_type::<Environment>().into_any(), (self.boards(), self.settings.clone()), standings)
    }

    fn __setstate__(&mut self, standings: Vec<Standing>) -> PyResult<()> {
        let fits = standings.len() == self.settings.games;
        let restored = standings.into_iter().enumerate().all(|(game, standing)| self.batch.restore(game, standing));
        if fits && restored { Ok(()) } else { Err(bad_words("these games are not games on these boards")) }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Environment {
        let (settings, boards) = (self.settings.clone(), self.boards.clone());
        Environment { batch: self.batch.copy(), rules: self.rules, settings, boards }
    }
}

impl Environment {
    fn check_game(&self, game: usize) -> PyResult<()> {
        let games = self.settings.games;
        if game < games { Ok(()) } else { Err(usage(format!("there is no game {game}: there are {games}"))) }
    }

    fn check_starts(&self, starts: &[(usize, usize)]) -> PyResult<()> {
        for &(game, board) in starts {
            self.check_game(game)?;
            if board >= self.boards.len() {
                return Err(usage(format!("there is no board {board}: there are {}", self.boards.len())));
            }
        }
        Ok(())
    }

    fn check_action(&self, game: usize, action: i64) -> PyResult<usize> {
        if self.batch.is_over(game) {
            return Err(usage("the game is over: reset begins another".to_owned()));
        }
        let actions = self.actions();
        let index = usize::try_from(action).ok().filter(|&index| index < actions);
        let index = index.ok_or_else(|| self.no_action(action))?;
        if self.settings.penalty.is_none() && self.batch.masks()[game * actions + index] == 0 {
            let what = self.move_of(game, index).unwrap_or_else(|_| "of a vehicle that there is not".to_owned());
            return Err(usage(format!("action {action}, {what}, is not possible: the mask tells which are")));
        }
        Ok(index)
    }

    fn no_action(&self, action: i64) -> PyErr {
        usage(format!("there is no action {action}: they are numbered from 0 to {}", self.actions() - 1))
    }
}

fn usage(text: String) -> PyErr {
    refused(&Refusal { code: ExitCode::Usage, text })
}

/// A board in a sentence.
fn named(index: usize, puzzle: &Puzzle) -> String {
    puzzle.name.as_ref().map_or_else(|| format!("board {index}"), |name| format!("board {index} ({name})"))
}

/// The rules, if they make sense and all boards can be played by them.
fn rules(boards: &[Puzzle], settings: &Settings) -> PyResult<Rules> {
    let metric = match settings.metric.as_str() {
        "moves" => Metric::Moves,
        "steps" => Metric::Steps,
        other => return Err(usage(format!("there is no metric '{other}': moves and steps are there"))),
    };
    let reward = match settings.reward.as_str() {
        "moves" => Reward::Moves,
        "cells" => Reward::Cells,
        "solved" => Reward::Solved,
        "distance" => Reward::Distance,
        other => {
            return Err(usage(format!("there is no reward '{other}': moves, cells, solved and distance are there")));
        }
    };
    if boards.is_empty() {
        return Err(usage("there is no board to play".to_owned()));
    }
    if let Some((index, puzzle)) = boards.iter().enumerate().find(|(_, puzzle)| puzzle.board.is_solved()) {
        return Err(bad_words(&format!("{} is solved already: there is nothing to play", named(index, puzzle))));
    }
    let most = |of: fn(&Puzzle) -> usize| boards.iter().map(of).max().unwrap_or_default();
    let channels = 2 + most(|puzzle| puzzle.board.vehicles().len());
    let (height, width) = (most(|puzzle| puzzle.board.height().into()), most(|puzzle| puzzle.board.width().into()));
    let (c, h, w) = settings.shape.unwrap_or((channels, height, width));
    if c < channels || h < height || w < width {
        return Err(usage(format!(
            "observations of the shape ({c}, {h}, {w}) are too small: the boards need at least ({channels}, {height}, {width})"
        )));
    }
    if c > 130 || h > 16 || w > 16 {
        return Err(usage(format!(
            "no board needs observations of the shape ({c}, {h}, {w}): the largest is (130, 16, 16)"
        )));
    }
    // No vehicle is shorter than two cells.
    let reach = if metric == Metric::Steps { 1 } else { h.max(w).saturating_sub(2).max(1) };
    let shape = Shape { channels: c, height: h, width: w, reach };
    Ok(Rules { metric, reward, shape, max_moves: settings.max_moves, penalty: settings.penalty.unwrap_or_default() })
}

/// The boards at the start; with the distances of all states that can be reached, if they are the reward.
fn beginnings<const N: usize>(
    py: Python<'_>,
    boards: &[Puzzle],
    rules: &Rules,
    max_states: u64,
) -> PyResult<Vec<Beginning<N>>> {
    let domain = |puzzle: &Puzzle| RushDomain::new(&puzzle.board, rules.metric);
    let domains: Vec<RushDomain<N>> = boards.iter().filter_map(domain).collect();
    let tables = match rules.reward {
        Reward::Distance => distances(py, boards, &domains, max_states)?.into_iter().map(Some).collect(),
        _ => domains.iter().map(|_| None).collect::<Vec<Option<Perfect<N>>>>(),
    };
    let mut found = Vec::with_capacity(boards.len());
    for (index, (domain, table)) in domains.into_iter().zip(tables).enumerate() {
        let no_solution = || format!("{} has no solution, and so no distance to one", named(index, &boards[index]));
        found.push(Beginning::new(domain, rules, table).ok_or_else(|| bad_words(&no_solution()))?);
    }
    Ok(found)
}

/// Distances with the numbers of their boards.
type Numbered<const N: usize> = Vec<(usize, Perfect<N>)>;

/// The distances of all states of some boards, worked out on all cores.
fn distances<const N: usize>(
    py: Python<'_>,
    boards: &[Puzzle],
    domains: &[RushDomain<N>],
    max_states: u64,
) -> PyResult<Vec<Perfect<N>>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { nodes: Some(max_states), cancel: Some(cancel.clone()), ..Limits::default() };
    let context = Context { limits, ..Context::default() };
    let next = AtomicUsize::new(0);
    let some = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(domain) = domains.get(index) else { return Ok(found) };
            match Perfect::new(domain, &context) {
                Ok(table) => found.push((index, table)),
                Err(error) => {
                    cancel.store(true, Ordering::Relaxed);
                    return Err((index, error.limit));
                }
            }
        }
    };
    let work = |_: SyncSender<()>| {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get).min(domains.len());
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(some)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    };
    let parts: Vec<Result<Numbered<N>, (usize, Limit)>> = interruptible(py, &cancel, work, |_, ()| Ok(()))?;
    if let Some(index) = parts.iter().find_map(|part| match part {
        Err((index, Limit::Nodes)) => Some(*index),
        _ => None,
    }) {
        return Err(refused(&Refusal {
            code: ExitCode::Limit,
            text: format!(
                "more than {max_states} states can be reached from {}, too many to know the distances of all: take another \
                 reward, leave the board out, or raise max_states",
                named(index, &boards[index])
            ),
        }));
    }
    let mut found: Numbered<N> = parts.into_iter().flatten().flatten().collect();
    found.sort_unstable_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, table)| table).collect())
}
