"""Policies: rules over heuristics that guide a search."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Union

from clearway import _native
from clearway._command import Record, as_boards, boards_text, call, write_file
from clearway._rows import flat
from clearway.types import BoardLike, Metric, TimeLimit


@dataclass(frozen=True, init=False)
class Policy:
    """Rules over heuristics: the value of the first rule whose condition holds estimates the distance to the goal.

    A policy is created from the name of a built-in policy, from a file, or from a text with rules. A notebook displays
    it as a picture; :func:`clearway.solve`, :func:`clearway.compare` and :func:`clearway.evolve` accept it.

    >>> Policy("hand").name
    'hand'
    >>> policy = Policy("IF h1 <= 0.05 THEN h1 DEFAULT 2*h1", name="mine")
    >>> print(policy.text, end="")
    IF blockers-lower-bound <= 0.05 THEN blockers-lower-bound
    DEFAULT 2*blockers-lower-bound
    >>> Policy("DEFAULT 3*blokcers")
    Traceback (most recent call last):
        ...
    clearway.errors.InputError: unknown heuristic 'blokcers' (line 1, column 11)
       ,-[policy:1:11]
     1 | DEFAULT 3*blokcers
       :           ^^^^|^^^
       :               `-- here
       `----
      help: did you mean 'blockers'?
    """

    #: The name that tables use.
    name: str = field(compare=False)
    #: The rules as text, in the canonical form.
    text: str

    def __init__(self, source: str | os.PathLike[str], *, name: str | None = None) -> None:
        if isinstance(source, str) and re.search(r"\bDEFAULT\b|\n", source, re.IGNORECASE):
            name = name or "policy"
            text = _native.read_policy(source, name)
        else:
            source = os.fspath(source)
            text = _native.open_policy(source)
            name = name or (source if source in self.shipped() else Path(source).stem)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "text", text)

    @staticmethod
    def shipped() -> list[str]:
        """Returns the names of the built-in policies.

        >>> Policy.shipped()[:3]
        ['hand', 'paper-6x6', 'paper-8x8']
        """
        return _native.shipped_policies()

    @property
    def about(self) -> str:
        """The description that the policy contains."""
        return _native.describe_policy(self.text)[0]

    @property
    def search(self) -> str | None:
        """The search that the policy is made for, or None if it does not name one.

        >>> Policy("hand").search
        'ida(policy, prune, increment=5)'
        """
        return _native.describe_policy(self.text)[1]

    @property
    def heuristics(self) -> list[str]:
        """The heuristics that the policy uses."""
        return _native.describe_policy(self.text)[2]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the policy to a file, from which ``Policy(path)`` and every command reads it; returns the path.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Policy(Policy("hand").save(f"{folder}/mine.policy")).name
        'mine'
        """
        return write_file(path, self.text)

    def explain(self) -> str:
        """Describes the rules in words, with thresholds in the units of the heuristics.

        >>> print(Policy("hand").explain())
        if blockers-lower-bound at most 2: blockers-lower-bound
        if phase-by-blockers at most 0.5: 3*blockers-lower-bound
        otherwise: 2*blockers-lower-bound
        """
        rules = _native.explain_policy(self.text)
        return "\n".join(f"{'otherwise' if rule is None else f'if {rule}'}: {value}" for rule, value in rules)

    def rules(self, boards: Iterable[BoardLike] = (), **options: object) -> list[Record]:
        """Returns a row for each rule: condition, value, and with boards how often it fires when they are solved.

        The ``options`` are those of ``clearway policy show``, such as ``suite`` or ``node_limit``.

        >>> [row["fired"] for row in Policy("hand").rules(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."])]
        [5, 8, 58]
        """
        boards = as_boards(boards)
        with as_file(self) as file:
            (record,) = call("policy show", options, [file, boards_text(boards)] if boards else [file])
        rows: list[Record] = record["rules"]
        return rows

    def test(
        self,
        boards: Iterable[BoardLike] | None = None,
        *,
        suite: str | Iterable[str] | None = None,
        beside: PolicyLike | None = None,
        brief: bool = False,
        metric: Metric | None = None,
        threads: int | None = None,
        node_limit: float | None = None,
        time_limit: TimeLimit | None = None,
        memory: float | str | None = None,
    ) -> list[Record]:
        """Measures how much search the policy saves; returns a row for each suite and search, for ``pandas.DataFrame``.

        The default boards are the suite ``test-6x6``. ``beside`` is another policy to measure. ``brief`` omits all
        other searches except the one without a heuristic, to which the percentages refer.

        >>> rows = Policy("best-first-6x6").test(suite="it3105", brief=True)
        >>> [row["name"] for row in rows]
        ['None', 'GP']
        >>> rows[1]["nodes_percent"] < 20
        True
        """
        given = None if boards is None else as_boards(boards)
        if given == [] and suite is None:
            return []
        options = {
            "suite": suite,
            "brief": brief,
            "metric": metric,
            "threads": threads,
            "node_limit": node_limit,
            "time_limit": time_limit,
            "memory": memory,
        }
        with as_file(self) as file, as_file(beside) as other:
            arguments = [file, boards_text(given)] if given else [file]
            records = call("policy test", {**options, "beside": other or None}, arguments)
        rows = [
            flat({"suite": record["suite"], "boards": record["boards"], **column})
            for record in records
            for column in record["columns"]
        ]
        return renamed(rows, {file: self, other: beside}, ["name", "algorithm"])

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return _native.draw_policy(self.text, self.name)


#: A policy, the name of a built-in one, or a file.
PolicyLike = Union[Policy, str, "os.PathLike[str]"]


@contextmanager
def as_file(policy: PolicyLike | None) -> Iterator[str]:
    """Returns the argument of a command for a policy: the name of a built-in one, or a file; an empty text for None.

    Other policies are written to a temporary file, which exists until the context ends.
    """
    if not isinstance(policy, Policy):
        yield "" if policy is None else os.fspath(policy)
    elif policy.name in Policy.shipped() and policy == Policy(policy.name):
        yield policy.name
    else:
        with TemporaryDirectory(prefix="clearway-") as folder:
            file = Path(folder, "policy")
            file.write_text(policy.text, encoding="utf-8")
            yield str(file)


def renamed(rows: list[Record], policies: dict[str, PolicyLike | None], columns: list[str]) -> list[Record]:
    """Replaces the temporary files of policies by their names, in the given columns; changes the rows in place."""
    for row in rows:
        for column in columns:
            for file, policy in policies.items():
                if isinstance(policy, Policy):
                    row[column] = row[column].replace(file, policy.name)
    return rows
