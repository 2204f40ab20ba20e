from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit, softmax

from snellen.errors import UserError
from snellen.scenes.synthetic.generator import synthetic_scenes
from snellen.subjects.multilabel_classifier import ClassifierView, as_classifier, label_scores
from snellen.subjects.planted import HangingSubject, PerfectSubject, RestlessSubject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

LOGITS = arrays(np.float64, (3, 5), elements=st.floats(-1e6, 1e6))


@given(LOGITS)
def test_activations_agree_with_scipy(logits: np.ndarray) -> None:
    np.testing.assert_allclose(label_scores(logits, "sigmoid"), expit(logits), atol=1e-6)
    np.testing.assert_allclose(label_scores(logits, "softmax"), softmax(logits, 1), atol=1e-6)
    np.testing.assert_array_equal(label_scores(logits, "none"), logits.astype(np.float32))


def test_an_unknown_activation_is_refused() -> None:
    with pytest.raises(ValueError, match="tanh"):
        label_scores([1.0], "tanh")


class Fixed(PerfectSubject):
    """Always the same detections: two of class 1, one of class 3."""

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        boxes = [[0, 0, 5, 5], [5, 5, 9, 9], [1, 1, 4, 4]]
        return [Detections(boxes, [1, 1, 3], [0.4, 0.7, 0.2]) for _ in images]  # type: ignore[arg-type]


def test_a_detector_is_read_by_the_best_score_of_each_class() -> None:
    subject = as_classifier(Fixed(), score=0.25)
    images = [scene.pixels() for scene in synthetic_scenes()[:2]]
    answers = subject.predict(images)
    assert [type(answer) for answer in answers] == [LabelVector] * 2
    for answer in answers:
        assert isinstance(answer, LabelVector)
        np.testing.assert_allclose(answer.scores, [0, 0.7, 0, 0.2, 0, 0])
        assert answer.present(subject.score).tolist() == [False, True, False, False, False, False]


def test_the_view_is_a_subject_with_the_detectors_traits_and_its_own_fingerprint() -> None:
    detector = RestlessSubject(PerfectSubject(score=0.4, batch=3), rate=0.2)
    view = as_classifier(detector)
    assert isinstance(view, Subject)
    assert view.task == Task.LABELS
    assert view.score == 0.4
    assert view.batch == 3
    assert view.classes == detector.classes
    assert view.deterministic is False
    assert view.fingerprint != detector.fingerprint
    assert as_classifier(view) is view
    with pytest.raises(UserError, match="already a classifier"):
        as_classifier(view, score=0.9)


def test_the_view_passes_restart_and_close_on() -> None:
    class Watched(HangingSubject):
        calls: list[str] = []  # noqa: RUF012

        def restart(self) -> None:
            self.calls.append("restart")

        def close(self) -> None:
            self.calls.append("close")

    view = ClassifierView(Watched(PerfectSubject()))
    view.restart()
    view.close()
    ClassifierView(PerfectSubject()).restart()
    assert Watched.calls == ["restart", "close"]
