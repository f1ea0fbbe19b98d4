//! Batches of games for learning agents: observations, legal actions and rewards.

use crate::distances::{Distance, Distances, on_all_cores};
use clearway_rush::{Board, Metric, Orientation, RushDomain, RushMove, RushState};
use clearway_search::Domain;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The reward of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// -1 for every move.
    Moves,
    /// Minus the number of cells.
    Cells,
    /// 1 if it solves the board, otherwise 0.
    Solved,
    /// The decrease in the distance to the nearest solved state since it was last known; 0 if it is unknown.
    Distance,
}

/// Dimensions of observations and actions: the same for all boards, and large enough for the largest.
#[derive(Clone, Copy, Debug)]
pub struct SpaceShape {
    /// Number of planes: one for the walls, one for the exit, and one for each vehicle slot.
    pub channels: usize,
    pub height: usize,
    pub width: usize,
    /// Maximum length of a slide, in cells.
    pub reach: usize,
}

impl SpaceShape {
    /// Number of elements in the planes of a game.
    pub fn planes(self) -> usize {
        self.channels * self.height * self.width
    }

    /// Number of actions: for each vehicle slot the slides back from the longest to the shortest, then the slides forward
    /// from the shortest to the longest.
    pub fn actions(self) -> usize {
        (self.channels - 2) * 2 * self.reach
    }

    /// Returns the slide of an action.
    pub fn slide(self, action: usize) -> RushMove {
        let (vehicle, slide, reach) = (action / (2 * self.reach), action % (2 * self.reach), self.reach as i8);
        let cells = slide as i8 - reach;
        RushMove { vehicle: vehicle as u8, cells: if cells < 0 { cells } else { cells + 1 } }
    }

    /// Returns the action of a slide, or None if it is longer than `reach` or zero.
    pub fn action(self, slide: RushMove) -> Option<usize> {
        let (cells, reach) = (slide.cells as isize, self.reach as isize);
        let place = if cells < 0 { reach + cells } else { reach + cells - 1 };
        (cells != 0 && cells.abs() <= reach).then(|| slide.vehicle as usize * 2 * self.reach + place as usize)
    }
}

/// The rules of all games.
#[derive(Clone, Copy, Debug)]
pub struct GameRules {
    pub metric: Metric,
    pub reward: Reward,
    pub shape: SpaceShape,
    /// Number of moves after which a game is truncated.
    pub max_moves: Option<u64>,
    /// Cost of an illegal action.
    pub penalty: f64,
}

/// What a game returns for an action, as Gymnasium expects it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActionResult {
    pub reward: f64,
    /// The board is solved.
    pub terminated: bool,
    /// The game reached the maximum number of moves.
    pub truncated: bool,
}

/// A saved game: the number of its board, the positions of the vehicles, the number of moves, whether it is over, its distance,
/// and the last distance that was known.
pub type Snapshot = (usize, Vec<u8>, u64, bool, Option<u32>, Option<u32>);

/// A batch of games on a list of boards; hides the width of the states, which depends on the number of vehicles.
pub trait Batch: Send + Sync {
    fn copy(&self) -> Box<dyn Batch>;
    /// Starts a game on a board.
    fn start(&mut self, game: usize, board: usize);
    /// Whether some distances must be searched before an action is taken.
    fn needs_search(&self) -> bool;
    /// Searches the distances of the states that legal actions lead to, on boards without a table; one action for each game,
    /// None for games that take none.
    fn search_distances(&self, actions: &[Option<usize>], cancel: &Arc<AtomicBool>) -> Vec<Option<u32>>;
    /// Takes an action; an illegal one counts as a move but leaves the board unchanged. `searched` is the distance of the state
    /// that the action leads to, from [`Batch::search_distances`].
    fn act(&mut self, game: usize, action: usize, searched: Option<u32>) -> ActionResult;
    /// The planes of all games, one game after the other.
    fn planes(&self) -> &[u8];
    /// The action masks of all games: 1 for a legal action, 0 for an illegal one.
    fn masks(&self) -> &[u8];
    fn moves(&self, game: usize) -> u64;
    fn is_over(&self, game: usize) -> bool;
    /// The distance to the nearest solved state, if known; None unless the reward is [`Reward::Distance`].
    fn distance(&self, game: usize) -> Option<u32>;
    /// The distance of the start position of a board, if known; None unless the reward is [`Reward::Distance`].
    fn start_distance(&self, board: usize) -> Option<u32>;
    /// The current board of a game.
    fn board(&self, game: usize) -> Board;
    fn snapshot(&self, game: usize) -> Snapshot;
    /// Restores a game; returns false if the snapshot does not fit the boards.
    fn restore(&mut self, game: usize, snapshot: Snapshot) -> bool;
}

/// The start position of a board, with its planes and action mask.
pub struct StartPosition<const N: usize> {
    domain: RushDomain<N>,
    planes: Vec<u8>,
    mask: Vec<u8>,
    distances: Option<Distances<N>>,
    distance: Option<u32>,
}

impl<const N: usize> StartPosition<N> {
    /// Creates the start position of a board with its distance, if known.
    pub fn new(
        domain: RushDomain<N>,
        rules: &GameRules,
        distances: Option<Distances<N>>,
        distance: Option<u32>,
    ) -> Self {
        let (board, shape) = (domain.board(), rules.shape);
        let mut planes = vec![0; shape.planes()];
        let at = |plane: usize, x: usize, y: usize| (plane * shape.height + y) * shape.width + x;
        // Cells outside a smaller board are walls.
        for (y, x) in (0..shape.height).flat_map(|y| (0..shape.width).map(move |x| (y, x))) {
            let inside = x < board.width() as usize && y < board.height() as usize;
            planes[at(0, x, y)] = u8::from(!inside || board.walls().contains(x as u8, y as u8));
        }
        let goal = board.target().at(board.goal_position());
        let last = if board.exit().side().is_forward() { goal.cells().last() } else { goal.cells().next() };
        let (x, y) = last.unwrap_or((goal.x, goal.y));
        planes[at(1, x as usize, y as usize)] = 1;
        for (slot, vehicle) in board.vehicles().iter().enumerate() {
            vehicle.cells().for_each(|(x, y)| planes[at(2 + slot, x as usize, y as usize)] = 1);
        }
        let start = domain.start();
        let mut mask = vec![0; shape.actions()];
        fill_mask(&domain, &start, rules, &mut mask);
        StartPosition { domain, planes, mask, distances, distance }
    }
}

/// Converts a distance; infinite ones are unknown to games.
pub fn finite(distance: Distance) -> Option<u32> {
    distance.filter(|distance| distance.is_finite()).map(|distance| distance as u32)
}

#[derive(Clone, Copy)]
struct Game<const N: usize> {
    board: usize,
    state: RushState<N>,
    moves: u64,
    distance: Option<u32>,
    /// The last distance that was known.
    last_distance: Option<u32>,
    over: bool,
}

impl<const N: usize> Game<N> {
    fn new(board: usize, start: &StartPosition<N>) -> Game<N> {
        let distance = start.distance;
        Game { board, state: start.domain.start(), moves: 0, distance, last_distance: distance, over: false }
    }
}

/// Games on boards of up to 16 * `N` vehicles.
#[derive(Clone)]
pub struct Games<const N: usize> {
    rules: GameRules,
    boards: Arc<Vec<StartPosition<N>>>,
    /// Whether the distances of a board are searched.
    needs_search: bool,
    all: Vec<Game<N>>,
    planes: Vec<u8>,
    masks: Vec<u8>,
}

impl<const N: usize> Games<N> {
    /// Creates `count` games, all at the start position of the first board.
    pub fn new(boards: Vec<StartPosition<N>>, rules: GameRules, count: usize) -> Self {
        let game = Game::new(0, &boards[0]);
        let needs_search = boards.iter().any(|board| matches!(board.distances, Some(Distances::Search(_))));
        let (planes, masks) = (boards[0].planes.repeat(count), boards[0].mask.repeat(count));
        Games { rules, boards: Arc::new(boards), needs_search, all: vec![game; count], planes, masks }
    }

    /// Moves a vehicle in the planes of a game.
    fn update_planes(&mut self, game: usize, slide: RushMove, from: u8) {
        let (shape, slot) = (self.rules.shape, slide.vehicle as usize);
        let body = self.boards[self.all[game].board].domain.bodies()[slot];
        let first = game * shape.planes() + (2 + slot) * shape.height * shape.width;
        let (line, position) = (body.line as usize, from as usize);
        let (start, step) = match body.orientation {
            Orientation::Horizontal => (first + line * shape.width + position, 1),
            Orientation::Vertical => (first + position * shape.width + line, shape.width),
        };
        let cells = |start: usize| (0..body.length as usize).map(move |cell| start + cell * step);
        cells(start).for_each(|cell| self.planes[cell] = 0);
        let end = start.wrapping_add_signed(slide.cells as isize * step as isize);
        cells(end).for_each(|cell| self.planes[cell] = 1);
    }
}

/// Sets the mask to the legal actions of a state.
fn fill_mask<const N: usize>(domain: &RushDomain<N>, state: &RushState<N>, rules: &GameRules, mask: &mut [u8]) {
    let reach = rules.shape.reach;
    mask.fill(0);
    for (vehicle, slides) in mask.chunks_exact_mut(2 * reach).enumerate().take(domain.bodies().len()) {
        let (back, forth) = domain.room(state, vehicle);
        // In the metric of steps the reach is 1.
        let (back, forth) = (reach.min(back as usize), reach.min(forth as usize));
        slides[reach - back..reach + forth].fill(1);
    }
}

impl<const N: usize> Batch for Games<N> {
    fn copy(&self) -> Box<dyn Batch> {
        Box::new(self.clone())
    }

    fn start(&mut self, game: usize, board: usize) {
        let start = &self.boards[board];
        let StartPosition { planes, mask, .. } = start;
        self.all[game] = Game::new(board, start);
        self.planes[game * planes.len()..][..planes.len()].copy_from_slice(planes);
        self.masks[game * mask.len()..][..mask.len()].copy_from_slice(mask);
    }

    fn needs_search(&self) -> bool {
        self.needs_search
    }

    fn search_distances(&self, actions: &[Option<usize>], cancel: &Arc<AtomicBool>) -> Vec<Option<u32>> {
        let legal = |game: usize, action: &usize| self.masks[game * self.rules.shape.actions() + action] != 0;
        on_all_cores(actions.len(), |solver, game| {
            let action = actions[game].filter(|action| legal(game, action))?;
            let Game { board, mut state, .. } = self.all[game];
            let StartPosition { domain, distances, .. } = &self.boards[board];
            let Some(Distances::Search(search)) = distances else { return None };
            domain.apply(&mut state, self.rules.shape.slide(action));
            finite(search.find(domain, domain.key(&state), solver, cancel))
        })
    }

    fn act(&mut self, index: usize, action: usize, searched: Option<u32>) -> ActionResult {
        let rules = self.rules;
        let actions = rules.shape.actions();
        let game = &mut self.all[index];
        let slide = rules.shape.slide(action);
        game.moves += 1;
        let (mut penalty, mut cells, mut approach) = (0.0, 0, 0.0);
        if self.masks[index * actions + action] == 0 {
            penalty = rules.penalty;
        } else {
            let StartPosition { domain, distances, .. } = &self.boards[game.board];
            let from = game.state.position(slide.vehicle as usize);
            domain.apply(&mut game.state, slide);
            game.distance = match distances {
                None => None,
                Some(Distances::Table(table)) => finite(table.distance(domain.key(&game.state))),
                Some(Distances::Search(_)) => searched,
            };
            if let Some(distance) = game.distance {
                let last = game.last_distance.replace(distance).unwrap_or(distance);
                approach = f64::from(last) - f64::from(distance);
            }
            cells = slide.cells.unsigned_abs();
            fill_mask(domain, &game.state, &rules, &mut self.masks[index * actions..][..actions]);
            self.update_planes(index, slide, from);
        }
        let game = &mut self.all[index];
        let terminated = self.boards[game.board].domain.is_goal(&game.state);
        let truncated = !terminated && rules.max_moves.is_some_and(|most| game.moves >= most);
        game.over = terminated || truncated;
        let reward = match rules.reward {
            Reward::Moves => -1.0,
            Reward::Cells => -f64::from(cells),
            Reward::Solved => f64::from(u8::from(terminated)),
            Reward::Distance => approach,
        };
        ActionResult { reward: reward - penalty, terminated, truncated }
    }

    fn planes(&self) -> &[u8] {
        &self.planes
    }

    fn masks(&self) -> &[u8] {
        &self.masks
    }

    fn moves(&self, game: usize) -> u64 {
        self.all[game].moves
    }

    fn is_over(&self, game: usize) -> bool {
        self.all[game].over
    }

    fn distance(&self, game: usize) -> Option<u32> {
        self.all[game].distance
    }

    fn start_distance(&self, board: usize) -> Option<u32> {
        self.boards[board].distance
    }

    fn board(&self, game: usize) -> Board {
        let Game { board, state, .. } = &self.all[game];
        self.boards[*board].domain.board_at(state)
    }

    fn snapshot(&self, game: usize) -> Snapshot {
        let Game { board, state, moves, over, distance, last_distance } = &self.all[game];
        let vehicles = self.boards[*board].domain.bodies().len();
        (
            *board,
            (0..vehicles).map(|vehicle| state.position(vehicle)).collect(),
            *moves,
            *over,
            *distance,
            *last_distance,
        )
    }

    fn restore(&mut self, game: usize, snapshot: Snapshot) -> bool {
        let (board, positions, moves, over, distance, last_distance) = snapshot;
        let Some(StartPosition { domain, distances, .. }) = self.boards.get(board) else { return false };
        if positions.len() != domain.bodies().len() || domain.board().with_positions(&positions).is_err() {
            return false;
        }
        let mut key = [0; N];
        for (vehicle, &position) in positions.iter().enumerate() {
            key[vehicle / 16] |= u64::from(position) << (vehicle % 16 * 4);
        }
        if let Some(Distances::Table(table)) = distances
            && finite(table.distance(key)) != distance
        {
            return false;
        }
        self.start(game, board);
        let start = self.all[game].state;
        for (vehicle, &position) in positions.iter().enumerate() {
            let from = start.position(vehicle);
            self.update_planes(game, RushMove { vehicle: vehicle as u8, cells: position as i8 - from as i8 }, from);
        }
        let StartPosition { domain, .. } = &self.boards[board];
        let (state, actions) = (domain.state(key), self.rules.shape.actions());
        self.all[game] = Game { board, state, moves, distance, last_distance, over };
        fill_mask(domain, &state, &self.rules, &mut self.masks[game * actions..][..actions]);
        true
    }
}
