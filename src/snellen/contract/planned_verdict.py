"""A verdict that a run will give, as far as its configuration tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlannedVerdict:
    """One verdict of a run before it is run.

    cases: mean number that count for it in a scene that has any; None if unknown. questions: per
    scene, without explanations; None if unknown. scenes: of the configuration, with such cases.
    margin: the tolerated loss, or excess over controls; None if the configuration has none.
    level: of each one-sided test.
    """

    name: str
    cases: float | None = None
    questions: float | None = None
    scenes: int | None = None
    margin: float | None = None
    level: float = 0.05
