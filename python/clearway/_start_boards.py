"""The boards that games of :mod:`clearway.gym` start with, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np

from clearway._command import as_board, call, is_board
from clearway._native import Board
from clearway.boards import read_text
from clearway.boards import suite as suite_boards
from clearway.errors import UsageError
from clearway.grading import grade_many
from clearway.types import BoardLike, Level


def start_boards(
    suite: str | Iterable[str] | None,
    boards: BoardLike | Iterable[BoardLike] | None,
    generate: Mapping[str, Any] | None,
) -> list[Board]:
    """Returns the boards that the options select; at most one option may be given."""
    if sum(option is not None for option in (suite, boards, generate)) > 1:
        raise UsageError("suite, boards and generate exclude each other; give only one of them")
    if generate is not None:
        if not isinstance(generate, Mapping):
            raise UsageError('invalid generate; expected a dict of options of forge backward, such as {"from": 6}')
        if {"level", "quota"} & set(generate):
            return [Board(record["board"]) for record in call("forge pack", dict(generate)) if "board" in record]
        records = call("forge backward", {"count": 100, **generate})
        return [board for record in records for board in read_text(f"{record['moves']} {record['board']}")]
    if boards is not None:
        several: list[Any] = [boards] if is_board(boards) or not isinstance(boards, Iterable) else list(boards)
        for one in several:
            if not is_board(one):
                raise UsageError(f"invalid board {one!r}; expected a Board or a text")
        return [board for one in several for board in (read_text(one) if isinstance(one, str) else [as_board(one)])]
    names = ["cards"] if suite is None else [suite] if isinstance(suite, str) else list(suite)
    return [board for name in names for board in suite_boards(name)]


class BoardChoice:
    """Chooses the boards of new games: among all boards, or among those of some levels."""

    def __init__(self, boards: list[Board]) -> None:
        self.boards = boards
        self._levels: list[Level | None] | None = None
        #: The boards that games without a board of their own start with.
        self._among: np.ndarray = np.arange(len(boards))

    @property
    def levels(self) -> list[Level | None]:
        """The level of each board; None if it has no solution."""
        if self._levels is None:
            self._levels = [grade.level for grade in grade_many(self.boards, machine=False)]
        return self._levels

    def draw(self, generator: np.random.Generator) -> int:
        """Returns a random board."""
        return int(self._among[generator.integers(len(self._among))])

    def read(self, options: Mapping[str, Any], games: int | None = None) -> list[int | None]:
        """Applies the options of a reset; returns the board of each game, None for a random one."""
        unknown = set(options) - {"board", "level"}
        if unknown:
            raise UsageError(f"unknown option '{min(unknown)}' of reset; expected board or level")
        chosen = self._chosen(options.get("board"), games)
        if "level" in options:
            self._restrict(options["level"])
        return chosen

    def _chosen(self, board: Any, games: int | None) -> list[int | None]:
        if games is None:
            return [self._number(board)]
        if board is None or isinstance(board, (int, np.integer, str)):
            return [self._number(board)] * games
        several = list(board)
        if len(several) != games:
            raise UsageError(f"expected a board, or {games}, one for each game, got {len(several)}")
        return [self._number(one) for one in several]

    def _number(self, board: Any) -> int | None:
        """Returns the number of a board, given by its number or its name."""
        if board is None:
            return None
        if isinstance(board, str):
            for number, one in enumerate(self.boards):
                if one.name == board:
                    return number
            raise UsageError(f"no board is named '{board}'")
        if board not in range(len(self.boards)):
            raise UsageError(f"board {board} does not exist; boards are numbered from 0 to {len(self.boards) - 1}")
        return int(board)

    def _restrict(self, level: Any) -> None:
        """Draws from the boards of a level, of several levels, or for None from all."""
        if level is None:
            self._among = np.arange(len(self.boards))
            return
        wanted = [level] if isinstance(level, str) else list(level)
        for one in wanted:
            if one not in get_args(Level):
                raise UsageError(f"unknown level '{one}'; expected one of {', '.join(get_args(Level))}")
        among = np.array([number for number, one in enumerate(self.levels) if one in wanted], np.int64)
        if not among.size:
            raise UsageError(f"no board has the level {' or '.join(wanted)}")
        self._among = among
