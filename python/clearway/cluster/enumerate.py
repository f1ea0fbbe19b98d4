"""Enumeration of all puzzles of a size: a task is a shard, and its result a file in the folder."""

from __future__ import annotations

import time

import ray

from clearway import _native
from clearway.cluster import runner


@ray.remote(max_retries=-1)
def _shard(args: list[str], shard: int, shards: int) -> bytes:
    return _native.Enumerate(args).shard(shard, shards)


def main(args: list[str], address: str | None = None, folder: str | None = None, shards: str | None = None) -> int:
    """Runs ``clearway forge enumerate`` on a cluster; returns the exit code."""
    job = _native.Enumerate(args)
    job.check_outputs()
    requested = runner.parse_positive("--shards", shards)
    parts = runner.Folder(folder, "enumerate", args)
    with runner.cluster(address, args), runner.report_interrupt(parts.path, args):
        capped = requested and min(requested, max(1, job.tasks))
        count = parts.fixed_number("shards", lambda: job.default_shards(runner.cpus()), capped)
        _run_missing(job, args, parts, count)
    for shard in range(1, count + 1):
        data = parts.read(_name(shard, count), lambda _: None)
        if data is not None:
            with parts.error_context(_name(shard, count)):
                job.add(shard, count, data)
    return job.finish()


def _run_missing(job: _native.Enumerate, args: list[str], parts: runner.Folder, count: int) -> None:
    """Computes all shards that the folder does not have yet, until the budget is spent."""
    started = time.monotonic()

    def is_missing(shard: int) -> bool:
        return parts.read(_name(shard, count), lambda data: job.check(shard, count, data)) is None

    missing = [shard for shard in range(1, count + 1) if is_missing(shard)]
    done = count - len(missing)
    if done:
        runner.note(f"{done} of {count} shards are already done", args)
    with runner.Progress("shards", count, args) as progress:
        progress.show(done)

        def take(shard: int, data: bytes) -> None:
            nonlocal done
            runner.check_received(lambda: job.check(shard, count, data))
            parts.write(_name(shard, count), data)
            done += 1
            progress.show(done)

        def should_continue() -> bool:
            return job.budget is None or time.monotonic() - started < job.budget

        runner.run_tasks(missing, lambda shard: _shard.remote(args, shard, count), take, should_continue)


def _name(shard: int, shards: int) -> str:
    return f"shard-{shard:0{len(str(shards))}}-of-{shards}.parquet"
