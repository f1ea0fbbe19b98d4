"""Generating puzzles."""

from pathlib import Path

import pytest

import clearway
from clearway import Puzzle
from program import records


def check(puzzle: Puzzle) -> None:
    """Checks the properties of a puzzle against the solver."""
    answer = clearway.solve(puzzle.board)
    assert answer.moves == puzzle.moves and puzzle.board.verify(*answer.solution)
    if puzzle.solution is not None:
        assert puzzle.board.verify(*puzzle.solution) and len(puzzle.solution) == puzzle.moves
    if puzzle.states is not None:
        assert clearway.analyze(puzzle.board).states == puzzle.states


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("pack", {"count": 6, "from_": 4, "to": 9, "seed": 7}),
        ("pack", {"count": 3, "size": (5, 4), "walls": 1, "from_": 3, "to": 5, "exit": "top"}),
        ("backward", {"count": 3, "from_": 8, "to": 14, "seed": 2}),
        ("random", {"count": 40, "cars": 6, "trucks": 2, "seed": 3}),
        ("climb", {"size": 5, "evaluations": 300, "count": 2, "seed": 4}),
    ],
)
def test_puzzles_have_the_stated_properties(method: str, options: dict[str, object]) -> None:
    received: list[Puzzle] = []
    puzzles = clearway.generate(method, **options, on_puzzle=received.append)
    assert received == puzzles and puzzles
    for puzzle in puzzles:
        check(puzzle)
        assert puzzle._repr_svg_().startswith("<svg")
    assert clearway.generate(method, **options, threads=1) == puzzles


def test_puzzles_equal_those_of_the_command() -> None:
    expected = records("forge", "pack", "--count=3", "--from=4", "--to=6", "--size=5", "--seed=3")
    puzzles = clearway.generate(count=3, from_=4, to=6, size=5, seed=3)
    assert [puzzle.record for puzzle in puzzles] == expected


def test_packs_are_written_to_files(tmp_path: Path) -> None:
    files = [tmp_path / "pack.jsonl", tmp_path / "cards.pdf"]
    assert clearway.generate(count=2, size=5, from_=4, to=5, out=files) == []
    assert len(clearway.read(files[0])) == 2 and files[1].read_bytes().startswith(b"%PDF")


def test_a_number_of_puzzles_of_each_level_is_generated() -> None:
    puzzles = clearway.generate(quota={"intermediate": 1, "beginner": 2}, seed=7)
    assert [puzzle.grade for puzzle in puzzles] == ["beginner", "beginner", "intermediate"]
    puzzles = clearway.generate(level="beginner", count=2, seed=7)
    assert [puzzle.grade for puzzle in puzzles] == ["beginner", "beginner"]


def test_climbing_starts_from_the_given_boards() -> None:
    start = clearway.Board("BB..CD..ECDAAEFGGH.F..HII")
    (best,) = clearway.generate("climb", size=5, evaluations=200, from_=[start], seed=1)
    assert best.moves >= clearway.solve(start).moves


def test_a_callback_that_raises_stops_the_work() -> None:
    def stop(puzzle: Puzzle) -> None:
        raise StopIteration(puzzle.moves)

    with pytest.raises(StopIteration):
        clearway.generate("random", count=100_000_000, on_puzzle=stop)


def test_all_shards_together_are_the_catalogue(tmp_path: Path) -> None:
    whole = clearway.enumerate_shard(size=5, min_moves=12)
    assert len(whole) == 90 and whole == sorted(whole, key=lambda puzzle: -puzzle.moves)
    for puzzle in whole[:10]:
        check(puzzle)
    logs = [tmp_path / f"{shard}.log" for shard in (1, 2)]
    shards = [clearway.enumerate_shard(shard, 2, size=5, min_moves=12, resume=log) for shard, log in enumerate(logs, 1)]
    assert {puzzle.board for puzzles in shards for puzzle in puzzles} == {puzzle.board for puzzle in whole}
    assert sum(map(len, shards)) == len(whole)
    table = tmp_path / "all.parquet"
    assert clearway.enumerate_shard(size=5, min_moves=12, resume=logs, out=table) == []
    assert table.read_bytes().startswith(b"PAR1")
