"""Sliding tiles: boards from 2x2 to 5x5, their shortest solutions, and programs that solve them.

A board lists its tiles row by row, with 0 for the blank and letters for tiles from 10: ``867254301``. Numbers separated
by spaces, with slashes between rows, are accepted as well: ``2 8 3 / 1 6 4 / 7 0 5``. A solution lists the moves of the
blank: u (up), d (down), l (left) and r (right).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Union

from clearway._command import Record, call, write_file
from clearway._rows import flat
from clearway._runs import run_evolution
from clearway.types import Limit, TimeLimit

__all__ = ["Answer", "Program", "Run", "Test", "evolve", "random", "solve", "solve_many", "test"]


@dataclass(frozen=True)
class Program:
    """A program that solves boards of tiles, as :func:`evolve` produces them."""

    text: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the program to a file, which every function accepts as a program; returns the path."""
        return write_file(path, self.text)

    def __str__(self) -> str:
        return self.text


#: A program, the name of a built-in one (``tiles-3x3``, ``tiles-4x4``), or a file.
ProgramLike = Union[Program, str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Answer:
    """The result of solving a board of tiles. For a program, values that only a search determines are None."""

    board: str
    #: ``unsolved`` is the result of a program only.
    status: Literal["solved", "unsolvable", "limit", "unsolved"]
    #: Number of moves of the solution, or None.
    moves: int | None
    #: The moves of the blank: u, d, l and r; or None.
    solution: str | None
    #: Wall-clock time in seconds.
    seconds: float
    #: Whether the solution is proven to be shortest.
    optimal: bool = False
    #: Number of expanded nodes: nodes whose successors were generated.
    expanded: int | None = None
    #: Number of generated nodes, including duplicates: the start and all successors.
    generated: int | None = None
    #: The algorithm that solved the board.
    algorithm: str | None = None
    #: Lower bound on the length of solutions; None if it is not known, or if the board is unsolvable.
    lower_bound: int | None = None
    #: Only for a search with the status ``limit``.
    limit: Limit | None = None
    #: Number of times that the program was run.
    rounds: int | None = None


@dataclass(frozen=True)
class Test:
    """The effect of moves on a board of tiles."""

    board: str
    #: Whether all moves are legal.
    legal: bool
    #: Whether the board is solved after the last move.
    solved: bool
    #: Number of moves, or None if one is illegal.
    moves: int | None
    #: The board after the last move, or None if a move is illegal.
    end: str | None
    #: The heuristic value of that board by Barnes, Hasan and Lee, 0 if it is solved; None if a move is illegal.
    h: int | None
    #: Only if a move is illegal: its position in the sequence, counted from 1.
    failed: int | None = None


@dataclass(frozen=True)
class Run:
    """A run of evolution that produces a program."""

    #: The folder of the run, with its settings, log, checkpoints, champion and ``report.html``.
    folder: Path
    champion: Program = field(repr=False)
    #: A row for each generation, for ``pandas.DataFrame``.
    generations: list[Record] = field(repr=False)
    #: A row for each test set of the champion.
    tests: list[Record] = field(repr=False)


def solve(
    board: str,
    *,
    goal: str | None = None,
    program: ProgramLike | None = None,
    move_limit: int | None = None,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> Answer:
    """Finds a shortest solution of a board of tiles; with ``program``, the solution that the program finds.

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
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> list[Answer]:
    """Solves many boards on all cores, or with ``threads`` threads; returns the answers in the order of the boards.

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
    # The line break keeps a board from being taken for the name of a file.
    texts = [f"{board}\n" for board in boards]
    with _as_file(program) as file:
        return [Answer(**record) for record in call("tiles solve", {**options, "program": file}, texts)]


def test(board: str, moves: str, *, goal: str | None = None) -> Test:
    """Plays moves on a board, with code that is independent of the solvers.

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
    """Returns random solvable boards; the same seed gives the same ones.

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
    memory: float | str | None = None,
    on_generation: Callable[[Record], object] | None = None,
) -> Run:
    """Evolves a program that solves boards of tiles; the options are those of ``clearway tiles evolve``.

    For folders, Ctrl-C and ``on_generation``, see :func:`clearway.evolve`.

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
    folder, end, log = run_evolution("tiles evolve", options, out, resume, on_generation)
    champion = Program((folder / "champion.program").read_text(encoding="utf-8"))
    return Run(folder, champion, log, [flat(tested) for tested in end["tests"]])


@contextmanager
def _as_file(program: ProgramLike | None) -> Iterator[str | None]:
    """Returns the argument of a command for a program: a name or a file, or None."""
    if not isinstance(program, Program):
        yield None if program is None else os.fspath(program)
        return
    with TemporaryDirectory(prefix="clearway-") as folder:
        file = Path(folder, "program")
        file.write_text(program.text, encoding="utf-8")
        yield str(file)
