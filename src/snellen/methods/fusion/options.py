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
    """Which sensors see what is inserted; one alone is the explicit test of inconsistency."""

    BOTH = "both"
    LIDAR = "lidar"
    CAMERA = "camera"


class FusionOptions(Options):
    """Options of the method `fusion`."""

    search: Search = Field(
        Search.INFORMED,
        description="informed: places that strain most, by geometry and what they led to; "
        "guided: MultiTest's Algorithm 1; random",
    )
    objects: int = Field(3, ge=1, le=20, description="insertions a frame, one after the other")
    tries: int = Field(5, ge=1, description="tries for each of them; published: 5")
    meshes: tuple[str, ...] | None = Field(
        None, description="kinds or names of what is inserted; else all whose class is known"
    )
    mesh_folder: Path | None = Field(
        None, description="a folder with meshes.yaml; else meshes of our own"
    )
    variants: int = Field(4, ge=1, description="different meshes of each kind of our own")
    weights: tuple[float, float, float] = Field(
        (0.5, 0.25, 0.25), description="of missed, false and displaced objects in the fitness"
    )
    reach: float = Field(120.0, gt=0, description="metres at which an error has no weight left")
    nearest: float = Field(6.0, gt=0, description="metres to an insertion, at least")
    farthest: float = Field(50.0, gt=0, le=62, description="metres to an insertion, at most")
    sector_degrees: tuple[float, float] = Field(
        (-45.0, 45.0), description="bearings of insertions, from straight on, left is positive"
    )
    behind: Literal["allow", "avoid", "only"] = Field(
        "allow",
        description="whether insertions may stand behind existing objects: allow, avoid, only",
    )
    traffic: Literal["right", "left"] = Field("right", description="the side that is driven on")
    road: dict[str, Any] | None = Field(
        None, description="a segmentation subject that must see the road where things stand"
    )
    road_class: str = Field("road", description="the class of it that is the road")
    demanded_points: int = Field(
        20, ge=1, description="an insertion must be found from so many LiDAR returns on"
    )
    demanded_share: float = Field(
        0.3, gt=0, le=1, description="and from this share of its pixels seen on"
    )
    hidden: float = Field(
        0.9, gt=0, le=1, description="share hidden from which an existing object is excused"
    )
    sensors: Sensors = Field(
        Sensors.BOTH, description="lidar or camera alone is a test of inconsistent input"
    )
    iou: float = Field(0.5, gt=0, le=1, description="3D overlap at which two boxes are one object")
    image_iou: float = Field(0.5, gt=0, le=1, description="the same of boxes in the image")
    hysteresis: float = Field(
        0.2, ge=0, le=1, description="a score must change by this for a hard event"
    )
    controls: float = Field(
        0.15, ge=0, le=1, description="controls for each case; must not fail, tell the noise"
    )
    confirmations: int = Field(
        2, ge=1, description="how often a finding of an unsteady subject is asked again"
    )
    as_published: bool = Field(
        False,
        description="MultiTest's search: guided, never behind, the sixth try taken anyway",
    )

    @model_validator(mode="after")
    def _ordered(self) -> FusionOptions:
        if self.nearest >= self.farthest:
            raise ValueError(f"nearest ({self.nearest}) must be below farthest ({self.farthest})")
        low, high = self.sector_degrees
        if not -180 <= low < high <= 180:
            raise ValueError(f"sector_degrees {low}, {high}: expected two rising angles to 180")
        if min(self.weights) < 0 or sum(self.weights) == 0:
            raise ValueError(f"weights {self.weights}: expected three of at least 0, not all 0")
        return self

    def published(self) -> FusionOptions:
        """These options with those that the authors fixed, if they are asked for."""
        if not self.as_published:
            return self
        fixed = {"search": Search.GUIDED, "behind": "avoid", "sensors": Sensors.BOTH}
        return self.model_copy(update=fixed)
