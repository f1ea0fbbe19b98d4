"""The table of many runs: what papers need."""

from __future__ import annotations

import csv
import io
import math
import statistics
from pathlib import Path
from typing import Any

from clearway._native import write_file

CONFIDENCE = 0.95


def interval(values: list[float], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """An interval for the median from the order of the values alone, and the probability that it holds it.

    The narrowest that is symmetric and reaches the confidence, by the binomial distribution; of fewer than six values
    the whole range, which does not.

    >>> interval([3, 1, 2, 5, 4, 6])
    (1, 6, 0.96875)
    >>> interval(list(range(1, 21)))[:2]
    (6, 15)
    """
    ordered, count = sorted(values), len(values)
    below, outside = 0, math.comb(count, 0) / 2**count
    # The probability that the median lies below the value of that place.
    while True:
        more = outside + math.comb(count, below + 1) / 2**count
        if 2 * more > 1 - confidence or below + 1 > (count - 1) // 2:
            break
        below, outside = below + 1, more
    return ordered[below], ordered[count - 1 - below], max(0.0, 1 - 2 * outside)


def row_of(result: dict[str, Any]) -> dict[str, Any]:
    """The row of a run."""
    row: dict[str, Any] = {"seed": result["seed"], "generations": result["generations"], "seconds": result["seconds"]}
    training = result["training"] or {}
    row["training: nodes %"] = training.get("percent")
    if validation := result.get("validation"):
        row["validation: nodes %"] = validation["percent"]
        row["validation: length/optimum"] = validation["length_ratio"]
    for test in result["tests"]:
        ours = next(column for column in test["columns"] if column["name"] == "GP")
        name = test["boards"]
        row[f"{name}: nodes %"] = ours["nodes_percent"]
        row[f"{name}: of totals %"] = ours["total_percent"]
        row[f"{name}: length/optimum"] = ours["length_ratio"]
        row[f"{name}: solved"] = ours["solved"]
    return row


def summary_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The median, the quartiles and an interval for the median of every measure."""
    summary = []
    for measure in rows[0]:
        values = [row[measure] for row in rows if row.get(measure) is not None]
        if measure == "seed" or not values:
            continue
        low, high, coverage = interval(values)
        first, median, third = statistics.quantiles(values, method="inclusive") if len(values) > 1 else values * 3
        summary.append(
            {
                "measure": measure,
                "runs": len(values),
                "median": median,
                "first quartile": first,
                "third quartile": third,
                "low": low,
                "high": high,
                "coverage": coverage,
            }
        )
    return summary


def write(results: list[dict[str, Any]], folder: Path) -> str:
    """Writes the tables of runs in all formats into a folder; gives the text for people."""
    rows = [row_of(result) for result in results]
    summary = summary_of(rows)
    coverage = min((line["coverage"] for line in summary), default=0.0)
    shown = [{**line, "coverage": f"{100 * line['coverage']:.1f} %"} for line in summary]
    text = (
        f"{_markdown(rows)}\n{_markdown(shown)}\n"
        f"From low to high is an interval for the median, by the order of the runs and the binomial distribution: "
        f"{100 * CONFIDENCE:.0f} % were asked for, and {100 * coverage:.1f} % are reached.\n"
    )
    write_file(folder / "table.md", text.encode())
    for name, lines in (("table", rows), ("summary", summary)):
        write_file(folder / f"{name}.csv", _csv(lines).encode())
        write_file(folder / f"{name}.parquet", _parquet(lines))
    return text


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _markdown(rows: list[dict[str, Any]]) -> str:
    """A table that is aligned as text as well."""
    names = list(rows[0])
    lines = [names, *([_cell(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    text = ["| " + " | ".join(cells) + " |" for cells in padded]
    text.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(text) + "\n"


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return out.getvalue()
