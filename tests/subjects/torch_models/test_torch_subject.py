"""`kind: torch` answers like `kind: darknet`, accepts user detectors, and reports mistakes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
import torch

from snellen.errors import MissingExtraError, SubjectError, UserError
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject
from snellen.subjects.torch_models.trainable_detector import TrainableDetector
from tests.subjects.darknet.darknet_files import Writer
from tests.subjects.darknet.torch_network.networks import NAMED
from tests.subjects.torch_models.answer_comparison import assert_same
from tests.subjects.torch_models.tiny_detector import TinyDetector

TARGET = "tests.subjects.torch_models.tiny_detector"


def subject_of(kind: str, cfg: Path, weights: Path, **options: Any) -> Any:
    values = {"kind": kind, "cfg": cfg.name, "weights": weights.name, **options}
    return open_subject(values, cfg.parent)


def own(factory: str = "TinyDetector", **options: Any) -> Any:
    return open_subject({"kind": "torch", "target": f"{TARGET}:{factory}", **options}, Path())


@pytest.mark.parametrize("build", NAMED.values(), ids=NAMED.keys())
@pytest.mark.parametrize("options", [{}, {"letterbox": "centre", "nms": 0.9, "max_detections": 7}])
def test_random_networks_answer_as_kind_darknet(
    tmp_path: Path, build: Callable[[], Writer], options: dict[str, Any]
) -> None:
    files = build().save(tmp_path)
    image = np.random.default_rng(0).integers(0, 256, (50, 90, 3), dtype=np.uint8)
    [expected] = subject_of("darknet", *files, **options).predict([image])
    [found] = subject_of("torch", *files, **options).predict([image])
    assert_same(found, expected)


def test_yolov4_tiny_answers_as_kind_darknet(yolov4_tiny: Path, photographs: Any) -> None:
    files = (yolov4_tiny / "yolov4-tiny.cfg", yolov4_tiny / "yolov4-tiny.weights")
    expected = subject_of("darknet", *files)
    found = subject_of("torch", *files)
    assert found.classes == expected.classes
    assert (found.name, found.score, found.task) == (expected.name, expected.score, expected.task)
    pairs = zip(found.predict(photographs), expected.predict(photographs), strict=True)
    for ours, theirs in pairs:
        assert_same(ours, theirs)


def test_another_size_and_names_are_taken_as_by_kind_darknet(tmp_path: Path) -> None:
    files = NAMED["v3"]().save(tmp_path)
    (tmp_path / "some.names").write_text("cat\n???\ndog\n", encoding="utf-8")
    options: dict[str, Any] = {"size": [96, 128], "names": "some.names"}
    image = np.random.default_rng(0).integers(0, 256, (50, 90, 3), dtype=np.uint8)
    expected, found = (subject_of(kind, *files, **options) for kind in ("darknet", "torch"))
    assert found.classes == expected.classes == ("cat", "dog")
    assert_same(*found.predict([image]), *expected.predict([image]))


def test_labels_of_targets_and_scores_are_those_of_the_subject(tmp_path: Path) -> None:
    files = NAMED["v3"]().save(tmp_path)
    (tmp_path / "some.names").write_text("cat\n???\ndog\n", encoding="utf-8")
    named = subject_of("torch", *files, names="some.names").detector
    plain = subject_of("torch", *files).detector
    batch = torch.rand(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    box = torch.tensor([[10.0, 10, 40, 40]])
    with torch.no_grad():
        outputs = plain.outputs(batch)
        for ours, theirs in ((0, 0), (1, 2)):
            expected = plain.scores(outputs, box, theirs)
            assert torch.equal(named.scores(outputs, box, ours), expected)


def test_the_score_is_that_of_the_detection_at_the_box(yolov4_tiny: Path, photographs: Any) -> None:
    files = (yolov4_tiny / "yolov4-tiny.cfg", yolov4_tiny / "yolov4-tiny.weights")
    subject = subject_of("torch", *files)
    detector = subject.detector
    image = photographs[0]
    [answer] = subject.predict([image])
    frame = subject._letterbox(image)
    with torch.inference_mode():
        outputs = detector.outputs(subject._tensor([image], [frame]))
    boxes = torch.from_numpy(frame.to_network(answer.boxes))
    for place in range(5):
        odds = detector.scores(outputs, boxes[place : place + 1], int(answer.labels[place]))
        least, most = answer.scores[place], np.sqrt(answer.scores[place])
        # The product of two scores is p; the sum of their log-odds is minimal for equal scores.
        assert odds.item() >= 2 * np.log(most / (1 - most)) - 1e-2
        assert odds.item() > np.log(least / (1 - least))


def test_batches_do_not_change_the_answers_beyond_the_tolerance(tmp_path: Path) -> None:
    files = NAMED["v4"]().save(tmp_path)
    images = list(np.random.default_rng(0).integers(0, 256, (3, 96, 64, 3), dtype=np.uint8))
    one_by_one, together = subject_of("torch", *files), subject_of("torch", *files, batch=3)
    assert one_by_one.tolerance == 0
    assert one_by_one.predict(images) == [one_by_one.predict([one])[0] for one in images]
    for a, b in zip(one_by_one.predict(images), together.predict(images), strict=True):
        assert a.labels.tolist() == b.labels.tolist()
        np.testing.assert_allclose(a.scores, b.scores, atol=together.tolerance)


def test_other_weights_are_another_fingerprint(tmp_path: Path) -> None:
    net = NAMED["v3"]()
    first = subject_of("torch", *net.save(tmp_path)).fingerprint
    assert subject_of("torch", *net.save(tmp_path)).fingerprint == first
    assert subject_of("torch", *net.save(tmp_path), nms=0.3).fingerprint != first
    net.numbers[-1] = net.numbers[-1] + 1e-3
    assert subject_of("torch", *net.save(tmp_path)).fingerprint != first


def test_a_users_detector_is_a_subject() -> None:
    subject = own(arguments={"gain": 5.0}, score=0.6, name="mine")
    assert isinstance(subject.detector, TrainableDetector)
    assert isinstance(TinyDetector(), TrainableDetector)
    image = np.random.default_rng(0).integers(0, 256, (8, 12, 3), dtype=np.uint8)
    [found] = subject.predict([image])
    assert subject.name == "mine"
    assert subject.classes == ("cat", "dog")
    batch = torch.from_numpy(image.transpose(2, 0, 1)[None] / np.float32(255))
    twin = TinyDetector(gain=5.0)
    twin.module.eval()
    with torch.no_grad():
        scores = twin.outputs(batch)[0].sigmoid().numpy()
    assert len(found) == (scores >= 0.05).sum()
    assert isinstance(subject, Subject)
    assert sorted(found.scores) == pytest.approx(sorted(scores[scores >= 0.05]))
    assert own().fingerprint == own().fingerprint != own(arguments={"seed": 1}).fingerprint


def test_many_threads_may_ask_and_explain_at_once() -> None:
    subject = own(arguments={"gain": 9.0}, dropout={"rate": 0.5, "layers": ["mixed", "head"]})
    image = np.random.default_rng(0).integers(0, 256, (8, 12, 3), dtype=np.uint8)
    expected, heat = subject.predict([image]), subject.heat_map(image, [4, 2, 6, 4], 0)
    wrong = []

    def ask() -> None:
        for _ in range(10):
            if subject.predict([image]) != expected:
                wrong.append("answer")
            if not np.array_equal(subject.heat_map(image, [4, 2, 6, 4], 0), heat):
                wrong.append("heat")

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_closed_subject_says_so() -> None:
    subject = own()
    subject.close()
    with pytest.raises(SubjectError, match="is closed"):
        subject.predict([np.zeros((8, 12, 3), dtype=np.uint8)])


def test_a_detector_that_fails_is_named_with_its_error() -> None:
    subject = own(name="mine")

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("oh")

    subject.detector.decode = broken
    with pytest.raises(SubjectError, match="'mine' raised ZeroDivisionError: oh"):
        subject.predict([np.zeros((8, 12, 3), dtype=np.uint8)])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, r"subject: expected either `cfg` and `weights` .* or `target`"),
        ({"cfg": "a.cfg"}, r"expected either `cfg` and `weights`"),
        ({"cfg": "a.cfg", "weights": "b", "target": "c:d"}, r"expected either `cfg`"),
        (
            {"target": f"{TARGET}:TinyDetector", "nms": 0.5},
            r"`nms` cannot be combined with `target`",
        ),
        (
            {"cfg": "a", "weights": "b", "arguments": {"c": 1}},
            r"`arguments` cannot be combined with `cfg`",
        ),
        ({"cfg": "a.cfg", "weights": "b.weights"}, r"subject\.cfg: a\.cfg: no such file"),
        (
            {"target": f"{TARGET}:without_loss"},
            r"returns Half without outputs, decode, scores, loss",
        ),
        ({"target": f"{TARGET}:raising"}, r"called with \{\} raised RuntimeError: no such luck"),
        ({"target": f"{TARGET}:CELL"}, r"is int, expected a TrainableDetector"),
        ({"target": f"{TARGET}:TinyDetectr"}, r"did you mean 'TinyDetector'"),
        ({"target": f"{TARGET}:TinyDetector", "device": "abacus"}, r"subject\.device: 'abacus'"),
        (
            {"target": f"{TARGET}:TinyDetector", "explain": {"layer": "hed"}},
            r"subject\.explain\.layer: the module has no layer 'hed'\. Did you mean 'head'\?",
        ),
    ],
)
def test_mistakes_are_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_subject({"kind": "torch", **values}, Path())


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[torch\]"):
        open_subject({"kind": "torch", "cfg": "a", "weights": "b"}, Path())
