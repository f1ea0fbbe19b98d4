"""Runs of evolution: they are kept in folders and can be resumed."""

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


def run_evolution(
    command: str,
    options: dict[str, Any],
    out: str | os.PathLike[str] | None,
    resume: str | os.PathLike[str] | None,
    on_generation: Callable[[Record], object] | None,
) -> tuple[Path, Record, list[Record]]:
    """Runs a command that evolves; returns the folder of the run, its final record, and its generations."""

    def on_record(record: Record) -> None:
        if "folder" not in record and on_generation is not None:
            on_generation(record)

    given = out if resume is None else resume
    folder = Path(mkdtemp(prefix="clearway-") if given is None else given)
    where = {"out": folder if given is None else out, "resume": resume}
    try:
        records = call(command, {**options, **where}, on_record=on_record)
    except BaseException as error:
        if (folder / "config.toml").exists():
            _add_note(error, f"the run is kept in {folder}; continue it with resume={str(folder)!r}")
        elif given is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return folder, records[-1], [_generation(line) for line in lines]


def _generation(line: str) -> Record:
    """Parses a line of a log; drops its checksum."""
    record: Record = json.loads(line)
    record.pop("crc", None)
    return record


def _add_note(error: BaseException, text: str) -> None:
    if hasattr(error, "add_note"):  # Python 3.11 or newer
        error.add_note(text)
    else:
        _log.warning(text)
