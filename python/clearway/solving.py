"""Shortest solutions, and the analysis of all reachable states of a board."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from numbers import Real
from typing import Any

from clearway import _native
from clearway._command import Record, as_board, as_boards, boards_text, call
from clearway._native import Board
from clearway.errors import UsageError
from clearway.policies import PolicyLike, as_file, renamed
from clearway.types import BoardLike, Limit, Metric, Status, TimeLimit

#: The default of the memory limit of the commands.
_MEMORY = "1G"


@dataclass(frozen=True)
class Answer:
    """The result of solving a board. A notebook displays it as an animation of the solution."""

    board: Board
    #: At a limit, the solution is the best that was found, if any.
    status: Status
    #: The metric that is minimised: ``moves`` (a slide of any length counts 1) or ``steps`` (each cell counts 1).
    metric: Metric
    #: Whether the solution is proven to be shortest in the metric.
    optimal: bool
    #: Number of moves (slides) of the solution, or None.
    moves: int | None
    #: Number of steps (cells slid) of the solution, or None.
    steps: int | None
    #: The moves, such as ``A+2``: a vehicle, a sign (plus is right or down) and a number of cells; or None.
    solution: tuple[str, ...] | None
    #: Number of expanded nodes: nodes whose successors were generated.
    expanded: int
    #: Number of generated nodes, including duplicates: the start and all successors.
    generated: int
    #: Number of conflicts of the SAT solver.
    conflicts: int
    #: Wall-clock time of the search in seconds.
    seconds: float
    #: The algorithm as an expression; without one, the engine that found the solution or proved that there is none.
    algorithm: str
    #: Lower bound on the length of solutions in the metric; None if the board is unsolvable.
    lower_bound: int | None
    #: The algorithm or engine that proved the lower bound, or that the board is unsolvable.
    bound_algorithm: str
    #: Only with the status ``limit``.
    limit: Limit | None = None

    def boards(self) -> list[Board]:
        """Returns the board, and the board after each move of the solution.

        >>> [str(board) for board in solve("4x3:AA..........").boards()]
        ['4x3:AA..........', '4x3:..AA........']
        """
        boards = [self.board]
        for move in self.solution or ():
            boards.append(boards[-1].play(move))
        return boards

    def __str__(self) -> str:
        name = f"{self.board.name}: " if self.board.name else ""
        if self.solution is None:
            return f"{name}{self.status}" + (f" ({self.limit})" if self.limit else "")
        bound = f", at least {self.lower_bound} {self.metric} needed" if self.status == "limit" else ""
        return f"{name}{self.moves} moves, {self.steps} steps{bound}: {' '.join(self.solution) or 'already solved'}"

    def _repr_html_(self) -> str:
        picture = self.board.animate(*self.solution) if self.solution else self.board.svg(cell=40)
        # A separate image, because the styles of an inline picture would apply to others on the same page.
        data = base64.b64encode(picture.encode()).decode()
        caption = html.escape(str(self))
        return f'<img src="data:image/svg+xml;base64,{data}" width="280" alt="{caption}"><br><small>{caption}</small>'


@dataclass(frozen=True)
class Improvement:
    """The state of a search when a shorter solution or a higher lower bound is found."""

    #: The moves of the best solution so far, or None.
    solution: tuple[str, ...] | None
    #: Number of moves (slides) of that solution, or None.
    moves: int | None
    #: Number of steps (cells slid) of that solution, or None.
    steps: int | None
    #: The best lower bound so far on the length of solutions, in the metric.
    lower_bound: int
    #: The engine that found the improvement.
    engine: str
    #: Time since the start of the search, in seconds.
    seconds: float


@dataclass(frozen=True)
class Analysis:
    """Statistics of all states that can be reached from a board."""

    board: Board
    #: The metric of distances.
    metric: Metric
    #: Number of reachable states; if ``partial``, of those visited.
    states: int
    #: Number of solved states among them.
    goals: int
    #: Largest distance of any state to its nearest solved state; None if no solved state is reachable, or if a limit
    #: was reached first.
    depth: int | None
    #: A board at that distance; None if ``depth`` is None.
    farthest: Board | None
    #: Number of shortest solutions of the board; None if a limit was reached before they were counted.
    optimal_solutions: int | None
    #: Number of states at each distance from their nearest solved state, starting with 0; empty if no solved state is
    #: reachable, None if a limit was reached first.
    histogram: tuple[int, ...] | None
    #: Whether there are more shortest solutions than ``optimal_solutions``, which is then 2**128 - 1.
    optimal_solutions_saturated: bool = False
    #: Whether a limit was reached before all states were visited; ``states`` and ``goals`` are then lower bounds.
    partial: bool = False
    #: The limit that was reached, if any.
    limit: Limit | None = None


def solve(
    board: BoardLike,
    *,
    metric: Metric = "moves",
    algorithm: str | None = None,
    policy: PolicyLike | None = None,
    within: float | None = None,
    first: bool = False,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
    callback: Callable[[Improvement], object] | None = None,
) -> Answer:
    """Finds a shortest solution of a board of any size, or proves that there is none.

    ``first`` stops at the first solution, and ``within`` once the solution is proven to be at most this many times as
    long as a shortest one: ``within=1.1`` accepts 10 % more. ``algorithm`` uses another algorithm, such as ``bfs`` or
    ``astar(blockers)``; ``policy`` uses the search that the policy is made for, whose solutions need not be shortest.

    Reaching a limit is not an error: the answer has the status ``limit``, the best solution so far, if any, and a
    proven lower bound. Times are seconds, texts such as ``500ms`` or a ``timedelta``, memory is bytes or a text such
    as ``300M``. The limit on nodes applies to the sum of expanded nodes and conflicts.

    ``callback`` is called with an :class:`Improvement` whenever a shorter solution or a higher lower bound is found, on
    the thread of the caller. An exception that it raises stops the search.

    >>> answer = solve("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
    >>> answer.moves, answer.solution[0]
    (8, 'G-3')
    >>> solve("4x3:...BAA.B....").status
    'unsolvable'
    >>> solve("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", algorithm="greedy(h1)").optimal
    False

    The first solution of a board of 12x12 is found at once; a shortest one has 25 moves:

    >>> import clearway
    >>> large = clearway.suite("course")[6]
    >>> answer = solve(large, first=True)
    >>> answer.status, answer.lower_bound <= 25 <= answer.moves
    ('solved', True)
    """
    if callback is not None and (algorithm is not None or policy is not None):
        raise UsageError("callback is not supported with algorithm or policy, which report only their result")
    board = as_board(board)
    if algorithm is None and policy is None:
        record = _solve_quickly(board, metric, within, first, node_limit, time_limit, memory, callback)
        if record is not None:
            return _answer(board, record)
    options = {
        "metric": metric,
        "algorithm": algorithm,
        "within": within,
        "first": first,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
    }
    ((board, record),) = _solve([board], policy, options, callback)
    return _answer(board, record)


def solve_many(
    boards: BoardLike | Iterable[BoardLike],
    *,
    metric: Metric = "moves",
    algorithm: str | None = None,
    policy: PolicyLike | None = None,
    within: float | None = None,
    first: bool = False,
    threads: int | None = None,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> list[Answer]:
    """Solves many boards on all cores, or with ``threads`` threads; returns the answers in the order of the boards.

    The options are those of :func:`solve`. The limits apply to each board, except ``memory``, which all searches share.

    >>> import clearway
    >>> sum(answer.moves for answer in solve_many(clearway.suite("cards")))
    1028
    """
    options = {
        "metric": metric,
        "algorithm": algorithm,
        "within": within,
        "first": first,
        "threads": threads,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
    }
    return [_answer(board, record) for board, record in _solve(boards, policy, options)]


def analyze(
    board: BoardLike,
    *,
    metric: Metric = "moves",
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> Analysis:
    """Visits all states that can be reached from a board.

    >>> analysis = analyze("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
    >>> analysis.states, analysis.depth, analysis.optimal_solutions
    (1247, 9, 61)
    >>> solve(analysis.farthest).moves
    9
    >>> analysis = analyze("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", node_limit=100)
    >>> analysis.limit, analysis.partial, analysis.depth, analysis.optimal_solutions
    ('nodes', True, None, None)
    """
    options = {
        "metric": metric,
        "analyze": True,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
    }
    ((board, record),) = _solve([board], None, options)
    facts = dict(record["analysis"])
    facts["farthest"] = facts["farthest"] and Board(facts["farthest"])
    facts["histogram"] = None if facts["histogram"] is None else tuple(facts["histogram"])
    return Analysis(board=board, metric=metric, **facts)


def _solve_quickly(
    board: Board,
    metric: Metric,
    within: float | None,
    first: bool,
    node_limit: float | None,
    time_limit: TimeLimit | None,
    memory: float | str | None,
    callback: Callable[[Improvement], object] | None,
) -> Record | None:
    """Solves a board without the command, whose start takes longer than the search of most boards.

    Returns None if the command must answer, which reports invalid values and contradictions.
    """
    try:
        text = _native.solve(
            board,
            metric,
            first=first,
            within=None if within is None else _number(within),
            nodes=None if node_limit is None else _whole(node_limit),
            seconds=None if time_limit is None else _seconds(time_limit),
            memory=_bytes(_MEMORY if memory is None else memory),
            on_improvement=_on_improvement(callback),
        )
    except _NotPlain:
        return None
    return None if text is None else json.loads(text)


class _NotPlain(Exception):
    """A value that only the command can judge."""


def _number(value: object) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise _NotPlain


def _whole(value: object) -> int:
    number = value if isinstance(value, int) and not isinstance(value, bool) else _number(value)
    if 0 <= number < 2**64 and number == int(number):
        return int(number)
    raise _NotPlain


def _seconds(value: object) -> float:
    seconds = _native.time_in_seconds(value) if isinstance(value, str) else None
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
    elif not isinstance(value, str):
        seconds = _number(value)
    if seconds is None:
        raise _NotPlain
    return seconds


def _bytes(value: object) -> int:
    size = _native.size_in_bytes(value) if isinstance(value, str) else _whole(value)
    if size is None:
        raise _NotPlain
    return size


def _on_improvement(callback: Callable[[Improvement], object] | None) -> Callable[..., object] | None:
    if callback is None:
        return None

    def on_improvement(solution: list[str] | None, *fields: Any) -> None:
        callback(Improvement(None if solution is None else tuple(solution), *fields))

    return on_improvement


def _solve(
    boards: BoardLike | Iterable[BoardLike],
    policy: PolicyLike | None,
    options: dict[str, Any],
    callback: Callable[[Improvement], object] | None = None,
) -> list[tuple[Board, Record]]:
    boards = as_boards(boards)
    if not boards:
        return []

    with as_file(policy) as file:
        records = call(
            "solve",
            {**options, "policy": file or None},
            [boards_text(boards)],
            on_improvement=_on_improvement(callback),
        )
    return list(zip(boards, renamed(records, {file: policy}, ["algorithm", "bound_algorithm"]), strict=True))


def _answer(board: Board, record: Record) -> Answer:
    facts = {name: value for name, value in record.items() if name not in ("name", "board")}
    solution = facts.pop("solution")
    return Answer(board=board, solution=None if solution is None else tuple(solution), **facts)
