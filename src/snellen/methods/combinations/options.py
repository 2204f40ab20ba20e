"""Options of the method `combinations`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.methods.combinations.composition.compositions import Arrangement


class CombinationOptions(Options):
    """Options of the method `combinations`."""

    labels: tuple[str, ...] = Field((), description="labels to combine; none: all of the subject's")
    strength: int = Field(2, ge=1, le=6, description="every combination of so many labels is shown")
    max_present: int = Field(4, ge=1, description="most labels present in an image")
    effort: Literal["quick", "normal", "thorough"] = Field(
        "normal", description="how hard to look for few rows"
    )
    rows: int | None = Field(None, ge=1, description="at most so many rows, those that cover most")
    forbid: tuple[tuple[str, ...], ...] = Field(
        (), description="labels that are never shown together, list by list"
    )
    exclusive: tuple[tuple[str, ...], ...] = Field(
        (), description="groups of labels of which at most one is shown"
    )
    array: Path | None = Field(
        None, description="rows of your own: a CSV file as `snellen cover` writes"
    )
    images: int = Field(10, ge=1, description="compositions of each row")
    candidates: int = Field(3, ge=1, description="layouts drawn for each, the most unlike is kept")
    scale: tuple[float, float] = Field((0.5, 1.5), description="least and most scale of an object")
    sizing: Literal["equal", "own"] = Field(
        "equal", description="equal: objects are scaled from one area; own: from their own pixels"
    )
    overlap: float = Field(
        0.3, ge=0, lt=1, description="the share of an object that may be hidden is below this"
    )
    longest: int = Field(640, ge=32, description="longest side of an image in pixels")
    margin: float = Field(0.05, ge=0, lt=0.5, description="free border, as a share of that side")
    background: str = Field(
        "white", description="white, #rrggbb, colours, gradients, or photographs (the scenes)"
    )
    feather: float = Field(1.0, ge=0, description="pixels over which an object's edge fades")
    validated: bool = Field(
        True, description="use only objects that the subject, shown each alone, labels exactly"
    )
    controls: float = Field(
        0.1, ge=0, le=1, description="images of which one object is shown alone; tells the noise"
    )
    diagnose: bool = Field(True, description="show the parts of each failing image, to tell why")
    hysteresis: float = Field(
        0.2, ge=0, le=1, description="a score must be this far beyond the threshold to be hard"
    )
    confirmations: int = Field(
        2, ge=1, description="how often a finding of an unsteady subject is asked again"
    )
    training: dict[str, Any] | None = Field(
        None, description="annotated scenes, to count how often labels occur together"
    )
    as_published: bool = Field(
        False, description="the published array, own sizes, no border; any difference fails"
    )

    @model_validator(mode="after")
    def _looks_right(self) -> CombinationOptions:
        try:
            self.arrangement(("any",))
        except UserError as error:
            raise ValueError(str(error)) from None
        return self

    def published(self) -> CombinationOptions:
        """These options with those that the authors fixed, if they are asked for."""
        if not self.as_published:
            return self
        fixed = {"sizing": "own", "margin": 0.0, "background": "white", "hysteresis": 0.0}
        return self.model_copy(update=fixed)

    def arrangement(self, photographs: tuple[str, ...]) -> Arrangement:
        """How compositions look; photographs: digests of the backgrounds there are."""
        return Arrangement(
            scale=self.scale,
            overlap=self.overlap,
            longest=self.longest,
            margin=self.margin,
            sizing=self.sizing,
            background=self.background,
            photographs=photographs,
            feather=self.feather,
        )
