"""The command line: its own options are taken off, all others are those of the command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from clearway import _native
from clearway.errors import Error, InternalError, LimitError, UsageError

JOBS = {
    "enumerate": "forge enumerate",
    "pack": "forge pack",
    "compare": "compare",
    "evolve": "evolve",
}

# What each job takes beside the options of its command.
OWN = {
    "enumerate": ["address", "folder", "shards"],
    "pack": ["address", "folder"],
    "compare": ["address", "folder"],
    "evolve": ["address", "seeds"],
}

HELP = """\
Heavy work on a Ray cluster, with the result of the command of the same name

Usage: python -m clearway.cluster JOB [OPTIONS]

Jobs:
  enumerate  every puzzle of a size, in shards     (clearway forge enumerate)
  pack       a pack of new puzzles                 (clearway forge pack)
  compare    algorithms side by side on boards     (clearway compare)
  evolve     policies bred by genetic programming  (clearway evolve)

Options of the cluster, beside those of the command:
  --address ADDRESS  The cluster: auto on one of its machines, or HOST:PORT of its head [default: Ray starts on this
                     machine, for as many tasks at a time as --threads says or as there are cores]
  --folder DIR       enumerate, pack, compare: keep what is done here; the same command goes on with it
                     [default: the first --out or --csv with .parts behind it, or JOB.parts]
  --shards N         enumerate: cut the work into so many shards
  --seeds LIST       evolve: a run for each of many seeds, such as 0..9 or 1,2,5; --out holds them all, and a table

python -m clearway.cluster JOB --help tells the options of the command.
"""


def split(job: str, words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The options of the cluster, and all other words.

    >>> split("enumerate", ["--size", "5", "--shards=9", "--address", "auto"])
    ({'shards': '9', 'address': 'auto'}, ['--size', '5'])
    """
    own: dict[str, str] = {}
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--":
            others += [word, *rest]
        elif name.startswith("--") and name[2:] in OWN[job]:
            own[name[2:]] = value if equals else _value(name, rest)
        else:
            others.append(word)
    return own, others


def _value(name: str, rest: Iterator[str]) -> str:
    for value in rest:
        return value
    raise UsageError(f"a value is required for '{name}'")


def run(argv: list[str]) -> int:
    """Does what a command line says; gives the exit code."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0
    job, *words = argv
    if job not in JOBS:
        raise UsageError(f"there is no job '{job}': the jobs are {', '.join(JOBS)}")
    if "-h" in words or "--help" in words:
        print(HELP)
        return _native.call([*JOBS[job].split(), "--help"], print, print, print)
    own, others = split(job, words)
    try:
        import ray  # noqa: F401
    except ImportError:
        raise UsageError("Ray is not installed here: pip install 'clearway[ray]'") from None
    from clearway.cluster import compare, enumerate, evolve, pack

    mains: dict[str, Callable[..., int]] = {
        "enumerate": enumerate.main,
        "pack": pack.main,
        "compare": compare.main,
        "evolve": evolve.main,
    }
    return mains[job]([*JOBS[job].split(), *others], **own)


def main(argv: list[str] | None = None) -> int:
    """As :func:`run`, with what goes wrong told on stderr."""
    try:
        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return 130
    except Error as error:
        print(error, file=sys.stderr)
        codes = {UsageError: 2, LimitError: 5, InternalError: 1}
        return next((code for kind, code in codes.items() if isinstance(error, kind)), 3)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.exit(code)
