"""Comparing algorithms."""

from pathlib import Path
from typing import Any

import pandas
import pytest

import clearway
from program import records

CARD = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


def timeless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def test_rows_equal_those_of_the_command_and_fill_a_table() -> None:
    algorithms = ["bfs", "astar(blockers)", "ida(h1, prune, increment=5)"]
    received: list[dict[str, Any]] = []
    rows = clearway.compare(clearway.suite("it3105"), algorithms, on_run=received.append)
    assert received == rows
    line = [f"--algorithm={algorithm}" for algorithm in algorithms]
    assert timeless(rows) == timeless(records("compare", "--suite=it3105", *line))
    assert timeless(rows) == timeless(clearway.compare(suite="it3105", algorithms=algorithms, threads=1))
    table = pandas.DataFrame(rows)
    assert len(table) == 18 and (table.status == "solved").all()
    by = table.groupby("algorithm").expanded.sum()
    assert by["astar(blockers)"] < by["bfs"]
    best = table[table.algorithm != algorithms[2]]
    assert (best.moves == best.optimum).all()


def test_limits_are_recorded_and_files_are_written(tmp_path: Path) -> None:
    files = {"csv": tmp_path / "runs.csv", "html": tmp_path / "page.html", "resume": tmp_path / "runs.log"}
    rows = clearway.compare([CARD], ["bfs", "id"], node_limit=100, **files)
    assert [row["limit"] for row in rows] == ["nodes", "nodes"]
    assert len(pandas.read_csv(files["csv"])) == 2 and "<html" in files["html"].read_text()
    assert clearway.compare([CARD], ["bfs", "id"], node_limit=100, resume=files["resume"]) == rows


def test_no_boards_give_no_rows() -> None:
    assert clearway.compare([], ["bfs"]) == []


def test_a_callback_that_raises_stops_the_comparison() -> None:
    def stop(row: dict[str, Any]) -> None:
        raise ArithmeticError(row["algorithm"])

    with pytest.raises(ArithmeticError, match="bfs"):
        clearway.compare(clearway.suite("train-8x8"), ["bfs", "id"], threads=1, on_run=stop)
