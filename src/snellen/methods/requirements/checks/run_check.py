"""The check of all requirements of a run: wholes with their parts, and many verdicts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from snellen.methods.requirements.checks.requirement_check import RequirementCheck
from snellen.methods.requirements.specification.margin_composition import parts_of_whole
from snellen.statistics.multiplicity import adjusted_p_values


@dataclass(frozen=True, eq=False)
class FamilyCheck:
    """A checked requirement among those of its run.

    parts: names of the requirements on the subtasks of a whole task, if they compose. p_adjusted:
    the p-value of a violation, adjusted for the false discovery rate over all requirements.
    """

    check: RequirementCheck
    parts: tuple[str, ...]
    p_adjusted: float


def family_checks(checks: Sequence[RequirementCheck]) -> list[FamilyCheck]:
    """The checks of a run together, in the same order."""
    every = [one.requirement for one in checks]
    by_name = {one.requirement.name: one for one in checks}
    parts = [
        tuple(one.name for one in parts_of_whole(check.requirement, every)) for check in checks
    ]
    adjusted = adjusted_p_values([one.p_violated for one in checks])
    return [
        FamilyCheck(_composed(check, [by_name[name] for name in names]), names, float(p))
        for check, names, p in zip(checks, parts, adjusted, strict=True)
    ]


def _composed(whole: RequirementCheck, parts: Sequence[RequirementCheck]) -> RequirementCheck:
    """A whole task that is satisfied if all its parts are.

    The losses of the parts add up to that of the whole, and their margins to no more than its own.
    So the whole can't exceed its margin unless a part exceeds its: an intersection-union test. Nor
    can the direct test find the whole violated then, since its loss as measured is the sum of
    those of the parts.
    """
    if not parts:
        return whole
    metric = whole.worst.metric
    return replace(
        whole,
        by_parts=float(np.max([one.p_satisfied for one in parts])),
        part_margins=tuple(
            (one.requirement.subtask, margin.value)
            for one in parts
            for name, margin in one.margins.items()
            if name == metric
        ),
    )
