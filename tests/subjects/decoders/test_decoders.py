"""Boxes encoded as in each family of networks are decoded to the original boxes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.subjects.decoders.outputs import DecoderSettings as Given
from snellen.subjects.decoders.outputs import Outputs
from snellen.subjects.decoders.registry import ALIASES, DECODERS, chosen_decoder
from snellen.subjects.decoders.ssd_anchors import ssd_anchors
from snellen.subjects.model_file.preprocessing import IMAGENET
from snellen.subjects.registry import open_subject
from tests.subjects.decoders import encodings
from tests.subjects.decoders.encodings import Known
from tests.subjects.model_file.model_graphs import constant_model

BOXES = {
    (240, 400): np.array([[20, 30, 130, 120], [210, 100, 330, 222], [300, 10, 390, 100.5]]),
    (400, 300): np.array([[20, 30, 130, 120], [160, 200, 290, 322], [30, 250, 140, 390.5]]),
}
LABELS = np.array([0, 17, 79])
SCORES = np.array([0.9, 0.75, 0.4])

# encoding, the decoder that must be inferred, network size, options not in the model
TABLE: list[tuple[Any, str, tuple[int, int], dict[str, Any]]] = [
    (encodings.yolox, "yolox", (416, 416), {}),
    (encodings.yolox, "yolox", (256, 416), {}),
    (encodings.yolox_decoded, "yolox-decoded", (416, 416), {}),
    (encodings.yolov5, "yolov5", (320, 320), {}),
    (encodings.yolov5, "yolov5", (256, 320), {}),
    (encodings.yolov8, "yolov8", (320, 320), {}),
    (encodings.yolov8, "yolov8", (320, 256), {}),
    (encodings.yolov8_in_shares, "yolov8", (320, 320), {}),
    (encodings.yolov8_in_shares, "yolov8", (320, 256), {}),
    (encodings.nanodet, "nanodet", (320, 320), {}),
    (encodings.nanodet_split, "nanodet", (320, 320), {}),
    (encodings.nanodet_plus, "nanodet-plus", (416, 416), {}),
    (encodings.detr, "detr", (320, 384), {}),
    (encodings.detr_with_states, "detr", (320, 384), {}),
    (encodings.rt_detr, "rt-detr", (320, 320), {}),
    (encodings.rt_detr_joined, "rt-detr", (320, 320), {}),
    (encodings.plain, "plain", (320, 384), {"classes": "coco-80"}),
    (encodings.plain_unnamed, "plain", (320, 384), {"classes": "coco-80"}),
    (encodings.with_scores_in_boxes, "rtmdet-finished", (320, 384), {"classes": "coco-80"}),
    (encodings.picodet, "picodet", (320, 320), {}),
    (encodings.picodet, "picodet", (256, 416), {}),
    (encodings.rtmdet, "rtmdet", (320, 320), {}),
    (encodings.rtmdet, "rtmdet", (256, 320), {}),
    (encodings.rtmdet_channels_last, "rtmdet", (320, 256), {}),
    (encodings.efficientdet, "efficientdet", (320, 320), {}),
    (encodings.efficientdet, "efficientdet", (256, 384), {}),
    (encodings.yolo_nas, "yolo-nas", (320, 320), {}),
    (encodings.yolo_nas_finished, "yolo-nas-finished", (320, 320), {"classes": "coco-80"}),
    (encodings.yolo_nas_flat, "yolo-nas-flat", (320, 320), {"classes": "coco-80"}),
    (encodings.paddle_decoded, "paddle-decoded", (320, 320), {}),
    (encodings.paddle_finished, "paddle-finished", (320, 320), {"classes": "coco-80"}),
    (encodings.rt_detr_finished, "rt-detr-finished", (320, 384), {"classes": "coco-80"}),
    (encodings.end_to_end, "end-to-end", (320, 320), {"classes": "coco-80"}),
    (encodings.ssd_finished, "ssd-finished", (300, 300), {"classes": "coco-80"}),
    (encodings.ssd_finished_second_order, "ssd-finished", (300, 300), {"classes": "coco-80"}),
    (encodings.ssd_finished_named, "ssd-finished", (300, 300), {"classes": "coco-80"}),
    (
        lambda known: encodings.ssd(known, ssd_anchors((300, 300))),
        "ssd",
        (300, 300),
        {"classes": "coco-80"},
    ),
]


def into_network(boxes: Any, image: tuple[int, int], size: tuple[int, int], fit: str) -> Any:
    """Boxes in network pixels, by arithmetic independent of Snellen's."""
    (tall, wide), (height, width) = image, size
    if fit == "stretch":
        return boxes * np.array([width / wide, height / tall] * 2)
    ratio = min(height / tall, width / wide)
    whole = math.floor if fit == "corner" else round
    inner_wide, inner_tall = whole(wide * ratio), whole(tall * ratio)
    left = (width - inner_wide) // 2 if fit == "centre" else 0
    top = (height - inner_tall) // 2 if fit == "centre" else 0
    steps = np.array([inner_wide / wide, inner_tall / tall] * 2)
    return boxes * steps + np.array([left, top, left, top])


@pytest.mark.parametrize("fit", ["corner", "centre", "stretch"])
@pytest.mark.parametrize("image", list(BOXES))
@pytest.mark.parametrize(("encode", "name", "size", "options"), TABLE)
def test_known_boxes_come_back_from_every_family_of_outputs(
    tmp_path: Path,
    encode: Any,
    name: str,
    size: tuple[int, int],
    options: dict[str, Any],
    image: tuple[int, int],
    fit: str,
) -> None:
    boxes = into_network(BOXES[image], image, size, fit)
    outputs = encode(Known(boxes, LABELS, SCORES, size))
    constant_model(tmp_path / "model.onnx", [1, 3, *size], outputs)
    values = {"kind": "onnx", "model": "model.onnx", "letterbox": fit, **options}
    subject = open_subject(values, tmp_path)
    assert subject.reader.decoder.name == name  # type: ignore[attr-defined]
    [found] = subject.predict([np.zeros((*image, 3), dtype=np.uint8)])
    np.testing.assert_array_equal(found.labels, LABELS)  # type: ignore[union-attr]
    np.testing.assert_allclose(found.scores, SCORES, atol=1e-5)
    np.testing.assert_allclose(found.boxes, BOXES[image], atol=0.02)  # type: ignore[union-attr]


@pytest.mark.parametrize("fit", ["corner", "centre", "stretch"])
@pytest.mark.parametrize(
    ("encode", "name", "options"),
    [
        (encodings.yolov8_seg, "yolov8-seg", {}),
        (encodings.yolov8_seg_channels_last, "yolov8-seg", {}),
        (encodings.yolov5_seg, "yolov5-seg", {}),
        (encodings.plain_seg, "plain-seg", {"classes": "coco-80"}),
    ],
)
def test_known_masks_come_back_in_image_pixels(
    tmp_path: Path, encode: Any, name: str, options: dict[str, Any], fit: str
) -> None:
    image, size = (240, 400), (320, 320)
    boxes = into_network(BOXES[image], image, size, fit)
    outputs = encode(Known(boxes, LABELS, SCORES, size))
    constant_model(tmp_path / "model.onnx", [1, 3, *size], outputs)
    values = {"kind": "onnx", "model": "model.onnx", "letterbox": fit, **options}
    subject = open_subject(values, tmp_path)
    assert subject.reader.decoder.name == name  # type: ignore[attr-defined]
    assert subject.task == "segmentation"
    [found] = subject.predict([np.zeros((*image, 3), dtype=np.uint8)])
    masks = found.masks.to_array()  # type: ignore[union-attr]
    assert masks.shape == (3, *image)
    for mask, box in zip(masks, BOXES[image], strict=True):
        x1, y1, x2, y2 = np.round(box).astype(int)
        left_half = np.zeros(image, dtype=bool)
        left_half[y1:y2, x1 : (x1 + x2) // 2] = True
        overlap = (mask & left_half).sum() / (mask | left_half).sum()
        assert overlap > 0.9
        assert not mask[: y1 - 1].any()
        assert not mask[:, x2 + 1 :].any()


def test_torch_ordered_ssd_reads_x_before_y(tmp_path: Path) -> None:
    size = (300, 300)
    boxes = into_network(BOXES[240, 400], (240, 400), size, "stretch")
    outputs = encodings.ssd(Known(boxes, LABELS, SCORES, size), ssd_anchors(size))
    encoded, logits = outputs.values()
    swapped = [1, 0, 3, 2]
    np.save(tmp_path / "anchors.npy", ssd_anchors(size)[:, swapped])
    parts = {"boxes": encoded[..., swapped], "scores": 1 / (1 + np.exp(-logits))}
    constant_model(tmp_path / "model.onnx", [1, 3, *size], parts)
    values = {"kind": "onnx", "model": "model.onnx", "decoder": "ssd-xywh"}
    values |= {"anchors": "anchors.npy", "classes": "coco-80"}
    [found] = open_subject(values, tmp_path).predict([np.zeros((240, 400, 3), dtype=np.uint8)])
    np.testing.assert_allclose(found.boxes, BOXES[240, 400], atol=0.02)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("encode", "second"),
    [
        (encodings.yolox, lambda out: (out["output"][0], 5)),
        (encodings.yolov5, lambda out: (out["output0"][0], 5)),
        (encodings.yolov8, lambda out: (out["output0"][0].T, 4)),
        (encodings.nanodet, lambda out: (out["output"][0], 0)),
    ],
)
def test_a_box_has_its_best_class_alone_unless_told_otherwise(
    tmp_path: Path, encode: Any, second: Any
) -> None:
    size = (320, 320)
    boxes = into_network(BOXES[240, 400][:1], (240, 400), size, "stretch")
    outputs = encode(Known(boxes, LABELS[:1], SCORES[:1], size))
    rows, first = second(outputs)
    best = rows[:, first].argmax()
    rows[best, first + 5] = rows[best, first] / 2
    constant_model(tmp_path / "model.onnx", [1, 3, *size], outputs)
    values = {"kind": "onnx", "model": "model.onnx", "letterbox": "stretch"}
    image = np.zeros((240, 400, 3), dtype=np.uint8)
    [one] = open_subject(values, tmp_path).predict([image])
    [both] = open_subject({**values, "per_class": True}, tmp_path).predict([image])
    assert one.labels.tolist() == [0]  # type: ignore[union-attr]
    assert both.labels.tolist() == [0, 5]  # type: ignore[union-attr]
    np.testing.assert_allclose(both.scores, [0.9, 0.45], atol=1e-5)
    np.testing.assert_array_equal(both.boxes[0], both.boxes[1])  # type: ignore[union-attr]


def test_anchors_of_the_wrong_number_are_refused(tmp_path: Path) -> None:
    outputs = {
        "boxes": np.zeros((1, 500, 4), np.float32),
        "scores": np.zeros((1, 500, 5), np.float32),
    }
    constant_model(tmp_path / "model.onnx", [1, 3, 300, 300], outputs)
    with pytest.raises(UserError, match=r"anchors: found 1917 anchors, but .* 500 rows"):
        open_subject({"kind": "onnx", "model": "model.onnx", "decoder": "ssd"}, tmp_path)


def test_unknown_outputs_are_listed_with_the_decoders_to_choose_from(tmp_path: Path) -> None:
    outputs = {"heat": np.zeros((1, 7, 13, 11), np.float32), "flow": np.zeros((1, 3), np.float32)}
    constant_model(tmp_path / "odd.onnx", [1, 3, 96, 96], outputs)
    with pytest.raises(UserError) as caught:
        open_subject({"kind": "onnx", "model": "odd.onnx"}, tmp_path)
    message = str(caught.value)
    assert "odd.onnx" in message
    assert "heat [1, 7, 13, 11]" in message
    assert "flow [1, 3]" in message
    assert all(decoder.name in message for decoder in DECODERS)


def test_a_decoder_that_does_not_fit_the_outputs_is_refused(tmp_path: Path) -> None:
    heat = np.zeros((1, 7, 13, 11), np.float32)
    constant_model(tmp_path / "odd.onnx", [1, 3, 96, 96], {"heat": heat})
    for decoder in DECODERS:
        with pytest.raises(UserError, match=r"odd\.onnx"):
            open_subject({"kind": "onnx", "model": "odd.onnx", "decoder": decoder.name}, tmp_path)


def test_a_misspelt_decoder_names_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'yolox'"):
        chosen_decoder("yolxo", Outputs((), ()), Given((64, 64)), "model.onnx")


def test_every_decoder_has_its_own_name() -> None:
    names = [decoder.name for decoder in DECODERS]
    assert len(set(names)) == len(names)


def test_picodet_is_not_taken_for_nanodet_plus(tmp_path: Path) -> None:
    """Four levels with classes and distributions apart: RGB, ImageNet's range, cell centres."""
    size = (320, 320)
    boxes = into_network(BOXES[240, 400], (240, 400), size, "stretch")
    outputs = encodings.picodet(Known(boxes, LABELS, SCORES, size))
    constant_model(tmp_path / "model.onnx", [1, 3, *size], outputs)
    values = {"kind": "onnx", "model": "model.onnx"}
    reader: Any = open_subject(values, tmp_path).reader  # type: ignore[attr-defined]
    assert reader.decoder.name == "picodet"
    assert reader.preprocessing == IMAGENET
    assert (reader.preprocessing.channels, reader.preprocessing.fit) == ("rgb", "stretch")
    image = np.zeros((240, 400, 3), dtype=np.uint8)
    [right] = open_subject(values, tmp_path).predict([image])
    [wrong] = open_subject({**values, "decoder": "nanodet-plus"}, tmp_path).predict([image])
    np.testing.assert_allclose(right.boxes, BOXES[240, 400], atol=0.02)  # type: ignore[union-attr]
    half_a_cell = np.array([16 * 400 / 320, 16 * 240 / 320] * 2)
    np.testing.assert_allclose(
        wrong.boxes,  # type: ignore[union-attr]
        np.clip(BOXES[240, 400] - half_a_cell, 0, None),
        atol=0.02,
    )


def test_the_cell_offset_moves_boxes_by_a_share_of_a_cell(tmp_path: Path) -> None:
    size = (320, 320)
    boxes = np.array([[60.0, 70, 200, 220]])
    outputs = encodings.picodet(Known(boxes, LABELS[:1], SCORES[:1], size))
    constant_model(tmp_path / "model.onnx", [1, 3, *size], outputs)
    values = {"kind": "onnx", "model": "model.onnx", "cell_offset": 0.25}
    moved: Any = open_subject(values, tmp_path)
    same = open_subject({**values, "cell_offset": 0.5}, tmp_path)
    plain = open_subject({"kind": "onnx", "model": "model.onnx"}, tmp_path)
    [found] = moved.predict([np.zeros((*size, 3), dtype=np.uint8)])
    np.testing.assert_allclose(found.boxes, boxes - 8, atol=0.02)
    assert moved.fingerprint != plain.fingerprint == same.fingerprint


def test_a_cell_offset_without_cells_is_refused(tmp_path: Path) -> None:
    outputs = encodings.yolov8(
        Known(np.array([[1.0, 2, 30, 40]]), LABELS[:1], SCORES[:1], (64, 96))
    )
    constant_model(tmp_path / "model.onnx", [1, 3, 64, 96], outputs)
    with pytest.raises(UserError, match=r"cell_offset: found 0.5, .*'yolov8' are not relative"):
        open_subject({"kind": "onnx", "model": "model.onnx", "cell_offset": 0.5}, tmp_path)


def test_networks_with_the_same_outputs_have_other_names_too() -> None:
    names = {decoder.name for decoder in DECODERS}
    assert not names & set(ALIASES)
    for alias, name in ALIASES.items():
        assert chosen_decoder(alias, Outputs((), ()), Given((64, 64)), "model.onnx").name == name


def test_efficientdet_lite_with_post_processing_has_cocos_own_ids_from_zero(tmp_path: Path) -> None:
    size = (320, 320)
    known = Known(np.array([[20.0, 30, 130, 120]]), np.array([89]), SCORES[:1], size, classes=90)
    constant_model(
        tmp_path / "model.onnx", [1, 3, *size], encodings.ssd_finished_second_order(known)
    )
    values = {"kind": "onnx", "model": "model.onnx", "classes": "coco-91", "first_label": 0}
    subject: Any = open_subject(values, tmp_path)
    [found] = subject.predict([np.zeros((*size, 3), dtype=np.uint8)])
    assert [subject.classes[label] for label in found.labels] == ["toothbrush"]


def test_raw_efficientdet_of_90_classes_has_cocos_names(tmp_path: Path) -> None:
    size = (320, 320)
    known = Known(np.array([[20.0, 30, 130, 120]]), np.array([89]), SCORES[:1], size, classes=90)
    constant_model(tmp_path / "model.onnx", [1, 3, *size], encodings.efficientdet(known))
    subject: Any = open_subject({"kind": "onnx", "model": "model.onnx"}, tmp_path)
    [found] = subject.predict([np.zeros((*size, 3), dtype=np.uint8)])
    assert [subject.classes[label] for label in found.labels] == ["toothbrush"]
    np.testing.assert_allclose(found.boxes, known.boxes, atol=0.02)
