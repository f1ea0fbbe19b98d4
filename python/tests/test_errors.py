"""Exceptions have the messages of the command line, with the names of Python."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import clearway
from clearway._messages import in_python
from program import run

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


def words(text: str) -> list[str]:
    """Returns the words of a message without its line breaks and the name of its source."""
    text = re.sub(r",-\[.*?:(\d+:\d+)\]", r",-[\1]", text)
    return text.replace(" | ", " ").split()


CASES: list[tuple[type[clearway.Error], Callable[[], object], str, list[str]]] = [
    (clearway.InputError, lambda: clearway.solve("AA.B.....B..........."), "solve", ["AA.B.....B..........."]),
    (clearway.InputError, lambda: clearway.Board(CARD[:-2] + "B."), "solve", [CARD[:-2] + "B."]),
    (clearway.UsageError, lambda: clearway.solve(CARD, metric="paces"), "solve", [CARD, "--metric=paces"]),
    (clearway.UsageError, lambda: clearway.solve(CARD, node_limit=-1), "solve", [CARD, "--node-limit=-1"]),
    (clearway.UsageError, lambda: clearway.solve(CARD, time_limit="soon"), "solve", [CARD, "--time-limit=soon"]),
    (clearway.UsageError, lambda: clearway.solve(CARD, within=0.9), "solve", [CARD, "--within=0.9"]),
    (clearway.UsageError, lambda: clearway.solve(CARD, within="close"), "solve", [CARD, "--within=close"]),
    (
        clearway.UsageError,
        lambda: clearway.solve(CARD, first=True, within=2),
        "solve",
        ["--metric=moves", "--within=2", "--first", CARD],
    ),
    (
        clearway.UsageError,
        lambda: clearway.solve_many([CARD], first=True, policy="hand"),
        "solve",
        ["--metric=moves", "--first", "--policy=hand", CARD],
    ),
    (clearway.UsageError, lambda: clearway.solve(CARD, algorithm="bfss"), "solve", [CARD, "--algorithm=bfss"]),
    (clearway.InputError, lambda: clearway.solve(CARD, policy="none"), "solve", [CARD, "--policy=none"]),
    (clearway.InputError, lambda: clearway.Policy("none"), "policy show", ["none"]),
    (clearway.InputError, lambda: clearway.Policy("a/b.policy"), "policy show", ["a/b.policy"]),
    (clearway.UsageError, lambda: clearway.suite("crads"), "suites", ["crads"]),
    (clearway.UsageError, lambda: clearway.compare(CARD, ["ida(h9)"]), "compare", [CARD, "-A", "ida(h9)"]),
    (
        clearway.UsageError,
        lambda: clearway.generate("random", size=4, cars=9),
        "forge random",
        ["--size=4", "--cars=9"],
    ),
    (clearway.UsageError, lambda: clearway.generate(colour=3), "forge pack", ["--colour=3"]),
    (clearway.UsageError, lambda: clearway.enumerate_shard(3, 2), "forge enumerate", ["--shard=3/2"]),
    (clearway.UsageError, lambda: clearway.evolve(suite="none"), "evolve", ["--suite=none"]),
    (clearway.UsageError, lambda: clearway.evolve(group=2), "evolve", ["--group=2"]),
    (clearway.InputError, lambda: clearway.tiles.solve("12"), "tiles solve", ["12\n"]),
    (clearway.UsageError, lambda: clearway.tiles.random(size=(9, 9)), "tiles random", ["--size=9x9"]),
]


@pytest.mark.parametrize(("kind", "function", "command", "arguments"), CASES)
def test_messages_are_those_of_the_command_line(
    kind: type[Exception], function: Callable[[], object], command: str, arguments: list[str]
) -> None:
    with pytest.raises(kind) as raised:
        function()
    program = run(*command.split(), "--json", *arguments)
    assert program.returncode == {clearway.UsageError: 2, clearway.InputError: 3}[kind]
    assert words(str(raised.value)) == words(in_python(program.stderr))
    assert not re.search(r"(?<!clearway compare )--\w|<[A-Z]+>|^error: |Usage:", str(raised.value))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: clearway.solve(CARD, metric="paces"), "invalid metric 'paces'; expected one of moves, steps"),
        (
            lambda: clearway.solve(CARD, node_limit=-1),
            "invalid node_limit '-1'; expected a whole number that is not negative",
        ),
        (
            lambda: clearway.solve_many([CARD], node_limit=1.5),
            "invalid node_limit '1.5'; expected a whole number that is not negative",
        ),
        (
            lambda: clearway.solve(CARD, time_limit="soon"),
            "invalid time_limit 'soon'; expected a number of seconds, or a number with a unit "
            "such as 500ms, 10s, 2m or 1h",
        ),
        (lambda: clearway.solve_many([CARD], threads=0), "invalid threads '0'; expected a number from 1 to 1024"),
        (lambda: clearway.solve(CARD, first=True, within=2), "'within' cannot be used with 'first'"),
        (lambda: clearway.generate(colour=3), "unknown option 'colour'; did you mean 'color'?"),
        (lambda: clearway.generate(sizes=3), "unknown option 'sizes'; did you mean 'size'?"),
        (
            lambda: clearway.tiles.random(size=(9, 9)),
            "invalid size '9x9'; expected width and height from 2 to 5, such as 3x3 or 4x3",
        ),
        (lambda: clearway.generate("packs"), "unknown method 'packs'; expected one of pack, backward, random, climb"),
        (
            lambda: clearway.evolve(group=2),
            "group requires preset paper\n  help: choose boards with suite instead",
        ),
    ],
)
def test_messages_have_the_names_of_python(function: Callable[[], object], message: str) -> None:
    with pytest.raises(clearway.UsageError) as raised:
        function()
    assert str(raised.value) == message


def test_exceptions_have_the_expected_base_classes() -> None:
    assert issubclass(clearway.UsageError, ValueError) and issubclass(clearway.InputError, ValueError)
    for kind in (clearway.UsageError, clearway.InputError, clearway.LimitError, clearway.InternalError):
        assert issubclass(kind, clearway.Error)


def test_a_problem_that_does_not_end_the_work_is_a_warning() -> None:
    with pytest.warns(clearway.Notice, match="found only 0 of 9 puzzles") as warned:
        assert clearway.generate("pack", size=4, count=9, from_=20, to=25, patience=5) == []
    assert Path(warned[0].filename) == Path(__file__)


def test_several_boards_in_the_text_of_one_are_an_error() -> None:
    with pytest.raises(clearway.InputError, match=r"expected one board in the text, got 2; use clearway\.read_text"):
        clearway.Board(f"{CARD}\n{CARD}")
