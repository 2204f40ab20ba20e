"""The ways to an array, in order of cost, until the bound or the effort is reached."""

from __future__ import annotations

from snellen.methods.combinations.covering.bound import lower_bound
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
    if effort == "quick" or len(given) or problem.forbidden or len(problem.demands) > 1:
        return whole[len(given) :]
    return _improved(problem, whole, seed, effort)


def _improved(problem: Problem, best: Members, seed: int, effort: str) -> Members:
    from snellen.methods.combinations.covering.searching import candidates

    bound = lower_bound(problem)
    if len(best) <= bound:
        return best
    for found in candidates(problem, best, bound, seed, effort):
        more = filled(problem, found, seed, STARTS[effort])
        whole = repaired(problem, stacked([found, more], problem.most))
        if len(whole) < len(best):
            best = whole
        if len(best) <= bound:
            break
    return best
