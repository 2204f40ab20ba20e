"""The ways to an array, in order of cost, until the bound or the effort is reached."""

from __future__ import annotations

from snellen.methods.combinations.covering.filling import filled
from snellen.methods.combinations.covering.members import Members, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.repairing import repaired

STARTS = {"quick": 3, "normal": 8, "thorough": 16}
MANY_LABELS = 300


def best_rows(problem: Problem, given: Members, seed: int, effort: str) -> Members:
    """New rows which, with those given, form a complete array."""
    starts = 1 if len(problem.names) > MANY_LABELS else STARTS[effort]
    new = filled(problem, given, seed, starts)
    whole = repaired(problem, stacked([given, new], problem.most))
    return whole[len(given) :]
