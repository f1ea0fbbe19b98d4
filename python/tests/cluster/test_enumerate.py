"""The catalogue on a cluster: the same bytes, whatever fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
import ray

from clearway import _native
from clearway.cluster import enumerate as job
from clearway.cluster import runner

from .conftest import GUARD

# Thirteen tasks of 6x6, about a second of work.
SAMPLE = ["--size", "6", "--shard", "7/600"]


def test_the_catalogue_equals_that_of_the_command(spread, alone, here):
    alone("forge", "enumerate", "--size", "5", "--out", "alone.txt", "--out", "alone.parquet")
    assert spread("enumerate", "--size", "5", "--shards=11", "--out", "spread.txt", "--out", "spread.parquet") == 0
    for ending in ("txt", "parquet"):
        assert (here / f"spread.{ending}").read_bytes() == (here / f"alone.{ending}").read_bytes()
    assert len(list((here / "spread.txt.parts").glob("shard-*-of-11.parquet"))) == 11


def test_other_shapes_and_shards_equal_those_of_the_command(spread, alone, here, capfd):
    for number, words in enumerate(
        (
            ["--size", "5x4", "--walls", "1", "--exit", "top", "--metric", "steps", "--min-moves", "9"],
            ["--size", "5", "--shard", "2/3", "--shards", "1000"],
            ["--size", "5", "--representative", "first"],
        )
    ):
        printed = alone("forge", "enumerate", *[word for word in words if word not in ("--shards", "1000")])
        capfd.readouterr()
        assert spread("enumerate", *words, "--folder", f"parts-{number}") == 0
        assert capfd.readouterr().out == printed


def test_an_interrupted_job_continues(spread, alone, here, capfd, monkeypatch):
    words = ["--size", "5", "--shards", "20", "--out", "spread.txt"]
    writes = runner.Folder.write
    names: list[str] = []

    def interrupt_after_seven(self, name, data):
        if len(names) == 7:
            raise KeyboardInterrupt
        if name.startswith("shard"):
            names.append(name)
        writes(self, name, data)

    monkeypatch.setattr(runner.Folder, "write", interrupt_after_seven)
    assert spread("enumerate", *words) == 130
    assert "repeat the command to continue" in capfd.readouterr().err
    assert not (here / "spread.txt").exists()
    first = set(names)
    names.clear()
    names.extend(["none"] * 100)
    again: list[str] = []
    monkeypatch.setattr(runner.Folder, "write", lambda self, name, data: (again.append(name), writes(self, name, data)))
    assert spread("enumerate", *words) == 0
    assert "7 of 20 shards are already done" in capfd.readouterr().err
    assert len(again) == 13 and not first & set(again)
    alone("forge", "enumerate", "--size", "5", "--out", "alone.txt")
    assert (here / "spread.txt").read_bytes() == (here / "alone.txt").read_bytes()
    # No shard is missing; only the file is written again.
    (here / "spread.txt").unlink()
    assert spread("enumerate", *words) == 0
    assert (here / "spread.txt").read_bytes() == (here / "alone.txt").read_bytes()


def test_the_folder_of_another_job_is_an_error(spread, here, capfd):
    assert spread("enumerate", "--size", "4", "--folder", "parts") == 0
    capfd.readouterr()
    assert spread("enumerate", "--size", "4", "--metric", "steps", "--folder", "parts") == 3
    error = capfd.readouterr().err
    assert "it was made with other settings" in error and "give another --folder" in error
    assert spread("enumerate", "--size", "4", "--representative", "first", "--folder", "parts") == 3
    assert "it was made with other settings" in capfd.readouterr().err
    assert spread("enumerate", "--size", "4", "--shards", "3", "--folder", "parts") == 3
    assert "not 3; give another --folder" in capfd.readouterr().err
    assert spread("pack", "--folder", "parts") == 3
    assert "belongs to a job of enumerate" in capfd.readouterr().err
    (here / "parts" / "job.json").write_text('{"job": "enumerate", "shards": 2}')
    assert spread("enumerate", "--size", "4", "--folder", "parts") == 3
    assert "job.json is damaged, or was written by an earlier version" in capfd.readouterr().err


def test_a_damaged_part_is_computed_again(spread, here, capfd):
    words = ["--size", "4", "--shards", "3", "--folder", "parts", "--out", "all.txt"]
    assert spread("enumerate", *words) == 0
    whole = (here / "all.txt").read_bytes()
    shard = next((here / "parts").glob("shard-1-*"))
    sound = shard.read_bytes()
    for damaged in (sound[:-9], sound.replace(b'"states":', b'"states":1', 1)):
        assert damaged != sound
        shard.write_bytes(damaged)
        capfd.readouterr()
        assert spread("enumerate", *words) == 0
        assert f"{shard.name} is damaged and is computed again: " in capfd.readouterr().err
        assert (here / "all.txt").read_bytes() == whole and shard.read_bytes() == sound


def test_a_folder_is_locked_by_one_process(spread, here, capfd):
    lock = _native.FolderLock(here / "parts")
    assert spread("enumerate", "--size", "4", "--folder", "parts") == 3
    assert f"parts is in use by another process (process {os.getpid()})" in capfd.readouterr().err
    lock.release()
    assert spread("enumerate", "--size", "4", "--folder", "parts") == 0


def test_invalid_options_give_the_messages_of_the_command(spread, here, capfd):
    for words, code, text in (
        (["enumerate", "--size", "9"], 2, "too many boards of 9x9 to enumerate"),
        (["enumerate", "--colour"], 2, "unexpected argument '--colour'"),
        (["enumerate", "--shards", "few"], 2, "invalid value 'few' for '--shards'"),
        (["enumerate", "--resume", "log"], 2, "--resume is not supported on a cluster"),
        (["enumerate", "--size", "4", "--out", "no/such/file"], 3, "cannot write no/such/file"),
        (["pack", "--out", "pack.doc"], 2, "unknown pack format of pack.doc"),
        (["compare", "no-such-file"], 3, "no-such-file"),
        (["evolve", "--seeds", "3..1"], 2, "invalid list of seeds '3..1'"),
        (["grow"], 2, "unknown job 'grow'"),
    ):
        assert spread(*words) == code
        assert text in capfd.readouterr().err


def test_a_job_ends_when_its_budget_is_spent(spread, here):
    assert spread("enumerate", *SAMPLE, "--budget", "0s", "--out", "some.txt") == 5
    assert "# incomplete: " in (here / "some.txt").read_text()


def test_a_worker_that_dies_changes_nothing(spread, alone, here, monkeypatch):
    @ray.remote(max_retries=-1)
    def dies_once(words, shard, shards):
        flag = here / f"died-{shard}"
        if shard % 2 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return _native.Enumerate(words).shard(shard, shards)

    monkeypatch.setattr(job, "_shard", dies_once)
    assert spread("enumerate", "--size", "5", "--shards", "4", "--out", "spread.txt") == 0
    assert len(list(here.glob("died-*"))) == 2
    alone("forge", "enumerate", "--size", "5", "--out", "alone.txt")
    assert (here / "spread.txt").read_bytes() == (here / "alone.txt").read_bytes()


def test_a_node_that_dies_changes_nothing(machines, spread, alone, here, monkeypatch):
    node = machines.add_node(num_cpus=2, wait=False)
    machines.wait_for_nodes(timeout=GUARD)
    started = here / "started"
    started.touch()
    doomed = node.node_id

    @ray.remote(max_retries=-1, num_cpus=1)
    def slow(words, shard, shards):
        where = ray.get_runtime_context().get_node_id()
        with open(started, "a") as file:
            file.write(f"{where}\n")
        # No shard finishes before one has started on the node that will die, and none ever finishes there.
        while where == doomed or doomed not in started.read_text():
            time.sleep(0.05)
        return _native.Enumerate(words).shard(shard, shards)

    monkeypatch.setattr(job, "_shard", slow)
    writes = runner.Folder.write
    dead: list[str] = []

    def kills(self, name, data):
        # The node dies while it computes shards.
        if name.startswith("shard") and not dead:
            machines.remove_node(node, allow_graceful=False)
            dead.append(doomed)
        writes(self, name, data)

    monkeypatch.setattr(runner.Folder, "write", kills)
    assert spread("enumerate", *SAMPLE, "--shards", "13", "--out", "spread.txt") == 0
    assert dead == [doomed]
    assert len(started.read_text().splitlines()) > 13, "lost shards must be computed again"
    alone("forge", "enumerate", *SAMPLE, "--out", "alone.txt")
    assert (here / "spread.txt").read_bytes() == (here / "alone.txt").read_bytes()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_the_job_and_keeps_finished_shards(here, alone, stop):
    # All 6x6 puzzles: many minutes of work, in shards that take a moment each.
    words = ["--size", "6", "--shards", "5000", "--out", "spread.txt"]
    command = [sys.executable, "-m", "clearway.cluster", "enumerate", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + GUARD
        while not list(here.glob("spread.txt.parts/shard-*")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(stop)
        _, error = process.communicate(timeout=GUARD)
    assert process.returncode == 130, error
    assert "repeat the command to continue" in error
    # job.json and at least one shard.
    kept = list(here.glob("spread.txt.parts/*"))
    assert 2 <= len(kept) < 5001 and not (here / "spread.txt").exists()
    assert not list(here.glob("spread.txt.parts/.*"))


def test_an_unreachable_address_is_an_error_at_once(spread, capfd):
    assert spread("enumerate", "--size", "4", "--address", "127.0.0.1:1") == 2
    assert "no Ray cluster at '127.0.0.1:1'" in capfd.readouterr().err
