"""The configuration of a repair."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.engine.options import EngineOptions
from snellen.methods.defaults import REPAIR_METHOD
from snellen.repair.evaluation.repair_verdict import MARGIN
from snellen.repair.retraining.options import MOST, RetrainingOptions
from snellen.repair.training.options import TrainingOptions

Share = Annotated[float, Field(ge=0, le=1)]
TABLE_2 = ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
"""Failing and random insertions per picture: the rows of the published table."""


class ArmKind(StrEnum):
    """The three arms of a repair, which start from the same weights."""

    MORE_TRAINING = "more-training"
    FAILING = "failing"
    SYNTHETIC = "synthetic"


class SplitOptions(Options):
    """How one set of scenes is split; the shares are relative to their sum."""

    train: float = Field(0.5, gt=0, description="scenes for continued training")
    repair: float = Field(0.25, gt=0, description="scenes to test; failures become repair pictures")
    evaluate: float = Field(0.25, gt=0, description="held out, for the before/after comparison")
    watch: float = Field(0.0, ge=0, description="held out, to decide when iterated repair stops")
    objects: float = Field(
        0.5, gt=0, lt=1, description="share of objects for repair; the rest are for evaluation"
    )


class IterateOptions(Options):
    """Options of `--iterate`."""

    way: ArmKind = Field(ArmKind.FAILING, description="what each round trains on")
    patience: int = Field(
        1, ge=1, description="stop after this many rounds without a fall in the failure rate"
    )

    @model_validator(mode="after")
    def _of_failures(self) -> Self:
        if self.way == ArmKind.MORE_TRAINING:
            raise ValueError(
                "way: found 'more-training', which does not depend on tests; use 'failing'"
            )
        return self


class RepairFile(Options):
    """The keys of a repair's configuration; the method's options stand under its name."""

    method: str = Field(REPAIR_METHOD, description="the method; it must support repair")
    seed: int = Field(1, ge=0, description="seed of all random numbers")
    subject: dict[str, Any] = Field(description="the torch detector to repair; it is not changed")
    scenes: dict[str, Any] = Field(
        description="one set with `kind`, to be split, or one set each under train, repair and "
        "evaluate"
    )
    split: SplitOptions = Field(SplitOptions(), description="how one set is split")
    objects: dict[str, Any] | None = Field(
        None,
        description="objects to insert: one set, to be split, or one each under repair and "
        "evaluate; default: cut out of the scenes",
    )
    configurations: tuple[ArmKind, ...] = Field(
        tuple(ArmKind), min_length=1, description=" | ".join(ArmKind)
    )
    retraining: RetrainingOptions = Field(
        default_factory=lambda: RetrainingOptions.model_validate({}),
        description="the insertions in the repair pictures",
    )
    training: TrainingOptions = Field(TrainingOptions(), description="options of training")
    unchanged: bool = Field(
        False, description="also train on the unchanged repair scenes, in every arm"
    )
    validation: Share = Field(
        0.2, description="share of training and repair scenes used only for validation"
    )
    grid: tuple[tuple[int, int], ...] = Field(
        TABLE_2, min_length=1, description="failing and random places per picture, with --grid"
    )
    iterate: IterateOptions = Field(IterateOptions(), description="options of --iterate")
    fresh: bool = Field(
        True, description="also test each repaired subject in a new run, at new places"
    )
    margin: Share = Field(MARGIN, description="tolerated loss of clean AP")
    ids_may_repeat: bool = Field(False, description="do not treat equal scene ids alone as leakage")
    engine: EngineOptions = Field(EngineOptions(), description="options of the engine")
    out: str = Field("repairs/snellen", description="the repair folder")
    base: str | None = Field(None, description="base of relative paths; default: the file's folder")
    skip_invalid: bool = Field(False, description="skip invalid scenes and count them")

    @model_validator(mode="after")
    def _of_the_grid(self) -> Self:
        for failing, random in self.grid:
            if min(failing, random) < 0 or not 1 <= failing + random <= MOST:
                raise ValueError(
                    f"grid: found [{failing}, {random}], expected numbers of failing and random "
                    f"places with a sum of 1 to {MOST}"
                )
        for name in ("configurations", "grid"):
            given = getattr(self, name)
            if len(set(given)) < len(given):
                raise ValueError(f"{name}: contains a duplicate")
        return self
