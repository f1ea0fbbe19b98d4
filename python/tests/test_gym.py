"""The Gymnasium environment: the rules of Gymnasium, and those of the game."""

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
    # Too many states for tables; some of the distances are not proven.
    {"reward": "distance", "boards": clearway.suite("cards")[:3], "max_states": 100, "node_limit": 150},
]


def masked(generator: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """Returns a random legal action for each game."""
    return (generator.random(masks.shape) * masks).argmax(axis=-1)


def expected_planes(board: clearway.Board, shape: tuple[int, int, int]) -> np.ndarray:
    planes = np.zeros(shape, np.uint8)
    planes[0] = 1
    planes[0, : board.height, : board.width] = 0
    for x, y in board.walls:
        planes[0, y, x] = 1
    for slot, (_, x, y, length, orientation) in enumerate(board.vehicles):
        wide, high = (length, 1) if orientation == "horizontal" else (1, length)
        planes[2 + slot, y : y + high, x : x + wide] = 1
    _, x, y, *_ = board.vehicles[0]
    side = board.exit.partition(":")[0]
    row, column = {"right": (y, board.width - 1), "left": (y, 0), "top": (0, x), "bottom": (board.height - 1, x)}[side]
    planes[1, row, column] = 1
    return planes


@pytest.mark.parametrize("options", OPTIONS)
def test_the_checker_of_gymnasium_finds_no_fault(options: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, **options).unwrapped)


def test_the_examples_of_the_chapter_are_correct() -> None:
    result = doctest.testfile("../../docs/gymnasium.md")
    assert result.failed == 0 and result.attempted > 20


def test_gymnasium_creates_single_and_vector_environments() -> None:
    env = gymnasium.make("clearway.gym:clearway/RushHour-v0", suite="walls", reward="solved")
    # Without wrappers, so that its own methods can be called.
    assert isinstance(env, RushHourEnv) and len(env.boards) == len(clearway.suite("walls"))
    _, info = env.reset(seed=1)
    assert env.move_of(env.action_of(env.board.moves()[0])) == env.board.moves()[0]
    # As other libraries access it, through all wrappers.
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


def test_options_are_in_the_signature_and_others_are_errors() -> None:
    parameters = inspect.signature(RushHourEnv).parameters
    assert {"suite", "boards", "generate", "reward", "max_moves", "render_mode"} <= set(parameters)
    for make in (RushHourEnv, RushHourVectorEnv):
        with pytest.raises(TypeError, match="'colour'"):
            make(colour="red")


@pytest.mark.parametrize("options", OPTIONS)
def test_planes_and_masks_match_the_board(options: dict) -> None:
    env = RushHourEnv(**options)
    generator = np.random.default_rng(5)
    for seed in range(6):
        planes, info = env.reset(seed=seed)
        assert info["board"] == str(env.board) and info["moves"] == 0
        for _ in range(25):
            board = env.board
            assert np.array_equal(planes, expected_planes(board, planes.shape))
            legal = {env.move_of(action) for action in np.flatnonzero(info["action_mask"])}
            by_one = options.get("metric") == "steps"
            assert legal == {move for move in board.moves() if not by_one or move[2:] == "1"}
            assert all(env.move_of(env.action_of(move)) == move for move in legal)
            assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
            assert env.action_masks().dtype == np.bool_ and info["action_mask"].dtype == np.int8
            action = masked(generator, info["action_mask"])
            move = env.move_of(action)
            planes, _, terminated, truncated, info = env.step(action)
            # Compared as text: vehicles keep their slots, which the text does not show.
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
def test_a_shortest_solution_earns_the_expected_reward(metric: str, reward: str) -> None:
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


def test_searched_distances_equal_those_of_the_table() -> None:
    boards = clearway.suite("cards")[:2]
    table = RushHourEnv(boards=boards, reward="distance")
    search = RushHourEnv(boards=boards, reward="distance", max_states=100)
    few = RushHourEnv(boards=boards, reward="distance", max_states=100, node_limit=150)
    generator = np.random.default_rng(4)
    unknown = 0
    for seed in range(3):
        start = table.reset(seed=seed)
        assert data_equivalence(start, search.reset(seed=seed), exact=True)
        _, info = few.reset(seed=seed)
        last, action_mask, total = info.get("distance"), start[1]["action_mask"], 0.0
        first = last
        for _ in range(20):
            action = masked(generator, action_mask)
            ours = table.step(action)
            assert data_equivalence(ours, search.step(action), exact=True)
            _, reward, terminated, _, info = few.step(action)
            distance = info.get("distance")
            assert distance in (None, ours[-1]["distance"])
            assert reward == (0 if distance is None or last is None else last - distance)
            unknown += distance is None
            last = last if distance is None else distance
            first = last if first is None else first
            total += reward
            action_mask = ours[-1]["action_mask"]
            if terminated:
                break
        assert last is None or total == first - last
    assert unknown > 0


def test_a_large_board_has_honest_distances() -> None:
    (board,) = (board for board in clearway.suite("course") if board.name == "12x12_7")
    env = RushHourEnv(boards=[board], reward="distance", max_states=1000, node_limit=300)
    _, info = env.reset(seed=1)
    assert info.get("distance") in (None, 25) and info.get("optimum") in (None, 25)
    moves = clearway.solve(board, first=True).solution
    total, known = 0.0, []
    for move in moves:
        _, reward, terminated, _, info = env.step(env.action_of(move))
        total += reward
        known += [info["distance"]] if "distance" in info else []
    assert terminated and info["distance"] == 0
    assert total == known[0] or total == 25


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("options", [*OPTIONS, {"boards": "4x4:....AAB...B.....", "max_moves": 9}])
def test_vector_games_equal_single_games(options: dict, mode: AutoresetMode) -> None:
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
        # Now and then an illegal action.
        actions = np.where(generator.random(count) < 0.1, many.action_space.sample(), actions)
        ours, theirs = many.step(actions), single.step(actions)
        # SyncVectorEnv changes the arrays that it has returned.
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
    # Large batches release the interpreter.
    assert data_equivalence(play(3, 300), play(3, 300), exact=True)
    one = {"generate": {"from": 4, "to": 6, "count": 4, "seed": 9}}
    assert RushHourEnv(**one).boards == RushHourEnv(**one).boards
    assert RushHourEnv(**one).boards != RushHourEnv(generate={**one["generate"], "seed": 10}).boards
    assert all(4 <= clearway.solve(board).moves <= 6 for board in RushHourEnv(**one).boards)


@pytest.mark.parametrize("reward", ["moves", "distance"])
@pytest.mark.parametrize("replica", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_continue_independently_from_the_same_state(reward: str, replica) -> None:
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


def test_illegal_actions_leave_the_board_unchanged_or_are_errors() -> None:
    for reward, loss in [("moves", -1.25), ("cells", -0.25), ("solved", -0.25), ("distance", -0.25)]:
        env = RushHourEnv(boards=FIRST_CARD, reward=reward, penalty=0.25, max_moves=2)
        before, _ = env.reset()
        planes, gain, terminated, truncated, info = env.step(env.action_of("A+4"))
        assert np.array_equal(before, planes) and gain == loss and not terminated and not truncated
        assert info["moves"] == 1 and env.step(0)[3]
    env = RushHourEnv(boards=FIRST_CARD, illegal="refuse")
    env.reset()
    with pytest.raises(clearway.UsageError, match=r"illegal action 7 \(A\+4\)"):
        env.step(7)
    envs = RushHourVectorEnv(2, boards=FIRST_CARD, illegal="refuse")
    _, infos = envs.reset()
    legal = infos["action_mask"][0].argmax()
    with pytest.raises(clearway.UsageError, match="illegal action 7"):
        envs.step(np.array([legal, 7]))
    assert str(envs.board(0)) == FIRST_CARD, "an illegal action must leave all games unchanged"


def test_without_autoreset_finished_games_wait_for_reset() -> None:
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


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"suite": "none"}, clearway.Error, "none"),
        ({"suite": "cards", "boards": FIRST_CARD}, clearway.UsageError, "exclude each other"),
        ({"boards": []}, clearway.UsageError, "no board to play"),
        ({"boards": "no board"}, clearway.InputError, "no board"),
        ({"boards": 7}, clearway.UsageError, "invalid board 7"),
        ({"boards": [7]}, clearway.UsageError, "invalid board 7; expected a Board or a text"),
        ({"boards": "4x4:......AA........"}, clearway.InputError, "board 0 is already solved"),
        ({"generate": 7}, clearway.UsageError, "expected a dict of options of forge backward"),
        ({"generate": {"form": 7}}, clearway.UsageError, "unknown option 'form'"),
        ({"metric": 7}, clearway.UsageError, "unknown metric '7'"),
        ({"metric": "cells"}, clearway.UsageError, "expected moves or steps"),
        ({"reward": "fun"}, clearway.UsageError, "expected moves, cells, solved or distance"),
        ({"illegal": "ask"}, clearway.UsageError, "unknown value 'ask' for illegal; expected stay or refuse"),
        ({"penalty": float("nan")}, clearway.UsageError, "invalid penalty nan"),
        ({"penalty": "high"}, clearway.UsageError, "invalid penalty 'high'; expected a finite number"),
        ({"max_moves": 0}, clearway.UsageError, "invalid max_moves 0"),
        ({"max_moves": 2.5}, clearway.UsageError, r"invalid max_moves 2\.5"),
        ({"max_states": None}, clearway.UsageError, "expected a whole number of at least 1"),
        ({"shape": (16, 6)}, clearway.UsageError, r"expected \(channels, height, width\)"),
        ({"shape": (3, 6, 6)}, clearway.UsageError, r"at least \(16, 6, 6\)"),
        ({"shape": (16, 6, 17)}, clearway.UsageError, r"the maximum is \(130, 16, 16\)"),
        ({"render_mode": "svg"}, clearway.UsageError, "expected ansi(, rgb_array or human| or rgb_array)$"),
        ({"cell": 0}, clearway.UsageError, "invalid cell 0"),
        ({"node_limit": 0}, clearway.UsageError, "invalid node_limit 0; expected a whole number of at least 1"),
        ({"reward": "distance", "boards": "4x3:...BAA.B...."}, clearway.InputError, "board 0 has no solution"),
        (
            {"reward": "distance", "boards": "4x3:...BAA.B....", "max_states": 1},
            clearway.InputError,
            "board 0 has no solution",
        ),
    ],
)
def test_invalid_options_are_errors(options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        RushHourEnv(**options)
    with pytest.raises(error, match=message):
        RushHourVectorEnv(2, **options)


def test_invalid_calls_are_errors() -> None:
    env = RushHourEnv(boards=FIRST_CARD)
    for call in [lambda: env.step(0), env.action_masks, lambda: env.board]:
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            call()
    for options, message in [({"board": 1}, "board 1 does not exist"), ({"bored": 1}, "unknown option 'bored'")]:
        with pytest.raises(clearway.UsageError, match=message):
            env.reset(options=options)
    env.reset()
    for action in [-1, env.action_space.n]:
        with pytest.raises(clearway.UsageError, match=f"action {action} does not exist; .* from 0 to 63"):
            env.step(action)
    for move, message in [("Z+1", "no vehicle Z"), ("A+5", "at most 4 cells"), ("A", "invalid move")]:
        with pytest.raises(clearway.UsageError, match=message):
            env.action_of(move)
    for count in [0, -1, 1.5]:
        with pytest.raises(clearway.UsageError, match="invalid num_envs"):
            RushHourVectorEnv(count)
    with pytest.raises(clearway.UsageError, match="expected one of NextStep, SameStep, Disabled"):
        RushHourVectorEnv(2, autoreset_mode="never")
    envs = RushHourVectorEnv(2)
    for call in [lambda: envs.step(np.array([0, 0])), envs.action_masks, envs.render, lambda: envs.board(0)]:
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            call()
    with pytest.raises(clearway.UsageError, match="expected one seed or 2, got 3"):
        envs.reset(seed=[1, 2, 3])
    envs.reset()
    for actions in [np.array([0]), np.array([0.0, 1.0]), "no"]:
        with pytest.raises(clearway.UsageError, match="expected an array of 2 integers"):
            envs.step(actions)
