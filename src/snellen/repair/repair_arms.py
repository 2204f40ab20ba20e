"""Ways to go on training that are compared: the same start and steps, other pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.repair.options import ArmKind
from snellen.repair.repair_plan import RepairPlan
from snellen.repair.retraining.options import RetrainingOptions, SceneChoice


@dataclass(frozen=True)
class Arm:
    """One way. told: what it is, in a clause.

    retraining: which pictures are added, None for none. as_many_as: options of a set with as many
    pictures as are added, None for all.
    """

    name: str
    told: str
    retraining: RetrainingOptions | None = None
    as_many_as: RetrainingOptions | None = None

    @property
    def failing(self) -> int | None:
        """Failing places in a picture, f."""
        return None if self.retraining is None else self.retraining.failing

    @property
    def random(self) -> int | None:
        """Random places in a picture, r."""
        return None if self.retraining is None else self.retraining.random


def arm_of(configuration: ArmKind, plan: RepairPlan) -> Arm:
    """The way of one of the three configurations."""
    given = plan.options.retraining
    if configuration == ArmKind.MORE_TRAINING:
        return Arm(configuration.value, "trained longer on the same data")
    if configuration == ArmKind.FAILING:
        return Arm(configuration.value, "with insertions at places where it failed", given)
    anywhere = _changed(
        given, failing=0, random=given.failing + given.random, among=SceneChoice.TESTED
    )
    told = "with as many pictures of insertions at random places"
    return Arm(configuration.value, told, anywhere, given)


def arms_of(plan: RepairPlan) -> list[Arm]:
    """A way for each configuration of the plan."""
    return [arm_of(one, plan) for one in plan.options.configurations]


def grid_of(plan: RepairPlan) -> list[Arm]:
    """A way for each row of the grid, all of pictures of the same scenes."""
    return [
        Arm(
            f"{failing}f+{random}r",
            f"{failing} insertions at failing places and {random} at random ones a picture",
            _changed(
                plan.options.retraining, failing=failing, random=random, among=SceneChoice.FAILING
            ),
        )
        for failing, random in plan.options.grid
    ]


def _changed(options: RetrainingOptions, **values: Any) -> RetrainingOptions:
    return RetrainingOptions.model_validate({**options.model_dump(), **values})
