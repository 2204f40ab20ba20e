"""Options of the method `fusion`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from snellen.configuration import Options


class Search(StrEnum):
    """How the next insertion is chosen."""

    INFORMED = "informed"
    GUIDED = "guided"
    RANDOM = "random"


class Sensors(StrEnum):
    """Which sensors see the inserted objects; one alone tests inconsistent input."""

    BOTH = "both"
    LIDAR = "lidar"
    CAMERA = "camera"


class FusionOptions(Options):
    """Options of the method `fusion`."""

    search: Search = Field(
        Search.INFORMED,
        description="informed: the hardest places, by geometry and earlier outcomes; "
        "guided: MultiTest's Algorithm 1; random",
    )
    objects: int = Field(3, ge=1, le=20, description="insertions per frame, one after the other")
    tries: int = Field(5, ge=1, description="attempts per insertion; published: 5")
    meshes: tuple[str, ...] | None = Field(
        None, description="kinds or names of meshes; default: all whose class the subject has"
    )
    mesh_folder: Path | None = Field(
        None, description="a folder with meshes.yaml; default: the built-in meshes"
    )
    variants: int = Field(4, ge=1, description="variants of each kind of built-in mesh")
    weights: tuple[float, float, float] = Field(
        (0.5, 0.25, 0.25),
        description="weights of missed, false and displaced objects in the fitness",
    )
    reach: float = Field(
        120.0, gt=0, description="distance in metres beyond which an error has no weight"
    )
    nearest: float = Field(6.0, gt=0, description="minimum distance of an insertion in metres")
    farthest: float = Field(
        50.0, gt=0, le=62, description="maximum distance of an insertion in metres"
    )
    sector_degrees: tuple[float, float] = Field(
        (-45.0, 45.0),
        description="range of bearings of insertions; 0 is straight ahead, left is positive",
    )
    behind: Literal["allow", "avoid", "only"] = Field(
        "allow",
        description="whether insertions may stand behind existing objects: allow, avoid, only",
    )
    traffic: Literal["right", "left"] = Field(
        "right", description="the side of the road that traffic drives on"
    )
    road: dict[str, Any] | None = Field(
        None, description="a segmentation subject that must confirm the road under insertions"
    )
    road_class: str = Field("road", description="the road class of that segmentation subject")
    demanded_points: int = Field(
        20, ge=1, description="minimum LiDAR returns of an insertion that must be detected"
    )
    demanded_share: float = Field(
        0.3, gt=0, le=1, description="minimum visible share of its pixels"
    )
    hidden: float = Field(
        0.9, gt=0, le=1, description="hidden share beyond which an existing object may be lost"
    )
    sensors: Sensors = Field(
        Sensors.BOTH, description="both; lidar or camera alone tests inconsistent input"
    )
    iou: float = Field(0.5, gt=0, le=1, description="3D IoU threshold for matching two boxes")
    image_iou: float = Field(
        0.5, gt=0, le=1, description="IoU threshold for matching two boxes in the image"
    )
    hysteresis: float = Field(0.2, ge=0, le=1, description="minimum score change of a hard event")
    controls: float = Field(
        0.2,
        ge=0,
        le=1,
        description="chance of a null, background in the same silhouette, for a test that holds; "
        "every failing test has one",
    )
    checks: int = Field(1, ge=0, description="checks of the tool per frame; never compared with")
    confirmations: int = Field(
        2, ge=1, description="repetitions to confirm a finding of a nondeterministic subject"
    )
    as_published: bool = Field(
        False,
        description="MultiTest's search: guided, never behind, last attempt always accepted",
    )

    @model_validator(mode="after")
    def _ordered(self) -> FusionOptions:
        if self.nearest >= self.farthest:
            raise ValueError(f"nearest ({self.nearest}) must be below farthest ({self.farthest})")
        low, high = self.sector_degrees
        if not -180 <= low < high <= 180:
            raise ValueError(
                f"sector_degrees: found [{low}, {high}], expected two increasing angles up to 180"
            )
        if min(self.weights) < 0 or sum(self.weights) == 0:
            raise ValueError(
                f"weights: found {self.weights}, expected three numbers of at least 0, not all 0"
            )
        return self

    def published(self) -> FusionOptions:
        """These options with the authors' values, if `as_published` is set."""
        if not self.as_published:
            return self
        fixed = {"search": Search.GUIDED, "behind": "avoid", "sensors": Sensors.BOTH}
        return self.model_copy(update=fixed)
