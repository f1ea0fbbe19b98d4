"""New puzzles: packs, the methods ``backward``, ``random`` and ``climb``, and the enumeration of all puzzles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from clearway._command import Record, call
from clearway._native import Board
from clearway.errors import UsageError
from clearway.types import BoardLike, Level, Metric

Method = Literal["pack", "backward", "random", "climb"]


@dataclass(frozen=True)
class Puzzle:
    """A generated puzzle. Properties that its method does not determine are None."""

    board: Board
    #: Number of moves of a shortest solution.
    moves: int
    #: Minimum number of steps (cells slid) of any solution; the solution with the fewest moves may have more.
    steps: int | None = None
    #: Number of reachable states.
    states: int | None = None
    #: Largest distance of any reachable state to its nearest solved state, in moves.
    depth: int | None = None
    #: Difficulty for people; see :class:`Grade`.
    grade: Level | None = None
    #: A shortest solution.
    solution: tuple[str, ...] | None = None
    #: The complete record of the command.
    record: Record = field(default_factory=dict, compare=False, repr=False)

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()


def generate(
    method: Method = "pack",
    *,
    count: int | None = None,
    size: int | tuple[int, int] | str | None = None,
    exit: str | None = None,
    line: int | None = None,
    walls: int | None = None,
    seed: int | None = None,
    from_: int | BoardLike | Iterable[BoardLike] | None = None,
    to: int | None = None,
    out: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    threads: int | None = None,
    memory: float | str | None = None,
    on_puzzle: Callable[[Puzzle], object] | None = None,
    **options: Any,
) -> list[Puzzle]:
    """Generates puzzles; the same seed gives the same ones on every machine and for any number of threads.

    - ``pack``: ``count`` (100) different, minimal, graded puzzles with ``from_`` (6) to ``to`` (30) moves, from easy to
      hard by the predicted solving time; with ``level="expert"`` all of that level, with
      ``quota={"beginner": 20, "expert": 10}`` this number of each level
    - ``backward``: ``count`` (10) minimal puzzles with ``from_`` (8) to ``to`` (45) moves, found from solved boards;
      above 8x8, from random boards
    - ``random``: the solvable ones among ``count`` (1000) random boards with ``cars`` (9) cars and ``trucks`` (4)
      trucks
    - ``climb``: the best boards found by hill climbing, which applies small changes; ``budget``, ``evaluations``,
      ``ascents`` or ``target`` set when it ends, ``fitness`` what it maximises, and ``from_`` the boards to start from

    Defaults are in parentheses. Without ``size``, boards are 6x6 (8x8 for ``climb``); the default exit is on the right.
    The other ``options`` are those of ``clearway forge METHOD``. If fewer puzzles are found than requested, a warning
    is issued. With ``out``, the puzzles are written to files instead of being returned.

    >>> puzzles = generate("pack", count=3, size=5, from_=4, to=6, seed=7)
    >>> [puzzle.moves for puzzle in puzzles]
    [4, 5, 6]
    >>> all(puzzle.board.verify(*puzzle.solution) for puzzle in puzzles)
    True
    >>> puzzles = generate("pack", quota={"beginner": 2, "intermediate": 1}, seed=7)
    >>> [puzzle.grade for puzzle in puzzles]
    ['beginner', 'beginner', 'intermediate']
    >>> generate("random", count=20, cars=20, seed=1, size=4)
    Traceback (most recent call last):
        ...
    clearway.errors.UsageError: ...
    """
    methods = get_args(Method)
    if method not in methods:
        raise UsageError(f"unknown method {method!r}; expected one of {', '.join(methods)}")
    found: list[Puzzle] = []

    def on_record(record: Record) -> None:
        # The summary of random boards is not a puzzle.
        if "board" in record:
            puzzle = _puzzle(record)
            found.append(puzzle)
            if on_puzzle is not None:
                on_puzzle(puzzle)

    common = {
        "count": count,
        "size": size,
        "exit": exit,
        "line": line,
        "walls": walls,
        "seed": seed,
        "from": from_,
        "to": to,
        "out": out,
        "threads": threads,
        "memory": memory,
    }
    call(f"forge {method}", {**common, **options}, on_record=on_record)
    return found


def enumerate_shard(
    shard: int = 1,
    shards: int = 1,
    *,
    size: int | tuple[int, int] | str | None = None,
    exit: str | None = None,
    line: int | None = None,
    walls: int | None = None,
    metric: Metric = "moves",
    representative: Literal["minimal", "first"] | None = None,
    min_moves: int | None = None,
    budget: float | str | None = None,
    resume: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    out: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    threads: int | None = None,
    memory: float | str | None = None,
) -> list[Puzzle]:
    """Enumerates all minimal puzzles of a size, or one of several equal shards, numbered from 1; the hardest first.

    A component (boards that can be reached from each other) is represented by the first minimal one of its hardest
    boards; with ``representative="first"`` by the first of its hardest boards, and omitted if that is not minimal.

    All shards together contain all puzzles. ``resume`` is a file that stores finished work, from which an interrupted
    call continues. With ``out``, the puzzles are written to files (as a table if the name ends in ``.parquet``) instead
    of being returned: there are millions of 6x6 puzzles.

    >>> puzzles = enumerate_shard(size=4)
    >>> len(puzzles), puzzles[0].moves, puzzles[0].board
    (32, 7, Board('BB.CAA.CDEEED.FF'))
    >>> shards = [enumerate_shard(shard, 3, size=4) for shard in (1, 2, 3)]
    >>> {puzzle.board for shard in shards for puzzle in shard} == {puzzle.board for puzzle in puzzles}
    True
    >>> [len(enumerate_shard(size=5, representative=which)) for which in ("minimal", "first")]
    [1891, 1730]
    """
    options = {
        "shard": f"{shard}/{shards}",
        "size": size,
        "exit": exit,
        "line": line,
        "walls": walls,
        "metric": metric,
        "representative": representative,
        "min_moves": min_moves,
        "budget": budget,
        "resume": resume,
        "out": out,
        "threads": threads,
        "memory": memory,
    }
    return [_puzzle(record) for record in call("forge enumerate", options) if "board" in record]


def _puzzle(record: Record) -> Puzzle:
    solution = record.get("solution")
    return Puzzle(
        board=Board(record["board"], name=record.get("name")),
        moves=record["moves"],
        steps=record.get("steps"),
        states=record.get("states"),
        depth=record.get("depth"),
        grade=record.get("grade"),
        solution=None if solution is None else tuple(solution),
        record=record,
    )
