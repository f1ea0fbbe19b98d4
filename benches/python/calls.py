"""Time of a single call of ``clearway.solve``, beside the same call through the command, on the forty cards.

For the results in docs/RESULTS.md: ``python benches/python/calls.py``, with the package installed from a release build.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import clearway
from clearway import solving

REPETITIONS = 50


def through_the_command(board: clearway.Board) -> object:
    """Solves a board as ``solve`` did before it had a way without the command."""
    ((board, record),) = solving._solve([board], None, {"metric": "moves"})
    return solving._answer(board, record)


def milliseconds(function: Callable[[clearway.Board], object], boards: list[clearway.Board]) -> list[float]:
    """Returns for each board the time of its fastest call, which other programs disturb least."""
    times: list[list[float]] = [[] for _ in boards]
    for _ in range(REPETITIONS):
        for index, board in enumerate(boards):
            start = time.perf_counter()
            function(board)
            times[index].append(1000 * (time.perf_counter() - start))
    return [min(some) for some in times]


def main() -> None:
    cards = clearway.suite("cards")
    easiest = [clearway.Board("4x3:AA..........")]
    print("| call | a board of one move | median of the cards | slowest card |")
    print("| --- | --- | --- | --- |")
    for name, function in {
        "`solve(board)`": clearway.solve,
        "the same through the command": through_the_command,
        "search alone, as `answer.seconds` states it": None,
    }.items():
        if function is None:
            one = [1000 * min(clearway.solve(board).seconds for _ in range(REPETITIONS)) for board in easiest]
            all_cards = [1000 * min(clearway.solve(board).seconds for _ in range(REPETITIONS)) for board in cards]
        else:
            one, all_cards = milliseconds(function, easiest), milliseconds(function, cards)
        print(f"| {name} | {one[0]:.3f} ms | {median(all_cards):.3f} ms | {max(all_cards):.2f} ms |")


if __name__ == "__main__":
    main()
