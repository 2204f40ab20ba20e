"""A verdict in one sentence: which subtask, of which label, loses what, over which range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.methods.requirements.checks.metric_loss import Loss
from snellen.methods.requirements.specification.requirement import WHOLE, Requirement
from snellen.statistics.non_inferiority import LossStatus


@dataclass(frozen=True)
class Range:
    """A range of visual change."""

    low: float
    high: float


def sentence(requirement: Requirement, lost: Loss, over: Range, status: LossStatus) -> str:
    """The verdict in a sentence that stands alone; status: of the requirement.

    >>> from snellen.methods.requirements.specification.requirement import ThresholdSource
    >>> from snellen.statistics.intervals import Interval
    >>> one = Requirement(name="a", task="detection", subtask="localise", label="person",
    ...                   transformation="frost", measure="vifp(sigma_nsq=2.0)", threshold=0.9,
    ...                   thresholds=(0.9,), source=ThresholdSource(study="a study"))
    >>> found = Loss("recall", 0.8, 0.68, Interval(0.12, 0.08, 0.16, "..."), 0.001, 500, 200,
    ...              LossStatus.VIOLATED)
    >>> sentence(one, found, Range(0.5, 0.9), found.status)
    'localise: recall of person falls by 12 points (8 to 16) under frost from visual change 0.5 on'
    """
    where = f"under {requirement.transformation} {_range(over)}"
    part = requirement.task if requirement.subtask == WHOLE else requirement.subtask
    label = "any label" if requirement.label == "any" else requirement.label
    if lost.why:
        return f"{part}: undecided for {label} {where}: {lost.why}"
    points = f"{_points(lost.interval.low)} to {_points(lost.interval.high)}"
    value = lost.interval.value
    change = f"falls by {_points(value)}" if value >= 0 else f"rises by {_points(-value)}"
    if value < 0:
        points = f"{_points(-lost.interval.high)} to {_points(-lost.interval.low)}"
    text = f"{part}: {lost.metric} of {label} {change} points ({points}) {where}"
    if status == LossStatus.VIOLATED:
        return text
    if status == LossStatus.SATISFIED:
        return f"{text}; {_points(lost.margin)} are tolerated"
    return f"{text}, which may be more or less than the {_points(lost.margin)} tolerated"


def needs_clause(more_scenes: int | None) -> str:
    """What would decide an undecided requirement; empty if that is not known.

    >>> needs_clause(1200)
    '; about 1,200 more scenes like these would decide it'
    """
    if not more_scenes:
        return ""
    digits = 10 ** max(0, len(str(more_scenes)) - 2)
    return f"; about {-(-more_scenes // digits) * digits:,} more scenes like these would decide it"


def parts_clause(margins: Sequence[tuple[str, float]], *, satisfied: bool) -> str:
    """The margins of the parts of a whole task, by name, and whether all are satisfied; or empty.

    >>> parts_clause([("localise", 0.01), ("classify", 0.01)], satisfied=False)
    '; its parts may lose 1 (localise) and 1 (classify)'
    """
    if not margins:
        return ""
    named = [f"{_points(margin)} ({name})" for name, margin in margins]
    what = "all its parts are satisfied, with margins of" if satisfied else "its parts may lose"
    return f"; {what} {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]}"


def _range(over: Range) -> str:
    if over.low > 0:
        return f"from visual change {over.low:.2g} on"
    return f"up to visual change {over.high:.2g}"


def _points(share: float) -> str:
    value = round(100 * share, 1)
    return f"{value + 0.0:.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.1f}"
