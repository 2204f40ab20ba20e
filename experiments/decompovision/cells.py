"""Numbers as cells of Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

MARKS = {"satisfied": "ok", "violated": "**violated**", "undecided": "open"}


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [list(head), ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ranks(values: Sequence[float | None], *, higher_is_better: bool = False) -> list[int | None]:
    """The rank of each value, 1 for the best; ties share the better rank.

    >>> ranks([0.3, 0.1, None, 0.3])
    [2, 1, None, 2]
    """
    sign = -1 if higher_is_better else 1
    present = [sign * one for one in values if one is not None]
    return [None if one is None else 1 + sum(v < sign * one for v in present) for one in values]


def points(share: float) -> str:
    """A share in percentage points.

    >>> points(0.0712), points(-0.0001)
    ('7.1', '0.0')
    """
    return f"{round(100 * share, 1) + 0.0:.1f}"


def ranked(value: float | None, rank: int | None) -> str:
    """A number with its rank in brackets."""
    return "-" if value is None or math.isnan(value) else f"{round(value, 2) + 0.0:.2f} ({rank})"


def distance(found: Mapping[str, Any] | None, rank: int | None = None) -> str:
    """The published distance, its rank if any, and its mean under the null in square brackets."""
    if found is None or found["distance"]["value"] is None:
        return "-"
    one = found["distance"]
    place = "" if rank is None else f" ({rank})"
    return f"{one['value']:.2f}{place} [{one['null']:.2f}]"


def verdict(found: Mapping[str, Any] | None) -> str:
    """The loss in points with its interval, the metric, and the verdict with its range."""
    if found is None:
        return "-"
    if found["value"] is None:
        return MARKS[found["status"]]
    value, low, high = (points(found[key]) for key in ("value", "low", "high"))
    start = f" from {found['breaks_from']:.2g}" if found["breaks_from"] else ""
    text = f"{value} ({low} to {high}) {found['metric'][0].upper()}"
    return f"{text} {MARKS[found['status']]}{start}"


def area_loss(found: Mapping[str, Any] | None) -> str:
    """The loss of AP in points with its interval, a percentile one that is too short at 0."""
    if found is None or found["loss"]["value"] is None:
        return "-"
    value, low, high = (points(found["loss"][key]) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"
