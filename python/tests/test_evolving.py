"""Policies bred."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas
import pytest

import clearway
from clearway import Policy
from program import run as run_program

SMALL: dict[str, Any] = {
    "suite": "it3105",
    "test": "vandijk",
    "generations": 4,
    "population": 20,
    "rules": 2,
    "node_limit": 20_000,
    "seed": 3,
}
#: In seconds. What is stopped ends within moments; if it were not stopped, it would go on for hours.
GUARD = 600
LINE = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]


def rules(policy: Policy) -> list[str]:
    """A policy without what is said about it."""
    return [line for line in policy.text.splitlines() if not line.startswith("about:")]


def test_the_champion_is_that_of_the_program(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    run = clearway.evolve(**SMALL, on_generation=heard.append)
    assert heard == run.generations and [row["generation"] for row in heard] == [0, 1, 2, 3]
    program = run_program("evolve", *LINE, f"--out={tmp_path / 'other'}")
    assert program.returncode == 0, program.stderr
    assert (run.folder / "champion.policy").read_bytes() == (tmp_path / "other" / "champion.policy").read_bytes()
    # The settings are the same to the last letter, with the command that leads to them.
    assert (run.folder / "config.toml").read_bytes() == (tmp_path / "other" / "config.toml").read_bytes()


def test_a_run_is_rows_and_a_champion(tmp_path: Path) -> None:
    run = clearway.evolve(**SMALL, out=tmp_path / "run")
    assert run.folder == tmp_path / "run" and (run.folder / "report.html").exists()
    assert run.champion == Policy(run.folder / "champion.policy") and run._repr_svg_().startswith("<svg")
    curve = pandas.DataFrame(run.generations)
    assert len(curve) == 4 and curve.best.is_monotonic_increasing
    tests = pandas.DataFrame(run.tests)
    assert (tests.boards == "vandijk").all() and {"None", "GP"} <= set(tests.name)
    assert clearway.solve_many(clearway.suite("it3105"), policy=run.champion)[0].status == "solved"
    with pytest.raises(clearway.InputError, match="--resume"):
        clearway.evolve(**SMALL, out=tmp_path / "run")
    more = clearway.evolve(resume=run.folder, generations=6)
    assert len(more.generations) == 6 and more.generations[:4] == run.generations


def test_the_champion_may_be_chosen_on_other_boards() -> None:
    plain, chosen = clearway.evolve(**SMALL), clearway.evolve(**SMALL, validate="traffic-jam")
    assert plain.validation is None
    assert chosen.validation is not None and chosen.validation["boards"] > 0
    assert "about: Chosen on traffic-jam: " in chosen.champion.text
    assert [row["best"] for row in chosen.generations] == [row["best"] for row in plain.generations]


def test_without_a_folder_every_run_has_its_own() -> None:
    first, second = (clearway.evolve(**SMALL) for _ in range(2))
    assert first.folder != second.folder and rules(first.champion) == rules(second.champion)


def test_a_run_begins_with_policies_that_it_is_given() -> None:
    mine = Policy("DEFAULT 3*h1", name="mine")
    run = clearway.evolve(**{**SMALL, "generations": 1}, from_=[mine, "hand"])
    assert "3*blockers-lower-bound" in (run.folder / "config.toml").read_text()


def test_a_callback_that_raises_stops_the_run_which_can_go_on(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(row: dict[str, Any]) -> None:
        if row["generation"] == 1:
            raise EnoughError

    with pytest.raises(EnoughError) as raised:
        clearway.evolve(**{**SMALL, "generations": 100_000}, out=tmp_path / "run", on_generation=stop)
    if sys.version_info >= (3, 11):
        assert "goes on with it" in raised.value.__notes__[0]
    run = clearway.evolve(resume=tmp_path / "run", generations=50)
    assert len(run.generations) == 50
    straight = clearway.evolve(**{**SMALL, "generations": 50})
    assert rules(run.champion) == rules(straight.champion)


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(clearway.UsageError):
        clearway.evolve(suite="none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_stops_within_moments_and_loses_nothing(tmp_path: Path) -> None:
    options = {**SMALL, "generations": 100_000_000, "out": str(tmp_path / "run")}
    script = f"""
import clearway
try:
    clearway.evolve(**{options!r}, on_generation=lambda row: print(row["generation"], flush=True))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    while process.stdout.readline().strip() != "3":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=GUARD)
    assert output.splitlines()[-1] == "stopped" and process.returncode == 0
    made = len((tmp_path / "run" / "log.jsonl").read_text().splitlines())
    assert made >= 4
    run = clearway.evolve(resume=tmp_path / "run", generations=made + 2)
    assert len(run.generations) == made + 2


def threads(process: subprocess.Popen[str]) -> int:
    """How many threads a process has."""
    return len(os.listdir(f"/proc/{process.pid}/task"))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    "work",
    [
        "clearway.solve(clearway.suite('hard-8x8')[0], algorithm='id')",
        "clearway.solve_many(clearway.suite('train-8x8') * 1000)",
        "clearway.generate('random', count=10**9)",
        "clearway.generate('climb', budget='1h')",
        "clearway.enumerate_shard(size=6)",
        "clearway.compare(clearway.suite('hard-8x8'), ['id'])",
        "clearway.tiles.evolve(generations=10**6)",
    ],
)
def test_ctrl_c_stops_every_long_call(work: str, tmp_path: Path) -> None:
    script = f"""
import clearway
try:
    print("begun", flush=True)
    {work}
except KeyboardInterrupt:
    print("stopped")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    # The engine works on threads of its own.
    deadline = time.monotonic() + GUARD
    while threads(process) == 1:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=GUARD)
    assert output == "stopped\n"
