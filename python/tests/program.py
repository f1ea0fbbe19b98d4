"""Runs the program in its own process, to compare the package with it."""

import json
import subprocess
import sys
import tempfile
from typing import Any


def run(*args: str) -> subprocess.CompletedProcess[str]:
    """Runs the program with arguments."""
    # Run in another folder, so that the installed package is imported.
    folder = tempfile.gettempdir()
    line = [sys.executable, "-m", "clearway", *args]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=folder)


def records(*args: str) -> list[dict[str, Any]]:
    """Returns the JSON records that the program prints."""
    return [json.loads(line) for line in run(*args, "--json").stdout.splitlines()]
