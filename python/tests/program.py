"""The program itself, in a process of its own, to compare the package with."""

import json
import subprocess
import sys
import tempfile
from typing import Any


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """What a command line prints."""
    # Elsewhere, so that the package is the one that is installed.
    folder = tempfile.gettempdir()
    line = [sys.executable, "-m", "clearway", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=folder)


def records(*words: str) -> list[dict[str, Any]]:
    """The records that a command line prints."""
    return [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]
