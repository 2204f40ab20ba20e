"""A limit on the failure rate as a requirement that any run can be gated by."""

from __future__ import annotations

import math

from snellen.contract.verdict import TEST
from snellen.errors import UserError
from snellen.statistics.intervals import Interval
from snellen.statistics.margin_test import LEVEL, margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.sample_size import scenes_to_decide
from snellen.statistics.scene_curves import rate_curve
from snellen.store.journal import Journal
from snellen.store.rates import Rates
from snellen.store.summary import RequirementVerdict


def check_limit(limit: float) -> None:
    """Refuse a limit that is not a share."""
    if not 0 < limit < 1:
        raise UserError(
            f"--at-most {limit:g}: expected a share between 0 and 1. Pass, for example: "
            "--at-most 0.05"
        )


def limited_failures(journal: Journal, limit: float) -> RequirementVerdict:
    """Whether the failure rate of a run is at most `limit`: two one-sided tests at 5%."""
    counts = Rates(journal).counts(TEST)
    curve = rate_curve(counts)
    status = margin_verdict(curve, limit).status
    found = curve.interval(1 - 2 * LEVEL)
    known = not math.isnan(found.value)
    says = "no cases"
    if known:
        more = scenes_to_decide(counts, limit, tail=LEVEL)
        says = _rate_words(found) + (_outlook(more) if status is LossStatus.UNDECIDED else "")
    return RequirementVerdict(
        name=f"at most {100 * limit:g}% of cases fail",
        status=status,
        value=found.value if known else None,
        low=found.low if known else None,
        high=found.high if known else None,
        says=says,
    )


def _rate_words(found: Interval) -> str:
    value, low, high = (f"{100 * one:.1f}%" for one in (found.value, found.low, found.high))
    return f"{value} of cases fail (90% interval {low} to {high})"


def _outlook(more: int | None) -> str:
    if more is None:
        return "; more scenes like these would not decide it"
    return f"; about {more} more scenes like these would decide it"
