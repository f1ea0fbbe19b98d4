"""Evolving policies by genetic programming."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from clearway._command import Record
from clearway._rows import flat
from clearway._runs import run_evolution
from clearway.policies import Policy, PolicyLike, as_file
from clearway.types import Metric


@dataclass(frozen=True)
class Run:
    """A run of evolution. A notebook displays a picture of its champion."""

    #: The folder of the run, with its settings, log, checkpoints, champion and ``report.html``.
    folder: Path
    champion: Policy
    #: A row for each generation, for ``pandas.DataFrame``.
    generations: list[Record] = field(repr=False)
    #: A row for each test set and each search; the search with the champion is called ``GP``.
    tests: list[Record] = field(repr=False)
    #: Results of the champion on all training boards.
    training: Record | None = None
    #: Results of the champion on the validation set, if there is one (``validate``).
    validation: Record | None = None

    def _repr_svg_(self) -> str:
        return self.champion._repr_svg_()


def evolve(
    *,
    preset: Literal["default", "paper"] | None = None,
    size: int | str | None = None,
    suite: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    metric: Metric | None = None,
    direct: bool = False,
    starts: Literal["hardest", "random", "both"] | None = None,
    group: int | None = None,
    test: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    validate: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    search: str | None = None,
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
    node_limit: float | None = None,
    threads: int | None = None,
    memory: float | str | None = None,
    on_generation: Callable[[Record], object] | None = None,
) -> Run:
    """Evolves a policy on training boards and tests it on others; the options are those of ``clearway evolve``.

    ``search`` is a short name (``ida-order``, ``ida-prune``, ``ida-both``, ``wastar``, ``greedy``) or any search
    expression with ``policy`` as a placeholder, such as ``"wastar(policy, weight=2, shortcut=no)"``. ``increment``,
    ``growth``, ``memo``, ``reopen``, ``shortcut`` and ``weight`` change one option of it.

    The run is kept in the folder ``out``, which must be empty or new; the default is a new temporary folder, so that a
    notebook cell can be executed again. Ctrl-C stops the run and loses nothing: ``resume=FOLDER`` continues it and
    gives the same champion as an uninterrupted run.

    ``on_generation`` is called with the statistics of each generation as soon as it is complete. If it raises an
    exception, the run stops as with Ctrl-C, and the exception is raised again.

    The same options and the same seed give the same champion on every machine, unless ``budget`` is a time.

    >>> run = evolve(seed=1, generations=3, population=20, rules=2, suite="cards", test="vandijk", node_limit=20000)
    >>> len(run.generations), run.champion.search
    (3, 'ida(policy, both, increment=4, growth=2, memo=kept, reopen=no, shortcut=yes)')
    >>> [row["solved"] for row in run.tests if row["name"] == "GP"]
    [7]
    >>> search = "wastar(policy, weight=3, shortcut=no)"
    >>> run = evolve(search=search, generations=1, population=20, suite="cards", test="vandijk", node_limit=20000)
    >>> run.champion.search
    'wastar(policy, weight=3, shortcut=no)'
    """
    with ExitStack() as files:
        initial = [from_] if isinstance(from_, (Policy, str, os.PathLike)) else from_ or []
        options = {
            "preset": preset,
            "size": size,
            "suite": suite,
            "metric": metric,
            "direct": direct,
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
            "from": [files.enter_context(as_file(policy)) for policy in initial],
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
        folder, end, log = run_evolution("evolve", options, out, resume, on_generation)
    tests = [flat({"boards": tested["boards"], **column}) for tested in end["tests"] for column in tested["columns"]]
    return Run(folder, Policy(folder / "champion.policy"), log, tests, end["training"], end.get("validation"))
