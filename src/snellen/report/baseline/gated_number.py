"""The verdict on one number: whether the new subject's is worse than the baseline's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from snellen.methods.compared_number import ComparedNumber
from snellen.statistics.intervals import Interval
from snellen.statistics.margin_test import LEVEL
from snellen.statistics.multiplicity import family_wise_p_values


class ChangeStatus(StrEnum):
    """The verdict on a change."""

    WORSE = "worse"
    UNDECIDED = "undecided"
    NOT_WORSE = "not worse"


@dataclass(frozen=True, eq=False)
class GatedNumber:
    """A number of both runs with its verdict.

    p_worse: of it being worse by the margin at most, adjusted for all gated numbers; alone: the
    same, not adjusted. p_not_worse: of it being worse by the margin at least. All are NaN without
    data. level: of each test. tests: how many numbers with data are gated.
    """

    number: ComparedNumber
    status: ChangeStatus
    margin: float
    p_worse: float
    alone: float
    p_not_worse: float
    level: float
    tests: int

    @property
    def known(self) -> bool:
        """Whether there are cases to decide on."""
        return not math.isnan(self.number.worse.value)

    @property
    def worse_by(self) -> Interval:
        """How much worse it is; both ends are one-sided bounds at the level of the test."""
        return self.number.worse.interval(1 - 2 * self.level)

    @cached_property
    def more(self) -> int | None:
        """How many more scenes would decide it; 0 if it is decided, None if none would."""
        if self.status is not ChangeStatus.UNDECIDED:
            return 0
        if not self.known:
            return None
        beyond = self.number.worse.value > self.margin
        return self.number.more_scenes(
            self.margin, self.level / self.tests if beyond else self.level
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.number.name,
            "status": self.status.value,
            "baseline": self.number.a,
            "new": self.number.b,
            "worse_by": self.worse_by.to_json(),
            "margin": self.margin,
            "p_worse": self.p_worse,
            "p_not_worse": self.p_not_worse,
            "scenes": self.number.scenes,
            "more_scenes": self.more,
        }


def gated_numbers(
    numbers: Sequence[ComparedNumber], margin: float, level: float = LEVEL
) -> tuple[GatedNumber, ...]:
    """Each number with its verdict against the margin, a share such as 0.01.

    Worse: by more than the margin, with any such verdict of the gate wrong in at most `level` of
    gates (Holm). Not worse: by less than the margin, each wrong in at most `level` of gates; a
    gate without a worse number makes no single such claim, so that these are not adjusted.
    """
    alone = [one.worse.p(margin, "lower") for one in numbers]
    adjusted = family_wise_p_values(alone)
    tests = max(1, sum(not math.isnan(p) for p in alone))
    return tuple(
        _gated(one, margin, (float(worse), first), level, tests)
        for one, worse, first in zip(numbers, adjusted, alone, strict=True)
    )


def _gated(
    number: ComparedNumber, margin: float, p_worse: tuple[float, float], level: float, tests: int
) -> GatedNumber:
    p_not_worse = number.worse.p(margin, "upper")
    status = ChangeStatus.UNDECIDED
    if p_worse[0] < level:
        status = ChangeStatus.WORSE
    elif p_not_worse < level:
        status = ChangeStatus.NOT_WORSE
    return GatedNumber(number, status, margin, *p_worse, p_not_worse, level, tests)
