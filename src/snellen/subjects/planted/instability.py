"""Unstable subjects: scores that flicker around the threshold, nondeterministic answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from snellen.subjects.answers.prediction_checks import detections_of
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.subject import Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections


class FlickeringSubject(Wrapper):
    """A subject with scores of some objects that vary around the operating threshold.

    Whether an object (a label and a box in whole pixels) flickers does not depend on the rest of
    the image; a share of `rate` does. Its score depends on the pixels: any change of the image
    changes it, within `swing` of the threshold. The same pixels give the same score.
    """

    def __init__(
        self, subject: Subject, *, rate: float = 1.0, seed: int = 0, swing: float = 0.02
    ) -> None:
        super().__init__(subject, "flickers", subject.score, rate, seed, swing)
        self.rate, self.seed, self.swing = rate, seed, swing

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """The wrapped subject's answers, with scores of some objects near the threshold."""
        answers = detections_of(self.subject, images)
        return [self._flicker(image, answer) for image, answer in zip(images, answers, strict=True)]

    def _flicker(self, image: Image, detections: Detections) -> Detections:
        digest = image_digest(image)
        scores = detections.scores.copy()
        for index, (label, box) in enumerate(zip(detections.labels, detections.boxes, strict=True)):
            identity = (self.seed, "flickers", int(label), np.rint(box).tolist())
            if chance(*identity) < self.rate:
                scores[index] = self.score + self.swing * (2 * chance(*identity, digest) - 1)
        return replace(detections, scores=np.clip(scores, 0, 1))


class RestlessSubject(Wrapper):
    """A nondeterministic subject: each object is left out with probability `rate`.

    The random numbers continue from call to call, so the same image gets different answers; only a
    new subject with the same seed and the same sequence of calls reproduces them.
    """

    def __init__(self, subject: Subject, *, rate: float = 0.5, seed: int = 0) -> None:
        super().__init__(subject, "restless", rate, seed)
        self.deterministic = False
        self.rate = rate
        self._rng = np.random.default_rng(seed)

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """The wrapped subject's answers, without some of the objects."""
        answers = detections_of(self.subject, images)
        return [answer[self._rng.random(len(answer)) >= self.rate] for answer in answers]
