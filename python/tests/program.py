"""The program itself, in a process of its own, to compare the package with."""

import json
import subprocess
import sys
from typing import Any


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """What a command line prints."""
    return subprocess.run([sys.executable, "-m", "clearway", *words], capture_output=True, text=True, check=False)


def records(*words: str) -> list[dict[str, Any]]:
    """The records that a command line prints."""
    return [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]
