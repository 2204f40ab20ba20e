"""The comparison of two runs in Python."""

from __future__ import annotations

from typing import Any

from snellen.report.comparison.comparison import Comparison
from snellen.report.comparison.words import lines
from snellen.session.notebook_markup import titled


class RunDifference:
    """Two runs compared; every difference is that of the second minus the first.

    result: all numbers, as `snellen compare` computes them; `to_json` gives them as plain values.
    """

    def __init__(self, result: Comparison) -> None:
        self.result = result

    def to_json(self) -> dict[str, Any]:
        """Plain values, as of `snellen compare --json`."""
        return self.result.to_json()

    def __str__(self) -> str:
        return "\n".join(lines(self.result))

    def __repr__(self) -> str:
        a, b = self.result.subjects
        gap = self.result.tests.difference
        return (
            f"<Comparison of {a.name} (A) and {b.name} (B) on {self.result.scenes} scenes: "
            f"failure rate {100 * gap.value:+.1f} points "
            f"({100 * gap.low:+.1f} to {100 * gap.high:+.1f})>"
        )

    def _repr_html_(self) -> str:
        first, *rest = lines(self.result)
        return titled(first, *rest)
