"""Options of the method `robustness`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from snellen.changes.paste.blending import Blending
from snellen.configuration import Options

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]


class Contour(StrEnum):
    """What distances are measured to: the edge of what the subject's answer rests on, or a shape.

    auto: grad-cam where the subject explains itself, else its box. saliency: random masks, for any
    subject, at the price of their questions.
    """

    AUTO = "auto"
    GRAD_CAM = "grad-cam"
    SALIENCY = "saliency"
    MASK = "mask"
    BOX = "box"


class Passes(StrEnum):
    """Where uncertainty comes from. auto: dropout where the subject draws, else views."""

    AUTO = "auto"
    DROPOUT = "dropout"
    VIEWS = "views"
    NONE = "none"


class Start(StrEnum):
    """How far off the farthest level is: one diagonal of the instance, or as far as can be."""

    DIAGONAL = "diagonal"
    FARTHEST = "farthest"


class Labels(StrEnum):
    """Which labels are inserted: any, that of the base instance, or any but that."""

    ANY = "any"
    SAME = "same"
    OTHER = "other"


class SaliencyOptions(Options):
    """Random masks for a contour from black-box saliency."""

    masks: int = Field(300, ge=10, description="questions a scene")
    grid: tuple[int, int] = Field((16, 16), description="cells down and across")
    keep: float = Field(0.5, gt=0, lt=1, description="share of cells that is shown")


class ClusterOptions(Options):
    """When failing places form a cluster (DBSCAN)."""

    radius: float = Field(0.25, gt=0, description="of the instance's diagonal, between neighbours")
    neighbours: int = Field(5, ge=2, description="places that make a cluster, itself included")
    share: float = Field(0.5, gt=0, le=1, description="of failures in one cluster: clusterable")


PUBLISHED = {"tests_per_level": 100, "blending": Blending.HARD}
"""What `as_published` means beside how tests are judged."""


class RobustnessOptions(Options):
    """Options of the method `robustness`."""

    score: float = Field(0.7, ge=0, le=1, description="lowest score of a base instance")
    per_scene: int = Field(3, ge=1, description="base instances of a scene at most, drawn")
    tests_per_level: int = Field(10, ge=1, description="insertions at each level; published: 100")
    levels: tuple[Share, ...] = Field(
        (1.0, 0.5, 0.25, 0.125, 0.0),
        min_length=1,
        description="shares of the start distance, halved towards the contour",
    )
    start: Start = Field(Start.DIAGONAL, description="the start distance: diagonal or farthest")
    tolerance: float = Field(
        0.02, ge=0, lt=0.5, description="how exactly a distance is kept, in start distances"
    )
    contour: Contour = Field(Contour.AUTO, description=" | ".join(Contour))
    threshold: Annotated[float, Field(gt=0, le=1)] | Literal["otsu"] = Field(
        0.5, description="share of a heat map's maximum from which it is warm, or otsu"
    )
    points: int = Field(64, ge=8, description="points that a contour is sampled at")
    cover: float = Field(
        0.0, ge=0, lt=1, description="share of the base instance that may be covered; 0: nothing"
    )
    saliency: SaliencyOptions = Field(
        default_factory=SaliencyOptions, description="random masks, with contour saliency"
    )
    uncertainty: Passes = Field(Passes.AUTO, description=" | ".join(Passes))
    passes: int = Field(10, ge=2, description="stochastic passes or views of a scene")
    labels: Labels | tuple[str, ...] = Field(
        Labels.ANY, description="what is inserted: any, same, other, or a list"
    )
    variety: int = Field(3, ge=1, description="different objects around an instance")
    alike: int = Field(
        50, ge=1, description="objects drawn, of which those most like the surroundings are taken"
    )
    size_ratio: tuple[Positive, Positive] = Field(
        (0.3, 1.0), description="area of an inserted object by that of the base, drawn between"
    )
    enlarged: float = Field(2.0, gt=0, description="prefer objects enlarged no more than this")
    inserting_score: tuple[Share, Share] | None = Field(
        None, description="only objects that score this, alone on grey"
    )
    inserting_uncertainty: tuple[float, float] | None = Field(
        None, description="only objects with this total uncertainty, alone on grey"
    )
    ask_alone: bool = Field(
        False, description="ask about each object alone, for its score and uncertainty"
    )
    blending: Blending = Field(
        Blending.FEATHER, description="feather, hard, poisson, or matched colours"
    )
    feather: float = Field(1.5, ge=0, description="pixels over which an object's edge fades")
    controls: float = Field(
        0.1, ge=0, le=1, description="controls for each case; must not fail, tell the noise"
    )
    iou: float = Field(0.5, gt=0, le=1, description="overlap from which a box is in its place")
    hysteresis: float = Field(
        0.2, ge=0, le=1, description="a score must change by this for a hard event"
    )
    confirmations: int = Field(
        2, ge=1, description="how often a finding of an unsteady subject is asked again"
    )
    clusters: ClusterOptions = Field(
        default_factory=ClusterOptions, description="when failing places form a cluster"
    )
    as_published: bool = Field(
        False, description="100 tests a level, pasted hard, any change of the base a failure"
    )

    @model_validator(mode="before")
    @classmethod
    def _published(cls, given: Any) -> Any:
        """With what the authors fixed, where that is asked for and nothing else is given."""
        if not (isinstance(given, Mapping) and given.get("as_published")):
            return given
        return {**PUBLISHED, **given}

    @model_validator(mode="after")
    def _ordered(self) -> RobustnessOptions:
        for name in ("size_ratio", "inserting_score", "inserting_uncertainty"):
            limits = getattr(self, name)
            if limits is not None and limits[0] > limits[1]:
                raise ValueError(f"{name}: found {list(limits)}, expected the smaller number first")
        if len(set(self.levels)) < len(self.levels):
            raise ValueError(f"levels: found {list(self.levels)}, expected different shares")
        return self

    @property
    def shares(self) -> tuple[float, ...]:
        """The levels' shares, level 1 (the nearest) first."""
        return tuple(sorted(self.levels))

    @property
    def alone(self) -> bool:
        """Whether objects are asked about alone."""
        return self.ask_alone or not (self.inserting_score is self.inserting_uncertainty is None)
