"""`kind: planted`: opens a planted subject."""

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
from snellen.subjects.planted.deviations import DeviatingSubject, Deviation
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
"""Faults that strike an object by its box; a classifier with one wraps a detector."""


class PlantedOptions(CorrelationOptions):
    """Options of a planted subject."""

    kind: Literal["planted"] = "planted"
    fault: Plant = Field(default=Plant.NONE, description=" | ".join(Plant))
    rate: float | None = Field(
        default=None, ge=0, le=1, description="share struck; null: 1 (restless: 0.5)"
    )
    seed: int = Field(default=0, ge=0, description="seed of what is struck")
    victims: Victims = Field(default=Victims.NEIGHBOURS, description=" | ".join(Victims))
    distance: float = Field(default=10.0, ge=0, description="distance of neighbours in pixels")
    shift: float = Field(default=0.5, gt=0, le=1, description="shifts: by this share of a side")
    swing: float = Field(default=0.02, gt=0, le=0.5, description="flickers: amplitude of a score")
    seconds: float = Field(default=3600.0, ge=0, description="hangs: duration in seconds")
    garbage: Junk = Field(default=Junk.NAN, description="garbage: " + " | ".join(Junk))
    on_call: int | None = Field(
        default=None, ge=1, description="raises, hangs, garbage: only on this call"
    )
    score: float = Field(default=0.5, ge=0, le=1, description="operating threshold")
    confidence: float = Field(default=0.9, ge=0, le=1, description="score of every object")
    classes: tuple[str, ...] = Field(
        default=CLASSES, min_length=1, max_length=MOST_CLASSES, description="as in the scenes"
    )
    sleep_ms: float = Field(default=0.0, ge=0, description="additional milliseconds per image")
    batch: int = Field(default=8, ge=1, description="images per call")
    task: Task = Field(default=Task.DETECTION, description=" | ".join(Task))


def open_planted(options: PlantedOptions | None = None) -> Subject:
    """A perfect subject on generated scenes, with the fault of the options.

    >>> open_planted(PlantedOptions(fault="loses")).name
    'perfect, loses'
    """
    options = options or PlantedOptions()
    _check(options)
    return _failing(_deviating(_perfect(options), options), options)


def _perfect(options: PlantedOptions) -> Subject:
    """A subject without faults, for the task; a detector if the fault needs boxes."""
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
    if options.fault.value in set(Deviation):
        return DeviatingSubject(
            subject,
            Deviation(options.fault),
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
            f"subject.fault: found '{options.fault}' with one class, but it needs a second class. "
            "Give at least two in subject.classes."
        )
    if options.task == Task.LABELS and options.garbage == Junk.OUTSIDE:
        raise UserError(
            "subject.garbage: found 'outside' with task 'labels', but a label vector has no boxes. "
            "Choose nan, length, score or label."
        )
    check_correlations(options, options.fault, options.task)


def _open(options: PlantedOptions, folder: Path) -> Subject:  # noqa: ARG001
    return open_planted(options)


ADAPTER = Adapter(PlantedOptions, _open, runs=())
