"""Results as rows of plain values, for tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from clearway._native import Board

Record = dict[str, Any]


def rows(results: Iterable[Any]) -> list[Record]:
    """Returns a flat row of plain values for each result: for ``pandas.DataFrame``, and from there for CSV or Parquet.

    Results are answers, grades, puzzles, analyses, improvements, or rows of :func:`clearway.compare`. A board becomes
    its ``name`` and its text in the line format, a solution becomes one text, and nested values become columns such as
    ``human_seconds``.

    >>> import clearway
    >>> row, = rows([clearway.solve("4x3:AA..........")])
    >>> row["board"], row["status"], row["solution"]
    ('4x3:AA..........', 'solved', 'A+2')
    >>> "human_seconds" in rows([clearway.grade("4x3:AA..........")])[0]
    True
    """
    if is_dataclass(results) or isinstance(results, Mapping):
        results = [results]
    return [_row(result) for result in results]


def _row(result: Any) -> Record:
    if isinstance(result, Mapping):
        return flat({name: _plain(value) for name, value in result.items()})
    if not is_dataclass(result):
        raise TypeError(f"expected a result of clearway, such as an Answer, got {type(result).__name__}")
    row: Record = {}
    for field in fields(result):
        value = getattr(result, field.name)
        if field.name == "record" or (value is None and str(field.type).startswith("Record")):
            # A row without nested values has none of their columns.
            continue
        if field.name == "board" and isinstance(value, Board):
            row["name"] = value.name
        numbers = isinstance(value, tuple) and str(field.type).startswith("tuple[int")
        row[field.name] = list(value) if numbers else _plain(value)
    return flat(row)


def _plain(value: Any) -> Any:
    """Converts a value to one that every table can hold; mappings are left to :func:`flat`."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (Board, os.PathLike)):
        return str(value)
    if isinstance(value, (tuple, list)):
        return " ".join(value) if all(isinstance(one, str) for one in value) else json.dumps(value)
    if isinstance(value, int) and abs(value) >= 2**63:
        return float(value)
    return value


def flat(record: Mapping[str, Any]) -> Record:
    """Flattens nested records: ``{"beyond": {"boards": 3}}`` becomes ``{"beyond_boards": 3}``."""
    row: Record = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            row.update({f"{name}_{inner}": nested for inner, nested in flat(value).items()})
        else:
            row[name] = value
    return row
