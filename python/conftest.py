"""For all tests, those in docstrings and documents too: no run stays behind in the system's temporary folder."""

import tempfile
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
