"""Faults of steadiness: scores that flicker at the threshold, answers that differ each time."""

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
    """A subject whose scores of some objects jump about the operating threshold.

    An object (a label and a box in whole pixels) flickers or not, whatever else is in the image:
    the share that does is `rate`. The score of one that does hangs on the pixels: any change to the
    image moves it, within `swing` either side of the threshold. Same pixels, same score.
    """

    def __init__(
        self, subject: Subject, *, rate: float = 1.0, seed: int = 0, swing: float = 0.02
    ) -> None:
        super().__init__(subject, "flickers", subject.score, rate, seed, swing)
        self.rate, self.seed, self.swing = rate, seed, swing

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """The wrapped subject's answers, the scores of some objects near the threshold."""
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
    """A subject that answers differently each time: an object is left out with chance `rate`.

    The draws go on from call to call, so neither the same pixels nor the same order of questions
    bring an answer back; only a new subject with the same seed, asked the same again, does.
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
