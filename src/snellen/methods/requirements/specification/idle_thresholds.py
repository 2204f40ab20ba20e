"""Thresholds of a requirement that demand something, and warnings about the others."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence

from snellen.methods.requirements.checks.metric_loss import Loss
from snellen.methods.requirements.evidence.arms import MINIMAL
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus

log = logging.getLogger(__name__)


def demanding_thresholds(requirement: Requirement, minimal: float = MINIMAL) -> tuple[float, ...]:
    """The thresholds of the conjunction that demand something, rising.

    Correctness demands something of every changed image. Preservation compares with images changed
    by no more than `minimal`, so it demands something beyond that only.
    """
    least = minimal if requirement.kind == "preservation" else 0.0
    return tuple(one for one in requirement.thresholds if one > least)


def idle_thresholds(requirement: Requirement, minimal: float = MINIMAL) -> tuple[float, ...]:
    """The thresholds of the conjunction that demand nothing, rising."""
    wanted = demanding_thresholds(requirement, minimal)
    return tuple(one for one in requirement.thresholds if one not in wanted)


def why_idle(requirement: Requirement, minimal: float = MINIMAL) -> str:
    """Why a requirement cannot fail, if none of its thresholds demands anything; else empty."""
    if demanding_thresholds(requirement, minimal):
        return ""
    if requirement.kind == "correctness":
        return "demands nothing: its threshold is 0, no change at all"
    return (
        f"demands nothing: its threshold {requirement.threshold:g} is not above minimal {minimal:g}"
    )


def left_out_clause(thresholds: Sequence[float]) -> str:
    """The clause about the idle thresholds of a conjunction that demands something.

    >>> left_out_clause((0.1, 0.2))
    '; thresholds 0.1 and 0.2 demand nothing and are left out'
    """
    if not thresholds:
        return ""
    named = " and ".join(f"{one:g}" for one in thresholds)
    if len(thresholds) == 1:
        return f"; threshold {named} demands nothing and is left out"
    return f"; thresholds {named} demand nothing and are left out"


def unknown_loss(metric: str, why: str, alpha: float) -> Loss:
    """A loss that was not measured: unknown, and so undecided."""
    interval = Interval(math.nan, math.nan, math.nan, "none", 1 - 2 * alpha)
    return Loss(metric, math.nan, math.nan, interval, math.nan, 0.0, 0, LossStatus.UNDECIDED, why)


def warn_of_idle(requirements: Iterable[Requirement], minimal: float = MINIMAL) -> None:
    """Log a warning for requirements that can only be undecided."""
    for one in requirements:
        why = why_idle(one, minimal)
        if why:
            log.warning(
                "requirement '%s' %s. It will be undecided, never satisfied; raise its threshold "
                "or drop it.",
                one.name,
                why,
            )
