"""Modules with the signature of torchvision's detectors as subjects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import snellen as sn
from snellen.errors import SubjectError, UserError
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.session.object_kinds import object_kind
from snellen.subjects.planted.object_reader import read_objects
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections import Detections
from tests.subjects.torch_models.list_detector import CLASSES, ListDetector

SCENES = synthetic_scenes(SyntheticOptions(count=3))
IMAGES = [scene.pixels() for scene in SCENES]
HOME = "tests.subjects.torch_models.list_detector"


def wrapped(module: torch.nn.Module, **options: Any) -> Subject:
    kind = object_kind(module)
    assert kind is not None
    return kind.live(module, {"classes": CLASSES, **options}, "subject")


def test_a_module_gets_chw_floats_and_its_ids_become_classes() -> None:
    module = ListDetector().train()
    answers = wrapped(module).predict(IMAGES)
    for image, found in zip(IMAGES, answers, strict=True):
        expected = read_objects(image, len(CLASSES))
        assert isinstance(found, Detections)
        assert found.labels.tolist() == expected.labels.tolist()
        assert np.array_equal(found.boxes, expected.boxes)
    assert module.seen[0].shape == (3, *SCENES[0].size)
    assert torch.equal(module.seen[0], torch.tensor(IMAGES[0].transpose(2, 0, 1)) / 255)
    assert module.training, "the module's own mode is restored"


@pytest.mark.parametrize(
    ("classes", "first"),
    [(CLASSES, 0), (("__background__", *CLASSES), 1), (("N/A", *CLASSES), 1)],
)
def test_ids_may_start_at_0_and_classes_may_list_the_background(
    classes: tuple[str, ...], first: int
) -> None:
    subject = wrapped(ListDetector(first), classes=classes, first_label=first)
    assert subject.classes == CLASSES
    [found] = subject.predict(IMAGES[:1])
    assert isinstance(found, Detections)
    assert found.labels.tolist() == read_objects(IMAGES[0], len(CLASSES)).labels.tolist()


def test_unused_ids_are_left_out() -> None:
    names = tuple("N/A" if name == "lemon" else name for name in CLASSES)
    for found in wrapped(ListDetector(), classes=names).predict(IMAGES):
        assert isinstance(found, Detections)
        assert found.labels.max(initial=0) < len(CLASSES) - 1


@pytest.mark.parametrize(
    ("first", "classes", "says"),
    [
        (0, CLASSES, r"class id 0, expected 1 to 6, .*, or set `first_label`"),
        (1, ["tomato"], r"class id \d, expected 1 to 1, .*Give all names in `classes`"),
    ],
)
def test_ids_beyond_the_classes_are_an_error_that_names_the_option(
    first: int, classes: Any, says: str
) -> None:
    subject = wrapped(ListDetector(first), classes=classes)
    with pytest.raises(SubjectError, match=says):
        subject.predict(IMAGES)


def test_masks_with_a_channel_are_read_for_segmentation() -> None:
    [found] = wrapped(ListDetector(masks=True), task="segmentation").predict(IMAGES[:1])
    assert isinstance(found, Detections)
    assert found.masks is not None
    expected = [(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in np.rint(found.boxes)]
    assert [int(mask.sum()) for mask in found.masks.to_array()] == pytest.approx(expected)


def test_a_module_with_another_answer_is_an_error_that_says_what_is_expected() -> None:
    with pytest.raises(SubjectError, match="the module returned Tensor, expected a list"):
        wrapped(_Stack()).predict(IMAGES[:1])


class _Stack(torch.nn.Module):  # type: ignore[misc]
    def forward(self, images: list[torch.Tensor]) -> torch.Tensor:
        return torch.stack(images)


def test_a_target_is_such_a_module_and_its_weights_are_in_the_fingerprint(tmp_path: Path) -> None:
    def target(**options: Any) -> Subject:
        values = {"kind": "python", "target": f"{HOME}:load", "call": True, "classes": CLASSES}
        return open_subject({**values, **options}, tmp_path)

    subject = target()
    [found] = subject.predict(IMAGES[:1])
    assert isinstance(found, Detections)
    assert found.labels.tolist() == read_objects(IMAGES[0], 6).labels.tolist()
    assert target().fingerprint == subject.fingerprint
    other = ListDetector()
    with torch.no_grad():
        other.gain.fill_(0.5)
    assert wrapped(other)._subject.fingerprint != wrapped(ListDetector())._subject.fingerprint  # type: ignore[attr-defined]
    zero = target(arguments={"first": 0}, first_label=0)
    [same] = zero.predict(IMAGES[:1])
    assert isinstance(same, Detections)
    assert same.labels.tolist() == found.labels.tolist()


def test_first_label_of_a_function_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plain_code.py").write_text("def detect(images):\n    return []\n")
    values = {"kind": "python", "target": "plain_code:detect", "classes": CLASSES}
    with pytest.raises(UserError, match=r"subject\.first_label: 'plain_code:detect' is no torch"):
        open_subject({**values, "first_label": 1}, tmp_path)


def test_sn_test_takes_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scenes = sn.open_scenes("synthetic", count=2)
    run = sn.test(ListDetector(), scenes, "identity", classes=CLASSES, workers=0)
    assert (run.summary.subject.name, run.summary.failing_cases) == ("ListDetector", 0)
    assert run.summary.cases == 2
    assert wrapped(ListDetector()).task == Task.DETECTION
