"""For all tests, including doctests: no run is left behind in the temporary folder of the system."""

import signal
import tempfile
from pathlib import Path

import pytest

# A shell that starts a job in the background lets it ignore Ctrl-C, and so would every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
