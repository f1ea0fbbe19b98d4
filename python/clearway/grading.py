"""How hard boards are, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from clearway._command import Record, as_boards, boards_text, call
from clearway._native import Board


@dataclass(frozen=True)
class Grade:
    """How hard a board is. What a limit left open, or makes no sense without a solution, is None."""

    board: Board
    #: ``solved``, ``unsolvable`` or ``limit``.
    status: str
    #: ``beginner``, ``intermediate``, ``advanced``, ``expert`` or ``fiendish``, by the time that people need.
    level: str | None
    #: The moves of a shortest solution.
    moves: int | None
    #: The fewest steps (cells slid) of a solution: not the steps of the one with the fewest moves.
    steps: int | None
    #: The states that can be reached.
    states: int | None
    #: The moves from the state farthest from any solved one to the nearest of those.
    depth: int | None
    #: The number of different shortest solutions.
    optimal_solutions: int | None
    #: The moves of a shortest solution at which there is something to decide.
    decisions: float | None
    #: How many moves two solutions, drawn at random, have in common before they part for the first time.
    common_start: float | None
    #: The vehicles on the board.
    vehicle_count: int
    #: The different vehicles that move in a shortest solution.
    vehicles_moved: float | None
    #: The moves of a shortest solution that take the target away from the exit or put a vehicle in its way.
    counterintuitive: float | None
    #: The bits it takes to tell the good moves of a shortest solution from all others.
    search_information: float | None
    #: The longest chain of vehicles each of which blocks the one before, from the target on.
    blocker_depth: int
    #: The seconds that people are predicted to need, and as ``low`` and ``high`` the range.
    human: Record | None
    #: The nodes that two plain searches expand: ``id`` and ``bfs``.
    machine: Record | None
    #: The labels of vehicles each of which could be removed without making the board easier.
    removable: tuple[str, ...] | None
    #: A shortest solution in moves.
    solution: tuple[str, ...] | None
    #: No solution has fewer moves than this: only where a limit was reached before one was found.
    moves_at_least: int | None = None
    #: What could not be finished.
    unfinished: tuple[Record, ...] = ()
    #: Whether there are more shortest solutions than ``optimal_solutions``, which is then 2**128 - 1.
    optimal_solutions_saturated: bool = False


def grade(
    board: Board | str,
    *,
    machine: bool = True,
    machine_nodes: int | None = None,
    node_limit: int | None = None,
    time_limit: float | str | None = None,
    memory: int | str | None = None,
) -> Grade:
    """How hard a board is, for people and for machines.

    ``machine=False`` leaves out the work of a machine, which takes the most time; ``machine_nodes`` is how far it is
    counted.

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
    boards: Iterable[Board | str],
    *,
    machine: bool = True,
    machine_nodes: int | None = None,
    threads: int | None = None,
    node_limit: int | None = None,
    time_limit: float | str | None = None,
    memory: int | str | None = None,
) -> list[Grade]:
    """The grades of many boards, in their order, on all cores; ``pandas.DataFrame`` takes the list.

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
    return Grade(**{**facts, "board": board, "unfinished": tuple(facts["unfinished"] or ())})
