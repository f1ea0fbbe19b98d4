"""Commands of the program as functions: keyword arguments become options, and lines of JSON become records."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from clearway import _native
from clearway._native import Board
from clearway.errors import InputError, InternalError, Notice

_log = logging.getLogger("clearway")
_here = os.path.dirname(__file__)

Record = dict[str, Any]

#: The exit codes of commands that ended because of the problems that they reported.
_FAILURES = {1: InternalError, 3: InputError}


def to_args(options: dict[str, Any]) -> Iterator[str]:
    """Converts options to arguments: ``node_limit=9`` is ``--node-limit=9``; None and False are left out.

    >>> list(to_args({"seed": 3, "suite": ["cards", "walls"], "coevolve": True, "out": None, "size": (7, 5)}))
    ['--seed=3', '--suite=cards', '--suite=walls', '--coevolve', '--size=7x5']
    >>> list(to_args({"quota": {"beginner": 20, "expert": 10}}))
    ['--quota=beginner=20', '--quota=expert=10']
    """
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in _as_values(value):
            if one is True:
                yield option
            elif one is not None and one is not False:
                yield f"{option}={_to_text(one)}"


def _as_values(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return [f"{key}={_to_text(one)}" for key, one in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)) and not _is_size(value):
        return value
    return [value]


def _is_size(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(side, int) for side in value)


def _to_text(value: Any) -> str:
    if _is_size(value):
        return f"{value[0]}x{value[1]}"
    if isinstance(value, Board):
        return value.to("json")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def call(
    command: str,
    options: dict[str, Any],
    arguments: Iterable[str] = (),
    on_record: Callable[[Record], object] | None = None,
    on_improvement: Callable[..., object] | None = None,
) -> list[Record]:
    """Runs a command with ``--json`` and returns its records; ``on_record`` is called with each when it is printed, and
    ``on_improvement`` with the fields of each better solution or bound of a single board.

    Problems that did not end the command become warnings. If the exit code shows that they were the reason to end, and
    ``keep_going`` is not set, they become an exception.
    """
    records: list[Record] = []
    reports: list[str] = []

    def on_line(line: str) -> None:
        record = json.loads(line)
        records.append(record)
        if on_record is not None:
            on_record(record)

    arguments = list(arguments)
    line = [*command.split(), "--json", *to_args(options)]
    if arguments:
        line += ["--", *arguments]
    code = _native.call(line, on_line, _log.info, reports.append, on_improvement)
    if reports and code in _FAILURES and not options.get("keep_going"):
        raise _FAILURES[code]("\n".join(reports))
    for text in reports:
        _warn(text)
    return records


def _warn(text: str) -> None:
    """Issues a warning that points to the caller of the package, at any depth of calls inside it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _here:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, Notice, stacklevel=level)


def as_board(board: Board | str) -> Board:
    """Returns a board; parses it if it is a text."""
    return board if isinstance(board, Board) else Board(board)


def as_boards(boards: Board | str | Iterable[Board | str]) -> list[Board]:
    """Returns a list of boards; a single one becomes a list of one."""
    if isinstance(boards, (Board, str)):
        return [as_board(boards)]
    return [as_board(board) for board in boards]


def boards_text(boards: list[Board]) -> str:
    """Writes boards as one argument of a command."""
    return "\n".join(board.to("json") for board in boards) + "\n"
