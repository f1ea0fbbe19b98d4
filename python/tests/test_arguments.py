"""What functions accept and return: boards of any kind, numbers of any kind, arrays, and rows for tables."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import numpy as np
import pandas
import pytest

import clearway
from clearway import Board, solving, types
from program import run

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
(PUZZLE,) = clearway.generate("pack", count=1, size=5, from_=5, to=5, seed=3)


def test_the_version_is_that_of_the_program() -> None:
    assert run("--version").stdout == f"clearway {clearway.__version__}\n"


@pytest.mark.parametrize(
    "board",
    [PUZZLE, PUZZLE.board, str(PUZZLE.board), clearway.solve(PUZZLE), clearway.grade(PUZZLE), np.asarray(PUZZLE.board)],
    ids=lambda board: type(board).__name__,
)
def test_everything_with_a_board_is_accepted_as_a_board(board: types.BoardLike) -> None:
    assert clearway.solve(board).moves == PUZZLE.moves == 5
    assert [answer.moves for answer in clearway.solve_many(board)] == [5]
    assert [answer.moves for answer in clearway.solve_many([board, board])] == [5, 5]
    assert clearway.grade(board).level == PUZZLE.grade and clearway.grade_many([board])[0].moves == 5
    assert clearway.analyze(board).states == PUZZLE.states
    assert [row["moves"] for row in clearway.compare([board], ["bfs"])] == [5]
    assert [row["moves"] for row in clearway.compare(board, ["bfs"])] == [5]
    policy = clearway.Policy("hand")
    assert len(policy.rules([board])) == 3 and policy.test([board], brief=True)
    assert clearway.generate("climb", from_=board, evaluations=20, size=5, seed=1)


def test_other_values_are_not_boards() -> None:
    for function in (clearway.solve, clearway.grade, clearway.analyze):
        with pytest.raises(TypeError, match="expected a board: a Board, a text, a Puzzle or an array, got int"):
            function(7)
    for function in (clearway.solve_many, clearway.grade_many):
        with pytest.raises(TypeError, match="expected boards, got int"):
            function(7)


def test_boards_solve_and_grade_themselves() -> None:
    board = Board(CARD)
    assert replace(board.solve(metric="steps"), seconds=0) == replace(clearway.solve(board, metric="steps"), seconds=0)
    assert board.grade(machine=False) == clearway.grade(board, machine=False)
    with pytest.raises(TypeError, match="colour"):
        board.solve(colour="red")


def test_numbers_of_every_kind_are_accepted() -> None:
    hard = clearway.suite("hard-8x8")[0]
    for limit in (0.00005, np.float64(5e-5), timedelta(microseconds=50), "0.05ms"):
        assert clearway.solve(hard, time_limit=limit).limit == "time"
        assert clearway.solve_many([hard, hard], time_limit=limit)[1].limit == "time"
    for nodes in (3, 3.0, np.int64(3), np.float32(3)):
        assert clearway.solve(CARD, node_limit=nodes).expanded == 3
        assert clearway.solve_many([CARD], node_limit=nodes)[0].expanded == 3
    assert clearway.solve(CARD, node_limit=1e6, memory=3e8).moves == 8
    assert clearway.solve_many([CARD], node_limit=1e6, threads=np.int64(1), within=np.float32(1))[0].moves == 8
    assert clearway.grade(CARD, machine_nodes=1e3) == clearway.grade(CARD, machine_nodes=1000)
    assert len(clearway.generate("random", size=np.int64(4), cars=np.int64(3), trucks=0, count=1e1, seed=1)) <= 10


OPTIONS = [
    {},
    {"metric": "steps"},
    {"first": True},
    {"within": 1.5},
    {"node_limit": 200},
    {"node_limit": 0},
    {"memory": "1M"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_board_is_solved_as_the_command_solves_it(options: dict) -> None:
    boards = [*clearway.suite("cards")[::6], *clearway.suite("walls")[:3], *clearway.suite("traffic-jam")[:3]]
    for board in [*boards, Board("4x3:...BAA.B....", name="none")]:
        seen: list[clearway.Improvement] = []
        quick = clearway.solve(board, **options, callback=seen.append)
        command: list[clearway.Improvement] = []
        ((_, record),) = solving._solve([board], None, options, command.append)
        assert replace(quick, seconds=0) == replace(solving._answer(board, record), seconds=0)
        assert [replace(one, seconds=0) for one in seen] == [replace(one, seconds=0) for one in command]


def test_a_claimed_length_that_is_wrong_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "clearway")
    assert clearway.solve(Board(f"8 {CARD}")).moves == 8
    assert not caplog.records
    assert clearway.solve(Board(f"7 {CARD}")).moves == 8
    assert "the input claims 7 moves, but the shortest solution has 8" in caplog.text


def test_the_default_memory_is_that_of_the_command() -> None:
    assert re.search(rf"--memory <SIZE>\s[^-]*\[default: {solving._MEMORY}\]", run("solve", "--help").stdout)


def test_boards_are_arrays_and_arrays_are_boards() -> None:
    for name in ("cards", "walls", "course", "large"):
        for board in clearway.suite(name):
            cells = np.asarray(board)
            assert cells.shape == (board.height, board.width) and cells.dtype == np.int16
            assert cells.max() == len(board.vehicles) and (cells == -1).sum() == len(board.walls)
            again = Board.from_array(cells, exit=board.exit, name=board.name)
            assert np.array_equal(np.asarray(again), cells) and (again.exit, again.name) == (board.exit, board.name)
            assert [vehicle[1:] for vehicle in again.vehicles] == [vehicle[1:] for vehicle in board.vehicles]
    assert np.array(Board(CARD), dtype=float).dtype == float
    letters = np.array([list(line) for line in Board(CARD).to("grid").splitlines()])
    assert Board.from_array(letters) == Board.from_array(letters.tolist()) == Board(CARD)
    assert Board.from_array(np.asarray(Board(CARD)).astype(float)) == Board(CARD)
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(Board(CARD), copy=False)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[1, 1], [0]], "its rows differ in length"),
        ([[0, 0], [2, 2]], "missing target; expected cells with the number 1"),
        ([[1, 0, 1], [0, 0, 0]], "the cells with the number 1 are no vehicle"),
        ([[1, 1, 0], [2, 0, 0]], "the cells with the number 2 are no vehicle"),
        ([[1, 1, -2], [0, 0, 0]], "invalid cell -2 at column 2, row 0"),
        ([[1, 1, 0.5], [0, 0, 0]], "expected rows of whole numbers"),
        ([1, 2], "expected rows of whole numbers"),
        (np.zeros((17, 17)), "invalid board size 17x17"),
        ([["A", "A"], ["B", "?"]], "'?'"),
    ],
)
def test_invalid_arrays_are_errors(array: object, message: str) -> None:
    with pytest.raises(clearway.InputError, match=re.escape(message)):
        Board.from_array(array)


def test_results_become_tables(tmp_path: Path) -> None:
    boards = [*clearway.suite("cards")[:3], Board("4x3:...BAA.B...."), Board(CARD, name="limit")]
    answers = [*clearway.solve_many(boards[:4]), clearway.solve(boards[4], node_limit=10)]
    results = {
        "answers": answers,
        "grades": [*clearway.grade_many(boards[:4]), clearway.grade(CARD, node_limit=10)],
        "puzzles": clearway.generate("pack", count=3, size=5, from_=4, to=6, seed=7),
        "analyses": [clearway.analyze(boards[0]), clearway.analyze(boards[3])],
        "tiles": [clearway.tiles.solve("867254301"), clearway.tiles.solve("123456870")],
        "comparison": clearway.compare(boards[:2], ["bfs", "exact"]),
        "rules": clearway.Policy("hand").rules(boards[:2]),
    }
    for name, some in results.items():
        rows = clearway.rows(some)
        assert len(rows) == len(some)
        frame = pandas.DataFrame(rows)
        frame.to_parquet(tmp_path / f"{name}.parquet")
        again = pandas.read_parquet(tmp_path / f"{name}.parquet")
        assert list(again.columns) == list(frame.columns) and len(again) == len(frame)
    row = clearway.rows(answers)[0]
    assert (row["name"], row["board"], row["moves"]) == ("JAM01", CARD, 8)
    assert boards[0].verify(row["solution"]) and clearway.rows(answers)[3]["solution"] is None
    assert clearway.rows(answers[0]) == clearway.rows(answers[:1])
    graded = clearway.rows(results["grades"])[0]
    assert graded["human_seconds"] > 0 and json.loads(json.dumps(graded)) == graded
    huge = replace(clearway.analyze(CARD), optimal_solutions=2**128 - 1)
    assert clearway.rows([huge])[0]["optimal_solutions"] == float(2**128 - 1)
    with pytest.raises(TypeError, match="expected a result of clearway, such as an Answer, got int"):
        clearway.rows([7])


def test_values_are_among_those_of_their_types() -> None:
    answer = clearway.solve(CARD)
    assert answer.status in get_args(types.Status) and answer.metric in get_args(types.Metric)
    assert clearway.solve(CARD, node_limit=3).limit in get_args(types.Limit)
    assert clearway.grade(CARD).level in get_args(types.Level)


def test_policies_and_programs_are_saved(tmp_path: Path) -> None:
    policy = clearway.Policy("IF h1 <= 0.05 THEN h1 DEFAULT 2*h1", name="mine")
    path = policy.save(tmp_path / "mine.policy")
    assert clearway.Policy(path) == policy and clearway.Policy(path).name == "mine"
    with pytest.raises(OSError, match="nowhere"):
        policy.save(tmp_path / "nowhere" / "mine.policy")
    program = clearway.tiles.Program("DEFAULT n")
    assert program.save(tmp_path / "my.program").read_text() == str(program)
