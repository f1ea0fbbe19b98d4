"""Boards from texts, files and the suites that come with clearway."""

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
    """All boards in a text, whose format is detected if it is not given.

    ``size`` is that of boards in formats that do not carry it; ``exit`` is taken whatever the text says.

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
    """All boards in a file, as :func:`read_text` reads them.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "boards.txt")
    ...     _ = file.write_text("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
    ...     read(file)
    [Board('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.')]
    """
    # What is no text becomes something that no board holds, and the message says where.
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return _native.read_boards(text, format=format, size=size, exit=exit, source=os.fspath(path))


@dataclass(frozen=True)
class Suite:
    """A collection of boards that comes with clearway."""

    name: str
    #: The number of its boards.
    boards: int
    about: str


def suites() -> list[Suite]:
    """The suites that come with clearway.

    >>> suites()[0]
    Suite(name='cards', boards=40, about='the 40 cards of the standard game')
    """
    return [Suite(**record) for record in call("suites", {})]


def suite(name: str) -> list[Board]:
    """The boards of a suite, with their names.

    >>> suite("cards")[0]
    Board('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.', name="JAM01")
    """
    records = call("suites", {}, [name])
    return _native.read_boards("\n".join(map(json.dumps, records)), format="json", source=f"suite {name}")
