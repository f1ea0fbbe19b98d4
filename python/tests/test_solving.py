"""Solving and analysing."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import clearway
from clearway import Answer, Board, Improvement
from program import records

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
UNSOLVABLE = "4x3:...BAA.B...."


@pytest.mark.parametrize("metric", ["moves", "steps"])
def test_the_cards_have_the_known_lengths(metric: str) -> None:
    cards = clearway.suite("cards")
    answers = clearway.solve_many(cards, metric=metric)
    assert len(answers) == 40
    for card, answer in zip(cards, answers, strict=True):
        assert answer.board is card and answer.optimal and answer.metric == metric
        assert getattr(answer, metric) == json.loads(card.to("json"))[metric] == answer.lower_bound
        assert card.verify(*answer.solution)
        assert answer.boards()[-1].is_solved and len(answer.boards()) == answer.moves + 1


def timeless(answer: Answer) -> Answer:
    return replace(answer, seconds=0)


def test_solve_many_equals_solving_one_by_one() -> None:
    boards = [*clearway.suite("walls")[:20], *clearway.suite("traffic-jam"), Board(UNSOLVABLE)]
    one_by_one = [timeless(clearway.solve(board)) for board in boards]
    for threads in (None, 1, 3):
        assert [timeless(answer) for answer in clearway.solve_many(boards, threads=threads)] == one_by_one


def test_boards_may_be_texts_from_a_generator() -> None:
    grid = Board(CARD).to("grid")
    assert [answer.moves for answer in clearway.solve_many(text for text in (CARD, grid))] == [8, 8]
    assert clearway.solve_many([]) == []


def test_the_answer_equals_that_of_the_command() -> None:
    (record,) = records("solve", CARD, "--metric", "steps", "--algorithm", "astar(blockers)")
    answer = clearway.solve(CARD, metric="steps", algorithm="astar(blockers)")
    for name in record.keys() - {"name", "board", "solution", "seconds"}:
        assert getattr(answer, name) == record[name]
    assert list(answer.solution) == record["solution"]


@pytest.fixture(scope="module")
def large() -> Board:
    """The board of 12x12 of the suite `course`, whose shortest solutions have 25 moves."""
    (board,) = (board for board in clearway.suite("course") if board.name == "12x12_7")
    return board


def test_a_large_board_is_solved_with_improving_solutions_and_bounds(large: Board) -> None:
    seen: list[Improvement] = []
    answer = clearway.solve(large, callback=seen.append)
    assert (answer.status, answer.moves, answer.lower_bound, answer.optimal) == ("solved", 25, 25, True)
    assert large.verify(*answer.solution) and answer.conflicts > 0 and answer.bound_algorithm
    assert len(seen) > 2
    assert (seen[-1].moves, seen[-1].lower_bound) == (25, 25)
    for before, after in pairwise(seen):
        assert before.moves is None or after.moves <= before.moves
        assert before.lower_bound <= after.lower_bound and before.seconds <= after.seconds
        assert (before.moves, before.lower_bound) != (after.moves, after.lower_bound)
    for improvement in seen:
        assert improvement.engine and (improvement.solution is None) == (improvement.moves is None)
        if improvement.solution is not None:
            assert large.verify(*improvement.solution) and len(improvement.solution) == improvement.moves
            assert improvement.steps == sum(int(move[2:]) for move in improvement.solution)


def test_a_search_may_stop_before_the_proof(large: Board) -> None:
    first = clearway.solve(large, first=True)
    assert first.status == "solved" and large.verify(*first.solution) and first.lower_bound <= 25 <= first.moves
    close = clearway.solve(large, within=1.5)
    assert close.status == "solved" and close.moves <= 1.5 * close.lower_bound
    assert [answer.status for answer in clearway.solve_many([large, CARD], first=True, threads=2)] == ["solved"] * 2
    assert clearway.solve_many([CARD], within=2)[0].moves <= 16
    stopped = clearway.solve(large, node_limit=20_000)
    assert (stopped.status, stopped.limit, stopped.optimal) == ("limit", "nodes", False)
    assert stopped.lower_bound <= 25
    if stopped.solution is not None:
        assert f", at least {stopped.lower_bound} moves needed: " in str(stopped)


def test_an_exception_in_the_callback_stops_the_search(large: Board) -> None:
    calls = []

    def fail(improvement: Improvement) -> None:
        calls.append(improvement)
        raise LookupError("enough")

    start = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        clearway.solve(large, metric="steps", callback=fail)
    assert len(calls) == 1 and time.monotonic() - start < 60
    with pytest.raises(TypeError, match="not callable"):
        clearway.solve(CARD, callback=3)
    for option in ({"algorithm": "bfs"}, {"policy": "hand"}):
        with pytest.raises(clearway.UsageError, match="callback is not supported with algorithm or policy"):
            clearway.solve(CARD, callback=calls.append, **option)


def test_the_callback_of_an_unsolvable_board_has_no_solution() -> None:
    seen: list[Improvement] = []
    assert clearway.solve(UNSOLVABLE, callback=seen.append).status == "unsolvable"
    assert all(improvement.solution is None for improvement in seen)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_stops_a_search_with_a_callback(tmp_path: Path) -> None:
    script = """
import os, signal
import clearway

large = clearway.suite("course")[6]
try:
    clearway.solve(large, metric="steps", callback=lambda _: os.kill(os.getpid(), signal.SIGINT))
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, cwd=tmp_path)
    assert done.stdout == "interrupted\n", done.stderr


def test_an_unsolvable_board_is_proven_unsolvable() -> None:
    answer = clearway.solve(UNSOLVABLE)
    assert (answer.status, answer.solution, answer.lower_bound, answer.boards()) == (
        "unsolvable",
        None,
        None,
        [answer.board],
    )
    assert str(answer) == "unsolvable" and "<img" in answer._repr_html_()


def test_limits_are_answers_not_errors() -> None:
    answer = clearway.solve(CARD, node_limit=3)
    assert (answer.status, answer.limit, answer.expanded) == ("limit", "nodes", 3)
    assert answer.lower_bound <= 8
    hard = clearway.suite("hard-8x8")[0]
    assert clearway.solve(hard, algorithm="id", time_limit=0.05).limit == "time"
    assert clearway.solve(hard, algorithm="bfs", memory="100k").limit == "memory"


def test_answers_are_displayed_as_animations() -> None:
    shown = clearway.solve(Board(CARD, name="a <card>"))._repr_html_()
    assert "data:image/svg+xml;base64," in shown and "a &lt;card&gt;: 8 moves, 16 steps" in shown


def test_the_analysis_covers_all_reachable_states() -> None:
    analysis = clearway.analyze(CARD)
    assert sum(analysis.histogram) == analysis.states == 1247
    assert analysis.histogram[0] == analysis.goals and len(analysis.histogram) == analysis.depth + 1
    assert clearway.solve(analysis.farthest).moves == analysis.depth
    unsolvable = clearway.analyze(UNSOLVABLE)
    assert (unsolvable.farthest, unsolvable.depth, unsolvable.histogram) == (None, None, ())
    assert unsolvable.optimal_solutions == 0 and not unsolvable.partial
    stopped = clearway.analyze(CARD, node_limit=100)
    assert stopped.limit == "nodes" and stopped.partial
    assert (stopped.depth, stopped.farthest, stopped.optimal_solutions, stopped.histogram) == (None, None, None, None)
    assert clearway.analyze(CARD, metric="steps").depth > analysis.depth


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_other_threads_run_during_a_search(tmp_path: Path) -> None:
    # The search never ends. If it held the interpreter, this script would not end either.
    script = """
import os, threading, time
import clearway

hard = clearway.suite("hard-8x8")[0]
walk = "random-walk(steps=1000000000000)"
solver = threading.Thread(target=lambda: clearway.solve(hard, algorithm=walk), daemon=True)
solver.start()
# This thread, that of the solver, and the worker thread of the engine.
while len(os.listdir("/proc/self/task")) < 3:
    assert solver.is_alive()
    time.sleep(0.001)
for _ in range(100):
    assert solver.is_alive()
    time.sleep(0.001)
print("done", flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, cwd=tmp_path)
    assert done.stdout == "done\n", done.stderr
