"""Every puzzle of a size, in shards: each is a task, and a file in the folder."""

from __future__ import annotations

import time

import ray

from clearway import _native
from clearway.cluster import runner


@ray.remote(max_retries=-1)
def _shard(words: list[str], shard: int, shards: int) -> bytes:
    return _native.Enumerate(words).shard(shard, shards)


def main(words: list[str], address: str | None = None, folder: str | None = None, shards: str | None = None) -> int:
    """Lists every puzzle as ``clearway forge enumerate`` does."""
    job = _native.Enumerate(words)
    job.check_outputs()
    asked = runner.number_of("--shards", shards)
    kept = runner.Folder(folder, "enumerate", words)
    with runner.cluster(address, words), runner.keeping(kept.path, words):
        count = kept.settle("shards", lambda: job.usual_shards(runner.cpus()), asked and min(asked, max(1, job.tasks)))
        _work(job, words, kept, count)
    for shard in range(1, count + 1):
        data = kept.read(_name(shard, count), lambda _: None)
        if data is not None:
            with kept.fit(_name(shard, count)):
                job.add(shard, count, data)
    return job.finish()


def _work(job: _native.Enumerate, words: list[str], kept: runner.Folder, count: int) -> None:
    """Does all shards that are not done yet, until the budget is spent."""
    began = time.monotonic()

    def is_left(shard: int) -> bool:
        return kept.read(_name(shard, count), lambda data: job.check(shard, count, data)) is None

    left = [shard for shard in range(1, count + 1) if is_left(shard)]
    done = count - len(left)
    if done:
        runner.note(f"{done} of {count} shards are done already", words)
    with runner.Progress("shards", count, words) as progress:
        progress.show(done)

        def take(shard: int, data: bytes) -> None:
            nonlocal done
            runner.check_arrival(lambda: job.check(shard, count, data))
            kept.write(_name(shard, count), data)
            done += 1
            progress.show(done)

        def goes_on() -> bool:
            return job.budget is None or time.monotonic() - began < job.budget

        runner.work(left, lambda shard: _shard.remote(words, shard, count), take, goes_on)


def _name(shard: int, shards: int) -> str:
    return f"shard-{shard:0{len(str(shards))}}-of-{shards}.parquet"
