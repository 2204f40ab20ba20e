"""Multi-label classifiers in model files: their scores, and what is inferred from outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image
from scipy.special import expit, softmax

import snellen as sn
from snellen.errors import SubjectError, UserError
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.registry import chosen_decoder
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.label_vector import LabelVector
from tests.subjects.model_file.classifier_graphs import BIAS, WEIGHTS, logits_of, onnx_classifier
from tests.subjects.model_file.model_graphs import constant_model
from tests.subjects.tflite_graphs import tflite_classifier

SIZE = (32, 48)
COLOURS = [(250, 20, 30), (10, 200, 40), (0, 0, 0), (255, 255, 255), (90, 110, 240)]
# The usual mean and std of torchvision and timm, repeated here independently.
MEAN, STD = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
NAMES = ["red", "green", "blue", "light"]


def plain_images(size: tuple[int, int] = (50, 70)) -> list[Any]:
    return [np.full((*size, 3), colour, dtype=np.uint8) for colour in COLOURS]


def classifier(folder: Path, shape: Any = (1, 3, *SIZE), **options: Any) -> Subject:
    graph = {key: options.pop(key) for key in ("flat", "finish", "metadata") if key in options}
    onnx_classifier(folder / "model.onnx", shape, **graph)
    return open_subject({"kind": "onnx", "model": "model.onnx", **options}, folder)


def scores(subject: Subject, images: list[Any]) -> Any:
    answers = subject.predict(images)
    assert all(isinstance(answer, LabelVector) for answer in answers)
    return np.array([answer.scores for answer in answers])


def expected(mean: Any = MEAN, std: Any = STD) -> Any:
    return np.array([logits_of(colour, mean, std) for colour in COLOURS])


@pytest.mark.parametrize(
    "options",
    [
        {"shape": (1, 3, *SIZE)},
        {"shape": (1, 3, *SIZE), "flat": True},
        {"shape": (3, 3, *SIZE)},
        {"shape": ("N", 3, *SIZE)},
        {"shape": ("N", 3, *SIZE), "batch": 2},
        {"shape": ("N", 3, "h", "w"), "size": list(SIZE)},
    ],
)
def test_scores_are_those_reckoned_by_hand_for_any_batch(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    subject = classifier(tmp_path, **options)
    assert subject.task is Task.LABELS
    assert subject.classes == ("class-0", "class-1", "class-2", "class-3")
    np.testing.assert_allclose(scores(subject, plain_images()), expit(expected()), atol=1e-5)


def test_a_tensorflow_lite_classifier_gives_the_same_scores(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="the extra 'tflite' is not installed")
    tflite_classifier(tmp_path / "model.tflite", SIZE, WEIGHTS, BIAS)
    (tmp_path / "labels.txt").write_text("\n".join(NAMES), encoding="utf-8")
    values = {"kind": "tflite", "model": "model.tflite", "labels": "labels.txt"}
    subject = open_subject(values, tmp_path)
    assert (subject.task, subject.classes) == (Task.LABELS, tuple(NAMES))
    np.testing.assert_allclose(scores(subject, plain_images()), expit(expected()), atol=1e-4)


def test_low_scores_are_kept_whatever_the_floor_and_the_most(tmp_path: Path) -> None:
    subject = classifier(tmp_path, floor=0.9, score=0.95, max_detections=1, nms=0.1)
    found = scores(subject, plain_images())
    assert found.shape == (5, 4)
    np.testing.assert_allclose(found, expit(expected()), atol=1e-5)


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({"activation": "softmax"}, lambda: softmax(expected(), axis=1)),
        ({"mean": [0, 0, 0], "std": [1, 1, 1]}, lambda: expit(expected(0, 1))),
        ({"mean": [0.5] * 3, "std": [0.5] * 3}, lambda: expit(expected(0.5, 0.5))),
    ],
)
def test_activation_and_pixels_are_as_told(
    tmp_path: Path, options: dict[str, Any], numbers: Any
) -> None:
    subject = classifier(tmp_path, **options)
    np.testing.assert_allclose(scores(subject, plain_images()), numbers(), atol=1e-5)


@pytest.mark.parametrize(("finish", "meant"), [("Sigmoid", expit), ("Softmax", softmax)])
def test_scores_that_the_model_finished_are_not_squeezed_again(
    tmp_path: Path, finish: str, meant: Any
) -> None:
    subject = classifier(tmp_path, finish=finish)
    rows = np.array([meant(row) for row in expected()])
    np.testing.assert_allclose(scores(subject, plain_images()), rows, atol=1e-5)


def test_raw_outputs_said_to_be_scores_are_refused_with_the_option_to_set(tmp_path: Path) -> None:
    subject = classifier(tmp_path, activation="none")
    with pytest.raises(SubjectError, match=r"scores\[0\] is .*, expected .* set `activation`"):
        subject.predict(plain_images())


def test_not_a_number_is_the_subjects_failure(tmp_path: Path) -> None:
    constant_model(tmp_path / "m.onnx", (1, 3, *SIZE), {"out": np.full((1, 3), np.nan, np.float32)})
    with pytest.raises(SubjectError, match="NaN"):
        open_subject({"kind": "onnx", "model": "m.onnx"}, tmp_path).predict(plain_images())


def test_names_come_from_options_or_metadata(tmp_path: Path) -> None:
    packed = {"names": "{0: 'a', 1: 'b', 2: 'c', 3: 'd'}"}
    assert classifier(tmp_path, metadata=packed).classes == ("a", "b", "c", "d")
    assert classifier(tmp_path, metadata=packed, classes=NAMES).classes == tuple(NAMES)
    with pytest.raises(UserError, match=r"classes: found 2 names, but the model has 4"):
        classifier(tmp_path, classes=["a", "b"])


def test_the_background_that_a_classifier_scores_is_left_out(tmp_path: Path) -> None:
    subject = classifier(tmp_path, classes=["background", "green", "???", "light"])
    assert subject.classes == ("green", "light")
    np.testing.assert_allclose(
        scores(subject, plain_images()), expit(expected())[:, [1, 3]], atol=1e-5
    )


@pytest.mark.parametrize(
    ("shape", "decoder"),
    [
        ((1, 2), "labels"),
        ((6,), "labels"),
        ((1, 6), "labels"),
        ((1, 1000), "labels"),
        ((1, 80, 1, 1), "labels"),
        ((1, 1, 1, 1001), "labels"),
        ((1, 300, 6), "end-to-end"),
        ((1, 1, 6), "end-to-end"),
        ((0, 6), "end-to-end"),
        ((1, 84, 21), "yolov8"),
        ((1, 21, 85), "yolox"),
        ((1, 63, 85), "yolov5"),
    ],
)
def test_a_classifier_is_told_from_a_detector_by_its_only_output(
    shape: tuple[int, ...], decoder: str
) -> None:
    outputs = Outputs(("out",), (np.zeros(shape, dtype=np.float32),))
    assert chosen_decoder("auto", outputs, DecoderSettings((32, 32)), "m.onnx").name == decoder


@pytest.mark.parametrize("shape", [(1, 1), (1,), (2, 3), (1, 4, 7, 7)])
def test_outputs_that_are_no_vector_of_scores_are_refused(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    constant_model(tmp_path / "m.onnx", (1, 3, *SIZE), {"out": np.zeros(shape, np.float32)})
    for decoder in ("auto", "labels"):
        with pytest.raises(UserError, match=r"m\.onnx: .*outputs: out \["):
            open_subject({"kind": "onnx", "model": "m.onnx", "decoder": decoder}, tmp_path)


def test_the_fingerprint_follows_the_activation(tmp_path: Path) -> None:
    usual = classifier(tmp_path).fingerprint
    assert classifier(tmp_path, activation="sigmoid").fingerprint == usual
    assert classifier(tmp_path, activation="softmax").fingerprint != usual


def test_a_classifier_goes_through_a_whole_run(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    for index, image in enumerate(plain_images()):
        Image.fromarray(image).save(tmp_path / "images" / f"{index}.png")
    onnx_classifier(tmp_path / "model.onnx", ("N", 3, *SIZE))
    values = {
        "method": "identity",
        "out": "run",
        "subject": {"kind": "onnx", "model": "model.onnx", "classes": NAMES, "batch": 2},
        "scenes": {"kind": "folder", "path": "images"},
        "engine": {"workers": 0, "cache": False},
    }
    (tmp_path / "snellen.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    summary = sn.run(tmp_path / "snellen.yaml").summary
    assert summary.subject.task == "labels"
    assert summary.units.model_dump() == {
        "total": 5,
        "done": 5,
        "errors": 0,
        "left_out": 0,
        "not_needed": 0,
        "untested": {},
    }
    assert (summary.cases, summary.questions, summary.failing_cases) == (5, 10, 0)
