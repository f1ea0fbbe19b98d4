"""Comparison of algorithms: a task is all runs of a few boards, and its result a file in the folder."""

from __future__ import annotations

import ray

from clearway import _native
from clearway.cluster import runner


@ray.remote(max_retries=-1)
def _boards(text: str, first: int, end: int) -> bytes:
    return _native.ComparePart(text).boards(first, end)


def main(args: list[str], address: str | None = None, folder: str | None = None) -> int:
    """Runs ``clearway compare`` on a cluster; returns the exit code."""
    job = _native.Compare(args)
    parts = runner.Folder(folder, "compare", args)
    with runner.cluster(address, args), runner.report_interrupt(parts.path, args):
        size = parts.fixed_number("boards", lambda: max(1, min(16, job.boards // (4 * runner.cpus()))), None)
        chunks = [(first, min(first + size, job.boards)) for first in range(0, job.boards, size)]
        _run_missing(job, args, parts, chunks)
    for first, end in chunks:
        data = parts.read_existing(_name(first, end))
        with parts.error_context(_name(first, end)):
            job.add(first, end, data)
    return job.finish()


def _run_missing(job: _native.Compare, args: list[str], parts: runner.Folder, chunks: list[tuple[int, int]]) -> None:
    """Makes all runs that the folder does not have yet."""

    def is_missing(chunk: tuple[int, int]) -> bool:
        return parts.read(_name(*chunk), lambda data: job.check(*chunk, data)) is None

    missing = [chunk for chunk in chunks if is_missing(chunk)]
    done = job.boards - sum(end - first for first, end in missing)
    if done:
        runner.note(f"{done} of {job.boards} boards are already done", args)
    text = ray.put(job.text)
    with runner.Progress("boards", job.boards, args) as progress:
        progress.show(done)

        def take(chunk: tuple[int, int], data: bytes) -> None:
            nonlocal done
            runner.check_received(lambda: job.check(*chunk, data))
            parts.write(_name(*chunk), data)
            done += chunk[1] - chunk[0]
            progress.show(done)

        runner.run_tasks(missing, lambda chunk: _boards.remote(text, *chunk), take)


def _name(first: int, end: int) -> str:
    return f"boards-{first + 1:06}-to-{end:06}.parquet"
