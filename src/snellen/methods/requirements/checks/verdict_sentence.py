"""A verdict in one sentence: which subtask, of which label, loses what, over which range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.methods.human.subtasks import WHOLE
from snellen.methods.requirements.checks.metric_loss import Loss
from snellen.methods.requirements.specification.requirement import Requirement
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
    >>> sentence(one, found, Range(0, 0.9), found.status)
    'localise: recall of person falls by 12.0 points (8.0 to 16.0) under frost up to visual change \
0.9'
    """
    where = f"under {requirement.transformation} up to visual change {over.high:.2g}"
    part = requirement.task if requirement.subtask == WHOLE else requirement.subtask
    label = "any label" if requirement.label == "any" else requirement.label
    if lost.why:
        return f"{part}: undecided for {label} {where}: {lost.why}"
    low, value, high = (lost.interval.low, lost.interval.value, lost.interval.high)
    if value < 0:
        low, value, high = -high, -value, -low
    falls = "rises" if lost.interval.value < 0 else "falls"
    change = f"{falls} by {_tenths(value)}"
    points = f"{_tenths(low)} to {_tenths(high)}"
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


def onset_clause(breaks_from: float | None) -> str:
    """From which visual change on it breaks; empty if no test shows it.

    >>> onset_clause(0.5), onset_clause(0.0), onset_clause(None)
    ('; it breaks from visual change 0.5 on', '; it breaks from the smallest visual change on', '')
    """
    if breaks_from is None:
        return ""
    start = f"visual change {breaks_from:.2g}" if breaks_from else "the smallest visual change"
    return f"; it breaks from {start} on"


def _tenths(share: float) -> str:
    """Percentage points with one decimal, as in the table."""
    return f"{100 * share + 0.0:.1f}".replace("-0.0", "0.0")


def _points(share: float) -> str:
    value = round(100 * share, 1)
    return f"{value + 0.0:.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.1f}"
