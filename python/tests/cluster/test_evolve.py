"""Evolution on a cluster: the champion of a seed is the same as that of the command."""

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
    """The options of a short run."""
    lines = alone("convert", "--suite", "cards", "--to", "line").splitlines()
    (here / "learn.txt").write_text("\n".join(lines[:8]) + "\n")
    (here / "test.txt").write_text("\n".join(lines[8:10]) + "\n")
    (here / "choose.txt").write_text("\n".join(lines[10:13]) + "\n")
    words = ["--suite", "learn.txt", "--test", "test.txt", "--generations", "5", "--population", "24", "--sample", "3"]
    return [*words, "--islands", "2"]


def outcome(folder) -> tuple[str, list[dict]]:
    """Returns the champion of a run, and its log without times."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for line in lines:
        del line["seconds"], line["crc"]  # the checksum covers the time
    return (folder / "champion.policy").read_text(), lines


def test_the_champion_equals_that_of_the_command(spread, alone, here, options):
    words = [*options, "--seed", "3", "--coevolve"]
    alone("evolve", *words, "--out", "alone")
    assert spread("evolve", *words, "--out", "spread") == 0
    assert outcome(here / "spread") == outcome(here / "alone")
    assert len(outcome(here / "spread")[1]) == 5


def test_an_interrupted_run_continues(spread, alone, here, options, monkeypatch, capfd):
    words = [*options, "--seed", "4"]
    calls: list[int] = []

    class Interrupted(job.Evaluators):
        def __call__(self, brief, memory, genomes):
            calls.append(len(genomes))
            if len(calls) == 3:
                raise KeyboardInterrupt
            return super().__call__(brief, memory, genomes)

    monkeypatch.setattr(job, "Evaluators", Interrupted)
    assert spread("evolve", *words, "--out", "spread") == 130
    assert "interrupted after 2 generations" in capfd.readouterr().err
    assert spread("evolve", *words, "--out", "spread") == 0
    assert len(calls) == 6
    alone("evolve", *words, "--out", "alone")
    assert outcome(here / "spread") == outcome(here / "alone")
    assert spread("evolve", *options, "--seed", "5", "--out", "spread") == 3
    assert "contains a run with other settings: clearway evolve" in capfd.readouterr().err


def test_evaluators_and_nodes_that_die_change_nothing(machines, spread, alone, here, options, monkeypatch):
    node = machines.add_node(num_cpus=2, wait=False)
    machines.wait_for_nodes(timeout=GUARD)
    happened: list[str] = []

    class Failing(job.Evaluators):
        def __call__(self, brief, memory, genomes):
            if self.generation == 1:
                for evaluator in list(self.evaluators)[:1]:
                    ray.kill(evaluator)
                happened.append("killed")
            if self.generation == 2:
                machines.remove_node(node, allow_graceful=False)
                happened.append("removed")
            return super().__call__(brief, memory, genomes)

    monkeypatch.setattr(job, "Evaluators", Failing)
    words = [*options, "--seed", "6"]
    assert spread("evolve", *words, "--out", "spread") == 0
    assert happened == ["killed", "removed"]
    alone("evolve", *words, "--out", "alone")
    assert outcome(here / "spread") == outcome(here / "alone")


def test_many_seeds_make_a_table(spread, alone, here, options, monkeypatch, capfd):
    @ray.remote(num_cpus=1, max_restarts=0)
    class Dies:
        """A run that dies once, after the driver has received its first files."""

        def __init__(self, words, files):
            self.run = _native.SeedRun(words, files)
            self.flag = here / "died"

        def work(self, seconds):
            if self.run.state[0] > 0 and not self.flag.exists():
                self.flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return self.run.work(seconds), self.run.state, self.run.result

    monkeypatch.setattr(seeds, "_Run", Dies)
    monkeypatch.setattr(seeds, "SYNC_INTERVAL", 0.0001)
    options += ["--validate", "choose.txt"]
    assert spread("evolve", *options, "--seeds", "1,3..4", "--out", "many") == 0
    assert (here / "died").exists()
    printed = capfd.readouterr().out
    assert printed.endswith((here / "many/table.md").read_text())
    assert "requested confidence 95 %, reached 75.0 %" in printed
    alone("evolve", *options, "--seed", "3", "--out", "alone")
    assert outcome(here / "many/seed-3") == outcome(here / "alone")
    rows = (here / "many/table.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["seed", "1", "3", "4"]
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(here / "many/table.parquet")
    summary = pandas.read_parquet(here / "many/summary.parquet").set_index("measure")
    chosen = f"about: Chosen on choose.txt: {frame['validation: nodes %'][1]:.2f} % of the nodes"
    assert chosen in outcome(here / "alone")[0]
    assert frame["validation: length/optimum"].min() >= 1
    measure = "test.txt: nodes %"
    assert summary.loc[measure, "median"] == frame[measure].median()
    assert (summary.loc[measure, "low"], summary.loc[measure, "high"]) == (frame[measure].min(), frame[measure].max())
    # A seed is added; finished runs are not repeated.
    assert spread("evolve", *options, "--seeds", "1..4", "--out", "many") == 0
    assert "3 of 4 runs are already done" in capfd.readouterr().err
    assert len((here / "many/table.csv").read_text().splitlines()) == 5
    assert "Evolution with 4 seeds" in (here / "many/report.html").read_text()


def test_intervals_contain_the_median_with_the_stated_probability():
    # Each value is above or below the median with equal probability.
    for count in range(1, 13):
        values = list(range(count))
        low, high, coverage = table.median_interval(values)
        contained = sum(low < bits.bit_count() <= high for bits in range(2**count))
        assert coverage == pytest.approx(contained / 2**count)
        assert coverage >= 0.95 or (low, high) == (0, count - 1)


def test_the_number_of_tasks_in_flight_is_bounded(machines, monkeypatch):
    most, running = 0, set()
    # The size of the cluster may change: a node that an earlier test removed may still be counted at first.
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

    assert runner.run_tasks(range(300), submit, take)
    assert sorted(taken) == list(range(300))
    assert most <= runner.TASKS_PER_CPU * max(seen)
