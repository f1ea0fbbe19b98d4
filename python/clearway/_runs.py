"""What all runs of evolution have in common: they are kept in folders, and go on where they stopped."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from clearway._command import Record, call

_log = logging.getLogger("clearway")


def breed(
    command: str,
    options: dict[str, Any],
    out: str | os.PathLike[str] | None,
    resume: str | os.PathLike[str] | None,
    on_generation: Callable[[Record], object] | None,
) -> tuple[Path, Record, list[Record]]:
    """Runs a command that breeds: the folder of the run, how it ended, and all of its generations."""

    def take(record: Record) -> None:
        if "folder" not in record and on_generation is not None:
            on_generation(record)

    place = out if resume is None else resume
    folder = Path(mkdtemp(prefix="clearway-") if place is None else place)
    where = {"out": folder if place is None else out, "resume": resume}
    try:
        records = call(command, {**options, **where}, on_record=take)
    except BaseException as error:
        if (folder / "config.toml").exists():
            _tell(error, f"the run is kept in {folder}: resume={str(folder)!r} goes on with it")
        elif place is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return folder, records[-1], [_generation(line) for line in lines]


def _generation(line: str) -> Record:
    """A line of a log, without its checksum."""
    record: Record = json.loads(line)
    record.pop("crc", None)
    return record


def _tell(error: BaseException, text: str) -> None:
    if hasattr(error, "add_note"):  # from Python 3.11 on
        error.add_note(text)
    else:
        _log.warning(text)
