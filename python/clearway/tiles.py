"""Sliding tiles: boards from 2x2 to 5x5, their shortest solutions, and programs that solve them.

A board is its tiles row by row, the blank as 0: ``867254301``, with letters from 10 on, or numbers between spaces and
rows between slashes, as in ``2 8 3 / 1 6 4 / 7 0 5``. A solution is the moves of the blank: u (up), d (down), l (left)
and r (right).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Union

from clearway._command import Record, call
from clearway._runs import breed
from clearway.policies import flat

__all__ = ["Answer", "Program", "Run", "Test", "evolve", "random", "solve", "solve_many", "test"]


@dataclass(frozen=True)
class Program:
    """A program that solves boards of tiles, as :func:`evolve` breeds them."""

    text: str

    def __str__(self) -> str:
        return self.text


#: A program, the name of one that comes with clearway (``tiles-3x3``, ``tiles-4x4``), or a file.
ProgramLike = Union[Program, str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Answer:
    """The answer to a board of tiles. Of a program's answer, what only a search knows is None."""

    board: str
    #: ``solved``, ``unsolvable`` or ``limit``; of a program also ``unsolved``.
    status: str
    #: The number of moves of the solution, or None.
    moves: int | None
    #: The moves of the blank: u, d, l and r; or None.
    solution: str | None
    #: Wall-clock time.
    seconds: float
    #: Whether the solution is proven shortest.
    optimal: bool = False
    #: States whose successors were made.
    expanded: int | None = None
    #: Nodes generated, new or not: the start and all successors.
    generated: int | None = None
    #: How it was found.
    algorithm: str | None = None
    #: No solution is shorter than this; None if that is not known, or there is none at all.
    lower_bound: int | None = None
    #: Only with the status ``limit`` of a search: ``nodes``, ``time`` or ``memory``.
    limit: str | None = None
    #: How often the program was run.
    rounds: int | None = None


@dataclass(frozen=True)
class Test:
    """What moves do to a board of tiles."""

    board: str
    #: Whether every move is possible.
    legal: bool
    #: Whether the board is solved after the last move.
    solved: bool
    #: The number of moves, or None if one is not possible.
    moves: int | None
    #: The board after the last move, or None if one is not possible.
    end: str | None
    #: The measure of that board by Barnes, Hasan and Lee, 0 if it is solved; or None.
    h: int | None
    #: Only if a move is not possible: its place in the sequence, from 1.
    failed: int | None = None


@dataclass(frozen=True)
class Run:
    """A run that bred a program."""

    #: Where the run is kept: settings, log, checkpoints, the champion, and ``report.html``, a page about it all.
    folder: Path
    champion: Program = field(repr=False)
    #: A row for each generation, which pandas takes.
    generations: list[Record] = field(repr=False)
    #: A row for each set of boards that the champion was examined on.
    tests: list[Record] = field(repr=False)


def solve(
    board: str,
    *,
    goal: str | None = None,
    program: ProgramLike | None = None,
    move_limit: int | None = None,
    node_limit: int | None = None,
    time_limit: float | str | None = None,
    memory: int | str | None = None,
) -> Answer:
    """A shortest solution of a board of tiles; or with ``program``, the one that the program finds.

    >>> solve("867254301").moves
    31
    >>> solve("867254301", program="tiles-3x3").optimal
    False
    """
    (answer,) = solve_many(
        [board],
        goal=goal,
        program=program,
        move_limit=move_limit,
        node_limit=node_limit,
        time_limit=time_limit,
        memory=memory,
    )
    return answer


def solve_many(
    boards: Iterable[str],
    *,
    goal: str | None = None,
    program: ProgramLike | None = None,
    move_limit: int | None = None,
    threads: int | None = None,
    node_limit: int | None = None,
    time_limit: float | str | None = None,
    memory: int | str | None = None,
) -> list[Answer]:
    """The answers to many boards, in their order, on all cores or on so many ``threads``.

    >>> [answer.status for answer in solve_many(["123456708", "123456870"])]
    ['solved', 'unsolvable']
    """
    boards = [boards] if isinstance(boards, str) else list(boards)
    if not boards:
        return []
    options = {
        "goal": goal,
        "move_limit": move_limit,
        "threads": threads,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
    }
    # The end of the line keeps a board from being taken for the name of a file.
    texts = [f"{board}\n" for board in boards]
    with _as_file(program) as file:
        return [Answer(**record) for record in call("tiles solve", {**options, "program": file}, texts)]


def test(board: str, moves: str, *, goal: str | None = None) -> Test:
    """What moves do to a board, by code that no solver shares.

    >>> test("123456708", "r").solved
    True
    >>> test("123456708", "d").failed
    1
    """
    (record,) = call("tiles test", {"goal": goal}, [board, moves])
    return Test(**record)


def random(
    *, size: tuple[int, int] | str | None = None, count: int | None = None, seed: int | None = None
) -> list[str]:
    """Random boards, all of which can be solved; the same seed gives the same ones.

    >>> random(count=2)
    ['260175348', '248056371']
    """
    return [record["board"] for record in call("tiles random", {"size": size, "count": count, "seed": seed})]


def evolve(
    *,
    preset: Literal["default", "paper"] | None = None,
    experiment: Literal["a", "b", "c", "d"] | None = None,
    size: tuple[int, int] | str | None = None,
    seed: int | None = None,
    generations: int | None = None,
    population: int | None = None,
    budget: float | str | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    on_generation: Callable[[Record], object] | None = None,
) -> Run:
    """Breeds a program that solves boards of tiles; the options are those of ``clearway tiles evolve``.

    Folders, Ctrl-C and ``on_generation`` are as for :func:`clearway.evolve`.

    >>> run = evolve(size="2x2", generations=2, population=20, seed=1)
    >>> solve("3120", program=run.champion).status
    'solved'
    """
    options = {
        "preset": preset,
        "experiment": experiment,
        "size": size,
        "seed": seed,
        "generations": generations,
        "population": population,
        "budget": budget,
        "threads": threads,
        "memory": memory,
    }
    folder, end, log = breed("tiles evolve", options, out, resume, on_generation)
    champion = Program((folder / "champion.program").read_text(encoding="utf-8"))
    return Run(folder, champion, log, [flat(tested) for tested in end["tests"]])


@contextmanager
def _as_file(program: ProgramLike | None) -> Iterator[str | None]:
    """What the command takes for a program."""
    if not isinstance(program, Program):
        yield None if program is None else os.fspath(program)
        return
    with TemporaryDirectory(prefix="clearway-") as folder:
        file = Path(folder, "program")
        file.write_text(program.text, encoding="utf-8")
        yield str(file)
