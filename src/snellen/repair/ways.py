"""Ways to go on training that are compared: the same start and steps, other pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.repair.options import Configuration
from snellen.repair.plan import Plan
from snellen.repair.retraining.options import Among, RetrainingOptions


@dataclass(frozen=True)
class Way:
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


def way_of(configuration: Configuration, plan: Plan) -> Way:
    """The way of one of the three configurations."""
    given = plan.options.retraining
    if configuration == Configuration.MORE_TRAINING:
        return Way(configuration.value, "trained longer on the same data")
    if configuration == Configuration.FAILING:
        return Way(configuration.value, "with insertions at places where it failed", given)
    anywhere = _changed(given, failing=0, random=given.failing + given.random, among=Among.TESTED)
    told = "with as many pictures of insertions at random places"
    return Way(configuration.value, told, anywhere, given)


def ways_of(plan: Plan) -> list[Way]:
    """A way for each configuration of the plan."""
    return [way_of(one, plan) for one in plan.options.configurations]


def grid_of(plan: Plan) -> list[Way]:
    """A way for each row of the grid, all of pictures of the same scenes."""
    return [
        Way(
            f"{failing}f+{random}r",
            f"{failing} insertions at failing places and {random} at random ones a picture",
            _changed(plan.options.retraining, failing=failing, random=random, among=Among.FAILING),
        )
        for failing, random in plan.options.grid
    ]


def _changed(options: RetrainingOptions, **values: Any) -> RetrainingOptions:
    return RetrainingOptions.model_validate({**options.model_dump(), **values})
