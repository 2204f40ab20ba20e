"""Options of a retraining set."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.statistics.clustering import NEIGHBOURS, RADIUS

MOST = 5
"""Insertions in one picture, as published: more overlap each other or the instance."""


class PlaceChoice(StrEnum):
    """Which failing places are taken: where they cluster first, or any."""

    CLUSTERS = "clusters"
    FAILING = "failing"


class SceneChoice(StrEnum):
    """Which scenes of the run are taken: those with a failing case, or every one tested."""

    FAILING = "failing"
    TESTED = "tested"


class RetrainingOptions(Options):
    """Options of a retraining set."""

    failing: int = Field(3, ge=0, le=MOST, description="failing places in a picture (f)")
    random: int = Field(0, ge=0, le=MOST, description="random free places in a picture (r)")
    at: PlaceChoice = Field(
        PlaceChoice.CLUSTERS, description="clusters: where failures cluster first; failing: any"
    )
    among: SceneChoice = Field(
        SceneChoice.FAILING, description="scenes with a failing case, or all that were tested"
    )
    pictures: int = Field(1, ge=1, description="at most so many of one scene, at other places")
    label_inserted: bool = Field(
        True, description="label the inserted objects; published: false, they stay unlabelled"
    )
    pseudo_labels: bool = Field(
        False, description="where a scene has no annotations, the subject's own answers"
    )
    radius: float = Field(
        RADIUS, gt=0, description="clusters: how far neighbours are, in diagonals of the instance"
    )
    neighbours: int = Field(
        NEIGHBOURS, ge=2, description="clusters: places within the radius, itself included"
    )
    seed: int = Field(1, ge=0, description="where all randomness comes from")

    @model_validator(mode="after")
    def _some(self) -> Self:
        total = self.failing + self.random
        if not 1 <= total <= MOST:
            raise ValueError(
                f"failing {self.failing} and random {self.random} give {total} insertions in a "
                f"picture, expected 1 to {MOST} together"
            )
        if self.failing and self.among == SceneChoice.TESTED:
            raise ValueError(
                "among 'tested' takes scenes without a failing place too, so it needs failing 0"
            )
        return self
