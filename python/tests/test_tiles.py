"""Sliding tiles."""

from pathlib import Path

import pandas
import pytest

import clearway
from clearway import tiles
from program import records


def test_solutions_are_shortest_and_valid() -> None:
    boards = tiles.random(count=20, seed=5)
    answers = tiles.solve_many(boards)
    assert [answer.board for answer in answers] == boards
    for answer in answers:
        tested = tiles.test(answer.board, answer.solution)
        assert tested.solved and tested.moves == answer.moves == answer.lower_bound and answer.optimal
    (longest,) = tiles.solve_many(["867254301"])
    assert longest.moves == 31 == records("tiles", "solve", "867254301")[0]["moves"]
    assert tiles.solve_many([]) == []


def test_goals_sizes_and_limits_are_honoured() -> None:
    answer = tiles.solve("2 8 3 / 1 6 4 / 7 0 5", goal="1 2 3 / 8 0 4 / 7 6 5")
    assert tiles.test("283164705", answer.solution, goal="123804765").solved
    fifteen = tiles.random(size=(4, 4), count=1, seed=2)
    assert len(fifteen[0]) == 16
    assert tiles.solve(fifteen[0], node_limit=10).limit == "nodes"
    assert tiles.solve("123456870").status == "unsolvable"


def test_wrong_and_illegal_moves_are_reported() -> None:
    assert not tiles.test("123456708", "u").solved
    impossible = tiles.test("123456708", "d")
    assert (impossible.legal, impossible.failed, impossible.end) == (False, 1, None)


def test_programs_solve_boards() -> None:
    boards = tiles.random(count=50, seed=1)
    answers = tiles.solve_many(boards, program="tiles-3x3")
    assert all(answer.status == "solved" and answer.rounds for answer in answers)
    shortest = tiles.solve_many(boards)
    assert all(one.moves >= other.moves for one, other in zip(answers, shortest, strict=True))
    assert tiles.solve("867254301", program="tiles-3x3", move_limit=3).status == "limit"


def test_a_board_is_not_mistaken_for_a_file_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "123456708").write_text("867254301")
    monkeypatch.chdir(tmp_path)
    assert tiles.solve("123456708").moves == 1


def test_a_run_returns_rows_and_a_champion_and_can_be_resumed(tmp_path: Path) -> None:
    received: list[dict[str, object]] = []
    options = {"size": "2x2", "population": 20, "seed": 1}
    run = tiles.evolve(**options, generations=3, out=tmp_path / "run", on_generation=received.append)
    assert received == run.generations and len(pandas.DataFrame(run.generations)) == 3
    examined = pandas.DataFrame(run.tests).set_index("name")
    assert examined.loc["all", "boards"] == 12 and "optimum_mean" in examined
    boards = tiles.random(size="2x2", count=20)
    answers = tiles.solve_many(boards, program=run.champion)
    assert all(tiles.test(answer.board, answer.solution).solved for answer in answers if answer.status == "solved")
    assert sum(answer.status == "solved" for answer in answers) > 0
    assert str(run.champion) == (run.folder / "champion.program").read_text()
    more = tiles.evolve(resume=run.folder, generations=5)
    assert len(more.generations) == 5
    with pytest.raises(clearway.UsageError):
        tiles.evolve(resume=run.folder, generations=1)
