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
    """What distances are measured to: the edge of the salient region, or a shape.

    auto: grad-cam where the subject has gradients, else its box. saliency: random masks, for any
    subject, at the cost of their questions.
    """

    AUTO = "auto"
    GRAD_CAM = "grad-cam"
    SALIENCY = "saliency"
    MASK = "mask"
    BOX = "box"


class Passes(StrEnum):
    """Where uncertainty comes from. auto: dropout where the subject supports it, else views."""

    AUTO = "auto"
    DROPOUT = "dropout"
    VIEWS = "views"
    NONE = "none"


class Start(StrEnum):
    """The distance of the farthest level: the instance's diagonal, or as far as possible."""

    DIAGONAL = "diagonal"
    FARTHEST = "farthest"


class Labels(StrEnum):
    """Which labels are inserted: any, that of the base instance, or any other."""

    ANY = "any"
    SAME = "same"
    OTHER = "other"


class SaliencyOptions(Options):
    """Random masks for a contour from black-box saliency."""

    masks: int = Field(300, ge=10, description="questions per scene")
    grid: tuple[int, int] = Field((16, 16), description="rows and columns of the mask grid")
    keep: float = Field(0.5, gt=0, lt=1, description="share of cells left visible")


class ClusterOptions(Options):
    """When failing places form a cluster (DBSCAN)."""

    radius: float = Field(
        0.25, gt=0, description="DBSCAN radius as a share of the instance's diagonal"
    )
    neighbours: int = Field(5, ge=2, description="minimum places of a cluster, including itself")
    share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="share of failures in one cluster to call an instance clusterable",
    )


PUBLISHED = {"tests_per_level": 100, "blending": Blending.HARD}
"""What `as_published` sets besides how tests are judged."""


class RobustnessOptions(Options):
    """Options of the method `robustness`."""

    score: float = Field(0.7, ge=0, le=1, description="minimum score of a base instance")
    per_scene: int = Field(3, ge=1, description="maximum base instances per scene, drawn at random")
    tests_per_level: int = Field(10, ge=1, description="insertions per level; published: 100")
    levels: tuple[Share, ...] = Field(
        (1.0, 0.5, 0.25, 0.125, 0.0),
        min_length=1,
        description="shares of the start distance, halved towards the contour",
    )
    start: Start = Field(Start.DIAGONAL, description="the start distance: diagonal or farthest")
    tolerance: float = Field(
        0.02, ge=0, lt=0.5, description="tolerance of a distance, as a share of the start distance"
    )
    contour: Contour = Field(Contour.AUTO, description=" | ".join(Contour))
    threshold: Annotated[float, Field(gt=0, le=1)] | Literal["otsu"] = Field(
        0.5, description="threshold of a heat map as a share of its maximum, or otsu"
    )
    points: int = Field(64, ge=8, description="sample points of a contour")
    cover: float = Field(
        0.0, ge=0, lt=1, description="share of the base instance that may be covered; 0: nothing"
    )
    saliency: SaliencyOptions = Field(
        default_factory=SaliencyOptions, description="random masks, for contour: saliency"
    )
    uncertainty: Passes = Field(Passes.AUTO, description=" | ".join(Passes))
    passes: int = Field(10, ge=2, description="stochastic passes or views per scene")
    labels: Labels | tuple[str, ...] = Field(
        Labels.ANY, description="labels to insert: any, same, other, or a list"
    )
    variety: int = Field(3, ge=1, description="different objects per instance")
    alike: int = Field(
        50,
        ge=1,
        description="objects drawn, of which those most similar to the surroundings are used",
    )
    size_ratio: tuple[Positive, Positive] = Field(
        (0.3, 1.0), description="range of an inserted object's area relative to the base instance"
    )
    enlarged: float = Field(1.5, gt=0, description="maximum factor by which objects are enlarged")
    inserting_score: tuple[Share, Share] | None = Field(
        None, description="use only objects with a score in this range, alone on grey"
    )
    inserting_uncertainty: tuple[float, float] | None = Field(
        None, description="use only objects with total uncertainty in this range, alone on grey"
    )
    ask_alone: bool = Field(
        False, description="ask about each object alone, for its score and uncertainty"
    )
    blending: Blending = Field(
        Blending.FEATHER, description="feather, hard, poisson, or matched colours"
    )
    feather: float = Field(1.5, ge=0, description="width of an object's soft edge in pixels")
    controls: float = Field(
        0.2,
        ge=0,
        le=1,
        description="share of holding tests with a control; failing ones always have one",
    )
    iou: float = Field(
        0.5, gt=0, le=1, description="IoU threshold at which a box counts as unmoved"
    )
    hysteresis: float = Field(0.2, ge=0, le=1, description="minimum score change of a hard event")
    confirmations: int = Field(
        2, ge=1, description="repetitions to confirm a finding of a nondeterministic subject"
    )
    clusters: ClusterOptions = Field(
        default_factory=ClusterOptions, description="when failing places form a cluster"
    )
    as_published: bool = Field(
        False, description="as the authors did: 100 tests per level, paste hard, any change fails"
    )

    @model_validator(mode="before")
    @classmethod
    def _published(cls, given: Any) -> Any:
        """The given values, with the authors' where `as_published` is set and none is given."""
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
