"""Measures the steps per second of the environment `clearway/RushHour-v0` with random moves, for one game and for many.

Games are played twice: first with random legal actions, then again with the recorded actions, which measures the
environment alone. Times are CPU times of the one working thread, because other programs disturb them least; the fastest
of three rounds counts.

    python benches/gym/steps.py [--suite cards] [--reward moves] [--seconds 1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from clearway.gym import RushHourEnv, RushHourVectorEnv

ROUNDS = 3
SEED = 1

#: Plays a number of steps with the given actions, or with random ones if they are None; returns the actions.
Play = Callable[[int, "list | None"], list]


def single(env: gymnasium.Env) -> Play:
    """Plays one game; the action space of Gymnasium samples the actions."""

    def play(steps: int, actions: list | None) -> list:
        env.action_space.seed(SEED)
        _, info = env.reset(seed=SEED)
        done = []
        for step in range(steps):
            action = env.action_space.sample(info["action_mask"]) if actions is None else actions[step]
            done.append(action)
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()
        return done

    return play


def many(envs: gymnasium.vector.VectorEnv) -> Play:
    """Plays many games; the actions of all games are chosen at once."""

    def play(steps: int, actions: list | None) -> list:
        generator = np.random.default_rng(SEED)
        _, infos = envs.reset(seed=SEED)
        done = []
        for step in range(steps):
            if actions is None:
                masks = infos["action_mask"]
                chosen = (generator.random(masks.shape, np.float32) * masks).argmax(axis=1)
            else:
                chosen = actions[step]
            done.append(chosen)
            *_, infos = envs.step(chosen)
        return done

    return play


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def measure(play: Play, seconds: float) -> tuple[float, float]:
    """Returns the steps per second of the whole batch, with and without the choice of actions."""
    steps = 8
    while cpu_seconds(lambda: play(steps, None)) < seconds / 4:
        steps *= 2
    actions = play(steps, None)
    chosen = min(cpu_seconds(lambda: play(steps, None)) for _ in range(ROUNDS))
    given = min(cpu_seconds(lambda: play(steps, actions)) for _ in range(ROUNDS))
    return steps / chosen, steps / given


def cases(options: dict[str, str]) -> Iterator[tuple[str, int, Play]]:
    yield "RushHourEnv", 1, single(RushHourEnv(**options))
    for count in (1, 16, 256, 4096):
        yield "RushHourVectorEnv", count, many(RushHourVectorEnv(count, **options))
    yield "SyncVectorEnv", 16, many(SyncVectorEnv([lambda: RushHourEnv(**options)] * 16))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="cards", help="suite of the boards [default: cards]")
    parser.add_argument("--reward", default="moves", help="reward: moves, cells, solved or distance [default: moves]")
    parser.add_argument("--seconds", type=float, default=1.0, help="approximate duration of a round [default: 1]")
    arguments = parser.parse_args()
    print("environment          games  steps/s with choice  steps/s of the environment")
    for name, count, play in cases({"suite": arguments.suite, "reward": arguments.reward}):
        with_choice, alone = (rate * count for rate in measure(play, arguments.seconds))
        print(f"{name:<18}  {count:>6,}  {with_choice:>19,.0f}  {alone:>26,.0f}", flush=True)


if __name__ == "__main__":
    main()
