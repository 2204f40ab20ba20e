"""The Darknet adapter against OpenCV's reader of the same files, and its error messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.starter.fetch import fetch
from snellen.subjects.model_file.coco_names import COCO_80
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject
from snellen.vision.detections import Detections
from tests.subjects.darknet import darknet_files
from tests.subjects.darknet.darknet_files import Writer

OPENCV_FLOOR = 0.2
"""OpenCV's reader writes 0 for class scores up to here."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def by_opencv(cfg: Path, weights: Path, image: Any, size: tuple[int, int]) -> list[Any]:
    """(label, score, box in image pixels) of OpenCV's detections above its floor."""
    network = cv2.dnn.readNetFromDarknet(str(cfg), str(weights))
    blob = cv2.dnn.blobFromImage(image, 1 / 255, (size[1], size[0]), swapRB=False, crop=False)
    network.setInput(blob)
    rows = np.concatenate(network.forward(network.getUnconnectedOutLayersNames()))
    tall, wide = image.shape[:2]
    limits = np.array([wide, tall, wide, tall])
    low, high = rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2
    boxes = np.clip(np.concatenate([low, high], axis=1) * limits, 0, limits)
    found = [(k, rows[i, 5 + k], boxes[i]) for i, k in zip(*np.nonzero(rows[:, 5:]), strict=True)]
    return [one for one in found if one[1] > OPENCV_FLOOR and min(one[2][2:] - one[2][:2]) > 0]


def assert_same(found: Detections, expected: list[Any]) -> None:
    """OpenCV's detections are ours, to 1 pixel and 0.01, and we have no more of that score."""
    assert len(expected) > 0
    for label, score, box in expected:
        same = found.labels == label
        distance = np.abs(found.boxes[same] - box).max(axis=1)
        gap = np.abs(found.scores[same] - score)
        assert ((distance < 1) & (gap < 0.01)).any(), (label, score, box)
    assert abs((found.scores > OPENCV_FLOOR).sum() - len(expected)) <= len(expected) * 0.02


def subject_of(cfg: Path, weights: Path, **options: Any) -> Subject:
    values = {"kind": "darknet", "cfg": cfg.name, "weights": weights.name, **options}
    return open_subject(values, cfg.parent)


@pytest.mark.parametrize(
    "build",
    [
        darknet_files.tiny_v3,
        darknet_files.v3,
        darknet_files.v4,
        darknet_files.v4_tiny,
        darknet_files.v4x,
    ],
)
def test_random_networks_answer_as_in_opencv(tmp_path: Path, build: Callable[[], Writer]) -> None:
    cfg, weights = build().save(tmp_path)
    subject: Any = subject_of(cfg, weights, nms=1.0, max_detections=10**6)
    size = subject.reader.size
    image = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    expected = by_opencv(cfg, weights, image, size)
    [found] = subject.predict([image])
    assert_same(found, expected)


@pytest.fixture(scope="session")
def yolov4_tiny() -> dict[str, Path]:
    try:
        return fetch(["yolov4-tiny", "photographs"])
    except UserError as error:
        pytest.skip(f"the starter pack cannot be fetched: {error}")


@pytest.mark.parametrize("photograph", ["bus.jpg", "zidane.jpg"])
def test_yolov4_tiny_sees_on_a_photograph_what_opencv_sees(
    yolov4_tiny: dict[str, Path], photograph: str
) -> None:
    cfg, weights = (yolov4_tiny["yolov4-tiny"] / f"yolov4-tiny.{end}" for end in ("cfg", "weights"))
    [path] = yolov4_tiny["photographs"].rglob(photograph)
    image = np.asarray(Image.open(path).convert("RGB"))
    everything = subject_of(cfg, weights, nms=1.0, max_detections=10**6)
    [found] = everything.predict([image])
    assert isinstance(found, Detections)
    assert_same(found, by_opencv(cfg, weights, image, (416, 416)))


def test_yolov4_tiny_names_what_is_on_the_photograph(yolov4_tiny: dict[str, Path]) -> None:
    folder = yolov4_tiny["yolov4-tiny"]
    files = (folder / "yolov4-tiny.cfg", folder / "yolov4-tiny.weights")
    subject = subject_of(*files, names="coco.names")
    [path] = yolov4_tiny["photographs"].rglob("bus.jpg")
    [found] = subject.predict([np.asarray(Image.open(path).convert("RGB"))])
    sure = found.above(0.6)  # type: ignore[union-attr]
    assert sorted(subject.classes[label] for label in sure.labels) == ["bus"] + ["person"] * 3
    assert subject_of(*files).classes == COCO_80


def test_batches_do_not_change_yolov4_tinys_answers(yolov4_tiny: dict[str, Path]) -> None:
    folder = yolov4_tiny["yolov4-tiny"]
    files = (folder / "yolov4-tiny.cfg", folder / "yolov4-tiny.weights")
    images = [
        np.asarray(Image.open(path).convert("RGB"))
        for path in sorted(yolov4_tiny["photographs"].rglob("*.jpg"))
    ]
    one_by_one, together = subject_of(*files), subject_of(*files, batch=3)
    assert one_by_one.tolerance == 0
    for a, b in zip(one_by_one.predict(images), together.predict(images), strict=True):
        np.testing.assert_allclose(a.scores, b.scores, atol=together.tolerance)


def test_the_conversion_is_kept_and_found_again(tmp_path: Path, own_cache: Path) -> None:
    files = darknet_files.v3().save(tmp_path)
    first = subject_of(*files)
    [kept] = own_cache.rglob("*.onnx")
    written = kept.stat().st_mtime_ns
    second = subject_of(*files)
    assert kept.stat().st_mtime_ns == written
    assert first.fingerprint == second.fingerprint
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_damaged_conversion_is_made_again(tmp_path: Path, own_cache: Path) -> None:
    files = darknet_files.v3().save(tmp_path)
    image = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    before = subject_of(*files).predict([image])
    [kept] = own_cache.rglob("*.onnx")
    kept.write_bytes(kept.read_bytes()[:100])
    assert list(subject_of(*files).predict([image])) == list(before)


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = darknet_files.v3().save(tmp_path)
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"cache folder cannot be created.*SNELLEN_CACHE"):
        subject_of(*files)


def test_other_weights_are_another_conversion_and_fingerprint(
    tmp_path: Path, own_cache: Path
) -> None:
    net = darknet_files.v3()
    first = subject_of(*net.save(tmp_path))
    net.numbers[0] = net.numbers[0] + 1
    second = subject_of(*net.save(tmp_path))
    assert first.fingerprint != second.fingerprint
    assert len(list(own_cache.rglob("*.onnx"))) == 2


def test_the_input_size_can_be_changed(tmp_path: Path) -> None:
    subject: Any = subject_of(*darknet_files.v3().save(tmp_path), size=[96, 128])
    assert subject.reader.size == (96, 128)
    assert len(subject.predict([np.zeros((50, 60, 3), dtype=np.uint8)])) == 1
    with pytest.raises(UserError, match=r"different sizes .* multiples of 32"):
        subject_of(*darknet_files.v3().save(tmp_path), size=[50, 50])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[shortcut]", "[sam]"), r"net\.cfg: line \d+: unknown layer \[sam\]"),
        (("[yolo]", "[region]"), r"net\.cfg: found no \[yolo\] layer"),
        (("[net]", "[convolutional]"), r"line 1: found \[convolutional\], expected \[net\]"),
        (
            ("filters = 24", "filters = 25"),
            r"layer 10 \(\[yolo\]\): found 25 filters .* need 24",
        ),
        (("activation = leaky", "activation = selu"), r"activation: found 'selu', expected one of"),
        (("size = 3", "size = three"), r"size: found 'three', expected a whole number"),
        (
            ("from = -3", "from = -30"),
            r"\[shortcut\] from: found '-30', expected indices of layers before",
        ),
        (
            ("mask = 0,1,2", "mask = 0,1,9"),
            r"\[yolo\] anchors: found 6, but mask \[0, 1, 9\] needs 10",
        ),
        (("stride = 2", "stride"), r"net\.cfg: line \d+: found 'stride', expected"),
    ],
)
def test_mistakes_in_a_cfg_are_named(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    cfg, weights = darknet_files.v3().save(tmp_path)
    text = cfg.read_text(encoding="utf-8")
    assert change[0] in text
    cfg.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(UserError, match=message):
        subject_of(cfg, weights)


@pytest.mark.parametrize(
    ("drop", "extra", "message"),
    [
        (1, 0, r"net\.weights: found \d+ numbers, but .*net\.cfg needs \d+: the file is truncated"),
        (0, 1, r"net\.weights: found \d+ numbers, .* belongs to another cfg"),
        (10**9, 0, r"net\.weights: found 0 numbers"),
    ],
)
def test_weights_that_do_not_fit_the_cfg_are_refused(
    tmp_path: Path, drop: int, extra: int, message: str
) -> None:
    net = darknet_files.v3()
    total = sum(len(part) for part in net.numbers)
    with pytest.raises(UserError, match=message):
        subject_of(*net.save(tmp_path, min(drop, total), extra))


def test_a_file_that_is_no_weights_is_refused(tmp_path: Path) -> None:
    cfg, weights = darknet_files.v3().save(tmp_path)
    weights.write_bytes(b"tiny")
    with pytest.raises(UserError, match=r"net\.weights: found 4 bytes"):
        subject_of(cfg, weights)


def test_a_cfg_that_is_no_text_is_refused(tmp_path: Path) -> None:
    cfg, weights = darknet_files.v3().save(tmp_path)
    cfg.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=r"net\.cfg: cannot be read as a Darknet cfg"):
        subject_of(cfg, weights)
    cfg.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"net\.cfg: the file is empty"):
        subject_of(cfg, weights)


def test_old_weights_with_the_short_header_are_read(tmp_path: Path) -> None:
    cfg, weights = darknet_files.v3().save(tmp_path)
    image = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    before = list(subject_of(cfg, weights).predict([image]))
    numbers = weights.read_bytes()[20:]
    weights.write_bytes(np.array([0, 1, 0, 0], dtype="<i4").tobytes() + numbers)
    assert list(subject_of(cfg, weights).predict([image])) == before
