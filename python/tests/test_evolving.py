"""Evolving policies."""

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
#: Timeout in seconds. Interrupted work ends within moments; if the interrupt failed, it would run for hours.
GUARD = 600
LINE = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]


def rules(policy: Policy) -> list[str]:
    """Returns the lines of a policy without its description."""
    return [line for line in policy.text.splitlines() if not line.startswith("about:")]


def test_the_champion_equals_that_of_the_command(tmp_path: Path) -> None:
    received: list[dict[str, Any]] = []
    run = clearway.evolve(**SMALL, on_generation=received.append)
    assert received == run.generations and [row["generation"] for row in received] == [0, 1, 2, 3]
    program = run_program("evolve", *LINE, f"--out={tmp_path / 'other'}")
    assert program.returncode == 0, program.stderr
    assert (run.folder / "champion.policy").read_bytes() == (tmp_path / "other" / "champion.policy").read_bytes()
    # The settings are identical to the last character, including the command that reproduces them.
    assert (run.folder / "config.toml").read_bytes() == (tmp_path / "other" / "config.toml").read_bytes()


def test_a_run_returns_rows_and_a_champion(tmp_path: Path) -> None:
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


def test_validation_boards_choose_the_champion() -> None:
    plain, chosen = clearway.evolve(**SMALL), clearway.evolve(**SMALL, validate="traffic-jam")
    assert plain.validation is None
    assert chosen.validation is not None and chosen.validation["boards"] > 0
    assert "about: Chosen on traffic-jam: " in chosen.champion.text
    assert [row["best"] for row in chosen.generations] == [row["best"] for row in plain.generations]


def test_without_out_every_run_has_its_own_folder() -> None:
    first, second = (clearway.evolve(**SMALL) for _ in range(2))
    assert first.folder != second.folder and rules(first.champion) == rules(second.champion)


def test_a_run_starts_from_given_policies() -> None:
    mine = Policy("DEFAULT 3*h1", name="mine")
    run = clearway.evolve(**{**SMALL, "generations": 1}, from_=[mine, "hand"])
    assert "3*blockers-lower-bound" in (run.folder / "config.toml").read_text()


def test_a_callback_that_raises_stops_the_run_which_can_be_resumed(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(row: dict[str, Any]) -> None:
        if row["generation"] == 1:
            raise EnoughError

    with pytest.raises(EnoughError) as raised:
        clearway.evolve(**{**SMALL, "generations": 100_000}, out=tmp_path / "run", on_generation=stop)
    if sys.version_info >= (3, 11):
        assert "continue it with resume=" in raised.value.__notes__[0]
    run = clearway.evolve(resume=tmp_path / "run", generations=50)
    assert len(run.generations) == 50
    straight = clearway.evolve(**{**SMALL, "generations": 50})
    assert rules(run.champion) == rules(straight.champion)


def test_an_invalid_call_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(clearway.UsageError):
        clearway.evolve(suite="none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_stops_promptly_and_loses_nothing(tmp_path: Path) -> None:
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
    completed = len((tmp_path / "run" / "log.jsonl").read_text().splitlines())
    assert completed >= 4
    run = clearway.evolve(resume=tmp_path / "run", generations=completed + 2)
    assert len(run.generations) == completed + 2


def threads(process: subprocess.Popen[str]) -> int:
    """Returns the number of threads of a process."""
    return len(os.listdir(f"/proc/{process.pid}/task"))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
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
    print("started", flush=True)
    {work}
except KeyboardInterrupt:
    print("stopped")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None and process.stdout.readline() == "started\n"
    # A second thread means that the engine is working.
    deadline = time.monotonic() + GUARD
    while threads(process) == 1:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=GUARD)
    assert output == "stopped\n"
