"""Algorithms side by side: the runs of a few boards are a task, and a file in the folder."""

from __future__ import annotations

import ray

from clearway import _native
from clearway.cluster import runner


@ray.remote(max_retries=-1)
def _boards(text: str, first: int, end: int) -> bytes:
    return _native.ComparePart(text).boards(first, end)


def main(words: list[str], address: str | None = None, folder: str | None = None) -> int:
    """Compares as ``clearway compare`` does."""
    job = _native.Compare(words)
    kept = runner.Folder(folder, "compare", words)
    with runner.cluster(address, words), runner.keeping(kept.path, words):
        size = kept.settle("boards", lambda: max(1, min(16, job.boards // (4 * runner.cpus()))), None)
        chunks = [(first, min(first + size, job.boards)) for first in range(0, job.boards, size)]
        _work(job, words, kept, chunks)
    for first, end in chunks:
        data = kept.read_done(_name(first, end))
        with kept.fit(_name(first, end)):
            job.add(first, end, data)
    return job.finish()


def _work(job: _native.Compare, words: list[str], kept: runner.Folder, chunks: list[tuple[int, int]]) -> None:
    """Makes all runs that are not made yet."""

    def is_left(chunk: tuple[int, int]) -> bool:
        return kept.read(_name(*chunk), lambda data: job.check(*chunk, data)) is None

    left = [chunk for chunk in chunks if is_left(chunk)]
    done = job.boards - sum(end - first for first, end in left)
    if done:
        runner.note(f"{done} of {job.boards} boards are done already", words)
    text = ray.put(job.text)
    with runner.Progress("boards", job.boards, words) as progress:
        progress.show(done)

        def take(chunk: tuple[int, int], data: bytes) -> None:
            nonlocal done
            runner.check_arrival(lambda: job.check(*chunk, data))
            kept.write(_name(*chunk), data)
            done += chunk[1] - chunk[0]
            progress.show(done)

        runner.work(left, lambda chunk: _boards.remote(text, *chunk), take)


def _name(first: int, end: int) -> str:
    return f"boards-{first + 1:06}-to-{end:06}.parquet"
