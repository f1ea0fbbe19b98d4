"""Packs of new puzzles: a task is several attempts of a round, and its result a file in the folder."""

from __future__ import annotations

import time
from collections.abc import Callable

import ray

from clearway import _native
from clearway.cluster import runner

# Attempts per task, which take a few tenths of a second.
ATTEMPTS_PER_TASK = 16


@ray.remote(max_retries=-1)
def _attempt(args: list[str], first: int, aims: list[int]) -> bytes:
    return _native.Pack(args).attempt(first, aims)


def main(args: list[str], address: str | None = None, folder: str | None = None) -> int:
    """Runs ``clearway forge pack`` on a cluster; returns the exit code."""
    job = _native.Pack(args)
    job.check_outputs()
    parts = runner.Folder(folder, "pack", args)
    size = parts.fixed_number("attempts", lambda: ATTEMPTS_PER_TASK, None)
    started = time.monotonic()

    def should_continue() -> bool:
        return job.time_limit is None or time.monotonic() - started < job.time_limit

    with (
        runner.cluster(address, args),
        runner.report_interrupt(parts.path, args),
        runner.Progress("puzzles", job.count, args) as progress,
    ):
        while (next_round := job.next_round()) is not None:
            attempts, found = job.progress
            round_size = len(next_round[1])

            def show(made: int, found: int = found, attempts: int = attempts, round_size: int = round_size) -> None:
                more = f", {attempts + made} attempts ({made} of {round_size} of this round)"
                progress.show(min(found, job.count), more=more)

            if not _run_round(job, args, parts, next_round, size, should_continue, show):
                job.stop()
    return job.finish()


def _run_round(
    job: _native.Pack,
    args: list[str],
    parts: runner.Folder,
    next_round: tuple[int, list[int]],
    size: int,
    should_continue: Callable[[], bool],
    show: Callable[[int], None],
) -> bool:
    """Makes the attempts of a round; returns whether all of them were made. ``show`` is called with the number made."""
    first, aims = next_round
    chunks = [(first + at, aims[at : at + size]) for at in range(0, len(aims), size)]
    done: dict[int, bytes] = {}

    def is_missing(chunk: tuple[int, list[int]]) -> bool:
        start, some = chunk
        data = parts.read(_name(start), lambda data: job.check(start, len(some), data))
        if data is not None:
            done[start] = data
        return data is None

    def take(chunk: tuple[int, list[int]], data: bytes) -> None:
        start, some = chunk
        runner.check_received(lambda: job.check(start, len(some), data))
        parts.write(_name(start), data)
        done[start] = data
        show_progress()

    def show_progress() -> None:
        show(sum(len(some) for start, some in chunks if start in done))

    missing = [chunk for chunk in chunks if is_missing(chunk)]
    show_progress()
    complete = runner.run_tasks(missing, lambda chunk: _attempt.remote(args, *chunk), take, should_continue)
    # If the round was stopped, the attempts before the first missing one.
    pieces = []
    for start, some in chunks:
        if start not in done:
            break
        pieces.append((len(some), done[start]))
    job.take(pieces)
    return complete


def _name(first: int) -> str:
    return f"attempts-{first:09}.parquet"
