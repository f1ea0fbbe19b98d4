"""Rush Hour as an environment of Gymnasium, for programs that learn to play: one game, or thousands at a time.

Importing this module registers ``clearway/RushHour-v0``; Gymnasium imports it if its name stands before that:

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
from typing import Any

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    text = "clearway.gym needs Gymnasium and NumPy: pip install 'clearway[gym]' installs them"
    raise ModuleNotFoundError(text, name=error.name) from error

from clearway import _native
from clearway._command import call
from clearway._native import Board
from clearway.boards import read_text
from clearway.boards import suite as suite_boards
from clearway.errors import UsageError

__all__ = ["ID", "RushHourEnv", "RushHourVectorEnv"]

#: The name of the environment.
ID = "clearway/RushHour-v0"

#: The side of a cell in a picture of pixels.
_CELL = 24


class _RushHour:
    """What one game and many have in common: the options, the boards, the spaces and the pictures."""

    #: How many games there are.
    _number = 1
    render_mode: str | None

    def __init__(
        self,
        *,
        suite: str | Iterable[str] | None = None,
        boards: Board | str | Iterable[Board | str] | None = None,
        generate: Mapping[str, Any] | None = None,
        metric: str = "moves",
        reward: str = "moves",
        illegal: str = "stay",
        penalty: float = 1.0,
        max_moves: int | None = 200,
        shape: tuple[int, int, int] | None = None,
        max_states: int = 5_000_000,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("stay", "refuse"):
            raise UsageError(f"there is no way '{illegal}' to take illegal actions: stay and refuse are there")
        if render_mode is not None and render_mode not in RushHourEnv.metadata["render_modes"]:
            raise UsageError(f"there is no render_mode '{render_mode}': ansi and rgb_array are there")
        numbers = {"num_envs": self._number, "max_moves": max_moves, "max_states": max_states}
        for name, number in numbers.items():
            if not (_is_count(number) or (name == "max_moves" and number is None)):
                raise UsageError(f"{name} is a whole number from 1 on, and not {number!r}")
        if shape is not None and not (isinstance(shape, Sequence) and len(shape) == 3 and all(map(_is_count, shape))):
            raise UsageError(f"shape is the number of channels, the height and the width, and not {shape!r}")
        if not isinstance(penalty, (int, float, np.number)) or not np.isfinite(penalty):
            raise UsageError(f"penalty is a finite number, and not {penalty!r}")
        settings = {
            "games": self._number,
            "metric": str(metric),
            "reward": str(reward),
            "max_moves": max_moves,
            "penalty": float(penalty) if illegal == "stay" else None,
            "shape": None if shape is None else tuple(shape),
            "max_states": max_states,
        }
        self.render_mode = render_mode
        self._is_begun = False
        self._games = _native.Environment(_boards(suite, boards, generate), settings)
        #: What is told of each board when a game begins with it.
        self._starts = [_start_info(*start) for start in zip(self._games.boards, self._games.optima, strict=True)]
        self._shape = self._games.shape
        self._has_distance = reward == "distance"
        # Of one game; many at a time have the batched ones, and these beside them.
        self.observation_space: spaces.Space[Any] = spaces.Box(0, 1, self._shape, np.uint8)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self._games.actions)

    @property
    def boards(self) -> list[Board]:
        """The boards that games begin with."""
        return self._games.boards

    def _check_begun(self) -> None:
        if not self._is_begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset first")

    def _choose(self, generator: np.random.Generator, options: Mapping[str, Any]) -> int:
        """The number of the board that a game begins with: the one asked for, or one at random."""
        if not options:
            return int(generator.integers(len(self._starts)))
        unknown = set(options) - {"board"}
        if unknown:
            raise UsageError(f"reset has no option '{min(unknown)}': board is there, the number of a board")
        board = options["board"]
        if board not in range(len(self._starts)):
            raise UsageError(f"there is no board {board}: they are numbered from 0 to {len(self._starts) - 1}")
        return int(board)

    def _picture(self, game: int) -> str | np.ndarray:
        """A game in the render mode, of which there must be one."""
        if self.render_mode == "ansi":
            return self._games.ansi(game)
        return _pixels(self._games.board(game), self._games.colours(game), self._games.shape)


class RushHourEnv(_RushHour, gymnasium.Env[np.ndarray, np.int64]):
    """A game of Rush Hour.

    **Boards**, one of:

    - ``suite``: the name of a suite, or several names; if nothing is given, the forty cards
    - ``boards``: boards, or texts of boards
    - ``generate``: options of ``clearway forge backward``, such as ``{"from": 6, "to": 12, "size": 6, "seed": 1}``.
      As many puzzles as ``count`` says (100 if it does not) are made at once, and every game begins with one of them.

    Every ``reset`` draws one of the boards, or takes the one whose number is in ``options={"board": number}``.

    **Observations** are planes of zeros and ones (channels, height, width): the walls, the cell at the exit, and a
    plane for each vehicle, the target's first. They are as large as the largest board needs, or larger if ``shape``
    says so; what is outside a small board is wall, and the planes of vehicles that it does not have are empty.

    **Actions** are numbers: for each vehicle, in the order of the planes, the slides left or up from the longest to the
    shortest, and then those right or down from the shortest to the longest. With ``metric="steps"`` a vehicle moves by
    one cell only. ``info["action_mask"]`` and :meth:`action_masks` tell which are possible. One that is not changes
    nothing, counts as a move and costs ``penalty``; with ``illegal="refuse"`` it is an error.

    **Rewards** of a move:

    - ``reward="moves"``: -1
    - ``reward="cells"``: minus the number of cells
    - ``reward="solved"``: 1 if it solves the board, otherwise 0
    - ``reward="distance"``: by how much it decreases the true distance to the nearest solved state, in moves or in
      steps. The distances of all states that can be reached are worked out when the environment is made; boards
      with more than ``max_states`` of them are refused, and those without a solution.

    A game ends when it is solved (``terminated``), or after ``max_moves`` (``truncated``); with None it may go on for
    ever.

    ``info`` has the ``action_mask``, the number of ``moves`` and, if it is the reward, the ``distance``; after a reset
    also the ``board`` in one line, and the ``optimum``, the length of its shortest solutions, if it is known.

    >>> env = RushHourEnv(boards="4x4:....AAB...B.....", reward="distance")
    >>> planes, info = env.reset()
    >>> info["distance"], [env.move_of(action) for action in info["action_mask"].nonzero()[0]]
    (2, ['B-1', 'B+1'])
    >>> planes, reward, terminated, truncated, info = env.step(env.action_of("B+1"))
    >>> reward, terminated, env.board
    (1.0, False, Board('....AA....B...B.'))
    """

    # Gymnasium declares it as an attribute of instances, which may differ.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a game: with the board whose number is in ``options={"board": number}``, or with one at random."""
        super().reset(seed=seed)
        board = self._choose(self.np_random, options or {})
        self._games.start([(0, board)])
        self._is_begun = True
        planes, mask, _, distances = self._games.observe()
        info = {"action_mask": np.frombuffer(mask, np.int8), "moves": 0, **self._starts[board]}
        if distances is not None:
            info["distance"] = int(np.frombuffer(distances, np.int64)[0])
        return np.frombuffer(planes, np.uint8).reshape(self._shape), info

    def step(self, action: int | np.integer) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Makes the move of an action."""
        self._check_begun()
        planes, mask, moves, distance, reward, terminated, truncated = self._games.step_one(index(action))
        info = {"action_mask": np.frombuffer(mask, np.int8), "moves": moves}
        if self._has_distance:
            info["distance"] = distance
        return np.frombuffer(planes, np.uint8).reshape(self._shape), reward, terminated, truncated, info

    def render(self) -> str | np.ndarray | None:
        """The board as text for a terminal, or as an array of pixels, as ``render_mode`` says."""
        self._check_begun()
        return None if self.render_mode is None else self._picture(0)

    @property
    def board(self) -> Board:
        """The board as it stands."""
        self._check_begun()
        return self._games.board(0)

    def action_masks(self) -> np.ndarray:
        """Which actions are possible now."""
        self._check_begun()
        return np.frombuffer(self._games.masks(), np.bool_)

    def move_of(self, action: int | np.integer) -> str:
        """The move of an action, such as ``A+2``."""
        self._check_begun()
        return self._games.move_of(0, index(action))

    def action_of(self, move: str) -> int:
        """The action of a move, such as ``A+2``."""
        self._check_begun()
        return self._games.action_of(0, move)

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_() if self._is_begun else None


class RushHourVectorEnv(_RushHour, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games of Rush Hour at a time, with the options of :class:`RushHourEnv`.

    Game ``i`` is the one of a :class:`RushHourEnv` that was reset with the seed ``seed + i``. A game that is over
    begins anew as ``autoreset_mode`` says: with the next step, whose action it ignores (``NextStep``, the default),
    with the same step (``SameStep``; ``final_obs`` and ``final_info`` tell how it ended), or not by itself
    (``Disabled``). The entries of ``infos`` are arrays with an element for each game.

    >>> envs = gymnasium.make_vec("clearway/RushHour-v0", num_envs=3)
    >>> planes, infos = envs.reset(seed=1)
    >>> planes.shape, infos["action_mask"].shape
    ((3, 16, 6, 6), (3, 112))
    >>> planes, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
    >>> rewards
    array([-1., -1., -1.])
    """

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
            raise UsageError(f"there is no autoreset_mode '{autoreset_mode}': there are {modes}") from None
        self.num_envs = self._number = num_envs
        super().__init__(**options)
        self.metadata = {**RushHourEnv.metadata, "autoreset_mode": self._mode}
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randomness: list[tuple[np.random.Generator, int] | None] = [None] * num_envs
        self._over = np.zeros(num_envs, np.bool_)
        #: The games that begin anew with the next step, and their boards, once they are drawn.
        self._next: list[tuple[int, int]] | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all games, or those for which ``options={"reset_mask": array}`` is true."""
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        if mask is None:
            games: Sequence[int] = range(self.num_envs)
        else:
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise UsageError(f"reset_mask is an array of {self.num_envs} truth values")
            if not self._is_begun and not mask.all():
                raise gymnasium.error.ResetNeeded("no game has begun: reset all of them first")
            games = np.flatnonzero(mask).tolist()
        seeds = self._seeds(seed)
        for game in games:
            if seeds[game] is not None or self._randomness[game] is None:
                self._randomness[game] = seeding.np_random(seeds[game])
        starts = [(game, self._draw(game, options)) for game in games]
        self._games.start(starts)
        self._over[games] = False
        self._is_begun, self._next = True, None
        planes, infos = self._observe()
        return planes, self._add_starts(infos, starts)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Makes the moves of an array of actions, one for each game."""
        self._check_begun()
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise UsageError(f"{self.num_envs} actions are expected, an integer for each game")
        if self._next is None:
            over: list[int] = np.flatnonzero(self._over).tolist() if self._mode is AutoresetMode.NEXT_STEP else []
            self._next = [(game, self._draw(game)) for game in over]
        starts = self._next
        outcomes = self._games.step(actions.astype(np.int64).tobytes(), starts)
        self._next = None
        rewards = np.frombuffer(outcomes[0], np.float64)
        terminated, truncated = (np.frombuffer(flags, np.bool_) for flags in outcomes[1:])
        self._over = terminated | truncated
        planes, infos = self._observe()
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            planes, infos, starts = self._start_ended(planes, infos)
        return planes, rewards, terminated, truncated, self._add_starts(infos, starts)

    def render(self) -> tuple[str | np.ndarray, ...] | None:
        """A picture of each game, as ``render_mode`` says."""
        self._check_begun()
        return tuple(map(self._picture, range(self.num_envs))) if self.render_mode is not None else None

    def board(self, game: int) -> Board:
        """The board of a game, as it stands."""
        self._check_begun()
        return self._games.board(game)

    def action_masks(self) -> np.ndarray:
        """Which actions are possible now, a row for each game."""
        self._check_begun()
        return np.frombuffer(self._games.masks(), np.bool_).reshape(self.num_envs, -1)

    # One for each game, as in Gymnasium's own environments of many games; only the base class declares a single one.
    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """Where the randomness of each game comes from."""
        return tuple(self._random(game)[0] for game in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game."""
        return tuple(self._random(game)[1] for game in range(self.num_envs))

    def _random(self, game: int) -> tuple[np.random.Generator, int]:
        randomness = self._randomness[game]
        if randomness is None:
            randomness = self._randomness[game] = seeding.np_random()
        return randomness

    def _draw(self, game: int, options: Mapping[str, Any] | None = None) -> int:
        return self._choose(self._random(game)[0], options or {})

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return range(int(seed), int(seed) + self.num_envs)
        if len(seed) != self.num_envs:
            raise UsageError(f"{self.num_envs} seeds are expected, or one")
        return seed

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        planes, masks, moves, distances = self._games.observe()
        infos: dict[str, Any] = {
            "action_mask": np.frombuffer(masks, np.int8).reshape(self.num_envs, -1),
            "moves": np.frombuffer(moves, np.int64),
        }
        if distances is not None:
            infos["distance"] = np.frombuffer(distances, np.int64)
        infos |= {f"_{key}": np.ones(self.num_envs, np.bool_) for key in infos}
        return np.frombuffer(planes, np.uint8).reshape(self.observation_space.shape), infos

    def _add_starts(self, infos: dict[str, Any], starts: list[tuple[int, int]]) -> dict[str, Any]:
        """Tells which boards the games that began have."""
        for key in ("board", "optimum"):
            told = [(game, self._starts[board][key]) for game, board in starts if key in self._starts[board]]
            if told:
                infos[key] = np.full(self.num_envs, None) if key == "board" else np.zeros(self.num_envs, np.int64)
                infos[f"_{key}"] = np.zeros(self.num_envs, np.bool_)
                for game, value in told:
                    infos[key][game] = value
                    infos[f"_{key}"][game] = True
        return infos

    def _start_ended(
        self, planes: np.ndarray, infos: dict[str, Any]
    ) -> tuple[np.ndarray, dict[str, Any], list[tuple[int, int]]]:
        """Begins anew what is over, and keeps how it ended."""
        over = np.flatnonzero(self._over).tolist()
        starts = [(game, self._draw(game)) for game in over]
        self._games.start(starts)
        self._over = np.zeros(self.num_envs, np.bool_)
        begun, begun_infos = self._observe()
        for game in over:
            last = {key: value[game] for key, value in infos.items() if not key.startswith("_")}
            final = {"final_obs": planes[game].copy(), "final_info": last}
            begun_infos = self._add_info(begun_infos, final, game)
        return begun, begun_infos, starts


def _is_count(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and bool(1 <= number < 2**63)


def _start_info(board: Board, optimum: int | None) -> dict[str, Any]:
    """What is told of a board when a game begins with it."""
    return {"board": str(board)} | ({} if optimum is None else {"optimum": optimum})


def _boards(
    suite: str | Iterable[str] | None,
    boards: Board | str | Iterable[Board | str] | None,
    generate: Mapping[str, Any] | None,
) -> list[Board]:
    """The boards of the options that say which."""
    if sum(option is not None for option in (suite, boards, generate)) > 1:
        raise UsageError("suite, boards and generate exclude each other: give one of them")
    if generate is not None:
        if not isinstance(generate, Mapping):
            raise UsageError('generate is a dict of options of clearway forge backward, such as {"from": 6, "to": 12}')
        records = call("forge backward", {"count": 100, **generate})
        return [board for record in records for board in read_text(f"{record['moves']} {record['board']}")]
    if boards is not None:
        several = list(boards) if isinstance(boards, Iterable) and not isinstance(boards, str) else [boards]
        for one in several:
            if not isinstance(one, (Board, str)):
                raise UsageError(f"a board or a text is expected, and not {one!r}")
        return [board for one in several for board in ([one] if isinstance(one, Board) else read_text(one))]
    names = ["cards"] if suite is None else [suite] if isinstance(suite, str) else list(suite)
    return [board for name in names for board in suite_boards(name)]


def _pixels(board: Board, colours: list[tuple[int, int, int]], shape: tuple[int, int, int]) -> np.ndarray:
    """A picture of a board, as large as that of the largest."""
    _, height, width = shape
    picture = np.full((height * _CELL, width * _CELL, 3), 64, np.uint8)

    def fill(x: int, y: int, cells: tuple[int, int], colour: int | tuple[int, int, int]) -> None:
        wide, high = cells
        picture[y * _CELL + 1 : (y + high) * _CELL - 1, x * _CELL + 1 : (x + wide) * _CELL - 1] = colour

    for x, y in np.ndindex(board.width, board.height):
        fill(x, y, (1, 1), 232)
    for x, y in board.walls:
        fill(x, y, (1, 1), 64)
    for (_, x, y, length, way), colour in zip(board.vehicles, colours, strict=True):
        fill(x, y, (length, 1) if way == "horizontal" else (1, length), colour)
    return picture


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="clearway.gym:RushHourEnv", vector_entry_point="clearway.gym:RushHourVectorEnv")
