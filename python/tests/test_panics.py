"""A panic in the engine becomes an exception that names the board, and never blocks."""

import pytest

import clearway
from clearway.errors import InternalError

BOARDS = ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "4x3:AA.........."]


@pytest.fixture
def panic_at(monkeypatch):
    """Makes the work on a board panic; only debug builds of the engine support this."""
    return lambda title: monkeypatch.setenv("CLEARWAY_TEST_PANIC", title)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("function", [clearway.solve_many, clearway.grade_many])
def test_a_panic_is_an_exception_that_names_the_board(function, threads, panic_at):
    panic_at("#2")
    with pytest.raises(InternalError, match="#2: internal error: injected by a test"):
        function(BOARDS, threads=threads)
    panic_at("none of them")
    assert len(function(BOARDS, threads=threads)) == 2


def test_a_panic_on_the_only_board_is_an_exception(panic_at):
    panic_at("#1")
    with pytest.raises(InternalError, match="#1: internal error"):
        clearway.solve(BOARDS[0])


def test_a_panic_during_a_comparison_is_an_exception(panic_at):
    panic_at("JAM02")
    with pytest.raises(InternalError, match=r"internal error: JAM02, .*: injected by a test"):
        clearway.compare(clearway.suite("cards")[:3], algorithms=["bfs"], threads=2)
