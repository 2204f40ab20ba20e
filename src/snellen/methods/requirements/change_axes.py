"""The visual changes to test, spread evenly from none to the largest threshold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from numpy.random import Generator

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.vision.visual_change.registry import visual_measure

SEEDS = 2**31
MEASURES = ("delta_v", "level")
"""What is measured of every changed image."""


@dataclass(frozen=True)
class ChangeAxis:
    """A transformation, the measure of its visual change, and the largest change to test."""

    transformation: str
    measure: str
    most: float


def axes_of(requirements: Iterable[Requirement]) -> tuple[ChangeAxis, ...]:
    """One axis per transformation and measure, up to the largest threshold of any requirement.

    Cases are built once and shared by all requirements, thresholds and subtasks.
    """
    most: dict[tuple[str, str], float] = {}
    for one in requirements:
        key = one.transformation, visual_measure(one.measure).identity
        most[key] = max(most.get(key, 0.0), one.threshold)
    return tuple(ChangeAxis(*key, value) for key, value in sorted(most.items()))


def sample_changes(axis: ChangeAxis, count: int, rng: Generator) -> list[CorruptTo]:
    """`count` cases of one scene, one in each of `count` equal parts of the range."""
    seed = int(rng.integers(SEEDS))
    return [
        CorruptTo(
            axis.transformation,
            round((place + float(rng.random())) * axis.most / count, 4),
            axis.measure,
            seed,
        )
        for place in range(count)
    ]
