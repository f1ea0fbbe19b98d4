"""Policies bred by genetic programming."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from clearway._command import Record
from clearway._runs import breed
from clearway.policies import Policy, PolicyLike, as_file, flat


@dataclass(frozen=True)
class Run:
    """A run of evolution. A notebook shows the picture of its champion."""

    #: Where the run is kept: settings, log, checkpoints, the champion, and ``report.html``, a page about it all.
    folder: Path
    champion: Policy
    #: A row for each generation, which pandas takes.
    generations: list[Record] = field(repr=False)
    #: A row for each set of test boards and each search on it, the champion's being ``GP``.
    tests: list[Record] = field(repr=False)
    #: The champion on all training boards.
    training: Record | None = None
    #: The champion on the boards that it was chosen on, if there are others (``validate``).
    validation: Record | None = None

    def _repr_svg_(self) -> str:
        return self.champion._repr_svg_()


def evolve(
    *,
    preset: Literal["default", "paper"] | None = None,
    size: Literal["6x6", "8x8"] | None = None,
    suite: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    starts: Literal["hardest", "random", "both"] | None = None,
    group: int | None = None,
    test: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    validate: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    search: Literal["ida-order", "ida-prune", "ida-both", "wastar", "greedy"] | None = None,
    increment: int | None = None,
    growth: float | None = None,
    memo: Literal["kept", "cleared"] | None = None,
    reopen: Literal["yes", "no"] | None = None,
    shortcut: Literal["yes", "no"] | None = None,
    weight: float | None = None,
    objective: Literal["nodes", "time", "saved"] | None = None,
    longest: float | None = None,
    terminals: Literal["paper", "extended"] | None = None,
    from_: PolicyLike | Iterable[PolicyLike] | None = None,
    rules: int | None = None,
    depth: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    generations: int | None = None,
    population: int | None = None,
    islands: int | None = None,
    budget: float | str | None = None,
    coevolve: bool = False,
    config: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    node_limit: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    on_generation: Callable[[Record], object] | None = None,
) -> Run:
    """Breeds a policy on training boards, and tests it on others; the options are those of ``clearway evolve``.

    The run is kept in the folder ``out``, which must be empty or new; without one, in a new temporary folder, so that a
    cell may be run again. Ctrl-C stops it and loses nothing: ``resume=FOLDER`` goes on to the very champion that would
    have been bred without the interruption.

    ``on_generation`` is called with the numbers of every generation as soon as it is made. If it raises an exception,
    the run stops as it does by Ctrl-C, and the exception comes out.

    The same options and the same seed give the same champion on every machine, unless ``budget`` is a time.

    >>> run = evolve(seed=1, generations=3, population=20, rules=2, suite="cards", test="vandijk", node_limit=20000)
    >>> len(run.generations), run.champion.search
    (3, 'ida(policy, both, increment=4, growth=2, memo=kept, reopen=no, shortcut=yes)')
    >>> [row["solved"] for row in run.tests if row["name"] == "GP"]
    [7]
    """
    with ExitStack() as files:
        many = [from_] if isinstance(from_, (Policy, str, os.PathLike)) else from_ or []
        options = {
            "preset": preset,
            "size": size,
            "suite": suite,
            "starts": starts,
            "group": group,
            "test": test,
            "validate": validate,
            "search": search,
            "increment": increment,
            "growth": growth,
            "memo": memo,
            "reopen": reopen,
            "shortcut": shortcut,
            "weight": weight,
            "objective": objective,
            "longest": longest,
            "terminals": terminals,
            "from": [files.enter_context(as_file(policy)) for policy in many],
            "rules": rules,
            "depth": depth,
            "sample": sample,
            "seed": seed,
            "generations": generations,
            "population": population,
            "islands": islands,
            "budget": budget,
            "coevolve": coevolve,
            "config": config,
            "node_limit": node_limit,
            "threads": threads,
            "memory": memory,
        }
        folder, end, log = breed("evolve", options, out, resume, on_generation)
    tests = [flat({"boards": tested["boards"], **column}) for tested in end["tests"] for column in tested["columns"]]
    return Run(folder, Policy(folder / "champion.policy"), log, tests, end["training"], end.get("validation"))
