from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import MissingExtraError, SubjectError, UserError
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.subjects.maite import wrap
from snellen.subjects.planted.object_reader import read_objects
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import AnyArray
from snellen.vision.detections import Detections

CLASSES = ("tomato", "lemon", "lime", "ice", "plum", "rose")
SCENES = synthetic_scenes(SyntheticOptions(count=5))
IMAGES = [scene.pixels() for scene in SCENES]


@dataclass
class Found:
    boxes: Any
    labels: Any
    scores: Any


class Model:
    """A MAITE model with its own format of ids, scores and pixels."""

    def __init__(
        self, ids: Sequence[int] = range(6), matrix: int = 0, tensors: bool = False
    ) -> None:
        self.ids = ids
        self.matrix = matrix
        self.tensors = tensors
        self.seen: list[AnyArray] = []
        names = dict(zip(ids, CLASSES, strict=True))
        self.metadata = {"id": "colour-reader", "index2label": names}

    def __call__(self, batch: Sequence[Any], /) -> Sequence[Found]:
        self.seen = [np.asarray(one) for one in batch]
        return [self._found(np.asarray(one)) for one in batch]

    def _found(self, planes: AnyArray) -> Found:
        image = planes.transpose(1, 2, 0)
        if image.dtype != np.uint8:
            image = np.rint(image * 255).astype(np.uint8)
        seen = read_objects(np.ascontiguousarray(image), 6)
        labels = np.array([self.ids[label] for label in seen.labels])
        scores = seen.scores
        if self.matrix:
            columns = seen.labels if self.matrix == 6 else labels
            scores = np.full((len(seen), self.matrix), 0.01, dtype=np.float32)
            scores[np.arange(len(seen)), columns] = 0.9
        fields = (seen.boxes.copy(), labels, scores.copy())
        if self.tensors:
            torch = pytest.importorskip("torch")
            return Found(*(torch.tensor(field) for field in fields))
        return Found(*fields)


def agrees(subject: Subject) -> None:
    for scene, answer in zip(SCENES, subject.predict(IMAGES), strict=True):
        assert scene.annotations is not None
        assert isinstance(answer, Detections)
        truth = sorted(
            map(tuple, np.c_[scene.annotations.boxes, scene.annotations.labels].tolist())
        )
        assert sorted(map(tuple, np.c_[answer.boxes, answer.labels].tolist())) == truth
        np.testing.assert_allclose(answer.scores, 0.9, rtol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        Model(),
        Model(tensors=True),
        Model(ids=[1, 2, 3, 5, 8, 90]),
        Model(matrix=6),
        Model(ids=[1, 2, 3, 5, 8, 13], matrix=14),
        Model(ids=[1, 2, 3, 5, 8, 13], matrix=6),
    ],
    ids=["plain", "tensors", "sparse ids", "NxC", "NxC by id", "NxC by place"],
)
def test_every_spelling_that_maite_allows_means_the_same(model: Model) -> None:
    subject = wrap(model)
    assert isinstance(subject, Subject)
    assert subject.task == Task.DETECTION
    assert subject.classes == CLASSES
    assert subject.name == "colour-reader"
    agrees(subject)


def test_our_model_is_one_by_maites_own_reckoning() -> None:
    generic = pytest.importorskip("maite.protocols.generic")
    assert isinstance(Model(), generic.Model)
    assert not isinstance(len, generic.Model)


def test_pixels_are_rgb_planes_as_bytes_or_shares() -> None:
    model = Model()
    agrees(wrap(model))
    assert model.seen[0].dtype == np.uint8
    np.testing.assert_array_equal(model.seen[0], IMAGES[0].transpose(2, 0, 1))
    agrees(wrap(model, pixels="float"))
    assert model.seen[0].dtype == np.float32
    np.testing.assert_allclose(model.seen[0], IMAGES[0].transpose(2, 0, 1) / 255, rtol=1e-6)


def test_maites_prediction_loop_gives_the_same_as_the_subject() -> None:
    tasks = pytest.importorskip("maite.tasks")

    class Dataset:
        metadata = {"id": "scenes"}  # noqa: RUF012

        def __len__(self) -> int:
            return len(IMAGES)

        def __getitem__(self, index: int) -> tuple[Any, Found, dict[str, str]]:
            nothing = Found(np.zeros((0, 4)), np.zeros(0, int), np.zeros(0))
            return IMAGES[index].transpose(2, 0, 1), nothing, {"id": str(index)}

    batches, _ = tasks.predict(model=Model(), dataset=Dataset(), batch_size=2)
    theirs = [target for batch in batches for target in batch]
    for target, answer in zip(theirs, wrap(Model()).predict(IMAGES), strict=True):
        assert isinstance(answer, Detections)
        np.testing.assert_array_equal(answer.boxes, target.boxes)
        np.testing.assert_array_equal(answer.labels, target.labels)


def test_a_configuration_opens_a_model_or_makes_one(tmp_path: Path) -> None:
    code = (
        "from tests.subjects.test_maite import Model\nmodel = Model()\n"
        "def load(ids):\n    return Model(ids=ids)\n"
    )
    (tmp_path / "mymodel.py").write_text(code)
    agrees(open_subject({"kind": "maite", "target": "mymodel:model"}, tmp_path))
    values = {"kind": "maite", "target": "mymodel:load", "arguments": {"ids": [2, 3, 4, 5, 6, 7]}}
    subject = open_subject({**values, "task": "detection", "score": 0.6}, tmp_path)
    assert subject.score == 0.6
    agrees(subject)
    with pytest.raises(UserError, match="task: found 'labels'"):
        open_subject({**values, "task": "labels"}, tmp_path)


def test_a_missing_maite_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "maite", None)
    (tmp_path / "needsmaite.py").write_text("import maite\n")
    with pytest.raises(MissingExtraError, match=r"pip install .*\[maite\]"):
        open_subject({"kind": "maite", "target": "needsmaite:model"}, tmp_path)


@pytest.mark.parametrize("model", [len, object(), 3], ids=["function", "object", "number"])
def test_what_is_no_model_is_the_users_mistake(model: object) -> None:
    with pytest.raises(UserError, match="is not a MAITE model"):
        wrap(model)


def test_a_model_without_names_needs_them_given() -> None:
    model = Model()
    model.metadata = {"id": "nameless"}
    with pytest.raises(UserError, match="'nameless' has no index2label"):
        wrap(model)
    agrees(wrap(model, classes=CLASSES))


class Wrong(Model):
    def __init__(self, target: object) -> None:
        super().__init__()
        self.target = target

    def __call__(self, batch: Sequence[Any], /) -> Sequence[Any]:
        return [self.target for _ in batch]


BOX = [[0, 0, 5, 5]]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"boxes": BOX}, "dict without 'boxes'"),
        (Found(BOX, [77], [0.5]), "label 77, which is not in the index2label"),
        (Found(BOX, [1], [[0.5]]), r"scores have shape \(1, 1\)"),
        (Found(BOX, [1], [1.5]), r"scores\[0\] is 1.5"),
        (Found(BOX, [1], [np.nan]), "nan"),
        (Found(BOX, [1, 2], [0.5, 0.5]), "1 boxes, 2 labels"),
    ],
)
def test_a_target_that_makes_no_sense_is_the_models_failure(target: object, message: str) -> None:
    with pytest.raises(SubjectError, match=message):
        wrap(Wrong(target)).predict(IMAGES[:1])


def test_nothing_found_is_an_answer() -> None:
    [answer] = wrap(Wrong(Found([], [], []))).predict(IMAGES[:1])
    assert isinstance(answer, Detections)
    assert len(answer) == 0


def test_the_fingerprint_follows_the_model_and_its_version() -> None:
    base = wrap(Model()).fingerprint
    assert wrap(Model()).fingerprint == base
    others = [
        wrap(Model(), version="2"),
        wrap(Model(), pixels="float"),
        wrap(Model(ids=range(1, 7))),
    ]
    assert len({base, *(other.fingerprint for other in others)}) == 4
