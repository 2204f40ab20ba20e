"""A real detector, as ONNX and as a torch module: the same verdicts; heat maps and passes work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError
from snellen.starter.fetch import fetch
from tests.methods.robustness.generated_runs import cases_of, instances, rows

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def network() -> dict[str, str]:
    try:
        folder = fetch(["yolov4-tiny"])["yolov4-tiny"]
    except SnellenError as error:
        pytest.skip(f"YOLOv4-tiny cannot be fetched: {error}")
    return {
        "cfg": str(folder / "yolov4-tiny.cfg"),
        "weights": str(folder / "yolov4-tiny.weights"),
        "names": str(folder / "coco.names"),
    }


@pytest.fixture
def run(
    shared: Callable[[str], Path],
    network: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Campaign]:
    images, train = shared("coco_val64"), shared("coco_train128")
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))

    def call(subject: dict[str, Any], **options: Any) -> Campaign:
        campaign = campaign_from(
            {
                "method": "robustness",
                "subject": {**network, "score": 0.3, **subject},
                "scenes": {
                    "kind": "coco",
                    "annotations": str(images / "instances.json"),
                    "images": str(images / "images"),
                    "limit": 1,
                },
                "objects": {
                    "kind": "coco",
                    "annotations": str(train / "instances_train2017.json"),
                    "images": str(train / "images"),
                    "limit": 12,
                },
                "robustness": {"per_scene": 1, "tests_per_level": 2, "variety": 1, **options},
                "engine": {"workers": 0, "cache": False},
                "out": subject["kind"],
            },
            tmp_path / "c.yaml",
        )
        run_campaign(campaign)
        return campaign

    return call


def test_a_torch_module_is_judged_as_the_same_network_in_onnx(run: Callable[..., Campaign]) -> None:
    pytest.importorskip("torch")
    same = {"contour": "box", "uncertainty": "none"}
    ours, theirs = run({"kind": "darknet"}, **same), run({"kind": "torch"}, **same)
    for one, other in zip(cases_of(ours), cases_of(theirs), strict=True):
        assert one["recipe"] == other["recipe"]
        assert one["status"] == other["status"]
        assert one["iou"] == pytest.approx(other["iou"], abs=0.01)
    assert len(cases_of(ours)) == 10


def test_gradients_and_dropout_tell_contour_and_uncertainty(run: Callable[..., Campaign]) -> None:
    pytest.importorskip("torch")
    campaign = run({"kind": "torch", "dropout": {"rate": 0.1}}, passes=4)
    assert rows(campaign, "SELECT count(*) FROM errors") == [(0,)]
    [note] = instances(campaign)
    assert note["contour"] == "grad-cam"
    assert note["contour_wanted"]
    assert note["heat"]
    assert note["uncertainty"]["found"] > 0
    x1, y1, x2, y2 = note["box"]
    inside = [(x1 <= x <= x2) and (y1 <= y <= y2) for x, y in note["points"]]
    assert sum(inside) > len(inside) / 2, "what speaks for an object is mostly within its box"
