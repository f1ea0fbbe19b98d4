"""The command line: separates the options of the cluster from those of the command."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator

from clearway import _native
from clearway.cluster import connection
from clearway.errors import Error, InternalError, LimitError, UsageError

JOBS = {
    "enumerate": "forge enumerate",
    "pack": "forge pack",
    "compare": "compare",
    "evolve": "evolve",
}

# The options of the cluster that each job accepts, in addition to those of its command.
CLUSTER_OPTIONS = {
    "enumerate": ["address", "folder", "shards"],
    "pack": ["address", "folder"],
    "compare": ["address", "folder"],
    "evolve": ["address", "seeds"],
}

HELP = """\
Runs a command on a Ray cluster, with the same result as on one machine

Usage: python -m clearway.cluster JOB [OPTIONS]

Jobs:
  enumerate  List all minimal puzzles of a size        (clearway forge enumerate)
  pack       Make a pack of new puzzles                (clearway forge pack)
  compare    Compare search algorithms on boards       (clearway compare)
  evolve     Evolve policies by genetic programming    (clearway evolve)

Options of the cluster, in addition to those of the command:
  --address ADDRESS  Address of the cluster: auto on one of its machines, or HOST:PORT of its head [default: start Ray
                     on this machine, with --threads parallel tasks or one per core]
  --folder DIR       enumerate, pack, compare: folder for finished parts, from which the same command continues
                     [default: the first --out or --csv followed by .parts, or JOB.parts]
  --shards N         enumerate: number of shards to split the work into
  --seeds LIST       evolve: a number of seeds, or seeds such as 0..9 or 1,2,5, with a run for each in the folder
                     --out, and a table of all

See python -m clearway.cluster JOB --help for the options of the command.
"""


def split(job: str, args: list[str]) -> tuple[dict[str, str], list[str]]:
    """Returns the options of the cluster, and all other arguments.

    >>> split("enumerate", ["--size", "5", "--shards=9", "--address", "auto"])
    ({'shards': '9', 'address': 'auto'}, ['--size', '5'])
    """
    cluster: dict[str, str] = {}
    others: list[str] = []
    rest = iter(args)
    for arg in rest:
        name, equals, value = arg.partition("=")
        if arg == "--":
            others += [arg, *rest]
        elif name.startswith("--") and name[2:] in CLUSTER_OPTIONS[job]:
            cluster[name[2:]] = value if equals else _value(name, rest)
        else:
            others.append(arg)
    return cluster, others


def _value(name: str, rest: Iterator[str]) -> str:
    for value in rest:
        return value
    raise UsageError(f"missing value for '{name}'")


def run(argv: list[str]) -> int:
    """Runs the job of a command line; returns the exit code."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0
    job, *args = argv
    if job not in JOBS:
        raise UsageError(f"unknown job '{job}'; expected one of {', '.join(JOBS)}")
    if "-h" in args or "--help" in args:
        print(HELP)
        return _native.call([*JOBS[job].split(), "--help"], print, print, print)
    cluster, others = split(job, args)
    if "address" in cluster:
        connection.use_token_if_available()
    try:
        import ray  # noqa: F401
    except ImportError:
        raise UsageError("Ray is not installed; install it with pip install 'clearway[ray]'") from None
    from clearway.cluster import compare, enumerate, evolve, pack

    mains: dict[str, Callable[..., int]] = {
        "enumerate": enumerate.main,
        "pack": pack.main,
        "compare": compare.main,
        "evolve": evolve.main,
    }
    return mains[job]([*JOBS[job].split(), *others], **cluster)


def main(argv: list[str] | None = None) -> int:
    """Like :func:`run`, but prints errors to stderr."""
    try:
        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return 130
    except Error as error:
        print(error, file=sys.stderr, flush=True)
        codes = {UsageError: 2, LimitError: 5, InternalError: 1}
        return next((code for kind, code in codes.items() if isinstance(error, kind)), 3)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        # The connection is lost, which Ray would wait for. Locks of folders are released.
        gc.collect()
        os._exit(code)
    sys.exit(code)
