"""A run for each of many seeds, each a whole on a CPU of its own, and the table of what they came to."""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path
from typing import Any

import ray

from clearway import _native
from clearway.cluster import runner, table
from clearway.errors import UsageError

# How often the files of a run come home, in seconds: what is lost when a machine dies.
HOME_EVERY = 5.0


def seeds_of(text: str) -> list[int]:
    """The seeds of a list.

    >>> seeds_of("0..3,8")
    [0, 1, 2, 3, 8]
    """
    seeds: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)(?:\.\.(\d+))?\s*", part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if not first <= last < first + 1_000_000:
            raise UsageError(f"'{text}' is no list of seeds: numbers and ranges are expected, such as 0..9 or 1,2,5")
        seeds += range(first, last + 1)
    return sorted(set(seeds))


@ray.remote(num_cpus=1, max_restarts=0)
class _Run:
    """A run of evolution, in a folder of its own on whatever machine it is made."""

    def __init__(self, words: list[str], files: list[tuple[str, bytes]]) -> None:
        # What goes wrong here would look like the death of a machine.
        self.begins = (words, files)
        self.run: _native.SeedRun | None = None

    def work(self, seconds: float) -> tuple[list[tuple[str, bytes]], tuple[int, int, str], str | None]:
        """Goes on for a while: the files that have changed, how far it is, and at the end what it came to."""
        if self.run is None:
            self.run = _native.SeedRun(*self.begins)
        files = self.run.work(seconds)
        return files, self.run.state, self.run.result


def main(words: list[str], seeds: list[int], address: str | None) -> int:
    """Breeds with each seed as ``clearway evolve --seed N`` does, and makes a table of them all."""
    for option in ("--seed", "-s", "--resume"):
        if runner.value_of(words, option) is not None:
            raise UsageError(f"{option} is not for many seeds: --seeds names them, and the same command goes on")
    out = runner.value_of(words, "--out", "-o")
    folder = Path(out or "evolve-seeds")
    # What comes last counts, but an option may be given only once.
    words = _without_out(words)
    commands = {seed: [*words, f"--seed={seed}", f"--out={folder / f'seed-{seed}'}"] for seed in seeds}
    # Held until the end.
    lock = _native.FolderLock(folder)
    for seed in seeds:
        _native.lay_out(commands[seed])
    left = [seed for seed in seeds if _result(folder, seed) is None]
    if len(left) < len(seeds):
        runner.note(f"{len(seeds) - len(left)} of {len(seeds)} runs are done already", words)
    if left:
        with runner.cluster(address, words), runner.keeping(folder, words):
            _breed(folder, commands, left, len(seeds), words)
    results = [result for seed in seeds if (result := _result(folder, seed)) is not None]
    print(table.write(results, folder), end="", flush=True)
    lock.release()
    runner.note(f"{len(seeds)} runs; the table is {folder / 'table.md'}", words)
    return 0


def _without_out(words: list[str]) -> list[str]:
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if name not in ("--out", "-o"):
            kept.append(word)
        elif not equals:
            next(rest, None)
    return kept


def _result_file(folder: Path, seed: int) -> Path:
    return folder / f"seed-{seed}" / "result.json"


def _result(folder: Path, seed: int) -> dict[str, Any] | None:
    """What a run came to, or None if it is not done, or if the file that says so is damaged."""
    path = _result_file(folder, seed)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    sound = _native.unseal(text)
    if sound is None:
        runner.warn(f"{path} is damaged, or an earlier version of clearway wrote it; the champion is tested again")
        path.unlink()
    return None if sound is None else json.loads(sound)


def _breed(folder: Path, commands: dict[int, list[str]], left: list[int], total: int, words: list[str]) -> None:
    """Makes the runs that are left, as many at a time as the cluster has CPUs."""
    waiting = deque(left)
    running: dict[ray.ObjectRef[Any], tuple[int, ray.actor.ActorHandle[Any]]] = {}
    made: dict[int, float] = {}
    locks: dict[int, _native.FolderLock] = {}
    done = total - len(left)
    with runner.Progress("runs", total, words) as progress:
        progress.show(done)
        while running or waiting:
            while waiting and len(running) < runner.cpus():
                seed = waiting.popleft()
                # It goes on from what came home before.
                locks[seed] = _native.FolderLock(folder / f"seed-{seed}")
                # mypy does not see that the decorator makes an actor of the class.
                run = _Run.remote(commands[seed], _files(folder / f"seed-{seed}"))  # type: ignore[attr-defined]
                running[run.work.remote(HOME_EVERY)] = (seed, run)
            for ref in runner.finished(list(running)):
                seed, run = running.pop(ref)
                try:
                    files, (generations, expected, _), result = runner.result(ref)
                except runner.LOST:
                    locks.pop(seed).release()
                    waiting.append(seed)
                    continue
                for name, data in files:
                    _native.write_file(folder / f"seed-{seed}" / name, data)
                made[seed] = generations / max(1, expected)
                if result is None:
                    running[run.work.remote(HOME_EVERY)] = (seed, run)
                else:
                    _native.write_file(_result_file(folder, seed), result.encode())
                    locks.pop(seed).release()
                    done += 1
            under_way = sum(made.get(seed, 0.0) for seed, _ in running.values())
            progress.show(done, more=f" (+{under_way:.1f} under way)")


def _files(folder: Path) -> list[tuple[str, bytes]]:
    """The files of a run."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    return [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
