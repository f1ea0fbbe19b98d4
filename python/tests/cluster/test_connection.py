"""Clusters with a token, set up as the chapter describes, and clusters that are lost during the work."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import GUARD

pytest.importorskip("ray")

# Clusters are started once, in one process.
pytestmark = pytest.mark.xdist_group("connection")

CHAPTER = Path(__file__).resolve().parents[3] / "docs" / "cluster.md"
RAY = str(Path(sys.executable).with_name("ray"))
#: Options without which the nodes would need more time, or a terminal.
START = ["--num-cpus=1", "--include-dashboard=false", "--disable-usage-stats"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(folder: Path, home: str, **variables: str) -> dict[str, str]:
    """Returns the environment of a machine with its own home folder."""
    machine = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    (folder / home).mkdir(exist_ok=True)
    # Ray keeps the address of the cluster that `auto` finds in its temporary folder.
    return {**machine, "HOME": str(folder / home), "RAY_TMPDIR": str(folder), "RAY_worker_niceness": "0", **variables}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder with a short name, because the sockets of Ray are in it."""
    path = Path(tempfile.mkdtemp(prefix="cw", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def wait_for(log: Path, process: subprocess.Popen, text: str) -> None:
    deadline = time.monotonic() + GUARD
    while text not in log.read_text():
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)


@pytest.fixture(scope="module")
def guarded(folder: Path) -> Iterator[int]:
    """A cluster of two machines with a token, started with the commands of the chapter; returns its port."""
    (block,) = re.findall(r"```sh no-run\n(# on every machine\n.*?)```", CHAPTER.read_text(), re.DOTALL)
    lines = [line for line in block.splitlines() if line and not line.startswith("#")]
    assert [line.split()[0] for line in lines] == ["pip", "export", "ray", "ray", "mkdir", "ray", "python"]
    _, export, generate, head, copy, join, _ = lines
    mode = dict([export.removeprefix("export ").split("=")])
    port = free_port()
    machines = {home: environment(folder, home, **mode) for home in ("head", "other")}

    def words(line: str) -> list[str]:
        return shlex.split(line.replace("6379", str(port)).replace("10.0.0.1", "127.0.0.1"))[1:]

    subprocess.run([RAY, *words(generate)], env=machines["head"], check=True, capture_output=True)
    # In the place of scp.
    assert copy == "mkdir -p ~/.ray && scp 10.0.0.1:.ray/auth_token ~/.ray/auth_token"
    shutil.copytree(folder / "head/.ray", folder / "other/.ray")
    nodes = []
    try:
        for home, line in (("head", head), ("other", join)):
            log = folder / f"{home}.log"
            # The dashboard is an option of the head only.
            options = START if home == "head" else [START[0]]
            with log.open("w") as output:
                command = [RAY, *words(line), *options, "--block"]
                nodes.append(subprocess.Popen(command, env=machines[home], stdout=output, stderr=output))
            wait_for(log, nodes[-1], "Ray runtime started")
        yield port
    finally:
        for node in reversed(nodes):
            node.terminate()
            node.wait(GUARD)


def job(machine: dict[str, str], here: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clearway.cluster", *options]
    return subprocess.run(command, env=machine, cwd=here, capture_output=True, text=True, timeout=GUARD)


def test_the_commands_of_the_chapter_work_with_a_token(guarded: int, folder: Path, tmp_path: Path) -> None:
    words = ["enumerate", "--size", "4", "--out", "4x4.txt"]
    by_itself = environment(folder, "other", RAY_AUTH_MODE="token")
    for name, options in {"auto": [by_itself, "auto"], "address": [environment(folder, "other")]}.items():
        machine, address = [*options, f"127.0.0.1:{guarded}"][:2]
        done = job(machine, tmp_path, *words, "--folder", name, "--address", address)
        assert done.returncode == 0, done.stderr
        assert len((tmp_path / "4x4.txt").read_text().splitlines()) >= 32


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "needs a token, and this machine has none"),
        ({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64}, "needs another token than that of this machine"),
        ({"RAY_AUTH_TOKEN": "0" * 64}, "needs another token than that of this machine"),
        ({"RAY_AUTH_MODE": "token"}, "this machine has no token for the Ray cluster"),
    ],
)
def test_a_missing_token_is_reported(
    variables: dict[str, str], message: str, guarded: int, folder: Path, tmp_path: Path
) -> None:
    done = job(environment(folder, "stranger", **variables), tmp_path, "enumerate", "--address", f"127.0.0.1:{guarded}")
    assert done.returncode == 3, done.stderr
    assert message in done.stderr and "help: copy ~/.ray/auth_token of the head to this machine" in done.stderr
    assert "Traceback" not in done.stderr


#: Holds a cluster of one machine, and lets a part of it fail.
HOLDER = """
import sys
from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
print(cluster.address, flush=True)
if sys.stdin.readline() == "node\\n":
    cluster.head_node.kill_raylet()
else:
    cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
sys.stdin.readline()
cluster.shutdown()
"""

#: A job with less patience than usual.
DRIVER = """
import runpy
from clearway.cluster import runner

runner.HEAD_TIMEOUT = 3
runpy.run_module("clearway.cluster", run_name="__main__", alter_sys=True)
"""


ENUMERATE = ["enumerate", "--size", "6", "--shards", "5000", "--out", "run"]
EVOLVE = ["evolve", "--suite", "it3105", "--test", "vandijk", "--budget", "1h", "--population", "10", "--out", "run"]


@pytest.mark.parametrize(
    ("part", "words", "progress", "message"),
    [
        ("node", ENUMERATE, "run.parts/shard-*", "Ray has stopped on this machine"),
        ("everything", ENUMERATE, "run.parts/shard-*", "the connection to the cluster is lost: "),
        ("node", EVOLVE, "run/log.jsonl", "Ray has stopped on this machine"),
    ],
    ids=["node", "everything", "evolve"],
)
def test_a_lost_cluster_ends_the_job_and_keeps_what_is_done(
    part: str, words: list[str], progress: str, message: str, folder: Path, tmp_path: Path
) -> None:
    machine = environment(folder, "lost", RAY_AUTH_MODE="disabled")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], env=machine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        address = holder.stdout.readline().strip()
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *words, "--address", address],
            env=machine,
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + GUARD
        while not any(file.stat().st_size for file in tmp_path.glob(progress)):
            assert driver.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        print(part, file=holder.stdin, flush=True)
        _, error = driver.communicate(timeout=GUARD)
        print(file=holder.stdin, flush=True)
    assert driver.returncode == 3, error
    assert message in error and "Traceback" not in error
    if words is ENUMERATE:
        assert "finished parts are kept in run.parts, repeat the command to continue" in error
        # The lock is released, and no file is left incomplete.
        assert list(tmp_path.glob("run.parts/shard-*")) and not list(tmp_path.glob("run.parts/.*"))
    else:
        assert "seconds" in (tmp_path / "run/log.jsonl").read_text()
