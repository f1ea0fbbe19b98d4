"""Policies bred on a cluster: a run whose individuals are judged everywhere, or a whole run for each of many seeds."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import ray

from clearway import _native
from clearway.cluster import runner
from clearway.cluster import seeds as many

# A text in the store of the cluster. Ray fetches what is handed over as it is, but not what is in a list.
Held = list["ray.ObjectRef[str]"]

# Each judge gets about so many pieces of a generation: policies differ in what they cost.
PIECES = 8


@ray.remote(num_cpus=1, max_restarts=0)
class _Judge:
    """Holds the boards of a run, and judges its individuals."""

    def __init__(self) -> None:
        self.judge: _native.Judge | None = None
        self.told = self.remembers = -1

    def ready(self) -> None:
        """Is there."""

    def work(self, told: int, brief: Held, generation: int, memory: Held, genomes: list[str]) -> list[str]:
        """Judges some individuals of a generation. What is in lists is fetched only where it is new."""
        if self.judge is None:
            self.judge = _native.Judge(ray.get(brief[0]))
        elif self.told != told:
            self.judge.update(ray.get(brief[0]))
        self.told = told
        if self.remembers != generation:
            self.judge.remember(ray.get(memory[0]))
            self.remembers = generation
        return self.judge.judge(genomes)


class Judges:
    """As many judges as the cluster has CPUs: those that die are replaced, and what they were at is done by others."""

    def __init__(self) -> None:
        self.judges: set[ray.actor.ActorHandle[Any]] = set()
        self.idle: list[ray.actor.ActorHandle[Any]] = []
        # What each judge is at: the place of its first individual and the individuals; None while it comes to be.
        self.running: dict[ray.ObjectRef[Any], tuple[ray.actor.ActorHandle[Any], tuple[int, list[str]] | None]] = {}
        self.looked = 0.0
        self.told = self.generation = -1
        self.brief: ray.ObjectRef[str] | None = None

    def fit(self) -> None:
        """Has as many judges as there are CPUs."""
        if self.judges and time.monotonic() - self.looked < runner.LOOK_EVERY:
            return
        self.looked = time.monotonic()
        for _ in range(runner.cpus() - len(self.judges)):
            # mypy does not see that the decorator makes an actor of the class.
            judge = _Judge.remote()  # type: ignore[attr-defined]
            self.judges.add(judge)
            self.running[judge.ready.remote()] = (judge, None)

    def __call__(self, brief: str | None, memory: str, genomes: list[str]) -> list[str]:
        """The judgements of a generation, in the order of its individuals."""
        self.generation += 1
        if brief is not None:
            self.told, self.brief = self.generation, ray.put(brief)
        remembered = ray.put(memory)
        self.fit()
        size = max(1, len(genomes) // (PIECES * len(self.judges)))
        left = deque((at, genomes[at : at + size]) for at in range(0, len(genomes), size))
        judgements: dict[int, list[str]] = {}
        missing = len(left)
        while missing:
            self.fit()
            while left and self.idle:
                judge, piece = self.idle.pop(), left.popleft()
                begun: ray.ObjectRef[list[str]] = judge.work.remote(
                    self.told, [self.brief], self.generation, [remembered], piece[1]
                )
                self.running[begun] = (judge, piece)
            for ref in runner.finished(list(self.running)):
                judge, given = self.running.pop(ref)
                try:
                    done = runner.result(ref)
                except runner.LOST:
                    self.judges.discard(judge)
                    self.looked = 0.0
                    if given is not None:
                        left.append(given)
                    continue
                self.idle.append(judge)
                if given is not None:
                    judgements[given[0]] = done
                    missing -= 1
        return [one for at in sorted(judgements) for one in judgements[at]]


def main(words: list[str], address: str | None = None, seeds: str | None = None) -> int:
    """Breeds as ``clearway evolve`` does."""
    if seeds is not None:
        return many.main(words, many.seeds_of(seeds), address)
    with runner.cluster(address, words):
        return _native.spread_evolve(words, Judges())
