"""Faults of a failing subject: it raises, hangs, or returns invalid answers."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from snellen.errors import SubjectError
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.subject import Prediction, Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.label_vector import LabelVector


class ImageFaultWrapper(Wrapper):
    """A wrapper that strikes whole images: a share of them by content, or a single call.

    rate: the share of the images, by their pixels and the seed. on_call: if given, replaces the
    rate: only the first image of this call of `predict` (from 1) is struck, so that a retry
    succeeds.
    """

    def __init__(
        self,
        subject: Subject,
        fault: str,
        *parameters: object,
        rate: float = 1.0,
        seed: int = 0,
        on_call: int | None = None,
    ) -> None:
        super().__init__(subject, fault, rate, seed, on_call, *parameters)
        self.fault, self.rate, self.seed, self.on_call = fault, rate, seed, on_call
        self._calls = itertools.count(1)

    def struck(self, images: Sequence[Image]) -> list[bool]:
        """Which images of this call are struck; increments the number of calls."""
        call = next(self._calls)
        if self.on_call is not None:
            return [call == self.on_call and index == 0 for index in range(len(images))]
        return [chance(self.seed, self.fault, image_digest(image)) < self.rate for image in images]


class RaisingSubject(ImageFaultWrapper):
    """A subject that raises if a struck image is in the batch."""

    def __init__(
        self, subject: Subject, *, rate: float = 1.0, seed: int = 0, on_call: int | None = None
    ) -> None:
        super().__init__(subject, "raises", rate=rate, seed=seed, on_call=on_call)

    def predict(self, images: Sequence[Image]) -> Sequence[Prediction]:
        """The wrapped subject's answers, or a `SubjectError`."""
        struck = self.struck(images)
        if any(struck):
            raise SubjectError(
                f"a planted fault: raised for image {struck.index(True)} of the batch"
            )
        return self.subject.predict(images)


class HangingSubject(ImageFaultWrapper):
    """A subject that sleeps `seconds` per struck image before it answers.

    `restart()` and `close()` end the sleep, as killing a program would.
    """

    def __init__(
        self,
        subject: Subject,
        *,
        seconds: float = 3600.0,
        rate: float = 1.0,
        seed: int = 0,
        on_call: int | None = None,
    ) -> None:
        super().__init__(subject, "hangs", seconds, rate=rate, seed=seed, on_call=on_call)
        self.seconds = seconds
        self._waking = 0

    def predict(self, images: Sequence[Image]) -> Sequence[Prediction]:
        """The wrapped subject's answers, delayed."""
        end = time.monotonic() + self.seconds * sum(self.struck(images))
        waking = self._waking
        while (left := end - time.monotonic()) > 0 and self._waking == waking:
            time.sleep(min(left, 0.01))
        return self.subject.predict(images)

    def restart(self) -> None:
        """End the current sleep, if any."""
        self._waking += 1
        super().restart()

    def close(self) -> None:
        """End the sleep and close the wrapped subject."""
        self._waking += 1
        super().close()


class Junk(StrEnum):
    """The defect of an invalid answer.

    nan: boxes or scores are NaN. outside: boxes outside the image. length: no answer for the image,
    so one too few for the batch. score: scores above 1. label: labels beyond the classes (for label
    vectors: one score too many).
    """

    NAN = "nan"
    OUTSIDE = "outside"
    LENGTH = "length"
    SCORE = "score"
    LABEL = "label"


class GarbledSubject(ImageFaultWrapper):
    """A subject that returns invalid answers for struck images with objects."""

    def __init__(
        self,
        subject: Subject,
        junk: Junk = Junk.NAN,
        *,
        rate: float = 1.0,
        seed: int = 0,
        on_call: int | None = None,
    ) -> None:
        super().__init__(subject, "garbage", junk, rate=rate, seed=seed, on_call=on_call)
        self.junk = junk

    def predict(self, images: Sequence[Image]) -> Sequence[Prediction]:
        """The wrapped subject's answers, some of them invalid."""
        answers = self.subject.predict(images)
        out: list[Prediction] = []
        for image, answer, struck in zip(images, answers, self.struck(images), strict=True):
            if not struck:
                out.append(answer)
            elif self.junk != Junk.LENGTH:
                out.append(self._garbled(answer, image))
        return out

    def _garbled(self, answer: Prediction, image: Image) -> Prediction:
        if isinstance(answer, LabelVector):
            return _garbled_scores(answer, self.junk)
        if isinstance(answer, Detections3D):
            return replace(answer, boxes=np.full_like(answer.boxes, np.nan))
        if self.junk == Junk.NAN:
            return replace(answer, boxes=np.full_like(answer.boxes, np.nan))
        if self.junk == Junk.OUTSIDE:
            return replace(answer, boxes=answer.boxes + np.float32(max(image.shape)))
        if self.junk == Junk.SCORE:
            return replace(answer, scores=answer.scores + np.float32(1))
        return Detections(
            answer.boxes, answer.labels + len(self.classes), answer.scores, answer.masks
        )


def _garbled_scores(answer: LabelVector, junk: Junk) -> LabelVector:
    if junk == Junk.NAN:
        return LabelVector(np.full_like(answer.scores, np.nan))
    if junk == Junk.SCORE:
        return LabelVector(answer.scores + np.float32(1))
    return LabelVector(np.append(answer.scores, np.float32(0.5)))
