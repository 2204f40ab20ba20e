"""The example notebooks run from top to bottom, without the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import snellen

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NO_NETWORK = """
import socket

def refuse(*arguments, **options):
    raise AssertionError("a notebook asked for the network")

socket.create_connection = socket.getaddrinfo = refuse
"""


def code(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [one for one in cells if one["cell_type"] == "code"]


def test_there_is_a_notebook_for_each_kind_of_subject() -> None:
    assert [one.stem for one in NOTEBOOKS] == ["camera_lidar", "classifier", "detector"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda one: one.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    """They would be out of date with the next change, and make every difference unreadable."""
    for cell in code(path):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(one, marks=() if one.stem == "detector" else pytest.mark.thorough)
        for one in NOTEBOOKS
    ],
    ids=lambda one: one.stem,
)
def test_a_notebook_runs_and_finds_a_fault(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    if path.stem == "camera_lidar":
        pytest.importorskip("pypatchworkpp")
    monkeypatch.setenv("PYTHONPATH", str(Path(snellen.__file__).parents[1]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    book = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(NO_NETWORK))
    book.cells.append(nbformat.v4.new_code_cell("assert run.faults and run.summary.failing_cases"))
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=240, resources=resources).execute()
    outputs = [one for cell in book.cells for one in cell.get("outputs", [])]
    shown = [one.data for one in outputs if one.output_type in ("execute_result", "display_data")]
    assert any("image/png" in one for one in shown), "a picture of a finding"
    assert sum("text/html" in one for one in shown) >= 3, "values are shown as HTML"
    assert not [one for one in outputs if one.output_type == "stream" and "Warning" in one.text]
