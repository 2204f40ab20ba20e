"""Checking an array of any origin against its requirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.combinations.covering.cover import missing_of
from snellen.methods.combinations.covering.problem import Problem, problem_of
from snellen.vision.arrays import Bools


@dataclass(frozen=True)
class ArrayCheck:
    """The combinations that an array does not cover, and its rows that violate a constraint."""

    problem: Problem
    missing: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    bad_rows: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is missing and every row is allowed."""
        return not self.missing and not self.bad_rows

    def summary(self) -> str:
        """One line for a person."""
        total = self.problem.combinations()
        if self.complete:
            return f"complete, all {total} combinations are covered"
        return (
            f"{len(self.missing)} of {total} combinations missing, "
            f"{len(self.bad_rows)} rows not allowed"
        )

    def lines(self) -> list[str]:
        """All violations, one per line."""
        rows = [f"row {at + 1} is not allowed" for at in self.bad_rows]
        return rows + [
            "missing " + ", ".join(f"{name}={value}" for name, value in one.items())
            for one in self._named()
        ]

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "complete": self.complete,
            "combinations": self.problem.combinations(),
            "missing": self._named(),
            "rows_not_allowed": [at + 1 for at in self.bad_rows],
            "infeasible": [
                [self.problem.names[i] for i in sorted(one)] for one in self.problem.infeasible()
            ],
            "implied": [
                [self.problem.names[i] for i in one] for one in self.problem.implications()
            ],
        }

    def _named(self) -> list[dict[str, int]]:
        names = self.problem.names
        return [
            {names[label]: value for label, value in zip(labels, values, strict=True)}
            for labels, values in self.missing
        ]


def check_array(
    names: Sequence[str], rows: Bools, strength: int, most: int, **constraints: Any
) -> ArrayCheck:
    """The violations of an array, (rows, labels), under the constraints of `cover`."""
    problem = problem_of(names, strength, most, **constraints)
    bad = tuple(
        at for at, row in enumerate(rows) if not problem.allows(np.flatnonzero(row).tolist())
    )
    return ArrayCheck(problem, tuple(missing_of(problem, rows)), bad)
