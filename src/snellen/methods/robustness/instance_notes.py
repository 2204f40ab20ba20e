"""The notes of base instances in a journal, as typed values."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from snellen.store.estimate import Estimate
from snellen.store.journal import Journal


class _Note(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class UncertaintyNote(_Note):
    """The uncertainty of an instance, see `snellen.vision.uncertainty.Uncertainty`."""

    total: float
    box_trace: float
    box_entropy: float
    class_entropy: float
    mutual_information: float
    found: float


class ClusterNote(_Note):
    """The clusters of an instance's failing places; sizes: largest first."""

    clusterable: bool
    share: float
    p_value: float | None
    sizes: list[int]


class InstanceCounts(_Note):
    """A base instance with its counts of tests. box: xyxy in pixels of its scene."""

    scene: str
    score: float
    box: tuple[float, float, float, float]
    uncertainty: UncertaintyNote | None
    tests: int
    failing: int


class InstanceNote(InstanceCounts):
    """All results of a base instance.

    points: of its contour, x and y. heat: a PNG file in Base64. as_published: tests with any
    change. Distances in pixels. why: the reason it has no tests, or "".
    """

    base: int
    name: str
    contour: str
    points: list[tuple[float, float]]
    heat: str | None
    start: float | None
    reach: float | None
    why: str
    truth_iou: float | None
    rate: Estimate
    as_published: int
    smallest_failing_distance: float | None
    largest_failing_distance: float | None
    smallest_holding_distance: float | None
    clusters: ClusterNote


def instances_of(journal: Journal) -> list[InstanceNote]:
    """The notes of all base instances, with their scenes, in the order of the units."""
    rows = journal.rows("SELECT scene, notes FROM units WHERE status = 'done' ORDER BY number")
    return [
        InstanceNote.model_validate({"scene": scene, **one})
        for scene, notes in rows
        for one in json.loads(notes).get("instances") or ()
    ]


def ranked(instances: Sequence[InstanceNote]) -> list[InstanceNote]:
    """The instances, least robust first; ties by number of tests."""
    return sorted(
        instances,
        key=lambda one: (-(one.rate.value or 0), -one.rate.low, one.scene, one.base),
    )
