"""Options of the method `combinations`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.methods.combinations.composition.compositions import Arrangement
from snellen.methods.combinations.covering.singles import SINGLES


class CombinationOptions(Options):
    """Options of the method `combinations`."""

    labels: tuple[str, ...] = Field(
        (), description="labels to combine; default: all of the subject's"
    )
    strength: int = Field(2, ge=2, le=6, description="size of the label combinations to cover")
    max_present: int = Field(4, ge=1, description="maximum labels present in an image")
    effort: Literal["quick", "normal", "thorough"] = Field(
        "normal", description="effort of the search for few rows"
    )
    rows: int | None = Field(
        None, ge=1, description="maximum number of rows; those that cover most are used"
    )
    forbid: tuple[tuple[str, ...], ...] = Field(
        (), description="lists of labels that are never shown together"
    )
    exclusive: tuple[tuple[str, ...], ...] = Field(
        (), description="groups of labels of which at most one is shown"
    )
    implies: dict[str, tuple[str, ...]] = Field(
        {}, description="by label, those that are always shown with it"
    )
    array: Path | None = Field(
        None, description="your own rows: a CSV file as written by `snellen cover`"
    )
    images: int = Field(10, ge=1, description="compositions per row")
    candidates: int = Field(
        3, ge=1, description="layouts drawn per composition; the most different one is used"
    )
    scale: tuple[float, float] = Field((0.5, 1.5), description="range of the scale of an object")
    sizing: Literal["equal", "own"] = Field(
        "equal", description="equal: objects are scaled from one area; own: from their own pixels"
    )
    enlarged: float = Field(1.5, gt=0, description="maximum factor by which objects are enlarged")
    overlap: float = Field(0.3, ge=0, lt=1, description="maximum hidden share of an object")
    longest: int = Field(640, ge=32, description="longest side of an image in pixels")
    margin: float = Field(0.05, ge=0, lt=0.5, description="free border, as a share of that side")
    background: str = Field(
        "white", description="white, #rrggbb, colours, gradients, or photographs (the scenes)"
    )
    feather: float = Field(1.0, ge=0, description="width of an object's soft edge in pixels")
    validated: bool = Field(
        True,
        description="use only objects that the subject labels exactly alone, large and small",
    )
    singles: int = Field(
        3,
        ge=0,
        description="objects per label to test that also get another label when shown alone",
    )
    controls: float = Field(
        0.1,
        ge=0,
        le=1,
        description="share of images of which one object is shown alone, to measure the noise",
    )
    diagnose: bool = Field(
        True, description="show the parts of each failing image to find the cause"
    )
    hysteresis: float = Field(
        0.2,
        ge=0,
        le=1,
        description="minimum distance of a score from the threshold for a hard event",
    )
    confirmations: int = Field(
        2, ge=1, description="repetitions to confirm a finding of a nondeterministic subject"
    )
    training: dict[str, Any] | None = Field(
        None, description="annotated scenes, to count how often labels occur together"
    )
    baseline: dict[str, Any] | None = Field(
        None,
        description="annotated scenes, of which as many as compositions are asked unchanged",
    )
    as_published: bool = Field(
        False,
        description="as the authors did: their array, own sizes, no border; any difference fails",
    )

    @field_validator("strength", mode="before")
    @classmethod
    def _combines(cls, strength: Any) -> Any:
        if strength == 1:
            raise ValueError(f"expected 2 to 6. {SINGLES}")
        return strength

    @model_validator(mode="after")
    def _looks_right(self) -> CombinationOptions:
        try:
            self.arrangement(("any",))
        except UserError as error:
            raise ValueError(str(error)) from None
        return self

    def published(self) -> CombinationOptions:
        """These options with the authors' values, if `as_published` is set."""
        if not self.as_published:
            return self
        fixed = {
            "sizing": "own",
            "margin": 0.0,
            "background": "white",
            "hysteresis": 0.0,
            "enlarged": math.inf,
            "singles": 0,
        }
        return self.model_copy(update=fixed)

    def arrangement(self, photographs: tuple[str, ...]) -> Arrangement:
        """The layout options; photographs: digests of the available backgrounds."""
        return Arrangement(
            scale=self.scale,
            overlap=self.overlap,
            longest=self.longest,
            margin=self.margin,
            sizing=self.sizing,
            background=self.background,
            photographs=photographs,
            feather=self.feather,
            enlarged=self.enlarged,
        )
