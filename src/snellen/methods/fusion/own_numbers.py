"""The numbers of a camera+LiDAR run beyond the failure rate, as typed values."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from snellen.store.estimate import Estimate
from snellen.store.number_model import NumberModel
from snellen.vision.kitti.evaluation_pairs import OverlapMetric
from snellen.vision.kitti.multitest_errors import ErrorClass

Procedure = Literal["benchmark", "definition"]
"""KITTI's procedure for average precision, or one in which every score is a threshold."""


class ViewCounts(NumberModel):
    """The number of events in 3D and in the image."""

    solid: int = Field(alias="3d")
    image: int


class RatedCases(NumberModel):
    """The failure rate of some cases, with its counts."""

    cases: int
    failing: int
    rate: Estimate


class _Range(NumberModel):
    low: int
    high: int


class DistanceBand(RatedCases, _Range):
    """The failure rate by distance of the last insertion, from `low` up to `high` metres.

    The fields of the last base come first.
    """


class _Objects(NumberModel):
    objects: int


class ChainLength(RatedCases, _Objects):
    """The failure rate of cases with `objects` insertions, and the accepted ones among them.

    fitness, highest_fitness: mean and maximum of the accepted ones, None without any.
    """

    kept: int
    fitness: float | None
    highest_fitness: float | None


class SearchNumbers(NumberModel):
    """The search: insertions tried and accepted, chains, and frames without room for more."""

    insertions: int
    kept: int
    chains: int
    chains_with_kept: int
    failing_ends: int
    longest: int
    frames_full: int


class Agreement(NumberModel):
    """Mean agreement of camera and LiDAR on the inserted objects; None where unknown."""

    modality_consistency: float | None
    visibility_gap: float | None


class CountChange(NumberModel):
    """A count before and with insertions."""

    before: int
    after: int


class PrecisionDrop(NumberModel):
    """Average precision before and with insertions, in percent; None without objects."""

    before: float | None
    after: float | None
    drop: float | None


class ViewPrecision(NumberModel):
    """One class in one view against the labels; overlap: the minimum of a correct detection."""

    overlap: float
    procedure: Procedure
    objects: CountChange
    ap: PrecisionDrop
    errors: dict[ErrorClass, CountChange]


class PrecisionNumbers(NumberModel):
    """Average precision and errors by class and view; cases: how many were rebuilt."""

    cases: int
    classes: dict[str, dict[OverlapMetric, ViewPrecision]]


class FusionNumbers(NumberModel):
    """The numbers of a run.

    errors: by class of error; events: by kind. by_kind: by kind of the last inserted mesh, worst
    first. precision: None where the cases cannot be rebuilt.
    """

    errors: dict[str, ViewCounts]
    events: dict[str, ViewCounts]
    by_distance: tuple[DistanceBand, ...]
    by_kind: dict[str, RatedCases]
    by_objects: tuple[ChainLength, ...]
    search: SearchNumbers
    agreement: Agreement
    precision: PrecisionNumbers | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values for a summary, without `precision` where there is none."""
        absent = {"precision"} if self.precision is None else None
        return self.model_dump(mode="json", by_alias=True, exclude=absent)
