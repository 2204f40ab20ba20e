"""AP on real photographs: YOLOX-nano's boxes, and masks as real segmenters' are sized.

The masks are those of the 64 photographs' own instances, eroded, dilated or shifted by a few
pixels, some left out, some copied to another photograph's place as phantoms.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F32, Bools
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.precision.average_precision import coco_summary, evaluate
from tests.vision.coco_evaluators import PEERS, peer_evaluation
from tests.vision.small_predictions import annotations_of, detections_of

Find = Callable[[str], Path]
INPUT = 416


@dataclass(frozen=True)
class Photographs:
    paths: list[Path]
    truths: list[Annotations]
    sizes: list[tuple[int, int]]
    classes: int


@pytest.fixture(scope="module")
def photographs(shared: Find) -> Photographs:
    folder = shared("coco_val64")
    data = json.loads((folder / "instances.json").read_text())
    label = {one["id"]: k for k, one in enumerate(data["categories"])}
    truths, sizes = [], []
    for image in data["images"]:
        size = image["height"], image["width"]
        mine = [one for one in data["annotations"] if one["image_id"] == image["id"]]
        boxes = np.array([one["bbox"] for one in mine], dtype=np.float64).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        truths.append(
            annotations_of(
                boxes,
                [label[one["category_id"]] for one in mine],
                masks=Masks.from_coco([one["segmentation"] for one in mine], size),
                crowd=[one["iscrowd"] for one in mine],
                areas=[one["area"] for one in mine],
            )
        )
        sizes.append(size)
    paths = [folder / "images" / image["file_name"] for image in data["images"]]
    return Photographs(paths, truths, sizes, len(label))


@pytest.fixture(scope="module")
def boxes_found(shared: Find, photographs: Photographs) -> list[Detections]:
    onnxruntime = pytest.importorskip("onnxruntime")
    model = shared("detectors/yolox_nano.onnx")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
    return [detect(session, path) for path in photographs.paths]


def detect(session: object, path: Path) -> Detections:
    """YOLOX as its authors run it: padded with 114, BGR 0-255, NMS at 0.45 within a class."""
    image = cv2.imread(str(path))
    assert image is not None
    ratio = min(INPUT / image.shape[0], INPUT / image.shape[1])
    small = cv2.resize(image, (int(image.shape[1] * ratio), int(image.shape[0] * ratio)))
    padded = np.full((INPUT, INPUT, 3), 114, np.uint8)
    padded[: small.shape[0], : small.shape[1]] = small
    feed = padded.transpose(2, 0, 1)[None].astype(np.float32)
    name = session.get_inputs()[0].name  # type: ignore[attr-defined]
    raw = session.run(None, {name: feed})[0][0]  # type: ignore[attr-defined]
    boxes, scores = decoded(raw)
    rows, labels = np.nonzero(scores > 0.01)
    best = cv2.dnn.NMSBoxesBatched(
        np.hstack([boxes[rows, :2], boxes[rows, 2:] - boxes[rows, :2]]).tolist(),
        scores[rows, labels].tolist(),
        labels.tolist(),
        0.01,
        0.45,
    )
    kept = np.asarray(best, dtype=np.int64).reshape(-1)
    return detections_of(boxes[rows[kept]] / ratio, labels[kept], scores[rows, labels][kept])


def decoded(
    raw: F32,
) -> tuple[F32, F32]:
    cells, strides = [], []
    for stride in (8, 16, 32):
        side = INPUT // stride
        y, x = np.mgrid[:side, :side]
        cells.append(np.stack([x, y], -1).reshape(-1, 2))
        strides.append(np.full((side * side, 1), stride))
    stride_of = np.concatenate(strides)
    centre = (raw[:, :2] + np.concatenate(cells)) * stride_of
    half = np.exp(raw[:, 2:4]) * stride_of / 2
    return np.hstack([centre - half, centre + half]), raw[:, 4:5] * raw[:, 5:]


def masks_found(photographs: Photographs) -> list[Detections]:
    rng = np.random.default_rng(1)
    answers = []
    for truth, size in zip(photographs.truths, photographs.sizes, strict=True):
        assert truth.masks is not None
        masks, labels = [], []
        for mask, label in zip(truth.masks.to_array(), truth.labels, strict=True):
            if rng.random() < 0.15:
                continue
            masks.append(_disturbed(mask, rng))
            labels.append(label if rng.random() < 0.9 else rng.integers(photographs.classes))
            if rng.random() < 0.3:  # a phantom: the mask elsewhere
                masks.append(np.roll(mask, (int(rng.integers(40, 200)), 60), (0, 1)))
                labels.append(label)
        runs = Masks.from_array(np.array(masks).reshape(-1, *size))
        scores = np.round(rng.random(len(labels)), 2)
        answers.append(detections_of(runs.boxes(), labels, scores, runs))
    return answers


def _disturbed(mask: Bools, rng: np.random.Generator) -> Bools:
    kernel = np.ones((3, 3), np.uint8)
    change = cv2.erode if rng.random() < 0.5 else cv2.dilate
    out = change(mask.astype(np.uint8), kernel, iterations=int(rng.integers(0, 4)))
    shift = tuple(int(step) for step in rng.integers(-4, 5, 2))
    return np.asarray(np.roll(out, shift, (0, 1)), dtype=bool)


@pytest.mark.parametrize("peer", PEERS)
def test_yolox_nanos_boxes_get_the_ap_of_cocos_tools(
    peer: str, photographs: Photographs, boxes_found: list[Detections]
) -> None:
    ours = evaluate(boxes_found, photographs.truths, classes=photographs.classes)
    precision, recall, twelve = peer_evaluation(
        peer, boxes_found, photographs.truths, classes=photographs.classes
    )
    np.testing.assert_allclose(ours.precision, precision, atol=1e-6)
    np.testing.assert_allclose(ours.recall, recall, atol=1e-6)
    np.testing.assert_allclose(list(coco_summary(ours).values()), twelve, atol=1e-6)
    assert 0.25 < ours.value() < 0.6  # a working detector, so that the agreement is meaningful


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [1, 0, 3, 2]], ids=["x0 x1 y0 y1", "y x"])
def test_swapped_axes_ruin_a_working_detector(
    order: list[int], photographs: Photographs, boxes_found: list[Detections]
) -> None:
    right = evaluate(boxes_found, photographs.truths, classes=photographs.classes).value()
    swapped = [Detections(one.boxes[:, order], one.labels, one.scores) for one in boxes_found]
    wrong = evaluate(swapped, photographs.truths, classes=photographs.classes).value()
    assert wrong < right / 2


@pytest.mark.parametrize("peer", PEERS)
def test_real_masks_get_the_ap_of_cocos_tools(peer: str, photographs: Photographs) -> None:
    answers = masks_found(photographs)
    ours = evaluate(answers, photographs.truths, classes=photographs.classes, masks=True)
    precision, recall, twelve = peer_evaluation(
        peer,
        answers,
        photographs.truths,
        classes=photographs.classes,
        masks=True,
        size=photographs.sizes,
    )
    np.testing.assert_allclose(ours.precision, precision, atol=1e-6)
    np.testing.assert_allclose(ours.recall, recall, atol=1e-6)
    np.testing.assert_allclose(list(coco_summary(ours).values()), twelve, atol=1e-6)
    assert 0.2 < ours.value() < 0.9
