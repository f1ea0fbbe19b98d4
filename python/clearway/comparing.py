"""Comparison of search algorithms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from clearway._command import Record, as_boards, boards_text, call
from clearway.policies import Policy, PolicyLike, as_file, renamed
from clearway.types import BoardLike, Metric, TimeLimit


def compare(
    boards: BoardLike | Iterable[BoardLike] | None = None,
    algorithms: Iterable[str | Policy] | None = None,
    *,
    suite: str | Iterable[str] | None = None,
    metric: Metric = "moves",
    threads: int | None = None,
    node_limit: float | None = None,
    time_limit: TimeLimit | None = None,
    memory: float | str | None = None,
    csv: str | os.PathLike[str] | None = None,
    html: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    on_run: Callable[[Record], object] | None = None,
) -> list[Record]:
    """Runs all algorithms on all boards; returns a row with results and counts for each run, for ``pandas.DataFrame``.

    An algorithm is an expression, such as ``bfs``, ``astar(blockers)`` or ``ida(h1, prune, increment=5)``, or a policy,
    which runs in the search that it is made for. The default boards are the forty cards, and the default algorithms
    those of the command. ``csv``, ``html`` and ``resume`` are files, as for the command; ``on_run`` is called with each
    row as soon as its run is done.

    >>> rows = compare(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."], ["bfs", "astar(blockers)", Policy("hand")])
    >>> for row in rows:
    ...     print(row["algorithm"], row["moves"], row["optimum"], row["expanded"])
    bfs 8 8 1053
    astar(blockers) 8 8 512
    ida(policy=hand, prune, increment=5) 24 8 29
    """
    given = None if boards is None else as_boards(boards)
    if given == [] and suite is None:
        return []
    options = {
        "suite": suite,
        "metric": metric,
        "threads": threads,
        "node_limit": node_limit,
        "time_limit": time_limit,
        "memory": memory,
        "csv": csv,
        "html": html,
        "resume": resume,
    }
    with ExitStack() as files:
        policies: dict[str, PolicyLike | None] = {}
        expressions = []
        for algorithm in [algorithms] if isinstance(algorithms, (str, Policy)) else algorithms or []:
            if isinstance(algorithm, Policy):
                file = files.enter_context(as_file(algorithm))
                policies[file] = algorithm
                expressions.append(call("policy show", {}, [file])[0]["search"])
            else:
                expressions.append(algorithm)

        def on_row(row: Record) -> None:
            renamed([row], policies, ["algorithm", "canonical"])
            if on_run is not None:
                on_run(row)

        return call("compare", {**options, "algorithm": expressions}, [boards_text(given)] if given else [], on_row)
