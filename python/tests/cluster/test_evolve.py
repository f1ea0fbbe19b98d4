"""Evolution on a cluster: the champion of a seed is the same wherever it was bred."""

from __future__ import annotations

import json
import os
import signal

import pytest
import ray

from clearway import _native
from clearway.cluster import evolve as job
from clearway.cluster import runner, seeds, table

from .conftest import GUARD


@pytest.fixture
def options(alone, here) -> list[str]:
    """A run that is over at once."""
    lines = alone("convert", "--suite", "cards", "--to", "line").splitlines()
    (here / "learn.txt").write_text("\n".join(lines[:8]) + "\n")
    (here / "test.txt").write_text("\n".join(lines[8:10]) + "\n")
    (here / "choose.txt").write_text("\n".join(lines[10:13]) + "\n")
    words = ["--suite", "learn.txt", "--test", "test.txt", "--generations", "5", "--population", "24", "--sample", "3"]
    return [*words, "--islands", "2"]


def came_to(folder) -> tuple[str, list[dict]]:
    """The champion of a run and its log, but for the times."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for line in lines:
        del line["seconds"], line["crc"]  # the checksum covers the time
    return (folder / "champion.policy").read_text(), lines


def test_the_champion_is_the_same(spread, alone, here, options):
    words = [*options, "--seed", "3", "--coevolve"]
    alone("evolve", *words, "--out", "alone")
    assert spread("evolve", *words, "--out", "spread") == 0
    assert came_to(here / "spread") == came_to(here / "alone")
    assert len(came_to(here / "spread")[1]) == 5


def test_a_run_goes_on_where_it_stopped(spread, alone, here, options, monkeypatch, capfd):
    words = [*options, "--seed", "4"]
    calls: list[int] = []

    class Stops(job.Judges):
        def __call__(self, brief, memory, genomes):
            calls.append(len(genomes))
            if len(calls) == 3:
                raise KeyboardInterrupt
            return super().__call__(brief, memory, genomes)

    monkeypatch.setattr(job, "Judges", Stops)
    assert spread("evolve", *words, "--out", "spread") == 130
    assert "interrupted after 2 generations" in capfd.readouterr().err
    assert spread("evolve", *words, "--out", "spread") == 0
    assert len(calls) == 6
    alone("evolve", *words, "--out", "alone")
    assert came_to(here / "spread") == came_to(here / "alone")
    assert spread("evolve", *options, "--seed", "5", "--out", "spread") == 3
    assert "holds a run with other settings: clearway evolve" in capfd.readouterr().err


def test_judges_and_nodes_that_die_change_nothing(machines, spread, alone, here, options, monkeypatch):
    node = machines.add_node(num_cpus=2, wait=False)
    machines.wait_for_nodes(timeout=GUARD)
    happened: list[str] = []

    class Unlucky(job.Judges):
        def __call__(self, brief, memory, genomes):
            if self.generation == 1:
                for judge in list(self.judges)[:1]:
                    ray.kill(judge)
                happened.append("killed")
            if self.generation == 2:
                machines.remove_node(node, allow_graceful=False)
                happened.append("removed")
            return super().__call__(brief, memory, genomes)

    monkeypatch.setattr(job, "Judges", Unlucky)
    words = [*options, "--seed", "6"]
    assert spread("evolve", *words, "--out", "spread") == 0
    assert happened == ["killed", "removed"]
    alone("evolve", *words, "--out", "alone")
    assert came_to(here / "spread") == came_to(here / "alone")


def test_many_seeds_make_a_table(spread, alone, here, options, monkeypatch, capfd):
    @ray.remote(num_cpus=1, max_restarts=0)
    class Dies:
        """A run that dies once, after its first files came home."""

        def __init__(self, words, files):
            self.run = _native.SeedRun(words, files)
            self.flag = here / "died"

        def work(self, seconds):
            if self.run.state[0] > 0 and not self.flag.exists():
                self.flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return self.run.work(seconds), self.run.state, self.run.result

    monkeypatch.setattr(seeds, "_Run", Dies)
    monkeypatch.setattr(seeds, "HOME_EVERY", 0.0001)
    options += ["--validate", "choose.txt"]
    assert spread("evolve", *options, "--seeds", "1,3..4", "--out", "many") == 0
    assert (here / "died").exists()
    printed = capfd.readouterr().out
    assert printed.endswith((here / "many/table.md").read_text())
    assert "95 % were asked for, and 75.0 % are reached" in printed
    alone("evolve", *options, "--seed", "3", "--out", "alone")
    assert came_to(here / "many/seed-3") == came_to(here / "alone")
    rows = (here / "many/table.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["seed", "1", "3", "4"]
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(here / "many/table.parquet")
    summary = pandas.read_parquet(here / "many/summary.parquet").set_index("measure")
    chosen = f"about: Chosen on choose.txt: {frame['validation: nodes %'][1]:.2f} % of the nodes"
    assert chosen in came_to(here / "alone")[0]
    assert frame["validation: length/optimum"].min() >= 1
    measure = "test.txt: nodes %"
    assert summary.loc[measure, "median"] == frame[measure].median()
    assert (summary.loc[measure, "low"], summary.loc[measure, "high"]) == (frame[measure].min(), frame[measure].max())
    # Another seed is added, and those that are done are not made again.
    assert spread("evolve", *options, "--seeds", "1..4", "--out", "many") == 0
    assert "3 of 4 runs are done already" in capfd.readouterr().err
    assert len((here / "many/table.csv").read_text().splitlines()) == 5


def test_intervals_hold_the_median_as_often_as_they_say():
    # All orders of values above and below the median are as likely.
    for count in range(1, 13):
        values = list(range(count))
        low, high, coverage = table.interval(values)
        held = sum(low < bits.bit_count() <= high for bits in range(2**count))
        assert coverage == pytest.approx(held / 2**count)
        assert coverage >= 0.95 or (low, high) == (0, count - 1)


def test_tasks_in_flight_are_few_however_many_there_are(machines, monkeypatch):
    most, running = 0, set()
    # The size of the cluster changes while it works: a node that an earlier test removed may still be counted at first.
    seen: list[int] = []
    count = runner.cpus

    def cpus():
        seen.append(count())
        return seen[-1]

    monkeypatch.setattr(runner, "cpus", cpus)

    @ray.remote
    def nothing(number):
        return number

    def submit(number):
        nonlocal most
        running.add(number)
        most = max(most, len(running))
        return nothing.remote(number)

    taken: list[int] = []

    def take(number, done):
        assert done == number
        running.discard(number)
        taken.append(number)

    assert runner.work(range(300), submit, take)
    assert sorted(taken) == list(range(300))
    assert most <= runner.PER_CPU * max(seen)
