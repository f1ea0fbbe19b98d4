"""The difficulty of boards, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields

from clearway._command import Record, as_boards, boards_text, call
from clearway._native import Board, time_in_words
from clearway.types import BoardLike, Level, Status, TimeLimit


@dataclass(frozen=True)
class Grade:
    """The difficulty of a board. Values that need a solution, or that a limit left unknown, are None."""

    board: Board
    status: Status
    #: By the predicted solving time.
    level: Level | None
    #: Number of moves of a shortest solution.
    moves: int | None
    #: Minimum number of steps (cells slid) of any solution; the solution with the fewest moves may have more.
    steps: int | None
    #: Number of reachable states.
    states: int | None
    #: Largest distance of any reachable state to its nearest solved state, in moves.
    depth: int | None
    #: Number of shortest solutions.
    optimal_solutions: int | None
    #: Number of moves of a shortest solution at which there is a choice.
    decisions: float | None
    #: Expected number of moves that two random solutions, at most one move longer than the shortest, share before they
    #: diverge.
    common_start: float | None
    #: Number of vehicles on the board.
    vehicle_count: int
    #: Number of different vehicles that move in a shortest solution.
    vehicles_moved: float | None
    #: Number of moves of a shortest solution that move the target away from the exit or a vehicle into its path.
    counterintuitive: float | None
    #: Information in bits that distinguishes the good moves of a shortest solution from all other moves.
    search_information: float | None
    #: Length of the longest chain of vehicles, starting with the target, in which each blocks the one before it.
    blocker_depth: int
    #: Predicted solving time of people in ``seconds``, the 95 % interval from ``low`` to ``high``, and ``beyond``, the
    #: properties in which the board is outside of the data; if there are any, the time is a rough extrapolation.
    human: Record | None
    #: Number of nodes that two uninformed searches expand: ``id`` and ``bfs``.
    machine: Record | None
    #: Labels of the vehicles that can each be removed without making the board easier.
    removable: tuple[str, ...] | None
    #: A shortest solution in moves; at a limit, the best one so far.
    solution: tuple[str, ...] | None
    #: What is special about the puzzle, such as ``target-back``.
    themes: tuple[str, ...] = ()
    #: Lower bound on the number of moves; only if a limit was reached before a shortest solution was found.
    moves_at_least: int | None = None
    #: Number of moves of the best solution so far; only if a limit was reached before it was proven shortest.
    moves_at_most: int | None = None
    #: The parts of the grade that a limit left unfinished.
    unfinished: tuple[Record, ...] = ()
    #: Whether there are more shortest solutions than ``optimal_solutions``, which is then 2**128 - 1.
    optimal_solutions_saturated: bool = False

    @property
    def human_text(self) -> str | None:
        """The predicted solving time in words, such as ``about 28 s (18 to 45 s)``."""
        return None if self.human is None else time_in_words(json.dumps(self.human))


def grade(
    board: BoardLike,
    *,
    machine: bool = True,
    machine_nodes: float | None = None,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> Grade:
    """Grades the difficulty of a board, for people and for machines.

    ``machine=False`` omits the two searches of a machine, which take most of the time; ``machine_nodes`` is their node
    limit.

    >>> grade("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.").level
    'beginner'
    """
    (graded,) = grade_many(
        [board],
        machine=machine,
        machine_nodes=machine_nodes,
        node_limit=node_limit,
        time_limit=time_limit,
        memory=memory,
    )
    return graded


def grade_many(
    boards: BoardLike | Iterable[BoardLike],
    *,
    machine: bool = True,
    machine_nodes: float | None = None,
    threads: int | None = None,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
) -> list[Grade]:
    """Grades many boards on all cores; returns the grades in the order of the boards, for ``pandas.DataFrame``.

    >>> import clearway
    >>> [graded.level for graded in grade_many(clearway.suite("cards")[8:12], machine=False)]
    ['beginner', 'intermediate', 'intermediate', 'intermediate']
    """
    boards = as_boards(boards)
    if not boards:
        return []
    options = {
        "no_machine": not machine,
        "machine_nodes": machine_nodes,
        "threads": threads,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
    }
    records = call("grade", options, [boards_text(boards)])
    return [_grade(board, record) for board, record in zip(boards, records, strict=True)]


def _grade(board: Board, record: Record) -> Grade:
    facts: Record = {field.name: record.get(field.name) for field in fields(Grade)}
    for name in ("removable", "solution"):
        facts[name] = None if facts[name] is None else tuple(facts[name])
    facts["optimal_solutions_saturated"] = bool(facts["optimal_solutions_saturated"])
    for name in ("themes", "unfinished"):
        facts[name] = tuple(facts[name] or ())
    return Grade(**{**facts, "board": board})
