"""`snellen thresholds` as a user has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from snellen.errors import UserError
from snellen.methods.requirements.commands.thresholds import thresholds
from tests.methods.human.simulated_answers import falling, write_bins, write_boxes

app = typer.Typer()
app.command()(thresholds)
EDGES = np.round(np.arange(1, 101) / 100, 2)


def asked(*words: object) -> str:
    result = CliRunner().invoke(app, [*map(str, words), "--replicates", "20"])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def bins(tmp_path: Path) -> Path:
    right = np.rint(60 * falling(EDGES, 0.6))
    return write_bins(tmp_path / "human_c_p_frost.csv", right, np.full(100, 60.0), EDGES)


@pytest.mark.parametrize("procedure", ["icraf", "decompovision"])
def test_json_has_the_threshold_its_interval_and_what_it_rests_on(
    bins: Path, procedure: str
) -> None:
    found: dict[str, Any] = json.loads(asked(bins, "--procedure", procedure, "--json"))
    assert found["low"] <= found["threshold"] <= found["high"]
    assert found["threshold"] == pytest.approx(0.6, abs=0.05)
    assert found["limited_by_data"] is False
    assert (found["procedure"], found["p0"], found["measure"]) == (
        procedure,
        0.97,
        "vifvec(sigma_nsq=0.4)",
    )
    assert "not with vifp" in found["measure_note"]
    assert found["p0_from"] == "unchanged ImageNet images, as published"
    assert found["bins"][0].keys() >= {"delta_v", "share", "answers", "p_value"}
    assert len(found["source"]["sha256"]) == 64


def test_as_published_is_two_bins_more_permissive(bins: Path) -> None:
    stepped, published = (
        json.loads(asked(bins, *more, "--json"))["threshold"] for more in ([], ["--as-published"])
    )
    assert published - stepped == pytest.approx(0.02)


@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_the_plot_shows_every_bin_and_the_threshold(bins: Path, suffix: str) -> None:
    path = bins.parent / f"plot{suffix}"
    assert f"plot: {path}" in asked(bins, "--plot", path)
    text = path.read_text()
    assert text.count("<circle") == 100
    assert text.count('class="threshold"') == 1
    assert "frost, correctness" in text
    if suffix == ".svg":
        assert ElementTree.fromstring(text.split("\n", 1)[1]).tag.endswith("svg")


def test_a_plot_of_another_kind_is_refused(bins: Path) -> None:
    with pytest.raises(UserError, match=r"use \.svg or \.html"):
        asked(bins, "--plot", "plot.gif")


def test_boxes_give_subtasks_composed_and_direct(tmp_path: Path) -> None:
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(5), 0.7, 2.0, 0.4)
    words = [path, "--procedure", "decompovision", "--task", "segmentation", "--label", "person"]
    found = json.loads(asked(*words, "--kind", "correctness", "--json"))
    assert list(found["subtasks"]) == ["localise", "classify", "segment"]
    parts = [one["threshold"] for one in found["subtasks"].values()]
    assert found["threshold"] == min(parts) == pytest.approx(0.4)
    assert found["direct"]["threshold"] == pytest.approx(0.4)
    assert [one["what"] for one in found["subtasks"]["localise"]["curves"]] == [
        "precision",
        "recall",
    ]
    printed = asked(*words, "--kind", "correctness")
    assert "whole task, estimated directly: 0.40" in printed


def test_boxes_refuse_the_procedure_for_single_answers(tmp_path: Path) -> None:
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(5), 2.0, 2.0, 2.0)
    with pytest.raises(UserError, match="need --procedure decompovision"):
        asked(path, "--procedure", "icraf")
    assert "frost, correctness" in asked(path)


def test_a_folder_gives_all_of_its_transformations(shared: Callable[[str], Path]) -> None:
    folder = shared("human/icraf_imagenet_bins")
    found = json.loads(asked(folder, "--kind", "correctness", "--as-published", "--json"))
    values = {one["transformation"]: one["threshold"] for one in found["thresholds"]}
    assert len(values) == 8
    assert values["frost"] == pytest.approx(0.84, abs=0.011)
    only = json.loads(asked(folder, "--transformation", "rgb", "--kind", "correctness", "--json"))
    assert only["limited_by_data"] is True
    assert "no significant drop up to 0.83" in only["told"]
