"""The gate: what a run's requirements come to, as one exit code and one line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.errors import FINE, NO_VERDICT, VIOLATED

SATISFIED, BROKEN, UNDECIDED = "satisfied", "violated", "undecided"


@dataclass(frozen=True)
class Gate:
    """What a gate says. code: 0 if every requirement is met, 1 if one is violated, else 3."""

    requirements: tuple[Mapping[str, Any], ...]

    def of(self, status: str) -> list[Mapping[str, Any]]:
        """The requirements that ended so."""
        return [one for one in self.requirements if one["status"] == status]

    @property
    def code(self) -> int:
        """The exit code. No requirements, or one that is undecided, is no verdict."""
        if self.of(BROKEN):
            return VIOLATED
        if not self.requirements or self.of(UNDECIDED):
            return NO_VERDICT
        return FINE

    @property
    def word(self) -> str:
        """The verdict in one word."""
        return {FINE: "passed", VIOLATED: "failed", NO_VERDICT: "no verdict"}[self.code]

    def lines(self) -> list[str]:
        """One line for each requirement, the worst first, and what it comes to."""
        order = (BROKEN, UNDECIDED, SATISFIED)
        told = [
            f"{one['status']:<10} {one['name']}: {one['says']}"
            for status in order
            for one in self.of(status)
        ]
        counts = ", ".join(f"{len(self.of(status))} {status}" for status in reversed(order))
        return [*told, f"gate: {self.word} ({counts})" if self.requirements else _NONE]

    def to_json(self) -> dict[str, Any]:
        """The same for a machine."""
        return {
            "gate": self.word,
            "exit_code": self.code,
            "requirements": [dict(one) for one in self.requirements],
        }


_NONE = (
    "gate: no verdict, this run checks no requirements. Use method `requirements`; see "
    "docs/how-to/requirements.md"
)


def gate_of(summary: Mapping[str, Any]) -> Gate:
    """The gate of a run's summary."""
    found: Sequence[Mapping[str, Any]] = summary["requirements"]
    return Gate(tuple(found))
