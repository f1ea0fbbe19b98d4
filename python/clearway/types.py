"""Types of arguments and results, for annotations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, Protocol, TypeAlias

from clearway._native import Board

__all__ = ["BoardLike", "HasArray", "HasBoard", "Level", "Limit", "Metric", "Reward", "Status", "TimeLimit"]

#: What is minimised: ``moves`` (a slide of any length counts 1) or ``steps`` (each cell counts 1).
Metric = Literal["moves", "steps"]
#: The result for a board: ``unsolvable`` is proven, ``limit`` means that a limit was reached first.
Status = Literal["solved", "unsolvable", "limit"]
#: The limit that was reached; ``incomplete`` if the algorithm gave up.
Limit = Literal["nodes", "time", "memory", "incomplete"]
#: The reward of a move in :mod:`clearway.gym`.
Reward = Literal["moves", "cells", "solved", "distance"]
#: The difficulty of a puzzle for people.
Level = Literal["beginner", "intermediate", "advanced", "expert", "fiendish"]


class HasBoard(Protocol):
    """A result with a board, such as :class:`clearway.Puzzle` or :class:`clearway.Answer`."""

    @property
    def board(self) -> Board: ...


class HasArray(Protocol):
    """A NumPy array of cells; see :meth:`clearway.Board.from_array`."""

    def __array__(self) -> Any: ...


#: Everything that is accepted as a board: a board, a text in any format, a result with a board, or an array of cells.
BoardLike: TypeAlias = Board | str | HasBoard | HasArray
#: A time: seconds, a text such as ``500ms``, or a ``timedelta``.
TimeLimit: TypeAlias = float | str | timedelta
