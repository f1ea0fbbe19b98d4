"""A pack of new puzzles: each round of attempts is cut into tasks, and each task is a file in the folder."""

from __future__ import annotations

import time
from collections.abc import Callable

import ray

from clearway import _native
from clearway.cluster import runner

# Attempts of a task: a few tenths of a second.
CHUNK = 16


@ray.remote(max_retries=-1)
def _attempt(words: list[str], first: int, aims: list[int]) -> bytes:
    return _native.Pack(words).attempt(first, aims)


def main(words: list[str], address: str | None = None, folder: str | None = None) -> int:
    """Makes the pack that ``clearway forge pack`` makes."""
    job = _native.Pack(words)
    job.check_outputs()
    kept = runner.Folder(folder, "pack", words)
    size = kept.settle("attempts", lambda: CHUNK, None)
    began = time.monotonic()

    def goes_on() -> bool:
        return job.time_limit is None or time.monotonic() - began < job.time_limit

    with (
        runner.cluster(address, words),
        runner.keeping(kept.path, words),
        runner.Progress("puzzles", job.count, words) as progress,
    ):
        while (next_round := job.next_round()) is not None:
            attempts, found = job.progress
            progress.show(min(found, job.count), more=f", {attempts} attempts")
            if not _round(job, words, kept, next_round, size, goes_on):
                job.stop()
    return job.finish()


def _round(
    job: _native.Pack,
    words: list[str],
    kept: runner.Folder,
    next_round: tuple[int, list[int]],
    size: int,
    goes_on: Callable[[], bool],
) -> bool:
    """Makes the attempts of a round; gives whether all were made."""
    first, aims = next_round
    chunks = [(first + at, aims[at : at + size]) for at in range(0, len(aims), size)]
    done: dict[int, bytes] = {}

    def is_left(chunk: tuple[int, list[int]]) -> bool:
        start, some = chunk
        data = kept.read(_name(start), lambda data: job.check(start, len(some), data))
        if data is not None:
            done[start] = data
        return data is None

    def take(chunk: tuple[int, list[int]], data: bytes) -> None:
        start, some = chunk
        runner.check_arrival(lambda: job.check(start, len(some), data))
        kept.write(_name(start), data)
        done[start] = data

    left = [chunk for chunk in chunks if is_left(chunk)]
    complete = runner.work(left, lambda chunk: _attempt.remote(words, *chunk), take, goes_on)
    # Of a round that was stopped, the attempts up to the first that is missing.
    pieces = []
    for start, some in chunks:
        if start not in done:
            break
        pieces.append((len(some), done[start]))
    job.take(pieces)
    return complete


def _name(first: int) -> str:
    return f"attempts-{first:09}.parquet"
