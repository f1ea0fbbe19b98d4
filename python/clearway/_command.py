"""Commands of the program as functions: keyword arguments become options, and lines of JSON become records."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeGuard

from clearway import _native
from clearway._messages import in_python
from clearway._native import Board
from clearway.errors import Error, InputError, InternalError, Notice
from clearway.types import BoardLike

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
    >>> list(to_args({"node_limit": 1e6, "time_limit": 0.00005}))
    ['--node-limit=1000000', '--time-limit=0.00005']
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
        return [value] if is_board(value) else value
    return [value]


def _is_size(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(side, Integral) for side in value)


def _to_text(value: Any) -> str:
    if _is_size(value):
        return f"{value[0]}x{value[1]}"
    if isinstance(value, timedelta):
        value = value.total_seconds()
    if isinstance(value, Real) and not isinstance(value, Integral):
        # No exponent, and no decimal point in whole numbers: 1e6 and 0.00005 are valid everywhere.
        number = float(value)
        return str(int(number)) if number.is_integer() else format(Decimal(repr(number)), "f")
    if not isinstance(value, str) and is_board(value):
        return as_board(value).to("json")
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
    try:
        code = _native.call(line, on_line, _log.info, reports.append, on_improvement)
    except Error as error:
        raise type(error)(in_python(str(error))) from None
    reports = list(map(in_python, reports))
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


def is_board(value: object) -> TypeGuard[BoardLike]:
    """Returns whether a value is accepted as one board, rather than as several."""
    return (
        isinstance(value, (Board, str))
        or isinstance(getattr(value, "board", None), Board)
        or (hasattr(value, "__array__") and getattr(value, "ndim", 2) == 2)
    )


def as_board(board: BoardLike) -> Board:
    """Returns the board of a value: parses a text, and reads an array."""
    if isinstance(board, Board):
        return board
    if isinstance(board, str):
        return Board(board)
    inner = getattr(board, "board", None)
    if isinstance(inner, Board):
        return inner
    if hasattr(board, "__array__"):
        return Board.from_array(board)
    raise TypeError(f"expected a board: a Board, a text, a Puzzle or an array, got {type(board).__name__}")


def as_boards(boards: BoardLike | Iterable[BoardLike]) -> list[Board]:
    """Returns a list of boards; a single one becomes a list of one."""
    if is_board(boards):
        return [as_board(boards)]
    if not isinstance(boards, Iterable):
        raise TypeError(f"expected boards, got {type(boards).__name__}")
    return [as_board(board) for board in boards]


def boards_text(boards: list[Board]) -> str:
    """Writes boards as one argument of a command."""
    return "\n".join(board.to("json") for board in boards) + "\n"


def write_file(path: str | os.PathLike[str], text: str) -> Path:
    """Writes a file atomically; returns its path."""
    try:
        _native.write_file(os.fspath(path), text.encode())
    except OSError as error:
        raise type(error)(f"cannot write {os.fspath(path)}: {error}") from None
    return Path(path)
