"""Rush Hour as an environment: the rules of Gymnasium, and those of the game."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import clearway
from clearway.gym import ID, RushHourEnv, RushHourVectorEnv

FIRST_CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
OPTIONS = [
    {},
    {"reward": "distance", "boards": clearway.suite("cards")[:4]},
    {"reward": "solved", "suite": ["cards", "walls", "traffic-jam"], "metric": "steps"},
    {"reward": "cells", "suite": "course", "max_moves": 30},
    {"generate": {"from": 3, "to": 6, "size": "5x4", "count": 5, "seed": 2}, "penalty": 0.5},
    {"reward": "distance", "boards": clearway.suite("hard-8x8")[:1], "metric": "steps"},
    {"suite": "it3105", "shape": (20, 8, 7), "max_moves": None},
]


def masked(generator: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """A possible action of each game."""
    return (generator.random(masks.shape) * masks).argmax(axis=-1)


def expected_planes(board: clearway.Board, shape: tuple[int, int, int]) -> np.ndarray:
    planes = np.zeros(shape, np.uint8)
    planes[0] = 1
    planes[0, : board.height, : board.width] = 0
    for x, y in board.walls:
        planes[0, y, x] = 1
    for slot, (_, x, y, length, way) in enumerate(board.vehicles):
        wide, high = (length, 1) if way == "horizontal" else (1, length)
        planes[2 + slot, y : y + high, x : x + wide] = 1
    _, x, y, *_ = board.vehicles[0]
    side = board.exit.partition(":")[0]
    row, column = {"right": (y, board.width - 1), "left": (y, 0), "top": (0, x), "bottom": (board.height - 1, x)}[side]
    planes[1, row, column] = 1
    return planes


@pytest.mark.parametrize("options", OPTIONS)
def test_gymnasium_finds_nothing_to_say(options: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, **options).unwrapped)


def test_the_chapter_says_what_happens() -> None:
    result = doctest.testfile("../../docs/gymnasium.md")
    assert result.failed == 0 and result.attempted > 20


def test_gymnasium_makes_one_game_and_many() -> None:
    env = gymnasium.make("clearway.gym:clearway/RushHour-v0", suite="walls", reward="solved")
    assert isinstance(env.unwrapped, RushHourEnv) and len(env.unwrapped.boards) == len(clearway.suite("walls"))
    _, info = env.reset(seed=1)
    # As other libraries ask, through all wrappers.
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), info["action_mask"])
    envs = gymnasium.make_vec(ID, num_envs=3, suite="walls", render_mode="ansi")
    assert isinstance(envs, RushHourVectorEnv) and envs.num_envs == 3
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    planes, infos = envs.reset(seed=1)
    assert planes in envs.observation_space and envs.action_space.shape == (3,)
    assert len(envs.render()) == 3 and all("A" in picture for picture in envs.render())
    again = gymnasium.make_vec(envs.spec)
    assert data_equivalence(again.reset(seed=1), (planes, infos))
    gathered = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", boards=FIRST_CARD)
    assert isinstance(gathered, SyncVectorEnv)


def test_the_options_are_told_and_others_refused() -> None:
    told = inspect.signature(RushHourEnv).parameters
    assert {"suite", "boards", "generate", "reward", "max_moves", "render_mode"} <= set(told)
    for make in (RushHourEnv, RushHourVectorEnv):
        with pytest.raises(TypeError, match="'colour'"):
            make(colour="red")


@pytest.mark.parametrize("options", OPTIONS)
def test_planes_and_masks_tell_what_the_board_is(options: dict) -> None:
    env = RushHourEnv(**options)
    generator = np.random.default_rng(5)
    for seed in range(6):
        planes, info = env.reset(seed=seed)
        assert info["board"] == str(env.board) and info["moves"] == 0
        for _ in range(25):
            board = env.board
            assert np.array_equal(planes, expected_planes(board, planes.shape))
            possible = {env.move_of(action) for action in np.flatnonzero(info["action_mask"])}
            by_one = options.get("metric") == "steps"
            assert possible == {move for move in board.moves() if not by_one or move[2:] == "1"}
            assert all(env.move_of(env.action_of(move)) == move for move in possible)
            assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
            assert env.action_masks().dtype == np.bool_ and info["action_mask"].dtype == np.int8
            action = masked(generator, info["action_mask"])
            move = env.move_of(action)
            planes, _, terminated, truncated, info = env.step(action)
            # The vehicles keep their slots, which the text of a board does not tell.
            assert str(env.board) == str(board.play(move))
            if terminated or truncated:
                break


def test_random_play_ends_with_a_solution_or_at_the_limit() -> None:
    env = RushHourEnv(generate={"from": 2, "to": 4, "size": 5, "count": 20}, max_moves=40, reward="solved")
    generator = np.random.default_rng(1)
    solved = 0
    for seed in range(60):
        _, info = env.reset(seed=seed)
        board, moves, over = clearway.Board(info["board"]), [], False
        while not over:
            action = masked(generator, info["action_mask"])
            moves.append(env.move_of(action))
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            assert info["moves"] == len(moves) and reward == float(terminated)
            assert terminated == board.verify(*moves)
        assert terminated != truncated and (terminated or len(moves) == 40)
        solved += terminated
    assert 0 < solved < 60


@pytest.mark.parametrize("metric", ["moves", "steps"])
@pytest.mark.parametrize("reward", ["moves", "cells", "solved", "distance"])
def test_a_shortest_solution_earns_what_it_should(metric: str, reward: str) -> None:
    env = RushHourEnv(boards=clearway.suite("cards")[:6], metric=metric, reward=reward)
    for number, board in enumerate(env.boards):
        answer = clearway.solve(board, metric=metric)
        moves = list(answer.solution)
        if metric == "steps":
            moves = [f"{move[:2]}1" for move in moves for _ in range(int(move[2:]))]
        cells = sum(int(move[2:]) for move in moves)
        _, info = env.reset(options={"board": number})
        assert info["optimum"] == len(moves)
        rewards = []
        for left in range(len(moves), 0, -1):
            assert reward != "distance" or info["distance"] == left
            _, gain, terminated, truncated, info = env.step(env.action_of(moves[-left]))
            rewards.append(gain)
            assert terminated == (left == 1) and not truncated
        totals = {"moves": -len(moves), "cells": -cells, "solved": 1, "distance": len(moves)}
        assert sum(rewards) == totals[reward]
        assert reward != "distance" or set(rewards) == {1.0}


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("options", [*OPTIONS, {"boards": "4x4:....AAB...B.....", "max_moves": 9}])
def test_many_games_are_what_each_is_alone(options: dict, mode: AutoresetMode) -> None:
    count = 5
    options = {"max_moves": 12} | options
    many = RushHourVectorEnv(count, autoreset_mode=mode, **options)
    single = SyncVectorEnv([lambda: RushHourEnv(**options)] * count, autoreset_mode=mode)
    assert many.single_observation_space == single.single_observation_space
    assert many.action_space == single.action_space and many.observation_space == single.observation_space
    generator = np.random.default_rng(3)
    many.action_space.seed(1)
    ours, theirs = many.reset(seed=7), single.reset(seed=7)
    assert data_equivalence(ours, theirs, exact=True)
    for _ in range(60):
        actions = masked(generator, ours[-1]["action_mask"])
        # Now and then something that is no move.
        actions = np.where(generator.random(count) < 0.1, many.action_space.sample(), actions)
        ours, theirs = many.step(actions), single.step(actions)
        # Gymnasium's own returns the arrays that it goes on to change.
        assert data_equivalence(ours, copy.deepcopy(theirs), exact=True)


def test_the_seed_decides_everything() -> None:
    def play(seed: int, count: int) -> list:
        envs = RushHourVectorEnv(count, suite="cards", max_moves=15)
        generator = np.random.default_rng(1)
        seen = [envs.reset(seed=seed)]
        for _ in range(40):
            seen.append(envs.step(masked(generator, seen[-1][-1]["action_mask"])))
        return seen

    assert data_equivalence(play(3, 20), play(3, 20), exact=True)
    assert not data_equivalence(play(3, 20), play(4, 20), exact=True)
    # Large batches are played without the interpreter.
    assert data_equivalence(play(3, 300), play(3, 300), exact=True)
    one = {"generate": {"from": 4, "to": 6, "count": 4, "seed": 9}}
    assert RushHourEnv(**one).boards == RushHourEnv(**one).boards
    assert RushHourEnv(**one).boards != RushHourEnv(generate={**one["generate"], "seed": 10}).boards
    assert all(4 <= clearway.solve(board).moves <= 6 for board in RushHourEnv(**one).boards)


@pytest.mark.parametrize("reward", ["moves", "distance"])
@pytest.mark.parametrize("replica", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_where_they_are(reward: str, replica) -> None:
    envs = RushHourVectorEnv(4, boards=clearway.suite("cards")[:3], reward=reward, max_moves=20)
    generator = np.random.default_rng(2)
    _, infos = envs.reset(seed=1)
    for _ in range(30):
        *_, infos = envs.step(masked(generator, infos["action_mask"]))
    other = replica(envs)
    for _ in range(30):
        actions = masked(generator, infos["action_mask"])
        ours, theirs = envs.step(actions), other.step(actions)
        assert data_equivalence(ours, theirs, exact=True)
        infos = ours[-1]
    env = RushHourEnv(boards=FIRST_CARD, reward=reward)
    env.reset(seed=1)
    env.step(env.action_of("G-3"))
    assert replica(env).board == env.board != env.boards[0]


def test_illegal_actions_stay_or_are_refused() -> None:
    for reward, loss in [("moves", -1.25), ("cells", -0.25), ("solved", -0.25), ("distance", -0.25)]:
        env = RushHourEnv(boards=FIRST_CARD, reward=reward, penalty=0.25, max_moves=2)
        before, _ = env.reset()
        planes, gain, terminated, truncated, info = env.step(env.action_of("A+4"))
        assert np.array_equal(before, planes) and gain == loss and not terminated and not truncated
        assert info["moves"] == 1 and env.step(0)[3]
    env = RushHourEnv(boards=FIRST_CARD, illegal="refuse")
    env.reset()
    with pytest.raises(clearway.UsageError, match=r"action 7, A\+4, is not possible"):
        env.step(7)
    envs = RushHourVectorEnv(2, boards=FIRST_CARD, illegal="refuse")
    _, infos = envs.reset()
    legal = infos["action_mask"][0].argmax()
    with pytest.raises(clearway.UsageError, match="is not possible"):
        envs.step(np.array([legal, 7]))
    assert str(envs.board(0)) == FIRST_CARD, "either all actions are done or none"


def test_games_that_do_not_begin_anew_by_themselves() -> None:
    envs = RushHourVectorEnv(2, boards="4x4:....AAB...B.....", autoreset_mode="Disabled", max_moves=1)
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    assert envs.step(actions)[3].all()
    with pytest.raises(clearway.UsageError, match="the game is over"):
        envs.step(actions)
    _, infos = envs.reset(options={"reset_mask": np.array([False, True])})
    assert infos["moves"].tolist() == [1, 0] and infos["_board"].tolist() == [False, True]
    envs.reset(seed=[5, None], options={"board": 0})
    assert not envs.step(actions)[2].any()


def test_pictures() -> None:
    env = RushHourEnv(suite=["cards", "course"], render_mode="rgb_array")
    env.reset(options={"board": 0})
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape == (288, 288, 3)
    # The target is red where it stands.
    _, x, y, *_ = env.board.vehicles[0]
    red, green, blue = map(int, picture[y * 24 + 12, x * 24 + 12])
    assert red > 2 * green and red > 2 * blue
    assert env._repr_svg_().startswith("<svg")
    assert RushHourEnv()._repr_svg_() is None and RushHourEnv().render_mode is None


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"suite": "none"}, clearway.Error, "none"),
        ({"suite": "cards", "boards": FIRST_CARD}, clearway.UsageError, "exclude each other"),
        ({"boards": []}, clearway.UsageError, "no board to play"),
        ({"boards": "no board"}, clearway.InputError, "no board"),
        ({"boards": 7}, clearway.UsageError, "a board or a text is expected"),
        ({"boards": [7]}, clearway.UsageError, "a board or a text is expected"),
        ({"boards": "4x4:......AA........"}, clearway.InputError, "board 0 is solved already"),
        ({"generate": 7}, clearway.UsageError, "generate is a dict"),
        ({"generate": {"form": 7}}, clearway.UsageError, "--form"),
        ({"metric": 7}, clearway.UsageError, "moves and steps are there"),
        ({"metric": "cells"}, clearway.UsageError, "moves and steps are there"),
        ({"reward": "fun"}, clearway.UsageError, "moves, cells, solved and distance are there"),
        ({"illegal": "ask"}, clearway.UsageError, "stay and refuse are there"),
        ({"penalty": float("nan")}, clearway.UsageError, "penalty is a finite number"),
        ({"penalty": "high"}, clearway.UsageError, "penalty is a finite number"),
        ({"max_moves": 0}, clearway.UsageError, "max_moves is a whole number from 1 on"),
        ({"max_moves": 2.5}, clearway.UsageError, "max_moves is a whole number from 1 on"),
        ({"max_states": None}, clearway.UsageError, "max_states is a whole number from 1 on"),
        ({"shape": (16, 6)}, clearway.UsageError, "shape is the number of channels"),
        ({"shape": (3, 6, 6)}, clearway.UsageError, r"at least \(16, 6, 6\)"),
        ({"shape": (16, 6, 17)}, clearway.UsageError, r"the largest is \(130, 16, 16\)"),
        ({"render_mode": "human"}, clearway.UsageError, "ansi and rgb_array are there"),
        ({"reward": "distance", "max_states": 100}, clearway.LimitError, r"more than 100 states .* \(JAM\d\d\)"),
        ({"reward": "distance", "boards": "4x3:...BAA.B...."}, clearway.InputError, "board 0 has no solution"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        RushHourEnv(**options)
    with pytest.raises(error, match=words):
        RushHourVectorEnv(2, **options)


def test_what_cannot_be_done_is_refused() -> None:
    env = RushHourEnv(boards=FIRST_CARD)
    for call in [lambda: env.step(0), env.action_masks, lambda: env.board]:
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            call()
    for options, words in [({"board": 1}, "there is no board 1"), ({"bored": 1}, "reset has no option 'bored'")]:
        with pytest.raises(clearway.UsageError, match=words):
            env.reset(options=options)
    env.reset()
    for action in [-1, env.action_space.n]:
        with pytest.raises(clearway.UsageError, match=f"there is no action {action}: they are numbered from 0 to 63"):
            env.step(action)
    for move, words in [("Z+1", "there is no vehicle Z"), ("A+5", "at most 4 cells"), ("A", "is not a move")]:
        with pytest.raises(clearway.UsageError, match=words):
            env.action_of(move)
    for count in [0, -1, 1.5]:
        with pytest.raises(clearway.UsageError, match="num_envs is a whole number from 1 on"):
            RushHourVectorEnv(count)
    with pytest.raises(clearway.UsageError, match="there are NextStep, SameStep, Disabled"):
        RushHourVectorEnv(2, autoreset_mode="never")
    envs = RushHourVectorEnv(2)
    for call in [lambda: envs.step(np.array([0, 0])), envs.action_masks, envs.render, lambda: envs.board(0)]:
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            call()
    with pytest.raises(clearway.UsageError, match="2 seeds are expected"):
        envs.reset(seed=[1, 2, 3])
    envs.reset()
    for actions in [np.array([0]), np.array([0.0, 1.0]), "no"]:
        with pytest.raises(clearway.UsageError, match="2 actions are expected"):
            envs.step(actions)
