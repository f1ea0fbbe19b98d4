"""What all jobs share: the cluster, tasks in a bounded number, files that are written whole, and progress."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import ray
from ray import exceptions

from clearway._native import FolderLock, seal, unseal, write_file
from clearway.errors import Error, InputError, InternalError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Self

Piece = TypeVar("Piece")

# So many tasks for each CPU are handed over at a time: enough that none of them waits for the next.
PER_CPU = 3
# How often the size of the cluster is looked at, and how often it is looked whether somebody pressed Ctrl-C.
LOOK_EVERY = 5.0
WAIT = 0.5
# How long it may take until somebody answers at an address. Ray itself would try for minutes.
ANSWERS_WITHIN = 10.0
# What ends a task through no fault of its own. Ray begins most of these again by itself.
LOST = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
    exceptions.ActorDiedError,
    exceptions.ActorUnavailableError,
)


@contextlib.contextmanager
def cluster(address: str | None, words: list[str]) -> Iterator[None]:
    """A cluster: that of the address, the one that is connected already, or a new one on this machine."""
    # Ray tells of nodes that died on stdout, which is for data.
    with contextlib.ExitStack() as stack:
        people = stack.enter_context(open(os.devnull, "w")) if is_quiet(words) else sys.stderr
        stack.enter_context(contextlib.redirect_stdout(people))
        if address is not None or not ray.is_initialized():
            _connect(address, words)
            stack.callback(ray.shutdown)
        # Ray has a handler of its own, which ends the process without a word.
        if threading.current_thread() is threading.main_thread():
            stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, interrupt))
        yield


def _connect(address: str | None, words: list[str]) -> None:
    try:
        if address is None:
            asked = value_of(words, "--threads") or ""
            threads = int(asked) if asked.isdigit() else None
            ray.init(
                "local", num_cpus=threads, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
            )
        else:
            _knock(address)
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, exceptions.RayError) as error:
        raise UsageError(f"there is no Ray cluster at '{address}': {error}") from None


def _knock(address: str) -> None:
    """Fails if an address is a machine and a port where nobody answers."""
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWERS_WITHIN).close()


def interrupt(*_: object) -> NoReturn:
    """Ends the work as Ctrl-C does."""
    raise KeyboardInterrupt


def value_of(words: list[str], *names: str) -> str | None:
    """The first value of an option among words."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else following
    return None


def cpus() -> int:
    """The CPUs that the cluster has now."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]  # Ray gives it no types
    return max(1, int(resources.get("CPU", 1)))


def result(ref: ray.ObjectRef[Any]) -> Any:
    """What came of a task. An exception of ours is raised as it was."""
    try:
        return ray.get(ref)
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, Error):
            raise error.cause from None
        if "No module named 'clearway" in str(error):
            raise UsageError("clearway is not installed on all machines of the cluster") from None
        raise InternalError(f"a task failed: {error}") from None


def check_arrival(check: Callable[[], str | None]) -> None:
    """Refuses what came from the cluster if something is wrong with it."""
    try:
        why = check()
    except Error as error:
        why = str(error)
    if why is not None:
        text = f"a machine of the cluster sent what cannot be used: {why}"
        raise InputError(f"{text}\nhelp: all machines need the same version of clearway")


def work(
    pieces: Iterable[Piece],
    submit: Callable[[Piece], ray.ObjectRef[Any]],
    take: Callable[[Piece, Any], None],
    goes_on: Callable[[], bool] = lambda: True,
) -> bool:
    """Does pieces of work as tasks, and hands over what came of each as soon as it is done, in any order.

    Whatever the number of pieces, only a few are held at a time. Gives whether all were done: not if it does not go on.
    """
    left = iter(pieces)
    running: dict[ray.ObjectRef[Any], Piece] = {}
    most, looked = 0, -LOOK_EVERY
    while goes_on():
        if time.monotonic() - looked >= LOOK_EVERY:
            most, looked = PER_CPU * cpus(), time.monotonic()
        while len(running) < most and (piece := next(left, None)) is not None:
            running[submit(piece)] = piece
        if not running:
            return True
        for ref in finished(list(running)):
            piece = running.pop(ref)
            try:
                done = result(ref)
            except LOST:
                running[submit(piece)] = piece
            else:
                take(piece, done)
    # What still runs ends with the connection, or when it is done. It is not cancelled: where a task is done at the
    # same moment, Ray may end this whole process, as 2.60 did; https://github.com/ray-project/ray/pull/54798 tells how.
    return False


def finished(refs: list[ray.ObjectRef[Any]]) -> list[ray.ObjectRef[Any]]:
    """Those that are done, after waiting a little for the first of them."""
    done, _ = ray.wait(refs, num_returns=1, timeout=WAIT)
    if done:
        done, _ = ray.wait(refs, num_returns=len(refs), timeout=0)
    return done


class Folder:
    """The folder in which a job keeps what is done. No other process may use it meanwhile."""

    def __init__(self, path: str | None, job: str, words: list[str]) -> None:
        out = value_of(words, "--out", "-o", "--csv")
        self.path = Path(path or (f"{out}.parts" if out and out != "-" else f"{job}.parts"))
        self.job = job
        self.words = words
        self.lock = FolderLock(self.path)

    def settle(self, name: str, usual: Callable[[], int], asked: int | None) -> int:
        """A number that stays what it was when the folder was begun."""
        path = self.path / "job.json"
        try:
            text = unseal(path.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            number = usual() if asked is None else asked
            write_file(path, (seal(json.dumps({"job": self.job, name: number})) + "\n").encode())
            return number
        if text is None:
            raise InputError(
                f"{path} does not say what the folder holds: it is damaged, or of an earlier version of clearway\n"
                "help: give another --folder"
            )
        found = json.loads(text)
        job, number = found["job"], found.get(name)
        if job != self.job or not isinstance(number, int) or number < 1:
            raise InputError(f"{self.path} holds the work of {job}: give another --folder")
        if asked not in (None, number):
            raise InputError(f"{self.path} was begun with {number} {name}, not {asked}: give another --folder")
        return number

    def read(self, name: str, check: Callable[[bytes], str | None]) -> bytes | None:
        """The bytes of a file, or None if it is not there or is damaged; refuses one that is something else."""
        path = self.path / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        with self.fit(name):
            damage = check(data)
        if damage is not None:
            warn(f"{path} is damaged and done again: {damage}")
            return None
        return data

    def read_done(self, name: str) -> bytes:
        """The bytes of a file that was checked or written before."""
        data = self.read(name, lambda _: None)
        if data is None:
            raise InputError(f"{self.path / name} is missing: it was removed while the command ran")
        return data

    @contextlib.contextmanager
    def fit(self, name: str) -> Iterator[None]:
        """Says of which file it is that something is wrong with it."""
        try:
            yield
        except Error as error:
            text = str(error).removeprefix("error: ")
            help = "help: give another --folder, or remove the file"
            raise InputError(f"{self.path / name} cannot be used: {text}\n{help}") from None

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole."""
        try:
            write_file(self.path / name, data)
        except OSError as error:
            raise InputError(f"cannot write {self.path / name}: {error}") from None


def number_of(name: str, text: str | None) -> int | None:
    """An option that is a number above 0."""
    if text is None:
        return None
    if not text.isdigit() or int(text) == 0:
        raise UsageError(f"'{text}' is no number for {name}: a whole number above 0 is expected")
    return int(text)


def warn(text: str) -> None:
    """Tells a person of a fault that is repaired."""
    print(f"warning: {text}", file=sys.stderr, flush=True)


def note(text: str, words: list[str]) -> None:
    """Tells a person something, unless they asked for quiet."""
    if not is_quiet(words):
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def keeping(folder: Path, words: list[str]) -> Iterator[None]:
    """Says where what is done is kept, if somebody presses Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        note(f"interrupted; what is done is kept in {folder}, and the same command goes on", words)
        raise


def is_quiet(words: list[str]) -> bool:
    """Whether nothing is to be told but results and errors."""
    return "--quiet" in words or "-q" in words


class Progress:
    """A line on the terminal that says how far the work is."""

    def __init__(self, noun: str, total: int, words: list[str]) -> None:
        self.noun, self.total = noun, total
        self.shown = sys.stderr.isatty() and not is_quiet(words)
        self.began = time.monotonic()
        self.first: int | None = None

    def show(self, done: int, total: int | None = None, more: str = "") -> None:
        """So much is done."""
        self.total = total or self.total
        if self.first is None:
            self.first = done
        if not self.shown:
            return
        gone = time.monotonic() - self.began
        fresh = done - self.first
        left = f", {clock(gone / fresh * (self.total - done))} left" if fresh > 0 else ""
        filled = 24 * done // max(1, self.total)
        bar = "#" * filled + "." * (24 - filled)
        text = f"{bar} {done}/{self.total} {self.noun}{more}, {clock(gone)} gone{left}"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    """A time as on a clock.

    >>> clock(75.2), clock(3661)
    ('1:15', '1:01:01')
    """
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
