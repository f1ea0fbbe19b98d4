"""New puzzles: packs, boards by chance, backwards and by climbing, and all there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from clearway._command import Record, call
from clearway._native import Board
from clearway.solving import Metric

Method = Literal["pack", "backward", "random", "climb"]


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that was made. What its method does not find out is None."""

    board: Board
    #: The moves of a shortest solution.
    moves: int
    #: The fewest steps (cells slid) of a solution; of :func:`enumerate_shard`, those of its kind of shortest solution.
    steps: int | None = None
    #: The states that can be reached.
    states: int | None = None
    #: The moves from the state farthest from any solved one to the nearest of those.
    depth: int | None = None
    #: How hard it is for people, in a word.
    grade: str | None = None
    #: A shortest solution.
    solution: tuple[str, ...] | None = None
    #: All that was said of it.
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
    from_: int | Board | str | Iterable[Board | str] | None = None,
    to: int | None = None,
    out: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    on_puzzle: Callable[[Puzzle], object] | None = None,
    **options: Any,
) -> list[Puzzle]:
    """New puzzles; the same seed gives the same ones on every machine and for any number of threads.

    - ``pack``: graded, all different, minimal, from easy to hard: ``count`` of them (100) with ``from_`` (6) to ``to``
      (30) moves
    - ``backward``: minimal puzzles from solved boards: ``count`` (10) with ``from_`` (8) to ``to`` (45) moves
    - ``random``: the solvable ones among ``count`` (1000) boards with so many ``cars`` (9) and ``trucks`` (4)
    - ``climb``: the best of boards changed a little again and again; ``budget``, ``evaluations``, ``ascents`` or
      ``target`` say when it ends, ``fitness`` what is better, ``from_`` which boards it begins with

    Boards are 6x6 (of ``climb`` 8x8) if no ``size`` is given, and have the exit on the right. The other ``options`` are
    those of ``clearway forge METHOD``. If fewer puzzles are found than asked for there is a warning. With ``out`` the
    puzzles are written to files, as the command does it, instead of being returned.

    >>> puzzles = generate("pack", count=3, size=5, from_=4, to=6, seed=7)
    >>> [puzzle.moves for puzzle in puzzles]
    [4, 5, 6]
    >>> all(puzzle.board.verify(*puzzle.solution) for puzzle in puzzles)
    True
    >>> generate("random", count=20, cars=20, seed=1, size=4)
    Traceback (most recent call last):
        ...
    clearway.errors.UsageError: ...
    """
    found: list[Puzzle] = []

    def take(record: Record) -> None:
        # The report of random boards is no puzzle.
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
    call(f"forge {method}", {**common, **options}, on_record=take)
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
    memory: int | str | None = None,
) -> list[Puzzle]:
    """One of several equal shares, counted from 1, of the search for all minimal puzzles of a size; the hardest first.

    A component of boards that can be played into each other is represented by the first minimal one of its hardest
    boards; with ``representative="first"`` by the first of them, and left out if that is not minimal.

    All shares together are all puzzles. ``resume`` is a file that keeps what is done, and goes on from it. With ``out``
    the puzzles are written to files (a table if one ends in ``.parquet``) instead of being returned: of 6x6 there are
    millions.

    >>> puzzles = enumerate_shard(size=4)
    >>> len(puzzles), puzzles[0].moves, puzzles[0].board
    (32, 7, Board('BB.CAA.CDEEED.FF'))
    >>> shares = [enumerate_shard(shard, 3, size=4) for shard in (1, 2, 3)]
    >>> {puzzle.board for share in shares for puzzle in share} == {puzzle.board for puzzle in puzzles}
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
