"""The notebook reproduces its outputs."""

import re
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebook.ipynb"


def texts(notebook: Any) -> list[str]:
    """Returns the text output of all cells, without times."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    # Warnings of libraries depend on the machine.
    outputs = [output for output in outputs if output.get("name") != "stderr"]
    found = [output.text if "text" in output else output.data["text/plain"] for output in outputs]
    return [re.sub(r"seconds=[\d.e-]+", "seconds=some", text) for text in found]


def test_the_notebook_reproduces_its_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
    stored = nbformat.read(NOTEBOOK, 4)
    again = nbformat.read(NOTEBOOK, 4)
    # Generous timeouts for a busy machine: the whole notebook takes seconds.
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(again, timeout=1200, startup_timeout=600, resources=resources)
    client.execute()
    assert texts(again) == texts(stored)
    pictures = [output.data for cell in again.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("image/png" in data for data in pictures) == 2
    assert sum("image/svg+xml" in data for data in pictures) == 4


def test_the_notebook_is_small() -> None:
    assert NOTEBOOK.stat().st_size < 200_000
