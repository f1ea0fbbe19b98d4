"""Packs and comparisons on a cluster."""

from __future__ import annotations

import csv
import re

import pytest

from clearway.cluster import runner

PACK = ["--size", "5", "--count", "40", "--from", "4", "--to", "9", "--seed", "7"]


def test_the_pack_equals_that_of_the_command(spread, alone, here):
    alone("forge", "pack", *PACK, "--out", "alone.jsonl", "--out", "alone.csv")
    assert spread("pack", *PACK, "--out", "spread.jsonl", "--out", "spread.csv") == 0
    for ending in ("jsonl", "csv"):
        assert (here / f"spread.{ending}").read_bytes() == (here / f"alone.{ending}").read_bytes()


def test_the_progress_within_a_round_is_shown(spread, here, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr(runner.Progress, "show", lambda self, done, more="": shown.append(more))
    assert spread("pack", *PACK, "--out", "spread.jsonl") == 0
    numbers = [re.fullmatch(r", (\d+) attempts \((\d+) of (\d+) of this round\)", more) for more in shown]
    assert None not in numbers
    progress = [(int(match[1]), int(match[2]), int(match[3])) for match in numbers]
    assert progress == sorted(progress, key=lambda some: some[0])
    assert any(0 < made < size for _, made, size in progress) and any(made == size for _, made, size in progress)


def test_an_interrupted_pack_continues(spread, alone, here, monkeypatch, capfd):
    writes = runner.Folder.write
    names: list[str] = []

    def interrupt_after_three(self, name, data):
        if len(names) == 3:
            raise KeyboardInterrupt
        names.append(name)
        writes(self, name, data)

    monkeypatch.setattr(runner.Folder, "write", interrupt_after_three)
    assert spread("pack", *PACK, "--out", "spread.jsonl") == 130
    kept = len(list((here / "spread.jsonl.parts").glob("attempts-*")))
    assert kept > 0
    names[:] = ["none"] * 100
    assert spread("pack", *PACK, "--out", "spread.jsonl") == 0
    alone("forge", "pack", *PACK, "--out", "alone.jsonl")
    assert (here / "spread.jsonl").read_bytes() == (here / "alone.jsonl").read_bytes()
    capfd.readouterr()
    assert spread("pack", *PACK, "--patience", "9", "--out", "spread.jsonl") == 3
    assert "it was made with other settings" in capfd.readouterr().err


def test_an_incomplete_pack_gives_the_messages_of_the_command(spread, alone, here, capfd):
    words = ["--size", "4", "--count", "5", "--from", "30", "--to", "40", "--patience", "40", "--json"]
    printed = alone("forge", "pack", *words, "--out", "alone.jsonl", code=5)
    capfd.readouterr()
    assert spread("pack", *words, "--out", "spread.jsonl") == 5
    output = capfd.readouterr()
    assert output.out.replace("spread", "alone").endswith(printed)
    assert "found only 0 of 5 puzzles" in output.err


@pytest.fixture
def boards(alone, here) -> str:
    """A file with a few boards."""
    lines = alone("convert", "--suite", "cards", "--to", "line").splitlines()[:7]
    (here / "boards.txt").write_text("\n".join([*lines, "4x3:...BAA.B...."]) + "\n")
    (here / "own.policy").write_text("IF h1 >= 3 THEN 2*h1\nDEFAULT h1\n")
    return "boards.txt"


def untimed(text: str) -> list[dict[str, str]]:
    """Returns the rows of a table without times."""
    rows = csv.DictReader(text.splitlines())
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def test_the_comparison_equals_that_of_the_command_except_for_times(spread, alone, here, boards, capfd):
    words = [boards, "-A", "bfs", "-A", "ida(h1, prune, increment=5)", "-A", "wastar(policy=own.policy)", "-A", "exact"]
    words += ["--node-limit", "2000"]
    alone("compare", *words, "--csv", "alone.csv", code=5)
    assert spread("compare", *words, "--csv", "spread.csv", "--html", "page.html") == 5
    assert untimed((here / "spread.csv").read_text()) == untimed((here / "alone.csv").read_text())
    assert (here / "page.html").read_text().endswith("</html>\n")
    # All runs are done, so none is repeated.
    capfd.readouterr()
    assert spread("compare", *words, "--csv", "spread.csv") == 5
    assert "8 of 8 boards are already done" in capfd.readouterr().err
    (here / "own.policy").write_text("DEFAULT h1\n")
    assert spread("compare", *words, "--csv", "spread.csv") == 3
    assert "it was made with other settings" in capfd.readouterr().err
