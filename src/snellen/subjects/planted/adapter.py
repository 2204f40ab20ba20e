"""How a configuration opens a planted subject."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.errors import UserError
from snellen.scenes.synthetic.generated_picture import MOST_CLASSES
from snellen.scenes.synthetic.generator import CLASSES
from snellen.subjects.multilabel_classifier import as_classifier
from snellen.subjects.planted.correlation_options import (
    CorrelationOptions,
    check_correlations,
    correlations_of,
)
from snellen.subjects.planted.correlations import CorrelatedClassifier
from snellen.subjects.planted.deviations import DeviatingSubject, Fault
from snellen.subjects.planted.failures import GarbledSubject, HangingSubject, Junk, RaisingSubject
from snellen.subjects.planted.instability import FlickeringSubject, RestlessSubject
from snellen.subjects.planted.perfect_classifier import PerfectClassifier
from snellen.subjects.planted.perfect_subject import PerfectSubject
from snellen.subjects.planted.victims import Victims
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Subject, Task


class Plant(StrEnum):
    """The fault to plant, or none."""

    NONE = "none"
    LOSES = "loses"
    PHANTOM = "phantom"
    RELABELS = "relabels"
    SHIFTS = "shifts"
    FLICKERS = "flickers"
    RESTLESS = "restless"
    RAISES = "raises"
    HANGS = "hangs"
    GARBAGE = "garbage"
    CORRELATES = "correlates"


BOXED = {Plant.LOSES, Plant.PHANTOM, Plant.RELABELS, Plant.SHIFTS, Plant.FLICKERS, Plant.RESTLESS}
"""Faults that strike an object by its box, so that a classifier with one is a detector inside."""


class PlantedOptions(CorrelationOptions):
    """Options of a planted subject."""

    kind: Literal["planted"] = "planted"
    fault: Plant = Field(default=Plant.NONE, description=" | ".join(Plant))
    rate: float | None = Field(
        default=None, ge=0, le=1, description="how often it strikes; null: always (restless: half)"
    )
    seed: int = Field(default=0, ge=0, description="decides where it strikes")
    victims: Victims = Field(default=Victims.NEIGHBOURS, description=" | ".join(Victims))
    distance: float = Field(default=10.0, ge=0, description="how near is near, in pixels")
    shift: float = Field(default=0.5, gt=0, le=1, description="shifts: by this share of a side")
    swing: float = Field(default=0.02, gt=0, le=0.5, description="flickers: so far either side")
    seconds: float = Field(default=3600.0, ge=0, description="hangs: for so long")
    garbage: Junk = Field(default=Junk.NAN, description="garbage: " + " | ".join(Junk))
    on_call: int | None = Field(
        default=None, ge=1, description="raises, hangs, garbage: on this call alone"
    )
    score: float = Field(default=0.5, ge=0, le=1, description="the operating threshold")
    confidence: float = Field(default=0.9, ge=0, le=1, description="every object's score")
    classes: tuple[str, ...] = Field(
        default=CLASSES, min_length=1, max_length=MOST_CLASSES, description="as the scenes' own"
    )
    sleep_ms: float = Field(default=0.0, ge=0, description="what an image takes beyond reading it")
    batch: int = Field(default=8, ge=1, description="images a call")
    task: Task = Field(default=Task.DETECTION, description=" | ".join(Task))


def open_planted(options: PlantedOptions | None = None) -> Subject:
    """A perfect subject on generated scenes, with the fault that the options name.

    >>> open_planted(PlantedOptions(fault="loses")).name
    'perfect, loses'
    """
    options = options or PlantedOptions()
    _check(options)
    return _failing(_deviating(_perfect(options), options), options)


def _perfect(options: PlantedOptions) -> Subject:
    """A subject without faults, for the task or, where the fault needs boxes, a detector."""
    sleep = options.sleep_ms / 1000
    classes, score, sure, batch = options.classes, options.score, options.confidence, options.batch
    if options.task == Task.LABELS and options.fault not in BOXED:
        return PerfectClassifier(classes, score, sure, batch, sleep)
    task = Task.DETECTION if options.task == Task.LABELS else options.task
    return PerfectSubject(classes, task, score, sure, batch, sleep)


def _deviating(subject: Subject, options: PlantedOptions) -> Subject:
    if options.fault == Plant.CORRELATES:
        return CorrelatedClassifier(
            subject,
            correlations_of(options, options.classes),
            with_others=options.with_others,
            rate=1.0 if options.rate is None else options.rate,
            seed=options.seed,
        )
    subject = _boxed(subject, options)
    return as_classifier(subject) if options.task == Task.LABELS else subject


def _boxed(subject: Subject, options: PlantedOptions) -> Subject:
    rate = 1.0 if options.rate is None else options.rate
    if options.fault.value in set(Fault):
        return DeviatingSubject(
            subject,
            Fault(options.fault),
            victims=options.victims,
            distance=options.distance,
            rate=rate,
            seed=options.seed,
            shift=options.shift,
        )
    if options.fault == Plant.FLICKERS:
        return FlickeringSubject(subject, rate=rate, seed=options.seed, swing=options.swing)
    if options.fault == Plant.RESTLESS:
        rate = 0.5 if options.rate is None else options.rate
        return RestlessSubject(subject, rate=rate, seed=options.seed)
    return subject


def _failing(subject: Subject, options: PlantedOptions) -> Subject:
    rate = 1.0 if options.rate is None else options.rate
    seed, call = options.seed, options.on_call
    makers: dict[Plant, Callable[[], Subject]] = {
        Plant.RAISES: lambda: RaisingSubject(subject, rate=rate, seed=seed, on_call=call),
        Plant.HANGS: lambda: HangingSubject(
            subject, seconds=options.seconds, rate=rate, seed=seed, on_call=call
        ),
        Plant.GARBAGE: lambda: GarbledSubject(
            subject, options.garbage, rate=rate, seed=seed, on_call=call
        ),
    }
    return makers[options.fault]() if options.fault in makers else subject


def _check(options: PlantedOptions) -> None:
    if options.fault in (Plant.RELABELS, Plant.PHANTOM) and len(options.classes) < 2:
        raise UserError(
            f"subject.fault: found '{options.fault}' with one class, but it needs another class to "
            "turn to. Give at least two classes."
        )
    if options.task == Task.LABELS and options.garbage == Junk.OUTSIDE:
        raise UserError(
            "subject.garbage: found 'outside' with task 'labels', but a label vector has no boxes. "
            "Choose nan, length, score or label."
        )
    check_correlations(options, options.fault, options.task)


def _open(options: PlantedOptions, folder: Path) -> Subject:  # noqa: ARG001
    return open_planted(options)


ADAPTER = Adapter(PlantedOptions, _open)
