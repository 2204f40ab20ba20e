"""The verdict on a repair."""

from __future__ import annotations

from enum import StrEnum

from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.equal_reports import EqualReports
from snellen.repair.evaluation.held_out_check import HeldOut
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus, loss_status

MARGIN = 0.01
"""The tolerated loss of clean AP, as a share: 1 point."""


OLD_WORD = "robuster"
"""The value of `MORE_ROBUST` in older outcome files."""


class RepairVerdict(StrEnum):
    """The verdict on a repaired subject."""

    MORE_ROBUST = "more robust"
    BOLDER = "bolder"
    NOT_SHOWN = "not shown"
    WORSE = "worse"
    SEEN_BEFORE = "measured on what it was repaired with: says nothing about robustness"

    @classmethod
    def _missing_(cls, value: object) -> RepairVerdict | None:
        """The verdict of a word in files of earlier versions."""
        return cls.MORE_ROBUST if value == OLD_WORD else None


def repair_verdict(
    failures: Change,
    precision: Change | None,
    held: HeldOut,
    margin: float = MARGIN,
    equal: EqualReports | None = None,
) -> tuple[RepairVerdict, tuple[str, ...]]:
    """The verdict and its reasons, each a sentence without full stop.

    `more robust` requires held-out scenes and objects, a fall of the failure rate whose interval
    excludes zero, also against the original subject at equally many reported objects, and a loss
    of clean AP within the margin, by its interval. `bolder` meets all of it except the comparison
    at equally many objects: it reports more, and a lower threshold may have the same effect.
    `worse` is either a rise of the failure rate whose interval excludes zero, or a loss of clean
    AP beyond the margin.
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
    return (RepairVerdict.BOLDER, tuple(bolder)) if bolder else (RepairVerdict.MORE_ROBUST, ())


def loss_of(difference: Interval) -> Interval:
    """The loss from before to after: the difference negated."""
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
        return ["the failure rate rises, with an interval that excludes zero"]
    return ["the interval of the change in failure rate includes zero"]


def _bolder(equal: EqualReports | None) -> list[str]:
    if equal is None or not equal.explains:
        return []
    reported = equal.reported
    return [
        f"it reports {reported.after.value:.1f} objects per scene, {reported.before.value:.1f} "
        "before; the original subject reports as many at a threshold of "
        f"{equal.threshold:.2f}, where it fails in {100 * equal.failures.before.value:.1f}% of the "
        "tests, so a lower threshold may have the same effect"
    ]


def _loss_against(loss: LossStatus | None, margin: float) -> list[str]:
    points = in_points(margin)
    return {
        None: ["clean AP is unknown because the scenes have no annotations"],
        LossStatus.SATISFIED: [],
        LossStatus.VIOLATED: [f"the loss of clean AP is more than {points}, by its whole interval"],
        LossStatus.UNDECIDED: [f"the interval of clean AP includes a loss of more than {points}"],
    }[loss]
