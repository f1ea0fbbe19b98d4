"""A whole run for each of many seeds, each on its own CPU, and the table of their results."""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path
from typing import Any

import ray

from clearway import _native
from clearway._command import call
from clearway.cluster import runner, table
from clearway.errors import UsageError

# Interval in seconds at which the driver receives the files of a run; a failing machine loses about this much.
SYNC_INTERVAL = 5.0


def parse_seeds(text: str) -> list[int]:
    """Parses a number of seeds, or a list of seeds and ranges.

    >>> parse_seeds("0..3,8")
    [0, 1, 2, 3, 8]
    >>> parse_seeds("3")
    [0, 1, 2]
    """
    if re.fullmatch(r"\s*\d+\s*", text) and 0 < int(text) <= 1_000_000:
        return list(range(int(text)))
    seeds: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:\.\.(\d+))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < first + 1_000_000:
            raise UsageError(f"invalid list of seeds '{text}'; expected numbers and ranges, such as 0..9 or 1,2,5")
        seeds += range(first, last + 1)
    return sorted(set(seeds))


@ray.remote(num_cpus=1, max_restarts=0)
class _Run:
    """A run of evolution, in its own folder on any machine."""

    def __init__(self, args: list[str], files: list[tuple[str, bytes]]) -> None:
        # The run is created in `work`, because Ray reports an exception in a constructor like a failing machine.
        self.arguments = (args, files)
        self.run: _native.SeedRun | None = None

    def work(self, seconds: float) -> tuple[list[tuple[str, bytes]], tuple[int, int, str], str | None]:
        """Continues for a while; returns the files that have changed, the progress, and the result when it is done."""
        if self.run is None:
            self.run = _native.SeedRun(*self.arguments)
        files = self.run.work(seconds)
        return files, self.run.state, self.run.result


def main(args: list[str], seeds: list[int], address: str | None) -> int:
    """Runs ``clearway evolve --seed N`` for each seed, and writes a table of the results."""
    for option in ("--seed", "-s", "--resume"):
        if runner.option_value(args, option) is not None:
            raise UsageError(f"{option} cannot be used with --seeds; to continue the runs, repeat the command")
    out = runner.option_value(args, "--out", "-o")
    folder = Path(out or "evolve-seeds")
    # Each run has its own --out, and the option may be given only once.
    args = _without_out(args)
    commands = {seed: [*args, f"--seed={seed}", f"--out={folder / f'seed-{seed}'}"] for seed in seeds}
    # Held until all results are written.
    lock = _native.FolderLock(folder)
    for seed in seeds:
        _native.prepare_run(commands[seed])
    missing = [seed for seed in seeds if _read_result(folder, seed) is None]
    if len(missing) < len(seeds):
        runner.note(f"{len(seeds) - len(missing)} of {len(seeds)} runs are already done", args)
    if missing:
        with runner.cluster(address, args), runner.report_interrupt(folder, args):
            _run_missing(folder, commands, missing, len(seeds), args)
    results = [result for seed in seeds if (result := _read_result(folder, seed)) is not None]
    print(table.write(results, folder), end="", flush=True)
    lock.release()
    # The report of `clearway evolve --seeds`.
    call("runs report", {}, [str(folder)])
    runner.note(f"{len(seeds)} runs done; wrote {folder / 'table.md'}", args)
    return 0


def _without_out(args: list[str]) -> list[str]:
    others: list[str] = []
    rest = iter(args)
    for arg in rest:
        name, equals, _ = arg.partition("=")
        if name not in ("--out", "-o"):
            others.append(arg)
        elif not equals:
            next(rest, None)
    return others


def _result_file(folder: Path, seed: int) -> Path:
    return folder / f"seed-{seed}" / "result.json"


def _read_result(folder: Path, seed: int) -> dict[str, Any] | None:
    """Returns the result of a run, or None if it is not done; removes a damaged file."""
    path = _result_file(folder, seed)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    unsealed = _native.unseal(text)
    if unsealed is None:
        runner.warn(f"{path} is damaged, or written by an earlier version of clearway; the champion is tested again")
        path.unlink()
    return None if unsealed is None else json.loads(unsealed)


def _run_missing(folder: Path, commands: dict[int, list[str]], missing: list[int], total: int, args: list[str]) -> None:
    """Makes the missing runs, one per CPU of the cluster at a time."""
    waiting = deque(missing)
    running: dict[ray.ObjectRef[Any], tuple[int, ray.actor.ActorHandle[Any]]] = {}
    # The completed fraction of each run.
    completed: dict[int, float] = {}
    locks: dict[int, _native.FolderLock] = {}
    done = total - len(missing)
    with runner.Progress("runs", total, args) as progress:
        progress.show(done)
        while running or waiting:
            while waiting and len(running) < runner.cpus():
                seed = waiting.popleft()
                # The run continues from the files that the driver received last.
                locks[seed] = _native.FolderLock(folder / f"seed-{seed}")
                # mypy does not know that the decorator turns the class into an actor.
                run = _Run.remote(commands[seed], _files(folder / f"seed-{seed}"))  # type: ignore[attr-defined]
                running[run.work.remote(SYNC_INTERVAL)] = (seed, run)
            for ref in runner.wait_for_finished(list(running)):
                seed, run = running.pop(ref)
                try:
                    files, (generations, expected, _), result = runner.result(ref)
                except runner.LOST_TASK_ERRORS:
                    locks.pop(seed).release()
                    waiting.append(seed)
                    continue
                for name, data in files:
                    _native.write_file(folder / f"seed-{seed}" / name, data)
                completed[seed] = generations / max(1, expected)
                if result is None:
                    running[run.work.remote(SYNC_INTERVAL)] = (seed, run)
                else:
                    _native.write_file(_result_file(folder, seed), result.encode())
                    locks.pop(seed).release()
                    done += 1
            partial = sum(completed.get(seed, 0.0) for seed, _ in running.values())
            progress.show(done, more=f" (+{partial:.1f} in progress)")


def _files(folder: Path) -> list[tuple[str, bytes]]:
    """Reads the files of a run, except hidden ones."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    return [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
