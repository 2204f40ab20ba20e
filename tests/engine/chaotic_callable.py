"""A Python callable with thirty-one ways to answer oddly or not at all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from snellen.vision.arrays import Image
from tests.engine.numbered_images import Schedule, answer_of

Answers = list[dict[str, Any]]
TIMEOUT = 1.0
HARMLESS = ("slow", "stdout flood", "stderr flood", "numpy answers", "changed images")
"""What is no fault at all."""


def raising(error: Exception) -> Callable[[Answers], Any]:
    def fail(_: Answers) -> Any:
        raise error

    return fail


def with_field(key: str, value: Any) -> Callable[[Answers], Any]:
    return lambda answers: [*answers[:-1], {**answers[-1], key: value}]


def printing(stream: str) -> Callable[[Answers], Any]:
    def flood(answers: Answers) -> Answers:
        getattr(sys, stream).write("flood " * 2_000 + "\n")
        return answers

    return flood


def late(answers: Answers) -> Answers:
    time.sleep(4 * TIMEOUT)
    return answers


def slow(answers: Answers) -> Answers:
    time.sleep(0.05)
    return answers


FAULTS: dict[str, Callable[[Answers], Any]] = {
    "value error": raising(ValueError("bad value")),
    "memory error": raising(MemoryError()),
    "stop iteration": raising(StopIteration(3)),
    "recursion": raising(RecursionError("too deep")),
    "control characters": raising(RuntimeError("caf\xe9 \x00 \x1b[31m")),
    "not UTF-8": raising(RuntimeError("caf\udce9")),
    "huge message": raising(RuntimeError("x" * 1_000_000)),
    "os error": raising(OSError(28, "No space left on device")),
    "nothing": lambda _: None,
    "text": lambda _: "no answer",
    "too few": lambda answers: answers[1:],
    "too many": lambda answers: [*answers, answers[0]],
    "other objects": lambda answers: [object() for _ in answers],
    "no scores": lambda answers: [{"boxes": one["boxes"]} for one in answers],
    "five columns": with_field("boxes", [[1, 2, 3, 4, 5]]),
    "ragged boxes": with_field("boxes", [[1, 2], [3]]),
    "nan box": with_field("boxes", [[1, 2, float("nan"), 4]]),
    "infinite score": with_field("scores", [float("inf")]),
    "score of 2": with_field("scores", [2.0]),
    "negative label": with_field("labels", [-1]),
    "label of no class": with_field("labels", [3]),
    "fraction of a label": with_field("labels", [0.5]),
    "text label": with_field("labels", ["a", "b"]),
    "more scores": with_field("scores", [0.9, 0.8]),
    "inverted box": with_field("boxes", [[30, 30, 10, 10]]),
    "late": late,
    "slow": slow,
    "stdout flood": printing("stdout"),
    "stderr flood": printing("stderr"),
    "numpy answers": lambda answers: [
        {key: np.array(value) for key, value in one.items()} for one in answers
    ],
    "changed images": lambda answers: answers,
}
SCHEDULE = Schedule([*FAULTS], always_once=["late", *HARMLESS])


class ChaoticCallable:
    """Answers with the number in each image, unless an image has a fault due."""

    def __init__(self) -> None:
        self._failed: set[int] = set()

    def __call__(self, images: Sequence[Image]) -> Any:
        numbers = [int.from_bytes(bytes(image[0, 0].tolist()), "big") for image in images]
        answers = [answer_of(number) for number in numbers]
        for image in images:
            image[:] = 0
        for number in numbers:
            fault = SCHEDULE.fault(number)
            if fault is None or (number in self._failed and not SCHEDULE.persistent(number)):
                continue
            self._failed.add(number)
            return FAULTS[fault](answers)
        return answers
