"""The commands of some pages, run from top to bottom in a folder that has what they name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from tests.documentation.blocks import ROOT, Block, blocks, commands_in
from tests.processes import Done, finished
from tests.subjects.decoders.encodings import Known, yolov8
from tests.subjects.model_file.model_graphs import constant_model

SHORTER = {"--minutes": ("--questions", "4")}
"""Options of a page in place of which a test takes others, so that it ends soon."""
FOUND = Known(np.array([[10.0, 20, 50, 60]]), np.array([1]), np.array([0.8]), (64, 96), classes=3)


def photograph(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(3).integers(0, 256, (400, 600, 3), dtype=np.uint8)
    PIL.Image.fromarray(pixels).save(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the pages name."""
    for name in ("street.jpg", "street.png", "street-in-fog.png", "val/images/a.jpg"):
        photograph(tmp_path / name)
    cut = np.full((105, 120, 4), 200, dtype=np.uint8)
    PIL.Image.fromarray(cut).save(tmp_path / "bus.png")
    names = {"names": "{0: 'a', 1: 'b', 2: 'c'}"}
    constant_model(tmp_path / "model.onnx", (1, 3, 64, 96), yolov8(FOUND), names)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[[list[str]], Done]:
    environment = {**os.environ, "SNELLEN_CACHE": str(folder / "cache")}
    return lambda words: finished(["snellen", *words], folder, environment)


def shorter(words: list[str]) -> list[str]:
    """The words of a command with options that make it end soon."""
    found = list(words)
    for option, others in SHORTER.items():
        if option in found:
            place = found.index(option)
            found[place : place + 2] = others
    return found


def of(page: str) -> list[Block]:
    return [one for one in blocks() if one.page == page]


@pytest.mark.parametrize(
    ("page", "written"),
    [
        ("docs/index.md", ["exam/scorecard.html", "exam/scorecard.json"]),
        ("docs/how-to/exam.md", ["exam/scorecard.html", "exam/scorecard.json"]),
        ("docs/how-to/corrupt.md", ["case.png"]),
        ("docs/how-to/cover.md", ["rows.csv"]),
        ("docs/how-to/explain.md", ["examples/runs/insertion/report.html"]),
        ("docs/how-to/insert-by-hand.md", ["case.png"]),
        ("docs/how-to/requirement-files.md", ["person.yaml"]),
        ("docs/explanation/visual-change.md", []),
    ],
)
def test_the_commands_of_a_page_run(
    page: str, written: list[str], folder: Path, run: Callable[[list[str]], Done]
) -> None:
    lines = [words for block in of(page) for words in commands_in(block)]
    assert lines
    for words in lines:
        done = run(shorter(words))
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    assert [name for name in written if not (folder / name).is_file()] == []


def test_the_python_of_the_page_on_corruptions_runs() -> None:
    [block] = [one for one in of("docs/how-to/corrupt.md") if one.language == "python"]
    image = np.full((64, 64, 3), 90, dtype=np.uint8)
    names = {"image": image}
    exec(compile(block.text, block.place, "exec"), names)
    assert names["case"].shape == names["third"].shape == image.shape
