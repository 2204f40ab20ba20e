"""YOLOv4-tiny from its Darknet files, trained on real photographs and read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from snellen.configuration import parse
from snellen.errors import UserError
from snellen.repair.training.options import NO_AUGMENTATION, TrainingOptions
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_loop import TrainingResult, train
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.starter.fetch import fetch
from snellen.subjects.darknet.torch_network.detector import DarknetDetector
from snellen.subjects.darknet.torch_network.loader import open_darknet_detector
from snellen.subjects.torch_models.options import TorchOptions
from tests.repair.training.small_detectors import state_of

torch.set_num_threads(1)

SIZE = (160, 160)


@pytest.fixture(scope="module")
def weights() -> Path:
    """The folder of YOLOv4-tiny, or a skip that says why."""
    try:
        return fetch(["yolov4-tiny"])["yolov4-tiny"]
    except UserError as error:
        pytest.skip(f"the starter pack cannot be fetched: {error}")


@pytest.fixture(scope="module")
def photographs(shared: Callable[[str], Path]) -> SceneSet:
    """Eight annotated photographs of COCO."""
    folder = shared("coco_train128")
    found = open_scenes(
        {"kind": "coco", "annotations": "instances_train2017.json", "images": "images"}, folder
    )
    known = [one for one in found if one.annotations is not None and len(one.annotations) > 1]
    return SceneSet(tuple(known[:8]), found.classes, found.class_ids)


def opened(folder: Path, **changed: Any) -> DarknetDetector:
    values = {
        "kind": "torch", "cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights",
        "names": "coco.names", "size": SIZE, **changed,
    }  # fmt: skip
    return open_darknet_detector(parse(TorchOptions, values, "subject"), folder)[0]


@pytest.fixture(scope="module")
def tuned(
    weights: Path, photographs: SceneSet, tmp_path_factory: pytest.TempPathFactory
) -> tuple[DarknetDetector, TrainingResult]:
    """The detector after eight steps on the same four photographs."""
    detector = opened(weights)
    options = TrainingOptions(
        epochs=2, steps=4, batch=4, rate=1e-3, freeze="backbone", keep="last", patience=None,
        workers=1, device="cpu", measure_ap=True, mix=0.0, augmentation=NO_AUGMENTATION,
    )  # fmt: skip
    parts = (
        SceneSet(tuple(half), photographs.classes) for half in (photographs[:4], photographs[4:])
    )
    taught, judged = parts
    folder = tmp_path_factory.mktemp("training")
    data = TrainingData(taught, validation=judged)
    return detector, train(detector, data, options, np.random.default_rng(1), folder=folder)


def test_the_loss_on_photographs_falls(tuned: tuple[DarknetDetector, TrainingResult]) -> None:
    parts = tuned[1].curves.losses
    assert set(parts) == {"box", "objectness", "classes"}
    losses = np.sum([[value for _, value in own] for own in parts.values()], axis=0)
    assert losses[-1] < 0.8 * losses[0]
    aps = [value for _, value in tuned[1].curves.epochs["validation AP"]]
    assert len(aps) == 3
    assert all(0 < value < 1 for value in aps)


def test_the_backbone_of_a_darknet_network_can_be_frozen(
    tuned: tuple[DarknetDetector, TrainingResult], weights: Path
) -> None:
    before, after = state_of(opened(weights)), state_of(tuned[0])
    changed = {name.split(".")[0] for name in before if not torch.equal(before[name], after[name])}
    frozen = {name.split(".")[0] for name in tuned[0].backbone}
    assert changed
    assert not changed & frozen
    assert {name.split(".")[0] for name in tuned[0].heads} <= changed


def test_what_was_learnt_is_read_back_from_darknet_files(
    tuned: tuple[DarknetDetector, TrainingResult], photographs: SceneSet, tmp_path: Path
) -> None:
    subject = tuned[0].save(tmp_path)
    again = open_darknet_detector(parse(TorchOptions, {**subject, "kind": "torch"}, "s"), tmp_path)
    batch = torch.rand(2, 3, *SIZE, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        for one, other in zip(tuned[0].outputs(batch), again[0].outputs(batch), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
