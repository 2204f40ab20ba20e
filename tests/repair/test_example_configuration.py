"""examples/repair.yml runs as it is, with what it says has to be beside it; made small here."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.errors import SnellenError
from snellen.starter.fetch import fetch

torch.set_num_threads(1)

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "repair.yml"
# Objects may be enlarged more than by default: the three training scenes have few large ones.
SMALL = {
    "subject.size": 160, "scenes.limit": 12, "robustness.tests_per_level": 4,
    "robustness.levels": "[0, 1]", "robustness.per_scene": 2,
    "robustness.score": 0.3, "robustness.as_published": "true", "robustness.cover": 0.6,
    "robustness.controls": 0, "robustness.size_ratio": "[0.9, 1.0]", "robustness.enlarged": 9,
    "training.epochs": 1, "training.steps": 1, "training.batch": 2, "engine.workers": 0,
}  # fmt: skip


@pytest.fixture
def beside(tmp_path: Path, shared: Callable[[str], Path]) -> Path:
    """A folder with the example and all that it names."""
    try:
        network = fetch(["yolov4-tiny"])["yolov4-tiny"]
    except SnellenError as error:
        pytest.skip(f"YOLOv4-tiny cannot be fetched: {error}")
    for name in ("yolov4-tiny.cfg", "yolov4-tiny.weights", "coco.names"):
        (tmp_path / name).symlink_to(network / name)
    (tmp_path / "coco").symlink_to(shared("coco_val64"), target_is_directory=True)
    shutil.copy(EXAMPLE, tmp_path)
    return tmp_path


@pytest.mark.thorough
def test_the_example_runs_and_compares_its_three_ways(
    beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(beside / "cache"))
    changed = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    reported = CliRunner().invoke(
        app, ["repair", str(beside / "repair.yml"), *changed], catch_exceptions=False
    )
    assert reported.exit_code == 0, reported.output
    folder = beside / "repairs" / "yolov4-tiny"
    found = json.loads((folder / "outcome.json").read_text())
    assert found["scenes"] == {"train": 6, "repair": 3, "evaluate": 3}
    assert [one["name"] for one in found["ways"]] == ["more-training", "failing", "synthetic"]
    for one in found["ways"]:
        assert one["failure_rate"]["before"]["cases"] == found["held_out_test"]["cases"] > 0
        assert one["clean_ap"] is not None
        assert (folder / one["subject"]).exists()
    assert (folder / "repair.html").stat().st_size > 10_000
