"""Requirements with their verdicts as a table of a page."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import section, table
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import RequirementVerdict

ORDER = (LossStatus.VIOLATED, LossStatus.UNDECIDED, LossStatus.SATISFIED)
"""The worst first."""


def worst_first(requirements: Sequence[RequirementVerdict]) -> list[RequirementVerdict]:
    """Violated ones, then undecided ones, then satisfied ones."""
    return sorted(requirements, key=lambda one: ORDER.index(one.status))


def requirement_section(requirements: Sequence[RequirementVerdict], value: str) -> Markup | None:
    """Every requirement with its verdict and the number that decides it; None without any.

    value: the name of that number.
    """
    if not requirements:
        return None
    rows = [
        [one.name, one.status.value, _measured(one), one.says] for one in worst_first(requirements)
    ]
    heads = ["requirement", "verdict", value, "found"]
    return section(
        "Requirements",
        table(heads, rows, "Requirements, violated ones first"),
        id="requirements",
    )


def _measured(one: RequirementVerdict) -> Child:
    if one.value is None:
        return "unknown"
    ends = None if one.ends is None else f"{one.ends[0]:.3g} to {one.ends[1]:.3g}"
    return tag("span", f"{one.value:.3g}", tag("small", ends))
