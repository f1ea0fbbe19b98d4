//! The games behind the environments of `clearway.gym`. Arrays are passed as bytes, which `NumPy` wraps without a copy.

use crate::board::Board;
use crate::distances::{Distance, Distances, Effort, on_all_cores};
use crate::errors::{exception_from, input_error};
use crate::games::{ActionResult, Batch, GameRules, Games, Reward, Snapshot, SpaceShape, StartPosition, finite};
use crate::work::run_interruptible;
use clearway_cli::CommandError;
use clearway_rush::formats::{KnownLength, Puzzle, ansi, palette};
use clearway_rush::{Metric, Move, RushDomain, RushMove, UnknownMetric};
use clearway_search::Domain;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

/// Number of games from which a step releases the interpreter to other threads.
const DETACH_FROM: usize = 64;

/// The planes, action masks and numbers of moves of all games, and with [`Reward::Distance`] the distances, -1 if unknown.
type Observation<'py> =
    (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Option<Bound<'py, PyByteArray>>);
/// For all games: the rewards, whether they are terminated, and whether they are truncated.
type Outcomes<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>);

/// The options of an environment.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct EnvironmentOptions {
    /// Number of games.
    games: usize,
    metric: String,
    reward: String,
    max_moves: Option<u64>,
    /// Cost of an illegal action; None makes it an error.
    penalty: Option<f64>,
    /// Channels, height and width of observations; None for the smallest shape that fits all boards.
    shape: Option<(usize, usize, usize)>,
    /// With [`Reward::Distance`]: maximum number of reachable states of a board whose distances are computed in advance.
    max_states: u64,
    /// With [`Reward::Distance`], on other boards: maximum number of expanded nodes and conflicts for the distance of a state.
    node_limit: u64,
}

/// A batch of games that share a list of boards.
#[pyclass(module = "clearway._native")]
pub struct Environment {
    batch: Box<dyn Batch>,
    rules: GameRules,
    settings: EnvironmentOptions,
    boards: Arc<Vec<Puzzle>>,
}

#[pymethods]
impl Environment {
    #[new]
    fn new(py: Python<'_>, boards: Vec<Board>, settings: EnvironmentOptions) -> PyResult<Environment> {
        let boards: Vec<Puzzle> = boards.into_iter().map(|board| board.puzzle).collect();
        let rules = rules(&boards, &settings)?;
        let games = settings.games;
        let effort = Effort { max_states: settings.max_states, node_limit: settings.node_limit };
        let batch: Box<dyn Batch> = match boards.iter().map(|puzzle| puzzle.board.vehicles().len()).max() {
            Some(0..=16) => Box::new(Games::<1>::new(start_positions(py, &boards, &rules, effort)?, rules, games)),
            Some(17..=32) => Box::new(Games::<2>::new(start_positions(py, &boards, &rules, effort)?, rules, games)),
            _ => Box::new(Games::<8>::new(start_positions(py, &boards, &rules, effort)?, rules, games)),
        };
        Ok(Environment { batch, rules, settings, boards: Arc::new(boards) })
    }

    /// Channels, height and width of an observation.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let SpaceShape { channels, height, width, .. } = self.rules.shape;
        (channels, height, width)
    }

    /// Number of actions.
    #[getter]
    fn actions(&self) -> usize {
        self.rules.shape.actions()
    }

    /// The boards that games start with.
    #[getter]
    fn boards(&self) -> Vec<Board> {
        self.boards.iter().map(|puzzle| Board { puzzle: puzzle.clone() }).collect()
    }

    /// For each board the length of its shortest solutions in the metric, or None if it is not known.
    #[getter]
    fn optima(&self) -> Vec<Option<u32>> {
        let known = |puzzle: &Puzzle| match self.rules.metric {
            Metric::Moves => puzzle.moves,
            Metric::Steps => puzzle.steps,
        };
        let exact = |known| if let KnownLength::Exactly(length) = known { Some(length) } else { None };
        let boards = self.boards.iter().enumerate();
        boards.map(|(index, board)| self.batch.start_distance(index).or(known(board).and_then(exact))).collect()
    }

    /// Starts games, given as pairs of a game and a board.
    fn start(&mut self, starts: Vec<(usize, usize)>) -> PyResult<()> {
        self.check_starts(&starts)?;
        for (game, board) in starts {
            self.batch.start(game, board);
        }
        Ok(())
    }

    /// Returns the observations of all games.
    fn observe<'py>(&self, py: Python<'py>) -> Observation<'py> {
        let numbers = |value: &dyn Fn(usize) -> i64| {
            let numbers: Vec<[u8; 8]> = (0..self.settings.games).map(|game| value(game).to_ne_bytes()).collect();
            PyByteArray::new(py, numbers.as_flattened())
        };
        let distances = (self.rules.reward == Reward::Distance)
            .then(|| numbers(&|game| self.batch.distance(game).map_or(-1, i64::from)));
        let moves = numbers(&|game| self.batch.moves(game) as i64);
        (PyByteArray::new(py, self.batch.planes()), PyByteArray::new(py, self.batch.masks()), moves, distances)
    }

    /// Returns the action masks of all games: 1 for a legal action, 0 for an illegal one.
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, self.batch.masks())
    }

    /// Takes an action in every game, given as native 8-byte integers; the games in `starts` restart instead.
    fn step<'py>(&mut self, py: Python<'py>, actions: &[u8], starts: Vec<(usize, usize)>) -> PyResult<Outcomes<'py>> {
        let games = self.settings.games;
        let (actions, rest) = actions.as_chunks::<8>();
        if actions.len() != games || !rest.is_empty() {
            return Err(usage(format!("expected {games} actions, one for each game")));
        }
        self.check_starts(&starts)?;
        let mut chosen: Vec<Option<usize>> = vec![None; games];
        let mut starting = vec![false; games];
        for &(game, _) in &starts {
            starting[game] = true;
        }
        // Checked before the first action is taken, so that an error leaves all games unchanged.
        for game in (0..games).filter(|&game| !starting[game]) {
            chosen[game] = Some(self.check_action(game, i64::from_ne_bytes(actions[game]))?);
        }
        let searched = self.search_distances(py, &chosen)?;
        let batch = &mut self.batch;
        let work = || {
            for &(game, board) in &starts {
                batch.start(game, board);
            }
            let act = |(game, (action, searched)): (usize, (Option<usize>, Option<u32>))| {
                action.map(|action| batch.act(game, action, searched)).unwrap_or_default()
            };
            chosen.into_iter().zip(searched).enumerate().map(act).collect()
        };
        let outcomes: Vec<ActionResult> = if games < DETACH_FROM { work() } else { py.detach(work) };
        let rewards: Vec<[u8; 8]> = outcomes.iter().map(|outcome| outcome.reward.to_ne_bytes()).collect();
        let flags = |flag: fn(&ActionResult) -> bool| {
            PyByteArray::new(py, &outcomes.iter().map(|outcome| u8::from(flag(outcome))).collect::<Vec<u8>>())
        };
        Ok((
            PyByteArray::new(py, rewards.as_flattened()),
            flags(|outcome| outcome.terminated),
            flags(|outcome| outcome.truncated),
        ))
    }

    /// Takes an action in the first game. Returns its planes, its action mask, its number of moves, its distance, the
    /// reward, and whether the game is terminated or truncated.
    #[allow(clippy::type_complexity)]
    fn step_one<'py>(
        &mut self,
        py: Python<'py>,
        action: i64,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, u64, Option<u32>, f64, bool, bool)> {
        let action = self.check_action(0, action)?;
        let searched = self.search_distances(py, &[Some(action)])?[0];
        let ActionResult { reward, terminated, truncated } = self.batch.act(0, action, searched);
        let shape = self.rules.shape;
        let planes = PyByteArray::new(py, &self.batch.planes()[..shape.planes()]);
        let mask = PyByteArray::new(py, &self.batch.masks()[..shape.actions()]);
        Ok((planes, mask, self.batch.moves(0), self.batch.distance(0), reward, terminated, truncated))
    }

    /// Returns the current board of a game.
    fn board(&self, game: usize) -> PyResult<Board> {
        self.check_game(game)?;
        let (board, ..) = self.batch.snapshot(game);
        let name = self.boards[board].name.clone();
        Ok(Board { puzzle: Puzzle { name, ..Puzzle::new(self.batch.board(game)) } })
    }

    /// Returns the move of an action in a game, such as `A+2`; it need not be legal.
    fn move_of(&self, game: usize, action: usize) -> PyResult<String> {
        self.check_game(game)?;
        if action >= self.actions() {
            return Err(self.unknown_action(action as i64));
        }
        let slide = self.rules.shape.slide(action);
        let board = self.batch.board(game);
        let vehicle = board.vehicles().get(slide.vehicle as usize).ok_or_else(|| {
            usage(format!("action {action} moves no vehicle; the board has only {} vehicles", board.vehicles().len()))
        })?;
        Ok(Move { label: vehicle.label, cells: slide.cells }.to_string())
    }

    /// Returns the action of a move such as `A+2` in a game; the move need not be legal.
    fn action_of(&self, game: usize, text: &str) -> PyResult<usize> {
        self.check_game(game)?;
        let mv: Move = text.parse().map_err(|error: clearway_rush::MoveParseError| usage(error.to_string()))?;
        let vehicle = self.batch.board(game).vehicle_labelled(mv.label);
        let vehicle = vehicle.ok_or_else(|| usage(format!("no vehicle {} on the board", mv.label)))?;
        let action = self.rules.shape.action(RushMove { vehicle: vehicle as u8, cells: mv.cells });
        action.ok_or_else(|| {
            let reach = self.rules.shape.reach;
            let cells = if reach == 1 { "one cell".to_owned() } else { format!("{reach} cells") };
            usage(format!("{mv} is not an action; a vehicle slides by at most {cells} at a time"))
        })
    }

    /// Renders a game as coloured text for a terminal.
    fn ansi(&self, game: usize) -> PyResult<String> {
        self.check_game(game)?;
        Ok(ansi::board(&self.batch.board(game), true))
    }

    /// Returns the RGB colour of each vehicle of a game. Colours depend on the start position, so they do not change during
    /// the game.
    fn colours(&self, game: usize) -> PyResult<Vec<(u8, u8, u8)>> {
        self.check_game(game)?;
        let (board, ..) = self.batch.snapshot(game);
        Ok(palette::colours(&self.boards[board].board).iter().map(|colour| colour.rgb.into()).collect())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<Board>, EnvironmentOptions), Vec<Snapshot>) {
        let snapshots = (0..self.settings.games).map(|game| self.batch.snapshot(game)).collect();
        (py.get_type::<Environment>().into_any(), (self.boards(), self.settings.clone()), snapshots)
    }

    fn __setstate__(&mut self, snapshots: Vec<Snapshot>) -> PyResult<()> {
        let fits = snapshots.len() == self.settings.games;
        let restored = snapshots.into_iter().enumerate().all(|(game, snapshot)| self.batch.restore(game, snapshot));
        if fits && restored {
            Ok(())
        } else {
            Err(input_error("the saved games do not match the boards of the environment"))
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Environment {
        let (settings, boards) = (self.settings.clone(), self.boards.clone());
        Environment { batch: self.batch.copy(), rules: self.rules, settings, boards }
    }
}

impl Environment {
    fn check_game(&self, game: usize) -> PyResult<()> {
        let games = self.settings.games;
        if game < games { Ok(()) } else { Err(usage(format!("game {game} does not exist; there are {games} games"))) }
    }

    /// Searches the distances that the actions need. Ctrl-C is an error, which leaves all games unchanged.
    fn search_distances(&self, py: Python<'_>, actions: &[Option<usize>]) -> PyResult<Vec<Option<u32>>> {
        if !self.batch.needs_search() {
            return Ok(vec![None; actions.len()]);
        }
        let cancel = Arc::new(AtomicBool::new(false));
        let work = |_: SyncSender<()>| self.batch.search_distances(actions, &cancel);
        run_interruptible(py, &cancel, work, |_, ()| Ok(()))
    }

    fn check_starts(&self, starts: &[(usize, usize)]) -> PyResult<()> {
        for &(game, board) in starts {
            self.check_game(game)?;
            if board >= self.boards.len() {
                return Err(usage(format!("board {board} does not exist; there are {} boards", self.boards.len())));
            }
        }
        Ok(())
    }

    fn check_action(&self, game: usize, action: i64) -> PyResult<usize> {
        if self.batch.is_over(game) {
            return Err(usage("the game is over; call reset to start another".to_owned()));
        }
        let actions = self.actions();
        let index = usize::try_from(action).ok().filter(|&index| index < actions);
        let index = index.ok_or_else(|| self.unknown_action(action))?;
        if self.settings.penalty.is_none() && self.batch.masks()[game * actions + index] == 0 {
            let what = self.move_of(game, index).unwrap_or_else(|_| "no such vehicle".to_owned());
            return Err(usage(format!("illegal action {action} ({what}); the action mask marks the legal ones")));
        }
        Ok(index)
    }

    fn unknown_action(&self, action: i64) -> PyErr {
        usage(format!("action {action} does not exist; actions are numbered from 0 to {}", self.actions() - 1))
    }
}

fn usage(text: String) -> PyErr {
    exception_from(&CommandError::usage(text))
}

/// Names a board in a message: its number, and its name if it has one.
fn describe_board(index: usize, puzzle: &Puzzle) -> String {
    puzzle.name.as_ref().map_or_else(|| format!("board {index}"), |name| format!("board {index} ({name})"))
}

/// Validates the settings, and checks that all boards can be played with them.
fn rules(boards: &[Puzzle], settings: &EnvironmentOptions) -> PyResult<GameRules> {
    let metric: Metric = settings.metric.parse().map_err(|error: UnknownMetric| usage(error.to_string()))?;
    let reward = match settings.reward.as_str() {
        "moves" => Reward::Moves,
        "cells" => Reward::Cells,
        "solved" => Reward::Solved,
        "distance" => Reward::Distance,
        other => {
            return Err(usage(format!("unknown reward '{other}'; expected moves, cells, solved or distance")));
        }
    };
    if boards.is_empty() {
        return Err(usage("no board to play; give at least one".to_owned()));
    }
    if let Some((index, puzzle)) = boards.iter().enumerate().find(|(_, puzzle)| puzzle.board.is_solved()) {
        return Err(input_error(&format!("{} is already solved; leave it out", describe_board(index, puzzle))));
    }
    let most = |count: fn(&Puzzle) -> usize| boards.iter().map(count).max().unwrap_or_default();
    let channels = 2 + most(|puzzle| puzzle.board.vehicles().len());
    let (height, width) = (most(|puzzle| puzzle.board.height().into()), most(|puzzle| puzzle.board.width().into()));
    let (c, h, w) = settings.shape.unwrap_or((channels, height, width));
    if c < channels || h < height || w < width {
        return Err(usage(format!(
            "the shape ({c}, {h}, {w}) is too small; the boards need at least ({channels}, {height}, {width})"
        )));
    }
    if c > 130 || h > 16 || w > 16 {
        return Err(usage(format!("the shape ({c}, {h}, {w}) is too large; the maximum is (130, 16, 16)")));
    }
    // The shortest vehicles have two cells, which bounds the length of a slide.
    let reach = if metric == Metric::Steps { 1 } else { h.max(w).saturating_sub(2).max(1) };
    let shape = SpaceShape { channels: c, height: h, width: w, reach };
    Ok(GameRules {
        metric,
        reward,
        shape,
        max_moves: settings.max_moves,
        penalty: settings.penalty.unwrap_or_default(),
    })
}

/// Prepares the start position of each board; with [`Reward::Distance`] also the distances of its states.
fn start_positions<const N: usize>(
    py: Python<'_>,
    boards: &[Puzzle],
    rules: &GameRules,
    effort: Effort,
) -> PyResult<Vec<StartPosition<N>>> {
    let domain = |puzzle: &Puzzle| RushDomain::new(&puzzle.board, rules.metric);
    let domains: Vec<RushDomain<N>> = boards.iter().filter_map(domain).collect();
    if rules.reward != Reward::Distance {
        return Ok(domains.into_iter().map(|domain| StartPosition::new(domain, rules, None, None)).collect());
    }
    let distances = distances(py, &domains, rules.metric, effort)?;
    let mut found = Vec::with_capacity(boards.len());
    for (index, (domain, (distances, distance))) in domains.into_iter().zip(distances).enumerate() {
        if distance == Some(f64::INFINITY) {
            return Err(input_error(&format!(
                "{} has no solution, so reward 'distance' is undefined; leave it out",
                describe_board(index, &boards[index])
            )));
        }
        found.push(StartPosition::new(domain, rules, Some(distances), finite(distance)));
    }
    Ok(found)
}

/// Computes the distances of all boards and those of their start positions, on all cores.
fn distances<const N: usize>(
    py: Python<'_>,
    domains: &[RushDomain<N>],
    metric: Metric,
    effort: Effort,
) -> PyResult<Vec<(Distances<N>, Distance)>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let work = |_: SyncSender<()>| {
        on_all_cores(domains.len(), |solver, index| {
            let domain = &domains[index];
            let distances = Distances::new(domain, metric, effort, &cancel)?;
            let start = domain.key(&domain.start());
            let distance = match &distances {
                Distances::Table(table) => table.distance(start),
                Distances::Search(search) => search.find(domain, start, solver, &cancel),
            };
            Some((distances, distance))
        })
    };
    // Boards are missing only if the work was interrupted, which is an error.
    Ok(run_interruptible(py, &cancel, work, |_, ()| Ok(()))?.into_iter().flatten().collect())
}
