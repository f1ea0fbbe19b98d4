"""Commands of the program as functions: options become words, and the lines of JSON become objects."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clearway import _native
from clearway._native import Board
from clearway.errors import InputError, InternalError, Notice

_log = logging.getLogger("clearway")
_here = os.path.dirname(__file__)

Record = dict[str, Any]

#: The exit codes after which what was reported was the reason to end.
_REFUSALS = {1: InternalError, 3: InputError}


def words(options: dict[str, Any]) -> Iterator[str]:
    """The words of options: ``node_limit=9`` is ``--node-limit=9``; what is None or False is left out.

    >>> list(words({"seed": 3, "suite": ["cards", "walls"], "coevolve": True, "out": None, "size": (7, 5)}))
    ['--seed=3', '--suite=cards', '--suite=walls', '--coevolve', '--size=7x5']
    """
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in _each(value):
            if one is True:
                yield option
            elif one is not None and one is not False:
                yield f"{option}={_word(one)}"


def _each(value: Any) -> Iterable[Any]:
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)) and not _is_size(value):
        return value
    return [value]


def _is_size(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(side, int) for side in value)


def _word(value: Any) -> str:
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
) -> list[Record]:
    """The records that a command prints with ``--json``, each handed to ``on_record`` as soon as it is there.

    Of a fault that did not end the command, the user is warned; unless the exit code says that the input was at fault,
    and nobody asked to go on without it.
    """
    records: list[Record] = []
    reports: list[str] = []

    def take(line: str) -> None:
        record = json.loads(line)
        records.append(record)
        if on_record is not None:
            on_record(record)

    arguments = list(arguments)
    line = [*command.split(), "--json", *words(options)]
    if arguments:
        line += ["--", *arguments]
    code = _native.call(line, take, _log.info, reports.append)
    if reports and code in _REFUSALS and not options.get("keep_going"):
        raise _REFUSALS[code]("\n".join(reports))
    for text in reports:
        _warn(text)
    return records


def _warn(text: str) -> None:
    """Warns about the line of the user's program, wherever in the package this is called from."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _here:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, Notice, stacklevel=level)


def as_board(board: Board | str) -> Board:
    """A board, or the one in a text."""
    return board if isinstance(board, Board) else Board(board)


def as_boards(boards: Board | str | Iterable[Board | str]) -> list[Board]:
    """Several boards; one alone is taken as a list of one."""
    if isinstance(boards, (Board, str)):
        return [as_board(boards)]
    return [as_board(board) for board in boards]


def boards_text(boards: list[Board]) -> str:
    """Several boards as one argument of a command."""
    return "\n".join(board.to("json") for board in boards) + "\n"
