"""A cluster on this machine, started once: a head with two CPUs, to which tests add nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster  # noqa: E402

from clearway.cluster.__main__ import main  # noqa: E402

#: Timeout in seconds, for work that takes moments on a quiet machine.
GUARD = 600


# By default, Ray lowers the priority of its workers so far that they get no time beside other programs.
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112


def pytest_itemcollected(item):
    """Runs all tests of the cluster in one process, so that it is started once."""
    if "machines" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("cluster"))


@pytest.fixture(scope="session")
def machines():
    """The cluster, connected."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    ray.init(cluster.address, log_to_driver=False, logging_level="error")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """An empty folder, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def spread(machines, here):
    """Returns a function that runs a job on the cluster and returns the exit code."""
    return lambda *args: main([str(arg) for arg in args])


@pytest.fixture
def alone(here):
    """Returns a function that runs a command in another process, without the cluster, and returns its output."""

    def run(*args, code: int = 0) -> str:
        command = [sys.executable, "-m", "clearway", *map(str, args)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
