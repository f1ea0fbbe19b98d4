"""A cluster on this machine, begun once: a head with two CPUs, to which tests add nodes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster  # noqa: E402

from clearway.cluster.__main__ import main  # noqa: E402

#: In seconds: for what takes moments on a quiet machine. A test that waits as long has failed.
GUARD = 600


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Gives all tests of the cluster to one process, so that it is begun once."""
    for item in items:
        if "machines" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("cluster"))


@pytest.fixture(scope="session")
def machines():
    """The cluster."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    ray.init(cluster.address, log_to_driver=False, logging_level="error")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def spread(machines, here):
    """Does a job on the cluster; gives its exit code."""
    return lambda *words: main([str(word) for word in words])


@pytest.fixture
def alone(here):
    """Does a command on this machine alone, in another process; gives what it printed."""

    def run(*words, code: int = 0) -> str:
        command = [sys.executable, "-m", "clearway", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
