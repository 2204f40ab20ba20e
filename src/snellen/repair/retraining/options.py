"""Options of a retraining set."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.statistics.clustering import NEIGHBOURS, RADIUS

MOST = 5
"""Most insertions per picture, as published: more would overlap."""


class PlaceChoice(StrEnum):
    """Which failing places are used: clusters first, or any."""

    CLUSTERS = "clusters"
    FAILING = "failing"


class SceneChoice(StrEnum):
    """Which scenes of the run are used: those with a failing case, or all."""

    FAILING = "failing"
    TESTED = "tested"


class RetrainingOptions(Options):
    """Options of a retraining set."""

    failing: int = Field(3, ge=0, le=MOST, description="failing places per picture (f)")
    random: int = Field(0, ge=0, le=MOST, description="random free places per picture (r)")
    at: PlaceChoice = Field(
        PlaceChoice.CLUSTERS, description="failing places to use: clusters (first) | failing (any)"
    )
    among: SceneChoice = Field(
        SceneChoice.FAILING, description="scenes with a failing case, or all tested scenes"
    )
    pictures: int = Field(1, ge=1, description="most pictures per scene, at different places")
    label_inserted: bool = Field(True, description="label inserted objects; false as published")
    pseudo_labels: bool = Field(
        False, description="label scenes without annotations with the subject's detections"
    )
    radius: float = Field(
        RADIUS, gt=0, description="clusters: DBSCAN radius, in diagonals of the instance"
    )
    neighbours: int = Field(
        NEIGHBOURS, ge=2, description="clusters: DBSCAN least places within the radius"
    )
    seed: int = Field(1, ge=0, description="seed of all random numbers")

    @model_validator(mode="after")
    def _some(self) -> Self:
        total = self.failing + self.random
        if not 1 <= total <= MOST:
            raise ValueError(
                f"failing {self.failing} and random {self.random} give {total} insertions per "
                f"picture, expected 1 to {MOST}"
            )
        if self.failing and self.among == SceneChoice.TESTED:
            raise ValueError(
                "among 'tested' includes scenes without a failing place, so it needs failing 0"
            )
        return self
