"""Commands of the program as functions: options become words, and the lines of JSON become objects."""

from __future__ import annotations

import json
import logging
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clearway import _native
from clearway._native import Board
from clearway.errors import Notice

_log = logging.getLogger("clearway")


def words(options: dict[str, Any]) -> Iterator[str]:
    """The words of options: ``node_limit=9`` is ``--node-limit=9``; what is None or False is left out.

    >>> list(words({"seed": 3, "suite": ["cards", "walls"], "coevolve": True, "out": None}))
    ['--seed=3', '--suite=cards', '--suite=walls', '--coevolve']
    """
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        many = isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike))
        for one in value if many else [value]:
            if one is True:
                yield option
            elif one is not None and one is not False:
                yield f"{option}={_word(one)}"


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return "x".join(str(side) for side in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def call(
    command: str,
    options: dict[str, Any],
    arguments: Iterable[str] = (),
    on_record: Callable[[dict[str, Any]], object] | None = None,
) -> list[dict[str, Any]]:
    """The records that a command prints with ``--json``, each handed to ``on_record`` as soon as it is there."""
    records: list[dict[str, Any]] = []

    def take(line: str) -> None:
        record = json.loads(line)
        records.append(record)
        if on_record is not None:
            on_record(record)

    arguments = list(arguments)
    line = [*command.split(), "--json", *words(options)]
    if arguments:
        line += ["--", *arguments]
    _native.call(line, take, _log.info, lambda text: warnings.warn(text, Notice, stacklevel=6))
    return records


def board_text(board: Board | str) -> str:
    """A board as the argument of a command, with its name."""
    return (board if isinstance(board, Board) else Board(board)).to("json")
