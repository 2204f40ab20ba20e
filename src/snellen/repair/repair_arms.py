"""The arms of a repair: the same initial weights and steps, different pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.repair.options import ArmKind
from snellen.repair.repair_plan import RepairPlan
from snellen.repair.retraining.options import RetrainingOptions, SceneChoice


@dataclass(frozen=True)
class Arm:
    """One arm. description: what it is, in a clause.

    retraining: the pictures to add, None for none. as_many_as: options of a set whose number of
    pictures limits those added, None for no limit.
    """

    name: str
    description: str
    retraining: RetrainingOptions | None = None
    as_many_as: RetrainingOptions | None = None

    @property
    def failing(self) -> int | None:
        """Failing places per picture, f."""
        return None if self.retraining is None else self.retraining.failing

    @property
    def random(self) -> int | None:
        """Random places per picture, r."""
        return None if self.retraining is None else self.retraining.random


def arm_of(configuration: ArmKind, plan: RepairPlan) -> Arm:
    """The arm of one of the three configurations."""
    given = plan.options.retraining
    if configuration == ArmKind.MORE_TRAINING:
        return Arm(configuration.value, "trained longer on the same data")
    if configuration == ArmKind.FAILING:
        return Arm(configuration.value, "with insertions at failing places", given)
    anywhere = _changed(
        given, failing=0, random=given.failing + given.random, among=SceneChoice.TESTED
    )
    description = "with as many pictures of insertions at random places"
    return Arm(configuration.value, description, anywhere, given)


def arms_of(plan: RepairPlan) -> list[Arm]:
    """An arm for each configuration of the plan."""
    return [arm_of(one, plan) for one in plan.options.configurations]


def grid_of(plan: RepairPlan) -> list[Arm]:
    """An arm for each row of the grid, with pictures of the same scenes."""
    return [
        Arm(
            f"{failing}f+{random}r",
            f"{failing} insertions at failing and {random} at random places per picture",
            _changed(
                plan.options.retraining, failing=failing, random=random, among=SceneChoice.FAILING
            ),
        )
        for failing, random in plan.options.grid
    ]


def _changed(options: RetrainingOptions, **values: Any) -> RetrainingOptions:
    return RetrainingOptions.model_validate({**options.model_dump(), **values})
