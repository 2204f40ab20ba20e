"""Options of the method `insertion`."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from snellen.changes.paste.insert import Blending
from snellen.configuration import Options
from snellen.methods.insertion.placement import Placement
from snellen.objects.selection import Policy, Sizing


class Footing(StrEnum):
    """Where an object's base may stand: anywhere, on a region's mask, or where its like stand."""

    ANYWHERE = "anywhere"
    REGION = "region"
    HEIGHT = "height"


class RelocationTarget(StrEnum):
    """Where relocation heads: the centroid of all objects (the paper) or of the same label."""

    CENTROID = "centroid"
    LABEL_CENTROID = "label-centroid"


class InsertionOptions(Options):
    """Options of the method `insertion`."""

    placement: Placement = Field(
        Placement.GUIDED, description="guided: around a detected object; random; grid"
    )
    per_object: int = Field(10, ge=1, description="insertions for each detected object")
    labels: Policy | tuple[str, ...] = Field(
        Policy.PRESENT, description="what is inserted: present, co-occurring, any, or a list"
    )
    variety: int = Field(1, ge=1, description="different objects a label; published: 1")
    sizing: Sizing = Field(Sizing.KEEP, description="keep the aspect ratio; stretch as published")
    enlarged: float = Field(2.0, gt=0, description="prefer objects enlarged no more than this")
    blending: Blending = Field(
        Blending.FEATHER, description="feather, hard, poisson, or matched colours"
    )
    feather: float = Field(1.5, ge=0, description="pixels over which an object's edge fades")
    footing: Footing = Field(
        Footing.ANYWHERE,
        description="where bases stand: anywhere, region (the scene's mask), height (as others do)",
    )
    region_values: tuple[int, ...] = Field(
        (1, 2), description="with footing region: mask values that can be stood on"
    )
    relocate: bool = Field(True, description="bisect from each failing place towards the target")
    target: RelocationTarget | tuple[int, int] = Field(
        RelocationTarget.CENTROID,
        description="where relocation heads: centroid, label-centroid, or [x, y]",
    )
    controls: float = Field(
        0.1, ge=0, le=1, description="controls for each case; must not fail, tell the noise"
    )
    iou: float = Field(0.5, gt=0, le=1, description="overlap at which two boxes are one object")
    hysteresis: float = Field(
        0.2, ge=0, le=1, description="a score must change by this for a hard event"
    )
    confirmations: int = Field(
        2, ge=1, description="how often a finding of an unsteady subject is asked again"
    )
    measures: tuple[str, ...] = Field(
        (), description="measurements of each case: seam, hog, change"
    )
    as_published: bool = Field(
        False, description="judge by VOC AP = 100%, paste hard, stretch, as the authors did"
    )

    def published(self) -> InsertionOptions:
        """These options with those that the authors fixed, if they are asked for."""
        if not self.as_published:
            return self
        return self.model_copy(
            update={
                "labels": Policy.PRESENT,
                "variety": 1,
                "sizing": Sizing.STRETCH,
                "blending": Blending.HARD,
                "target": RelocationTarget.LABEL_CENTROID,
            }
        )
