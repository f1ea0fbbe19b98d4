"""The table of many runs, with medians and confidence intervals, as papers report them."""

from __future__ import annotations

import csv
import io
import math
import statistics
from pathlib import Path
from typing import Any

from clearway._native import write_file

CONFIDENCE = 0.95


def median_interval(values: list[float], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Returns a confidence interval for the median (low, high), and the probability that it contains the median.

    Makes no assumption about the distribution: the ends are order statistics, chosen by the binomial distribution. The
    interval is the narrowest symmetric one that reaches the confidence. With the default confidence and fewer than six
    values there is none, and the whole range is returned.

    >>> median_interval([3, 1, 2, 5, 4, 6])
    (1, 6, 0.96875)
    >>> median_interval(list(range(1, 21)))[:2]
    (6, 15)
    """
    ordered, count = sorted(values), len(values)
    below, outside = 0, math.comb(count, 0) / 2**count
    # `outside` is the probability that the median lies below the value at the index `below`.
    while True:
        more = outside + math.comb(count, below + 1) / 2**count
        if 2 * more > 1 - confidence or below + 1 > (count - 1) // 2:
            break
        below, outside = below + 1, more
    return ordered[below], ordered[count - 1 - below], max(0.0, 1 - 2 * outside)


def make_row(result: dict[str, Any]) -> dict[str, Any]:
    """Returns the row of a run."""
    row: dict[str, Any] = {"seed": result["seed"], "generations": result["generations"], "seconds": result["seconds"]}
    training = result["training"] or {}
    row["training: nodes %"] = training.get("percent")
    if validation := result.get("validation"):
        row["validation: nodes %"] = validation["percent"]
        row["validation: length/optimum"] = validation["length_ratio"]
    for test in result["tests"]:
        champion = next(column for column in test["columns"] if column["name"] == "GP")
        name = test["boards"]
        row[f"{name}: nodes %"] = champion["nodes_percent"]
        row[f"{name}: of totals %"] = champion["total_percent"]
        row[f"{name}: length/optimum"] = champion["length_ratio"]
        row[f"{name}: solved"] = champion["solved"]
    return row


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the median, the quartiles and a confidence interval for the median, for every measure."""
    summary = []
    for measure in rows[0]:
        values = [row[measure] for row in rows if row.get(measure) is not None]
        if measure == "seed" or not values:
            continue
        low, high, coverage = median_interval(values)
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
    """Writes the tables of runs into a folder in all formats; returns the Markdown text."""
    rows = [make_row(result) for result in results]
    summary = summarise(rows)
    coverage = min((line["coverage"] for line in summary), default=0.0)
    shown = [{**line, "coverage": f"{100 * line['coverage']:.1f} %"} for line in summary]
    text = (
        f"{_markdown(rows)}\n{_markdown(shown)}\n"
        f"low and high are the ends of a confidence interval for the median, by order statistics: "
        f"requested confidence {100 * CONFIDENCE:.0f} %, reached {100 * coverage:.1f} %.\n"
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
    """Formats rows as a Markdown table with aligned columns."""
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
