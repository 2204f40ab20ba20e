"""The TensorFlow Lite adapter on real models."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from snellen.errors import MissingExtraError, UserError
from snellen.subjects.decoders import ssd
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.ssd_anchors import ssd_anchors
from snellen.subjects.model_file.coco_names import COCO_80
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject
from snellen.subjects.tflite import TfliteNetwork, read_metadata
from tests.subjects.coco_reference import Photographs

pytest.importorskip("ai_edge_litert", reason="the extra 'tflite' is not installed")

Find = Callable[[str], Path]


@pytest.fixture(scope="module")
def photographs(shared: Find) -> Photographs:
    return Photographs(shared("coco_val64"))


def ssd_mobilenet(shared: Find, **options: Any) -> Subject:
    folder = shared("detectors/ssd_mobilenet.tflite").parent
    values = {"kind": "tflite", "model": "ssd_mobilenet.tflite", "labels": "ssd_mobilenet.txt"}
    return open_subject({**values, **options}, folder)


def yolov8_seg(shared: Find, **options: Any) -> Subject:
    path = shared("segmenters/yolov8n-seg_int8.tflite")
    return open_subject({"kind": "tflite", "model": path.name, **options}, path.parent)


# Golden AP (0.50:0.95, 0.50) on the 64 photographs (the first 32 for the slow segmenter): an
# independent script (LiteRT, OpenCV's resize and suppression, scores from 0.05), scored by
# pycocotools 2.0.11.
SSD_BOXES = (0.2415, 0.3678)
YOLOV8_IMAGES = 32
YOLOV8_BOXES = (0.3718, 0.5750)
YOLOV8_MASKS = (0.3642, 0.5604)


def test_ssd_mobilenet_reaches_its_average_precision(
    shared: Find, photographs: Photographs
) -> None:
    subject = ssd_mobilenet(shared)
    answers = subject.predict(photographs.pixels)
    assert subject.reader.decoder.name == "ssd-finished"  # type: ignore[attr-defined]
    assert subject.classes == COCO_80
    found = photographs.precision(answers, subject.classes)
    np.testing.assert_allclose(found, SSD_BOXES, atol=0.01)


def test_yolov8_reaches_its_average_precision_in_boxes_and_masks(shared: Find) -> None:
    photographs = Photographs(shared("coco_val64"), YOLOV8_IMAGES)
    subject = yolov8_seg(shared)
    answers = subject.predict(photographs.pixels)
    assert subject.reader.decoder.name == "yolov8-seg"  # type: ignore[attr-defined]
    assert subject.task == "segmentation"
    boxes = photographs.precision(answers, subject.classes)
    masks = photographs.precision(answers, subject.classes, "segm")
    np.testing.assert_allclose(boxes, YOLOV8_BOXES, atol=0.01)
    np.testing.assert_allclose(masks, YOLOV8_MASKS, atol=0.01)


def test_answers_repeat_and_do_not_depend_on_company(
    shared: Find, photographs: Photographs
) -> None:
    subject = ssd_mobilenet(shared)
    assert list(subject.predict([])) == []
    together = subject.predict(photographs.pixels[:3])
    alone = [subject.predict([pixels])[0] for pixels in photographs.pixels[:3]]
    assert list(together) == alone


@pytest.mark.filterwarnings("ignore:.*preserve_all_tensors")
def test_raw_ssd_outputs_give_the_models_own_finished_boxes(
    shared: Find, photographs: Photographs
) -> None:
    """The network's inner tensors, decoded with our anchors, against its last operator."""
    from ai_edge_litert.interpreter import Interpreter

    path = shared("detectors/ssd_mobilenet.tflite")
    network = Interpreter(str(path), experimental_preserve_all_tensors=True)
    network.allocate_tensors()
    inner = {one["name"]: one for one in network.get_tensor_details()}
    anchors, step = real(network, inner["anchors"]), inner["anchors"]["quantization"][0]
    np.testing.assert_allclose(ssd_anchors((300, 300)), anchors, atol=step / 2 + 1e-6)
    known = DecoderSettings((300, 300), 0.3, anchors=anchors)
    subject: Any = ssd_mobilenet(shared)
    for pixels in photographs.pixels[:4]:
        shown = subject.reader.preprocessing.pixels(pixels, subject.reader.letterbox(pixels))
        network.set_tensor(network.get_input_details()[0]["index"], shown[None])
        network.invoke()
        raw = [real(network, inner[name]) for name in ("Squeeze", "convert_scores")]
        found = ssd.decode(Outputs(("boxes", "scores"), tuple(raw)), known)
        outputs = [network.get_tensor(one["index"])[0] for one in network.get_output_details()]
        sure = outputs[2] > 0.3
        ours = np.column_stack([found.boxes, found.labels, found.scores])
        boxes = outputs[0][sure][:, [1, 0, 3, 2]] * 300
        for one in np.column_stack([boxes, outputs[1][sure] + 1, outputs[2][sure]]):
            assert np.abs(ours - one).max(axis=1).min() < 0.01


def real(network: Any, tensor: Any) -> Any:
    scale, zero = tensor["quantization"]
    return (network.get_tensor(tensor["index"]).astype(np.float32) - zero) * scale


def test_quantised_outputs_are_read_as_the_real_numbers_they_stand_for() -> None:
    network = TfliteNetwork.__new__(TfliteNetwork)
    stored = np.array([0, 128, 255], dtype=np.uint8)
    network._interpreter = SimpleNamespace(get_tensor=lambda _: stored)
    tensor = {"index": 0, "quantization": (0.5, 128), "dtype": np.uint8}
    assert network._real(tensor).tolist() == [-64.0, 0.0, 63.5]
    whole = {"index": 0, "quantization": (0.0, 0), "dtype": np.uint8}
    assert network._real(whole).tolist() == [0, 128, 255]


def test_classes_must_be_given_where_the_file_has_none(shared: Find) -> None:
    with pytest.raises(UserError, match=r"Set `classes` to .* coco-80, coco-91"):
        ssd_mobilenet(shared, labels=None)
    assert ssd_mobilenet(shared, labels=None, classes="coco-91").classes == COCO_80


def test_a_label_file_with_background_and_gaps_names_the_right_classes(
    shared: Find, photographs: Photographs
) -> None:
    by_file, by_preset = (
        ssd_mobilenet(shared),
        ssd_mobilenet(shared, labels=None, classes="coco-91"),
    )
    images = photographs.pixels[:3]
    for one, other in zip(by_file.predict(images), by_preset.predict(images), strict=True):
        assert one == other


def test_the_fingerprint_follows_the_settings(shared: Find) -> None:
    usual = ssd_mobilenet(shared).fingerprint
    assert ssd_mobilenet(shared, threads=2).fingerprint == usual
    assert ssd_mobilenet(shared, floor=0.2).fingerprint != usual


def test_a_semantic_segmenter_is_refused_with_its_outputs_listed(shared: Find) -> None:
    path = shared("segmenters/deeplabv3_mnv2_pascal_quant.tflite")
    with pytest.raises(UserError, match=r"semantic segmentation head .* ArgMax \[1, 513, 513\]"):
        open_subject({"kind": "tflite", "model": path.name}, path.parent)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.tflite").write_text("not a model", encoding="utf-8")
    with pytest.raises(UserError, match=r"model\.tflite: LiteRT cannot load it"):
        open_subject({"kind": "tflite", "model": "model.tflite"}, tmp_path)


def test_without_the_runtime_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    (tmp_path / "model.tflite").write_bytes(b"")
    with pytest.raises(MissingExtraError, match=r"\[tflite\]"):
        open_subject({"kind": "tflite", "model": "model.tflite"}, tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("metadata.json", json.dumps({"names": {"0": "cat", "1": "dog"}})),
        ("temp_meta.txt", "{'names': {0: 'cat', 1: 'dog'}}"),
        ("labelmap.txt", "cat\ndog\n"),
    ],
)
def test_names_are_found_in_whatever_an_exporter_packs_with_the_model(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(b"model bytes")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, text)
    found = read_metadata(path)["names"]
    assert "'cat'" in found
    assert found.index("'cat'") < found.index("'dog'")


def test_a_model_with_nothing_packed_has_no_metadata(tmp_path: Path) -> None:
    (tmp_path / "model.tflite").write_bytes(b"model bytes")
    assert read_metadata(tmp_path / "model.tflite") == {}
