"""Options of the method `requirements`."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from snellen.configuration import Options


class RequirementOptions(Options):
    """Options of the method `requirements`."""

    file: Path = Field(description="requirement file, written by `snellen requirements generate`")
    only: tuple[str, ...] = Field((), description="names of requirements to check; empty: all")
    samples: int = Field(
        4, ge=1, description="cases per scene and transformation, spread over visual change"
    )
    most: float = Field(
        1.0,
        gt=0,
        le=1,
        description="largest visual change of a case; the same cases serve every requirement",
    )
    iou: float = Field(0.5, gt=0, le=1, description="box IoU from which an object is found")
    mask_iou: float = Field(
        0.5, gt=0, le=1, description="mask IoU from which it is segmented (published: 0.25)"
    )
    minimal: float = Field(
        0.2, gt=0, lt=1, description="preservation: images changed up to this are the baseline"
    )
    hysteresis: float = Field(0.2, ge=0, le=1, description="score change needed for a hard event")
    controls: float = Field(
        0.1, ge=0, le=1, description="re-encoded scenes per case, a check that must not fail"
    )
