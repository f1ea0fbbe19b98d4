"""The part that all jobs share: the connection, a bounded number of tasks, the folder of finished parts, progress."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import ray
from ray import exceptions

from clearway._native import FolderLock, seal, unseal, write_file
from clearway.cluster import connection
from clearway.errors import ClusterError, Error, InputError, InternalError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Self

Piece = TypeVar("Piece")

# Tasks submitted per CPU: enough that no CPU waits for the next one.
TASKS_PER_CPU = 3
# Interval in seconds at which the size of the cluster is checked.
RESIZE_INTERVAL = 5.0
# Longest wait for a task in seconds, after which Ctrl-C and time limits are checked.
WAIT_TIMEOUT = 0.5
# Timeout in seconds for the connection to an address; Ray itself would try for minutes.
CONNECT_TIMEOUT = 10.0
# Time in seconds for which the head of the cluster may be unreachable. Ray ends the process after a minute.
HEAD_TIMEOUT = 30.0
# Interval in seconds at which the head is checked.
HEAD_INTERVAL = 2.0
STOPPED = "the connection to the cluster is lost: Ray has stopped on this machine"
# Errors of tasks that were lost with their worker or machine. Ray restarts most of them by itself.
LOST_TASK_ERRORS = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
    exceptions.ActorDiedError,
    exceptions.ActorUnavailableError,
)


@contextlib.contextmanager
def cluster(address: str | None, args: list[str]) -> Iterator[None]:
    """Connects to the cluster at the address, uses the current connection, or starts Ray on this machine."""
    # Ray reports dead nodes on stdout, which is for data.
    with contextlib.ExitStack() as stack:
        messages = stack.enter_context(open(os.devnull, "w")) if is_quiet(args) else sys.stderr
        stack.enter_context(contextlib.redirect_stdout(messages))
        if address is not None or not ray.is_initialized():
            _connect(address, args)
            stack.push(_disconnect)
        # The handler that Ray installs ends the process without a message.
        if threading.current_thread() is threading.main_thread():
            stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, interrupt))
        head.start()
        try:
            yield
        except exceptions.LocalRayletDiedError:
            raise ClusterError(STOPPED) from None


def _disconnect(kind: type[BaseException] | None, *_: object) -> None:
    """Disconnects, unless the cluster is lost, which Ray would wait for."""
    if kind is None or not issubclass(kind, ClusterError):
        ray.shutdown()


class Head:
    """Checks that the head of the cluster is reachable, and that Ray runs on this machine."""

    def __init__(self) -> None:
        # The addresses of the head and of Ray on this machine.
        self.address = self.node = ""
        self.checked = self.seen = 0.0

    def start(self) -> None:
        """Begins with the current connection."""
        context = ray.get_runtime_context()
        # A client connection (ray://) has no address of its head, and no node of its own.
        self.address, self.node = str(getattr(context, "gcs_address", "")), ""
        nodes: list[dict[str, Any]] = ray.nodes() if self.address else []  # type: ignore[no-untyped-call]
        for node in nodes:
            if node["NodeID"] == context.get_node_id():
                self.node = f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"
        self.checked = self.seen = time.monotonic()

    def check_node(self) -> None:
        """Fails if Ray does not run on this machine any more. Ray may end the process at its next call."""
        try:
            connection.check_reachable(self.node, HEAD_INTERVAL)
        except ConnectionRefusedError:
            raise ClusterError(STOPPED) from None
        except OSError:
            # A machine that is too busy to answer.
            return

    def is_reachable(self) -> bool:
        """Returns whether the head was reachable at the last check; fails if it has been unreachable for too long."""
        now = time.monotonic()
        if now - self.checked >= HEAD_INTERVAL:
            self.checked = now
            self.check_node()
            with contextlib.suppress(OSError):
                connection.check_reachable(self.address, HEAD_INTERVAL)
                self.seen = now
        if now - self.seen > HEAD_TIMEOUT:
            raise ClusterError(f"the connection to the cluster is lost: its head {self.address} does not answer")
        return self.seen >= self.checked


head = Head()


def _connect(address: str | None, args: list[str]) -> None:
    try:
        if address is None:
            value = option_value(args, "--threads") or ""
            threads = int(value) if value.isdigit() else None
            ray.init(
                "local", num_cpus=threads, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
            )
        else:
            connection.check_reachable(address, CONNECT_TIMEOUT)
            connection.check_token(address, CONNECT_TIMEOUT)
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, exceptions.RayError) as error:
        if address is None:
            raise ClusterError(f"cannot start Ray on this machine: {error}") from None
        raise UsageError(f"no Ray cluster at '{address}': {error}") from None


def interrupt(*_: object) -> NoReturn:
    """Handles a signal like Ctrl-C."""
    raise KeyboardInterrupt


def option_value(args: list[str], *names: str) -> str | None:
    """Returns the first value of an option that may have several names, or None."""
    for arg, following in zip(args, [*args[1:], ""], strict=True):
        name, equals, value = arg.partition("=")
        if name in names:
            return value if equals else following
    return None


_last_cpus = 1


def cpus() -> int:
    """Returns the current number of CPUs of the cluster."""
    global _last_cpus
    # Ray would wait for a head that is unreachable.
    if head.is_reachable():
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]  # untyped in Ray
        _last_cpus = max(1, int(resources.get("CPU", 1)))
    return _last_cpus


def result(ref: ray.ObjectRef[Any]) -> Any:
    """Returns the result of a task; exceptions of clearway are raised as they are."""
    try:
        return ray.get(ref)
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, Error):
            raise error.cause from None
        if "No module named 'clearway" in str(error):
            raise UsageError("clearway is missing on a machine of the cluster; install it on all of them") from None
        raise InternalError(f"a task failed: {error}") from None


def check_received(check: Callable[[], str | None]) -> None:
    """Raises an error if the check of a received result fails or returns a fault."""
    try:
        fault = check()
    except Error as error:
        fault = str(error)
    if fault is not None:
        text = f"invalid result from a machine of the cluster: {fault}"
        raise InputError(f"{text}\nhelp: install the same version of clearway on all machines")


def run_tasks(
    pieces: Iterable[Piece],
    submit: Callable[[Piece], ray.ObjectRef[Any]],
    take: Callable[[Piece, Any], None],
    should_continue: Callable[[], bool] = lambda: True,
) -> bool:
    """Runs pieces of work as tasks, and calls ``take`` with each result as soon as it is available, in any order.

    Only a few results are held at a time, for any number of pieces. Returns whether all pieces were done: False if
    ``should_continue`` returned False first.
    """
    waiting = iter(pieces)
    running: dict[ray.ObjectRef[Any], Piece] = {}
    most, resized = 0, -RESIZE_INTERVAL
    while should_continue():
        if time.monotonic() - resized >= RESIZE_INTERVAL:
            most, resized = TASKS_PER_CPU * cpus(), time.monotonic()
        while len(running) < most and (piece := next(waiting, None)) is not None:
            running[submit(piece)] = piece
        if not running:
            return True
        for ref in wait_for_finished(list(running)):
            piece = running.pop(ref)
            try:
                done = result(ref)
            except LOST_TASK_ERRORS:
                running[submit(piece)] = piece
            else:
                take(piece, done)
    # Running tasks are not cancelled; they end with the connection, or when they are done. Cancelling a task at the
    # moment when it finishes can crash this whole process, as in Ray 2.60: see
    # https://github.com/ray-project/ray/pull/54798.
    return False


def wait_for_finished(refs: list[ray.ObjectRef[Any]]) -> list[ray.ObjectRef[Any]]:
    """Returns the finished tasks; waits briefly for the first of them, so the list may be empty."""
    head.is_reachable()
    done, _ = ray.wait(refs, num_returns=1, timeout=WAIT_TIMEOUT)
    if done:
        done, _ = ray.wait(refs, num_returns=len(refs), timeout=0)
    return done


class Folder:
    """The folder of the finished parts of a job, locked against other processes."""

    def __init__(self, path: str | None, job: str, args: list[str]) -> None:
        out = option_value(args, "--out", "-o", "--csv")
        self.path = Path(path or (f"{out}.parts" if out and out != "-" else f"{job}.parts"))
        self.job = job
        self.args = args
        self.lock = FolderLock(self.path)

    def fixed_number(self, name: str, default: Callable[[], int], requested: int | None) -> int:
        """Returns a number that is fixed when the folder is created: the requested one, or the default."""
        path = self.path / "job.json"
        try:
            text = unseal(path.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            number = default() if requested is None else requested
            write_file(path, (seal(json.dumps({"job": self.job, name: number})) + "\n").encode())
            return number
        if text is None:
            raise InputError(
                f"{path} is damaged, or was written by an earlier version of clearway\nhelp: give another --folder"
            )
        record = json.loads(text)
        job, number = record["job"], record.get(name)
        if job != self.job or not isinstance(number, int) or number < 1:
            raise InputError(f"{self.path} belongs to a job of {job}; give another --folder")
        if requested not in (None, number):
            raise InputError(f"{self.path} has {number} {name}, not {requested}; give another --folder")
        return number

    def read(self, name: str, check: Callable[[bytes], str | None]) -> bytes | None:
        """Returns the bytes of a file, or None if it is missing or damaged; fails if it belongs to another job."""
        path = self.path / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        with self.error_context(name):
            damage = check(data)
        if damage is not None:
            warn(f"{path} is damaged and is computed again: {damage}")
            return None
        return data

    def read_existing(self, name: str) -> bytes:
        """Returns the bytes of a file that was checked or written before."""
        data = self.read(name, lambda _: None)
        if data is None:
            raise InputError(f"{self.path / name} is missing; it was removed while the command was running")
        return data

    @contextlib.contextmanager
    def error_context(self, name: str) -> Iterator[None]:
        """Adds the path of a file to errors about its contents."""
        try:
            yield
        except Error as error:
            text = str(error).removeprefix("error: ")
            help = "help: give another --folder, or remove the file"
            raise InputError(f"cannot use {self.path / name}: {text}\n{help}") from None

    def write(self, name: str, data: bytes) -> None:
        """Writes a file atomically."""
        try:
            write_file(self.path / name, data)
        except OSError as error:
            raise InputError(f"cannot write {self.path / name}: {error}") from None


def parse_positive(name: str, text: str | None) -> int | None:
    """Parses the value of an option as a whole number above 0; None stays None."""
    if text is None:
        return None
    if not text.isdigit() or int(text) == 0:
        raise UsageError(f"invalid value '{text}' for '{name}'; expected a whole number above 0")
    return int(text)


def warn(text: str) -> None:
    """Prints a warning about a problem that is repaired."""
    print(f"warning: {text}", file=sys.stderr, flush=True)


def note(text: str, args: list[str]) -> None:
    """Prints a message to stderr, unless ``--quiet`` is given."""
    if not is_quiet(args):
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def report_interrupt(folder: Path, args: list[str]) -> Iterator[None]:
    """On Ctrl-C, and if the cluster is lost, prints where the finished parts are kept."""
    kept = f"finished parts are kept in {folder}, repeat the command to continue"
    try:
        yield
    except KeyboardInterrupt:
        note(f"interrupted; {kept}", args)
        raise
    except (ClusterError, exceptions.LocalRayletDiedError):
        note(kept, args)
        raise


def is_quiet(args: list[str]) -> bool:
    """Returns whether only results and errors are to be printed."""
    return "--quiet" in args or "-q" in args


class Progress:
    """A progress line on the terminal."""

    def __init__(self, noun: str, total: int, args: list[str]) -> None:
        self.noun, self.total = noun, total
        self.shown = sys.stderr.isatty() and not is_quiet(args)
        self.started = time.monotonic()
        # Parts that were done at the start; they do not count for the estimate of the remaining time.
        self.first: int | None = None

    def show(self, done: int, total: int | None = None, more: str = "") -> None:
        """Updates the line; ``more`` is appended to the count."""
        self.total = total or self.total
        if self.first is None:
            self.first = done
        if not self.shown:
            return
        elapsed = time.monotonic() - self.started
        new = done - self.first
        left = f", {format_duration(elapsed / new * (self.total - done))} left" if new > 0 else ""
        filled = 24 * done // max(1, self.total)
        bar = "#" * filled + "." * (24 - filled)
        text = f"{bar} {done}/{self.total} {self.noun}{more}, {format_duration(elapsed)} elapsed{left}"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def format_duration(seconds: float) -> str:
    """Formats a duration as minutes and seconds, or hours, minutes and seconds.

    >>> format_duration(75.2), format_duration(3661)
    ('1:15', '1:01:01')
    """
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
