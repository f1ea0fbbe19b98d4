"""Evolving policies on a cluster: a run whose individuals all machines evaluate, or a whole run for each seed."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import ray

from clearway import _native
from clearway.cluster import runner
from clearway.cluster import seeds as seed_runs

# A reference to a text in the object store. It is in a list because Ray resolves direct arguments, but not nested ones.
Stored = list["ray.ObjectRef[str]"]

# Batches of a generation per evaluator: several, because the cost of policies varies.
BATCHES_PER_EVALUATOR = 8


@ray.remote(num_cpus=1, max_restarts=0)
class _Evaluator:
    """Holds the boards of a run, and evaluates its individuals."""

    def __init__(self) -> None:
        self.evaluator: _native.Evaluator | None = None
        # The generations that the brief and the memory are from.
        self.brief_version = self.memory_version = -1

    def ready(self) -> None:
        """Does nothing; the call returns once the actor has started."""

    def evaluate(
        self, brief_version: int, brief: Stored, generation: int, memory: Stored, genomes: list[str]
    ) -> list[str]:
        """Evaluates some individuals of a generation; fetches the brief and the memory only if they are new."""
        if self.evaluator is None:
            self.evaluator = _native.Evaluator(ray.get(brief[0]))
        elif self.brief_version != brief_version:
            self.evaluator.update(ray.get(brief[0]))
        self.brief_version = brief_version
        if self.memory_version != generation:
            self.evaluator.set_memory(ray.get(memory[0]))
            self.memory_version = generation
        return self.evaluator.evaluate(genomes)


class Evaluators:
    """One evaluator per CPU of the cluster; those that fail are replaced, and others evaluate their individuals."""

    def __init__(self) -> None:
        self.evaluators: set[ray.actor.ActorHandle[Any]] = set()
        self.idle: list[ray.actor.ActorHandle[Any]] = []
        # The batch of each busy evaluator: the index of its first individual, and the individuals; None at its start.
        self.running: dict[ray.ObjectRef[Any], tuple[ray.actor.ActorHandle[Any], tuple[int, list[str]] | None]] = {}
        self.resized = 0.0
        self.brief_version = self.generation = -1
        self.brief: ray.ObjectRef[str] | None = None

    def resize(self) -> None:
        """Starts evaluators for CPUs that have none."""
        if self.evaluators and time.monotonic() - self.resized < runner.RESIZE_INTERVAL:
            return
        self.resized = time.monotonic()
        for _ in range(runner.cpus() - len(self.evaluators)):
            # mypy does not know that the decorator turns the class into an actor.
            evaluator = _Evaluator.remote()  # type: ignore[attr-defined]
            self.evaluators.add(evaluator)
            self.running[evaluator.ready.remote()] = (evaluator, None)

    def __call__(self, brief: str | None, memory: str, genomes: list[str]) -> list[str]:
        """Evaluates a generation; returns the fitness values in the order of its individuals."""
        self.generation += 1
        runner.head.check_node()
        if brief is not None:
            self.brief_version, self.brief = self.generation, ray.put(brief)
        stored_memory = ray.put(memory)
        self.resize()
        size = max(1, len(genomes) // (BATCHES_PER_EVALUATOR * len(self.evaluators)))
        waiting = deque((first, genomes[first : first + size]) for first in range(0, len(genomes), size))
        fitnesses: dict[int, list[str]] = {}
        missing = len(waiting)
        while missing:
            self.resize()
            while waiting and self.idle:
                evaluator, next_batch = self.idle.pop(), waiting.popleft()
                submitted: ray.ObjectRef[list[str]] = evaluator.evaluate.remote(
                    self.brief_version, [self.brief], self.generation, [stored_memory], next_batch[1]
                )
                self.running[submitted] = (evaluator, next_batch)
            for ref in runner.wait_for_finished(list(self.running)):
                evaluator, batch = self.running.pop(ref)
                try:
                    result = runner.result(ref)
                except runner.LOST_TASK_ERRORS:
                    self.evaluators.discard(evaluator)
                    self.resized = 0.0
                    if batch is not None:
                        waiting.append(batch)
                    continue
                self.idle.append(evaluator)
                if batch is not None:
                    fitnesses[batch[0]] = result
                    missing -= 1
        return [fitness for first in sorted(fitnesses) for fitness in fitnesses[first]]


def main(args: list[str], address: str | None = None, seeds: str | None = None) -> int:
    """Runs ``clearway evolve`` on a cluster; returns the exit code."""
    if seeds is not None:
        return seed_runs.main(args, seed_runs.parse_seeds(seeds), address)
    with runner.cluster(address, args):
        return _native.distributed_evolve(args, Evaluators())
