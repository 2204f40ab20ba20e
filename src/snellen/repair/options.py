"""What a repair is to do, as one configuration file says."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.engine.options import EngineOptions
from snellen.methods.kind import REPAIR_METHOD
from snellen.repair.evaluation.repair_verdict import MARGIN
from snellen.repair.retraining.options import MOST, RetrainingOptions
from snellen.repair.training.options import TrainingOptions

Share = Annotated[float, Field(ge=0, le=1)]
TABLE_2 = ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
"""Failing and random insertions in a picture, the rows of the published table."""


class ArmKind(StrEnum):
    """The three ways to go on training that are compared, all from the same start."""

    MORE_TRAINING = "more-training"
    FAILING = "failing"
    SYNTHETIC = "synthetic"


class SplitOptions(Options):
    """How one set of scenes is divided; the shares are relative to their sum."""

    train: float = Field(0.5, gt=0, description="what the subject goes on training on")
    repair: float = Field(0.25, gt=0, description="tested, and repaired with what fails there")
    evaluate: float = Field(0.25, gt=0, description="held out: what before and after are told by")
    watch: float = Field(
        0.0, ge=0, description="held out too: what decides when iterated repair stops"
    )
    objects: float = Field(
        0.5, gt=0, lt=1, description="share of objects for repair, the others are for evaluation"
    )


class IterateOptions(Options):
    """How `--iterate` goes on and when it stops."""

    way: ArmKind = Field(ArmKind.FAILING, description="what each round trains on")
    patience: int = Field(
        1, ge=1, description="stop after so many rounds in which the failure rate does not fall"
    )

    @model_validator(mode="after")
    def _of_failures(self) -> Self:
        if self.way == ArmKind.MORE_TRAINING:
            raise ValueError("way: found 'more-training', which no test changes; use 'failing'")
        return self


class RepairFile(Options):
    """The keys of a repair's configuration, beside the method's own under its name."""

    method: str = Field(REPAIR_METHOD, description="how to test, by a method that offers repair")
    seed: int = Field(1, ge=0, description="where all randomness comes from")
    subject: dict[str, Any] = Field(description="the torch detector to repair; stays as it is")
    scenes: dict[str, Any] = Field(
        description="one set with `kind`, which is divided, or a set each under train, repair and "
        "evaluate"
    )
    split: SplitOptions = Field(SplitOptions(), description="how one set is divided")
    objects: dict[str, Any] | None = Field(
        None,
        description="what is inserted: one set, which is divided, or one each under repair and "
        "evaluate; none: cut out of the scenes",
    )
    configurations: tuple[ArmKind, ...] = Field(
        tuple(ArmKind), min_length=1, description=" | ".join(ArmKind)
    )
    retraining: RetrainingOptions = Field(
        default_factory=lambda: RetrainingOptions.model_validate({}),
        description="which insertions the repair pictures have",
    )
    training: TrainingOptions = Field(TrainingOptions(), description="how it is trained")
    unchanged: bool = Field(
        False, description="go on training on the repair scenes as they are, too, in every way"
    )
    validation: Share = Field(
        0.2, description="share of training and repair scenes that only the curves are drawn by"
    )
    grid: tuple[tuple[int, int], ...] = Field(
        TABLE_2, min_length=1, description="failing and random places a picture, with --grid"
    )
    iterate: IterateOptions = Field(IterateOptions(), description="with --iterate")
    fresh: bool = Field(
        True, description="test each repaired subject in a run of its own as well, at new places"
    )
    margin: Share = Field(MARGIN, description="clean AP that a repair may cost")
    ids_may_repeat: bool = Field(False, description="equal scene ids alone are no leak")
    engine: EngineOptions = Field(EngineOptions(), description="how tests are run")
    out: str = Field("repairs/snellen", description="the repair folder")
    base: str | None = Field(None, description="where relative paths start; the file's folder")
    skip_invalid: bool = Field(False, description="leave invalid scenes out, and count them")

    @model_validator(mode="after")
    def _of_the_grid(self) -> Self:
        for failing, random in self.grid:
            if min(failing, random) < 0 or not 1 <= failing + random <= MOST:
                raise ValueError(
                    f"grid: found [{failing}, {random}], expected failing and random places that "
                    f"are 1 to {MOST} together"
                )
        for name in ("configurations", "grid"):
            given = getattr(self, name)
            if len(set(given)) < len(given):
                raise ValueError(f"{name}: names the same one twice")
        return self
