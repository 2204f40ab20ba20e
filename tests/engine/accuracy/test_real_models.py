"""Real detectors on real photographs: their AP, and what a wrong reading is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.accuracy.annotated_sample import annotated_sample
from snellen.engine.accuracy.measured_accuracy import measured_accuracy, sample_detections
from snellen.engine.accuracy.reading_search import ReadingSearch, search_readings
from snellen.scenes.registry import open_scenes
from snellen.subjects.registry import open_subject
from tests.subjects.coco_reference import Photographs

Shared = Callable[[str], Path]
MODELS: dict[str, dict[str, Any]] = {
    "yolox": {"kind": "onnx", "model": "yolox_nano.onnx"},
    "nanodet": {"kind": "onnx", "model": "nanodet.onnx"},
    "ssd": {"kind": "tflite", "model": "ssd_mobilenet.tflite", "labels": "ssd_mobilenet.txt"},
}


def opened(shared: Shared, model: str, **options: Any) -> tuple[Any, Any]:
    """The subject, and the 64 photographs as a sample for it."""
    subject = open_subject({**MODELS[model], **options}, shared("detectors"))
    folder = shared("coco_val64")
    values = {"kind": "coco", "annotations": "instances.json", "images": "images"}
    scenes = open_scenes(values, folder, skip_invalid=False, where="scenes")
    return subject, annotated_sample(scenes, subject.classes, 64)


def searched(shared: Shared, model: str, **options: Any) -> ReadingSearch:
    subject, sample = opened(shared, model, **options)
    return search_readings(subject, sample, np.random.default_rng(1), lambda *_: None)


def test_the_ap_of_a_real_detector_is_pycocotools(shared: Shared) -> None:
    subject, sample = opened(shared, "nanodet")
    found = sample_detections(subject, sample, lambda *_: None)
    accuracy = measured_accuracy(found, sample, np.random.default_rng(1))
    photographs = Photographs(shared("coco_val64"))
    golden, _ = photographs.precision(found, sample.classes)
    assert accuracy.ap.value == pytest.approx(golden, abs=1e-6)
    assert accuracy.ap.low < golden < accuracy.ap.high
    assert (accuracy.scenes, accuracy.objects) == (64, 439)


@pytest.mark.thorough
@pytest.mark.parametrize("model", MODELS)
def test_real_models_read_right_get_no_suggestion(shared: Shared, model: str) -> None:
    assert searched(shared, model).suggestion is None


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("model", "mistake", "remedy"),
    [
        ("yolox", {"channels": "rgb"}, {"channels": "bgr"}),
        ("yolox", {"scale": 1 / 255}, {"scale": 1.0}),
        ("yolox", {"cell_offset": 0.5}, {"cell_offset": 0.0}),
        ("nanodet", {"channels": "rgb"}, {"channels": "bgr"}),
        ("nanodet", {"letterbox": "stretch"}, {"letterbox": "centre"}),
        ("nanodet", {"cell_offset": 0.0}, {"cell_offset": 0.5}),
        ("ssd", {"channels": "bgr"}, {"channels": "rgb"}),
    ],
)
def test_real_models_read_wrong_are_told_how(
    shared: Shared, model: str, mistake: dict[str, Any], remedy: dict[str, Any]
) -> None:
    found = searched(shared, model, **mistake).suggestion
    assert found is not None
    assert found.options == remedy
