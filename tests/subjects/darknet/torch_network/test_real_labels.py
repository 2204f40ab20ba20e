"""The loss on real photographs: the outputs of YOLOv4-tiny agree with their labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from snellen.subjects.registry import open_subject
from snellen.subjects.torch_models.trainable_detector import Targets

COUNT = 4


@pytest.fixture(scope="module")
def labelled(shared: Callable[[str], Path]) -> list[tuple[Any, Any, Any]]:
    """(image, boxes xyxy in its pixels, labels) of some photographs of COCO."""
    folder = shared("coco_train128")
    known = json.loads((folder / "instances_train2017.json").read_text(encoding="utf-8"))
    ids = sorted(one["id"] for one in known["categories"])
    found = []
    for image in known["images"][:COUNT]:
        pixels = np.asarray(Image.open(folder / "images" / image["file_name"]).convert("RGB"))
        own = [one for one in known["annotations"] if one["image_id"] == image["id"]]
        boxes = np.array([one["bbox"] for one in own], dtype=np.float32).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        found.append((pixels, boxes, [ids.index(one["category_id"]) for one in own]))
    return found


def test_labels_of_the_image_itself_cost_far_less_than_those_of_another(
    yolov4_tiny: Path, labelled: Any
) -> None:
    values = {"kind": "torch", "cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights"}
    subject: Any = open_subject(values, yolov4_tiny)
    frames = [subject._letterbox(image) for image, _, _ in labelled]
    batch = subject._tensor([image for image, _, _ in labelled], frames)
    targets = []
    for (_, boxes, labels), frame in zip(labelled, frames, strict=True):
        inside = torch.from_numpy(frame.to_network(boxes))
        ones = torch.ones(len(labels))
        targets.append(Targets(inside, torch.tensor(labels), ones, torch.zeros(0, 4)))
    with torch.no_grad():
        outputs = subject.detector.outputs(batch)
        own = subject.detector.loss(outputs, targets)
        other = subject.detector.loss(outputs, [*targets[1:], targets[0]])
    assert sum(own.values()) < 0.4 * sum(other.values())
    assert all(own[part] < other[part] for part in own)
