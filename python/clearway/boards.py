"""Boards from texts, files and the built-in suites."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from clearway import _native
from clearway._command import call
from clearway._native import Board


def read_text(
    text: str, *, format: str | None = None, size: tuple[int, int] | None = None, exit: str | None = None
) -> list[Board]:
    """Parses all boards of a text; the format is detected unless it is given.

    ``size`` is needed for formats that do not include it; ``exit`` overrides the exit that the text gives.

    >>> [board.width for board in read_text("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.\\n4x3:...BAA.B....")]
    [6, 4]
    """
    return _native.read_boards(text, format=format, size=size, exit=exit)


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    size: tuple[int, int] | None = None,
    exit: str | None = None,
) -> list[Board]:
    """Reads all boards of a file; see :func:`read_text` for the options.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "boards.txt")
    ...     _ = file.write_text("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
    ...     read(file)
    [Board('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.')]
    """
    # Invalid UTF-8 is replaced, so that parsing fails with a message that gives the position.
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return _native.read_boards(text, format=format, size=size, exit=exit, source=os.fspath(path))


@dataclass(frozen=True)
class Suite:
    """A built-in collection of boards."""

    name: str
    #: Number of boards.
    boards: int
    about: str


def suites() -> list[Suite]:
    """Returns the built-in suites.

    >>> suites()[0]
    Suite(name='cards', boards=40, about='the 40 cards of the standard game')
    """
    return [Suite(**record) for record in call("suites", {})]


def suite(name: str) -> list[Board]:
    """Returns the boards of a suite, with their names.

    >>> suite("cards")[0]
    Board('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.', name="JAM01")
    """
    records = call("suites", {}, [name])
    return _native.read_boards("\n".join(map(json.dumps, records)), format="json", source=f"suite {name}")
