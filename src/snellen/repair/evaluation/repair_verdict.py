"""The word that a repair has earned."""

from __future__ import annotations

from enum import StrEnum

from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.equal_reports import EqualReports
from snellen.repair.evaluation.held_out_check import HeldOut
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus, loss_status

MARGIN = 0.01
"""The clean AP that may be lost, as a share: 1 point."""


class RepairVerdict(StrEnum):
    """What may be said of a repaired subject."""

    ROBUSTER = "robuster"
    BOLDER = "bolder"
    NOT_SHOWN = "not shown"
    WORSE = "worse"
    SEEN_BEFORE = "measured on what it was repaired with: says nothing about robustness"


def repair_verdict(
    failures: Change,
    precision: Change | None,
    held: HeldOut,
    margin: float = MARGIN,
    equal: EqualReports | None = None,
) -> tuple[RepairVerdict, tuple[str, ...]]:
    """The word, and why, a sentence without its full stop each.

    `robuster` takes all of it: held-out scenes and objects, a failure rate whose fall excludes
    zero, also against the subject as given where that reports as many objects, and a clean AP of
    which no more than the margin is lost, by its interval. `bolder` is all of it but for that
    second comparison: it reports more, and a lower threshold may have done the same. `worse` takes
    either: a failure rate whose rise excludes zero, or a clean AP of which more than the margin is
    lost.
    """
    if held.held_out is False:
        return RepairVerdict.SEEN_BEFORE, (held.why,)
    loss = None if precision is None else loss_status(loss_of(precision.difference), margin)
    against = [*_failures_against(failures), *_loss_against(loss, margin)]
    if failures.difference.low > 0 or loss == LossStatus.VIOLATED:
        return RepairVerdict.WORSE, tuple(against)
    if held.held_out is None:
        against.append(held.why)
    bolder = _bolder(equal) if failures.difference.high < 0 else []
    if against:
        return RepairVerdict.NOT_SHOWN, (*against, *bolder)
    return (RepairVerdict.BOLDER, tuple(bolder)) if bolder else (RepairVerdict.ROBUSTER, ())


def loss_of(difference: Interval) -> Interval:
    """What is lost from before to after: the difference, turned round."""
    return Interval(
        -difference.value,
        -difference.high,
        -difference.low,
        difference.method,
        difference.confidence,
    )


def in_points(share: float) -> str:
    """A share in percentage points.

    >>> in_points(0.01), in_points(0.025)
    ('1 point', '2.5 points')
    """
    points = round(100 * share, 6)
    return f"{points:g} point{'' if points == 1 else 's'}"


def _failures_against(failures: Change) -> list[str]:
    difference = failures.difference
    if difference.high < 0:
        return []
    if difference.low > 0:
        return ["it fails more often than before, by an interval that excludes zero"]
    return ["the interval of the change in its failure rate does not exclude zero"]


def _bolder(equal: EqualReports | None) -> list[str]:
    if equal is None or not equal.explains:
        return []
    reported = equal.reported
    return [
        f"it reports {reported.after.value:.1f} objects a scene, {reported.before.value:.1f} "
        f"before; the subject as given reports as many at a threshold of {equal.threshold:.2f}, "
        f"and fails in {100 * equal.failures.before.value:.1f}% of the tests there, so that a "
        "lower threshold may have done the same"
    ]


def _loss_against(loss: LossStatus | None, margin: float) -> list[str]:
    points = f"{in_points(margin)} of clean AP"
    return {
        None: ["clean AP is not known, since the scenes have no annotations"],
        LossStatus.SATISFIED: [],
        LossStatus.VIOLATED: [f"more than {points} is lost, by the whole interval"],
        LossStatus.UNDECIDED: [f"the interval of clean AP allows for a loss of more than {points}"],
    }[loss]
