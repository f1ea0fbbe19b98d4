"""Rush Hour as a Gymnasium environment: one game, or thousands at a time, to train agents that learn to play.

Importing this module registers ``clearway/RushHour-v0``. With the prefix ``clearway.gym:``, Gymnasium imports it:

>>> import gymnasium
>>> env = gymnasium.make("clearway.gym:clearway/RushHour-v0", suite="cards")
>>> planes, info = env.reset(seed=1, options={"board": 0})
>>> info["board"], info["optimum"]
('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.', 8)
>>> planes.shape, env.action_space
((16, 6, 6), Discrete(112))
>>> planes, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
>>> reward
-1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Literal

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    text = "clearway.gym needs Gymnasium and NumPy; install them with pip install 'clearway[gym]'"
    raise ModuleNotFoundError(text, name=error.name) from error

from clearway import _native, _pixels
from clearway._native import Board
from clearway._start_boards import BoardChoice, start_boards
from clearway.errors import UsageError
from clearway.types import BoardLike, Level, Metric, Reward

__all__ = ["ID", "RushHourEnv", "RushHourVectorEnv"]

#: The id of the environment in the registry of Gymnasium.
ID = "clearway/RushHour-v0"


class _RushHour:
    """The part that single and vector environments share: options, boards, spaces and rendering."""

    #: The number of games.
    _num_games = 1
    _render_modes: tuple[str, ...] = ("ansi", "rgb_array", "human")
    render_mode: str | None

    def __init__(
        self,
        *,
        suite: str | Iterable[str] | None = None,
        boards: BoardLike | Iterable[BoardLike] | None = None,
        generate: Mapping[str, Any] | None = None,
        metric: Metric = "moves",
        reward: Reward = "moves",
        illegal: Literal["stay", "refuse"] = "stay",
        penalty: float = 1.0,
        max_moves: int | None = 200,
        shape: tuple[int, int, int] | None = None,
        max_states: int = 5_000_000,
        node_limit: int = 20_000,
        render_mode: str | None = None,
        cell: int = 48,
        labels: bool = True,
    ) -> None:
        if illegal not in ("stay", "refuse"):
            raise UsageError(f"unknown value '{illegal}' for illegal; expected stay or refuse")
        if render_mode is not None and render_mode not in self._render_modes:
            *others, last = self._render_modes
            raise UsageError(f"unknown render_mode '{render_mode}'; expected {', '.join(others)} or {last}")
        numbers = {
            "num_envs": self._num_games,
            "max_moves": max_moves,
            "max_states": max_states,
            "node_limit": node_limit,
            "cell": cell,
        }
        for name, number in numbers.items():
            if not (_is_positive_integer(number) or (name == "max_moves" and number is None)):
                raise UsageError(f"invalid {name} {number!r}; expected a whole number of at least 1")
        if shape is not None and not (
            isinstance(shape, Sequence) and len(shape) == 3 and all(map(_is_positive_integer, shape))
        ):
            raise UsageError(f"invalid shape {shape!r}; expected (channels, height, width)")
        if not isinstance(penalty, (int, float, np.number)) or not np.isfinite(penalty):
            raise UsageError(f"invalid penalty {penalty!r}; expected a finite number")
        settings = {
            "games": self._num_games,
            "metric": str(metric),
            "reward": str(reward),
            "max_moves": max_moves,
            "penalty": float(penalty) if illegal == "stay" else None,
            "shape": None if shape is None else tuple(shape),
            "max_states": max_states,
            "node_limit": node_limit,
        }
        self.render_mode = render_mode
        self._cell, self._labels = int(cell), labels
        self._is_started = False
        self._games = _native.Environment(start_boards(suite, boards, generate), settings)
        self._choice = BoardChoice(self._games.boards)
        #: The entries that ``info`` has after a reset, for each board.
        self._starts = [_start_info(*start) for start in zip(self._choice.boards, self._games.optima, strict=True)]
        self._shape = self._games.shape
        # The spaces of one game; the vector environment replaces them by batched ones.
        self.observation_space: spaces.Space[Any] = spaces.Box(0, 1, self._shape, np.uint8)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self._games.actions)

    @property
    def boards(self) -> list[Board]:
        """The boards that games start with."""
        return self._games.boards

    @property
    def levels(self) -> list[Level | None]:
        """The level of each board, such as ``beginner``; None if it has no solution."""
        return self._choice.levels

    def _check_started(self) -> None:
        if not self._is_started:
            raise gymnasium.error.ResetNeeded("no game has started; call reset first")

    def _render_game(self, game: int) -> str | np.ndarray:
        """Renders a game; ``render_mode`` must not be None."""
        if self.render_mode == "ansi":
            return self._games.ansi(game)
        size = self._shape[1:]
        return _pixels.draw(self._games.board(game), self._games.colours(game), size, self._cell, self._labels)


class RushHourEnv(_RushHour, gymnasium.Env[np.ndarray, np.int64]):
    """A game of Rush Hour.

    **Boards**, one of:

    - ``suite``: the name of a suite, or several names; the default is the forty cards
    - ``boards``: boards, or texts with boards
    - ``generate``: options of ``clearway forge backward``, such as ``{"from": 6, "to": 12, "size": 6, "seed": 1}``, or
      with ``level`` or ``quota`` those of ``clearway forge pack``. The environment generates ``count`` puzzles (100 by
      default) when it is created; every game starts with one.

    Every ``reset`` draws one of the boards at random, or uses the one that ``options={"board": number}`` selects;
    ``options={"level": "beginner"}`` draws from those of a level.

    **Observations** are planes of zeros and ones (channels, height, width): the walls, the cell at the exit, and a
    plane for each vehicle, the target first. The largest board determines their shape, unless ``shape`` gives a larger
    one. Cells outside a smaller board are walls, and the planes of missing vehicles are empty.

    **Actions** are numbers: for each vehicle, in the order of the planes, the slides left or up from the longest to the
    shortest, and then those right or down from the shortest to the longest. With ``metric="steps"`` vehicles move by
    one cell only. ``info["action_mask"]`` and :meth:`action_masks` mark the legal actions. An illegal action leaves the
    board unchanged, counts as a move and costs ``penalty``; with ``illegal="refuse"`` it is an error.

    **Rewards** of a move:

    - ``reward="moves"``: -1
    - ``reward="cells"``: minus the number of cells
    - ``reward="solved"``: 1 if it solves the board, otherwise 0
    - ``reward="distance"``: the decrease in the exact distance to the nearest solved state, in moves or in steps.
      The distances of all reachable states are computed when the environment is created. On boards with more than
      ``max_states`` reachable states, the distance of each new state is searched instead, with at most ``node_limit``
      expanded nodes and conflicts; if the search does not prove it, it is unknown. A move to a state of unknown
      distance earns 0, and the next move to a state of known distance earns the decrease since the last known one.
      Boards without a solution are errors.

    A game ends when the board is solved (``terminated``) or after ``max_moves`` moves (``truncated``; None for no
    limit).

    ``info`` has the ``action_mask``, the number of ``moves`` and, with ``reward="distance"``, the ``distance`` if it is
    known; after a reset also the ``board`` in the line format and, if known, the ``optimum``, the length of its
    shortest solutions.

    >>> env = RushHourEnv(boards="4x4:....AAB...B.....", reward="distance")
    >>> planes, info = env.reset()
    >>> info["distance"], [env.move_of(action) for action in info["action_mask"].nonzero()[0]]
    (2, ['B-1', 'B+1'])
    >>> planes, reward, terminated, truncated, info = env.step(env.action_of("B+1"))
    >>> reward, terminated, env.board
    (1.0, False, Board('....AA....B...B.'))
    """

    # Not a ClassVar: Gymnasium declares it as an instance attribute.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}  # noqa: RUF012
    _window: _pixels.Window | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts a game: with the board that ``options={"board": number}`` selects, or with a random one.

        ``options={"level": "beginner"}`` draws from the boards of a level, in this and in all later games, until
        another reset selects another level, several (``["beginner", "expert"]``), or all boards (None).
        """
        super().reset(seed=seed)
        (board,) = self._choice.read(options or {})
        if board is None:
            board = self._choice.draw(self.np_random)
        self._games.start([(0, board)])
        self._is_started = True
        planes, mask, _, distances = self._games.observe()
        info = {"action_mask": np.frombuffer(mask, np.int8), "moves": 0, **self._starts[board]}
        if distances is not None and (distance := int(np.frombuffer(distances, np.int64)[0])) >= 0:
            info["distance"] = distance
        self._show()
        return np.frombuffer(planes, np.uint8).reshape(self._shape), info

    def step(self, action: int | np.integer) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Takes an action."""
        self._check_started()
        planes, mask, moves, distance, reward, terminated, truncated = self._games.step_one(index(action))
        info = {"action_mask": np.frombuffer(mask, np.int8), "moves": moves}
        if distance is not None:
            info["distance"] = distance
        self._show()
        return np.frombuffer(planes, np.uint8).reshape(self._shape), reward, terminated, truncated, info

    def render(self) -> str | np.ndarray | None:
        """Returns the board as text for a terminal (``ansi``), as an array of pixels (``rgb_array``), or None.

        With ``human``, every reset and step shows the board in a window.
        """
        self._check_started()
        self._show()
        return None if self.render_mode in (None, "human") else self._render_game(0)

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            if self._window is None:
                self._window = _pixels.Window("clearway", self.metadata["render_fps"])
            picture = self._render_game(0)
            assert isinstance(picture, np.ndarray)
            self._window.show(picture)

    @property
    def board(self) -> Board:
        """The current board."""
        self._check_started()
        return self._games.board(0)

    def action_masks(self) -> np.ndarray:
        """Returns for each action whether it is legal now."""
        self._check_started()
        return np.frombuffer(self._games.masks(), np.bool_)

    def move_of(self, action: int | np.integer) -> str:
        """Returns the move of an action, such as ``A+2``."""
        self._check_started()
        return self._games.move_of(0, index(action))

    def action_of(self, move: str) -> int:
        """Returns the action of a move such as ``A+2``."""
        self._check_started()
        return self._games.action_of(0, move)

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_() if self._is_started else None


class RushHourVectorEnv(_RushHour, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games of Rush Hour at a time, with the options of :class:`RushHourEnv`.

    Game ``i`` is the game that a :class:`RushHourEnv` plays after ``reset(seed=seed + i)``. ``autoreset_mode`` sets
    when a finished game restarts: at the next step, which ignores its action (``NextStep``, the default), within the
    same step (``SameStep``; ``infos`` has ``final_obs`` and ``final_info``), or only by ``reset`` (``Disabled``). The
    entries of ``infos`` are arrays with one element per game.

    >>> envs = gymnasium.make_vec("clearway/RushHour-v0", num_envs=3)
    >>> planes, infos = envs.reset(seed=1)
    >>> planes.shape, infos["action_mask"].shape
    ((3, 16, 6, 6), (3, 112))
    >>> planes, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
    >>> rewards
    array([-1., -1., -1.])
    """

    _render_modes = ("ansi", "rgb_array")

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise UsageError(f"unknown autoreset_mode '{autoreset_mode}'; expected one of {modes}") from None
        self.num_envs = self._num_games = num_envs
        super().__init__(**options)
        self.metadata = {
            **RushHourEnv.metadata,
            "render_modes": list(self._render_modes),
            "autoreset_mode": self._mode,
        }
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators: list[tuple[np.random.Generator, int] | None] = [None] * num_envs
        self._over = np.zeros(num_envs, np.bool_)
        #: The games that restart at the next step, with their boards; None until the boards are drawn.
        self._next_starts: list[tuple[int, int]] | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts all games, or those for which ``options={"reset_mask": array}`` is true.

        ``options={"board": numbers}`` selects the board of each game, or one for all; None draws one. ``level`` is as
        for a single environment; it applies to all games that start from now on.
        """
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        if mask is None:
            games: Sequence[int] = range(self.num_envs)
        else:
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise UsageError(f"invalid reset_mask; expected an array of {self.num_envs} booleans")
            if not self._is_started and not mask.all():
                raise gymnasium.error.ResetNeeded("no game has started; reset all of them first")
            games = np.flatnonzero(mask).tolist()
        chosen = self._choice.read(options, self.num_envs)
        seeds = self._seeds(seed)
        for game in games:
            if seeds[game] is not None or self._generators[game] is None:
                self._generators[game] = seeding.np_random(seeds[game])
        boards = [(game, chosen[game]) for game in games]
        starts = [(game, self._draw_board(game) if board is None else board) for game, board in boards]
        self._games.start(starts)
        self._over[games] = False
        self._is_started, self._next_starts = True, None
        planes, infos = self._observe()
        return planes, self._add_starts(infos, starts)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Takes an array of actions, one for each game."""
        self._check_started()
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise UsageError(f"invalid actions; expected an array of {self.num_envs} integers, one for each game")
        if self._next_starts is None:
            over: list[int] = np.flatnonzero(self._over).tolist() if self._mode is AutoresetMode.NEXT_STEP else []
            self._next_starts = [(game, self._draw_board(game)) for game in over]
        starts = self._next_starts
        outcomes = self._games.step(actions.astype(np.int64).tobytes(), starts)
        self._next_starts = None
        rewards = np.frombuffer(outcomes[0], np.float64)
        terminated, truncated = (np.frombuffer(flags, np.bool_) for flags in outcomes[1:])
        self._over = terminated | truncated
        planes, infos = self._observe()
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            planes, infos, starts = self._restart_finished(planes, infos)
        return planes, rewards, terminated, truncated, self._add_starts(infos, starts)

    def render(self) -> tuple[str | np.ndarray, ...] | None:
        """Returns a rendering of each game in the ``render_mode``, or None."""
        self._check_started()
        return tuple(map(self._render_game, range(self.num_envs))) if self.render_mode is not None else None

    def board(self, game: int) -> Board:
        """Returns the current board of a game."""
        self._check_started()
        return self._games.board(game)

    def action_masks(self) -> np.ndarray:
        """Returns for each action whether it is legal now, one row per game."""
        self._check_started()
        return np.frombuffer(self._games.masks(), np.bool_).reshape(self.num_envs, -1)

    # One per game, as in Gymnasium's own vector environments, although the base class declares a single one.
    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The random number generator of each game."""
        return tuple(self._generator(game)[0] for game in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game."""
        return tuple(self._generator(game)[1] for game in range(self.num_envs))

    def _generator(self, game: int) -> tuple[np.random.Generator, int]:
        """Returns the generator of a game and its seed."""
        generator = self._generators[game]
        if generator is None:
            generator = self._generators[game] = seeding.np_random()
        return generator

    def _draw_board(self, game: int) -> int:
        return self._choice.draw(self._generator(game)[0])

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return range(int(seed), int(seed) + self.num_envs)
        if len(seed) != self.num_envs:
            raise UsageError(f"expected one seed or {self.num_envs}, got {len(seed)}")
        return seed

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        planes, masks, moves, distances = self._games.observe()
        infos: dict[str, Any] = {
            "action_mask": np.frombuffer(masks, np.int8).reshape(self.num_envs, -1),
            "moves": np.frombuffer(moves, np.int64),
        }
        infos |= {f"_{key}": np.ones(self.num_envs, np.bool_) for key in infos}
        if distances is not None:
            values = np.frombuffer(distances, np.int64)
            known = values >= 0
            if known.any():
                infos["distance"], infos["_distance"] = np.where(known, values, 0), known
        return np.frombuffer(planes, np.uint8).reshape(self.observation_space.shape), infos

    def _add_starts(self, infos: dict[str, Any], starts: list[tuple[int, int]]) -> dict[str, Any]:
        """Adds the boards of the games that have just started."""
        for key in ("board", "optimum"):
            values = [(game, self._starts[board][key]) for game, board in starts if key in self._starts[board]]
            if values:
                infos[key] = np.full(self.num_envs, None) if key == "board" else np.zeros(self.num_envs, np.int64)
                infos[f"_{key}"] = np.zeros(self.num_envs, np.bool_)
                for game, value in values:
                    infos[key][game] = value
                    infos[f"_{key}"][game] = True
        return infos

    def _restart_finished(
        self, planes: np.ndarray, infos: dict[str, Any]
    ) -> tuple[np.ndarray, dict[str, Any], list[tuple[int, int]]]:
        """Restarts finished games; their last observations and infos become ``final_obs`` and ``final_info``."""
        over = np.flatnonzero(self._over).tolist()
        starts = [(game, self._draw_board(game)) for game in over]
        self._games.start(starts)
        self._over = np.zeros(self.num_envs, np.bool_)
        new_planes, new_infos = self._observe()
        for game in over:
            last = {key: infos[key][game] for key in infos if not key.startswith("_") and infos[f"_{key}"][game]}
            final = {"final_obs": planes[game].copy(), "final_info": last}
            new_infos = self._add_info(new_infos, final, game)
        return new_planes, new_infos, starts


def _is_positive_integer(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and bool(1 <= number < 2**63)


def _start_info(board: Board, optimum: int | None) -> dict[str, Any]:
    """Returns the entries of ``info`` after a reset to a board."""
    return {"board": str(board)} | ({} if optimum is None else {"optimum": optimum})


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="clearway.gym:RushHourEnv",
        vector_entry_point="clearway.gym:RushHourVectorEnv",
        # Without wrappers, `gymnasium.make` returns the environment itself, with its own methods, such as `move_of`.
        # They would only repeat its checks.
        order_enforce=False,
        disable_env_checker=True,
    )
