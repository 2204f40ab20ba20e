"""The summary of requirements: their verdicts, and metrics over visual change."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from snellen.methods.requirements.checked_run import CheckedRun, checked_run
from snellen.methods.requirements.checks.requirement_check import (
    RequirementCheck,
    check_requirement,
)
from snellen.methods.requirements.checks.run_check import FamilyCheck, family_checks
from snellen.methods.requirements.curves.reliability_distance import UNKNOWN
from snellen.methods.requirements.own_numbers import (
    DistanceNumbers,
    LossNumbers,
    MarginNumbers,
    OpenEstimate,
    RequirementNumbers,
    RequirementRow,
    ThresholdNumbers,
)
from snellen.methods.requirements.reliability import reliability
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.view import RunRecord
from snellen.statistics.non_inferiority import LossStatus

NO_SCENES = "no examined scene can be used to check it"
COPIED = {"task", "subtask", "label", "transformation", "measure", "kind", "threshold",
          "thresholds", "naive", "confidence", "source"}  # fmt: skip
"""The fields copied from the requirement file."""


def requirement_rows(record: RunRecord) -> tuple[RequirementRow, ...]:
    """Every requirement of the run with its verdict."""
    run = record.once(checked_run)
    if run is None:
        return ()
    checks = [_checked(one, run) for one in run.requirements if one.kind in run.tables]
    rows = {one.check.requirement.name: _row(one) for one in family_checks(checks)}
    return tuple(rows.get(one.name) or _unchecked(one, run) for one in run.requirements)


def requirement_numbers(record: RunRecord) -> RequirementNumbers:
    """Metrics over visual change."""
    run = record.once(checked_run)
    return RequirementNumbers() if run is None else RequirementNumbers(reliability=reliability(run))


def _checked(requirement: Requirement, run: CheckedRun) -> RequirementCheck:
    """A requirement and its verdict."""
    # By name, so that a verdict does not depend on which other requirements are checked.
    rng = np.random.default_rng([run.seed, crc32(requirement.name.encode())])
    return check_requirement(
        requirement,
        run.tables[requirement.kind],
        run.weights,
        rng,
        minimal=run.minimal,
        margins=run.margins[requirement.name],
        alpha=run.alpha(requirement),
    )


def _row(member: FamilyCheck) -> RequirementRow:
    found = member.check
    at, lost = found.deciding
    ranked = sorted(at.losses, key=lambda one: np.nan_to_num(one.interval.value, nan=-1.0))
    farthest = max(found.thresholds, key=lambda one: np.nan_to_num(one.distance.value, nan=-1.0))
    interval = OpenEstimate.of(lost.interval)
    return RequirementRow(
        name=found.requirement.name,
        status=found.status,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        says=found.says,
        metric=lost.metric,
        over=(found.over.low, found.over.high),
        breaks_from=found.breaks_from,
        metrics={
            one.metric: LossNumbers.model_validate(one.to_json()) for one in (*ranked, at.area)
        },
        distance=DistanceNumbers.model_validate(farthest.distance.to_json()),
        satisfied_as_published=found.distance <= 0,
        by_threshold=tuple(
            ThresholdNumbers.model_validate(one.to_json()) for one in found.thresholds
        ),
        demands_nothing=found.idle,
        more_scenes=found.more_scenes,
        level=found.alpha,
        p_satisfied=found.p_satisfied,
        p_violated=found.p_violated,
        p_adjusted=member.p_adjusted,
        parts=member.parts,
        margin=lost.margin,
        margins={name: MarginNumbers.of(one) for name, one in found.margins.items()},
        **_copied(found.requirement),
    )


def _unchecked(requirement: Requirement, run: CheckedRun) -> RequirementRow:
    margins = run.margins[requirement.name]
    return RequirementRow(
        name=requirement.name,
        status=LossStatus.UNDECIDED,
        value=None,
        low=None,
        high=None,
        says=f"{requirement.subtask}: undecided: {NO_SCENES}",
        metric=None,
        over=(0.0, requirement.threshold),
        metrics={},
        distance=DistanceNumbers.model_validate(UNKNOWN.to_json()),
        satisfied_as_published=False,
        by_threshold=(),
        demands_nothing=(),
        level=run.alpha(requirement),
        margin=next(iter(margins.values())).value,
        margins={name: MarginNumbers.of(one) for name, one in margins.items()},
        **_copied(requirement),
    )


def _copied(requirement: Requirement) -> dict[str, Any]:
    return requirement.model_dump(include=COPIED, exclude={"source": {"people"}})
