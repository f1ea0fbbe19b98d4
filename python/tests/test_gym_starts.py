"""The boards that games of the Gymnasium environment start with."""

from __future__ import annotations

import numpy as np
import pytest

import clearway
from clearway.gym import RushHourEnv, RushHourVectorEnv

FIRST_CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


def test_games_start_with_boards_of_the_chosen_level() -> None:
    env = RushHourEnv(suite="cards")
    grades = [grade.level for grade in clearway.grade_many(clearway.suite("cards"))]
    assert env.levels == grades

    def levels(count: int, **arguments: object) -> set[str | None]:
        starts = [env.reset(**arguments)[1]["board"]] + [env.reset()[1]["board"] for _ in range(count)]
        return {grades[[str(board) for board in env.boards].index(start)] for start in starts}

    assert levels(30, seed=1, options={"level": "beginner"}) == {"beginner"}
    assert levels(50, options={"level": ["beginner", "advanced"]}) == {"beginner", "advanced"}
    assert env.reset(options={"board": 39})[1]["optimum"] == 51
    assert levels(200, options={"level": None}) == set(grades)
    # Games that restart by themselves keep the level.
    envs = RushHourVectorEnv(20, suite="cards", max_moves=2, autoreset_mode="SameStep")
    _, infos = envs.reset(seed=1, options={"level": "expert", "board": [0, *[None] * 19]})
    expert = {str(board) for board, level in zip(envs.boards, grades, strict=True) if level == "expert"}
    assert infos["board"][0] == FIRST_CARD and set(infos["board"][1:]) <= expert
    for _ in range(4):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert set(infos["board"]) <= expert
    made = RushHourEnv(generate={"quota": {"beginner": 3, "intermediate": 1}, "seed": 7})
    assert sorted(made.levels) == ["beginner"] * 3 + ["intermediate"]


def test_each_game_of_many_may_have_its_own_board() -> None:
    envs = RushHourVectorEnv(3, suite="cards")
    cards = [str(board) for board in envs.boards]
    for board, expected in [
        (np.array([5, 0, 39]), [5, 0, 39]),
        ([1, "JAM03", 1], [1, 2, 1]),
        (7, [7] * 3),
        ("JAM40", [39] * 3),
    ]:
        _, infos = envs.reset(seed=1, options={"board": board})
        assert infos["board"].tolist() == [cards[number] for number in expected]
    assert RushHourEnv(suite="cards").reset(options={"board": "JAM02"})[1]["board"] == cards[1]
    mask = np.array([False, True, False])
    _, infos = envs.reset(options={"board": [0, 4, 0], "reset_mask": mask})
    assert infos["board"][1] == cards[4] and infos["_board"].tolist() == mask.tolist()
    for options, message in [
        ({"board": [0, 1]}, "expected a board, or 3, one for each game, got 2"),
        ({"board": [0, 1, 40]}, "board 40 does not exist"),
        ({"board": "JAM41"}, "no board is named 'JAM41'"),
        ({"level": "hard"}, "unknown level 'hard'; expected one of beginner, intermediate"),
    ]:
        with pytest.raises(clearway.UsageError, match=message):
            envs.reset(options=options)
    with pytest.raises(clearway.UsageError, match="no board has the level fiendish"):
        RushHourEnv(boards=FIRST_CARD).reset(options={"level": "fiendish"})


def test_puzzles_and_arrays_are_boards_of_games() -> None:
    (puzzle,) = clearway.generate("pack", count=1, size=5, from_=5, to=5, seed=3)
    for boards in [puzzle, [puzzle], np.asarray(puzzle.board), [puzzle.board, str(puzzle.board)]]:
        assert str(RushHourEnv(boards=boards).boards[0]) == str(puzzle.board)
