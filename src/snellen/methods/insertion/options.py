"""Options of the method `insertion`."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from snellen.changes.paste.insert import Blending
from snellen.configuration import Options
from snellen.methods.insertion.placement import Placement
from snellen.objects.selection import Policy, Sizing
from snellen.scenes.scene import PictureFile, Scene

SHADOW = 0.4
"""The strength of a contact shadow in a photograph."""


class Footing(StrEnum):
    """Where an object's base may stand: anywhere, on a region's mask, or as similar objects do.

    perspective: on ground like that under the object it is placed around, with a size that follows
    perspective.
    """

    ANYWHERE = "anywhere"
    REGION = "region"
    HEIGHT = "height"
    PERSPECTIVE = "perspective"


class RelocationTarget(StrEnum):
    """The target of relocation: the centroid of all objects (the paper) or of the same label."""

    CENTROID = "centroid"
    LABEL_CENTROID = "label-centroid"


class InsertionOptions(Options):
    """Options of the method `insertion`."""

    placement: Placement = Field(
        Placement.GUIDED, description="guided: around a detected object; random; grid"
    )
    per_object: int = Field(10, ge=1, description="insertions for each detected object")
    labels: Policy | tuple[str, ...] = Field(
        Policy.PRESENT, description="labels to insert: present, co-occurring, any, or a list"
    )
    variety: int = Field(1, ge=1, description="different objects per label; published: 1")
    sizing: Sizing = Field(
        Sizing.KEEP, description="keep: keep the aspect ratio; stretch: as published"
    )
    enlarged: float = Field(1.5, gt=0, description="maximum factor by which objects are enlarged")
    blending: Blending | None = Field(
        None,
        description="feather, hard, poisson, matched colours, or natural: matched blur, too; "
        "default: natural, on generated scenes feather",
    )
    shadow: float | None = Field(
        None,
        ge=0,
        le=1,
        description="share of the light that a contact shadow takes away; default: 0.4, on "
        "generated scenes 0",
    )
    feather: float = Field(1.5, ge=0, description="width of an object's soft edge in pixels")
    footing: Footing | None = Field(
        None,
        description="where bases stand: perspective (on like ground, size by distance), anywhere, "
        "region (the scene's mask), height (as others do); default: perspective, on generated "
        "scenes anywhere",
    )
    region_values: tuple[int, ...] = Field(
        (1, 2), description="mask values that are ground, where scenes have masks"
    )
    relocate: bool = Field(True, description="bisect from each failing place towards the target")
    target: RelocationTarget | tuple[int, int] = Field(
        RelocationTarget.CENTROID,
        description="target of relocation: centroid, label-centroid, or [x, y]",
    )
    controls: float = Field(
        0.2,
        ge=0,
        le=1,
        description="share of holding insertions with a control; failing ones always have one",
    )
    iou: float = Field(0.5, gt=0, le=1, description="IoU threshold for matching two boxes")
    hysteresis: float = Field(0.2, ge=0, le=1, description="minimum score change of a hard event")
    confirmations: int = Field(
        2, ge=1, description="repetitions to confirm a finding of a nondeterministic subject"
    )
    measures: tuple[str, ...] = Field((), description="measurements per case: seam, hog, change")
    as_published: bool = Field(
        False,
        description="as the authors did: judge by VOC AP = 100%, paste hard, stretch, prune",
    )

    def for_scene(self, scene: Scene) -> InsertionOptions:
        """These options with the defaults for a scene; a generated one has no ground."""
        photograph = isinstance(scene.picture, PictureFile)
        usual = {
            "blending": Blending.NATURAL if photograph else Blending.FEATHER,
            "shadow": SHADOW if photograph else 0.0,
            "footing": Footing.PERSPECTIVE if photograph else Footing.ANYWHERE,
        }
        unset = {name: value for name, value in usual.items() if getattr(self, name) is None}
        return self.model_copy(update=unset) if unset else self

    def published(self) -> InsertionOptions:
        """These options with the authors' values, if `as_published` is set."""
        if not self.as_published:
            return self
        return self.model_copy(
            update={
                "labels": Policy.PRESENT,
                "variety": 1,
                "sizing": Sizing.STRETCH,
                "blending": Blending.HARD,
                "shadow": 0.0,
                "footing": Footing.ANYWHERE,
                "enlarged": float("inf"),
                "target": RelocationTarget.LABEL_CENTROID,
            }
        )
