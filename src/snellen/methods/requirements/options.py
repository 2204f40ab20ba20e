"""Options of the method `requirements`."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from snellen.configuration import Options


class RequirementOptions(Options):
    """Options of the method `requirements`."""

    file: Path = Field(description="the requirements, as `snellen requirements generate` writes")
    only: tuple[str, ...] = Field((), description="names of those to check; none: all")
    samples: int = Field(
        4, ge=1, description="cases of each scene and transformation, spread over visual change"
    )
    iou: float = Field(0.5, gt=0, le=1, description="overlap of boxes at which an object is found")
    mask_iou: float = Field(
        0.5, gt=0, le=1, description="overlap of masks at which it is segmented (published: 0.25)"
    )
    minimal: float = Field(
        0.2, gt=0, lt=1, description="preservation: visual change up to which nothing may change"
    )
    hysteresis: float = Field(
        0.2, ge=0, le=1, description="a score must change by this for a hard event"
    )
    controls: float = Field(
        0.1, ge=0, le=1, description="controls for each case; must not fail, tell the noise"
    )
